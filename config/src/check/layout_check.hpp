/// @file
/// Checks of one client's part of axes and domains, and what is filled in when nothing local is
/// given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// `title` is "axis 'depth'"; `resolved` says where values came from, `origin` is the element's;
/// `gap` is what may set its attributes, the attribute left open.
struct LayoutContext {
  std::string title;
  Origin origin;
  const Resolved& resolved;
  Findings& findings;
  Gap gap{};
};

/// Sizes, ranges and array lengths of an axis. Sets begin, n and data_n when they are not given.
void check_axis(const LayoutContext& context, AxisAttributes& axis);
/// Checks a domain in the same way. Sets ibegin, ni, jbegin, nj, data_ni and data_nj.
void check_domain(const LayoutContext& context, DomainAttributes& domain);
/// Local sizes of a grid's elements, first varying fastest. Without sizes the rank is all that can
/// be checked.
struct GridShape {
  std::size_t rank = 0;
  std::vector<std::int64_t> sizes;  ///< empty when one of them is not known
};
/// Masks of a grid: one, of one of the shapes, the first of which is the usual one.
void check_grid_masks(const LayoutContext& context, const std::vector<GridShape>& shapes);
/// Bounds of a scalar come in twos.
void check_scalar(const LayoutContext& context, const ScalarAttributes& scalar);

}  // namespace epios::config
