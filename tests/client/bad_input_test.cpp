// Local descriptions that cannot be meant: one client makes the mistake, all hear of it before the
// first step, with the same text, which names context, element and client; the session goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "scratch.hpp"

namespace epios::client::bad_input_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t ni = 10;
constexpr std::int64_t nj = 21;

struct Mistake {
  const char* name;
  std::function<void(const Element& domain, const Element& axis)> make;
  std::vector<std::string> said;
};

template <class T>
std::span<const T> view(const std::vector<T>& values) {
  return values;
}

/// Numbers that are none.
std::vector<Mistake> numbers_that_are_none() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  using D = std::vector<double>;
  const auto cells = static_cast<std::size_t>(ni * nj);
  return {
      {"no_number",
       [=](const Element& domain, const Element&) {
         D lon(cells, 1.0);
         lon[7] = nan;
         domain.set("lonvalue_1d", view(lon)).set("latvalue_1d", view(D(cells, 1.0)));
       },
       {"'lonvalue_1d' of domain 'd'", "value 7 is nan"}},
      {"no_latitude",
       [=](const Element& domain, const Element&) {
         D lat(cells, 1.0);
         lat[0] = -std::numeric_limits<double>::infinity();
         domain.set("lonvalue_1d", view(D(cells, 1.0))).set("latvalue_1d", view(lat));
       },
       {"'latvalue_1d' of domain 'd'", "value 0 is -inf"}},
      {"corner_without_number",
       [=](const Element& domain, const Element&) {
         D corners(4 * cells, 1.0);
         corners[11] = nan;
         domain.set("nvertex", 4);
         domain.set("lonvalue_1d", view(D(cells, 1.0))).set("latvalue_1d", view(D(cells, 1.0)));
         domain.set("bounds_lon_1d", view(D(4 * cells, 1.0)), {4, ni * nj});
         domain.set("bounds_lat_1d", view(corners), {4, ni * nj});
       },
       {"'bounds_lat_1d' of domain 'd'", "value 11 is nan"}},
      {"level_without_number",
       [=](const Element&, const Element& axis) {
         axis.set("value", view(D{1, 2, nan, 4, 5}));
       },
       {"'value' of axis 'a'", "value 2 is nan"}},
      {"level_bounds_without_number",
       [=](const Element&, const Element& axis) {
         axis.set("value", view(D{1, 2, 3, 4, 5}));
         axis.set("bounds", view(D{1, 2, 2, 3, nan, 4, 4, 5, 5, 6}), {2, 5});
       },
       {"'bounds' of axis 'a'", "value 4 is nan"}},
      {"area_without_end",
       [=](const Element& domain, const Element&) {
         D area(cells, 1.0);
         area[9] = std::numeric_limits<double>::infinity();
         domain.set("area_1d", view(area));
       },
       {"'area_1d' of domain 'd'", "value 9 is inf"}},
  };
}

std::vector<Mistake> other_mistakes() {
  using D = std::vector<double>;
  using I = std::vector<std::int64_t>;
  using M = std::vector<unsigned char>;
  const auto cells = static_cast<std::size_t>(ni * nj);
  return {
      {"index_outside",
       [](const Element& domain, const Element&) {
         domain.set("i_index", view(I{0, 1, 12, 3})).set("j_index", view(I{0, 0, 0, 0}));
       },
       {"'i_index' of domain 'd'", "index 12", "(value 2)", "0 to 9"}},
      {"axis_index_outside",
       [](const Element&, const Element& axis) {
         axis.set("index", view(I{0, -3}));
       },
       {"'index' of axis 'a'", "index -3", "(value 1)", "0 to 4"}},
      {"block_outside",
       [](const Element& domain, const Element&) { domain.set("ibegin", 5).set("ni", 6); },
       {"domain 'd'", "leaves the global range: ibegin 5, ni 6, ni_glo 10"}},
      {"mask_of_another_shape",
       [](const Element& domain, const Element&) {
         domain.set("mask_2d", view(M(10 * 20, 1)), {10, 20});
       },
       {"'mask_2d' of domain 'd'", "expected the shape 10 x 21", "received 10 x 20"}},
      {"coordinates_of_another_length",
       [](const Element&, const Element& axis) {
         axis.set("value", view(D{1, 2}));
       },
       {"'value' of axis 'a'", "expected 5 values", "received 2"}},
      {"bounds_without_vertices",
       [=](const Element& domain, const Element&) {
         domain.set("lonvalue_1d", view(D(cells, 1.0))).set("latvalue_1d", view(D(cells, 1.0)));
         domain.set("bounds_lon_1d", view(D(4 * cells, 1.0)), {4, ni * nj});
       },
       {"'bounds_lon_1d' of domain 'd'", "nvertex is not given"}},
      {"positions_of_another_length",
       [](const Element& domain, const Element&) {
         domain.set("data_dim", 2);
         domain.set("data_i_index", view(I{0, 1, 2})).set("data_j_index", view(I{0, 1}));
       },
       {"'data_j_index' of domain 'd'", "expected 3 values", "received 2"}},
      {"tiles_of_another_number",
       [](const Element& domain, const Element&) {
         domain.set("data_dim", 2).set("ntiles", 2);
         domain.set("tile_ni", view(I{8})).set("tile_nj", view(I{21}));
         domain.set("tile_ibegin", view(I{0})).set("tile_jbegin", view(I{0}));
       },
       {"domain 'd'", "expected 2 values (ntiles), received 1"}},
      {"tile_outside",
       [](const Element& domain, const Element&) {
         domain.set("data_dim", 2)
             .set("ntiles", 1)
             .set("tile_ni", view(I{8}))
             .set("tile_nj", view(I{21}));
         domain.set("tile_ibegin", view(I{5})).set("tile_jbegin", view(I{0}));
       },
       {"domain 'd'", "tile 0 is outside its domain: tile_ibegin 5 and tile_ni 8 with ni 10"}},
  };
}

std::vector<Mistake> mistakes() {
  std::vector<Mistake> all = other_mistakes();
  for (Mistake& mistake : numbers_that_are_none()) all.push_back(std::move(mistake));
  return all;
}

void define(Context& context, bool is_wrong, const Mistake& mistake) {
  context.at("calendar").set("type", "NoLeap").set("timestep", "1h");
  context.at("calendar").set("start_date", "2000-01-01 00:00:00");
  const Element domain = context.at("domain_definition").child("domain", "d");
  domain.set("type", "curvilinear").set("ni_glo", ni).set("nj_glo", nj);
  const Element axis = context.at("axis_definition").child("axis", "a");
  axis.set("n_glo", 5);
  const Element grid = context.at("grid_definition").child("grid", "g");
  grid.child("domain").set("domain_ref", "d");
  grid.child("axis").set("axis_ref", "a");
  context.at("field_definition").child("field", "f").set("grid_ref", "g");
  const Element file =
      context.at("file_definition").child("file", std::string("out_") + mistake.name);
  file.set("output_freq", "1h");
  file.child("field").set("field_ref", "f").set("operation", "instant");
  if (is_wrong) mistake.make(domain, axis);
}

template <class Call>
std::string told(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

void check_one_mistake(Client& client) {
  const int wrong = client.size() - 1;
  for (const Mistake& mistake : mistakes()) {
    SCOPED_TRACE(mistake.name);
    const std::string id = std::string("ocean_") + mistake.name;
    Context context = client.open_context(id);
    define(context, client.rank() == wrong, mistake);
    const std::string text = told([&] { context.close_definition(); });
    for (const std::string& part : mistake.said) EXPECT_THAT(text, HasSubstr(part));
    EXPECT_THAT(text, HasSubstr("client " + std::to_string(wrong)));
    EXPECT_THAT(text, HasSubstr("context '" + id + "'"));
  }
  // None of them has cost the session anything.
  EXPECT_THAT(told([&] { client.open_context("ocean_index_outside"); }),
              HasSubstr("context 'ocean_index_outside'"));
  const Mistake none{"none", nullptr, {}};
  Context context = client.open_context("right");
  define(context, false, none);
  context.close_definition();
  EXPECT_THAT(told([&] { client.open_context("right"); }), HasSubstr("context 'right'"));
  context.update_calendar(1);
  context.send("f", std::vector<double>(static_cast<std::size_t>(ni * nj * 5), 1.0));
  context.finalize();

  // All have the whole axis, but one has other values of it: said, and client 0's are written.
  Context differing = client.open_context("differing");
  define(differing, false, {"differing", nullptr, {}});
  std::vector<double> levels = {1, 2, 3, 4, 5};
  if (client.rank() == wrong) levels[3] = 40;
  differing.at("axis", "a").set("value", view(levels));
  if (client.rank() == 0) ::testing::internal::CaptureStderr();
  differing.close_definition();
  if (client.rank() == 0) {
    EXPECT_THAT(::testing::internal::GetCapturedStderr(),
                HasSubstr("axis 'a': clients differ in the value at 1 point ((3) has 4 on client 0 "
                          "and 40 on one of higher rank)"));
  }
  differing.finalize();
}

/// What each client is to get wrong, by its rank.
std::string told_of(Client& client, const std::string& id, const Mistake& mistake) {
  Context context = client.open_context(id);
  define(context, true, mistake);
  return told([&] { context.close_definition(); });
}

void check_several_mistakes(Client& client) {
  const std::vector<Mistake> others = other_mistakes();
  const Mistake& of_domain = others[0];
  const Mistake& of_axis = others[1];
  ASSERT_EQ(of_domain.name, std::string("index_outside"));
  ASSERT_EQ(of_axis.name, std::string("axis_index_outside"));
  const bool is_first = client.rank() == 0;

  const Mistake both{"both",
                     [&](const Element& domain, const Element& axis) {
                       if (!is_first) return;
                       of_domain.make(domain, axis);
                       of_axis.make(domain, axis);
                     },
                     {}};
  const std::string of_one = told_of(client, "two_of_one", both);
  EXPECT_THAT(of_one, HasSubstr("client 0: "));
  EXPECT_THAT(of_one, HasSubstr("index 12"));
  EXPECT_THAT(of_one, HasSubstr("index -3"));

  const Mistake different{"different",
                          [&](const Element& domain, const Element& axis) {
                            (is_first ? of_domain : of_axis).make(domain, axis);
                          },
                          {}};
  const std::string of_two = told_of(client, "different", different);
  EXPECT_THAT(of_two, HasSubstr("client 0: "));
  EXPECT_THAT(of_two, HasSubstr("index 12"));
  const std::string rest =
      client.size() == 2 ? "client 1: " : "client 1 and " + std::to_string(client.size() - 2);
  EXPECT_THAT(of_two, HasSubstr(rest));
  EXPECT_THAT(of_two, HasSubstr("index -3"));

  const std::string of_all = told_of(client, "same", of_domain);
  EXPECT_THAT(of_all, HasSubstr("index 12"));
  EXPECT_THAT(of_all, Not(HasSubstr("client ")));
}

// A process has one session.
TEST(BadInput, IsToldToAllClientsAtOnce) {
  const Scratch scratch("<simulation/>");
  Session session("careless");
  Client client(session);
  check_one_mistake(client);
  check_several_mistakes(client);
  client.close();
}

}  // namespace
}  // namespace epios::client::bad_input_test
