#include "schedules/cost_fit.hpp"

#include <gtest/gtest.h>

#include <random>

namespace ep::test::cost_fit_test {
namespace {

std::vector<Sample> line(double alpha_s, double beta_s, double noise = 0) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> factor(1 - noise, 1 + noise);
  std::vector<Sample> out;
  for (double bytes = 8; bytes <= 1 << 24; bytes *= 2) {
    out.push_back({bytes, (alpha_s + beta_s * bytes) * factor(random)});
  }
  return out;
}

TEST(CostFit, finds_the_line_that_is_there) {
  const LinkCost found = fit_line(line(2e-6, 3e-10));
  EXPECT_NEAR(found.alpha_s, 2e-6, 1e-12);
  EXPECT_NEAR(found.beta_s_per_byte, 3e-10, 1e-16);
}

TEST(CostFit, both_ends_count_alike) {
  const LinkCost found = fit_line(line(2e-6, 3e-10, 0.2));
  EXPECT_NEAR(found.alpha_s / 2e-6, 1, 0.2);
  EXPECT_NEAR(found.beta_s_per_byte / 3e-10, 1, 0.2);
}

TEST(CostFit, nothing_is_negative) {
  const std::vector<Sample> falling{{8, 3e-6}, {16, 2e-6}, {32, 1e-6}};
  EXPECT_EQ(fit_line(falling).beta_s_per_byte, 0);
  EXPECT_GT(fit_line(falling).alpha_s, 0.9e-6);
  const std::vector<Sample> steep{{1e6, 1e-4}, {2e6, 3e-4}, {4e6, 9e-4}};
  EXPECT_EQ(fit_line(steep).alpha_s, 0);
  EXPECT_GT(fit_line(steep).beta_s_per_byte, 1e-10);
  EXPECT_EQ(fit_line({}).alpha_s, 0);
}

std::vector<Sample> bent(double alpha_s, double beta_s, double bend, double beyond_s) {
  std::vector<Sample> out;
  for (double bytes = 8; bytes <= 1 << 24; bytes *= 2) {
    const double below = std::min(bytes, bend);
    out.push_back({bytes, alpha_s + beta_s * below + beyond_s * (bytes - below)});
  }
  return out;
}

TEST(CostFit, finds_both_slopes_of_a_bent_line) {
  const BentLine found = fit_bent_line(bent(2e-6, 1e-10, 1 << 20, 4e-10), 1 << 20);
  EXPECT_NEAR(found.below.alpha_s, 2e-6, 1e-12);
  EXPECT_NEAR(found.below.beta_s_per_byte, 1e-10, 1e-16);
  EXPECT_NEAR(found.beyond_s_per_byte, 4e-10, 1e-16);
}

TEST(CostFit, beyond_the_bend_nothing_is_cheaper) {
  EXPECT_DOUBLE_EQ(fit_bent_line(bent(0, 4e-10, 1 << 20, 1e-10), 1 << 20).beyond_s_per_byte, 4e-10);
  const BentLine straight = fit_bent_line(line(2e-6, 3e-10), 1 << 30);
  EXPECT_EQ(straight.beyond_s_per_byte, straight.below.beta_s_per_byte);
}

// Messages of half a vector and of a whole one: the bend is where the vectors leave the cache.
TEST(CostFit, all_series_bend_at_one_size_of_vectors) {
  const std::vector<Measured> series{{bent(1e-6, 1e-10, 1 << 18, 3e-10), 2},
                                     {bent(2e-6, 2e-10, 1 << 19, 5e-10), 1}};
  EXPECT_EQ(find_bend(series), 1 << 19);
}

TEST(CostFit, a_median_does_not_see_outliers) {
  EXPECT_EQ(median({1, 1000, 2, 3, 1}), 2);
  EXPECT_EQ(median({7}), 7);
}

TEST(CostFit, repetitions_disagree_when_the_middle_one_is_slow) {
  EXPECT_EQ(disagreement({2e-6, 2e-6, 9e-4}), 1);  // one was disturbed
  EXPECT_NEAR(disagreement({2e-6, 454e-6, 454e-6}), 227, 1e-9);
  EXPECT_EQ(disagreement({7}), 1);
  EXPECT_EQ(disagreement({}), 1);
}

}  // namespace
}  // namespace ep::test::cost_fit_test
