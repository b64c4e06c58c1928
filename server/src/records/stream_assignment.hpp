#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "event/event_queue.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/box.hpp"
#include "grid/pattern.hpp"
#include "grid/pieces.hpp"
#include "records/gathering.hpp"
#include "records/stored_form.hpp"
#include "transport/channel.hpp"

namespace epios::server {

/// A grid piece of this server, and who sends which part of it. A point belongs to the client of
/// lowest rank that has a value there.
struct PieceAssignment {
  io::Box slab;
  std::vector<int> senders;                ///< clients, ascending
  std::vector<io::RequestedPoints> asked;  ///< parallel to senders
  std::vector<io::Pattern> patterns;       ///< parallel: places of the part's values in the slab
  /// Parallel: a bit per value of the part, 0 where it is masked; empty: none is.
  std::vector<std::vector<std::uint64_t>> masks;
  bool in_place = false;     ///< one part that is the whole slab: written from its channel
  bool covered = false;      ///< the parts leave no holes
  std::int64_t missing = 0;  ///< points of the slab that no client has a value for
  std::vector<std::int64_t> first_missing;  ///< some of them: positions in the slab
  std::int64_t unowned = 0;                 ///< those that no client describes: not even masked
  std::vector<std::int64_t> first_unowned;
};

/// Returns the assignments of all pieces of this server. `parts` as by check_opening_part,
/// ascending by client; their masks are taken.
std::vector<PieceAssignment> assign_pieces(const io::Pieces& pieces,
                                           std::span<io::OpeningPart> parts);

/// One server's share of one stream.
struct StreamAssignment {
  int file = 0;
  int index_in_file = 0;
  int value_bytes = 8;                     ///< of a record before it gets its form on file
  int wire_bytes = 8;                      ///< of a value as it comes
  std::optional<double> fill;              ///< value of missing points on file; none: NaN
  StoredForm form{};                       ///< what is written of what comes
  std::optional<Gathering> gathering{};    ///< indexed_output: what of it is written
  const PieceAssignment* piece = nullptr;  ///< that comes; null: this server writes nothing of it
  /// The one that goes to the file: the same, unless `steps` make it.
  const PieceAssignment* on_file = nullptr;
  bool counts_infinite = false;  ///< what is infinite on file may have been another value
  std::vector<int> steps{};      ///< into Pieces::steps: what is done with records, here
  int continued = -1;  ///< stream of whose records its own are made; -1: of what crosses the wire
  bool is_continued = false;  ///< records of others are made of its own

  bool is_concerned() const { return piece != nullptr; }
  bool is_made_here() const { return !steps.empty(); }
  /// Returns true if records are put together as doubles first (RecordSteps).
  bool is_worked_on() const { return is_made_here() || is_continued || wire_bytes > value_bytes; }
  /// Returns true if records are put together elsewhere than in a channel.
  bool needs_buffer() const { return is_worked_on() || !piece->in_place; }
  /// Returns the box of what is written of the slab.
  const io::Box& box_on_file() const { return gathering ? gathering->box : on_file->slab; }
  /// Returns the bytes of the buffer in which a record of the file is put together.
  std::size_t slab_bytes() const {
    return static_cast<std::size_t>(on_file->slab.volume()) * static_cast<std::size_t>(wire_bytes);
  }
  std::size_t part_bytes(std::size_t part) const {
    return static_cast<std::size_t>(piece->patterns[part].count()) *
           static_cast<std::size_t>(wire_bytes);
  }
};

/// Returns the assignments of all streams of the model. `shares` are those of `pieces` and outlive
/// the result; `parts` as of assign_pieces().
std::vector<StreamAssignment> assign_streams(const config::Model& model, const io::Pieces& pieces,
                                             const std::vector<PieceAssignment>& shares,
                                             std::span<const io::OpeningPart> parts = {});

/// Lets records go on as they have come, for a server that gathers: nothing stands for what is
/// missing.
void pass_as_sent(std::vector<StreamAssignment>& shares);

/// Replaces missing values of a slab by the fill value, if there is one, and returns how many are
/// infinite in single precision. Not of a stream whose values change on their way to the file:
/// store() does.
std::int64_t fill_missing(const StreamAssignment& share, std::span<std::byte> slab);

/// Puts the parts of a record together; points that no client has a value for become
/// `unowned_value`.
void assemble_doubles(const PieceAssignment& piece, std::span<const io::EventQueue::Part> parts,
                      double unowned_value, std::span<double> slab);
/// Puts the parts of a record together in `slab`; points that no client has become missing. Returns
/// what fill_missing() does.
std::int64_t assemble(const StreamAssignment& share, std::span<const io::EventQueue::Part> parts,
                      std::span<std::byte> slab);

/// Channel memory of a server process, shared by the contexts that are open at a time.
struct ChannelBudget {
  std::size_t bytes = 0;
  std::size_t taken_bytes = 0;   ///< by other contexts
  std::size_t answer_bytes = 0;  ///< of channels in which clients get what is read
  int requests = 0;              ///< for records that are read, of a client at a time
  std::size_t step_bytes = 0;    ///< of what transforms records here
};

/// Channels for the clients of `parts`, in their order: each carries its largest part, and twice
/// what one step sends, beside all requests that may be under way, as far as half of the budget
/// that is left goes; the other half is for contexts that open later. Throws Error{resource} when
/// the budget does not reach for the largest parts.
std::vector<io::ChannelSpec> channel_specs(const std::vector<StreamAssignment>& shares,
                                           std::span<const io::OpeningPart> parts,
                                           const ChannelBudget& budget);

}  // namespace epios::server
