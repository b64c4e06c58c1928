// Checks that variables of a file have names of their own, and that fields and format go together.
// It looks at time variables first, then at fields against coordinates.
#include "check/file_content_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "check/compression_check.hpp"
#include "config/element_names.hpp"
#include "config/file_format.hpp"
#include "config/model.hpp"
#include "config/time_axis.hpp"

namespace epios::config {

namespace {

class FileContentCheck {
 public:
  FileContentCheck(const Model& model, const File& file, const Origin& origin, Findings& findings)
      : model_(model), file_(file), origin_(origin), findings_(findings) {}

  void run() {
    const Stream* instant = nullptr;
    const Stream* centered = nullptr;
    for (const StreamId stream : file_.streams) {
      const Stream& its = stream_at(stream);
      if (!has_time(its.sampling.operation)) continue;
      const Stream*& first = is_centered(its.sampling.operation) ? centered : instant;
      if (first == nullptr) first = &its;
    }
    add_times(time_axis(file_.attributes.time_counter.value_or(""), instant != nullptr,
                        centered != nullptr));
    if (instant != nullptr && centered != nullptr) check_times(*instant, *centered);
    const FileNames names(model_, file_);
    for (const SharedElement& element : names.elements()) add(element);
    check_fields();
    if (file_.attributes.append.value_or(false) &&
        file_.attributes.record_offset.value_or(0) != 0) {
      findings_.error(
          Code::bad_kind, origin_,
          fmt::format("record_offset '{}' of file '{}'", *file_.attributes.record_offset, file_.id),
          "with append=\"true\" the number of a record follows from those in the file",
          "Remove one of the two.");
    }
    if (file_.attributes.append.value_or(false) &&
        file_.attributes.overwrite.value_or("always") == "never") {
      findings_.error(
          Code::bad_kind, origin_, fmt::format("overwrite=\"never\" of file '{}'", file_.id),
          "with append=\"true\" an existing file is continued", "Remove one of the two.");
    }
    if (file_.attributes.type.value_or("one_file") == "multiple_file") check_apart();
    check_format();
    for (const StreamId stream : file_.streams) {
      check_compression(stream_at(stream), file_, origin_, findings_);
    }
  }

 private:
  const Stream& stream_at(StreamId stream) const { return model_.streams[stream]; }

  void add_times(const TimeAxis& axis) {
    const std::string counter = file_.attributes.time_counter_name.value_or("time_counter");
    if (axis.counter != CounterTime::none) add_time(counter);
    if (axis.has_instant) add_time("time_instant");
    if (axis.has_centered) add_time("time_centered");
  }

  /// They share the dimension of records, and with it its coordinate. Many files are so: a note,
  /// where nothing worse is wrong.
  void check_times(const Stream& instant, const Stream& centered) {
    if (file_.attributes.time_counter || findings_.is_compatible() || findings_.has_errors())
      return;
    findings_.add(
        Severity::note, Code::bad_kind, origin_,
        fmt::format("file '{}' has field '{}' of instants and field '{}' of periods", file_.id,
                    instant.name, centered.name),
        fmt::format("its {} is that of the periods, their middle; the dates of the instants are in "
                    "time_instant",
                    file_.attributes.time_counter_name.value_or("time_counter")),
        "Give them a file each, or say time_counter=\"centered\" if it is meant so.");
  }

  void add_time(const std::string& name) {
    variables_.emplace(name, "the records");
    variables_.emplace(name + "_bounds", "the records");
  }

  /// Coordinates that are written: those with values.
  void add(const SharedElement& element) {
    for (const GridElement& member : element.members) {
      if (member.kind == GridElement::Kind::axis && model_.axes[member.axis()].attributes.value) {
        add(element.names.coordinates[0], fmt::format("axis '{}'", model_.axes[member.axis()].id));
      } else if (member.kind == GridElement::Kind::domain) {
        const DomainAttributes& domain = model_.domains[member.domain()].attributes;
        const std::string what = fmt::format("domain '{}'", model_.domains[member.domain()].id);
        if (domain.latvalue_1d || domain.latvalue_2d) add(element.names.coordinates[0], what);
        if (domain.lonvalue_1d || domain.lonvalue_2d) add(element.names.coordinates[1], what);
      }
    }
  }

  void add(const std::string& name, const std::string& what) { variables_.emplace(name, what); }

  void check_fields() {
    for (const StreamId stream : file_.streams) {
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

  void check_format() {
    const FileFormatTraits& format = traits_of(format_of(file_.attributes));
    constexpr std::int64_t most = 64;
    const std::int64_t writers = file_.attributes.writers_per_process.value_or(1);
    if (writers < 1 || writers > most) {
      findings_.error(Code::bad_kind, origin_,
                      fmt::format("writers_per_process '{}' of file '{}'", writers, file_.id),
                      fmt::format("1 to {} endpoints of a process write a file", most),
                      "Write 2, or leave it out.");
    } else if (writers > 1 && !format.is_written_by_endpoints) {
      findings_.error(Code::bad_kind, origin_,
                      fmt::format("writers_per_process '{}' of file '{}'", writers, file_.id),
                      format.is_folder
                          ? "chunks of a store are compressed by several threads of a process and "
                            "written by one"
                          : "HDF5 writes NetCDF-4 by one thread of a process",
                      "Use format=\"cdf5\", or leave it out.");
    }
    check_store(format);
    if (format.has_chunks) return;
    for (const StreamId stream : file_.streams) {
      const Stream& its = stream_at(stream);
      const std::int64_t level = its.attributes.compression_level.value_or(0);
      if (level == 0 || its.attributes.compression_type.value_or("gzip") == "None") continue;
      findings_.error(Code::bad_kind, origin_,
                      fmt::format("compression_level '{}' of field '{}'", level, its.id),
                      fmt::format("file '{}' has the format {}, which has no compression", file_.id,
                                  format.word),
                      "Use format=\"netcdf4\", or compression_level=\"0\".");
    }
  }

  /// Checks what stores of Zarr alone can do, and what is done for their readers.
  void check_store(const FileFormatTraits& format) {
    const FileAttributes& a = file_.attributes;
    if (a.references && (!format.has_chunks || format.is_folder)) {
      findings_.error(Code::bad_kind, origin_,
                      fmt::format("references=\"{}\" of file '{}'", *a.references, file_.id),
                      fmt::format("a file of format {} has no chunks to refer to", format.word),
                      "Use format=\"netcdf4\", or leave it out.");
    }
    if (a.live.value_or(false) && !format.is_folder) {
      findings_.error(
          Code::bad_kind, origin_, fmt::format("live=\"true\" of file '{}'", file_.id),
          fmt::format("a file of format {} can be read when it is complete", format.word),
          "Use format=\"zarr\", or leave it out.");
    }
    if (format.format == FileFormat::zarr3) check_reserved_names();
  }

  /// Each variable is a node of the store (Zarr 3, "Node names").
  void check_reserved_names() {
    std::set<std::string> names;
    for (const auto& [name, what] : variables_) names.insert(name);
    for (const StreamId stream : file_.streams) names.insert(stream_at(stream).name);
    for (const std::string& name : names) {
      if (!name.starts_with("__")) continue;
      findings_.error(Code::bad_kind, origin_, fmt::format("'{}' in file '{}'", name, file_.id),
                      "Zarr 3 reserves names that begin with '__'", "Give it another name.");
    }
  }

  /// Writers have rows of domains: which, must follow from the domain.
  void check_apart() {
    if (file_.attributes.convention.value_or("CF") == "UGRID") {
      findings_.error(
          Code::bad_kind, origin_,
          fmt::format("file '{}' with convention=\"UGRID\" and type=\"multiple_file\"", file_.id),
          "a mesh stands in one file", "Use type=\"one_file\".");
    }
    for (const StreamId stream : file_.streams) {
      const Stream& its = stream_at(stream);
      const Grid& grid = model_.grids[its.grid];
      const auto domains =
          std::count_if(grid.elements.begin(), grid.elements.end(),
                        [](const auto& e) { return e.kind == GridElement::Kind::domain; });
      if (domains < 2) continue;
      findings_.error(Code::bad_kind, origin_,
                      fmt::format("field '{}' has {} domains", its.id, domains),
                      fmt::format("with type=\"multiple_file\" each server writes rows of one "
                                  "domain into its own file '{}'",
                                  file_.id),
                      "Write it to a file of type=\"one_file\".");
    }
    constexpr std::int64_t most_digits = 20;
    const std::int64_t digits = file_.attributes.min_digits.value_or(0);
    if (digits >= 0 && digits <= most_digits) return;
    findings_.error(Code::bad_kind, origin_,
                    fmt::format("min_digits '{}' of file '{}'", digits, file_.id),
                    fmt::format("a number in a name has 0 to {} digits", most_digits),
                    "Write 4, or leave it out.");
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
