/// @file
/// Steps of data from grid to grid, as a Model has them (FieldExpression::transformed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/element_kind.hpp"
#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"

namespace epios::config {

/// Whether each client gets a part of a domain (<generate_rectilinear_domain>): none is given.
bool is_dealt_out(const Domain& domain);

/// Whether a transformation only says which point of its source each of its points is: the result
/// lies in the array of the source, and nothing is moved.
bool is_view(ElementKind transformation);
/// Whether data go through it. The others say of what shape their element is, or look at it.
bool is_step(ElementKind transformation);

// Attributes of a transformation; nothing when it is not given.
std::optional<std::int64_t> integer_of(const Transformation& transformation,
                                       std::string_view attribute);
std::optional<double> real_of(const Transformation& transformation, std::string_view attribute);
/// Text or word.
std::optional<std::string> text_of(const Transformation& transformation,
                                   std::string_view attribute);
bool flag_of(const Transformation& transformation, std::string_view attribute);
std::optional<std::vector<double>> reals_of(const Transformation& transformation,
                                            std::string_view attribute);

/// The field that an <interpolate_axis> has coordinates of the source, or of the target, from.
std::optional<std::string> coordinate_of(const Transformation& transformation, bool is_source);
/// Indices from `begin` on.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t n = 0;
};
/// The points that an extract_axis lists, in its order; nothing when it takes an interval.
std::optional<std::vector<std::int64_t>> extracted_list(const Transformation& extract);
/// The interval that an extract_axis without a list takes of an axis of `size` points.
Interval extracted_interval(const Transformation& extract, std::int64_t size);
/// Columns and rows that an extract_domain takes.
struct DomainWindow {
  Interval i;
  Interval j;
};
DomainWindow extracted_window(const Transformation& extract, std::int64_t ni_glo,
                              std::int64_t nj_glo);
/// Whether what is left of a domain, its row or column, is along i.
bool is_along_i(const Transformation& transformation);

/// One element of a grid becomes another one; the others stay.
struct SpatialStep {
  int from = 0;  ///< into Model::grids
  int to = 0;
  std::size_t position = 0;  ///< of the elements in their grids
  GridElement source;
  GridElement target;
  const Transformation* transformation = nullptr;  ///< of the Model
};
/// Nothing for arithmetic, and for data that only go by another grid.
std::optional<SpatialStep> spatial_step(const Model& model, const FieldExpression& expression);

/// Whether a step is worked out by the server that has the file (place="server"), not by clients.
bool is_on_servers(const Model& model, const FieldExpression& expression);
/// The steps of a stream that its server works out, as expressions, in the order in which that
/// happens: the argument of the first one crosses the wire, each other one takes what is made by
/// the one before, the last one makes the records.
std::vector<int> steps_on_servers(const Model& model, const Stream& stream);
/// The grid of what crosses the wire: that of the stream, unless its server works out steps.
int grid_on_wire(const Model& model, const Stream& stream);

/// What transformations on the way of data say of their cells, in the words of CF 7.3 and in the
/// order in which they were done: "area: mean longitude: maximum". Nothing of what is before
/// arithmetic or '@'.
std::string spatial_cell_methods(const Model& model, int expression);

const std::vector<Transformation>& transformations_of(const Model& model,
                                                      const GridElement& element);

}  // namespace epios::config
