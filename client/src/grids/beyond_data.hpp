#pragma once

#include <ep/fwd.hpp>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"

namespace epios::client {

/// One sentence for each axis and domain of which some client's data_index or data_i_index has
/// values beyond its local size: nothing is taken from there. Values below 0 stand for "no point"
/// and are none of it. The lowest client that has such values says the first one, all others
/// nothing; no rank hears more than a number per element. Collective over `clients`.
std::vector<std::string> data_beyond(const config::Model& model, const ep::Comm& clients);

}  // namespace epios::client
