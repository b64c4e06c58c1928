#include "grids/other_coordinates.hpp"

#include <ep/ep.hpp>

#include "event/opening.hpp"

namespace epios::client {
namespace {

template <class T>
std::vector<T> least(const std::vector<T>& own, MPI_Datatype type, const ep::Comm& clients) {
  std::vector<T> out(own.size());
  ep::check(EP_Allreduce(own.data(), out.data(), ep::message_count(own.size()), type, MPI_MIN,
                         clients.get()));
  return out;
}

}  // namespace

std::vector<std::size_t> other_coordinates(std::span<const std::uint64_t> digests,
                                           std::span<const std::int32_t> holders,
                                           const ep::Comm& clients) {
  const std::size_t n = digests.size();
  // The least, and of the inverted ones the greatest.
  std::vector<std::uint64_t> both(digests.begin(), digests.end());
  for (const std::uint64_t digest : digests) {
    both.push_back(digest == io::no_digest ? io::no_digest : ~digest);
  }
  const std::vector<std::uint64_t> all = least(both, MPI_UINT64_T, clients);
  bool any = false;
  for (std::size_t i = 0; i < n; ++i) {
    any = any || (all[i] != io::no_digest && all[i] != ~all[n + i]);
  }
  if (!any) return {};
  std::vector<std::uint64_t> of_holders(n, io::no_digest);
  for (std::size_t i = 0; i < n; ++i) {
    if (holders[i] == clients.rank()) of_holders[i] = digests[i];
  }
  of_holders = least(of_holders, MPI_UINT64_T, clients);
  std::vector<std::int32_t> lowest(n, io::Holders::none);
  for (std::size_t i = 0; i < n; ++i) {
    if (digests[i] != io::no_digest && digests[i] != of_holders[i]) lowest[i] = clients.rank();
  }
  lowest = least(lowest, MPI_INT32_T, clients);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < n; ++i) {
    if (lowest[i] == clients.rank()) out.push_back(i);
  }
  return out;
}

}  // namespace epios::client
