// Accumulates at the origin: made here if memory is shared, else sent to the target's process.
// Messages are split so that answers fit, too. In order: checks, in-place and local execution,
// splitting, sending, compare-and-swap.
#include <algorithm>
#include <cstring>

#include "handles/endpoint.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "messages/remote_send.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "windows/epoch.hpp"
#include "windows/transfer.hpp"
#include "windows/window_message.hpp"
#include "windows/window_site.hpp"

// Accumulates: made here where memory is shared, else sent to the one process that makes them.

namespace ep {

namespace {

// If more messages to one target are unanswered, the origin waits for answers. The limit is high,
// so that accumulates by which programs announce something rarely wait.
constexpr int most_unanswered = 1024;

/// An accumulate whose arguments have been resolved.
struct CombineWork {
  Accumulator accumulator;
  MappedView origin;
  MappedView result;
  const Destination& to;
  MPI_Op op;
  std::int64_t count;  ///< elements

  bool fetches() const { return result.map != nullptr; }
};

void check_side(const MappedView& side, const MappedView& target, const char* role,
                const char* name) {
  // Two sides without elements cannot differ.
  const bool both_empty = side.bytes() == 0 && target.bytes() == 0;
  if (!both_empty && side.map->basic != target.map->basic) {
    fail(EP_ERR_TYPE, name, ": the datatypes of ", role,
         " and target do not consist of one and the same predefined datatype.");
  }
  if (side.bytes() != target.bytes()) {
    fail(EP_ERR_TRUNCATE, name, ": ", side.bytes(), " bytes of ", role, " meet ", target.bytes(),
         " bytes of the target.");
  }
}

CombineWork checked_work(const Combination& what, const Destination& to, const char* name) {
  const MPI_Datatype basic = to.view.map->basic;
  if (basic == MPI_DATATYPE_NULL && to.view.bytes() > 0) {
    fail(EP_ERR_TYPE, name, ": the datatype of the target consists of several predefined ones.");
  }
  // An operation that is not one of MPI's is refused even if there is nothing to do.
  const bool is_empty = to.view.bytes() == 0 && Accumulator::number_of(what.op) >= 0;
  CombineWork work{Accumulator::of(is_empty ? MPI_REPLACE : what.op, is_empty ? MPI_BYTE : basic),
                   {},
                   {},
                   to,
                   what.op,
                   0};
  if (what.op != MPI_NO_OP) {
    work.origin = what.origin;
    check_side(work.origin, to.view, "origin", name);
  }
  if (what.result.map) {
    work.result = what.result;
    check_side(work.result, to.view, "result", name);
  }
  if (to.view.bytes() > 0) work.count = to.view.bytes() / map_of(basic)->size;
  return work;
}

// Operands, results and target are blocks in memory: nothing is copied.
bool combine_in_place(const CombineWork& work) {
  if (work.accumulator.has_gaps()) return false;
  std::byte* const target = work.to.view.block();
  const std::byte* const operand = work.accumulator.reads_operand() ? work.origin.block() : nullptr;
  std::byte* const fetched = work.fetches() ? work.result.block() : nullptr;
  const bool are_blocks = target != nullptr &&
                          (operand != nullptr || !work.accumulator.reads_operand()) &&
                          (fetched != nullptr || !work.fetches());
  if (!are_blocks) return false;
  work.accumulator.apply(target, operand, fetched, work.count, *work.to.target->element_lock);
  return true;
}

std::vector<std::byte> operands_of(const CombineWork& work) {
  if (work.accumulator.reads_operand()) return elements_of(work.origin, work.accumulator);
  return {};
}

void combine_here(const CombineWork& work) {
  if (combine_in_place(work)) return;
  const std::int64_t extent = work.accumulator.extent();
  const std::vector<std::byte> operands = operands_of(work);
  std::vector<std::byte> fetched(work.fetches() ? static_cast<std::size_t>(work.count * extent)
                                                : 0);
  std::int64_t done = 0;
  for (const ElementRun& run : runs_of(work.to.view, work.accumulator)) {
    work.accumulator.apply(work.to.view.data + run.offset,
                           operands.empty() ? nullptr : operands.data() + done * extent,
                           fetched.empty() ? nullptr : fetched.data() + done * extent, run.count,
                           *work.to.target->element_lock);
    done += run.count;
  }
  if (!work.fetches()) return;
  const auto packed = packed_elements(fetched.data(), work.count, work.accumulator);
  unpack_bytes(packed.data(), static_cast<std::int64_t>(packed.size()), work.result);
}

/// The part of an accumulate that one message carries.
struct AccumulateMessage {
  std::vector<ElementRun> runs;
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// Splits the work so that each message and its answer fit into the largest message size.
std::vector<AccumulateMessage> split_into_messages(const CombineWork& work) {
  const std::int64_t extent = work.accumulator.extent();
  constexpr std::int64_t room =
      largest_process_message - static_cast<std::int64_t>(sizeof(WindowMessage));
  constexpr std::int64_t run_bytes = sizeof(ElementRun);
  std::vector<AccumulateMessage> messages(1);
  std::int64_t used = 0;
  std::int64_t done = 0;
  for (ElementRun run : runs_of(work.to.view, work.accumulator)) {
    run.offset += work.to.offset;
    while (run.count > 0) {
      if (used + run_bytes + extent > room) {
        messages.emplace_back();
        messages.back().first = done;
        used = 0;
      }
      const std::int64_t now = std::min(run.count, (room - used - run_bytes) / extent);
      messages.back().runs.push_back({run.offset, now});
      messages.back().count += now;
      used += run_bytes + now * extent;
      done += now;
      run = {run.offset + now * extent, run.count - now};
    }
  }
  return messages;
}

// Sends one message that will be answered. If MPI refuses, nothing waits for it.
void send_to_target(EndpointWindow& window, const Destination& to, Request* request,
                    WindowMessage head, std::span<const ElementRun> runs,
                    std::span<const std::byte> data) {
  Access& access = window.accesses.of(to.rank);
  Endpoint& endpoint = endpoint_of_window(window);
  if (access.unanswered.load() >= most_unanswered) {
    const WaitSpec spec{"the process of a target to apply what was sent", to.rank};
    registry().wait(endpoint.place(), spec,
                    [&] { return access.unanswered.load() < most_unanswered; });
  }
  head.slot = to.target->place.slot;
  head.rank = endpoint.rank;
  head.runs = static_cast<std::int32_t>(runs.size());
  head.number = window.site->await_answer({&access, &endpoint.place(), request, false});
  access.unanswered.fetch_add(1);
  const int code =
      guarded([&] { send(endpoint.clique, to.target->place.process, head, runs, data); });
  if (code == EP_SUCCESS) return;
  static_cast<void>(window.site->take_unanswered(head.number));
  access.unanswered.fetch_sub(1);
  throw Error(code, last_error());
}

// Returns a request for results for which the program has no request; it returns to the arena when
// it is complete.
Request& own_request(EndpointWindow& window) {
  ep_request& request = *request_arena().take();
  prepare(request, endpoint_of_window(window), MappedView{}, "an accumulate");
  request.state.store(Request::abandoned);
  return request;
}

void expect_result(Request& request, const MappedView& result, int messages) {
  request.view = result;
  request.staging.resize(static_cast<std::size_t>(result.bytes()));
  request.is_staged = result.map != nullptr;
  request.raw_left.store(messages);
}

void send_shares(EndpointWindow& window, const CombineWork& work, Request* request) {
  const std::vector<std::byte> operands = operands_of(work);
  const std::vector<AccumulateMessage> messages = split_into_messages(work);
  if (request == nullptr && work.fetches()) request = &own_request(window);
  if (request != nullptr) {
    expect_result(*request, work.result, static_cast<int>(messages.size()));
  }
  WindowMessage head;
  head.kind = WindowMessage::Kind::accumulate;
  head.op = Accumulator::number_of(work.op);
  head.basic = basic_number(work.accumulator.basic());
  head.fetches = work.fetches() ? 1 : 0;
  const std::int64_t extent = work.accumulator.extent();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    head.elements = messages[i].count;
    head.first = messages[i].first;
    std::span<const std::byte> data;
    if (!operands.empty()) {
      data = {operands.data() + messages[i].first * extent,
              static_cast<std::size_t>(messages[i].count * extent)};
    }
    const int code =
        guarded([&] { send_to_target(window, work.to, request, head, messages[i].runs, data); });
    if (code == EP_SUCCESS) continue;
    const std::string text = last_error();
    if (request != nullptr) {
      note_failure(*request, code, text);
      for (std::size_t left = i; left < messages.size(); ++left)
        complete_raw(*request, MPI_SUCCESS);
    }
    throw Error(code, text);
  }
}

bool is_comparable(MPI_Datatype type) {
  return Accumulator::is_integer(type) || type == MPI_BYTE || type == MPI_CHAR ||
         type == MPI_CHARACTER || type == MPI_LOGICAL || type == MPI_C_BOOL || type == MPI_CXX_BOOL;
}

}  // namespace

void accumulate(EndpointWindow& window, const Combination& what, const Destination& to,
                Request* request, const char* name) {
  const CombineWork work = checked_work(what, to, name);
  if (!to.target->is_direct() && work.count > 0) {
    send_shares(window, work, request);
    return;
  }
  if (work.count > 0) combine_here(work);
  if (request != nullptr) finish(*request);
}

void compare_and_swap(EndpointWindow& window, const Swap& swap, const Destination& at) {
  if (!is_comparable(swap.type)) {
    fail(EP_ERR_TYPE, "EP_Compare_and_swap of ", basic_name(basic_number(swap.type)),
         " (allowed: integers, characters, logicals, bytes, addresses).");
  }
  const Accumulator accumulator = Accumulator::of(MPI_REPLACE, swap.type);
  const auto* const value = static_cast<const std::byte*>(swap.value);
  const auto* const compare = static_cast<const std::byte*>(swap.compare);
  auto* const result = static_cast<std::byte*>(swap.result);
  if (at.target->is_direct()) {
    accumulator.compare_and_swap(at.view.data, value, compare, result, *at.target->element_lock);
    return;
  }
  Request& request = own_request(window);
  expect_result(request, mapped({result, 1, swap.type}), 1);
  WindowMessage head;
  head.kind = WindowMessage::Kind::swap;
  head.basic = basic_number(swap.type);
  head.elements = 1;
  const auto size = static_cast<std::size_t>(accumulator.extent());
  std::vector<std::byte> data(2 * size);
  std::memcpy(data.data(), value, size);
  std::memcpy(data.data() + size, compare, size);
  const ElementRun run{at.offset, 1};
  const int code = guarded([&] { send_to_target(window, at, &request, head, {&run, 1}, data); });
  if (code == EP_SUCCESS) return;
  const std::string text = last_error();
  complete_raw(request, MPI_SUCCESS);
  throw Error(code, text);
}

}  // namespace ep
