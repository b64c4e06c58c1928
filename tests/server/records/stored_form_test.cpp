#include "records/stored_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace epios::server::stored_form_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class T>
std::vector<T> stored(const StoredForm& form, std::vector<double> values, Unfit& unfit) {
  const auto bytes = store(form, std::as_writable_bytes(std::span(values)), unfit);
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

StoredForm packed_form(int file_bytes, double factor, double offset, double fill) {
  StoredForm form;
  form.file_bytes = file_bytes;
  form.is_packed = true;
  form.scale_factor = factor;
  form.add_offset = offset;
  form.mark = nan;
  form.fill = fill;
  return form;
}

TEST(StoredForm, packs_into_integers_to_the_nearest) {
  Unfit unfit;
  const StoredForm form = packed_form(2, 0.5, 10, -32767);
  EXPECT_EQ(stored<std::int16_t>(form, {10, 11, 9.3, 9.2, nan}, unfit),
            (std::vector<std::int16_t>{0, 2, -1, -2, -32767}));
  EXPECT_EQ(unfit.missing, 0);
}

TEST(StoredForm, counts_what_does_not_fit_and_makes_it_missing) {
  Unfit unfit;
  const StoredForm form = packed_form(2, 1, 0, -32767);
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      stored<std::int16_t>(
          form, {32767, 32767.4, 32768, -32768, -32769, 1e300, infinity, -infinity}, unfit),
      (std::vector<std::int16_t>{32767, 32767, -32767, -32768, -32767, -32767, -32767, -32767}));
  EXPECT_EQ(unfit.missing, 5);
  // It would read as missing.
  EXPECT_EQ(stored<std::int16_t>(form, {-32767}, unfit), (std::vector<std::int16_t>{-32767}));
  EXPECT_EQ(unfit.missing, 6);
}

TEST(StoredForm, takes_default_value_for_missing) {
  Unfit unfit;
  StoredForm form = packed_form(2, 0.01, 0, -32767);
  form.mark = 1e20;
  EXPECT_EQ(stored<std::int16_t>(form, {1e20, 1}, unfit), (std::vector<std::int16_t>{-32767, 100}));
  EXPECT_EQ(unfit.missing, 0);
  // As a model's array of single precision holds it.
  EXPECT_EQ(stored<std::int16_t>(form, {1e20F, 1}, unfit),
            (std::vector<std::int16_t>{-32767, 100}));
  form.scale_factor = 1;
  form.mark = -9999.9;
  EXPECT_EQ(stored<std::int16_t>(form, {-9999.9F, -9999.9, -9999}, unfit),
            (std::vector<std::int16_t>{-32767, -32767, -9999}));
  EXPECT_EQ(unfit.missing, 0);
}

TEST(StoredForm, packs_real_numbers_too) {
  Unfit unfit;
  EXPECT_EQ(stored<float>(packed_form(4, 2, 1, 1e20), {3, nan, -1}, unfit),
            (std::vector<float>{1, 1e20F, -1}));
  EXPECT_EQ(stored<double>(packed_form(8, -4, 0, -9), {1, nan}, unfit),
            (std::vector<double>{-0.25, -9}));
  EXPECT_EQ(stored<float>(packed_form(4, 1e-30, 0, 1e20), {1e10}, unfit),
            (std::vector<float>{1e20F}));
  EXPECT_EQ(unfit.missing, 1);
}

TEST(StoredForm, rounds_to_significant_bits_but_not_missing_values) {
  StoredForm form;
  form.mark = form.fill = 1e20;
  form.mantissa_bits = 10;
  Unfit unfit;
  const std::vector<double> values = {
      1.0 / 3, -1000.7, 0, 1e20, nan, std::numeric_limits<double>::max(), 1e-310};
  const std::vector<double> got = stored<double>(form, values, unfit);
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_NE(got[i], values[i]);
    EXPECT_LE(std::abs(got[i] / values[i] - 1), std::ldexp(1.0, -11));
    EXPECT_EQ(std::fmod(std::ldexp(got[i], 10), std::ldexp(1.0, std::ilogb(values[i]))), 0);
  }
  EXPECT_EQ(got[2], 0);
  EXPECT_EQ(got[3], 1e20);
  EXPECT_EQ(got[4], 1e20);
  EXPECT_EQ(got[5], values[5]) << "not infinity";
  EXPECT_EQ(unfit.missing, 0);
}

// A valid number near the fill value would be missing.
TEST(StoredForm, rounds_no_value_onto_the_fill_value) {
  StoredForm form;
  form.mark = form.fill = -1000;
  form.mantissa_bits = 7;
  Unfit unfit;
  const std::vector<double> got = stored<double>(form, {-1000, -1000.3, -999.9, -990}, unfit);
  EXPECT_EQ(got, (std::vector<double>{-1000, -1000.3, -999.9, -992}));
}

// Such as the first record of a run: it would leave all that follow one bit of mantissa.
TEST(StoredForm, zeros_and_ones_do_not_say_how_many_bits_to_keep) {
  StoredForm form;
  form.file_bytes = 4;
  form.fill = 1e20;
  form.kept_share = 0.99;
  std::vector<float> values(4096, 0);
  std::fill_n(values.begin(), 2048, 1.0F);
  const auto measured = [&] {
    return measured_bits(form, std::as_bytes(std::span(values)), {64, 64});
  };
  EXPECT_EQ(measured().information, 0);
  EXPECT_EQ(measured().mantissa_bits, 23);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = 280 + 10 * std::sin(static_cast<float>(i) / 64);
  }
  EXPECT_GT(measured().information, 1);
  EXPECT_GT(measured().mantissa_bits, 4);
}

TEST(StoredForm, counts_values_that_single_precision_makes_infinite) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  constexpr float largest = std::numeric_limits<float>::max();
  std::vector<float> values(200'000, largest);
  values[0] = values[65'535] = infinity;
  values[65'536] = values[199'999] = -infinity;
  values[1] = std::numeric_limits<float>::quiet_NaN();
  values[2] = -largest;
  EXPECT_EQ(count_infinite(values), 4);
  EXPECT_EQ(count_infinite({}), 0);
  StoredForm form;
  EXPECT_FALSE(form.may_overflow()) << "doubles";
  form.file_bytes = 4;
  form.fill = nan;
  EXPECT_TRUE(form.may_overflow());
  form.fill = 1e20;
  EXPECT_TRUE(form.may_overflow());
  form.fill = 1e300;
  EXPECT_FALSE(form.may_overflow()) << "missing values are infinite in that file";
  form.fill = 1e20;
  form.mantissa_bits = 10;
  std::vector<float> rounded = {infinity, 1, -infinity, largest};
  Unfit unfit;
  store(form, std::as_writable_bytes(std::span(rounded)), unfit);
  EXPECT_EQ(unfit, (Unfit{0, 2}));
  form.is_packed = true;
  EXPECT_FALSE(form.may_overflow()) << "they are missing";
}

}  // namespace
}  // namespace epios::server::stored_form_test
