#pragma once

#include <cstddef>
#include <vector>

namespace epios::io {

/// Returns the element that a grid's GridElement::index names.
template <class T>
T& element_at(std::vector<T>& elements, int index) {
  return elements[static_cast<std::size_t>(index)];
}

}  // namespace epios::io
