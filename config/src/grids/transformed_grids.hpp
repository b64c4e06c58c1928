/// @file
/// Steps of data from grid to grid, for the Model.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
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
  std::optional<FieldExpressionNode> data;  ///< nothing: `why` not, unless that is said elsewhere
  int grid = -1;
  std::string why;
};

/// A field whose data come on another grid than its own, and these data.
struct DataOnAnotherGrid {
  std::string id;      ///< of the field
  std::string title;   ///< "field 'tos'"
  Origin grid_origin;  ///< of what says which grid the field has
  std::string where;   ///< of the field
  FieldExpressionNode data;
  int from = 0;  ///< their grid
  int to = 0;    ///< that of the field, or one on the way to it
  FieldExpression::Stage stage = FieldExpression::Stage::end;  ///< what `to` is
  std::function<NamedData(const std::string& field)> named{};
};

/// Of data that cannot be made into what a field has: a run goes on without that field, unless the
/// model sends what they are made of.
void leave_unmade(Model& model, const std::vector<FieldExpressionNode>& data,
                  const std::string& why, const std::string& suggestion);

/// Elements that are made of others get their shapes here; one that is made of several others is
/// several elements.
class TransformedGrids {
 public:
  TransformedGrids(Findings& findings, GridBuilder& grids, Model& model)
      : findings_(findings), grids_(grids), model_(model) {}

  /// The expression whose data are those of the field; -1: there is no way, which is reported.
  int bring(const DataOnAnotherGrid& field);
  /// Whether transformations lead from one grid to the other.
  bool is_made_of(int grid, int source);
  /// By which transformations elements of both are made of one, where these are not the same.
  struct Difference {
    std::string_view own, others;  ///< the first that differ: "extract_axis"; "": there is none
    bool is_window = false;        ///< they show other points of it
  };
  std::optional<Difference> difference_in_making(int grid, int other) const;
  /// Whether data go through transformations, or only by another grid.
  static bool are_equal(const Model& model, int grid, int other);
  /// What is made of something else and sent by the model, too, and what has no effect. All
  /// sources and steps are there.
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
  /// Of an element on which data come as it is.
  void drop_steps(const GridElement& element);
  bool shape(const GridElement& source, const Way& way, const GridElement& element,
             std::size_t done);
  /// `from`: the grid of the data, whose mask the result has.
  int grid_of(const std::vector<GridElement>& elements, int like, int from);
  /// One on the way to `end`, behind so many steps.
  int grid_before(int end, const std::vector<GridElement>& elements, int steps);
  int add_step(const DataOnAnotherGrid& field, FieldExpressionNode& data, int grid,
               std::int64_t transformed, const std::vector<FieldExpressionNode>& coordinates = {});
  /// The coordinates that a step names, on grids of the sizes of `source` and of `target`; nothing:
  /// it cannot be, which is reported.
  std::optional<std::vector<FieldExpressionNode>> coordinates_of(
      const DataOnAnotherGrid& field, const Way& way, const Transformation& step,
      const std::vector<GridElement>& source, const std::vector<GridElement>& target);
  /// Why the grid of a coordinate is none for values on `elements`; empty: it is.
  std::string misfit(int grid, const std::vector<GridElement>& elements) const;
  bool refuse(const DataOnAnotherGrid& field, std::string why, std::string suggestion);
  bool fits_in_another_order(int from, int to);
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
  std::map<std::tuple<std::vector<Key>, std::string, int>, int> grids_made_;
  std::map<std::pair<int, std::vector<Key>>, int> grids_between_;  ///< by what they lead to
  std::map<int, int> made_from_;  ///< of grids that are what they were written as
};

}  // namespace epios::config
