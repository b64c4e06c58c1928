#include "config/byte_fields.hpp"

#include <fmt/format.h>

#include "config/error.hpp"

namespace epios::config {

void refuse_bytes(std::string_view what, std::string_view problem) {
  throw Error(ErrorCode::protocol,
              fmt::format("{} cannot be understood ({}). Are all programs of this job linked with "
                          "the same EPIOS?",
                          what, problem));
}

}  // namespace epios::config
