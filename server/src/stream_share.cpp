#include "stream_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <string>

#include "config/error.hpp"

namespace epios::server {
namespace {

/// Adds the corners of a box, each with the sign that it has in the mixed derivative of the
/// function that is 1 inside of the box and 0 outside.
void add_corners(const io::Box& box, int sign, std::map<io::Extents, std::int64_t>& corners) {
  for (std::size_t ends = 0; ends < std::size_t{1} << box.rank(); ++ends) {
    io::Extents corner = box.begin;
    int corner_sign = sign;
    for (std::size_t d = 0; d < box.rank(); ++d) {
      if ((ends >> d & 1) == 0) continue;
      corner[d] += box.size[d];
      corner_sign = -corner_sign;
    }
    corners[corner] += corner_sign;
  }
}

/// Whether boxes cover every point of `slab` once: the sum of their functions is the slab's, which
/// the corners decide. O(n log n) in the number of boxes.
bool covers(const io::Box& slab, const std::vector<io::Box>& regions) {
  std::map<io::Extents, std::int64_t> corners;
  for (const auto& region : regions) {
    if (!region.is_empty()) add_corners(region, 1, corners);
  }
  add_corners(slab, -1, corners);
  return std::all_of(corners.begin(), corners.end(),
                     [](const auto& corner) { return corner.second == 0; });
}

template <class T>
void assemble_values(const StreamShare& share, std::span<const io::EventQueue::Part> parts,
                     std::span<T> slab) {
  if (!share.covered) std::fill(slab.begin(), slab.end(), std::numeric_limits<T>::quiet_NaN());
  // The lowest rank wins where clients overlap, so it comes last.
  for (std::size_t i = parts.size(); i-- > 0;) {
    if (share.regions[i].is_empty()) continue;
    io::copy_region(std::span<const T>(io::values_of<T>(parts[i].payload)), share.regions[i], slab,
                    share.slab, share.regions[i]);
  }
}

}  // namespace

StreamShare share_of_stream(const config::Model& model, int s, const io::FilePlacement& placement,
                            int server, const std::vector<io::ClientPart>& clients) {
  const auto& stream = model.streams[static_cast<std::size_t>(s)];
  const auto& in_file = model.files[static_cast<std::size_t>(stream.file)].streams;
  StreamShare share;
  share.file = stream.file;
  share.index_in_file =
      static_cast<int>(std::find(in_file.begin(), in_file.end(), s) - in_file.begin());
  share.value_bytes = io::value_bytes(stream);
  share.fill = stream.attributes.default_value;
  const auto writer = std::find(placement.writers.begin(), placement.writers.end(), server);
  if (writer == placement.writers.end()) return share;
  const auto slabs = io::place_stream(model, s, placement).slabs;
  share.slab = slabs[static_cast<std::size_t>(writer - placement.writers.begin())];
  if (share.slab.is_empty()) return share;

  std::vector<io::Box> boxes;
  boxes.reserve(clients.size());
  for (const auto& client : clients) {
    boxes.push_back(client.boxes[static_cast<std::size_t>(stream.grid)]);
  }
  share.concerned = true;
  share.expected = io::expected_clients(share.slab, boxes);
  // A slab that no client owns a point of: its records are missing values, and one client says
  // when.
  if (share.expected.empty()) share.expected.push_back(0);
  const io::Box nothing{share.slab.begin, io::Extents(share.slab.rank(), 0)};
  for (const int client : share.expected) {
    share.regions.push_back(
        io::intersect(boxes[static_cast<std::size_t>(client)], share.slab).value_or(nothing));
  }
  share.covered = covers(share.slab, share.regions);
  share.in_place = share.regions.size() == 1 && share.regions.front() == share.slab;
  return share;
}

void fill_missing(const StreamShare& share, std::span<std::byte> slab) {
  if (!share.fill) return;
  if (share.value_bytes == 4) {
    io::fill_missing(io::values_of<float>(slab), static_cast<float>(*share.fill));
  } else {
    io::fill_missing(io::values_of<double>(slab), *share.fill);
  }
}

void assemble(const StreamShare& share, std::span<const io::EventQueue::Part> parts,
              std::span<std::byte> slab) {
  if (share.value_bytes == 4) {
    assemble_values(share, parts, io::values_of<float>(slab));
  } else {
    assemble_values(share, parts, io::values_of<double>(slab));
  }
  fill_missing(share, slab);
}

std::vector<io::ChannelSpec> channel_specs(const std::vector<StreamShare>& shares,
                                           const std::vector<io::ClientPart>& clients,
                                           const ChannelBudget& budget) {
  const std::size_t count = clients.size();
  std::vector<std::size_t> largest(count, io::part_bytes(0));
  std::vector<std::size_t> together(count, 0);
  for (const auto& share : shares) {
    for (std::size_t i = 0; i < share.expected.size(); ++i) {
      const auto client = static_cast<std::size_t>(share.expected[i]);
      const std::size_t bytes = io::part_bytes(share.region_bytes(i));
      largest[client] = std::max(largest[client], bytes);
      together[client] += bytes;
    }
  }
  std::size_t minimum = 0;
  for (const std::size_t bytes : largest) minimum += io::channel_bytes(bytes, 1);
  const std::size_t left = budget.bytes - std::min(budget.bytes, budget.taken_bytes);
  if (minimum > left) {
    const std::string taken =
        budget.taken_bytes == 0
            ? std::string()
            : fmt::format(", of which other contexts hold {}", budget.taken_bytes);
    throw Error(
        ErrorCode::resource,
        fmt::format("the channels of a server need at least {} bytes (the budget is {}{}). Set "
                    "variable 'buffer_bytes' of context 'xios' higher, or start more servers?",
                    minimum, budget.bytes, taken));
  }
  std::vector<io::ChannelSpec> specs(count);
  // What is left when each has the least it needs: shared evenly, whatever the least was.
  const std::size_t extra = (left - minimum) / 2 / count;
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t wanted =
        std::max<std::size_t>(2, 2 * ((together[c] + largest[c] - 1) / largest[c]));
    const std::size_t least = io::channel_bytes(largest[c], 1);
    int depth = static_cast<int>(std::min<std::size_t>({wanted, 1 + extra / largest[c], 1024}));
    while (depth > 1 && io::channel_bytes(largest[c], depth) > least + extra) --depth;
    specs[c] = {clients[c].remote_rank, largest[c], depth};
  }
  return specs;
}

}  // namespace epios::server
