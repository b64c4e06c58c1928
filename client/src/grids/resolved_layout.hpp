#pragma once

#include <optional>
#include <string_view>

#include "config/model_fwd.hpp"
#include "config/value.hpp"

namespace epios::client {

/// A size or an offset of this client's part of a domain or an axis that is in use, which nobody
/// gave and the end of the definitions has settled: ni, nj, ibegin, jbegin, n, begin, data_ni ...
/// nullopt for everything else. `tag`: "domain" or "axis".
std::optional<config::Value> resolved_layout(const config::Model& model, std::string_view tag,
                                             std::string_view id, std::string_view attribute);

/// What a <compute_connectivity_domain> has found on this client.
std::optional<config::Value> computed_value(const config::Model& model, std::string_view id,
                                            std::string_view attribute);

}  // namespace epios::client
