/// @file
/// The only description of the global part of a Model. Writer, reader and printer are archives that
/// walk through it; no other code lists the members.
#pragma once

#include <type_traits>

#include "config/model.hpp"
#include "language/attribute_access.hpp"

namespace epios::config {

// An archive has the functions value(name, scalar or string); word(name, enum, count of words);
// index(name, int, number of things it may point to); link(name, int that is -1 for none, checked
// when everything is read); list(name, vector, visit of one item); rare_list (like list, for
// vectors that are empty in most models); attributes(struct); and properties(name, vector of
// Property). `M` is const for archives that only read the Model.

template <class Archive, class V>
void describe_variable(Archive& archive, V& variable) {
  archive.value("id", variable.id);
  archive.value("name", variable.name);
  archive.attributes(variable.attributes);
  archive.value("text", variable.text);
}

template <class Archive, class E>
void describe_element(Archive& archive, E& element) {
  archive.value("id", element.id);
  archive.value("name", element.name);
  archive.attributes(element.attributes);
  archive.list("transformations", element.transformations, [&](auto& transformation) {
    archive.word("kind", transformation.kind, element_kind_count);
    archive.properties("attributes", transformation.attributes);
  });
}

template <class Archive, class M, class G>
void describe_grid(Archive& archive, M& model, G& grid) {
  archive.value("id", grid.id);
  archive.list("elements", grid.elements, [&](auto& element) {
    archive.word("kind", element.kind, 3);
    const std::size_t count = element.kind == GridElement::Kind::scalar ? model.scalars.size()
                              : element.kind == GridElement::Kind::axis ? model.axes.size()
                                                                        : model.domains.size();
    archive.index("index", element.index, count);
  });
}

template <class Archive, class S>
void describe_sampling(Archive& archive, S& sampling) {
  archive.word("operation", sampling.operation, 6);
  archive.duration("freq_op", sampling.freq_op);
  archive.duration("freq_offset", sampling.freq_offset);
  archive.duration("output_freq", sampling.output_freq);
  archive.rare_list("output_dates", sampling.dates.ends,
                    [&](auto& end) { archive.instant("date", end); });
  archive.rare_list("output_windows", sampling.dates.windows, [&](auto& window) {
    archive.value("first_ms", window.first.ms);  // an open end is no date
    archive.value("last_ms", window.last.ms);
  });
  archive.rare_value("output_initial", sampling.dates.has_initial);
  archive.rare_value("has_anchor", sampling.dates.has_anchor);
  archive.rare_value("anchor_ms", sampling.dates.anchor.ms);
  archive.rare_value("is_weighted", sampling.is_weighted);
  archive.rare_value("cycle_periods", sampling.dates.cycle_periods);
  if (sampling.dates.is_climatology()) {
    archive.duration("climatology_freq", sampling.dates.climatology_freq);
  }
}

template <class Archive, class N>
void describe_node(Archive& archive, N& node) {
  archive.word("op", node.op, expression_op_count);
  if (node.op == ExpressionOp::number || node.op == ExpressionOp::variable) {
    archive.value("number", node.number);
  }
  if (node.op == ExpressionOp::variable) archive.link("variable", node.variable);
  if (is_data(node.op)) {
    archive.link("source", node.source);
    archive.link("expression", node.expression);
    archive.value("is_temporal", node.is_temporal);
    archive.rare_list("conversion", node.conversion,
                      [&](auto& number) { archive.value("number", number); });
    archive.rare_value("data_unit", node.data_unit);
    archive.rare_value("unit", node.unit);
  }
  if (node.is_temporal || node.op == ExpressionOp::temporal) {
    describe_sampling(archive, node.sampling);
    archive.value("detect_missing_value", node.detect_missing_value);
  }
  if (argument_count(node.op) > 0) {
    archive.list("arguments", node.arguments,
                 [&](auto& argument) { archive.link("node", argument); });
  }
}

template <class Archive, class M, class E>
void describe_expression(Archive& archive, M& model, E& expression) {
  archive.value("id", expression.id);
  archive.index("grid", expression.grid, model.grids.size());
  archive.rare_value("transformed", expression.transformed);
  archive.list("nodes", expression.nodes, [&](auto& node) { describe_node(archive, node); });
}

template <class Archive, class M, class S>
void describe_stream(Archive& archive, M& model, S& stream) {
  archive.value("id", stream.id);
  archive.value("name", stream.name);
  archive.link("source", stream.source);
  archive.link("expression", stream.expression);
  archive.index("grid", stream.grid, model.grids.size());
  archive.rare_list("conversion", stream.conversion,
                    [&](auto& number) { archive.value("number", number); });
  archive.rare_value("data_unit", stream.data_unit);
  describe_sampling(archive, stream.sampling);
  archive.attributes(stream.attributes);
  archive.list("variables", stream.variables,
               [&](auto& variable) { describe_variable(archive, variable); });
}

template <class Archive, class F>
void describe_file(Archive& archive, F& file, std::size_t stream_count) {
  archive.value("id", file.id);
  archive.value("path", file.path);
  archive.attributes(file.attributes);
  archive.list("streams", file.streams,
               [&](auto& stream) { archive.index("stream", stream, stream_count); });
  archive.list("variables", file.variables,
               [&](auto& variable) { describe_variable(archive, variable); });
  archive.rare_value("first_record", file.first_record);
}

template <class Archive, class M, class F>
void describe_read_field(Archive& archive, M& model, F& field) {
  archive.value("id", field.id);
  archive.value("name", field.name);
  archive.index("grid", field.grid, model.grids.size());
  archive.value("is_once", field.reading.is_once);
  archive.duration("period", field.reading.period);
  archive.duration("offset", field.reading.offset);
  archive.link("source", field.source);
  archive.attributes(field.attributes);
  archive.list("aliases", field.aliases, [&](auto& id) { archive.value("id", id); });
}

template <class Archive, class F>
void describe_read_file(Archive& archive, F& file, std::size_t field_count) {
  archive.value("id", file.id);
  archive.value("path", file.path);
  archive.attributes(file.attributes);
  archive.list("fields", file.fields,
               [&](auto& field) { archive.index("field", field, field_count); });
}

template <class Archive, class C>
void describe_coupler(Archive& archive, C& coupler) {
  archive.word("kind", coupler.kind, element_kind_count);
  archive.value("id", coupler.id);
  archive.value("code", coupler.partner_code);
  archive.value("context", coupler.partner_context);
  archive.list("fields", coupler.fields, [&](auto& field) {
    archive.value("id", field.id);
    archive.link("source", field.source);
    archive.link("expression", field.expression);
    archive.link("grid", field.grid);
    archive.rare_list("conversion", field.conversion,
                      [&](auto& number) { archive.value("number", number); });
    archive.rare_value("data_unit", field.data_unit);
    describe_sampling(archive, field.sampling);
    archive.attributes(field.attributes);
  });
}

template <class Archive, class U>
void describe_user_calendar(Archive& archive, U& user) {
  archive.value("day_length", user.day_length_s);
  archive.list("month_lengths", user.month_lengths,
               [&](auto& length) { archive.value("days", length); });
  archive.value("year_length", user.year_length_s);
  archive.value("leap_year_month", user.leap_month);
  archive.value("leap_year_drift", user.leap_drift);
  archive.value("leap_year_drift_offset", user.leap_drift_offset);
  archive.value("origin_year", user.origin_year);
}

/// Visits everything of global scope, in canonical order. What is pointed to comes before what
/// points to it.
template <class Archive, class M>
requires std::is_same_v<std::remove_const_t<M>, Model>
void describe(Archive& archive, M& model) {
  archive.value("context", model.context_id);
  archive.word("calendar", model.calendar_type, 6);
  if (model.calendar_type == CalendarType::user_defined) {
    describe_user_calendar(archive, model.user_calendar);
  }
  archive.duration("timestep", model.timestep);
  archive.instant("start_date", model.start_date);
  archive.instant("time_origin", model.time_origin);
  archive.rare_value("steps_before", model.steps_before);
  archive.rare_value("statistics_file", model.statistics.path);
  const auto element = [&](auto& item) { describe_element(archive, item); };
  archive.list("scalars", model.scalars, element);
  archive.list("axes", model.axes, element);
  archive.list("domains", model.domains, element);
  archive.list("grids", model.grids, [&](auto& grid) { describe_grid(archive, model, grid); });
  archive.list("sources", model.sources, [&](auto& source) {
    archive.value("id", source.id);
    archive.index("grid", source.grid, model.grids.size());
    archive.value("detect_missing_value", source.detect_missing_value);
    archive.value("default_value", source.default_value);
  });
  archive.rare_list("expressions", model.expressions,
                    [&](auto& expression) { describe_expression(archive, model, expression); });
  archive.list("streams", model.streams,
               [&](auto& stream) { describe_stream(archive, model, stream); });
  archive.list("files", model.files,
               [&](auto& file) { describe_file(archive, file, model.streams.size()); });
  archive.rare_list("read_fields", model.read_fields,
                    [&](auto& field) { describe_read_field(archive, model, field); });
  archive.rare_list("read_files", model.read_files, [&](auto& file) {
    describe_read_file(archive, file, model.read_fields.size());
  });
  archive.rare_list("results", model.results,
                    [&](auto& result) { describe_stream(archive, model, result); });
  archive.rare_list("couplers", model.couplers,
                    [&](auto& coupler) { describe_coupler(archive, coupler); });
  archive.list("variables", model.variables,
               [&](auto& variable) { describe_variable(archive, variable); });
  archive.list("known_fields", model.unwritten.known,
               [&](auto& field) { archive.value("id", field); });
}

}  // namespace epios::config
