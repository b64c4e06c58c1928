// Checks that a transformation has what it needs: mandatory attributes, attributes that belong
// together, sizes, and a place where it can run. The tables at the top state the rules.
#include "check/transformation_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/transformation_traits.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

/// Attributes that a transformation has all of or none.
std::vector<std::string_view> together(ElementKind kind) {
  if (kind == ElementKind::extract_domain) return {"ibegin", "ni", "jbegin", "nj"};
  return {};
}

/// The smallest value of attributes that count or point.
std::int64_t smallest(std::string_view attribute) {
  const bool is_count =
      attribute == "n" || attribute == "ni" || attribute == "nj" || attribute == "order";
  return is_count ? 1 : 0;
}

/// Attributes that name fields with coordinates of columns.
constexpr std::array<std::string_view, 3> column_fields{"coordinate", "coordinate_src",
                                                        "coordinate_dst"};

class TransformationCheck {
 public:
  TransformationCheck(const Node& node, const Resolved& resolved, const Node& element,
                      const Resolved& of_element, std::string_view context, Findings& findings)
      : node_(node),
        resolved_(resolved),
        element_(element),
        of_element_(of_element),
        context_(context),
        findings_(findings),
        traits_(traits_of(node.kind)) {}

  void run() {
    for (const std::string_view attribute : split_words(traits_.required)) {
      if (is_given(attribute)) continue;
      findings_.error(Code::bad_transformation, node_.origin,
                      fmt::format("<{}> of {} has no {}", tag(), element_.title(), attribute),
                      "it is mandatory",
                      fmt::format("Add {}=\"{}\"?", attribute, example(attribute)));
    }
    check_together();
    check_numbers();
    if (node_.kind == ElementKind::extract_axis && is_given("index") &&
        (resolved_.find("begin") != nullptr || resolved_.find("n") != nullptr)) {
      refuse("index", "begin and n say what is extracted too", "Give index, or begin and n.");
    }
    if (traits_.work == TransformationWork::redistribution) check_redistribution();
    if (word("place", "client") == "server") check_place();
    if (node_.kind == ElementKind::interpolate_domain) check_interpolation();
    if (node_.kind == ElementKind::interpolate_axis) check_columns();
    if (node_.kind == ElementKind::smooth_axis) check_window();
    if (node_.kind == ElementKind::coarsen_domain) check_share();
    if (node_.kind == ElementKind::generate_rectilinear_domain) {
      check_no_pixels();
      check_line("lon", "ni_glo");
      check_line("lat", "nj_glo");
    }
    if (node_.kind == ElementKind::compute_connectivity_domain) {
      for (const std::string_view output : {"n_neighbor", "local_neighbor", "n_neighbor_max"}) {
        warn_of(output, "it is worked out, and read back once definitions are closed");
      }
    }
  }

 private:
  std::string_view tag() const { return name(node_.kind); }

  /// Also when it does not parse, which is reported already.
  bool is_given(std::string_view attribute) const {
    return resolved_.find(attribute) != nullptr || resolved_.is_broken(attribute);
  }

  std::string_view example(std::string_view attribute) const {
    const AttributeInfo* row = find_attribute(node_.kind, attribute);
    if (row->type == ValueType::word) return split_words(row->words).front();
    return attribute == "n" ? "3" : "0";  // the shortest window
  }

  std::string problem(std::string_view attribute) const {
    return fmt::format("attribute '{}' of <{}> of {}", attribute, tag(), element_.title());
  }

  Gap gap(std::string_view attribute) const {
    const auto id_of = [](const Node& node) { return node.has_automatic_id ? "" : node.id; };
    return {std::string(context_),
            std::string(tag()),
            id_of(node_),
            std::string(attribute),
            std::string(name(element_.kind)),
            id_of(element_)};
  }

  void refuse(std::string_view attribute, std::string why, std::string suggestion = {}) {
    findings_.error(Code::bad_transformation, origin_of(resolved_, attribute, node_),
                    problem(attribute), std::move(why), std::move(suggestion));
  }

  void check_no_pixels() {
    const Setting* const type = of_element_.find("type");
    if (type == nullptr || *type->value != Value(std::string("healpix"))) return;
    findings_.error(Code::bad_transformation, node_.origin,
                    fmt::format("<{}> of {}", tag(), element_.title()),
                    "a domain of type healpix has coordinates of its own", "Leave it out.");
  }

  /// Warns about an attribute that another one makes void; false counts as not given.
  void warn_of(std::string_view attribute, const std::string& why) {
    const Setting* const setting = resolved_.find(attribute);
    if (setting == nullptr) return;
    const bool* const flag = std::get_if<bool>(&*setting->value);
    if (flag != nullptr && !*flag) return;
    findings_.warning(Code::without_effect, origin_of(resolved_, attribute, node_),
                      problem(attribute), fmt::format("it has no effect: {}", why));
  }

  std::string word(std::string_view attribute, std::string_view otherwise) const {
    const Setting* const setting = resolved_.find(attribute);
    return setting == nullptr ? std::string(otherwise) : std::get<std::string>(*setting->value);
  }

  void check_place() {
    std::string why(why_not_on_servers(traits_.work));
    const bool has_fields = node_.kind == ElementKind::interpolate_axis && has_column_fields();
    if (has_fields) why = "it has coordinate fields, which stay on clients";
    if (why.empty()) return;
    findings_.error(Code::bad_place, origin_of(resolved_, "place", node_), problem("place"),
                    std::move(why), "Remove it, or write place=\"client\".");
  }

  bool has_column_fields() const {
    return std::any_of(
        column_fields.begin(), column_fields.end(),
        [this](std::string_view attribute) { return resolved_.find(attribute) != nullptr; });
  }

  void check_interpolation() {
    const std::string method = word("method", "conservative");
    if (method != "conservative") {
      for (const std::string_view attribute :
           {"order", "renormalize", "cover", "quantity", "use_area"}) {
        warn_of(attribute, fmt::format("method is {}", method));
      }
    } else if (const Setting* const cover = resolved_.find("cover")) {
      check_cover(std::get<double>(*cover->value));
    }
    const std::string mode = word("mode", "compute");
    if (mode == "read") warn_of("write_weight", "weights are read (mode)");
    const Setting* const writes = resolved_.find("write_weight");
    if (mode != "compute" || (writes != nullptr && std::get<bool>(*writes->value))) return;
    for (const std::string_view attribute : {"weight_filename", "read_write_convention"}) {
      warn_of(attribute, "no weights are read (mode) or written (write_weight)");
    }
  }

  void check_cover(double part) {
    if (!(part > 0 && part <= 1)) {
      refuse("cover", fmt::format("{} is not above 0 and up to 1", part),
             "Write a part such as \"0.5\".");
    }
    const auto is_set = [this](std::string_view flag) {
      const Setting* const setting = resolved_.find(flag);
      return setting != nullptr && std::get<bool>(*setting->value);
    };
    if (is_set("quantity")) {
      refuse("cover", "with quantity, target cells get totals of what covers them",
             "Leave out one of them.");
    }
    if (is_set("use_area")) {
      refuse("cover", "with use_area, weights are no parts of the area that cells cover",
             "Leave out one of them.");
    }
  }

  void check_share() {
    const Setting* const share = resolved_.find("min_valid_share");
    if (share == nullptr) return;
    const double part = std::get<double>(*share->value);
    if (part >= 0 && part <= 1) return;
    refuse("min_valid_share", fmt::format("{} is not from 0 to 1", part),
           "Write a part such as \"0.5\".");
  }

  void check_columns() {
    if (word("type", "polynomial") != "polynomial") warn_of("type", "there is polynomial alone");
    if (resolved_.find("coordinate_src") != nullptr) {
      warn_of("coordinate", "coordinate_src is its new name, and given");
    }
    if (!has_column_fields()) {
      warn_of("extrapolate",
              "without coordinate fields there are no values beyond the outermost points");
    }
  }

  void check_window() {
    const Setting* const n = resolved_.find("n");
    if (n == nullptr) return;
    const std::int64_t levels = std::get<std::int64_t>(*n->value);
    if (levels > 0 && levels % 2 == 0) {
      refuse("n", fmt::format("of {} levels none is in the middle", levels),
             fmt::format("Write n=\"{}\" or n=\"{}\".", levels - 1, levels + 1));
    }
    if (const Setting* const weights = resolved_.find("weights")) {
      check_weights(std::get<value::reals>(*weights->value).values, levels);
    }
  }

  void check_weights(const std::vector<double>& weights, std::int64_t levels) {
    if (levels > 0 && static_cast<std::int64_t>(weights.size()) != levels) {
      return refuse("weights", fmt::format("it has {} values, n is {}", weights.size(), levels),
                    "Give one for each level of the window.");
    }
    const auto wrong = std::find_if(weights.begin(), weights.end(), [](double weight) {
      return !(weight >= 0) || std::isinf(weight);
    });
    if (wrong != weights.end()) {
      return refuse("weights", fmt::format("{} is no weight", *wrong),
                    "Give numbers from 0 on, of which one at least is more.");
    }
    if (std::none_of(weights.begin(), weights.end(), [](double w) { return w > 0; })) {
      refuse("weights", "no level has a part in the mean",
             "Give numbers from 0 on, of which one at least is more.");
    }
  }

  /// Centres decide over edges, but the edges of one cell alone say how wide it is.
  void check_line(const std::string& direction, std::string_view size) {
    const std::string start = direction + "_start";
    const std::string end = direction + "_end";
    const bool has_start = resolved_.find(start) != nullptr;
    const bool has_end = resolved_.find(end) != nullptr;
    const Setting* const cells = of_element_.find(size);
    if (has_start && has_end && (cells == nullptr || std::get<std::int64_t>(*cells->value) <= 1)) {
      return;
    }
    const std::string why = has_start && has_end
                                ? fmt::format("{} and {} are given", start, end)
                                : fmt::format("{} is given", has_end ? end : start);
    if (has_start) warn_of("bounds_" + start, why);
    if (has_end) warn_of("bounds_" + end, why);
  }

  /// Lists are of type index, which each client has its own of.
  void check_redistribution() {
    const Setting* const type = resolved_.find("type");
    const bool is_listed = type != nullptr && std::get<std::string>(*type->value) == "index";
    if (is_listed && !is_given("index")) {
      findings_.missing(Code::bad_transformation, origin_of(resolved_, "type", node_), gap("index"),
                        problem("type"), "it needs the attribute 'index'",
                        "Set index in XML or from the model.");
    }
    for (const std::string_view attribute : {"index", "mask"}) {
      if (is_listed || resolved_.find(attribute) == nullptr) continue;
      findings_.warning(Code::bad_transformation, origin_of(resolved_, attribute, node_),
                        problem(attribute), "it has no effect: type is not index",
                        "Add type=\"index\"?");
    }
    const Setting* const index = resolved_.find("index");
    const Setting* const mask = resolved_.find("mask");
    if (!is_listed || index == nullptr || mask == nullptr) return;
    const std::size_t points = std::get<value::integers>(*index->value).values.size();
    const std::size_t flags = std::get<value::booleans>(*mask->value).values.size();
    if (points != flags) {
      refuse("mask", fmt::format("it has {} values, index has {}", flags, points),
             "Give one for each point of index.");
    }
  }

  void check_together() {
    const std::vector<std::string_view> attributes = together(node_.kind);
    std::vector<std::string_view> given;
    for (const std::string_view attribute : attributes) {
      if (is_given(attribute)) given.push_back(attribute);
    }
    if (given.empty() || given.size() == attributes.size()) return;
    const auto open = std::find_if(attributes.begin(), attributes.end(),
                                   [&](std::string_view a) { return !is_given(a); });
    findings_.missing(Code::bad_transformation, node_.origin, gap(*open),
                      fmt::format("<{}> of {} has {}", tag(), element_.title(), joined(given)),
                      fmt::format("a window is all of {}", joined(attributes)),
                      "Give all of them, or none for the whole domain.");
  }

  void check_numbers() {
    constexpr std::array<std::string_view, 8> attributes{"ibegin", "ni", "jbegin",   "nj",
                                                         "begin",  "n",  "position", "order"};
    for (const std::string_view attribute : attributes) {
      const Setting* setting = resolved_.find(attribute);
      if (setting == nullptr || setting->row->since == "none") continue;
      const std::int64_t number = std::get<std::int64_t>(*setting->value);
      if (number >= smallest(attribute)) continue;
      if (number == 0 && attribute != "order") {  // stands for what the model will set
        findings_.missing(Code::bad_transformation, setting->origin, gap(attribute),
                          problem(attribute), "0 is no size",
                          fmt::format("Set {} in XML or from the model.", attribute));
        continue;
      }
      refuse(attribute, fmt::format("{} is less than {}", number, smallest(attribute)));
    }
  }

  const Node& node_;
  const Resolved& resolved_;
  const Node& element_;
  const Resolved& of_element_;
  std::string_view context_;
  Findings& findings_;
  const TransformationTraits& traits_;
};

}  // namespace

void check_transformation(const Node& transformation, const Resolved& resolved, const Node& element,
                          const Resolved& of_element, std::string_view context,
                          Findings& findings) {
  TransformationCheck(transformation, resolved, element, of_element, context, findings).run();
}

}  // namespace epios::config
