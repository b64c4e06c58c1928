#pragma once

#include <ep/ep.hpp>
#include <functional>

namespace epios::client {

/// Runs `action` on every client of `comm` and makes all of them fail alike when one does: throws
/// epios::Error with what failed, each text once and preceded by "client <rank>: " or "client
/// <rank> and <n> others: ", unless all say the same. The code is that of the lowest failing rank.
/// Collective; costs one allreduce when nobody fails.
void all_or_none(const ep::Comm& comm, const std::function<void()>& action);

}  // namespace epios::client
