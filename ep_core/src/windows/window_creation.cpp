// Makes and frees windows: endpoints exchange their segments, then one endpoint of each process
// makes shared memory or raw windows, and all agree on the outcome. In order: memory, the making by
// one process, the handle, creation, freeing.
#include "windows/window_creation.hpp"

#include <sys/resource.h>
#include <sys/statvfs.h>

#include <climits>
#include <cstdlib>
#include <new>
#include <utility>

#include "cliques/wire.hpp"
#include "creation/api_creation.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/first_exception.hpp"
#include "shm/shm_peer.hpp"
#include "windows/epoch.hpp"
#include "windows/window_segments.hpp"
#include "windows/window_tables.hpp"

namespace ep {

namespace {

constexpr std::int64_t line_bytes = 64;
// Larger than the memory of any machine; sums of some of these fit into 64 bits.
constexpr std::int64_t most_bytes = std::int64_t{1} << 47;

std::int64_t rounded_up(std::int64_t bytes) {
  return (bytes + line_bytes - 1) / line_bytes * line_bytes;
}

std::shared_ptr<std::byte> allocate_lines(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(rounded_up(bytes + 1));
  void* const memory = std::aligned_alloc(line_bytes, size);
  if (memory == nullptr) fail(EP_ERR_NO_MEM, "no memory of ", bytes, " bytes for a window.");
  return {static_cast<std::byte*>(memory), [](std::byte* block) { std::free(block); }};  // NOLINT
}

/// The communicator of a window during its creation; freed if the creation fails.
class OwnComm {
 public:
  explicit OwnComm(EP_Comm comm) : comm_(comm) {}
  OwnComm(const OwnComm&) = delete;
  OwnComm(OwnComm&&) = delete;
  OwnComm& operator=(const OwnComm&) = delete;
  OwnComm& operator=(OwnComm&&) = delete;
  ~OwnComm() {
    if (comm_ != EP_COMM_NULL) static_cast<void>(guarded([this] { free_endpoint(comm_); }));
  }

  Endpoint& endpoint() const { return *comm_; }
  EP_Comm release() { return std::exchange(comm_, EP_COMM_NULL); }

 private:
  EP_Comm comm_;
};

/// Memory without room is found by a signal at its first use, and not when it is made: see touch().
bool has_shared_memory(std::int64_t bytes) {
  struct statvfs info {};
  return ::statvfs("/dev/shm", &info) == 0 &&
         static_cast<std::uint64_t>(bytes) <= std::uint64_t{info.f_bavail} * info.f_frsize;
}

/// Whoever makes a longer file than its limit allows (ulimit -f) is ended by a signal.
bool may_make_file(std::int64_t bytes) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         static_cast<rlim_t>(bytes) <= limit.rlim_cur;
}

/// Takes every page now, so that the next window finds how much room is left.
void touch(std::byte* begin, std::int64_t bytes) {
  constexpr std::int64_t page_bytes = 4096;
  for (std::int64_t at = 0; at < bytes; at += page_bytes) {
    *static_cast<volatile std::byte*>(begin + at) = std::byte{0};
  }
}

bool says_true(const std::map<std::string, std::string>& hints, const char* key) {
  const auto found = hints.find(key);
  return found != hints.end() && found->second == "true";
}

/// The steps of one endpoint in the creation of a window.
class Making {
 public:
  Making(const WindowRequest& request, const Clique& clique) : request_(request), clique_(clique) {}

  /// Returns the segment of this endpoint; an error in its arguments is part of the offer.
  SegmentOffer offer() {
    SegmentOffer offer;
    offer.error = guarded([this] { hints_ = window_hints(request_.info); });
    if (clique_.is_inter() && says_true(hints_, "ep_dynamic")) {
      request_.flavor = EP_WIN_FLAVOR_DYNAMIC;
      request_.base = nullptr;
      request_.size = 0;
      request_.disp_unit = 1;
    }
    offer.flavor = request_.flavor;
    offer.size = request_.size;
    offer.disp_unit = request_.disp_unit;
    offer.same_size = says_true(hints_, "same_size");
    offer.same_disp_unit = says_true(hints_, "same_disp_unit");
    offer.gaps_allowed = says_true(hints_, "alloc_shared_noncontig");
    if (const auto role = hints_.find("ep_role"); role != hints_.end()) {
      offer.role = role->second.front();
    }
    if (offer.error == EP_SUCCESS) offer.error = check();
    offer.base = reinterpret_cast<std::uint64_t>(request_.base);
    return offer;
  }

  /// Creates the memory and raw windows of a process; one endpoint does it.
  void make_shared_things(WindowSite& site, const Clique& parent) {
    const RawArrangement arrangement = arrange_raw_windows(clique_, site);
    site.raw_slots = arrangement.slots;
    const bool is_alone = clique_.process_count() == 1;
    MPI_Comm& comm = windows_of(parent).comm;
    if (!is_alone && comm == MPI_COMM_NULL) comm = create_raw_over_processes(parent);
    const bool is_shared = request_.flavor == EP_WIN_FLAVOR_SHARED;
    if (is_shared || request_.flavor == EP_WIN_FLAVOR_ALLOCATE) {
      const std::vector<std::int64_t> offsets = place_segments(site);
      if (std::byte* const base = make_pages(site, offsets.back(), comm); base != nullptr) {
        return share_segments(site, offsets, base);
      }
      if (is_shared) {
        fail(EP_ERR_RMA_SHARED, "processes of one node cannot map the ", offsets.back(),
             " bytes that the first of them has made. Is there a limit on files or memory?");
      }
    }
    if (!is_alone) {
      make_raw_windows(site, arrangement, comm);
    }
  }

  std::map<std::string, std::string> hints() { return std::move(hints_); }
  std::shared_ptr<std::byte> memory() { return std::move(memory_); }
  std::int64_t disp_unit() const { return request_.disp_unit; }

 private:
  int check() {
    if (request_.size < 0) return EP_ERR_SIZE;
    if (request_.disp_unit <= 0) return EP_ERR_DISP;
    const bool is_made =
        request_.flavor == EP_WIN_FLAVOR_ALLOCATE || request_.flavor == EP_WIN_FLAVOR_SHARED;
    if (is_made && request_.size > most_bytes) return EP_ERR_NO_MEM;
    const bool is_created = request_.flavor == EP_WIN_FLAVOR_CREATE;
    if (is_created && request_.base == nullptr && request_.size > 0) return EP_ERR_BASE;
    if (request_.flavor == EP_WIN_FLAVOR_SHARED && !clique_.is_on_one_node())
      return EP_ERR_RMA_SHARED;
    if (request_.flavor == EP_WIN_FLAVOR_ALLOCATE && clique_.process_count() == 1) {
      const int code = guarded([this] { memory_ = allocate_lines(request_.size); });
      request_.base = memory_.get();
      return code;
    }
    return EP_SUCCESS;
  }

  /// Makes the memory of a shared window, or returns null on all processes: they try to map what
  /// the first of them has made, and agree. EP_Win_allocate takes windows of MPI where /dev/shm has
  /// no room; who asked for shared memory gets any that there is. Collective over processes.
  std::byte* make_pages(WindowSite& site, std::int64_t bytes, MPI_Comm comm) const {
    if (clique_.process_count() == 1) {
      if (request_.flavor == EP_WIN_FLAVOR_ALLOCATE) return nullptr;  // it has its memory
      site.block = allocate_lines(bytes);
      return site.block.get();
    }
    const auto size = static_cast<std::size_t>(line_bytes + bytes);  // the nonce comes first
    PagesAddress address{0, 0, -1, 0};
    if (clique_.my_process() == 0) {
      static_cast<void>(guarded([&] {
        const bool has_room = has_shared_memory(line_bytes + bytes);
        const bool is_asked = request_.flavor == EP_WIN_FLAVOR_SHARED;
        if (!is_asked && !(shm_is_enabled() && has_room)) return;
        using From = SharedPages::From;
        site.own_pages.emplace("ep_window", size, has_room ? From::dev_shm : From::memory_file);
        address = site.own_pages->address();
      }));
    }
    check_mpi(MPI_Bcast(&address, sizeof address, MPI_BYTE, 0, comm), "MPI_Bcast");
    if (clique_.my_process() != 0) site.peer_pages = PeerPages(address, size);
    const bool is_mapped =
        site.own_pages ? address.descriptor >= 0 : static_cast<bool>(site.peer_pages);
    const bool is_mapped_by_all = all_say(is_mapped, comm);
    if (site.own_pages) site.own_pages->hide();
    if (!is_mapped_by_all) {
      site.own_pages.reset();
      site.peer_pages = PeerPages();
      return nullptr;
    }
    void* const data = site.own_pages ? site.own_pages->data() : site.peer_pages.data();
    return static_cast<std::byte*>(data) + line_bytes;
  }

  void make_raw_windows(WindowSite& site, const RawArrangement& arrangement, MPI_Comm comm) const {
    if (request_.flavor == EP_WIN_FLAVOR_DYNAMIC) {
      site.raw.create_dynamic(arrangement.windows, comm);
      return;
    }
    std::vector<RawWindows::Segment> segments(static_cast<std::size_t>(arrangement.windows));
    for (auto& side : site.targets) {
      for (const Target& target : side) {
        if (target.exposure == nullptr) continue;
        for (std::size_t i = 0; i < segments.size(); ++i) {
          if (arrangement.slots[i] == target.place.slot) segments[i] = {target.memory, target.size};
        }
      }
    }
    if (request_.flavor == EP_WIN_FLAVOR_CREATE) {
      site.raw.create(segments, comm);
      return;
    }
    // MPICH 4.0.2 packs the segments of a node without gaps. If the size of one is not a multiple
    // of 16 bytes, puts to later segments go to wrong addresses.
    for (RawWindows::Segment& segment : segments) segment.size = rounded_up(segment.size);
    if (can_allocate_raw_windows(site, comm)) {
      site.raw.allocate(segments, comm);
    } else {
      take_memory(site, segments, comm);
      site.raw.create(segments, comm);
    }
    for (Target& target : site.targets[0]) {
      if (target.exposure == nullptr) continue;
      target.memory = static_cast<std::byte*>(segments[static_cast<std::size_t>(target.raw)].base);
      site.own_segment(target.place.slot) = target.memory;
    }
  }

  /// MPI keeps the segments of a node in a file, too, and MPICH 4.0.2 looks neither at the limit
  /// nor at what the file has become. Collective over processes.
  bool can_allocate_raw_windows(const WindowSite& site, MPI_Comm comm) const {
    constexpr std::int64_t bytes_of_mpi = 1 << 16;  // per process: pages and locks
    const std::int64_t bytes = place_segments(site).back() + bytes_of_mpi * clique_.process_count();
    return all_say(may_make_file(bytes), comm);
  }

  /// Takes memory of this process for its segments, or fails on all. Collective over processes.
  static void take_memory(WindowSite& site, std::vector<RawWindows::Segment>& segments,
                          MPI_Comm comm) {
    std::int64_t bytes = 0;
    for (const RawWindows::Segment& segment : segments) bytes += segment.size;
    static_cast<void>(guarded([&] { site.block = allocate_lines(bytes); }));
    if (!all_say(site.block != nullptr, comm)) {
      fail(EP_ERR_NO_MEM, "no memory of ", bytes,
           " bytes for a window on this process or another.");
    }
    std::byte* at = site.block.get();
    for (RawWindows::Segment& segment : segments) {
      segment.base = at;
      at += segment.size;
    }
  }

  static bool all_say(bool yes, MPI_Comm comm) {
    const int mine = yes ? 1 : 0;
    int all = 0;
    check_mpi(MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
    return all != 0;
  }

  /// Returns where the segments of a shared window begin, and the end of the last one: after the
  /// locks of all segments, in order of rank, lines apart unless they are to touch.
  std::vector<std::int64_t> place_segments(const WindowSite& site) const {
    const auto& targets = site.targets[0];
    std::vector<std::int64_t> offsets;
    std::int64_t end = line_bytes * static_cast<std::int64_t>(targets.size());
    for (const Target& target : targets) {
      offsets.push_back(end);
      end += target.size;
      if (site.gaps_allowed || request_.flavor == EP_WIN_FLAVOR_ALLOCATE) end = rounded_up(end);
    }
    offsets.push_back(end);
    return offsets;
  }

  void share_segments(WindowSite& site, const std::vector<std::int64_t>& offsets,
                      std::byte* base) const {
    auto& targets = site.targets[0];
    const bool is_first = clique_.my_process() == 0;
    for (std::size_t rank = 0; rank < targets.size(); ++rank) {
      Target& target = targets[rank];
      std::byte* const lock = base + line_bytes * static_cast<std::int64_t>(rank);
      static_assert(sizeof(ElementLock) == line_bytes);
      target.element_lock =
          is_first ? new (lock) ElementLock : reinterpret_cast<ElementLock*>(lock);
      target.memory = base + offsets[rank];
      if (target.exposure != nullptr) touch(target.memory, target.size);
    }
  }

  WindowRequest request_;
  const Clique& clique_;
  std::map<std::string, std::string> hints_;
  std::shared_ptr<std::byte> memory_;
};

EP_Win make_handle(EP_Comm comm, std::shared_ptr<WindowSite> site, Making& making) {
  ep_win* const win = window_arena().take();
  const Endpoint& endpoint = *comm;
  const auto side = static_cast<std::size_t>(endpoint.side);
  const bool inter = endpoint.clique->is_inter();
  const Target& target = site->targets[side][static_cast<std::size_t>(endpoint.rank)];
  win->comm = comm;
  win->targets = &site->targets[inter ? 1 - side : 0];
  win->client_number = inter ? site->client_number(target.place, endpoint.side) : 0;
  win->memory = making.memory();
  win->epoch = Epoch::none;
  win->used = false;
  win->unchecked = false;
  win->is_posted = false;
  win->base = target.memory;
  win->size = target.size;
  const std::int64_t disp_unit = making.disp_unit();
  win->disp_unit = disp_unit <= INT_MAX ? static_cast<int>(disp_unit) : EP_UNDEFINED;
  win->flavor = site->flavor;
  win->hints = making.hints();
  win->no_locks = says_true(win->hints, "no_locks");
  win->site = std::move(site);
  endpoint.place().errors.set_win(win);
  win->alive.store(window_alive);
  return win;
}

// One endpoint acts for its process, and all agree on the outcome.
void act_together(Endpoint& endpoint, Outcome& outcome, const char* what,
                  const std::function<void()>& act) {
  if (endpoint.slot == 0) {
    outcome.code = guarded(act);
    if (outcome.code != EP_SUCCESS) outcome.text = last_error();
  }
  agree(endpoint, outcome, what);
}

}  // namespace

EP_Win create_window(Endpoint& parent, const WindowRequest& request, const char* what) {
  Membership as;
  as.key = parent.rank;
  OwnComm comm(handle_of(&parent, create_members(parent, as, what).front()));
  Endpoint& endpoint = comm.endpoint();
  endpoint.place().errors.set_handler(EP_ERRORS_ARE_FATAL);  // NOLINT(performance-no-int-to-ptr)
  const std::shared_ptr<WindowSite> site = WindowSite::join(*endpoint.clique);
  Making making(request, *endpoint.clique);
  exchange_segments(endpoint, *site, making.offer(), what);
  Outcome outcome;
  const auto make = [&] {
    const int code = guarded([&] { making.make_shared_things(*site, *parent.clique); });
    outcome.raw_windows = site->raw.made();
    if (code != EP_SUCCESS) throw Error(code, last_error());
  };
  const int code = guarded([&] { act_together(endpoint, outcome, what, make); });
  if (code != EP_SUCCESS) {
    const std::string text = last_error();
    if (endpoint.slot == 0) {
      static_cast<void>(guarded([&] { site->raw.free(outcome.raw_windows); }));
    }
    throw Error(code, text);
  }
  return make_handle(comm.release(), site, making);
}

void free_window(EP_Win win) {
  EndpointWindow& window = window_of(win);
  Endpoint& endpoint = endpoint_of_window(window);
  agree_on(endpoint, "EP_Win_free", [&] {
    if (const char* const epoch = open_epoch(window); epoch != nullptr) {
      fail(EP_ERR_RMA_SYNC, "rank ", endpoint.rank, " is in ", epoch, ". End that one first?");
    }
  });
  // Read before any endpoint can free the raw windows.
  const bool is_shared_with_mpi = window.site->raw.exist() || endpoint.clique->process_count() > 1;
  agree_on(endpoint, "EP_Win_free", [&] { delete_values(win, window.attributes); });
  // From here on no further access arrives.
  FirstException first;
  if (is_shared_with_mpi) {
    Outcome outcome;
    first.guard(
        [&] { act_together(endpoint, outcome, "EP_Win_free", [&] { window.site->raw.free(); }); });
  }
  window.alive.store(0);
  endpoint.place().errors.set_win(EP_WIN_NULL);
  window.accesses.clear();
  window.attributes.clear();
  window.hints.clear();
  window.memory.reset();
  window.site.reset();
  free_endpoint(window.comm);
  window_arena().give(win);
  first.rethrow();
}

}  // namespace ep
