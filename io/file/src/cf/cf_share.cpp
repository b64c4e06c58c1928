// Files of type multiple_file: of the description of a whole file what one writer has.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/element_names.hpp"
#include "config/model.hpp"
#include "file/cf.hpp"
#include "grid/index.hpp"

namespace epios::io {

namespace {

using config::GridElement;

/// Part of a dimension.
struct Share {
  std::int64_t whole = 0;
  std::int64_t begin = 0;
  std::int64_t size = 0;
  bool is_of_data = false;  ///< a field of the file has it
  bool is_here = false;     ///< a field of this writer has it
};

AttributeValue integers(const std::vector<std::int64_t>& values) {
  const bool are_small = std::all_of(values.begin(), values.end(), [](std::int64_t value) {
    return value <= std::numeric_limits<std::int32_t>::max();
  });
  if (!are_small) return values;
  std::vector<std::int32_t> out;
  out.reserve(values.size());
  for (const std::int64_t value : values) out.push_back(static_cast<std::int32_t>(value));
  return out;
}

class ShareTaker {
 public:
  ShareTaker(CfFile& file, std::span<const Box> slabs) : file_(file), slabs_(slabs) {
    for (const DimensionSpec& dimension : file.spec.dimensions) {
      shares_.push_back({dimension.length, 0, dimension.length});
      wholes_[dimension.name] = dimension.length;
    }
    for (std::size_t s = 0; s < slabs.size(); ++s) find_shares(s);
  }

  void take() {
    take_variables();
    take_dimensions();
  }

  /// Where domains are in the whole, as rebuild tools read it.
  void add_positions(const config::Model& model, const config::File& file, int writer,
                     int writers) {
    const auto may_be_same = [](const GridElement&, const GridElement&) { return true; };
    const config::FileNames names(model, file, may_be_same);
    const auto is_domain = [](const config::SharedElement& element) {
      return element.members.front().kind == GridElement::Kind::domain;
    };
    const auto& elements = names.elements();
    const bool are_several = std::count_if(elements.begin(), elements.end(), is_domain) > 1;
    // Tools that know one domain read this: the first of those that all writers have, as far as
    // there is one. The same in all files.
    const config::SharedElement* main = nullptr;
    std::int64_t most = 0;
    for (const config::SharedElement& element : elements) {
      if (!is_domain(element)) continue;
      const std::int64_t pieces = std::min<std::int64_t>(writers, rows_of(element));
      if (pieces > most) main = &element;
      most = std::max(most, pieces);
    }
    for (const config::SharedElement& element : elements) {
      if (!is_domain(element)) continue;
      // i before j, as everybody who reads these attributes has it.
      std::vector<int> dimensions;
      for (std::size_t d = element.names.dimensions.size(); d-- > 0;) {
        dimensions.push_back(dimension_of(element.names.dimensions[d]));
      }
      if (std::find(dimensions.begin(), dimensions.end(), -1) != dimensions.end()) continue;
      const std::string& name = model.domains[element.members.front().domain()].name;
      const std::string ending = are_several ? "_" + name : "";
      add_begin(dimensions, ending);
      if (&element == main) add_position(dimensions, writer, writers, "");
      if (are_several) add_position(dimensions, writer, writers, ending);
    }
  }

 private:
  void find_shares(std::size_t stream) {
    const VariableSpec& variable = file_.spec.variables[as_index(file_.stream_variables[stream])];
    const Box& slab = slabs_[stream];
    const std::size_t first = variable.is_once ? 0 : 1;
    for (std::size_t d = first; d < variable.dimensions.size(); ++d) {
      Share& share = shares_[as_index(variable.dimensions[d])];
      share.is_of_data = true;
      if (slab.is_empty()) continue;
      share.is_here = true;
      share.begin = slab.begin[d - first];
      share.size = slab.size[d - first];
    }
  }

  bool is_kept(std::size_t variable) const {
    for (std::size_t s = 0; s < slabs_.size(); ++s) {
      if (as_index(file_.stream_variables[s]) == variable && slabs_[s].is_empty()) return false;
    }
    const auto& dimensions = file_.spec.variables[variable].dimensions;
    return std::all_of(dimensions.begin(), dimensions.end(), [&](int d) {
      return !shares_[as_index(d)].is_of_data || shares_[as_index(d)].is_here;
    });
  }

  void take_variables() {
    std::vector<int> places;  // -1: not here
    std::vector<VariableSpec> kept;
    for (std::size_t v = 0; v < file_.spec.variables.size(); ++v) {
      places.push_back(is_kept(v) ? static_cast<int>(kept.size()) : -1);
      if (places.back() >= 0) kept.push_back(shifted(std::move(file_.spec.variables[v])));
    }
    file_.spec.variables = std::move(kept);
    for (std::size_t s = 0; s < slabs_.size(); ++s) {
      file_.stream_variables[s] = places[as_index(file_.stream_variables[s])];
      file_.origins.push_back(slabs_[s].begin);
    }
    for (CfFile::TimeVariable& time : file_.times) time.variable = places[as_index(time.variable)];
  }

  VariableSpec shifted(VariableSpec variable) const {
    for (std::size_t d = 0; d < variable.fixed.box.rank(); ++d) {
      if (variable.fixed.box.is_empty()) break;
      variable.fixed.box.begin[d] -= shares_[as_index(variable.dimensions[d])].begin;
    }
    for (std::size_t d = 0; d < variable.chunk.size(); ++d) {
      const Share& share = shares_[as_index(variable.dimensions[d + (variable.is_once ? 0 : 1)])];
      variable.chunk[d] = std::min(variable.chunk[d], share.size);
    }
    return variable;
  }

  void take_dimensions() {
    std::vector<int> places(shares_.size(), -1);
    std::vector<DimensionSpec> kept;
    for (std::size_t d = 0; d < shares_.size(); ++d) {
      const auto has_it = [&](const VariableSpec& variable) {
        const auto& its = variable.dimensions;
        return std::find(its.begin(), its.end(), static_cast<int>(d)) != its.end();
      };
      const auto& variables = file_.spec.variables;
      if (std::none_of(variables.begin(), variables.end(), has_it)) continue;
      places[d] = static_cast<int>(kept.size());
      kept.push_back(file_.spec.dimensions[d]);
      kept.back().length = shares_[d].size;
      places_[kept.back().name] = {places[d], shares_[d]};
    }
    for (VariableSpec& variable : file_.spec.variables) {
      for (int& dimension : variable.dimensions) dimension = places[as_index(dimension)];
    }
    file_.spec.dimensions = std::move(kept);
  }

  /// Returns the rows of a domain, also if this writer has none of it.
  std::int64_t rows_of(const config::SharedElement& domain) const {
    const auto found = wholes_.find(domain.names.dimensions.front());
    return found == wholes_.end() ? 0 : found->second;
  }

  int dimension_of(const std::string& name) const {
    const auto found = places_.find(name);
    return found == places_.end() ? -1 : found->second.first;
  }
  const Share& share_of(int dimension) const {
    return places_.at(file_.spec.dimensions[as_index(dimension)].name).second;
  }

  void add(const std::string& name, AttributeValue value) {
    file_.spec.attributes.push_back({name, std::move(value)});
  }

  void add_begin(const std::vector<int>& dimensions, const std::string& ending) {
    constexpr const char* letters = "ij";
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
      const Share& share = share_of(dimensions[d]);
      add(fmt::format("{}begin{}", letters[d], ending), integers({share.begin}));
      add(fmt::format("n{}{}", letters[d], ending), integers({share.size}));
    }
  }

  /// Adds the attributes that IOIPSL has always written: ids and positions count from 1.
  void add_position(const std::vector<int>& dimensions, int writer, int writers,
                    const std::string& ending) {
    const auto each = [&](auto&& value) {
      std::vector<std::int64_t> out;
      out.reserve(dimensions.size());
      for (const int dimension : dimensions) out.push_back(value(dimension));
      return integers(out);
    };
    // Rows are cut, which are the last here.
    const std::int64_t rows = share_of(dimensions.back()).whole;
    add("DOMAIN_number_total" + ending, integers({std::min<std::int64_t>(writers, rows)}));
    add("DOMAIN_number" + ending, integers({writer}));
    add("DOMAIN_dimensions_ids" + ending, each([](int d) { return d + 1; }));
    add("DOMAIN_size_global" + ending, each([&](int d) { return share_of(d).whole; }));
    add("DOMAIN_size_local" + ending, each([&](int d) { return share_of(d).size; }));
    add("DOMAIN_position_first" + ending, each([&](int d) { return share_of(d).begin + 1; }));
    add("DOMAIN_position_last" + ending,
        each([&](int d) { return share_of(d).begin + share_of(d).size; }));
    add("DOMAIN_halo_size_start" + ending, each([](int) { return 0; }));
    add("DOMAIN_halo_size_end" + ending, each([](int) { return 0; }));
    add("DOMAIN_type" + ending, std::string("box"));
  }

  CfFile& file_;
  std::span<const Box> slabs_;
  std::vector<Share> shares_;                            // per dimension of the whole file
  std::map<std::string, std::int64_t> wholes_;           // dimensions of the whole file
  std::map<std::string, std::pair<int, Share>> places_;  // dimensions of this writer's file
};

}  // namespace

void take_share(CfFile& described, const config::Model& model, int file, int writer, int writers,
                std::span<const Box> slabs) {
  ShareTaker taker(described, slabs);
  taker.take();
  taker.add_positions(model, nth(model.files, file), writer, writers);
}

}  // namespace epios::io
