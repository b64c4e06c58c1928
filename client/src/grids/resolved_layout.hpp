#pragma once

#include <optional>
#include <string_view>

#include "config/model_fwd.hpp"
#include "config/value.hpp"

namespace epios::client {

/// The value of an attribute of a domain or an axis after the end of the definitions. If the
/// element is in use, that has settled sizes and offsets of this client's part (ni, ibegin, n,
/// data_ni ...), and made coordinates, masks and indices of what transformations make. `given`:
/// what the element has of its own or by inheritance, which stands for everything else. `tag`:
/// "domain" or "axis".
std::optional<config::Value> resolved_layout(const config::Model& model, std::string_view tag,
                                             std::string_view id, std::string_view attribute,
                                             std::optional<config::Value> given);

/// What a <compute_connectivity_domain> has found on this client.
std::optional<config::Value> computed_value(const config::Model& model, std::string_view id,
                                            std::string_view attribute);

}  // namespace epios::client
