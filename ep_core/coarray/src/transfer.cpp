#include "transfer.hpp"

#include <vector>

namespace ep::caf {

namespace {

// Between processes a small message costs more than a kilobyte: what lies between the elements is
// read along, up to so many times their size.
constexpr std::size_t most_read_along = 16;

/// Calls `visitor(offset in the section, offset in its packed elements, bytes)` for what lies
/// together.
template <class Visitor>
void visit_blocks(const Section& section, const Visitor& visitor) {
  const std::size_t bytes = section.type().bytes;
  std::size_t packed = 0;
  for (Walk walk(section); walk.left() > 0; walk.advance(walk.left())) {
    if (walk.stride() == static_cast<std::ptrdiff_t>(bytes)) {
      const std::size_t all = bytes * static_cast<std::size_t>(walk.left());
      visitor(walk.offset(), packed, all);
      packed += all;
      continue;
    }
    for (std::int64_t i = 0; i < walk.left(); ++i, packed += bytes) {
      visitor(walk.offset() + i * walk.stride(), packed, bytes);
    }
  }
}

bool overlap(const LocalSection& a, const LocalSection& b) {
  const Section::Bounds in_a = a.section.bounds();
  const Section::Bounds in_b = b.section.bounds();
  return a.base + in_a.begin < b.base + in_b.end && b.base + in_b.begin < a.base + in_a.end;
}

void assign_here(const LocalSection& to, const LocalSection& from, bool may_overlap) {
  if (!may_overlap || !overlap(to, from)) {
    assign(to.section, to.base, from.section, from.base);
    return;
  }
  std::vector<std::byte> copy(from.section.bytes());
  const Section packed = from.section.packed();
  assign(packed, copy.data(), from.section, from.base);
  assign(to.section, to.base, packed, copy.data());
}

}  // namespace

void put(Reach& reach, const RemoteSection& to, const LocalSection& from, bool may_overlap) {
  if (to.base.direct != nullptr) {
    assign_here({to.base.direct, to.section}, from, may_overlap);
    return;
  }
  // Puts of one window have no order, statements of an image do.
  reach.finish_puts(to.rank);
  std::vector<std::byte> copy(to.section.bytes());
  assign(to.section.packed(), copy.data(), from.section, from.base);
  visit_blocks(to.section, [&](std::ptrdiff_t offset, std::size_t packed, std::size_t bytes) {
    reach.put(to.rank, to.base + offset, std::span(copy).subspan(packed, bytes));
  });
  reach.release_sources(to.rank);
}

void get(Reach& reach, const LocalSection& to, const RemoteSection& from, bool may_overlap) {
  if (from.base.direct != nullptr) {
    assign_here(to, {from.base.direct, from.section}, may_overlap);
    return;
  }
  const auto [begin, end] = from.section.bounds();
  const auto around = static_cast<std::size_t>(end - begin);
  if (around <= from.section.bytes() * most_read_along) {
    std::vector<std::byte> copy(around);
    reach.get(from.rank, from.base + begin, copy);
    reach.finish_gets(from.rank);
    Section here = from.section;
    here.move(-begin);
    assign(to.section, to.base, here, copy.data());
    return;
  }
  std::vector<std::byte> copy(from.section.bytes());
  visit_blocks(from.section, [&](std::ptrdiff_t offset, std::size_t packed, std::size_t bytes) {
    reach.get(from.rank, from.base + offset, std::span(copy).subspan(packed, bytes));
  });
  reach.finish_gets(from.rank);
  assign(to.section, to.base, from.section.packed(), copy.data());
}

void move(Reach& reach, const RemoteSection& to, const RemoteSection& from, bool may_overlap) {
  if (from.base.direct != nullptr) {
    put(reach, to, {from.base.direct, from.section}, may_overlap);
    return;
  }
  std::vector<std::byte> copy(from.section.bytes());
  const LocalSection packed{copy.data(), from.section.packed()};
  get(reach, packed, from, false);
  put(reach, to, packed, false);
}

}  // namespace ep::caf
