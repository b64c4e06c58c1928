/// @file
/// Weights between grids (`space/weights.hpp`) in NetCDF files: in the layout of XIOS, of SCRIP, or
/// of ESMF.
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

/// What a file says of a grid beside its size; SCRIP's readers want it. Whole grids, in the order
/// of numbers.
struct WeightsGrid {
  const Cells* cells = nullptr;
  std::vector<std::int64_t> shape;  ///< fastest first, as in {360, 180}; empty: one list of cells
  std::vector<double> fraction;     ///< Weights::covered; empty: 1
};

struct WeightsFileSpec {
  std::string path;
  WeightsLayout layout = WeightsLayout::xios;
  WeightsBase base = WeightsBase::one;
  std::int64_t source_cells = 0;  ///< of the whole grid
  std::int64_t target_cells = 0;
  std::int64_t count = 0;  ///< weights of all pieces together
  /// Of scrip and esmf; without them there are sizes alone.
  std::optional<WeightsGrid> source, target;
  std::string method = "Conservative remapping";  ///< as SCRIP names it
  std::string normalization{};  ///< of scrip and esmf: "fracarea" (renormalize), "destarea", "none"
  /// Weights::first_order, too, as a variable `weight_first` that other readers do not look at.
  bool has_first_order = false;
  WeightsIdentity identity;  ///< written unless its recipe is empty
};

/// Writes rows piece by piece, as they come; all of them by one process. Of the file thread. Throws
/// Error{io}, or Error{internal} when the pieces are not `count` weights.
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

/// A file of any layout (its names tell which). Of the file thread. Throws Error{io} for a file
/// that is not there, has none of the layouts, lists of other shapes, weights of another grid,
/// cells beyond it, or weights that are no numbers.
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
  /// Of SCRIP's three weights per link the first one, that of first order.
  WeightLinks read(std::int64_t begin, std::int64_t count) const override;
  WeightsIdentity identity() const override;
  std::optional<Centre> centre(bool is_source, std::int64_t cell) const override;
  bool leaves_gradients_out() const override;

 private:
  struct Layout;
  std::unique_ptr<Layout> layout_;
};

/// Rows for the given target cells (numbers in any order, each once), in their order, from a file
/// of any layout (its names tell which). Reads in blocks: memory for the rows alone. `covered`
/// stays empty, `first_order` where the file has none. Of the file thread. Throws as WeightsReader.
Weights read_weights(const WeightsQuestion& question, std::span<const std::int64_t> targets);

/// As a run has them; of any thread (turn_of_files).
std::unique_ptr<WeightsFiles> weights_in_files();

}  // namespace epios::io
