#pragma once

#include <ep/ep.hpp>
#include <functional>

namespace epios::client {

/// Runs `action` on every client of `comm` and makes all of them fail alike when one does: throws
/// epios::Error with the text of the lowest failing rank, preceded by "client <rank>: " unless all
/// failed. Collective.
void all_or_none(const ep::Comm& comm, const std::function<void()>& action);

}  // namespace epios::client
