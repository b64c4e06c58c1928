/// @file
/// Actions that all endpoints of a communicator do, or none.
#pragma once

#include <ep/fwd.hpp>
#include <functional>
#include <string>

namespace epios::io {

/// Runs `action` on every endpoint of `comm` and makes all of them fail alike when one does: throws
/// epios::Error with what failed, each text once and preceded by who says it ("client <rank>: ",
/// "client <rank> and <n> others: "), unless all say the same. The code is that of the lowest
/// failing rank; all but rank 0 have an EchoedError. `name_of`: of a rank, if not "client <rank>".
/// Collective; costs one allreduce when nobody fails.
void all_or_none(const ep::Comm& comm, const std::function<void()>& action,
                 const std::function<std::string(int)>& name_of = {});

/// Runs an action that fails on all endpoints of `comm` alike or on none: all but rank 0 have an
/// EchoedError. Local.
void report_once(const ep::Comm& comm, const std::function<void()>& action);

}  // namespace epios::io
