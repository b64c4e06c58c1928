#include "check/file_content_check.hpp"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "config/element_names.hpp"
#include "config/time_axis.hpp"

namespace epios::config {

namespace {

class FileContentCheck {
 public:
  FileContentCheck(const Model& model, const File& file, const Origin& origin, Findings& findings)
      : model_(model), file_(file), origin_(origin), findings_(findings) {}

  void run() {
    bool any_instant = false;
    bool any_centered = false;
    for (const int stream : file_.streams) {
      const Operation operation = stream_at(stream).sampling.operation;
      (is_centered(operation) ? any_centered : any_instant) = true;
    }
    add_times(time_axis(file_.attributes.time_counter.value_or(""), any_instant, any_centered));
    const FileNames names(model_, file_);
    for (const SharedElement& element : names.elements()) add(element);
    check_fields();
  }

 private:
  const Stream& stream_at(int stream) const {
    return model_.streams[static_cast<std::size_t>(stream)];
  }

  void add_times(const TimeAxis& axis) {
    const std::string counter = file_.attributes.time_counter_name.value_or("time_counter");
    if (axis.counter != CounterTime::none) add_time(counter);
    if (axis.has_instant) add_time("time_instant");
    if (axis.has_centered) add_time("time_centered");
  }

  void add_time(const std::string& name) {
    variables_.emplace(name, "the records");
    variables_.emplace(name + "_bounds", "the records");
  }

  /// Coordinates that are written: those with values.
  void add(const SharedElement& element) {
    for (const GridElement& member : element.members) {
      const auto at = static_cast<std::size_t>(member.index);
      if (member.kind == GridElement::Kind::axis && model_.axes[at].attributes.value) {
        add(element.names.coordinates[0], fmt::format("axis '{}'", model_.axes[at].id));
      } else if (member.kind == GridElement::Kind::domain) {
        const DomainAttributes& domain = model_.domains[at].attributes;
        const std::string what = fmt::format("domain '{}'", model_.domains[at].id);
        if (domain.latvalue_1d || domain.latvalue_2d) add(element.names.coordinates[0], what);
        if (domain.lonvalue_1d || domain.lonvalue_2d) add(element.names.coordinates[1], what);
      }
    }
  }

  void add(const std::string& name, const std::string& what) { variables_.emplace(name, what); }

  void check_fields() {
    for (const int stream : file_.streams) {
      const Stream& its = stream_at(stream);
      const auto found = variables_.find(its.name);
      if (found == variables_.end()) continue;
      findings_.error(
          Code::name_of_coordinate, origin_,
          fmt::format("field '{}' has the name '{}'", its.id, its.name),
          fmt::format("it is that of a coordinate in file '{}', of {}", file_.id, found->second),
          "Give one of them another name.");
    }
  }

  const Model& model_;
  const File& file_;
  const Origin& origin_;
  Findings& findings_;
  std::unordered_map<std::string, std::string> variables_;  ///< and what they belong to
};

}  // namespace

void check_file_content(const Model& model, const File& file, const Origin& origin,
                        Findings& findings) {
  FileContentCheck(model, file, origin, findings).run();
}

}  // namespace epios::config
