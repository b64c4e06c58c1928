// Columns and rows of rectilinear domains: told by one client each, with the result that all of
// them telling all would have.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "event/opening.hpp"

namespace epios::io::opening_sides_test {
namespace {

constexpr std::int64_t ni_glo = 7;
constexpr std::int64_t nj_glo = 5;

int pick(std::mt19937& random, std::int64_t first, std::int64_t last) {
  return static_cast<int>(
      first + static_cast<std::int64_t>(random() % static_cast<unsigned>(last - first + 1)));
}

config::Model common_model() {
  config::Model model;
  config::Domain domain{"d", "d", {}};
  domain.attributes.type = "rectilinear";
  domain.attributes.ni_glo = ni_glo;
  domain.attributes.nj_glo = nj_glo;
  model.domains = {domain};
  model.grids = {{"g", {{config::GridElement::Kind::domain, 0}}}};
  config::Stream stream;
  stream.name = "v";
  model.streams = {stream};
  model.files = {{"f", "f.nc", {}, {config::StreamId(0)}, {}, {}}};
  return model;
}

/// How much of what clients say of a point of a side is wrong, and who says nothing.
struct Habits {
  int wrong_in = 0;  ///< one in so many is; 0: none
  bool all_speak = true;
};

double longitude(std::int64_t i) { return 10.0 / 3 * static_cast<double>(i); }

config::value::reals side(std::mt19937& random, const Habits& habits, std::int64_t begin,
                          std::int64_t count, std::int64_t each) {
  config::value::reals out;
  for (std::int64_t k = 0; k < count * each; ++k) {
    double value = longitude(begin + k / each) + static_cast<double>(k % each);
    if (habits.wrong_in > 0 && pick(random, 1, habits.wrong_in) == 1) value += pick(random, 1, 2);
    if (habits.wrong_in > 0 && pick(random, 0, 20) == 0) value = std::nan("");
    value += 1e-9 * pick(random, 0, 3);  // rounding of other compilers
    out.values.push_back(value);
  }
  out.shape = each == 1 ? std::vector<std::int64_t>{count} : std::vector<std::int64_t>{each, count};
  return out;
}

config::Model client_model(std::mt19937& random, const Habits& habits) {
  config::Model model = common_model();
  auto& a = model.domains[0].attributes;
  a.ibegin = pick(random, 0, ni_glo - 1);
  a.ni = pick(random, 0, ni_glo - *a.ibegin);
  a.jbegin = pick(random, 0, nj_glo - 1);
  a.nj = pick(random, 0, nj_glo - *a.jbegin);
  if (habits.all_speak || random() % 4 != 0) {
    a.lonvalue_1d = side(random, habits, *a.ibegin, *a.ni, 1);
  }
  if (habits.all_speak || random() % 4 != 0) {
    a.latvalue_1d = side(random, habits, *a.jbegin, *a.nj, 1);
  }
  if (!habits.all_speak && random() % 2 == 0) {
    a.bounds_lon_1d = side(random, habits, *a.ibegin, *a.ni, 2);
  }
  return model;
}

struct Told {
  AssembledCoordinates coordinates;
  std::int64_t columns = 0;  ///< in all parts
  std::int64_t rows = 0;
};

/// One server writes all; `is_shared_out`: each column and row is told once.
Told told(const std::vector<config::Model>& clients, bool is_shared_out) {
  const config::Model model = common_model();
  CoordinateForms forms = local_forms(model);
  std::vector<std::int32_t> most = numbers_of(forms);
  for (const config::Model& client : clients) {
    const auto own = numbers_of(local_forms(client));
    for (std::size_t i = 0; i < own.size(); ++i) most[i] = std::max(most[i], own[i]);
  }
  set_from_numbers(forms, most);
  Holders holders;
  holders.grids = holders.domains = {Holders::none};
  std::vector<std::vector<std::uint64_t>> votes;
  std::vector<std::uint64_t> least;
  for (std::size_t c = 0; c < clients.size(); ++c) {
    votes.push_back(side_votes(clients[c], forms, holders, static_cast<int>(c)));
    if (c == 0) least = votes[0];
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], votes[c][i]);
  }
  const auto pieces = pieces_of(model, place_files(model, 1, 1'000'000), 1);
  std::vector<OpeningPart> parts;
  Told out;
  for (std::size_t c = 0; c < clients.size(); ++c) {
    if (is_shared_out) set_sides(holders, clients[c], forms, votes[c], least);
    const LocalParts local(clients[c]);
    OpeningPart part = opening_part(clients[c], local, pieces[0], holders, static_cast<int>(c));
    check_opening_part(model, pieces[0], part);
    for (const PlaceRun& run : part.coordinates[0].cells) out.columns += run.count;
    for (const PlaceRun& run : part.coordinates[0].rows) out.rows += run.count;
    if (!part.is_empty()) parts.push_back(decode_opening_part(encode(part)));
  }
  out.coordinates = assemble_coordinates(model, pieces[0], forms, parts);
  return out;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    EXPECT_TRUE((std::isnan(a[k]) && std::isnan(b[k])) ||
                std::bit_cast<std::uint64_t>(a[k]) == std::bit_cast<std::uint64_t>(b[k]))
        << "place " << k << ": " << a[k] << " and " << b[k];
  }
}

void compare(const Told& all, const Told& shared) {
  ASSERT_EQ(all.coordinates.slabs.size(), 1U);
  const CoordinateSlab& a = all.coordinates.slabs[0];
  const CoordinateSlab& b = shared.coordinates.slabs[0];
  expect_same(a.lon, b.lon);
  expect_same(a.lat, b.lat);
  expect_same(a.bounds_lon, b.bounds_lon);
  expect_same(a.bounds_lat, b.bounds_lat);
  EXPECT_EQ(sentences(all.coordinates.disagreements[0]),
            sentences(shared.coordinates.disagreements[0]));
  EXPECT_LE(shared.columns, all.columns);
  EXPECT_LE(shared.rows, all.rows);
}

TEST(OpeningSides, WhatIsWrittenAndWarnedOfIsTheSame) {
  bool differed = false;
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Habits habits{seed % 3 == 0 ? 0 : 6, seed % 2 == 0};
    std::vector<config::Model> clients;
    for (int c = pick(random, 2, 7); c > 0; --c) clients.push_back(client_model(random, habits));
    const Told all = told(clients, false);
    compare(all, told(clients, true));
    differed = differed || !all.coordinates.disagreements[0].empty();
    if (HasFailure()) return;
  }
  EXPECT_TRUE(differed);
}

TEST(OpeningSides, WhereAllAgreeEachColumnAndRowIsToldOnce) {
  std::vector<config::Model> clients;
  for (std::int64_t j = 0; j < nj_glo; ++j) {
    for (std::int64_t i = 0; i < ni_glo; ++i) {
      config::Model client = common_model();
      auto& a = client.domains[0].attributes;
      a.ibegin = i;
      a.jbegin = j;
      a.ni = a.nj = 1;
      a.lonvalue_1d = config::value::reals{{longitude(i)}, {1}};
      a.latvalue_1d = config::value::reals{{longitude(j)}, {1}};
      clients.push_back(client);
    }
  }
  const Told all = told(clients, false);
  EXPECT_EQ(all.columns, ni_glo * nj_glo);
  const Told shared = told(clients, true);
  compare(all, shared);
  EXPECT_EQ(shared.columns, ni_glo);
  EXPECT_EQ(shared.rows, nj_glo);
  EXPECT_EQ(shared.coordinates.slabs[0].lon[6], longitude(6));
}

}  // namespace
}  // namespace epios::io::opening_sides_test
