// What leaves in one message: all levels of a field, and values with the coordinates that a step
// needs of them. Fields leave one by one (docs/adr/0022).
#include <gtest/gtest.h>

#include <array>
#include <ep/ep.hpp>
#include <memory>
#include <string>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"
#include "grid/part.hpp"
#include "space/steps.hpp"

namespace epios::io::together_test {
namespace {

class Silent final : public StepWatch {
 public:
  void begin(const std::string& /*what*/) override {}
  void check(const StepRun& /*waiting*/) override {}
  void end() override {}
};

constexpr int points = 6, columns = 4;

/// A box of columns, of which each client has some levels.
struct Box {
  ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  int first = points * world.rank() / world.size();
  int own = points * (world.rank() + 1) / world.size() - first;
  config::Model model;
  Silent watch;
  std::unique_ptr<LocalParts> parts;
  std::unique_ptr<StepPlans> plans;
  std::vector<std::unique_ptr<StepRun>> runs;

  explicit Box(const std::string& rest) {
    const config::SourceTexts texts{{"iodef.xml", R"(<simulation><context id="c">
      <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
      <axis_definition><axis id="x" n_glo="4"/><axis id="z" n_glo="6"/>)" +
                                                      rest + "</context></simulation>"}};
    config::Definitions definitions{config::Document(texts)};
    const auto set = [&](const char* name, std::int64_t value) {
      definitions.set("c", config::ElementKind::axis, "z", name, value, "test");
    };
    set("begin", first);
    set("n", own);
    model = definitions.resolve("c");
    shape_elements(model, world);
    parts = std::make_unique<LocalParts>(model);
    plans = std::make_unique<StepPlans>(model, *parts, world, nullptr, watch);
    for (std::size_t e = 0; e < model.expressions.size(); ++e) {
      if (nth(model.expressions, e).transformed > 0)
        runs.push_back(plans->run(static_cast<int>(e)));
    }
  }
  /// value(column, level)
  template <class Value>
  std::vector<double> array(const Value& value) const {
    std::vector<double> out;
    for (int level = first; level < first + own; ++level) {
      for (int column = 0; column < columns; ++column) out.push_back(value(column, level));
    }
    return out;
  }
  std::int64_t others() const { return world.size() - 1; }
};

TEST(Together, values_leave_with_their_coordinates) {
  Box box(
      R"(<axis id="on_p" n_glo="2" value="(0,1)[15 35]"><interpolate_axis coordinate_src="p"/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="box"><axis axis_ref="x"/><axis axis_ref="z"/></grid>
      <grid id="on_levels"><axis axis_ref="x"/><axis axis_ref="on_p"/></grid>
    </grid_definition>
    <field_definition operation="instant"><field id="t" grid_ref="box"/><field id="p" grid_ref="box"/></field_definition>
    <file_definition><file id="f" output_freq="1h">
      <field field_ref="t" name="t_p" grid_ref="on_levels"/></file></file_definition>)");
  ASSERT_EQ(box.runs.size(), 1U);
  for (int date = 1; date <= 3; ++date) {
    const auto p = box.array([&](int c, int k) { return 10.0 * k + c + date; });
    const auto t = box.array([&](int c, int k) { return 2 * (10.0 * k + c + date) + c; });
    box.runs[0]->take(std::array{std::span<const double>(t), std::span<const double>(p)}, date);
    const std::span<const double> on_p = box.runs[0]->deliver();
    ASSERT_EQ(on_p.size(), 2U * columns);
    for (int c = 0; c < columns; ++c) {
      EXPECT_NEAR(on_p[static_cast<std::size_t>(c)], 30 + c, 1e-12);
      EXPECT_NEAR(on_p[static_cast<std::size_t>(columns + c)], 70 + c, 1e-12);
    }
  }
  EXPECT_EQ(box.plans->traffic().messages, 3 * box.others());
  const std::int64_t values = 2 * columns * box.own;
  EXPECT_EQ(box.plans->traffic().bytes, 3 * box.others() * 8 * (values + 1)) << "each has a date";
}

TEST(Together, levels_of_a_field_leave_and_fields_one_by_one) {
  Box box(
      R"(<axis id="whole" n_glo="6" value="(0,5)[0 1 2 3 4 5]"><redistribute_axis type="full"/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="box"><axis axis_ref="x"/><axis axis_ref="z"/></grid>
      <grid id="made"><axis axis_ref="x"/><axis axis_ref="whole"/></grid>
    </grid_definition>
    <field_definition operation="instant" grid_ref="box"><field id="a"/><field id="b"/><field id="c"/></field_definition>
    <file_definition><file id="f" output_freq="1h"><field_group grid_ref="made">
      <field field_ref="a"/><field field_ref="b"/><field field_ref="c"/></field_group></file></file_definition>)");
  ASSERT_EQ(box.runs.size(), 3U);
  const auto value = [](int field) {
    return [field](int column, int level) { return 100.0 * field + 10 * level + column; };
  };
  for (int field = 0; field < 3; ++field) {
    const auto values = box.array(value(field));
    box.runs[static_cast<std::size_t>(field)]->take(std::array{std::span<const double>(values)}, 1);
    EXPECT_EQ(box.plans->traffic().messages, (field + 1) * box.others())
        << "what a field has for others is on its way before the next one comes";
  }
  // In another order than they were taken.
  for (const int field : {2, 0, 1}) {
    const std::span<const double> all = box.runs[static_cast<std::size_t>(field)]->deliver();
    ASSERT_EQ(all.size(), static_cast<std::size_t>(points * columns));
    for (int k = 0; k < points * columns; ++k) {
      EXPECT_EQ(all[static_cast<std::size_t>(k)], value(field)(k % columns, k / columns));
    }
  }
  EXPECT_EQ(box.plans->traffic().messages, 3 * box.others());
  EXPECT_EQ(box.plans->traffic().bytes, 3 * box.others() * 8 * (columns * box.own + 1));
}

}  // namespace
}  // namespace epios::io::together_test
