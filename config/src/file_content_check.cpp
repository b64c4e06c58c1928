#include "file_content_check.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "config/time_axis.hpp"

namespace epios::config {

namespace {

class FileContentCheck {
 public:
  FileContentCheck(const Model& model, const File& file, const Origin& origin, Findings& findings)
      : model_(model), file_(file), origin_(origin), findings_(findings) {}

  void run() {
    const std::string counter = file_.attributes.time_counter_name.value_or("time_counter");
    add_dimension(counter, "the records");
    std::set<int> axes;
    std::set<int> domains;
    bool any_instant = false;
    bool any_centered = false;
    for (const int stream : file_.streams) {
      const Stream& its = model_.streams[static_cast<std::size_t>(stream)];
      (is_centered(its.sampling.operation) ? any_centered : any_instant) = true;
      if (its.grid < 0) continue;
      for (const GridElement& e : model_.grids[static_cast<std::size_t>(its.grid)].elements) {
        if (e.kind == GridElement::Kind::axis) axes.insert(e.index);
        if (e.kind == GridElement::Kind::domain) domains.insert(e.index);
      }
    }
    add_times(counter,
              time_axis(file_.attributes.time_counter.value_or(""), any_instant, any_centered));
    for (const int domain : domains) {
      add_domain(model_.domains[static_cast<std::size_t>(domain)], domains.size() > 1);
    }
    for (const int axis : axes) add_axis(model_.axes[static_cast<std::size_t>(axis)]);
    check_fields();
  }

 private:
  using Owners = std::unordered_map<std::string, std::string>;

  void add_times(const std::string& counter, const TimeAxis& axis) {
    if (axis.counter != CounterTime::none) add_time(counter);
    if (axis.has_instant) add_time("time_instant");
    if (axis.has_centered) add_time("time_centered");
  }

  void add_time(const std::string& name) {
    add_variable(name, "the records");
    add_variable(name + "_bounds", "the records");
  }

  void add_domain(const Domain& domain, bool is_one_of_several) {
    const DomainAttributes& a = domain.attributes;
    const std::string suffix = is_one_of_several ? "_" + domain.name : "";
    const std::string lon = a.lon_name.value_or("lon") + suffix;
    const std::string lat = a.lat_name.value_or("lat") + suffix;
    const std::string what = fmt::format("domain '{}'", domain.id);
    add_dimension(a.dim_j_name ? *a.dim_j_name + suffix : lat, what);
    add_dimension(a.dim_i_name ? *a.dim_i_name + suffix : lon, what);
    if (a.lonvalue_1d) add_variable(lon, what);
    if (a.latvalue_1d) add_variable(lat, what);
  }

  void add_axis(const Axis& axis) {
    const std::string what = fmt::format("axis '{}'", axis.id);
    add_dimension(axis.attributes.dim_name.value_or(axis.name), what);
    if (axis.attributes.value) add_variable(axis.name, what);
  }

  void add_dimension(const std::string& name, const std::string& what) {
    const auto [other, is_free] = dimensions_.emplace(name, what);
    if (is_free) return;
    findings_.error(origin_,
                    fmt::format("two dimensions of file '{}' have the name '{}'", file_.id, name),
                    fmt::format("one is of {}, one of {}", other->second, what),
                    "Give one of them another name.");
  }

  void add_variable(const std::string& name, const std::string& what) {
    variables_.emplace(name, what);
  }

  void check_fields() {
    for (const int stream : file_.streams) {
      const Stream& its = model_.streams[static_cast<std::size_t>(stream)];
      const auto found = variables_.find(its.name);
      if (found == variables_.end()) continue;
      findings_.error(
          origin_, fmt::format("field '{}' has the name '{}'", its.id, its.name),
          fmt::format("it is that of a coordinate in file '{}', of {}", file_.id, found->second),
          "Give one of them another name.");
    }
  }

  const Model& model_;
  const File& file_;
  const Origin& origin_;
  Findings& findings_;
  Owners dimensions_;
  Owners variables_;
};

}  // namespace

void check_file_content(const Model& model, const File& file, const Origin& origin,
                        Findings& findings) {
  FileContentCheck(model, file, origin, findings).run();
}

}  // namespace epios::config
