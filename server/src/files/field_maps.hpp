#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "config/run_page.hpp"
#include "grid/coordinates.hpp"
#include "grid/pieces.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server {

/// The cells of a coarse sample of a domain, the same on all servers.
struct DomainSample {
  static constexpr std::int64_t most_columns = 64, most_rows = 32;
  std::int64_t columns = 0, rows = 0;  ///< one row: the cells of the domain form none
  /// For each dimension of the domain, in file order, the places of the sample: of the rows and of
  /// the columns, or of all cells.
  std::vector<std::vector<std::int64_t>> places;
};
/// Takes cells of a domain of this shape as evenly as whole numbers allow. Of cells without rows,
/// whose order may have a period, one of each stretch is taken by chance (always the same one).
DomainSample sample_of(const io::Extents& shape);

/// Returns the fields of which a sample is kept: with a domain and its coordinates, each name once,
/// at most so many, from all files in turn. The same on all servers.
std::vector<config::StreamId> fields_on_maps(const config::Model& model,
                                             const io::CoordinateForms& forms, std::size_t most);

/// Shows coarse samples of the newest records of some fields of a context in the page of the
/// process, as far as this server writes them. Only the server's thread calls.
class FieldMaps {
 public:
  /// What this server knows of the context. Nothing of it is kept but `shares`.
  struct Contents {
    const config::Model& model;
    const io::Pieces& pieces;
    const std::vector<StreamAssignment>& shares;  ///< per stream
    const io::CoordinateForms& forms;
    std::span<const io::CoordinateSlab> coordinates;  ///< per Pieces::coordinate_windows
  };
  FieldMaps();
  FieldMaps(const FieldMaps&) = delete;
  FieldMaps(FieldMaps&&) = delete;
  FieldMaps& operator=(const FieldMaps&) = delete;
  FieldMaps& operator=(FieldMaps&&) = delete;
  ~FieldMaps();

  /// Chooses cells and writes down where they are. Without a page, or room in it, there are none.
  void open(const Contents& contents, config::RunPage& page, const std::string& component,
            int server);
  /// Shows a record in the form that it has on file. Allocates nothing; the cost depends on the
  /// number of cells that the sample has here (about 2,000 at most), not on the record's size.
  void show(int stream, std::int64_t record, std::span<const std::byte> slab);

 private:
  class Map;
  std::vector<std::unique_ptr<Map>> maps_;  // per stream, null: none
};

}  // namespace epios::server
