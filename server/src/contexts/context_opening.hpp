#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "config/failure_text.hpp"
#include "contexts/context_plan.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/coordinates.hpp"
#include "grid/pieces.hpp"
#include "grid/remark.hpp"
#include "process/log.hpp"

namespace epios::server {

/// The opening of one context on one server, from the request to the answers: collects what the
/// clients have of this server's pieces and makes the ContextPlan of it. What is wrong is kept, not
/// thrown: it is the answer to the clients, who wait for one. Only the server's thread calls.
class ContextOpening {
 public:
  /// Reads `plan.request`, whose model is decoded into `plan`. Both outlive this. Throws
  /// Error{protocol} if the request does not say how many parts come.
  ContextOpening(ContextPlan& plan, const Log& log);

  /// Takes the opening part of a client, or of a gatherer, and returns its number. Throws
  /// Error{protocol} for bytes that are none, and for a sender that does not take part or sends
  /// two.
  int add_part(std::span<const std::byte> message);
  bool has_all_parts() const { return parts_due_ == 0; }
  /// Returns the parts that have come, ascending by client once all have.
  std::span<io::OpeningPart> parts() { return parts_; }

  /// Returns why the context cannot be opened here; "" while all is well.
  const std::string& error() const { return error_; }
  /// Keeps the reason, unless there is one already.
  void refuse(const std::string& why);
  /// Keeps the reason instead of any other: the clients are gone.
  void refuse_at_last(const std::string& why) { error_ = why; }
  /// Runs `step`, unless the context is refused already. An exception refuses it: it is this
  /// server's alone, and the others must learn of it.
  template <class Step>
  void attempt(Step&& step) {
    if (!error_.empty()) return;
    try {
      step();
    } catch (const std::exception& error) {
      error_ = failure_text(error);
    }
  }

  /// Works out who sends which part of this server's pieces and streams. Throws Error.
  void assign();
  /// The pieces of the context's files that this server reads, and who reads them with it.
  struct Reading {
    std::vector<std::vector<int>> readers;  ///< servers, per Model::read_fields
    io::Pieces pieces;                      ///< of this server
  };
  Reading take_reading() { return std::move(reading_); }

  /// Puts the coordinates together from the parts, and notes where clients disagree. Throws Error.
  void assemble_coordinates();
  /// Returns the coordinates per Pieces::coordinate_windows.
  std::span<const io::CoordinateSlab> coordinates() const { return coordinates_.slabs; }
  void drop_coordinates() { coordinates_ = {}; }

  /// Notes points of written grids that no client has a value for.
  void note_missing();
  /// Notes that channels do not use the memory that they should, for a reason.
  void note_fallback(const std::string& why);
  void add_remarks(std::span<const io::Remark> remarks);

  /// Lets go of what the parts hold, once it is in channels, files and patterns.
  void forget_offers();
  /// Returns the channel's offer to the client of a part.
  using Offer = std::function<std::vector<std::byte>(std::size_t part)>;
  /// Sends an answer to the client, or the gatherer, of a part.
  using Send = std::function<void(const io::OpeningPart& part, const io::OpenReply& reply)>;
  /// Answers all parts, which are forgotten.
  void reply_to_all(const Offer& offer, const Send& send);

 private:
  void read_request();
  void read_levels();
  void check_choice() const;
  void place_after_failure();
  void check_sender(const io::OpeningPart& part) const;
  void note_disagreements();
  void add_requested_points(std::vector<io::OpenReply>& replies);

  ContextPlan& plan_;
  const Log& log_;
  std::string error_;
  std::vector<io::OpeningPart> parts_;
  int parts_due_;
  Reading reading_;
  io::AssembledCoordinates coordinates_;
  std::vector<io::Remark> remarks_;  // for the user, by the first client
};

}  // namespace epios::server
