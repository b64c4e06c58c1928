/// @file
/// Steps of data from grid to grid in a Model (FieldExpression::transformed).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/element_kind.hpp"
#include "config/grid_element.hpp"
#include "config/index.hpp"
#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"

namespace epios::config {

/// Returns true if the cells of domains of a type form one row, so that nj_glo is 1.
bool is_row_of_cells(std::string_view type);
/// Returns true if the domain is divided among the clients (<generate_rectilinear_domain>, type
/// healpix, <stations>), because none describes a part.
bool is_dealt_out(const Domain& domain);

/// Returns true if a transformation only names the point of its source for each of its own points.
/// The result then lies in the array of the source, and no data moves.
bool is_view(ElementKind transformation);
/// Returns true if data passes through the transformation. Others describe the shape of their
/// element or look at it.
bool is_step(ElementKind transformation);

// Attributes of a transformation; nothing if they are not given.
std::optional<std::int64_t> integer_of(const Transformation& transformation,
                                       std::string_view attribute);
std::optional<double> real_of(const Transformation& transformation, std::string_view attribute);
/// Returns a text or word.
std::optional<std::string> text_of(const Transformation& transformation,
                                   std::string_view attribute);
bool flag_of(const Transformation& transformation, std::string_view attribute);
std::optional<std::vector<double>> reals_of(const Transformation& transformation,
                                            std::string_view attribute);

/// Returns the field from which an <interpolate_axis> takes coordinates of the source or the
/// target.
std::optional<std::string> coordinate_of(const Transformation& transformation, bool is_source);
/// `count` indices from `begin` on.
struct Interval {
  std::int64_t begin = 0;
  std::int64_t n = 0;
};
/// Returns the points that an extract_axis lists, in its order, or nothing if it takes an interval.
std::optional<std::vector<std::int64_t>> extracted_list(const Transformation& extract);
/// Returns the interval that an extract_axis without a list takes from an axis of `size` points.
Interval extracted_interval(const Transformation& extract, std::int64_t size);
/// Columns and rows that an extract_domain takes.
struct DomainWindow {
  Interval i;
  Interval j;
};
DomainWindow extracted_window(const Transformation& extract, std::int64_t ni_glo,
                              std::int64_t nj_glo);
/// Returns true if the row or column that remains of a domain lies along i.
bool is_along_i(const Transformation& transformation);

/// A step that replaces one element of a grid; the other elements stay.
struct SpatialStep {
  GridId from{0};
  GridId to{0};
  std::size_t position = 0;  ///< position of the elements in their grids
  GridElement source;
  GridElement target;
  const Transformation* transformation = nullptr;  ///< points into the Model
};
/// Returns the step of an expression, or nothing for arithmetic and for data that only changes to
/// another grid.
std::optional<SpatialStep> spatial_step(const Model& model, const FieldExpression& expression);

/// Returns true if the server with the file computes a step (place="server"), not the clients.
bool is_on_servers(const Model& model, const FieldExpression& expression);
/// Returns the steps of a stream that its server computes, as expressions in their order. The
/// argument of the first one crosses the wire, each further one takes the result of the one before,
/// and the last one makes the records.
std::vector<ExpressionId> steps_on_servers(const Model& model, const Stream& stream);
/// Returns for each stream the one that it continues, -1 for most: its server makes its records, a
/// coarser level of the same data at the same dates, of the records of that one.
IndexedVector<StreamId, StreamId> continued_streams(const Model& model);
/// Returns the grid of the data that crosses the wire: that of the stream, unless its server
/// computes steps.
GridId grid_on_wire(const Model& model, const Stream& stream);

/// Returns what the transformations of data contribute to cell_methods (CF 7.3), in the order of
/// their application: "area: mean longitude: maximum". Ignores what lies before arithmetic or '@'.
std::string spatial_cell_methods(const Model& model, ExpressionId expression);

const std::vector<Transformation>& transformations_of(const Model& model,
                                                      const GridElement& element);

}  // namespace epios::config
