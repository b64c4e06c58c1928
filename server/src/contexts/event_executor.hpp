#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "contexts/context_intake.hpp"
#include "contexts/context_plan.hpp"
#include "event/event_queue.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "files/context_files.hpp"
#include "files/field_maps.hpp"
#include "files/file_parts.hpp"
#include "process/log.hpp"
#include "reading/readings.hpp"
#include "records/record_steps.hpp"

namespace epios::server {

/// Executes the events of one context on a server that writes, in the order of the timeline:
/// records go to files, sync points and ends of parts are begun or awaited, requests go to the
/// readings. At most one event is in flight. Only the server's thread calls; nothing waits, and a
/// record allocates nothing.
class EventExecutor {
 public:
  /// All of it outlives the executor.
  EventExecutor(const ContextPlan& plan, ContextIntake& intake, ContextFiles& files,
                FieldMaps& maps, Readings& readings, const Log& log);

  /// Makes ready for the streams of the plan. `parts`: of its clients, whose rows of
  /// transformations are taken. Throws Error.
  void prepare(std::span<const io::OpeningPart> parts);
  /// Returns the memory of transformations of records.
  std::size_t step_bytes() const { return steps_.bytes(); }

  /// Returns true if the event before is done with, and releases it then.
  bool is_ready();
  /// Returns true if the event can be executed now: its file has room for the record, and its
  /// buffer is free; or all clients have come to it.
  bool can_execute(const io::EventQueue::Event& event) const;
  /// Executes an event of check_event() for which can_execute() is true. Throws Error for parts
  /// that are not of this server's share.
  void execute(const io::EventQueue::Event& event);

  /// Returns the number of the event, a sync point or an end of parts, whose command of the leader
  /// is awaited; -1: none is.
  std::int64_t awaited_event() const { return awaited_; }
  /// The leader's command for that event has been carried out.
  void end_awaited();
  /// Returns true while a record is written from its channel.
  bool is_writing_in_place() const { return in_place_ != nullptr; }
  /// Lets go of that record if it has been written, without giving its room back. Returns false if
  /// it is still being written.
  bool end_in_place();

  /// Counts a record as lost that is thrown away.
  void lose(const io::EventHeader& header);
  /// Counts records as lost that a gatherer has not forwarded, where its part was expected.
  void lose_unforwarded(const io::FileReport& unforwarded, int gatherer);
  /// Returns, for each stream that has any, the infinite values that were written.
  std::vector<io::InfiniteValues> infinite_values() const;
  /// Returns a text for each field that has values which its file could not hold.
  std::vector<std::string> warnings() const;

 private:
  void execute_record(const io::EventQueue::Event& event);
  std::span<std::byte> put_together(const StreamAssignment& share,
                                    const io::EventQueue::Event& event);
  std::span<std::byte> stored(const io::EventHeader& header, std::span<std::byte> slab);
  int kept_bits(const io::EventHeader& header, std::span<const std::byte> slab);
  void note_infinite(const io::EventHeader& header, std::int64_t values);
  void execute_sync(const io::EventHeader& header);
  void execute_part_end(const io::EventHeader& header);

  const ContextPlan& plan_;
  ContextIntake& intake_;
  ContextFiles& files_;
  FieldMaps& maps_;
  Readings& readings_;
  const Log& log_;
  RecordSteps steps_;
  std::vector<std::int64_t> unfit_;           // per stream: values that its file could not hold
  std::vector<io::InfiniteValues> infinite_;  // per stream
  /// Per stream with keep_information; not above 0: not known yet, after so many records.
  std::vector<int> kept_bits_;
  std::int64_t awaited_ = -1;
  FileParts* in_place_ = nullptr;  // writes from the channel of the event that is in flight
};

}  // namespace epios::server
