/// @file
/// Actions that all endpoints of a communicator complete, or none.
#pragma once

#include <ep/fwd.hpp>
#include <functional>
#include <string>

namespace epios::io {

/// Runs `action` on every endpoint of `comm` and makes it fail on all of them if it fails on one.
/// Throws epios::Error with each text once. Unless all endpoints have the same text, it is preceded
/// by who reports it ("client <rank>: ", "client <rank> and <n> others: "). The code is that of the
/// lowest failing rank. All but rank 0 throw an EchoedError. `name_of` returns the name of a rank,
/// if it is not "client <rank>". Collective; costs one allreduce if nothing fails.
void all_or_none(const ep::Comm& comm, const std::function<void()>& action,
                 const std::function<std::string(int)>& name_of = {});

/// Runs an action that fails either on all endpoints of `comm` or on none. All but rank 0 throw an
/// EchoedError. Local.
void report_once(const ep::Comm& comm, const std::function<void()>& action);

}  // namespace epios::io
