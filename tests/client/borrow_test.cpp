// Arrays that the model borrows: what reaches the file, where they lie, and what wrong use gets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netcdf.h>

#include <array>
#include <cmath>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "scratch.hpp"

namespace epios::client::borrow_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* iodef = R"(
<simulation>
  <context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <axis_definition>
      <axis id="plain" n_glo="4"/>
      <axis id="elsewhere" n_glo="4" begin="0" n="0"/>
      <axis id="halo" n_glo="4" data_begin="-1" data_n="6"/>
      <axis id="masked" n_glo="4" mask="(0,3)[true false true true]"/>
    </axis_definition>
    <field_definition>
      <field id="straight" axis_ref="plain"/>
      <field id="single" axis_ref="plain"/>
      <field id="halo" axis_ref="halo"/>
      <field id="masked" axis_ref="masked"/>
      <field id="marked" axis_ref="plain" default_value="-9" detect_missing_value="true"/>
      <field id="mean" axis_ref="plain"/>
      <field id="twice" axis_ref="plain"/>
      <field id="synced" axis_ref="plain"/>
      <field id="idle" axis_ref="plain"/>
      <field id="elsewhere" axis_ref="elsewhere"/>
    </field_definition>
    <file_definition>
      <file id="now" output_freq="2h">
        <field field_ref="straight" operation="instant" prec="8"/>
        <field field_ref="single" operation="instant" prec="4"/>
        <field field_ref="halo" operation="instant" prec="8"/>
        <field field_ref="masked" operation="instant" prec="8"/>
        <field field_ref="marked" operation="instant" prec="8"/>
        <field field_ref="twice" operation="instant" prec="8"/>
      </file>
      <file id="means" output_freq="2h">
        <field field_ref="mean" operation="average" prec="8"/>
        <field field_ref="twice" name="twice_mean" operation="average" prec="8"/>
      </file>
      <file id="far" output_freq="2h">
        <field field_ref="elsewhere" operation="instant" prec="8" default_value="-9"/>
      </file>
      <file id="durable" output_freq="2h" sync_freq="2h">
        <field field_ref="synced" operation="instant" prec="8"/>
      </file>
    </file_definition>
  </context>
</simulation>)";

std::vector<double> values(const char* path, const char* name) {
  int file = -1;
  int variable = -1;
  std::size_t records = 0;
  std::vector<double> out;
  if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR) return out;
  int dimension = -1;
  if (nc_inq_unlimdim(file, &dimension) == NC_NOERR && dimension >= 0) {
    nc_inq_dimlen(file, dimension, &records);
  }
  if (nc_inq_varid(file, name, &variable) == NC_NOERR) {
    out.resize(records * 4);
    nc_get_var_double(file, variable, out.data());
  }
  nc_close(file);
  return out;
}

/// What the model computes: of a halo, garbage around it.
template <class T>
void fill(std::span<T> array, double base, std::size_t halo = 0) {
  for (std::size_t k = 0; k < array.size(); ++k) {
    const bool is_inside = k >= halo && k + halo < array.size();
    array[k] = static_cast<T>(is_inside ? base + static_cast<double>(k - halo) : 1e30);
  }
}

std::string told(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EPIOS_ERR_CALL_ORDER) << error.what();
    return error.what();
  }
  return "nothing";
}

/// Four steps of everything, every odd one without output.
void run_steps(Context& context) {
  const double* before = nullptr;
  for (int step = 1; step <= 4; ++step) {
    context.update_calendar(step);
    for (const char* id : {"straight", "halo", "masked", "marked", "mean", "twice", "synced"}) {
      const Field field = context.field(id);
      const bool has_halo = std::string(id) == "halo";
      const std::span<double> array = field.borrow();
      ASSERT_EQ(array.size(), has_halo ? 6U : 4U);
      fill(array, 10.0 * step, has_halo ? 1 : 0);
      if (std::string(id) == "marked") array[2] = -9;
      if (std::string(id) == "straight") {
        // The buffer where nothing leaves, memory of the channel where a record does.
        if (before != nullptr) {
          EXPECT_NE(before, array.data()) << step;
        }
        before = array.data();
      }
      field.send(array);
    }
    // No points here, but others may wait for them: it has to be sent.
    const Field elsewhere = context.field("elsewhere");
    const std::span<double> nothing = elsewhere.borrow();
    EXPECT_NE(nothing.data(), nullptr);
    EXPECT_EQ(nothing.size(), 0U);
    elsewhere.send(nothing);
    const Field single = context.field("single");
    const auto array = single.borrow<float>();
    fill(array, 10.0 * step);
    single.send(array);
  }
}

TEST(Borrow, WhatTheModelWroteReachesTheFile) {
  const Scratch scratch(iodef);
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();

  run_steps(context);
  EXPECT_EQ(context.field("idle").borrow().data(), nullptr) << "nobody needs it";

  // Mistakes, none of which loses anything.
  context.update_calendar(6);
  const Field field = context.field("straight");
  EXPECT_THAT(told([&] { field.give_back(); }), HasSubstr("not borrowed"));
  const std::span<double> array = field.borrow();
  fill(array, 60.0);
  EXPECT_EQ(field.borrow().data(), array.data());
  EXPECT_EQ(field.borrow()[3], 63.0);
  const std::vector<double> other(4, 1.0);
  EXPECT_THAT(told([&] { field.send(other); }),
              HasSubstr("context 'c': field 'straight' is borrowed (another array of it is sent at "
                        "step 6). Send its borrowed array, or give it back, first?"));
  EXPECT_THAT(told([&] { context.send("mean", other); }),
              HasSubstr("field 'straight' is borrowed (field 'mean' comes at step 6)"));
  EXPECT_THAT(told([&] { context.field("mean").borrow(); }), HasSubstr("'straight' is borrowed"));
  EXPECT_THAT(told([&] { context.send("idle", other); }), HasSubstr("another field comes"));
  EXPECT_THAT(told([&] {
                field.send(std::span<const float>(reinterpret_cast<const float*>(array.data()), 4));
              }),
              HasSubstr("another array"));
  EXPECT_THAT(told([&] { context.update_calendar(7); }),
              HasSubstr("field 'straight' was borrowed at step 6 and neither sent nor given back "
                        "(epios_update_calendar is called)"));
  EXPECT_THAT(told([&] { context.finalize(); }), HasSubstr("epios_context_finalize is called"));
  field.give_back();
  fill(field.borrow(), 80.0);  // a new loan
  field.give_back();
  context.send("mean", other);
  const std::span<double> last = field.borrow();
  fill(last, 90.0);
  field.send(last);
  context.finalize();
  client.close();
  session.close();

  using V = std::vector<double>;
  const V expected = {20, 21, 22, 23, 40, 41, 42, 43};
  const V straight = values("now.nc", "straight");
  ASSERT_EQ(straight.size(), 12U);
  EXPECT_EQ(V(straight.begin(), straight.begin() + 8), expected);
  EXPECT_EQ(V(straight.begin() + 8, straight.end()), (V{90, 91, 92, 93}));
  for (const char* name : {"single", "halo", "twice"}) {
    const V got = values("now.nc", name);
    ASSERT_EQ(got.size(), 12U) << name;
    EXPECT_EQ(V(got.begin(), got.begin() + 8), expected) << name;
  }
  const V masked = values("now.nc", "masked");
  ASSERT_EQ(masked.size(), 12U);
  EXPECT_TRUE(std::isnan(masked[1]));
  EXPECT_EQ(masked[2], 22);
  const V marked = values("now.nc", "marked");
  ASSERT_EQ(marked.size(), 12U);
  EXPECT_EQ(marked[2], -9);
  EXPECT_EQ(marked[3], 23);
  const V durable = values("durable.nc", "synced");
  ASSERT_EQ(durable.size(), 8U);
  EXPECT_EQ(durable, expected);
  for (const char* name : {"mean", "twice_mean"}) {
    const V got = values("means.nc", name);
    ASSERT_EQ(got.size(), 12U) << name;
    EXPECT_EQ(V(got.begin(), got.begin() + 8), (V{15, 16, 17, 18, 35, 36, 37, 38})) << name;
  }
}

}  // namespace
}  // namespace epios::client::borrow_test
