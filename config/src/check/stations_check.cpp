#include "check/stations_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "config/attributes.hpp"
#include "config/stations.hpp"

namespace epios::config {

namespace {

/// Attributes of the domain that follow from its points. (Those that have a default are not asked
/// for: resolved configurations have them all.)
constexpr std::array<std::string_view, 24> followers{"ibegin",        "ni",
                                                     "jbegin",        "nj",
                                                     "i_index",       "j_index",
                                                     "data_ni",       "data_nj",
                                                     "data_i_index",  "data_j_index",
                                                     "lonvalue_1d",   "latvalue_1d",
                                                     "lonvalue_2d",   "latvalue_2d",
                                                     "bounds_lon_1d", "bounds_lat_1d",
                                                     "bounds_lon_2d", "bounds_lat_2d",
                                                     "nvertex",       "mask_1d",
                                                     "mask_2d",       "area",
                                                     "area_1d",       "area_2d"};

class StationsCheck {
 public:
  StationsCheck(const LayoutContext& domain, const StationsElement& stations)
      : domain_(domain),
        node_(stations.node),
        resolved_(stations.resolved),
        is_alone_(stations.is_alone) {}

  bool run(DomainAttributes& attributes) {
    const bool is_plain = is_domain_plain();
    check_options();
    attributes.type = "unstructured";
    attributes.nj_glo = 1;
    const bool has_points = has_list() && are_points() && (!list_.is_section || is_path());
    if (!has_points || !is_plain) return false;
    if (!list_.is_section) check_names();
    const double count = count_of_points(list_);
    if (count > static_cast<double>(most_stations)) {
      refuse(list_.is_section ? "spacing_km" : "lon",
             fmt::format("there would be {:.0f} points (limit {})", count, most_stations));
      return false;
    }
    return is_size(attributes, static_cast<std::int64_t>(count));
  }

 private:
  std::string title() const { return fmt::format("<stations> of {}", domain_.title); }

  void refuse(std::string_view attribute, std::string why, std::string suggestion = {}) const {
    domain_.findings.error(Code::bad_transformation, origin_of(resolved_, attribute, node_),
                           fmt::format("attribute '{}' of {}", attribute, title()), std::move(why),
                           std::move(suggestion));
  }

  /// Warns about an attribute that another one makes void; false counts as not given.
  void warn_of(std::string_view attribute, const std::string& why) const {
    const Setting* const setting = resolved_.find(attribute);
    if (setting == nullptr || *setting->value == Value(false)) return;
    domain_.findings.warning(Code::without_effect, setting->origin,
                             fmt::format("attribute '{}' of {}", attribute, title()),
                             fmt::format("it has no effect: {}", why));
  }

  template <class T>
  const T* value(std::string_view attribute) const {
    const Setting* const setting = resolved_.find(attribute);
    return setting == nullptr ? nullptr : std::get_if<T>(&*setting->value);
  }

  bool is_broken() const {
    constexpr std::array<std::string_view, 6> all{"file",  "lon",     "lat",
                                                  "names", "section", "spacing_km"};
    return std::any_of(all.begin(), all.end(),
                       [this](std::string_view name) { return resolved_.is_broken(name); });
  }

  /// Returns true if the domain gives nothing that follows from the points.
  bool is_domain_plain() const {
    bool is_plain = true;
    if (!is_alone_) {
      domain_.findings.error(Code::bad_transformation, node_.origin, title(),
                             "a domain of stations is made by it alone",
                             "Put the other transformations into a domain of their own, and name "
                             "that in grid_path of the field?");
    }
    for (const std::string_view attribute : followers) {
      const Setting* const setting = domain_.resolved.find(attribute);
      if (setting == nullptr) continue;
      domain_.findings.error(Code::bad_transformation, setting->origin,
                             fmt::format("attribute '{}' of {}", attribute, domain_.title),
                             "it follows from <stations>", "Leave it out.");
      is_plain = false;
    }
    const Setting* const type = domain_.resolved.find("type");
    if (type == nullptr || *type->value == Value(std::string("unstructured"))) return is_plain;
    domain_.findings.error(Code::bad_transformation, type->origin,
                           fmt::format("attribute 'type' of {}", domain_.title),
                           "a domain of <stations> is unstructured", "Leave it out.");
    return false;
  }

  void check_options() {
    const std::string* const method = value<std::string>("method");
    const bool* const is_section = value<bool>("section");
    list_.is_section = is_section != nullptr && *is_section;
    check_length("max_distance_km");
    if (method != nullptr && *method == "bilinear") {
      warn_of("max_distance_km", "method is bilinear");
      warn_of("write_distance", "method is bilinear, which takes values of several cells");
    } else if (!resolved_.is_broken("method")) {
      warn_of("detect_missing_value", "method is not bilinear");
    }
    if (const double* const spacing = check_length("spacing_km")) list_.spacing_km = *spacing;
    if (list_.is_section) {
      warn_of("names", "points of a section have no names");
      warn_of("write_distance", "it is for stations, not for a section");
    } else if (!resolved_.is_broken("section")) {
      warn_of("spacing_km", "it is for a section (section=\"true\")");
    }
  }

  const double* check_length(std::string_view attribute) const {
    const double* const length = value<double>(attribute);
    if (length == nullptr || (*length > 0 && std::isfinite(*length))) return length;
    refuse(attribute, fmt::format("{} is no length above 0", *length));
    return nullptr;
  }

  /// Returns true if there are as many longitudes as latitudes.
  bool has_list() {
    if (is_broken()) return false;
    const Setting* const file = resolved_.find("file");
    const Setting* const lon = resolved_.find("lon");
    const Setting* const lat = resolved_.find("lat");
    if (file != nullptr && lon != nullptr && !lon->origin.call.is_file()) {
      refuse("lon", "file has the points", "Give one of them.");
      return false;
    }
    if (lon == nullptr && lat == nullptr) return is_absent(file);
    if (lon == nullptr || lat == nullptr) {
      refuse(lon == nullptr ? "lat" : "lon",
             fmt::format("it is given without '{}'", lon == nullptr ? "lon" : "lat"), "Give both.");
      return false;
    }
    list_.lon = std::get<value::reals>(*lon->value).values;
    list_.lat = std::get<value::reals>(*lat->value).values;
    if (list_.lon.empty() && list_.lat.empty()) {
      refuse("lon", "it has no values");
      return false;
    }
    if (list_.lon.size() == list_.lat.size()) return true;
    refuse("lat", fmt::format("it has {} values, lon has {}", list_.lat.size(), list_.lon.size()),
           "Give both of each point.");
    return false;
  }

  /// Reports that nothing says where the points are.
  bool is_absent(const Setting* file) const {
    if (file != nullptr) {
      Gap gap = domain_.gap;
      gap.attribute = "ni_glo";
      domain_.findings.missing(
          Code::no_size, file->origin, gap, title() + " has no points yet",
          fmt::format("file '{}' has not been read", std::get<std::string>(*file->value)),
          "Is it there?");
      return false;
    }
    domain_.findings.error(Code::bad_transformation, node_.origin, title() + " has no points",
                           "nothing says where they are",
                           "Add file=\"stations.csv\", or lon and lat.");
    return false;
  }

  bool are_points() const {
    const auto check = [this](std::string_view attribute, const std::vector<double>& values,
                              double most, std::string_view what) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        if (std::abs(values[k]) <= most) continue;  // false for NaN
        refuse(attribute, fmt::format("value {} (of point {}) is no {}: it is not from {} to {}",
                                      values[k], k + 1, what, -most, most));
        return false;
      }
      return true;
    };
    constexpr double around = 360;
    constexpr double pole = 90;
    const bool has_lon = check("lon", list_.lon, around, "longitude");
    return check("lat", list_.lat, pole, "latitude") && has_lon;
  }

  /// Returns true if each leg of a section has a length and one great circle.
  bool is_path() const {
    if (list_.lon.size() < 2) {
      refuse("lon", "a section has two points at least");
      return false;
    }
    constexpr double least_km = 1e-6;
    static const double most_km = distance_km(0, 0, 180, 0) - 1e-3;
    for (std::size_t k = 1; k < list_.lon.size(); ++k) {
      const double km = distance_km(list_.lon[k - 1], list_.lat[k - 1], list_.lon[k], list_.lat[k]);
      if (km > least_km && km < most_km) continue;
      refuse("lon", km > least_km
                        ? fmt::format("points {} and {} of the section are opposite each other, "
                                      "and many great circles lead from one to the other",
                                      k, k + 1)
                        : fmt::format("points {} and {} of the section are the same", k, k + 1));
      return false;
    }
    return true;
  }

  void check_names() const {
    const auto* const names = value<value::strings>("names");
    if (names == nullptr) return;
    if (names->values.size() != list_.lon.size()) {
      return refuse(
          "names",
          fmt::format("it has {} values, lon has {}", names->values.size(), list_.lon.size()),
          "Give a name to each station.");
    }
    std::map<std::string_view, std::size_t> seen;
    for (std::size_t k = 0; k < names->values.size(); ++k) {
      const std::string& name = names->values[k];
      if (name.empty()) return refuse("names", fmt::format("station {} has no name", k + 1));
      const auto [first, is_new] = seen.emplace(name, k + 1);
      if (is_new) continue;
      return refuse(
          "names",
          fmt::format("stations {} and {} are both called '{}'", first->second, k + 1, name),
          "CF knows stations by their names: give each its own.");
    }
  }

  bool is_size(DomainAttributes& attributes, std::int64_t count) const {
    for (const auto& [name, size, wanted] :
         {std::tuple{"ni_glo", &DomainAttributes::ni_glo, count},
          std::tuple{"nj_glo", &DomainAttributes::nj_glo, std::int64_t{1}}}) {
      const Setting* const given = domain_.resolved.find(name);
      const std::int64_t* const n =
          given == nullptr ? nullptr : std::get_if<std::int64_t>(&*given->value);
      attributes.*size = wanted;
      if (n == nullptr || *n == wanted || *n == 0) continue;
      domain_.findings.error(
          Code::bad_size, given->origin, fmt::format("attribute '{}' of {}", name, domain_.title),
          fmt::format("it is {}, <stations> has {} point{}", *n, count, count == 1 ? "" : "s"),
          "Leave it out.");
      return false;
    }
    return true;
  }

  const LayoutContext& domain_;
  const Node& node_;
  const Resolved& resolved_;
  bool is_alone_;
  StationList list_;
};

}  // namespace

bool complete_stations(const LayoutContext& domain, const StationsElement& stations,
                       DomainAttributes& attributes) {
  return StationsCheck(domain, stations).run(attributes);
}

}  // namespace epios::config
