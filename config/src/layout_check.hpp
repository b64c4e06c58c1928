/// @file
/// Checks of one client's part of axes and domains, and what is filled in when nothing local is
/// given.
#pragma once

#include "config/model.hpp"
#include "findings.hpp"
#include "inheritance.hpp"

namespace epios::config {

/// `title` is "axis 'depth'"; `resolved` says where values came from, `origin` is the element's.
struct LayoutContext {
  std::string title;
  Origin origin;
  const Resolved& resolved;
  Findings& findings;
};

/// Sizes, ranges and array lengths of an axis. Sets begin, n and data_n when they are not given.
void check_axis(const LayoutContext& context, AxisAttributes& axis);
/// The same for a domain: ibegin, ni, jbegin, nj, data_ni, data_nj.
void check_domain(const LayoutContext& context, DomainAttributes& domain);
/// Bounds of a scalar come in twos.
void check_scalar(const LayoutContext& context, const ScalarAttributes& scalar);

}  // namespace epios::config
