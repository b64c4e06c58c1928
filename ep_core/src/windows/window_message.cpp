// Messages between the processes of a window, and their service at the target: accumulates, swaps,
// locks, posts, completes, and answers. In order: elements of views as messages carry them,
// decoding, service by kind, locks.
#include "windows/window_message.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>

#include "datatypes/datatype.hpp"
#include "messages/p2p.hpp"
#include "messages/remote_send.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"
#include "windows/window.hpp"
#include "windows/window_site.hpp"

namespace ep {

std::vector<ElementRun> runs_of(const MappedView& target, const Accumulator& accumulator) {
  std::vector<ElementRun> runs;
  const TypeMap& map = *target.map;
  const std::int64_t size = map_of(accumulator.basic())->size;
  if (map.is_dense(target.count) && !accumulator.has_gaps()) {
    runs.push_back({map.blocks.runs()[0].offset, target.bytes() / size});
    return runs;
  }
  std::int64_t inside = 0;  // bytes of an element with gaps that earlier blocks had
  const auto add_block = [&](std::int64_t offset, std::int64_t length) {
    if (!accumulator.has_gaps()) {
      runs.push_back({offset, length / size});
      return;
    }
    while (length > 0) {
      if (inside == 0) runs.push_back({offset, 1});
      const std::int64_t now = std::min(length, size - inside);
      inside = (inside + now) % size;
      offset += now;
      length -= now;
    }
  };
  for (std::int64_t i = 0; i < target.count; ++i) {
    for (const BlockRun& run : map.blocks.runs()) {
      for (std::int64_t k = 0; k < run.repeat; ++k) {
        add_block(i * map.extent + run.offset + k * run.stride, run.length);
      }
    }
  }
  return runs;
}

std::vector<std::byte> elements_of(const MappedView& view, const Accumulator& accumulator) {
  std::vector<std::byte> packed(static_cast<std::size_t>(view.bytes()));
  pack_bytes(view, packed.data());
  if (!accumulator.has_gaps()) return packed;
  const std::int64_t count = view.bytes() / map_of(accumulator.basic())->size;
  std::vector<std::byte> elements(static_cast<std::size_t>(count * accumulator.extent()));
  unpack_bytes(packed.data(), view.bytes(), {elements.data(), count, map_of(accumulator.basic())});
  return elements;
}

std::vector<std::byte> packed_elements(const std::byte* elements, std::int64_t count,
                                       const Accumulator& accumulator) {
  const MappedView view{const_cast<std::byte*>(elements), count, map_of(accumulator.basic())};
  std::vector<std::byte> packed(static_cast<std::size_t>(view.bytes()));
  pack_bytes(view, packed.data());
  return packed;
}

void send(const std::shared_ptr<Clique>& clique, int process_index, const WindowMessage& message,
          std::span<const ElementRun> runs, std::span<const std::byte> data) {
  std::vector<std::byte> bytes(sizeof message + runs.size_bytes() + data.size());
  std::memcpy(bytes.data(), &message, sizeof message);
  if (!runs.empty()) {
    std::memcpy(bytes.data() + sizeof message, runs.data(), runs.size_bytes());
  }
  std::copy(data.begin(), data.end(),
            bytes.begin() + static_cast<std::ptrdiff_t>(sizeof message + runs.size_bytes()));
  send_to_receiver(clique, process_index, bytes);
}

namespace {

/// A message that came, taken apart.
struct Incoming {
  const std::shared_ptr<Clique>& clique;
  WindowSite& site;
  int source;
  WindowMessage head;
  std::vector<ElementRun> runs;
  std::vector<std::byte> data;
};

Incoming read(const std::shared_ptr<Clique>& clique, WindowSite& site, int source,
              std::span<const std::byte> message) {
  Incoming in{clique, site, source, {}, {}, {}};
  std::memcpy(&in.head, message.data(), sizeof in.head);
  auto rest = message.subspan(sizeof in.head);
  in.runs.resize(static_cast<std::size_t>(in.head.runs));
  const std::size_t size = in.runs.size() * sizeof(ElementRun);
  if (size > 0) std::memcpy(in.runs.data(), rest.data(), size);
  rest = rest.subspan(size);
  in.data.assign(rest.begin(), rest.end());
  return in;
}

// Any thread that drives the communication runs this, and the origin waits for the answer, so a
// failure is tried once more.
void answer(const Incoming& in, int code, std::span<const std::byte> data) noexcept {
  WindowMessage head;
  head.number = in.head.number;
  head.code = code;
  head.op = in.head.op;
  head.basic = in.head.basic;
  head.elements = in.head.elements;
  head.first = in.head.first;
  const auto attempt = [&] { send(in.clique, in.source, head, {}, data); };
  if (guarded(attempt) != EP_SUCCESS) static_cast<void>(guarded(attempt));
}

void answer_error(const Incoming& in, int code) noexcept {
  const std::string text = last_error();
  answer(in, code, std::as_bytes(std::span(text)));
}

// Segments do not change, so the origin has checked them. Attached memory may change, so it is
// checked here.
std::byte* place_of(const Incoming& in, const ElementRun& run, std::int64_t extent) {
  Exposure& exposure = in.site.exposure(in.head.slot);
  std::byte* base = nullptr;
  if (in.site.flavor == EP_WIN_FLAVOR_DYNAMIC) {
    const auto address = static_cast<std::uintptr_t>(run.offset);
    if (!exposure.has_attached(address, run.count * extent)) {
      fail(EP_ERR_RMA_RANGE, "an accumulate at an address of another process touches ",
           run.count * extent, " bytes that are not attached there. Attach them first?");
    }
  } else {
    base = in.site.own_segment(in.head.slot);
  }
  return base + run.offset;
}

void accumulate(const Incoming& in) {
  const Accumulator accumulator =
      Accumulator::of(Accumulator::op_of(in.head.op), basic_type(in.head.basic));
  const std::int64_t extent = accumulator.extent();
  std::vector<std::byte> fetched;
  if (in.head.fetches != 0) fetched.resize(static_cast<std::size_t>(in.head.elements * extent));
  std::int64_t done = 0;
  for (const ElementRun& run : in.runs) {
    accumulator.apply(place_of(in, run, extent),
                      in.data.empty() ? nullptr : in.data.data() + done * extent,
                      fetched.empty() ? nullptr : fetched.data() + done * extent, run.count,
                      in.site.exposure(in.head.slot).element_lock);
    done += run.count;
  }
  answer(in, EP_SUCCESS, fetched);
}

void swap(const Incoming& in) {
  const Accumulator accumulator = Accumulator::of(MPI_REPLACE, basic_type(in.head.basic));
  const auto extent = static_cast<std::size_t>(accumulator.extent());
  std::vector<std::byte> fetched(extent);
  accumulator.compare_and_swap(place_of(in, in.runs.front(), accumulator.extent()), in.data.data(),
                               in.data.data() + extent, fetched.data(),
                               in.site.exposure(in.head.slot).element_lock);
  answer(in, EP_SUCCESS, fetched);
}

void count_and_notify(const Incoming& in, std::map<int, int> Exposure::*counts) {
  Exposure& exposure = in.site.exposure(in.head.slot);
  {
    const std::lock_guard lock(exposure.mutex);
    ++(exposure.*counts)[in.head.rank];
  }
  registry().notify(in.clique->slot(in.head.slot));
}

void take_answer(const Incoming& in) {
  const Unanswered waiting = in.site.take_unanswered(in.head.number);
  Access& access = *waiting.access;
  if (in.head.code != EP_SUCCESS) {
    const std::string text(reinterpret_cast<const char*>(in.data.data()), in.data.size());
    if (waiting.request != nullptr) note_failure(*waiting.request, in.head.code, text);
    const std::lock_guard lock(access.error_mutex);
    if (access.error.load() == EP_SUCCESS) {
      access.error_text = text;
      access.error.store(in.head.code);
    }
  } else if (waiting.is_lock) {
    access.granted.store(true, std::memory_order_seq_cst);
  } else if (waiting.request != nullptr && !in.data.empty()) {
    const Accumulator accumulator = Accumulator::of(MPI_REPLACE, basic_type(in.head.basic));
    const auto packed = packed_elements(in.data.data(), in.head.elements, accumulator);
    const auto before = static_cast<std::size_t>(in.head.first * map_of(accumulator.basic())->size);
    std::copy(packed.begin(), packed.end(),
              waiting.request->staging.begin() + static_cast<std::ptrdiff_t>(before));
  }
  if (waiting.request != nullptr) complete_raw(*waiting.request, MPI_SUCCESS);
  access.unanswered.fetch_sub(1, std::memory_order_seq_cst);
  registry().notify(*waiting.point);
}

void serve(const Incoming& in) {
  Exposure& exposure = in.site.exposure(in.head.slot);
  switch (in.head.kind) {
    case WindowMessage::Kind::accumulate:
      accumulate(in);
      registry().notify(in.clique->slot(in.head.slot));
      break;
    case WindowMessage::Kind::swap:
      swap(in);
      registry().notify(in.clique->slot(in.head.slot));
      break;
    case WindowMessage::Kind::lock: {
      const LockRequest request{in.head.exclusive != 0, nullptr, nullptr, in.source,
                                in.head.number};
      if (exposure.target_lock.acquire(request)) grant(in.clique, {request});
      break;
    }
    case WindowMessage::Kind::unlock:
      grant(in.clique, exposure.target_lock.release(in.head.exclusive != 0));
      break;
    case WindowMessage::Kind::post:
      count_and_notify(in, &Exposure::posts);
      break;
    case WindowMessage::Kind::complete:
      count_and_notify(in, &Exposure::completes);
      break;
    case WindowMessage::Kind::answer:
      take_answer(in);
      break;
  }
}

}  // namespace

void grant(const std::shared_ptr<Clique>& clique, const std::vector<LockRequest>& requests) {
  for (const LockRequest& request : requests) {
    if (request.granted != nullptr) {
      request.granted->store(true, std::memory_order_seq_cst);
      registry().notify(*request.point);
      continue;
    }
    WindowMessage head;
    head.number = request.number;
    const auto attempt = [&] { send(clique, request.process, head); };
    if (guarded(attempt) != EP_SUCCESS) attempt();
  }
}

void WindowSite::take_in(const std::shared_ptr<Clique>& clique, int source,
                         std::span<const std::byte> message) noexcept {
  if (message.size() < sizeof(WindowMessage)) return;
  const int code = guarded([&] { serve(read(clique, *this, source, message)); });
  if (code == EP_SUCCESS) return;
  static_cast<void>(guarded([&] {
    const Incoming in = read(clique, *this, source, message);
    if (in.head.number != 0 && in.head.kind != WindowMessage::Kind::answer) answer_error(in, code);
  }));
}

}  // namespace ep
