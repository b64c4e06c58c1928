// The command `epios diff`: compares two files, the data of each variable in pieces, and attributes
// if asked for.
#include "file_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "config/index.hpp"
#include "file/data_file.hpp"

namespace epios::io {

namespace {

/// Attributes that differ from run to run.
constexpr std::array<std::string_view, 3> of_the_run{"timeStamp", "uuid", "history"};

class Comparison {
 public:
  Comparison(const DataFile& a, const DataFile& b, const Tolerance& tolerance)
      : a_(a), b_(b), tolerance_(tolerance) {}

  void compare_data() {
    for (std::size_t v = 0; v < a_.variables().size(); ++v) {
      const std::string& name = a_.variables()[v].name;
      const int other = b_.find(name);
      if (other < 0) {
        say(fmt::format("{}: only in '{}'", name, a_.path()));
      } else {
        compare(static_cast<int>(v), other);
      }
    }
    for (const StoredVariable& variable : b_.variables()) {
      if (a_.find(variable.name) < 0) {
        say(fmt::format("{}: only in '{}'", variable.name, b_.path()));
      }
    }
  }

  void compare_attributes() {
    compare_attributes("the file", a_.attributes(), b_.attributes());
    for (const StoredVariable& variable : a_.variables()) {
      const int other = b_.find(variable.name);
      if (other < 0) continue;
      compare_attributes(variable.name, variable.attributes, nth(b_.variables(), other).attributes);
    }
  }

  std::vector<std::string> take() { return std::move(found_); }

 private:
  void say(std::string text) { found_.push_back(std::move(text)); }

  void compare(int v, int w) {
    const StoredVariable& mine = nth(a_.variables(), v);
    const StoredVariable& theirs = nth(b_.variables(), w);
    const Extents shape = a_.shape(v);
    if (shape != b_.shape(w)) {
      return say(fmt::format("{}: of shape ({}) and ({})", mine.name, fmt::join(shape, ", "),
                             fmt::join(b_.shape(w), ", ")));
    }
    if (mine.content != theirs.content) {
      return say(fmt::format("{}: {} and {}", mine.name, mine.type, theirs.type));
    }
    if (mine.content == StoredVariable::Content::other) {
      return say(fmt::format("{}: its values cannot be compared ({})", mine.name, mine.type));
    }
    // By pieces along the first dimension: a record of a large file is enough to hold.
    Difference sum;
    Box box = whole(shape);
    const std::int64_t pieces = shape.empty() ? 1 : shape.front();
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      if (!shape.empty()) {
        box.begin[0] = piece;
        box.size[0] = 1;
      }
      if (mine.content == StoredVariable::Content::text) {
        compare_texts(v, w, box, sum);
      } else {
        compare_numbers(v, w, box, sum);
      }
    }
    if (sum.count == 0) return;
    say(fmt::format("{}: {} of {} values differ, first at ({}): {} and {}{}", mine.name, sum.count,
                    volume(shape), fmt::join(sum.place, ", "), sum.mine, sum.theirs,
                    sum.largest > 0 ? fmt::format("; by {:.3g} at most", sum.largest) : ""));
  }

  struct Difference {
    std::int64_t count = 0;
    Extents place;
    std::string mine, theirs;
    double largest = 0;
  };

  static void note(Difference& sum, const Box& box, std::size_t position, const std::string& mine,
                   const std::string& theirs) {
    if (++sum.count > 1) return;
    sum.place = box.begin;
    auto rest = static_cast<std::int64_t>(position);
    for (std::size_t d = box.size.size(); d-- > 0;) {
      sum.place[d] += rest % box.size[d];
      rest /= box.size[d];
    }
    sum.mine = mine;
    sum.theirs = theirs;
  }

  void compare_numbers(int v, int w, const Box& box, Difference& sum) {
    const StoredVariable& mine = nth(a_.variables(), v);
    const StoredVariable& theirs = nth(b_.variables(), w);
    const std::vector<double> ours = a_.values(v, box);
    const std::vector<double> others = b_.values(w, box);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i] == others[i]) continue;
      const bool is_mine_missing = mine.is_missing(ours[i]);
      const bool is_other_missing = theirs.is_missing(others[i]);
      if (is_mine_missing && is_other_missing) continue;
      if (!is_mine_missing && !is_other_missing) {
        const double by = std::abs(ours[i] - others[i]);
        const double room = tolerance_.absolute +
                            tolerance_.relative * std::max(std::abs(ours[i]), std::abs(others[i]));
        if (by <= room) continue;
        sum.largest = std::max(sum.largest, by);
      }
      note(sum, box, i, is_mine_missing ? "missing" : fmt::format("{}", ours[i]),
           is_other_missing ? "missing" : fmt::format("{}", others[i]));
    }
    if (mine.type == theirs.type && mine.value_bytes == 8 && mine.type.ends_with("int64")) {
      compare_long_integers(v, w, box, {ours, others}, sum);
    }
  }

  /// Compares integers that are equal as doubles.
  void compare_long_integers(int v, int w, const Box& box,
                             const std::array<std::span<const double>, 2>& as_double,
                             Difference& sum) {
    constexpr double exact = 9'007'199'254'740'992;  // below, double holds them
    const auto& [ours, others] = as_double;
    const bool is_large = std::any_of(ours.begin(), ours.end(),
                                      [](double value) { return std::abs(value) >= exact; });
    if (!is_large || tolerance_.absolute > 0 || tolerance_.relative > 0) return;
    const std::vector<std::int64_t> a = a_.long_integers(v, box);
    const std::vector<std::int64_t> b = b_.long_integers(w, box);
    const bool is_unsigned = nth(a_.variables(), v).type == "uint64";
    const auto text = [is_unsigned](std::int64_t value) {
      return is_unsigned ? fmt::format("{}", static_cast<std::uint64_t>(value))
                         : fmt::format("{}", value);
    };
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (a[i] == b[i] || ours[i] != others[i]) continue;
      sum.largest = std::max(sum.largest, std::abs(static_cast<double>(a[i] - b[i])));
      note(sum, box, i, text(a[i]), text(b[i]));
    }
  }

  void compare_texts(int v, int w, const Box& box, Difference& sum) {
    const std::string ours = a_.text(v, box);
    const std::string others = b_.text(w, box);
    for (std::size_t i = 0; i < ours.size(); ++i) {
      if (ours[i] == others[i]) continue;
      note(sum, box, i, fmt::format("'{}'", ours.c_str() + i),
           fmt::format("'{}'", others.c_str() + i));
    }
  }

  void compare_attributes(const std::string& owner, const std::vector<StoredAttribute>& mine,
                          const std::vector<StoredAttribute>& theirs) {
    const auto text_in = [](const std::vector<StoredAttribute>& list, const std::string& name) {
      const auto found = std::find_if(list.begin(), list.end(),
                                      [&](const StoredAttribute& a) { return a.name == name; });
      return found == list.end() ? std::string("none") : fmt::format("'{}'", found->text);
    };
    std::vector<std::string> names;
    for (const auto* list : {&mine, &theirs}) {
      for (const StoredAttribute& attribute : *list) {
        const bool is_old = std::find(names.begin(), names.end(), attribute.name) != names.end();
        const bool is_of_run =
            std::find(of_the_run.begin(), of_the_run.end(), attribute.name) != of_the_run.end();
        if (!is_old && !is_of_run) names.push_back(attribute.name);
      }
    }
    for (const std::string& name : names) {
      const std::string ours = text_in(mine, name);
      const std::string others = text_in(theirs, name);
      if (ours != others) {
        say(fmt::format("attribute '{}' of {}: {} and {}", name, owner, ours, others));
      }
    }
  }

  const DataFile& a_;
  const DataFile& b_;
  Tolerance tolerance_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> file_differences(const std::string& a, const std::string& b,
                                          const Tolerance& tolerance, bool with_attributes) {
  const DataFile first(a);
  const DataFile second(b);
  Comparison comparison(first, second, tolerance);
  comparison.compare_data();
  if (with_attributes) comparison.compare_attributes();
  return comparison.take();
}

}  // namespace epios::io
