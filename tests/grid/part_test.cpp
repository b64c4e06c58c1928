#include "grid/part.hpp"

#include <map>
#include <vector>

#include "models.hpp"
#include "random.hpp"

namespace epios::io::part_test {
namespace {

using config::GridElement;
using test::Random;

config::value::integers integers(std::vector<std::int64_t> values) {
  const auto size = static_cast<std::int64_t>(values.size());
  return {std::move(values), {size}};
}

/// Where each global point is, from the runs; fails on a point that is there twice.
std::map<std::int64_t, std::int64_t> places_of(const Part& part) {
  std::map<std::int64_t, std::int64_t> out;
  std::int64_t last = -1;
  for (const PartRun& run : part.runs()) {
    EXPECT_GT(run.count, 0);
    EXPECT_GT(run.global, last) << "not ascending";
    for (std::int64_t k = 0; k < run.count; ++k) {
      EXPECT_TRUE(out.emplace(run.global + k, run.place + k).second);
      EXPECT_LT(run.place + k, part.places());
    }
    last = run.global + run.count - 1;
  }
  EXPECT_EQ(static_cast<std::int64_t>(out.size()), part.points());
  return out;
}

/// A domain described in a random way.
struct RandomDomain {
  config::Model model;
  std::int64_t ni = 0;
  std::int64_t nj = 0;
  GridElement element;

  explicit RandomDomain(Random& random) {
    const std::int64_t ni_glo = random.pick(1, 6);
    const bool is_cells = random.pick(0, 2) == 0;
    const std::int64_t nj_glo = is_cells ? 1 : random.pick(1, 5);
    element = test::domain(test::add_domain(model, ni_glo, nj_glo));
    auto& a = model.domains[0].attributes;
    if (is_cells) a.type = random.flip() ? "unstructured" : "gaussian";
    ni = random.pick(0, ni_glo);
    nj = random.pick(0, nj_glo);
    a.ibegin = random.pick(0, ni_glo - ni);
    a.jbegin = random.pick(0, nj_glo - nj);
    a.ni = ni;
    a.nj = nj;
    if (random.flip()) scatter(random, ni_glo, nj_glo);
    describe_array(random);
    if (random.flip()) {
      std::vector<std::uint8_t> mask(static_cast<std::size_t>(ni * nj));
      for (auto& value : mask) value = random.flip() ? 1 : 0;
      auto array = test::mask(std::move(mask));
      if (random.flip()) {
        a.mask_1d = array;
      } else {
        a.mask_2d = array;
      }
    }
  }

  void scatter(Random& random, std::int64_t ni_glo, std::int64_t nj_glo) {
    std::vector<std::int64_t> is;
    std::vector<std::int64_t> js;
    for (std::int64_t k = 0; k < ni * nj; ++k) {
      is.push_back(random.pick(0, ni_glo - 1));
      js.push_back(random.pick(0, nj_glo - 1));
    }
    auto& a = model.domains[0].attributes;
    a.i_index = integers(is);
    a.j_index = integers(js);
  }

  void describe_array(Random& random) {
    auto& a = model.domains[0].attributes;
    a.data_dim = random.pick(1, 2);
    if (random.flip()) {
      a.data_ibegin = random.pick(-2, 3);
      a.data_jbegin = random.pick(-2, 2);
      a.data_ni = random.pick(0, *a.data_dim == 1 ? ni * nj + 3 : ni + 3);
      a.data_nj = random.pick(0, nj + 3);
    } else if (random.flip()) {
      std::vector<std::int64_t> is;
      std::vector<std::int64_t> js;
      for (std::int64_t k = random.pick(0, 12); k > 0; --k) {
        is.push_back(random.pick(-1, *a.data_dim == 1 ? ni * nj : ni));
        js.push_back(random.pick(-1, nj));
      }
      a.data_i_index = integers(is);
      // Beside a row of positions, too, where a compressed array names columns and rows.
      if (*a.data_dim == 2 || random.flip()) a.data_j_index = integers(js);
    }
  }

  std::int64_t global_of(std::int64_t cell) const {
    const auto& a = model.domains[0].attributes;
    if (a.i_index) {
      const auto c = static_cast<std::size_t>(cell);
      return a.j_index->values[c] * *a.ni_glo + a.i_index->values[c];
    }
    return (*a.jbegin + cell / ni) * *a.ni_glo + *a.ibegin + cell % ni;
  }

  /// The definition: for each place of the model's array the cell it shows, -1 for none.
  std::vector<std::int64_t> cells_of_array() const {
    const auto& a = model.domains[0].attributes;
    std::vector<std::int64_t> out;
    const auto cell = [&](std::int64_t i, std::int64_t j) {
      return i >= 0 && i < ni && j >= 0 && j < nj ? j * ni + i : -1;
    };
    const auto flat = [&](std::int64_t k) { return k >= 0 && k < ni * nj ? k : -1; };
    if (a.data_i_index) {
      for (std::size_t k = 0; k < a.data_i_index->values.size(); ++k) {
        const std::int64_t i = a.data_i_index->values[k];
        out.push_back(a.data_j_index ? cell(i, a.data_j_index->values[k]) : flat(i));
      }
    } else if (*a.data_dim == 1) {
      for (std::int64_t k = 0; k < a.data_ni.value_or(ni * nj); ++k) {
        out.push_back(flat(a.data_ibegin.value_or(0) + k));
      }
    } else {
      for (std::int64_t l = 0; l < a.data_nj.value_or(nj); ++l) {
        for (std::int64_t k = 0; k < a.data_ni.value_or(ni); ++k) {
          out.push_back(cell(a.data_ibegin.value_or(0) + k, a.data_jbegin.value_or(0) + l));
        }
      }
    }
    return out;
  }

  bool is_masked(std::int64_t cell) const {
    const auto& a = model.domains[0].attributes;
    const auto& mask = a.mask_1d ? a.mask_1d : a.mask_2d;
    return mask && mask->values[static_cast<std::size_t>(cell)] == 0;
  }
};

TEST(Part, IsWhatTheAttributesOfADomainSay) {
  for (unsigned seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const RandomDomain domain(random);
    std::map<std::int64_t, std::int64_t> owned;
    for (std::int64_t cell = 0; cell < domain.ni * domain.nj; ++cell) {
      owned.emplace(domain.global_of(cell), cell);
    }
    const Part cells = owned_part(domain.model, domain.element);
    ASSERT_EQ(places_of(cells), owned);
    ASSERT_EQ(cells.places(), domain.ni * domain.nj);
    ASSERT_EQ(cells.points() + cells.repeated(), cells.places());

    std::map<std::int64_t, std::int64_t> data;
    const std::vector<std::int64_t> array = domain.cells_of_array();
    for (std::size_t place = 0; place < array.size(); ++place) {
      if (array[place] < 0 || domain.is_masked(array[place])) continue;
      data.emplace(domain.global_of(array[place]), static_cast<std::int64_t>(place));
    }
    const Part part = data_part(domain.model, domain.element);
    ASSERT_EQ(places_of(part), data);
    ASSERT_EQ(part.places(), static_cast<std::int64_t>(array.size()));

    const Extents shape = element_shape(domain.model, domain.element);
    const Box window = random.box(shape, true);
    std::map<std::int64_t, std::int64_t> seen;
    for (const auto& [global, place] : data) {
      const bool has_rows = shape.size() == 2;
      const Extents point =
          has_rows ? Extents{global / shape[1], global % shape[1]} : Extents{global};
      if (!test::has_point(window, point)) continue;
      const std::int64_t row = has_rows ? point[0] - window.begin[0] : 0;
      seen.emplace(row * window.size.back() + point.back() - window.begin.back(), place);
    }
    ASSERT_EQ(places_of(clip(part, shape, window)), seen);
  }
}

TEST(Part, OfAnAxis) {
  config::Model model;
  const GridElement element = test::axis(test::add_axis(model, 10));
  auto& a = model.axes[0].attributes;
  EXPECT_EQ(data_part(model, element).points(), 10);
  a.begin = 4;
  a.n = 3;
  a.data_begin = -1;
  a.data_n = 5;
  using Runs = std::vector<PartRun>;
  const auto runs = [](const Part& part) { return Runs{part.runs().begin(), part.runs().end()}; };
  EXPECT_EQ(runs(data_part(model, element)), (Runs{{4, 1, 3}}));
  EXPECT_EQ(data_part(model, element).places(), 5);
  a.mask = test::mask({1, 0, 1});
  EXPECT_EQ(runs(data_part(model, element)), (Runs{{4, 1, 1}, {6, 3, 1}}));
  EXPECT_EQ(runs(owned_part(model, element)), (Runs{{4, 0, 3}}));
  a.index = integers({9, 2, 3});
  EXPECT_EQ(runs(owned_part(model, element)), (Runs{{2, 1, 2}, {9, 0, 1}}));
  a.data_index = integers({2, 7, 0, -1});
  EXPECT_EQ(runs(data_part(model, element)), (Runs{{3, 0, 1}, {9, 2, 1}}));
}

TEST(Part, OfAScalar) {
  config::Model model;
  model.scalars.emplace_back();
  const GridElement element = test::scalar();
  EXPECT_EQ(data_part(model, element).points(), 1);
  EXPECT_EQ(clip(data_part(model, element), {}, Box{}).points(), 1);
  model.scalars[0].attributes.mask = false;
  EXPECT_EQ(data_part(model, element).points(), 0);
  EXPECT_EQ(owned_part(model, element).points(), 1);
  model.scalars[0].attributes.n = 0;
  EXPECT_EQ(owned_part(model, element).points(), 0);
}

}  // namespace
}  // namespace epios::io::part_test
