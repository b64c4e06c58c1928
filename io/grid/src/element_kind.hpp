#pragma once

#include "config/model.hpp"

namespace epios::io {

inline bool is_domain(const config::GridElement& element) {
  return element.kind == config::GridElement::Kind::domain;
}

}  // namespace epios::io
