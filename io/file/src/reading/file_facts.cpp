// Collects the metadata of a file for a question: all dimensions and variables, and the attributes
// of the variables in question and of those that they name. Dates are read last.
#include "file/file_facts.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

#include "chunks/filter_plugin.hpp"
#include "config/error.hpp"
#include "config/file_dates.hpp"
#include "config/index.hpp"
#include "disk/breakdown_watch.hpp"
#include "disk/hdf5_handle.hpp"
#include "file/data_file.hpp"
#include "reading/attributes.hpp"
#include "reading/classic_header.hpp"
#include "reading/station_list.hpp"

namespace epios::io {

namespace {

/// Attributes that say what a variable is, or name other variables.
constexpr std::array<const char*, 14> wanted{"units",
                                             "standard_name",
                                             "axis",
                                             "coordinates",
                                             "bounds",
                                             "mesh",
                                             "location",
                                             "start_index",
                                             "calendar",
                                             "_FillValue",
                                             "node_coordinates",
                                             "edge_coordinates",
                                             "face_coordinates",
                                             "cf_role"};
constexpr std::array<const char*, 2> connectivities{"face_node_connectivity",
                                                    "edge_node_connectivity"};

/// Returns true if the text of the attribute contains names of variables.
bool names_variables(std::string_view attribute) {
  return attribute == "coordinates" || attribute == "bounds" || attribute == "mesh" ||
         attribute.ends_with("_coordinates") || attribute.ends_with("_connectivity");
}

/// An open file; complaints are texts.
class Look {
 public:
  explicit Look(config::FileFacts& facts) : facts_(facts) {}
  Look(const Look&) = delete;
  Look(Look&&) = delete;
  Look& operator=(const Look&) = delete;
  Look& operator=(Look&&) = delete;
  ~Look() {
    if (file_ >= 0) static_cast<void>(nc_close(file_));
  }

  void leave_open(OpenFiles& open) { open.keep(facts_.path, std::exchange(file_, -1)); }

  void look(const config::FileQuestion& question) {
    const std::vector<std::string>& variables = question.variables;
    if (!good(open_with_filters(facts_.path, file_))) return;
    if (!read_dimensions() || !read_variables()) return;
    facts_.sort_names();
    std::vector<std::string> names = variables;
    if (names.empty()) {
      for (const auto& variable : facts_.variables) names.push_back(variable.name);
    }
    for (const auto& dimension : facts_.dimensions) names.push_back(dimension.name);
    add_alike(variables, names);
    // Inspected variables name others.
    std::set<std::string> seen;
    for (std::size_t n = 0; n < names.size(); ++n) {
      if (!seen.insert(names[n]).second) continue;
      read_attributes(names[n], names);
    }
    if (question.wants_dates) read_dates();
  }

 private:
  bool good(int status) {
    if (status != NC_NOERR && facts_.error.empty()) facts_.error = nc_strerror(status);
    return status == NC_NOERR;
  }

  bool read_dimensions() {
    int count = 0;
    if (!good(nc_inq_dimids(file_, &count, nullptr, 0))) return false;
    ids_.resize(static_cast<std::size_t>(count));
    if (!good(nc_inq_dimids(file_, &count, ids_.data(), 0))) return false;
    if (!good(nc_inq_unlimdims(file_, &count, nullptr))) return false;
    std::vector<int> unlimited(static_cast<std::size_t>(count));
    if (!good(nc_inq_unlimdims(file_, &count, unlimited.data()))) return false;
    for (const int id : ids_) {
      std::array<char, NC_MAX_NAME + 1> name = {};
      std::size_t length = 0;
      if (!good(nc_inq_dim(file_, id, name.data(), &length))) return false;
      const bool grows = std::find(unlimited.begin(), unlimited.end(), id) != unlimited.end();
      facts_.dimensions.push_back({name.data(), static_cast<std::int64_t>(length), grows});
    }
    return true;
  }

  bool read_variables() {
    int count = 0;
    if (!good(nc_inq_nvars(file_, &count))) return false;
    for (int v = 0; v < count; ++v) {
      std::array<char, NC_MAX_NAME + 1> name = {};
      std::array<int, NC_MAX_VAR_DIMS> ids = {};
      nc_type type = NC_NAT;
      int rank = 0;
      if (!good(nc_inq_var(file_, v, name.data(), &type, &rank, ids.data(), nullptr))) return false;
      config::FileFacts::Variable variable;
      variable.name = name.data();
      variable.holds_numbers = type != NC_CHAR && type != NC_STRING && type <= NC_MAX_ATOMIC_TYPE;
      for (int d = 0; d < rank; ++d) {
        const auto at = std::find(ids_.begin(), ids_.end(), ids.at(static_cast<std::size_t>(d)));
        if (at == ids_.end()) {
          facts_.error =
              fmt::format("variable '{}' has a dimension that the file has not", variable.name);
          return false;
        }
        variable.dimensions.push_back(static_cast<int>(at - ids_.begin()));
      }
      facts_.variables.push_back(std::move(variable));
    }
    return true;
  }

  /// Coordinates that nothing names: variables over the last dimensions of those that are asked
  /// for.
  void add_alike(const std::vector<std::string>& variables, std::vector<std::string>& names) {
    std::set<std::vector<int>> shapes;
    for (const std::string& name : variables) {
      const auto* variable = facts_.find(name);
      if (variable == nullptr) continue;
      for (std::size_t most = 1; most <= 2 && most <= variable->dimensions.size(); ++most) {
        shapes.insert({variable->dimensions.end() - static_cast<std::ptrdiff_t>(most),
                       variable->dimensions.end()});
      }
    }
    std::size_t added = 0;
    for (const auto& variable : facts_.variables) {
      if (!shapes.contains(variable.dimensions) || ++added > most_alike) continue;
      names.push_back(variable.name);
    }
  }

  void read_attributes(const std::string& name, std::vector<std::string>& names) {
    const auto* const known = facts_.find(name);
    if (known == nullptr) return;
    const auto id = static_cast<int>(known - facts_.variables.data());
    auto& variable = nth(facts_.variables, id);
    // Most of thousands of variables have few attributes: asks only for those that exist.
    const std::vector<std::string> there = attributes_of(id);
    const auto take = [&](const char* attribute) {
      if (std::find(there.begin(), there.end(), attribute) == there.end()) return;
      std::string text = text_of(id, attribute);
      if (text.empty()) return;
      if (names_variables(attribute)) add_words(text, names);
      variable.attributes.push_back({attribute, std::move(text)});
    };
    for (const char* attribute : wanted) take(attribute);
    for (const char* attribute : connectivities) take(attribute);
  }

  std::vector<std::string> attributes_of(int variable) const {
    int count = 0;
    if (nc_inq_varnatts(file_, variable, &count) != NC_NOERR) return {};
    std::vector<std::string> names;
    for (int a = 0; a < count; ++a) {
      std::array<char, NC_MAX_NAME + 1> name = {};
      if (nc_inq_attname(file_, variable, a, name.data()) == NC_NOERR) {
        names.emplace_back(name.data());
      }
    }
    return names;
  }

  /// Reads the values of variables along one dimension whose units are dates.
  void read_dates() {
    for (std::size_t v = 0; v < facts_.variables.size(); ++v) {
      auto& variable = facts_.variables[v];
      if (variable.dimensions.size() != 1 || !variable.holds_numbers) continue;
      const std::string units = text_of(static_cast<int>(v), "units");
      if (!config::say_dates(units)) continue;
      if (variable.attribute("units").empty()) {
        variable.attributes.push_back({"units", units});
        variable.attributes.push_back({"calendar", text_of(static_cast<int>(v), "calendar")});
      }
      const auto count = static_cast<std::size_t>(facts_.length(variable.dimensions.front()));
      const std::size_t begin = 0;
      variable.dates.resize(count);
      if (!good(nc_get_vara_double(file_, static_cast<int>(v), &begin, &count,
                                   variable.dates.data()))) {
        return;
      }
      unpack(file_, static_cast<int>(v), variable.dates);
    }
  }

  static void add_words(std::string_view text, std::vector<std::string>& names) {
    while (!text.empty()) {
      const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
      const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
      if (end > begin) names.emplace_back(text.substr(begin, end - begin));
      text.remove_prefix(end);
    }
  }

  /// "" when there is none, or none that can be read.
  std::string text_of(int variable, const char* attribute) const {
    nc_type type = NC_NAT;
    std::size_t length = 0;
    if (nc_inq_att(file_, variable, attribute, &type, &length) != NC_NOERR) return {};
    if (length == 0 || length > most_text) return {};
    if (type == NC_CHAR || type == NC_STRING) return text_attribute(file_, variable, attribute);
    if (type > NC_MAX_ATOMIC_TYPE) return {};
    std::vector<double> numbers(length);
    if (nc_get_att_double(file_, variable, attribute, numbers.data()) != NC_NOERR) return {};
    return fmt::format("{}", numbers.front());
  }

  static constexpr std::size_t most_alike = 64;
  static constexpr std::size_t most_text = 65536;

  config::FileFacts& facts_;
  int file_ = -1;
  std::vector<int> ids_;  // NetCDF id of each dimension
};

/// Splits "file 'path' cannot be opened (why). Suggestion?", so that whoever asks says what is
/// wrong with the file once.
void take_complaint(config::FileFacts& facts, const std::string& text) {
  const std::string subject = fmt::format("file '{}' ", facts.path);
  facts.error = text;
  if (!text.starts_with(subject)) return;
  const std::string said = text.substr(subject.size());
  const auto why = said.find(" (");
  const auto suggestion = said.rfind("). ");
  if (why == std::string::npos || suggestion == std::string::npos || suggestion < why) {
    facts.error = "it " + said;
    return;
  }
  facts.error = said.substr(why + 2, suggestion - why - 2);
  const std::string what = said.substr(0, why);
  if (what != "cannot be opened") facts.error = fmt::format("it {}: {}", what, facts.error);
  facts.suggestion = said.substr(suggestion + 3);
}

/// The files of several writers (type="multiple_file"), which have other names, as one; or a store.
void look_at_set(config::FileFacts& facts, bool wants_dates) {
  const auto is_wanted = [](const std::string& attribute) {
    const auto is_it = [&](const char* known) { return attribute == known; };
    return std::any_of(wanted.begin(), wanted.end(), is_it) ||
           std::any_of(connectivities.begin(), connectivities.end(), is_it);
  };
  try {
    const DataFile set(facts.path);
    facts.exists = true;
    for (const StoredDimension& dimension : set.dimensions()) {
      facts.dimensions.push_back(
          {dimension.name, dimension.length, dimension.is_record && !set.is_store()});
    }
    for (const StoredVariable& stored : set.variables()) {
      config::FileFacts::Variable variable;
      variable.name = stored.name;
      variable.holds_numbers = stored.content == StoredVariable::Content::numbers;
      variable.dimensions = stored.dimensions;
      for (const StoredAttribute& attribute : stored.attributes) {
        if (is_wanted(attribute.name)) {
          variable.attributes.push_back({attribute.name, attribute.text});
        }
      }
      if (wants_dates && variable.holds_numbers && stored.dimensions.size() == 1 &&
          config::say_dates(stored.attribute("units"))) {
        const int id = set.find(stored.name);
        variable.dates = set.values(id, {{0}, set.shape(id)});
      }
      facts.variables.push_back(std::move(variable));
    }
    facts.sort_names();
  } catch (const IncompleteSet& error) {
    facts.exists = true;
    take_complaint(facts, error.what());
  } catch (const Error& error) {  // there is no set
    if (facts.exists) take_complaint(facts, error.what());
  }
}

}  // namespace

config::FileFacts file_facts(const config::FileQuestion& question, OpenFiles* open) {
  config::FileFacts facts;
  facts.path = question.path;
  std::error_code problem;
  facts.folder = std::filesystem::current_path(problem).string();
  facts.exists = !is_nowhere(question.path);
  if (question.wants_stations) {
    if (facts.exists) read_stations(facts);
    return facts;
  }
  if (!facts.exists || std::filesystem::is_directory(question.path, problem)) {
    look_at_set(facts, question.wants_dates);
    return facts;
  }
  facts.error = classic_problem(question.path);
  if (!facts.error.empty()) return facts;
  const Hdf5Silence silence;
  const BreakdownWatch watch({question.path.c_str()});
  Look look(facts);
  look.look(question);
  if (open != nullptr && facts.error.empty()) look.leave_open(*open);
  return facts;
}

}  // namespace epios::io
