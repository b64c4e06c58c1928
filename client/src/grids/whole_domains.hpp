#pragma once

#include <ep/fwd.hpp>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "grid/part.hpp"

namespace epios::client {

/// One sentence for each domain that every one of several clients holds in whole: so does a model
/// that runs on n processes and never says which part is whose. Not for one client, nor for domains
/// of one point. The same on all clients. No error even where warnings are: small domains may be
/// meant so. Collective over `clients`.
std::vector<std::string> whole_domains(const config::Model& model, const io::LocalParts& parts,
                                       const ep::Comm& clients);

}  // namespace epios::client
