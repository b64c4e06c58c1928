/// @file
/// Dimensions and coordinate variables of the axes, domains and scalars in one file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cf/cf_plan.hpp"
#include "cf/ugrid.hpp"
#include "config/element_names.hpp"
#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"
#include "grid/remark.hpp"

namespace epios::io {

/// Adds the elements of a file's fields to its FileSpec, under the names of config::FileNames;
/// equal elements stand there once. From each of their lists, the values of the first element that
/// has any are written.
class CfElements {
 public:
  /// `slabs` are what this writer has. All arguments must outlive this object.
  CfElements(const config::Model& model, const config::File& file, const CoordinateForms& forms,
             std::span<const CoordinateSlab* const> slabs, FileSpec& spec, OwnNumbers& own);

  /// Defines all of them.
  void add();

  /// Returns the dimensions of a grid in file order, without the record dimension.
  std::vector<int> dimensions(int grid) const;
  /// Returns the names for the attribute `coordinates`: coordinate variables of a grid that are not
  /// named like a dimension.
  std::vector<std::string> auxiliary(int grid) const;
  /// Returns the names of the variables with the areas of a grid's cells.
  std::vector<std::string> areas(int grid) const;
  /// Returns the attributes that say which mesh a grid is on, and where, or which grid mapping it
  /// has; none if it has neither.
  std::vector<FileAttribute> mesh(int grid) const;
  /// Returns true if some of them are the pixels of HEALPix.
  bool has_pixels() const;
  /// Returns the dimension of bounds, defined at first use.
  int bounds_dimension();
  /// Returns remarks for the user.
  const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  using Element = config::GridElement;
  /// The dimensions and variables of a SharedElement in the file.
  struct Placed {
    std::vector<int> dimensions;
    std::vector<std::string> auxiliary;
    std::vector<std::string> areas;
    std::string mesh{}, location{};
    std::string grid_mapping{};
  };

  ElementPlan plan(const Element& element, const CoordinateForm& form,
                   const config::ElementNames& names) const;
  /// Returns the plan that the members have in common.
  ElementPlan united_plan(const config::SharedElement& shared) const;
  void add_meshes();
  void check_names(const ElementPlan& plan) const;
  Placed add(const config::SharedElement& shared);
  /// Returns true if an element is part of a mesh in this file.
  bool is_in_mesh(const Element& element) const;
  /// Returns true if a field refers to the areas of an element.
  bool are_areas_wanted(const config::SharedElement& shared) const;
  /// Adds what says which pixels of HEALPix the cells of a domain are.
  void add_pixels(const config::SharedElement& shared, Placed& placed);
  /// Adds names of stations, or distances along a section.
  void add_stations(const config::SharedElement& shared, Placed& placed);
  void add_variable(const config::SharedElement& shared, const ElementPlan& united,
                    const PlannedVariable& planned);
  /// Notes points without a value in the variables added last.
  void note_gaps(const ElementPlan& united);
  /// Returns the dimension with a name, defined at first use.
  int dimension(const PlannedDimension& planned);
  int dimension(const std::string& name, std::int64_t length);
  const CoordinateSlab* slab_of(const Element& element) const;
  /// Notes where members have other values than those that are written.
  void compare(const config::SharedElement& shared, const PlannedVariable& planned,
               const Extents& shape);
  std::string title(const Element& element) const;
  const Placed& placed(const Element& element) const;

  const config::Model& model_;
  const config::File& file_;
  const CoordinateForms& forms_;
  std::span<const CoordinateSlab* const> slabs_;
  FileSpec& spec_;
  OwnNumbers& own_;
  bool are_meshes_;            // true if its domains form meshes
  std::vector<Element> lent_;  // domains that number these meshes
  config::FileNames names_;
  std::vector<Placed> placed_;  // for each shared element
  std::vector<Remark> remarks_;
  std::int64_t text_bytes_ = 0;  // bytes of the longest label
};

}  // namespace epios::io
