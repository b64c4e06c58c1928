#include "space_case.hpp"

#include <numeric>

#include "../grids/random_numbers.hpp"

namespace space {
namespace {

using grids::Element;
using grids::Kind;
using grids::Random;

std::string text(std::int64_t number) { return std::to_string(number); }

/// Begin and length of some of `size` points.
std::pair<std::int64_t, std::int64_t> interval(Random& random, std::int64_t size) {
  const std::int64_t begin = random.pick(0, size - 1);
  return {begin, random.pick(1, size - begin)};
}

class Maker {
 public:
  /// `is_alone`: its grid has no other element.
  Maker(const Element& element, Random& random, bool is_alone)
      : random_(random),
        kind_(element.kind),
        is_alone_(is_alone),
        has_holes_(element.dealing == grids::Dealing::boxes ||
                   element.dealing == grids::Dealing::lists) {
    out_.tag = element.is_domain() ? "domain" : kind_ == Kind::scalar ? "scalar" : "axis";
    out_.ni = element.ni;
    out_.nj = element.nj;
    out_.points.resize(static_cast<std::size_t>(element.points()));
    std::iota(out_.points.begin(), out_.points.end(), std::int64_t{0});
  }

  Target make() {
    // What changes the kind of an element stands alone.
    if (random_.one_in(3)) {
      move();
      return std::move(out_);
    }
    const auto count = random_.pick(1, 3);
    for (std::int64_t s = 0; s < count && add(count == 1); ++s) continue;
    return std::move(out_);
  }

 private:
  /// False: nothing follows.
  bool add(bool may_change) {
    if (out_.tag == "scalar") return false;
    if (out_.tag == "axis") {
      if (may_change && random_.one_in(3)) return extract_point();
      if (random_.one_in(2)) return inverse();
      return extract_axis();
    }
    const bool is_row = kind_ == Kind::unstructured;
    if (!is_row && may_change && random_.one_in(3)) return extract_line();
    if (!is_row && random_.one_in(2)) return reorder();
    return extract_domain();
  }

  /// What makes new values.
  void move() {
    out_.is_moved = true;
    const char* const operations[] = {"sum", "average", "min", "max"};
    // Of a ring, clients have what is around their cells.
    const bool has_ring = out_.tag == "domain" && kind_ != Kind::unstructured && !has_holes_;
    if ((has_ring || (is_alone_ && out_.tag != "scalar")) && random_.one_in(3)) return deal();
    if (out_.tag == "scalar") {
      out_.tag = "axis";
      out_.n_glo = random_.pick(1, 3);
      out_.steps.push_back({"duplicate_scalar", {}});
      out_.sources.assign(static_cast<std::size_t>(out_.n_glo), {out_.points.front()});
      return;
    }
    out_.operation = operations[random_.pick(0, 3)];
    Step step{out_.tag == "axis" ? "reduce_axis" : "reduce_domain",
              {{"operation", out_.operation}}};
    if (out_.tag == "domain" && kind_ != Kind::unstructured && random_.one_in(2)) {
      const bool is_i = random_.one_in(2);
      step.attributes.emplace_back("direction", is_i ? "iDir" : "jDir");
      out_.sources.resize(static_cast<std::size_t>(is_i ? out_.ni : out_.nj));
      for (std::int64_t k = 0; k < out_.ni * out_.nj; ++k) {
        out_.sources[static_cast<std::size_t>(is_i ? k % out_.ni : k / out_.ni)].push_back(
            out_.points[static_cast<std::size_t>(k)]);
      }
      out_.tag = "axis";
    } else {
      out_.sources = {out_.points};
      out_.tag = "scalar";
    }
    out_.steps.push_back(std::move(step));
  }

  /// The same points on other clients, for domains with a ring around them, too.
  void deal() {
    for (const std::int64_t point : out_.points) out_.sources.push_back({point});
    const bool is_domain = out_.tag == "domain";
    // Where another element is dealt out, too, who gets a point may not have what goes with it.
    if (!is_domain || kind_ == Kind::unstructured || has_holes_ ||
        (is_alone_ && random_.one_in(2))) {
      const char* const types[] = {"root", "bands", "column", "full", "index"};
      out_.steps.push_back({is_domain ? "redistribute_domain" : "redistribute_axis",
                            {{"type", types[random_.pick(0, 4)]}}});
      return;
    }
    const bool wraps_i = random_.one_in(2);
    const bool wraps_j = random_.one_in(2);
    out_.steps.push_back(
        {"expand_domain",
         {{"i_periodic", wraps_i ? "true" : "false"}, {"j_periodic", wraps_j ? "true" : "false"}}});
    out_.sources.clear();
    for (std::int64_t j = -1; j <= out_.nj; ++j) {
      for (std::int64_t i = -1; i <= out_.ni; ++i) {
        const std::int64_t x = wraps_i ? (i + out_.ni) % out_.ni : i;
        const std::int64_t y = wraps_j ? (j + out_.nj) % out_.nj : j;
        const bool is_beyond = x < 0 || x >= out_.ni || y < 0 || y >= out_.nj;
        out_.sources.push_back(is_beyond ? std::vector<std::int64_t>()
                                         : std::vector<std::int64_t>{y * out_.ni + x});
      }
    }
  }

  void keep(std::int64_t ni, std::int64_t nj, const auto& source_of) {
    std::vector<std::int64_t> points;
    for (std::int64_t j = 0; j < nj; ++j) {
      for (std::int64_t i = 0; i < ni; ++i) {
        const auto [si, sj] = source_of(i, j);
        points.push_back(out_.points[static_cast<std::size_t>(sj * out_.ni + si)]);
      }
    }
    out_.ni = ni;
    out_.nj = nj;
    out_.points = std::move(points);
  }

  bool extract_axis() {
    const auto [begin, n] = interval(random_, out_.ni);
    Step step{"extract_axis", {{"begin", text(begin)}, {"n", text(n)}}};
    if (n > 1 && random_.one_in(3)) {  // the last one and the first one
      step.attributes = {{"index", "(0,1)[" + text(begin + n - 1) + " " + text(begin) + "]"}};
      out_.steps.push_back(step);
      keep(2, 1,
           [b = begin, k = n](auto i, auto j) { return std::pair(i == 0 ? b + k - 1 : b, j); });
      return true;
    }
    out_.steps.push_back(step);
    keep(n, 1, [b = begin](auto i, auto j) { return std::pair(b + i, j); });
    return true;
  }
  bool inverse() {
    out_.steps.push_back({"inverse_axis", {}});
    keep(out_.ni, 1, [n = out_.ni](auto i, auto j) { return std::pair(n - 1 - i, j); });
    return true;
  }
  bool extract_point() {
    const std::int64_t position = random_.pick(0, out_.ni - 1);
    out_.steps.push_back({"extract_axis", {{"position", text(position)}}});
    out_.tag = "scalar";
    keep(1, 1, [=](auto, auto j) { return std::pair(position, j); });
    return false;
  }
  bool extract_domain() {
    const auto [ibegin, ni] = interval(random_, out_.ni);
    const auto [jbegin, nj] = interval(random_, out_.nj);
    out_.steps.push_back(
        {"extract_domain",
         {{"ibegin", text(ibegin)}, {"ni", text(ni)}, {"jbegin", text(jbegin)}, {"nj", text(nj)}}});
    keep(ni, nj, [b = ibegin, c = jbegin](auto i, auto j) { return std::pair(b + i, c + j); });
    return true;
  }
  bool reorder() {
    const bool is_inverted = random_.one_in(2);
    const std::int64_t quarters = random_.pick(0, 3);
    out_.steps.push_back(
        {"reorder_domain",
         {{"invert_lat", is_inverted ? "true" : "false"},
          {"shift_lon_fraction", std::to_string(0.25 * static_cast<double>(quarters))}}});
    const std::int64_t shift = out_.ni * quarters / 4;
    keep(out_.ni, out_.nj, [=, ni = out_.ni, nj = out_.nj](auto i, auto j) {
      return std::pair((i - shift + ni) % ni, is_inverted ? nj - 1 - j : j);
    });
    return true;
  }
  bool extract_line() {
    const bool is_i = random_.one_in(2);
    const std::int64_t position = random_.pick(0, (is_i ? out_.nj : out_.ni) - 1);
    out_.steps.push_back(
        {"extract_domain", {{"direction", is_i ? "iDir" : "jDir"}, {"position", text(position)}}});
    out_.tag = "axis";
    keep(is_i ? out_.ni : out_.nj, 1,
         [=](auto k, auto) { return is_i ? std::pair(k, position) : std::pair(position, k); });
    return false;
  }

  Random& random_;
  Kind kind_;
  bool is_alone_;
  bool has_holes_;
  Target out_;
};

}  // namespace

std::vector<Made> make_targets(const grids::Case& of) {
  std::vector<Made> out;
  Random random(grids::mix(of.salt, 77));
  for (int f = 0; f < static_cast<int>(of.fields.size()); ++f) {
    Made made;
    made.id = "t" + std::to_string(f);
    made.field = f;
    const int grid = of.fields[static_cast<std::size_t>(f)].grid;
    const auto& elements = of.grids[static_cast<std::size_t>(grid)].elements;
    for (const int e : elements) {
      const Element& element = of.elements[static_cast<std::size_t>(e)];
      Target target = Maker(element, random, elements.size() == 1).make();
      target.id = made.id + "_" + element.id;
      made.elements.push_back(std::move(target));
    }
    out.push_back(std::move(made));
  }
  return out;
}

}  // namespace space
