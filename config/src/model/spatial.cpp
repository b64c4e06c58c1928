// Answers questions about transformations: their attributes, what they extract, whether they move
// data, and where a step runs. First come attributes of single transformations, then steps of
// expressions, then steps that servers compute, then what <stations> say.
#include "config/spatial.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>

#include "config/model.hpp"
#include "config/stations.hpp"
#include "config/transformation_traits.hpp"

namespace epios::config {

namespace {

const Value* value_of(const Transformation& transformation, std::string_view attribute) {
  for (const Property& property : transformation.attributes) {
    if (property.name == attribute) return &property.value;
  }
  return nullptr;
}

template <class T>
std::optional<T> find(const Transformation& transformation, std::string_view attribute) {
  const Value* value = value_of(transformation, attribute);
  const T* held = value == nullptr ? nullptr : std::get_if<T>(value);
  return held == nullptr ? std::nullopt : std::optional<T>(*held);
}

GridId grid_of_data(const Model& model, const FieldExpressionNode& node) {
  if (node.source >= 0) return model.sources[node.source].grid;
  return model.expressions[node.expression].grid;
}

const Property* property_of(const Transformation& stations, std::string_view attribute) {
  const auto& all = stations.attributes;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Property& p) { return p.name == attribute; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

bool is_view(ElementKind transformation) {
  return traits_of(transformation).work == TransformationWork::view;
}

bool is_row_of_cells(std::string_view type) {
  return type == "unstructured" || type == "gaussian" || type == "healpix";
}

bool is_dealt_out(const Domain& domain) {
  const DomainAttributes& a = domain.attributes;
  const auto& list = domain.transformations;
  // Where a part begins has defaults.
  const bool is_given = a.ni || a.nj || a.i_index || a.j_index || a.data_ni || a.data_nj ||
                        a.data_i_index || a.data_j_index;
  if (is_given) return false;
  return a.type == "healpix" || stations_of(domain) != nullptr ||
         std::any_of(list.begin(), list.end(), [](const Transformation& t) {
           return t.kind == ElementKind::generate_rectilinear_domain;
         });
}

bool is_step(ElementKind transformation) {
  return traits_of(transformation).work != TransformationWork::description;
}

std::optional<std::int64_t> integer_of(const Transformation& transformation,
                                       std::string_view attribute) {
  return find<std::int64_t>(transformation, attribute);
}

std::optional<double> real_of(const Transformation& transformation, std::string_view attribute) {
  return find<double>(transformation, attribute);
}

std::optional<std::string> text_of(const Transformation& transformation,
                                   std::string_view attribute) {
  return find<std::string>(transformation, attribute);
}

bool flag_of(const Transformation& transformation, std::string_view attribute) {
  return find<bool>(transformation, attribute).value_or(false);
}

std::optional<std::vector<double>> reals_of(const Transformation& transformation,
                                            std::string_view attribute) {
  const auto list = find<value::reals>(transformation, attribute);
  return list ? std::optional(list->values) : std::nullopt;
}

std::optional<std::string> coordinate_of(const Transformation& transformation, bool is_source) {
  auto id = text_of(transformation, is_source ? "coordinate_src" : "coordinate_dst");
  if (is_source && (!id || id->empty())) id = text_of(transformation, "coordinate");
  return id && id->empty() ? std::nullopt : id;
}

std::optional<std::vector<std::int64_t>> extracted_list(const Transformation& extract) {
  const auto index = find<value::integers>(extract, "index");
  return index ? std::optional(index->values) : std::nullopt;
}

Interval extracted_interval(const Transformation& extract, std::int64_t size) {
  const std::int64_t begin = integer_of(extract, "begin").value_or(0);
  return {begin, integer_of(extract, "n").value_or(std::max<std::int64_t>(0, size - begin))};
}

DomainWindow extracted_window(const Transformation& extract, std::int64_t ni_glo,
                              std::int64_t nj_glo) {
  return {{integer_of(extract, "ibegin").value_or(0), integer_of(extract, "ni").value_or(ni_glo)},
          {integer_of(extract, "jbegin").value_or(0), integer_of(extract, "nj").value_or(nj_glo)}};
}

bool is_along_i(const Transformation& transformation) {
  return text_of(transformation, "direction") != "jDir";
}

const std::vector<Transformation>& transformations_of(const Model& model,
                                                      const GridElement& element) {
  if (element.kind == GridElement::Kind::axis) return model.axes[element.axis()].transformations;
  if (element.kind == GridElement::Kind::domain)
    return model.domains[element.domain()].transformations;
  return model.scalars[element.scalar()].transformations;
}

std::optional<SpatialStep> spatial_step(const Model& model, const FieldExpression& expression) {
  if (expression.transformed == 0) return std::nullopt;
  SpatialStep step;
  step.from = grid_of_data(model, expression.nodes.front());
  step.to = expression.grid;
  step.position = static_cast<std::size_t>(expression.transformed) - 1;
  step.source = model.grids[step.from].elements[step.position];
  step.target = model.grids[step.to].elements[step.position];
  // The transformations behind it look at its result.
  const std::vector<Transformation>& all = transformations_of(model, step.target);
  const auto last = std::find_if(all.rbegin(), all.rend(),
                                 [](const Transformation& t) { return is_step(t.kind); });
  step.transformation = last == all.rend() ? &all.back() : &*last;
  return step;
}

bool is_on_servers(const Model& model, const FieldExpression& expression) {
  const auto step = spatial_step(model, expression);
  return step && text_of(*step->transformation, "place") == "server";
}

std::vector<ExpressionId> steps_on_servers(const Model& model, const Stream& stream) {
  std::vector<ExpressionId> out;
  for (ExpressionId at = stream.expression; at >= 0;) {
    const FieldExpression& expression = model.expressions[at];
    if (!is_on_servers(model, expression)) break;
    out.push_back(at);
    at = expression.nodes.front().expression;
  }
  std::reverse(out.begin(), out.end());
  return out;
}

IndexedVector<StreamId, StreamId> continued_streams(const Model& model) {
  IndexedVector<StreamId, StreamId> out(model.streams.size());
  // Where records may wait for others of their file, those of levels may come first.
  if (!model.statistics.path.empty()) return out;
  std::map<std::pair<int, int>, std::vector<StreamId>> streams;  // by source and expression
  for (const StreamId s : model.streams.ids()) {
    const Stream& stream = model.streams[s];
    streams[{stream.source, stream.expression}].push_back(s);
  }
  for (const StreamId s : model.streams.ids()) {
    const Stream& stream = model.streams[s];
    if (stream.expression < 0 || !is_on_servers(model, model.expressions[stream.expression])) {
      continue;
    }
    const FieldExpression& last = model.expressions[stream.expression];
    const Transformation& how = *spatial_step(model, last)->transformation;
    const FieldExpressionNode& finer = last.nodes.front();
    if (traits_of(how.kind).work != TransformationWork::coarsening) continue;
    if (finer.is_temporal || !finer.conversion.empty()) continue;
    const auto found = streams.find({finer.source, finer.expression});
    if (found == streams.end()) continue;
    for (const StreamId other : found->second) {
      if (other > s) break;  // its records come behind those that would be made of them
      const Stream& its = model.streams[other];
      const bool is_same = its.sampling == stream.sampling && its.conversion.empty() &&
                           its.attributes.detect_missing_value.value_or(false) ==
                               stream.attributes.detect_missing_value.value_or(false);
      if (!is_same || its.attributes.indexed_output.value_or(false)) continue;
      out[s] = other;
      break;
    }
  }
  return out;
}

GridId grid_on_wire(const Model& model, const Stream& stream) {
  const std::vector<ExpressionId> steps = steps_on_servers(model, stream);
  if (steps.empty()) return stream.grid;
  return spatial_step(model, model.expressions[steps.front()])->from;
}

const Transformation* stations_of(const Domain& domain) {
  const auto& all = domain.transformations;
  const auto found = std::find_if(all.begin(), all.end(), [](const Transformation& t) {
    return t.kind == ElementKind::stations;
  });
  return found == all.end() ? nullptr : &*found;
}

StationList station_list(const Transformation& stations) {
  return {reals_of(stations, "lon").value_or(std::vector<double>()),
          reals_of(stations, "lat").value_or(std::vector<double>()), is_section(stations),
          real_of(stations, "spacing_km").value_or(0)};
}

bool is_section(const Transformation& stations) { return flag_of(stations, "section"); }

std::span<const std::string> station_names(const Transformation& stations) {
  const Property* const names = is_section(stations) ? nullptr : property_of(stations, "names");
  if (names == nullptr) return {};
  return std::get<value::strings>(names->value).values;
}

void complete_names(Transformation& stations) {
  const Property* const lat = property_of(stations, "lat");
  if (is_section(stations) || lat == nullptr || property_of(stations, "names") != nullptr) return;
  value::strings names;
  const std::size_t count = std::get<value::reals>(lat->value).values.size();
  for (std::size_t k = 1; k <= count; ++k) names.values.push_back(std::to_string(k));
  names.shape = {static_cast<std::int64_t>(count)};
  // Behind lat, as in the table.
  stations.attributes.insert(stations.attributes.begin() + (lat - stations.attributes.data()) + 1,
                             Property{"names", std::move(names)});
}

namespace {

/// A property that no attribute sets.
constexpr std::string_view distances = "distances_km";

}  // namespace

bool writes_distances(const Transformation& stations) {
  return flag_of(stations, "write_distance") && !is_section(stations) &&
         text_of(stations, "method").value_or("nearest") != "bilinear";
}

void note_distances(Transformation& stations, std::vector<double> km) {
  const auto count = static_cast<std::int64_t>(km.size());
  stations.attributes.push_back(
      Property{std::string(distances), value::reals{std::move(km), {count}}});
}

std::span<const double> noted_distances(const Transformation& stations) {
  const Property* const known = property_of(stations, distances);
  if (known == nullptr) return {};
  return std::get<value::reals>(known->value).values;
}

}  // namespace epios::config
