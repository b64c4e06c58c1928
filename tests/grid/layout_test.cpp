#include "grid/layout.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "config/error.hpp"
#include "models.hpp"
#include "random.hpp"

namespace epios::io {
namespace {

using config::GridElement;
using test::Random;

/// Numbers the model array 1, 2, ... and shows what becomes of it; 0 for missing.
std::vector<std::int64_t> picked(const LocalLayout& layout) {
  std::vector<double> array(static_cast<std::size_t>(layout.array_size()));
  std::vector<float> single(array.size());
  for (std::size_t i = 0; i < array.size(); ++i) {
    array[i] = static_cast<double>(i + 1);
    single[i] = static_cast<float>(i + 1);
  }
  std::vector<double> points(static_cast<std::size_t>(layout.box().volume()), -1);
  std::vector<double> from_single = points;
  layout.pick(std::span<const double>(array), points);
  layout.pick(std::span<const float>(single), from_single);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(std::isnan(points[i]), std::isnan(from_single[i]));
    EXPECT_TRUE(std::isnan(points[i]) || points[i] == from_single[i]);
    out.push_back(std::isnan(points[i]) ? 0 : static_cast<std::int64_t>(points[i]));
  }
  return out;
}

TEST(GlobalShape, IsInFileOrder) {
  config::Model model;
  const int d = test::add_domain(model, 360, 180);
  const int z = test::add_axis(model, 30);
  EXPECT_EQ(global_shape(model, test::add_grid(model, {test::domain(d), test::axis(z)})),
            (Extents{30, 180, 360}));
  EXPECT_EQ(global_shape(model, test::add_grid(model, {test::axis(z), test::domain(d)})),
            (Extents{180, 360, 30}));
  EXPECT_EQ(global_shape(model, test::add_grid(model, {test::scalar()})), Extents{});
  EXPECT_EQ(global_shape(model, test::add_grid(model, {})), Extents{});
}

TEST(LocalLayout, WithoutLocalAttributesIsTheWholeGrid) {
  config::Model model;
  const int d = test::add_domain(model, 4, 3);
  const int z = test::add_axis(model, 2);
  const LocalLayout layout(model, test::add_grid(model, {test::domain(d), test::axis(z)}));
  EXPECT_EQ(layout.box(), whole({2, 3, 4}));
  EXPECT_EQ(layout.array_size(), 24);
  EXPECT_TRUE(layout.is_identity());
  EXPECT_EQ(layout.runs().size(), 1U);
}

TEST(LocalLayout, ScalarGridIsOneValue) {
  config::Model model;
  for (const int grid : {test::add_grid(model, {}), test::add_grid(model, {test::scalar()})}) {
    const LocalLayout layout(model, grid);
    EXPECT_EQ(layout.box(), Box{});
    EXPECT_EQ(layout.array_size(), 1);
    EXPECT_TRUE(layout.is_identity());
    EXPECT_EQ(picked(layout), (std::vector<std::int64_t>{1}));
  }
}

TEST(LocalLayout, BlockIsAnIdentityAtAnOffset) {
  config::Model model;
  const int d = test::add_domain(model, 10, 8);
  auto& a = model.domains[0].attributes;
  a.ibegin = 5, a.ni = 3, a.jbegin = 2, a.nj = 2;
  const LocalLayout layout(model, test::add_grid(model, {test::domain(d)}));
  EXPECT_EQ(layout.box(), (Box{{2, 5}, {2, 3}}));
  EXPECT_TRUE(layout.is_identity());
}

TEST(LocalLayout, HaloIsSkipped) {
  config::Model model;
  const int d = test::add_domain(model, 10, 8);
  auto& a = model.domains[0].attributes;
  a.ibegin = 5, a.ni = 2, a.jbegin = 2, a.nj = 2;
  a.data_dim = 2, a.data_ibegin = -1, a.data_ni = 4, a.data_jbegin = -1, a.data_nj = 4;
  const LocalLayout layout(model, test::add_grid(model, {test::domain(d)}));
  EXPECT_EQ(layout.array_size(), 16);
  EXPECT_FALSE(layout.is_identity());
  EXPECT_EQ(picked(layout), (std::vector<std::int64_t>{6, 7, 10, 11}));
}

TEST(LocalLayout, ArrayMayBeSmallerThanThePart) {
  config::Model model;
  const int z = test::add_axis(model, 6);
  model.axes[0].attributes.data_begin = 2;
  model.axes[0].attributes.data_n = 3;
  const LocalLayout layout(model, test::add_grid(model, {test::axis(z)}));
  EXPECT_EQ(picked(layout), (std::vector<std::int64_t>{0, 0, 1, 2, 3, 0}));
}

TEST(LocalLayout, FlatDomainArrayHasAnOffsetInPoints) {
  config::Model model;
  const int d = test::add_domain(model, 3, 2);
  model.domains[0].attributes.data_dim = 1;
  model.domains[0].attributes.data_ibegin = -2;
  model.domains[0].attributes.data_ni = 7;
  const LocalLayout layout(model, test::add_grid(model, {test::domain(d)}));
  EXPECT_EQ(layout.array_size(), 7);
  EXPECT_EQ(picked(layout), (std::vector<std::int64_t>{3, 4, 5, 6, 7, 0}));
}

TEST(LocalLayout, MaskedPointsAreMissing) {
  config::Model model;
  const int d = test::add_domain(model, 2, 2);
  const int z = test::add_axis(model, 2);
  model.domains[0].attributes.mask_2d = config::value::booleans{{1, 0, 1, 1}, {2, 2}};
  model.axes[0].attributes.mask = test::mask({0, 1});
  const LocalLayout layout(model, test::add_grid(model, {test::domain(d), test::axis(z)}));
  EXPECT_FALSE(layout.is_identity());
  EXPECT_EQ(picked(layout), (std::vector<std::int64_t>{0, 0, 0, 0, 5, 0, 7, 8}));
}

TEST(LocalLayout, MaskOfOnesIsAnIdentity) {
  config::Model model;
  const int d = test::add_domain(model, 2, 2);
  model.domains[0].attributes.mask_1d = test::mask({1, 1, 1, 1});
  EXPECT_TRUE(LocalLayout(model, test::add_grid(model, {test::domain(d)})).is_identity());
}

TEST(LocalLayout, ClientWithoutPoints) {
  config::Model model;
  const int z = test::add_axis(model, 6);
  model.axes[0].attributes.begin = 6;
  model.axes[0].attributes.n = 0;
  const LocalLayout layout(model, test::add_grid(model, {test::axis(z)}));
  EXPECT_TRUE(layout.box().is_empty());
  EXPECT_EQ(layout.array_size(), 0);
  EXPECT_TRUE(layout.is_identity());
  EXPECT_EQ(picked(layout), std::vector<std::int64_t>{});
}

TEST(LocalLayout, WrongMaskOrPartIsABug) {
  config::Model model;
  const int z = test::add_axis(model, 6);
  const int grid = test::add_grid(model, {test::axis(z)});
  model.axes[0].attributes.mask = test::mask({1, 1});
  EXPECT_THROW(LocalLayout(model, grid), Error);
  model.axes[0].attributes.mask.reset();
  model.axes[0].attributes.begin = 4;
  model.axes[0].attributes.n = 3;
  EXPECT_THROW(LocalLayout(model, grid), Error);
}

TEST(LocalLayout, PickTakesExactSizes) {
  config::Model model;
  const int z = test::add_axis(model, 6);
  const LocalLayout layout(model, test::add_grid(model, {test::axis(z)}));
  std::vector<double> points(6);
  std::vector<double> array(5);
  EXPECT_THROW(layout.pick(std::span<const double>(array), points), Error);
}

// Brute force: every position of the model array, element by element, by the definition.

struct Place {
  std::int64_t point = -1;  ///< of the element, -1 for none
};

std::vector<Place> places(const config::Axis& axis) {
  const auto& a = axis.attributes;
  const std::int64_t n = a.n.value_or(*a.n_glo);
  std::vector<Place> out(static_cast<std::size_t>(a.data_n.value_or(n)));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t local = static_cast<std::int64_t>(i) + a.data_begin.value_or(0);
    if (local < 0 || local >= n) continue;
    if (a.mask && a.mask->values[static_cast<std::size_t>(local)] == 0) continue;
    out[i].point = local;
  }
  return out;
}

std::vector<Place> places(const config::Domain& domain) {
  const auto& a = domain.attributes;
  const std::int64_t ni = a.ni.value_or(*a.ni_glo);
  const std::int64_t nj = a.nj.value_or(*a.nj_glo);
  const auto visible = [&](std::int64_t point) {
    return !a.mask_1d || a.mask_1d->values[static_cast<std::size_t>(point)] != 0;
  };
  std::vector<Place> out;
  if (a.data_dim.value_or(1) == 1) {
    for (std::int64_t i = 0; i < a.data_ni.value_or(ni * nj); ++i) {
      const std::int64_t point = i + a.data_ibegin.value_or(0);
      out.push_back({point >= 0 && point < ni * nj && visible(point) ? point : -1});
    }
    return out;
  }
  for (std::int64_t j = 0; j < a.data_nj.value_or(nj); ++j) {
    for (std::int64_t i = 0; i < a.data_ni.value_or(ni); ++i) {
      const std::int64_t li = i + a.data_ibegin.value_or(0);
      const std::int64_t lj = j + a.data_jbegin.value_or(0);
      const bool inside = li >= 0 && li < ni && lj >= 0 && lj < nj;
      out.push_back({inside && visible(lj * ni + li) ? lj * ni + li : -1});
    }
  }
  return out;
}

std::vector<std::uint8_t> random_mask(Random& random, std::int64_t size) {
  std::vector<std::uint8_t> out(static_cast<std::size_t>(size));
  for (auto& value : out) value = random.pick(0, 3) > 0 ? 1 : 0;
  return out;
}

GridElement random_axis(Random& random, config::Model& model) {
  const int index = test::add_axis(model, random.pick(1, 5));
  auto& a = model.axes.back().attributes;
  if (random.flip()) {
    const Box part = random.box({*a.n_glo}, true);
    a.begin = part.begin[0];
    a.n = part.size[0];
  }
  if (random.flip()) a.data_begin = random.pick(-2, 2);
  if (random.flip()) a.data_n = random.pick(0, 7);
  if (random.flip()) a.mask = test::mask(random_mask(random, a.n.value_or(*a.n_glo)));
  return test::axis(index);
}

GridElement random_domain(Random& random, config::Model& model) {
  const int index = test::add_domain(model, random.pick(1, 4), random.pick(1, 4));
  auto& a = model.domains.back().attributes;
  if (random.flip()) {
    const Box part = random.box({*a.nj_glo, *a.ni_glo}, true);
    a.jbegin = part.begin[0], a.nj = part.size[0];
    a.ibegin = part.begin[1], a.ni = part.size[1];
  }
  const std::int64_t points = a.ni.value_or(*a.ni_glo) * a.nj.value_or(*a.nj_glo);
  if (random.flip()) a.data_dim = random.pick(1, 2);
  if (random.flip()) a.data_ibegin = random.pick(-2, 2);
  if (random.flip()) a.data_jbegin = random.pick(-2, 2);
  if (random.flip()) a.data_ni = random.pick(0, 7);
  if (random.flip()) a.data_nj = random.pick(0, 7);
  if (random.flip()) a.mask_1d = test::mask(random_mask(random, points));
  return test::domain(index);
}

std::vector<std::int64_t> picked_by_points(const config::Model& model, int grid,
                                           std::size_t volume) {
  // All combinations of element positions, first element fastest, with the point each leads to.
  std::vector<Place> product = {{0}};
  std::int64_t points = 1;
  for (const auto& element : model.grids[static_cast<std::size_t>(grid)].elements) {
    const auto index = static_cast<std::size_t>(element.index);
    std::vector<Place> own = {{0}};
    std::int64_t own_points = 1;
    if (element.kind == GridElement::Kind::axis) {
      own = places(model.axes[index]);
      const auto& a = model.axes[index].attributes;
      own_points = a.n.value_or(*a.n_glo);
    } else if (element.kind == GridElement::Kind::domain) {
      own = places(model.domains[index]);
      const auto& a = model.domains[index].attributes;
      own_points = a.ni.value_or(*a.ni_glo) * a.nj.value_or(*a.nj_glo);
    }
    std::vector<Place> next;
    for (const Place& slow : own) {
      for (const Place& fast : product) {
        const bool there = slow.point >= 0 && fast.point >= 0;
        next.push_back({there ? fast.point + slow.point * points : -1});
      }
    }
    product = next;
    points *= own_points;
  }
  std::vector<std::int64_t> out(volume, 0);
  for (std::size_t i = 0; i < product.size(); ++i) {
    if (product[i].point >= 0) {
      out[static_cast<std::size_t>(product[i].point)] = static_cast<std::int64_t>(i) + 1;
    }
  }
  return out;
}

TEST(LocalLayout, AgreesWithPointsForAnyProductOfElements) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    config::Model model;
    std::vector<GridElement> elements;
    for (std::int64_t e = random.pick(0, 3); e > 0; --e) {
      const std::int64_t kind = random.pick(0, 4);
      elements.push_back(kind == 0  ? test::scalar()
                         : kind < 3 ? random_axis(random, model)
                                    : random_domain(random, model));
    }
    const int grid = test::add_grid(model, elements);
    const LocalLayout layout(model, grid);
    EXPECT_EQ(layout.box(), local_box(model, grid));
    EXPECT_TRUE(contains(whole(global_shape(model, grid)), layout.box()));
    const auto wanted =
        picked_by_points(model, grid, static_cast<std::size_t>(layout.box().volume()));
    EXPECT_EQ(picked(layout), wanted);
    bool identity = layout.array_size() == layout.box().volume();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      identity = identity && wanted[i] == static_cast<std::int64_t>(i) + 1;
    }
    EXPECT_EQ(layout.is_identity(), identity);
  }
}

}  // namespace
}  // namespace epios::io
