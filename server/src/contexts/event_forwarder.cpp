#include "contexts/event_forwarder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "config/index.hpp"
#include "contexts/event_check.hpp"
#include "event/gathered.hpp"

namespace epios::server {

EventForwarder::EventForwarder(const Environment& environment, const ContextPlan& plan,
                               ContextIntake& intake)
    : environment_(environment),
      plan_(plan),
      intake_(intake),
      writers_(WriterLinks::Environment{environment.servers, environment.to_servers, plan.number,
                                        &plan.model, &plan.request.choice}),
      lost_(plan.model.streams.size()) {}

void EventForwarder::ask(ContextOpening& opening) {
  opening.attempt([&] {
    if (plan_.gatherer > 0) {
      io::leave_columns_to_first(plan_.model, plan_.pieces, opening.parts());
    }
    opening.assemble_coordinates();
    writers_.ask(plan_.placements, plan_.pieces, opening.parts(), opening.coordinates());
    opening.drop_coordinates();
  });
  if (!opening.error().empty()) writers_.refuse(opening.error());
}

void EventForwarder::add_reply(int server, io::OpenReply reply) {
  writers_.add_reply(server, std::move(reply));
}

void EventForwarder::connect(ContextOpening& opening) {
  opening.refuse(writers_.refusal());
  opening.add_remarks(writers_.take_remarks());
  if (opening.error().empty()) writers_.connect(plan_.streams);
  is_connected_ = true;
}

bool EventForwarder::forward(const io::EventQueue::Event& event, const io::ActorTrace& trace) {
  const io::EventHeader& header = event.header;
  if (header.kind == io::EventKind::finalize && !intake_.have_all_passed(header.event)) {
    return false;
  }
  const bool is_record = header.kind == io::EventKind::record;
  if (is_record) {
    const StreamAssignment& share = plan_.stream_of(header);
    if (share.is_concerned()) check_parts(plan_.id, event, share, "client");
  }
  if (!writers_.pass(event, trace)) return false;
  if (is_record) intake_.note_record(header);
  intake_.release();
  return true;
}

void EventForwarder::lose(const io::EventHeader& header) {
  nth(lost_, header.stream).add(header.record);
}

void EventForwarder::notify_failure(ErrorCode code, const std::string& text) {
  has_notified_ = true;
  writers_.cancel();
  io::ContextReport report;
  report.context = plan_.number;
  report.failed = true;
  report.error_code = static_cast<int>(code);
  report.error = text;
  report.files = lost_account();
  for (const int server : writers_.servers()) {
    environment_.to_servers->send(*environment_.servers, server,
                                  static_cast<int>(io::ControlTag::inter_level),
                                  io::encode(report));
  }
}

/// Returns the account of lost records: writers cannot count what they have not seen.
std::vector<io::FileReport> EventForwarder::lost_account() const {
  std::vector<io::FileReport> out;
  for (std::size_t f = 0; f < plan_.model.files.size(); ++f) {
    io::FileReport file;
    file.file = static_cast<std::int32_t>(f);
    for (const config::StreamId s : nth(plan_.model.files, f).streams) {
      const auto stream = static_cast<std::size_t>(s);
      if (lost_[stream].size() == 0) continue;
      file.fields.push_back({nth(plan_.model.streams, stream).name, {}, lost_[stream]});
    }
    if (!file.fields.empty()) out.push_back(std::move(file));
  }
  return out;
}

void EventForwarder::log_lost(const Log& log) {
  std::vector<std::string> fields;
  for (std::size_t s = 0; s < lost_.size(); ++s) {
    const std::int64_t records = std::exchange(lost_[s], {}).size();
    if (records == 0) continue;
    io::EventHeader header;
    header.stream = static_cast<std::int32_t>(s);
    fields.push_back(fmt::format("{} of {}", records, event_text(plan_.model, header)));
  }
  if (fields.empty()) return;
  log.error(fmt::format("context '{}': records that were not passed on to those that write: {}",
                        plan_.id, fmt::join(fields, ", ")));
}

}  // namespace epios::server
