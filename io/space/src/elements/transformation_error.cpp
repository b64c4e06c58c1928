#include "elements/transformation_error.hpp"

#include <fmt/format.h>

namespace epios::io {

Error transformation_error(const config::Transformation& how, const std::string& target,
                           const std::string& why) {
  return Error(ErrorCode::configuration,
               fmt::format("{}: error: <{}> of {} cannot be worked out: {}", how.where,
                           config::name(how.kind), target, why));
}

}  // namespace epios::io
