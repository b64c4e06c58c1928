/// @file
/// Checks one client's part of axes and domains, and fills in the default if nothing local is
/// given.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// `title` is "axis 'depth'". `resolved` says where values came from, `origin` is the place of the
/// element. `gap` is what may set its attributes, without the attribute.
struct LayoutContext {
  std::string title;
  Origin origin;
  const Resolved& resolved;
  Findings& findings;
  Gap gap{};
};

/// Checks sizes, ranges and array lengths of an axis. Sets begin, n and data_n if they are not
/// given.
void check_axis(const LayoutContext& context, AxisAttributes& axis);
/// Checks a domain in the same way. Sets ibegin, ni, jbegin, nj, data_ni and data_nj.
void check_domain(const LayoutContext& context, DomainAttributes& domain);
/// Local sizes of the elements of a grid, first varying fastest. Without sizes only the rank can be
/// checked.
struct GridShape {
  std::size_t rank = 0;
  std::vector<std::int64_t> sizes;  ///< empty if one of them is not known
};
/// Checks that a grid has at most one mask, with one of the shapes, of which the first is the usual
/// one.
void check_grid_masks(const LayoutContext& context, const std::vector<GridShape>& shapes);
/// Checks that a scalar has two bounds.
void check_scalar(const LayoutContext& context, const ScalarAttributes& scalar);

}  // namespace epios::config
