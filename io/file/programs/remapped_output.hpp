#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "file/data_file.hpp"
#include "file/written_file.hpp"
#include "file_grid.hpp"

namespace epios::io {

/// The file that a remap writes: fields on the target's grid, and all of the input that is on no
/// horizontal grid (times, levels, labels) as it is.
class RemappedOutput {
 public:
  RemappedOutput(const std::string& path, const DataFile& input, const FileGrid& target);

  /// A field of the input, of whose dimensions the last `horizontal` give way to the target's.
  void add_field(int variable, std::size_t horizontal, bool is_mean);
  /// Copies other variables of the input, except those on the grids of the sources. Returns the
  /// names of those that are neither field nor description of the grid.
  std::vector<std::string> add_others(const std::vector<const FileGrid*>& sources);
  /// `call`: what history says.
  void end_definitions(const std::string& call);
  /// Coordinates of the target, and what is copied.
  void write_fixed();
  /// One slab of a field; `box` in the input. NaN becomes the fill value.
  void write(int variable, const Box& box, std::size_t horizontal, std::vector<double>& values);
  void publish() { file_.publish(); }

 private:
  struct Field {
    int id = -1;
    double fill = 0;
  };
  int dimension(int of_input);
  int own_dimension(const std::string& name, std::int64_t length);
  void add_coordinates();
  void copy_field_attributes(int variable, int id, bool is_mean, double fill, bool is_double);

  const DataFile& input_;
  const FileGrid& target_;
  WrittenFile file_;
  std::map<std::string, std::pair<int, std::int64_t>> dimensions_;  // by name: number, length
  std::vector<int> horizontal_;
  std::map<int, Field> fields_;
  std::map<int, int> copies_;  // copies of variables of the input
  int lon_ = -1, lat_ = -1, lon_bounds_ = -1, lat_bounds_ = -1;
};

}  // namespace epios::io
