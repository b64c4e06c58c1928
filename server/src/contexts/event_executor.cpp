// From an event whose parts are all here to requests to files and readings. An event stays in its
// channels until nothing reads it any more, so that a record of one part is written from there
// without a copy; all others are put together in the file's buffer. In order: what can be executed,
// records, sync points and ends of parts, what has been lost or could not be held.
#include "contexts/event_executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "config/index.hpp"
#include "contexts/event_check.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server {

EventExecutor::EventExecutor(const ContextPlan& plan, ContextIntake& intake, ContextFiles& files,
                             FieldMaps& maps, Readings& readings, const Log& log)
    : plan_(plan), intake_(intake), files_(files), maps_(maps), readings_(readings), log_(log) {}

void EventExecutor::prepare(std::span<const io::OpeningPart> parts) {
  if (!plan_.gathers()) {
    steps_ = RecordSteps(plan_.model, plan_.pieces, plan_.piece_assignments, plan_.streams, parts);
  }
  unfit_.assign(plan_.streams.size(), 0);
  infinite_.assign(plan_.streams.size(), {});
  kept_bits_.assign(plan_.streams.size(), 0);
}

bool EventExecutor::is_ready() {
  if (awaited_ >= 0) return false;
  if (!is_writing_in_place()) return true;
  if (!end_in_place()) return false;
  intake_.release();
  return true;
}

bool EventExecutor::end_in_place() {
  if (in_place_ != nullptr && !in_place_->is_done_writing()) return false;
  in_place_ = nullptr;
  return true;
}

bool EventExecutor::can_execute(const io::EventQueue::Event& event) const {
  const io::EventHeader& header = event.header;
  switch (header.kind) {
    case io::EventKind::read:
    case io::EventKind::left_out:
      return true;
    case io::EventKind::finalize:
      return intake_.have_all_passed(header.event);
    case io::EventKind::sync:
    case io::EventKind::part_end:
      return !files_.at(header.stream).is_shared() || intake_.have_all_passed(header.event);
    case io::EventKind::record:
      break;
  }
  return files_.can_take(plan_.stream_of(header), header.record);
}

void EventExecutor::execute(const io::EventQueue::Event& event) {
  const io::EventHeader header = event.header;
  switch (header.kind) {
    case io::EventKind::record:
      return execute_record(event);
    case io::EventKind::sync:
      return execute_sync(header);
    case io::EventKind::part_end:
      return execute_part_end(header);
    case io::EventKind::left_out:
      files_.at(header.stream).leave_out(header.record - header.samples, header.record);
      break;
    case io::EventKind::read:
      readings_.request(header);
      break;
    case io::EventKind::finalize:
      break;
  }
  intake_.release();
  if (header.kind == io::EventKind::finalize) files_.close();
}

void EventExecutor::execute_record(const io::EventQueue::Event& event) {
  const io::EventHeader header = event.header;
  const StreamAssignment& share = plan_.stream_of(header);
  check_parts(plan_.id, event, share, plan_.is_downstream ? "gatherer" : "client");
  FileParts& file = files_.at(share.file);
  intake_.note_record(header);
  if (!file.error_of(share.index_in_file, header.record).empty()) {
    if (share.is_continued) put_together(share, event);  // files of coarser levels go on
    file.lose(share.index_in_file, header.record);
    intake_.release();
    return;
  }
  files_.request_room(share, header.record);
  std::span<std::byte> slab;
  if (share.needs_buffer()) {
    slab = put_together(share, event);
    intake_.release();
  } else {
    slab = event.parts.front().payload;
    note_infinite(header, fill_missing(share, slab));
    in_place_ = &file;
  }
  slab = stored(header, slab);
  maps_.show(header.stream, header.record, slab);
  file.write(share.index_in_file, header.record, share.box_on_file(), slab,
             std::max(0, nth(kept_bits_, header.stream)));
}

/// Returns the record in the buffer of its file.
std::span<std::byte> EventExecutor::put_together(const StreamAssignment& share,
                                                 const io::EventQueue::Event& event) {
  std::span<std::byte> slab = files_.buffer(share);
  if (!share.is_worked_on()) {
    note_infinite(event.header, assemble(share, event.parts, slab));
    return slab;
  }
  steps_.work_out(event.header, share, event.parts, io::values_of<double>(slab));
  if (share.value_bytes == 4) slab = narrow(slab);
  note_infinite(event.header, fill_missing(share, slab));
  return slab;
}

/// Returns the values as the file holds them, in place.
std::span<std::byte> EventExecutor::stored(const io::EventHeader& header,
                                           std::span<std::byte> slab) {
  const StreamAssignment& share = plan_.stream_of(header);
  if (share.gathering) slab = share.gathering->gather(slab, share.value_bytes);
  if (share.form.is_plain()) return slab;
  StoredForm form = share.form;
  if (form.kept_share > 0) form.mantissa_bits = kept_bits(header, slab);
  Unfit unfit;
  slab = store(form, slab, unfit);
  nth(unfit_, header.stream) += unfit.missing;
  note_infinite(header, unfit.infinite);
  return slab;
}

/// The first record of a run whose values differ says how many bits of mantissa those behind it
/// keep. Before it, all do.
int EventExecutor::kept_bits(const io::EventHeader& header, std::span<const std::byte> slab) {
  constexpr int most_records = 24;
  int& known = nth(kept_bits_, header.stream);
  if (known > 0) return known;
  const StreamAssignment& share = plan_.stream_of(header);
  const MeasuredBits measured = measured_bits(share.form, slab, share.box_on_file().size);
  if (measured.information == 0 && --known > -most_records) return measured.all;
  known = measured.mantissa_bits;
  const std::string what =
      fmt::format("file '{}': values of field '{}' keep {} of {} bits of mantissa",
                  plan_.model.files[config::FileId(share.file)].path,
                  plan_.model.streams[config::StreamId(header.stream)].name, known, measured.all);
  if (measured.information == 0) {
    log_.warning(
        fmt::format("{} (in {} records, no value tells anything of its neighbours: they "
                    "are constant, noise or few). Use significant_digits?",
                    what, most_records));
  } else if (measured.is_artificial) {
    log_.warning(what +
                 " (last bits repeat others, as those of interpolated or converted data do: they "
                 "do not count). Use significant_digits if this is too little?");
  } else {
    log_.info(fmt::format("{} (keep_information=\"{}\" of {:.2f} bits, record {})", what,
                          share.form.kept_share, measured.information, header.record));
  }
  return known;
}

/// The client reports them at the end, for all servers. Records of a stream come in order.
void EventExecutor::note_infinite(const io::EventHeader& header, std::int64_t values) {
  if (values == 0) return;
  io::InfiniteValues& known = nth(infinite_, header.stream);
  if (known.values == 0) known = {header.stream, 0, header.record};
  known.values += values;
}

/// Every writer synchronises when it has executed what comes before on the timeline and nothing
/// behind. The leader gives the command as soon as it is there: then all clients have sent what the
/// other servers still wait for, so that these come to the same point.
void EventExecutor::execute_sync(const io::EventHeader& header) {
  if (!files_.begins_sync(header.stream)) {
    awaited_ = header.event;
    return;
  }
  files_.sync(header.stream, header.event);
  intake_.release();
}

/// Parts end as files synchronise: nothing of these parts comes behind the event.
void EventExecutor::execute_part_end(const io::EventHeader& header) {
  if (!files_.ends_parts(header.stream)) {
    awaited_ = header.event;
    return;
  }
  files_.end_parts(header.stream, header.record, header.event);
  intake_.release();
}

void EventExecutor::end_awaited() {
  if (std::exchange(awaited_, -1) >= 0 && intake_.is_open()) intake_.release();
}

void EventExecutor::lose(const io::EventHeader& header) {
  const StreamAssignment& share = plan_.stream_of(header);
  files_.at(share.file).lose(share.index_in_file, header.record);
}

void EventExecutor::lose_unforwarded(const io::FileReport& unforwarded, int gatherer) {
  const config::Model& model = plan_.model;
  if (unforwarded.file < 0 || unforwarded.file >= static_cast<int>(model.files.size())) return;
  for (const config::StreamId s : model.files[config::FileId(unforwarded.file)].streams) {
    const StreamAssignment& share = nth(plan_.streams, s);
    if (!share.is_concerned()) continue;
    const std::vector<int>& senders = share.piece->senders;
    if (!std::binary_search(senders.begin(), senders.end(), gatherer)) continue;
    const std::string& name = model.streams[config::StreamId(s)].name;
    for (const io::FieldAccount& field : unforwarded.fields) {
      if (field.field != name) continue;
      for (const auto& [begin, end] : field.lost.runs()) {
        for (std::int64_t record = begin; record < end; ++record) {
          files_.at(share.file).lose(share.index_in_file, record);
        }
      }
    }
  }
}

std::vector<io::InfiniteValues> EventExecutor::infinite_values() const {
  std::vector<io::InfiniteValues> out;
  std::copy_if(infinite_.begin(), infinite_.end(), std::back_inserter(out),
               [](const io::InfiniteValues& infinite) { return infinite.values > 0; });
  return out;
}

std::vector<std::string> EventExecutor::warnings() const {
  std::vector<std::string> out;
  for (std::size_t s = 0; s < unfit_.size(); ++s) {
    if (unfit_[s] == 0) continue;
    const config::Stream& stream = nth(plan_.model.streams, s);
    const StoredForm& form = plan_.streams[s].form;
    out.push_back(fmt::format(
        "file '{}': {} values of field '{}' are missing in it (prec=\"{}\" with scale_factor {} "
        "and "
        "add_offset {} cannot hold them). Use another scale_factor and add_offset, or more bytes?",
        plan_.model.files[config::FileId(plan_.streams[s].file)].path, unfit_[s], stream.name,
        form.file_bytes, form.scale_factor, form.add_offset));
  }
  return out;
}

}  // namespace epios::server
