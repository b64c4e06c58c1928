// Puts and gets: by copies if this process reads and writes the target's segment, else through a
// raw window, as blocks only. In order: checks of the destination, raw transfers, and the two
// operations.
#include "windows/transfer.hpp"

#include <algorithm>
#include <mutex>

#include "messages/message_wire.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "windows/epoch.hpp"
#include "windows/window_message.hpp"
#include "windows/window_site.hpp"

namespace ep {

namespace {

// Bytes from the base of the segment.
std::int64_t checked_offset(const Target& target, int rank, MPI_Aint disp, const Span& span,
                            const char* what) {
  std::int64_t offset = 0;
  if (span.size == 0) return offset;  // wherever it is
  const bool overflows = __builtin_mul_overflow(disp, target.disp_unit, &offset) ||
                         offset > target.size || offset < -target.size;
  const std::int64_t begin = offset + span.begin;
  if (!overflows && begin >= 0 && begin + span.size <= target.size) return offset;
  fail(EP_ERR_RMA_RANGE, what, " at displacement ", disp, " of rank ", rank, " touches ", span.size,
       " bytes outside its segment (", target.size, " bytes in units of ", target.disp_unit, ").");
}

void check_attached(const Target& target, int rank, MPI_Aint address, const Span& span,
                    const char* what) {
  if (target.exposure == nullptr || span.size == 0) return;
  if (target.exposure->has_attached(static_cast<std::uintptr_t>(address + span.begin), span.size)) {
    return;
  }
  fail(EP_ERR_RMA_RANGE, what, " at an address of rank ", rank, " touches ", span.size,
       " bytes that are not attached there. Attach them first?");
}

enum class RmaKind { put, get };

/// The blocks of an access, cut where either side or MPI's counts end.
std::vector<RawTransfer> transfers_of(std::byte* data, std::int64_t bytes, const Destination& at) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  std::vector<RawTransfer> out;
  const Accumulator as_bytes = Accumulator::of(MPI_REPLACE, MPI_BYTE);
  for (ElementRun run : runs_of(at.view, as_bytes)) {
    while (run.count > 0 && bytes > 0) {
      const std::int64_t now = std::min({run.count, bytes, most});
      out.push_back(
          {data, static_cast<int>(now), at.target->place.process, at.offset + run.offset});
      data += now;
      bytes -= now;
      run = {run.offset + now, run.count - now};
    }
  }
  return out;
}

// Hands them to the engine, which completes `request` with the last.
void start(const std::vector<RawTransfer>& transfers, RawWindows& raw, int raw_window, RmaKind kind,
           Request& request) {
  request.raw_left.store(static_cast<int>(transfers.size()));
  const std::shared_ptr<Clique> clique = request.clique;
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const int peer = clique->process(transfers[i].process).wire_rank;
    const int code = guarded([&] {
      const MPI_Request raw_request = kind == RmaKind::put
                                          ? raw.put_with_request(raw_window, transfers[i])
                                          : raw.get_with_request(raw_window, transfers[i]);
      engine().add(raw_request, request, traffic_of(clique), peer);
      clique->wire()->ring(peer);
    });
    if (code == EP_SUCCESS) continue;
    const std::string text = last_error();
    note_failure(request, code, text);
    for (; i < transfers.size(); ++i) complete_raw(request, MPI_SUCCESS);
    throw Error(code, text);
  }
}

void move_raw(EndpointWindow& window, const MappedView& origin, const Destination& at, RmaKind kind,
              Request* request) {
  Access& access = window.accesses.of(at.rank);
  const std::lock_guard lock(access.raw_mutex);
  const std::int64_t bytes =
      kind == RmaKind::put ? origin.bytes() : std::min(origin.bytes(), at.view.bytes());
  std::byte* data = origin.block();
  if (data == nullptr) {
    std::vector<std::byte>& staging =
        request != nullptr ? request->staging : access.staged.emplace_back().bytes;
    staging.resize(static_cast<std::size_t>(bytes));
    data = staging.data();
    if (kind == RmaKind::put) {
      pack_bytes(origin, data);
    } else if (request != nullptr) {
      request->view = origin;
      request->is_staged = true;
    } else {
      access.staged.back().view = origin;
    }
  }
  const std::vector<RawTransfer> transfers = transfers_of(data, bytes, at);
  const int raw_window = raw_window_of(window, *at.target);
  access.raw_pending = true;
  if (request != nullptr) {
    start(transfers, window.site->raw, raw_window, kind, *request);
    return;
  }
  for (const RawTransfer& transfer : transfers) {
    if (kind == RmaKind::put) {
      window.site->raw.put(raw_window, transfer);
    } else {
      window.site->raw.get(raw_window, transfer);
    }
  }
}

}  // namespace

Destination checked_destination(const EndpointWindow& window, int rank, MPI_Aint disp,
                                std::int64_t count, MPI_Datatype type, const char* what) {
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " at the target of ", what, " (negative).");
  const Target& target = target_of(window, rank);
  Destination to{rank, &target, disp, mapped({nullptr, count, type})};
  const Span span = to.view.map->span(count);
  if (window.flavor == EP_WIN_FLAVOR_DYNAMIC) {
    check_attached(target, rank, disp, span, what);
  } else {
    to.offset = checked_offset(target, rank, disp, span, what);
  }
  // For a dynamic window the offset is an address, and the segment begins at address 0.
  if (target.is_direct()) {
    to.view.data = reinterpret_cast<std::byte*>(  // NOLINT(performance-no-int-to-ptr)
        reinterpret_cast<std::uintptr_t>(target.memory) + static_cast<std::uintptr_t>(to.offset));
  }
  return to;
}

void put(EndpointWindow& window, const MappedView& origin, const Destination& to,
         Request* request) {
  if (!to.target->is_direct() && origin.bytes() > 0) {
    move_raw(window, origin, to, RmaKind::put, request);
    return;
  }
  copy_typed(origin, to.view);
  if (request != nullptr) finish(*request);
}

void get(EndpointWindow& window, const MappedView& origin, const Destination& from,
         Request* request) {
  if (!from.target->is_direct() && from.view.bytes() > 0) {
    move_raw(window, origin, from, RmaKind::get, request);
    return;
  }
  copy_typed(from.view, origin);
  if (request != nullptr) finish(*request);
}

}  // namespace ep
