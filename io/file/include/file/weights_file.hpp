/// @file
/// Weights between grids (`space/weights.hpp`) in NetCDF files with the layout of XIOS, SCRIP or
/// ESMF.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "file/written_file.hpp"
#include "space/weights_files.hpp"

namespace epios::io {

enum class WeightsLayout {
  xios,   ///< n_src, n_dst, n_weight; src_idx, dst_idx, weight
  scrip,  ///< num_links, num_wgts; src_address, dst_address, remap_matrix
  esmf    ///< n_a, n_b, n_s; col, row, S
};

/// Further data of a grid, which readers of SCRIP need. It covers whole grids, in the order of cell
/// numbers.
struct WeightsGrid {
  const Cells* cells = nullptr;
  std::vector<std::int64_t>
      shape;  ///< fastest dimension first, as in {360, 180}; empty for one list of cells
  std::vector<double> fraction;  ///< Weights::covered; 1 if empty
};

struct WeightsFileSpec {
  std::string path;
  WeightsLayout layout = WeightsLayout::xios;
  WeightsBase base = WeightsBase::one;
  std::int64_t source_cells = 0;  ///< cells of the whole grid
  std::int64_t target_cells = 0;
  std::int64_t count = 0;  ///< number of weights of all pieces together
  /// For scrip and esmf. If they are not set, the file contains only sizes.
  std::optional<WeightsGrid> source, target;
  std::string method = "Conservative remapping";  ///< the name that SCRIP uses
  std::string
      normalization{};  ///< for scrip and esmf: "fracarea" (renormalize), "destarea" or "none"
  /// Also writes Weights::first_order, as a variable `weight_first` that other readers ignore.
  bool has_first_order = false;
  WeightsIdentity identity;  ///< written unless its recipe is empty
};

/// Writes rows piece by piece, as they come, all from one process. Used on the file thread. Throws
/// Error{io}, or Error{internal} if the pieces do not have `count` weights.
class WeightsWriter {
 public:
  explicit WeightsWriter(const WeightsFileSpec& spec);
  void append(const Weights& rows);
  /// Gives the file its name.
  void publish();

 private:
  void identify();
  std::int32_t first_number() const;
  void define_grid(const WeightsGrid& grid, bool is_source);
  void write_grid(const WeightsGrid& grid, bool is_source);
  struct GridVariables;
  void write_corners(const GridVariables& v, const Cells& cells);

  WeightsFileSpec spec_;
  WrittenFile file_;
  struct GridVariables {
    int shape = -1, lon = -1, lat = -1, corner_lon = -1, corner_lat = -1, mask = -1, area = -1,
        fraction = -1;
    std::int64_t corners = 0;
  };
  GridVariables source_, target_;
  int source_index_ = -1, target_index_ = -1, weight_ = -1, first_order_ = -1;
  std::int64_t written_ = 0;
};

/// Reads a file of any layout (names in it tell which). Used on the file thread. Throws Error{io}
/// for a file that does not exist, has none of the layouts, has lists of different shapes, belongs
/// to another grid, refers to cells beyond it, or has weights that are no numbers.
class WeightsReader final : public OpenWeights {
 public:
  explicit WeightsReader(const WeightsQuestion& question);
  WeightsReader(const WeightsReader&) = delete;
  WeightsReader(WeightsReader&&) = delete;
  WeightsReader& operator=(const WeightsReader&) = delete;
  WeightsReader& operator=(WeightsReader&&) = delete;
  ~WeightsReader() override;
  std::int64_t count() const override;
  bool has_first_order() const override;
  /// Reads the first of SCRIP's three weights per link, which is of first order.
  WeightLinks read(std::int64_t begin, std::int64_t count) const override;
  WeightsIdentity identity() const override;
  std::optional<Centre> centre(bool is_source, std::int64_t cell) const override;
  bool leaves_gradients_out() const override;

 private:
  struct Layout;
  std::unique_ptr<Layout> layout_;
};

/// Returns the rows of the given target cells (numbers in any order, each once), in their order,
/// from a file of any layout (names in it tell which). Reads in blocks: needs memory for the rows
/// only. Leaves `covered` empty, and `first_order`, too, if the file has none. Used on the file
/// thread. Throws like WeightsReader.
Weights read_weights(const WeightsQuestion& question, std::span<const std::int64_t> targets);

/// Returns the access to files of weights for a run. Any thread may use it (turn_of_files).
std::unique_ptr<WeightsFiles> weights_in_files();

}  // namespace epios::io
