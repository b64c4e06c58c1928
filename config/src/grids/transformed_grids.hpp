/// @file
/// Steps of data from grid to grid, for the Model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "config/model_data.hpp"
#include "config/model_elements.hpp"
#include "grids/element_shapes.hpp"
#include "grids/grid_builder.hpp"

namespace epios::config {

/// The data of a field that a transformation names.
struct NamedData {
  std::optional<FieldExpressionNode>
      data;  ///< not set for the reason `why`, unless that is reported elsewhere
  GridId grid{};
  std::string why;
};

/// A field whose data comes on another grid than its own, with the origin of that data.
struct DataOnAnotherGrid {
  std::string id;      ///< id of the field
  std::string title;   ///< "field 'tos'"
  Origin grid_origin;  ///< place that says which grid the field has
  std::string where;   ///< place of the field
  FieldExpressionNode data;
  GridId from{0};  ///< grid of the data
  GridId to{0};    ///< grid of the field, or one on the way to it
  FieldExpression::Stage stage = FieldExpression::Stage::end;  ///< stage of `to`
  std::function<NamedData(const std::string& field)> named{};
};

/// Notes that data cannot be made into a field. A run continues without that field, unless the
/// model sends the data that it is made of.
void leave_unmade(Model& model, std::span<const FieldExpressionNode> data, const Origin& origin,
                  const std::string& why, const std::string& suggestion);

/// Gives elements that are made of others their shapes. An element that is made of several others
/// becomes several elements.
class TransformedGrids {
 public:
  TransformedGrids(Findings& findings, GridBuilder& grids, Model& model)
      : findings_(findings), grids_(grids), model_(model) {}

  /// Returns the expression with the data of the field, or -1 if there is no way, which is
  /// reported.
  ExpressionId bring(const DataOnAnotherGrid& field);
  /// Returns true if transformations lead from one grid to the other.
  bool is_made_of(GridId grid, GridId source);
  /// Returns by which transformations elements of both grids are made of one source, if these
  /// differ.
  struct Difference {
    std::string_view own,
        others;  ///< the first tags that differ, such as "extract_axis"; "" if there is none
    bool is_window = false;  ///< they select different points of it
  };
  std::optional<Difference> difference_in_making(GridId grid, GridId other) const;
  /// Returns true if the grids have equal elements, so that data only changes to another grid,
  /// without transformations.
  static bool are_equal(const Model& model, GridId grid, GridId other);
  /// Returns the grid of a field that names one, while its data come on `of_data`: that of the
  /// data, where this has other elements or was made in place of the named one.
  GridId settled(GridId named, GridId of_data) const;
  /// Reports data that is both made of something else and sent by the model, and what has no
  /// effect. Called when all sources and steps exist.
  void check_sources();

 private:
  using Element = std::variant<Scalar, Axis, Domain>;
  using Key = std::pair<GridElement::Kind, int>;
  static Key key(const GridElement& e) { return {e.kind, e.index}; }

  /// An element as it was written.
  const Element& written(const GridElement& element);
  const std::vector<Transformation>& list_of(const GridElement& element);
  /// Transformations of `target` beyond those that `source` has gone through.
  std::vector<Transformation> remaining(const GridElement& source, const GridElement& target);
  bool are_equal_elements(const GridElement& source, const GridElement& target);
  GridElement add(const Element& element);
  /// The way from one element to another.
  struct Way {
    GridElement origin;
    GridElement target;
    std::vector<Transformation> steps{};
  };
  Way way_between(const GridElement& origin, const GridElement& target);
  /// Where its result is: the element itself, unless data come on that as it is or it is made of
  /// another origin already.
  GridElement end_of(const Way& way);
  /// Where the result of its first `done` steps is.
  GridElement place_of(const Way& way, std::size_t done);
  /// The element that the first `done` steps lead to, the last of which makes it of `source`.
  GridElement made(const GridElement& source, const Way& way, std::size_t done);
  /// Drops the steps of an element on which data comes unchanged.
  void drop_steps(const GridElement& element);
  bool shape(const GridElement& source, const Way& way, const GridElement& element,
             std::size_t done);
  /// `from`: the grid of the data, whose mask the result has.
  GridId grid_of(const std::vector<GridElement>& elements, GridId like, GridId from);
  /// One on the way to `end`, behind so many steps.
  GridId grid_before(GridId end, const std::vector<GridElement>& elements, int steps);
  ExpressionId add_step(const DataOnAnotherGrid& field, FieldExpressionNode& data, GridId grid,
                        std::int64_t transformed,
                        const std::vector<FieldExpressionNode>& coordinates = {});
  /// The coordinates that a step names, on grids of the sizes of `source` and of `target`; nothing:
  /// it cannot be, which is reported.
  std::optional<std::vector<FieldExpressionNode>> coordinates_of(
      const DataOnAnotherGrid& field, const Way& way, const Transformation& step,
      const std::vector<GridElement>& source, const std::vector<GridElement>& target);
  /// Why the grid of a coordinate is none for values on `elements`; empty: it is.
  std::string misfit(GridId grid, const std::vector<GridElement>& elements) const;
  bool refuse(const DataOnAnotherGrid& field, std::string why, std::string suggestion);
  bool fits_in_another_order(GridId from, GridId to);
  bool may_stand_for(const DataOnAnotherGrid& field, const GridElement& source,
                     const GridElement& target);
  const std::string& id_of(const GridElement& element) const;
  std::string title(const GridElement& element) const;

  Findings& findings_;
  GridBuilder& grids_;
  Model& model_;
  std::map<Key, Element> written_;
  std::set<Key> in_place_;  ///< elements that are made of something, as what they are
  std::map<std::pair<Key, Key>, GridElement> ends_;                  ///< target, origin
  std::map<std::tuple<Key, Key, std::size_t>, GridElement> others_;  ///< target, source, steps done
  std::map<Key, GridElement> copied_from_;                           ///< of ends that are copies
  std::set<std::pair<Key, Key>> doubts_;  ///< of elements whose equality each client decides
  std::map<Key, Key> sources_;            ///< of what is made
  std::map<std::tuple<std::vector<Key>, std::string, GridId>, GridId> grids_made_;
  std::map<std::pair<GridId, std::vector<Key>>, GridId> grids_between_;  ///< by what they lead to
  std::map<GridId, GridId> made_from_;   ///< source of each grid that is what it was written as
  std::map<GridId, GridId> stands_for_;  ///< of grids_made_: the one that was written
};

}  // namespace epios::config
