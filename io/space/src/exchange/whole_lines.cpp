#include "exchange/whole_lines.hpp"

#include <algorithm>
#include <ep/ep.hpp>

#include "config/index.hpp"

namespace epios::io {

std::vector<double> whole_line(const ep::Comm& clients, std::int64_t size,
                               std::span<const std::int64_t> points,
                               std::span<const double> values) {
  std::vector<double> own(static_cast<std::size_t>(size), nobodys);
  for (std::size_t k = 0; k < points.size(); ++k) {
    double& value = nth(own, points[k]);
    value = std::max(value, values[k]);
  }
  std::vector<double> all(own.size());
  if (size > 0) {
    ep::check(EP_Allreduce(own.data(), all.data(), ep::message_count(own.size()), MPI_DOUBLE,
                           MPI_MAX, clients.get()));
  }
  return all;
}

bool on_any(const ep::Comm& clients, bool is_so) {
  const int own = is_so ? 1 : 0;
  int any = 0;
  ep::check(EP_Allreduce(&own, &any, 1, MPI_INT, MPI_MAX, clients.get()));
  return any != 0;
}

}  // namespace epios::io
