// Running means along an axis against a plain loop over its levels: columns that each client has as
// a whole, levels that are dealt out so that each window needs those of others, and levels that the
// axis masks; worked out by the clients and by the server.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::smooth_axis_test {
namespace {

using test::context;
using test::dumped;

constexpr int ni = 6;
constexpr int levels = 9;
constexpr int masked_level = 3;

enum class Edges { shrink, keep, missing };

struct Window {
  std::string name;
  std::string attributes;  ///< of <smooth_axis>
  std::vector<double> weights;
  Edges edges = Edges::shrink;
  bool leaves_out_missing = false;
};

const std::vector<Window> windows{
    {"three", R"(n="3")", {1, 1, 1}},
    {"one", R"(n="1")", {1}},
    {"all", R"(n="9" detect_missing_value="true")", std::vector<double>(9, 1.0), Edges::shrink,
     true},
    {"kept", R"(n="5" weights="(0,4)[1 2 4 2 1]" edges="keep")", {1, 2, 4, 2, 1}, Edges::keep},
    {"inner", R"(n="3" weights="(0,2)[0.25 0.5 0.25]" edges="missing")", {1, 2, 1}, Edges::missing},
    {"upwards",
     R"(n="5" weights="(0,4)[0 0 1 1 1]" detect_missing_value="true")",
     {0, 0, 1, 1, 1},
     Edges::shrink,
     true}};
/// `z` is the axis of columns, `dealt` that of levels of several clients, `holed` has a mask.
const std::vector<std::string> sources{"z", "dealt", "holed"};
const std::vector<std::string> places{"client", "server"};

std::string id_of(const std::string& source, const Window& window, const std::string& place) {
  return source + "_" + window.name + "_" + place;
}

std::string definitions() {
  std::string axes;
  std::string grids;
  std::string fields;
  for (const std::string& source : sources) {
    const std::string domain = source == "dealt" ? "whole" : "split";
    grids += "<grid id=\"g_" + source + "\"><domain domain_ref=\"" + domain +
             "\"/><axis axis_ref=\"" + source + "\"/></grid>";
    for (const std::string& place : places) {
      for (const Window& window : windows) {
        const std::string id = id_of(source, window, place);
        axes += "<axis id=\"a_" + id + "\"><smooth_axis " + window.attributes + " place=\"" +
                place + "\"/></axis>";
        grids += "<grid id=\"g_" + id + "\"><domain domain_ref=\"" + domain +
                 "\"/><axis axis_ref=\"a_" + id + "\"/></grid>";
        fields +=
            "<field field_ref=\"" + source + "\" name=\"" + id + "\" grid_ref=\"g_" + id + "\"/>";
      }
    }
  }
  return R"(<domain_definition>
      <domain id="split" ni_glo="6" nj_glo="1" type="rectilinear" data_dim="2"/>
      <domain id="whole" ni_glo="6" nj_glo="1" type="rectilinear" data_dim="2"/>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="9" value="(0,8)[5 10 20 40 80 160 320 640 1280]"/>
      <axis id="dealt" n_glo="9"/>
      <axis id="holed" n_glo="9" mask="(0,8)[y y y n y y y y y]"/>)" +
         axes + "</axis_definition><grid_definition>" + grids + R"(</grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999" detect_missing_value="true">
      <field id="z" grid_ref="g_z"/><field id="dealt" grid_ref="g_dealt"/>
      <field id="holed" grid_ref="g_holed"/>
    </field_definition>
    <file_definition><file id="smoothed" output_freq="1h">)" +
         fields + "</file></file_definition>";
}

/// NaN where it is missing.
double value(int i, int level) {
  if (i == 2 && level == 6) return std::nan("");
  return 100 * i + std::sin(1.7 * level) * (level + 1);
}

/// What a plain loop makes of a column.
double mean(const Window& window, const std::string& source, int i, int level) {
  const auto from = [&](int l) {
    return source == "holed" && l == masked_level ? std::nan("") : value(i, l);
  };
  if (source == "holed" && level == masked_level) return std::nan("");
  const int half = static_cast<int>(window.weights.size()) / 2;
  const bool fits = level - half >= 0 && level + half < levels;
  if (!fits && window.edges == Edges::missing) return std::nan("");
  if (!fits && window.edges == Edges::keep) return from(level);
  double sum = 0;
  double weights = 0;
  for (int l = level - half; l <= level + half; ++l) {
    if (l < 0 || l >= levels) continue;
    const double weight = window.weights[static_cast<std::size_t>(l - level + half)];
    if (weight == 0) continue;
    if (std::isnan(from(l)) && window.leaves_out_missing) continue;
    sum += weight * from(l);
    weights += weight;
  }
  return weights > 0 ? sum / weights : std::nan("");
}

void run(Client& client) {
  Context context = client.open_context("smoothing");
  const int columns = ni / client.size();
  const int first = columns * client.rank();
  context.at("domain", "split")
      .set("ibegin", first)
      .set("ni", columns)
      .set("jbegin", 0)
      .set("nj", 1);
  std::vector<std::int64_t> own;  // every third level, say
  for (int level = client.rank(); level < levels; level += client.size()) own.push_back(level);
  context.at("axis", "dealt").set("n", static_cast<std::int64_t>(own.size())).set("index", own);
  context.close_definition();
  context.update_calendar(1);
  const auto sent = [](int i, int level) {
    return std::isnan(value(i, level)) ? -999.0 : value(i, level);
  };
  std::vector<double> split;
  for (int level = 0; level < levels; ++level) {
    for (int i = first; i < first + columns; ++i) split.push_back(sent(i, level));
  }
  std::vector<double> dealt;
  for (const std::int64_t level : own) {
    for (int i = 0; i < ni; ++i) dealt.push_back(sent(i, static_cast<int>(level)));
  }
  context.send("z", split);
  context.send("dealt", dealt);
  context.send("holed", split);
  context.finalize();
}

void compare(const std::string& text, const std::string& source, const Window& window,
             const std::string& place) {
  const std::string name = id_of(source, window, place);
  const std::vector<double> written = test::values(text, name);
  ASSERT_EQ(written.size(), static_cast<std::size_t>(levels * ni)) << name;
  for (int level = 0; level < levels; ++level) {
    for (int i = 0; i < ni; ++i) {
      const double is = written[static_cast<std::size_t>(level * ni + i)];
      const double wanted = mean(window, source, i, level);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(is)) << name << " at " << i << ", " << level << " is " << is;
      } else {
        EXPECT_NEAR(is, wanted, 1e-11) << name << " at " << i << ", " << level;
      }
    }
  }
}

void look() {
  const std::string text = dumped("smoothed.nc");
  for (const std::string& source : sources) {
    for (const Window& window : windows) {
      for (const std::string& place : places) compare(text, source, window, place);
      // Clients and servers make the same bits of it.
      const auto of = [&](const std::string& place) {
        return test::values(text, id_of(source, window, place));
      };
      const std::vector<double> by_client = of("client");
      const std::vector<double> by_server = of("server");
      ASSERT_EQ(by_client.size(), by_server.size());
      for (std::size_t k = 0; k < by_client.size(); ++k) {
        EXPECT_TRUE(by_client[k] == by_server[k] ||
                    (std::isnan(by_client[k]) && std::isnan(by_server[k])));
      }
    }
  }
  // The axis stays what it was.
  EXPECT_EQ(test::values(text, "a_z_three_client"),
            (std::vector<double>{5, 10, 20, 40, 80, 160, 320, 640, 1280}));
}

TEST(SmoothAxis, has_the_values_of_a_plain_loop) {
  test::run_three_or_one("<simulation>" + context("smoothing", definitions()) + "</simulation>",
                         run, look);
}

}  // namespace
}  // namespace epios::client::smooth_axis_test
