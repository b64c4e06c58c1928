#pragma once

#include <ep/fwd.hpp>
#include <string_view>
#include <vector>

namespace epios::client {

/// Between some endpoints of `all`, in the order of `ranks`. Sets that are made at a time may
/// overlap: `name`, the same on all of them, tells them apart. Collective over these alone.
ep::Comm comm_among(const ep::Comm& all, const std::vector<int>& ranks, std::string_view name);

}  // namespace epios::client
