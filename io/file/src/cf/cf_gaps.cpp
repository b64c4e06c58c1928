#include "cf/cf_gaps.hpp"

#include <algorithm>
#include <cmath>

#include "grid/remark.hpp"

namespace epios::io {

Gaps gaps_in(const PlannedVariable& variable, const FixedPart& part) {
  Gaps out;
  if (part.numbers.empty()) return out;
  Box cells = part.box;
  std::size_t each = 1;
  if (are_bounds(variable.list)) {
    each = static_cast<std::size_t>(cells.size.back());
    cells.begin.pop_back();
    cells.size.pop_back();
  }
  for (std::size_t n = 0; n < part.numbers.size(); n += each) {
    const auto cell = part.numbers.subspan(n, each);
    if (!std::any_of(cell.begin(), cell.end(), [](double v) { return std::isnan(v); })) continue;
    ++out.points;
    if (out.examples.size() == most_examples) continue;
    out.examples.push_back(point_text(cells, static_cast<std::int64_t>(n / each)));
  }
  return out;
}

}  // namespace epios::io
