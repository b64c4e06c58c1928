// indexed_output: compression by gathering (CF-1.11, 8.2).
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cf/ugrid.hpp"
#include "config/model.hpp"
#include "disk/value_kind.hpp"
#include "file/cf.hpp"
#include "grid/index.hpp"
#include "grid/layout.hpp"
#include "grid/part.hpp"
#include "grid/routing.hpp"

namespace epios::io {

namespace {

using config::GridElement;

const std::string& name_of(const config::Model& model, const GridElement& element) {
  return element.kind == GridElement::Kind::axis ? model.axes[element.axis()].name
                                                 : model.domains[element.domain()].name;
}

class Gatherer {
 public:
  Gatherer(CfFile& file, const config::Model& model)
      : file_(file), model_(model), own_(std::make_shared<OwnNumbers>()) {
    file_.own.push_back(own_);
  }

  void gather(const GatheredStream& stream, const config::Stream& described) {
    const int grid = described.grid;
    const int number = file_.stream_variables[as_index(stream.stream)];
    const auto& elements = nth(model_.grids, grid).elements;
    VariableSpec variable = file_.spec.variables[as_index(number)];
    const std::size_t first = variable.is_once ? 0 : 1;
    std::size_t d = first;  // in file order, the slowest element is the last
    std::vector<int> dimensions(variable.dimensions.begin(),
                                variable.dimensions.begin() + static_cast<std::ptrdiff_t>(first));
    for (std::size_t e = elements.size(); e-- > 0;) {
      const std::size_t rank = element_shape(model_, elements[e]).size();
      const auto begin = variable.dimensions.begin() + static_cast<std::ptrdiff_t>(d);
      const std::vector<int> own(begin, begin + static_cast<std::ptrdiff_t>(rank));
      d += rank;
      if (stream.points[e].empty()) {
        dimensions.insert(dimensions.end(), own.begin(), own.end());
      } else {
        dimensions.push_back(points_dimension(elements[e], own, stream.points[e]));
      }
    }
    variable.dimensions = std::move(dimensions);
    if (!variable.is_once || !variable.chunk.empty()) {
      Extents shape;
      for (std::size_t i = first; i < variable.dimensions.size(); ++i) {
        shape.push_back(file_.spec.dimensions[as_index(variable.dimensions[i])].length);
      }
      variable.chunk =
          chunk_shape(shape, size_bytes(variable.kind), chunk_target(model_, described), 1);
      variable.shard.clear();
    }
    file_.spec.variables[as_index(number)] = std::move(variable);
    if (!file_.origins.empty()) {  // its slab begins where what is kept begins
      Extents& origin = file_.origins[as_index(stream.stream)];
      std::fill(origin.begin(), origin.end(), 0);
    }
  }

 private:
  bool is_taken(const std::string& name) const {
    const auto has_name = [&](const auto& its) { return its.name == name; };
    const FileSpec& spec = file_.spec;
    return std::any_of(spec.dimensions.begin(), spec.dimensions.end(), has_name) ||
           std::any_of(spec.variables.begin(), spec.variables.end(), has_name);
  }

  /// Once for the same points of an element. Fields on different grids have different ones where a
  /// client has cells of it and none of another element of one of the grids.
  int points_dimension(const GridElement& element, const std::vector<int>& dimensions,
                       std::span<const std::int64_t> points) {
    Key key{static_cast<int>(element.kind), element.index, {points.begin(), points.end()}};
    const auto [place, is_new] = known_.try_emplace(std::move(key), -1);
    if (!is_new) return place->second;
    FileSpec& spec = file_.spec;
    const std::string wanted = name_of(model_, element) + "_points";
    std::string name = wanted;
    for (int number = 2; is_taken(name); ++number) name = fmt::format("{}_{}", wanted, number);
    std::vector<std::string> names;
    names.reserve(dimensions.size());
    for (const int d : dimensions) names.push_back(spec.dimensions[as_index(d)].name);
    place->second = static_cast<int>(spec.dimensions.size());
    spec.dimensions.push_back({name, static_cast<std::int64_t>(points.size())});
    own_->emplace_back(points.begin(), points.end());
    VariableSpec list;
    list.name = name;
    list.kind = points.back() <= std::numeric_limits<std::int32_t>::max() ? ValueKind::int32
                                                                          : ValueKind::int64;
    list.dimensions = {place->second};
    list.attributes = {{"long_name", std::string("Points with values, counted from 0")},
                       {"compress", fmt::format("{}", fmt::join(names, " "))}};
    list.fixed.box = whole({static_cast<std::int64_t>(points.size())});
    list.fixed.numbers = own_->back();
    spec.variables.push_back(std::move(list));
    return place->second;
  }

  CfFile& file_;
  const config::Model& model_;
  std::shared_ptr<OwnNumbers> own_;
  using Key = std::tuple<int, int, std::vector<std::int64_t>>;  // kind, number, points
  std::map<Key, int> known_;
};

}  // namespace

void gather(CfFile& described, const config::Model& model, int file,
            std::span<const GatheredStream> streams) {
  if (streams.empty()) return;
  Gatherer gatherer(described, model);
  for (const GatheredStream& stream : streams) {
    const int in_model = nth(model.files, file).streams[as_index(stream.stream)];
    gatherer.gather(stream, nth(model.streams, in_model));
  }
}

}  // namespace epios::io
