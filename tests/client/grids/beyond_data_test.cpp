#include "grids/beyond_data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ep/ep.hpp>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/model.hpp"

namespace epios::client::beyond_data_test {
namespace {

using Said = std::vector<std::string>;

config::value::integers integers(std::vector<std::int64_t> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {std::move(values), {size}};
}

config::Model model() {
  config::Model out;
  out.context_id = "ocean";
  config::Axis axis;
  axis.id = "z";
  axis.attributes.n_glo = 5;
  axis.attributes.n = 3;
  out.axes = {axis};
  config::Domain domain;
  domain.id = "d";
  domain.attributes.ni_glo = domain.attributes.nj_glo = 9;
  domain.attributes.ni = 4;
  domain.attributes.nj = 2;
  out.domains = {domain};
  return out;
}

std::string sentence(const std::string& element, int count, int client, const std::string& first) {
  return fmt::format(
      "context 'ocean': {}: {} positions of the model's array are beyond the part of client {} "
      "({}); they are ignored. Count from 0, and write -1 for no point?",
      element, count, client, first);
}

TEST(BeyondData, what_stands_for_no_point_is_not_told_of) {
  const ep::Comm clients = ep::Comm::from_mpi(MPI_COMM_WORLD);
  config::Model good = model();
  EXPECT_EQ(data_beyond(good, clients), Said{});
  good.axes[0].attributes.data_index = integers({2, -1, 0, -7});
  auto& d = good.domains[0].attributes;
  d.data_i_index = integers({7, 0, -1});
  EXPECT_EQ(data_beyond(good, clients), Said{});
  d.data_dim = 2;
  d.data_i_index = integers({3, -1, 9});
  d.data_j_index = integers({1, 5, -1});
  EXPECT_EQ(data_beyond(good, clients), Said{});
}

TEST(BeyondData, the_lowest_client_says_the_first_value) {
  const ep::Comm clients = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const int last = clients.size() - 1;
  const bool is_first = clients.rank() == 0;
  config::Model bad = model();
  bad.axes[0].attributes.data_index = integers({0, 3, 4});
  auto& d = bad.domains[0].attributes;
  if (clients.rank() == last) d.data_i_index = integers({1, 8});
  Said expected;
  if (is_first) {
    expected.push_back(sentence("axis 'z'", 2, 0, "value 1 of data_index is 3, n is 3"));
  }
  if (clients.rank() == last) {
    expected.push_back(
        sentence("domain 'd'", 1, last, "value 1 of data_i_index is 8, ni x nj is 8"));
  }
  EXPECT_EQ(data_beyond(bad, clients), expected);

  bad.axes[0].attributes.data_index.reset();
  d.data_dim = 2;
  d.data_i_index = integers({1, 4, 0});
  d.data_j_index = integers({1, 0, 2});
  EXPECT_EQ(data_beyond(bad, clients),
            is_first ? Said{sentence("domain 'd'", 2, 0, "value 1 of data_i_index is 4, ni is 4")}
                     : Said{});
  d.data_i_index = integers({1, 3, 0});
  EXPECT_EQ(data_beyond(bad, clients),
            is_first ? Said{sentence("domain 'd'", 1, 0, "value 2 of data_j_index is 2, nj is 2")}
                     : Said{});
}

}  // namespace
}  // namespace epios::client::beyond_data_test
