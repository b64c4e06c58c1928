#include "event/protocol_trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "config/error.hpp"
#include "event/traced_event.hpp"

namespace epios::io {

ProtocolTrace::ProtocolTrace(const std::string& path) : file_(std::fopen(path.c_str(), "we")) {
  if (file_) return;
  throw Error(ErrorCode::io,
              fmt::format("the trace '{}' cannot be written ({}). Does EPIOS_PROTOCOL_TRACE name a "
                          "file in a folder that is there?",
                          path, std::strerror(errno)));
}

std::unique_ptr<ProtocolTrace> ProtocolTrace::of_environment(int process) {
  const char* const front = std::getenv("EPIOS_PROTOCOL_TRACE");
  if (front == nullptr || *front == '\0') return nullptr;
  try {
    return std::make_unique<ProtocolTrace>(fmt::format("{}.{}.trace", front, process));
  } catch (const Error& error) {
    fmt::print(stderr, "epios: warning: {}\n", error.what());
    return nullptr;
  }
}

void ProtocolTrace::add(std::string_view actor, std::string_view step) {
  const std::scoped_lock lock(mutex_);
  fmt::print(file_.get(), "{} {}\n", actor, step);
  static_cast<void>(std::fflush(file_.get()));  // what is killed has all of its steps
}

std::string traced(const EventQueue::Event& event) {
  const EventHeader& header = event.header;
  std::vector<int> senders;
  for (const EventQueue::Part& part : event.parts) senders.push_back(part.client);
  return fmt::format("event={} sequence={} kind={} stream={} record={} senders={}", header.event,
                     header.sequence, static_cast<int>(header.kind), header.stream, header.record,
                     fmt::join(senders, ","));
}

}  // namespace epios::io
