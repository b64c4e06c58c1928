// The memory of coarrays and access to it: through shared memory where images share a node, through
// windows elsewhere. In order: Reach, which gets, puts and updates; StaticMemory, which collects
// coarrays that exist before the program begins; and allocation of shared memory.
#include "memory.hpp"

#include <ep/large.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ep/ep.hpp>
#include <string>
#include <thread>

#include "comm_place.hpp"
#include "outcome.hpp"

namespace ep::caf {

namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t block_bytes = std::size_t{64} << 10U;

std::size_t rounded(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

MPI_Aint address_of(const std::byte* memory) {
  return static_cast<MPI_Aint>(reinterpret_cast<std::uintptr_t>(memory));  // NOLINT: an address
}

std::byte* as_pointer(MPI_Aint address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT: what address_of() was given
}

std::size_t page_bytes() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

std::byte* next_page(std::byte* memory) {
  const auto address = static_cast<std::size_t>(address_of(memory));
  return memory + (rounded(address, page_bytes()) - address);
}

/// Maps the shared pages at `from` also at `to`, in place of the former pages. mremap() does not
/// work here, since UCX replaces it by a function that does not know of `to`.
bool map_again(std::byte* from, std::byte* to, std::size_t bytes) {
  // An old size of 0 maps the same pages once more; private ones are refused.
  return syscall(SYS_mremap, from, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, to) ==
         static_cast<long>(address_of(to));  // NOLINT(google-runtime-int): of syscall()
}

/// Missing room for shared memory causes a signal at the first access and no error at its creation,
/// so it is checked here. All pages created before exist already and count.
void check_room(EP_Comm comm, std::size_t bytes) {
  int locality = EP_LOCALITY_PROCESS;
  const int size = size_of(comm);
  check(EP_Comm_locality(comm, size - 1, &locality));
  int has_room = 1;
  if (rank_of(comm) == 0 && locality != EP_LOCALITY_PROCESS) {
    struct statvfs about {};
    const std::size_t all = bytes * static_cast<std::size_t>(size) + page_bytes();
    if (statvfs("/dev/shm", &about) == 0 && about.f_bavail * about.f_frsize < all) has_room = 0;
  }
  check(EP_Bcast(&has_room, 1, MPI_INT, 0, comm));
  if (has_room == 0) {
    throw Failure(Stat::no_memory, "no room for " + std::to_string(bytes) +
                                       " bytes of each image in /dev/shm. Run fewer processes "
                                       "with more endpoints, or set EP_SHM=0?");
  }
}

}  // namespace

Reach::Reach(EP_Comm comm, Distance distance) : comm_(comm), distance_(distance) {
  const auto size = static_cast<std::size_t>(size_of(comm));
  siblings_.resize(size);
  has_puts_.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    int locality = EP_LOCALITY_REMOTE;
    check(EP_Comm_locality(comm, static_cast<int>(i), &locality));
    siblings_[i] = locality == EP_LOCALITY_PROCESS;
  }
  if (distance == Distance::process) return;
  check(EP_Win_create_dynamic(MPI_INFO_NULL, comm, &window_));
  check(EP_Win_set_errhandler(window_, EP_ERRORS_RETURN));
  check(EP_Win_lock_all(0, window_));
}

Reach::~Reach() {
  if (window_ == EP_WIN_NULL) return;
  if (EP_Win_unlock_all(window_) != EP_SUCCESS || EP_Win_free(&window_) != EP_SUCCESS) {
    say(std::string("ep_caf: the window of the coarrays cannot be freed (") + EP_Last_error() +
        ").");
  }
}

Place Reach::at(int rank, std::uintptr_t address) const noexcept {
  const auto there = static_cast<MPI_Aint>(address);
  return {is_sibling(rank) ? as_pointer(there) : nullptr, there};
}

void Reach::attach(std::byte* memory, std::size_t bytes) {
  if (window_ == EP_WIN_NULL) return;
  check(EP_Win_attach(window_, memory, static_cast<MPI_Aint>(std::max(bytes, std::size_t{1}))));
}

void Reach::detach(const std::byte* memory) {
  if (window_ != EP_WIN_NULL) check(EP_Win_detach(window_, memory));
}

void Reach::get(int rank, const Place& from, std::span<std::byte> to) {
  if (from.direct != nullptr) {
    std::memcpy(to.data(), from.direct, to.size());
    return;
  }
  finish_puts(rank);
  const auto count = static_cast<MPI_Count>(to.size());
  check(EP_Get_c(to.data(), count, MPI_BYTE, rank, from.address, count, MPI_BYTE, window_));
}

void Reach::put(int rank, const Place& to, std::span<const std::byte> from) {
  if (to.direct != nullptr) {
    std::memcpy(to.direct, from.data(), from.size());
    return;
  }
  const auto count = static_cast<MPI_Count>(from.size());
  check(EP_Put_c(from.data(), count, MPI_BYTE, rank, to.address, count, MPI_BYTE, window_));
  has_puts_[static_cast<std::size_t>(rank)] = true;
}

void Reach::finish_gets(int rank) {
  if (window_ != EP_WIN_NULL) check(EP_Win_flush(rank, window_));
}

void Reach::release_sources(int rank) {
  if (window_ != EP_WIN_NULL) check(EP_Win_flush_local(rank, window_));
}

void Reach::finish_puts(int rank) {
  if (!has_puts_[static_cast<std::size_t>(rank)]) return;
  check(EP_Win_flush(rank, window_));
  has_puts_[static_cast<std::size_t>(rank)] = false;
}

void Reach::finish_puts() {
  for (std::size_t i = 0; i < has_puts_.size(); ++i) finish_puts(static_cast<int>(i));
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

// Gets go to MPI as they are; atomic operations are looked at by the image that has the memory.
bool Reach::has(int rank, const Place& first, const Place& last) {
  if (first.direct != nullptr) return true;
  for (const Place& place : {first, last}) {
    const std::int8_t nothing = 0;
    std::int8_t found = 0;
    const int code =
        EP_Fetch_and_op(&nothing, &found, MPI_INT8_T, rank, place.address, MPI_NO_OP, window_);
    if (code != EP_SUCCESS || EP_Win_flush(rank, window_) != EP_SUCCESS) return false;
  }
  return true;
}

std::int32_t Reach::update(int rank, const Place& place, std::int32_t value, MPI_Op operation) {
  if (place.direct == nullptr) {
    std::int32_t before = 0;
    check(EP_Fetch_and_op(&value, &before, MPI_INT32_T, rank, place.address, operation, window_));
    check(EP_Win_flush(rank, window_));
    return before;
  }
  const std::atomic_ref<std::int32_t> number(*reinterpret_cast<std::int32_t*>(place.direct));
  if (operation == MPI_NO_OP) return number.load();
  if (operation == MPI_REPLACE) return number.exchange(value);
  if (operation == MPI_SUM) return number.fetch_add(value);
  if (operation == MPI_BAND) return number.fetch_and(value);
  if (operation == MPI_BOR) return number.fetch_or(value);
  return number.fetch_xor(value);
}

std::int32_t Reach::exchange(int rank, const Place& place, std::int32_t expected,
                             std::int32_t value) {
  std::int32_t before = expected;
  if (place.direct == nullptr) {
    check(
        EP_Compare_and_swap(&value, &expected, &before, MPI_INT32_T, rank, place.address, window_));
    check(EP_Win_flush(rank, window_));
    return before;
  }
  const std::atomic_ref<std::int32_t> number(*reinterpret_cast<std::int32_t*>(place.direct));
  number.compare_exchange_strong(before, value);
  return before;
}

void Reach::let_others() {
  if (distance_ == Distance::apart) check(EP_Progress(comm_));
  std::this_thread::yield();
}

void FreeMemory::operator()(std::byte* memory) const noexcept { std::free(memory); }

Memory try_allocate(std::size_t bytes) {
  const std::size_t whole = rounded(std::max(bytes, std::size_t{1}), line_bytes);
  Memory memory(static_cast<std::byte*>(std::aligned_alloc(line_bytes, whole)));
  if (memory != nullptr) std::memset(memory.get(), 0, whole);
  return memory;
}

StaticMemory::~StaticMemory() {
  for (const Block& block : blocks_) munmap(block.begin, block.bytes);
}

StaticMemory::Piece StaticMemory::take(std::size_t bytes) {
  const std::size_t whole = rounded(std::max(bytes, std::size_t{1}), line_bytes);
  if (blocks_.empty() || blocks_.back().bytes - blocks_.back().used < whole) {
    const std::size_t size = rounded(std::max(whole, block_bytes), page_bytes());
    void* const begin =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (begin == MAP_FAILED) {
      throw Failure(Stat::no_memory, "no memory for " + std::to_string(bytes) + " bytes is left.");
    }
    blocks_.push_back({static_cast<std::byte*>(begin), size, 0});
  }
  Block& block = blocks_.back();
  const Piece piece{blocks_.size() - 1, block.used};
  block.used += whole;
  return piece;
}

std::size_t StaticMemory::bytes() const noexcept {
  std::size_t sum = 0;
  for (const Block& block : blocks_) sum += block.bytes;
  return sum;
}

// Images that run different programs have different coarrays.
void StaticMemory::check_equal(EP_Comm comm) const {
  std::int64_t used = 0;
  for (const Block& block : blocks_) used = used * 31 + static_cast<std::int64_t>(block.used);
  const std::array<std::int64_t, 2> mine{used, -used};
  std::array<std::int64_t, 2> largest{};
  check(EP_Allreduce(mine.data(), largest.data(), 2, MPI_INT64_T, MPI_MAX, comm));
  if (largest[0] != -largest[1]) {
    throw Failure(Stat::failed,
                  "images have different static coarrays (all run the same program, built from "
                  "the same sources). Start one program?");
  }
}

void StaticMemory::publish(EP_Comm comm, Reach& reach) {
  check_equal(comm);
  if (blocks_.empty()) return;
  if (reach.distance() == Distance::node && share(comm)) return;
  attach(comm, reach);
}

// The pages of the blocks become those of the window: the program has their addresses already.
bool StaticMemory::share(EP_Comm comm) {
  // A page more, since parts of a window begin with any line.
  SharedMemory shared = allocate_shared(comm, bytes() + page_bytes());
  shared.own = next_page(shared.own);
  for (Place& place : shared.places) place.direct = next_page(place.direct);
  int can_map = 1;
  std::size_t offset = 0;
  for (const Block& block : blocks_) {
    std::memcpy(shared.own + offset, block.begin, block.bytes);
    offset += block.bytes;
  }
  offset = 0;
  for (std::size_t i = 0; i < blocks_.size() && can_map != 0; ++i) {
    if (!map_again(shared.own + offset, blocks_[i].begin, blocks_[i].bytes)) can_map = 0;
    offset += blocks_[i].bytes;
  }
  int can_all = 0;
  check(EP_Allreduce(&can_map, &can_all, 1, MPI_INT, MPI_MIN, comm));
  if (can_all == 0) {
    check(EP_Win_free(&shared.window));
    return false;
  }
  window_ = shared.window;
  offset = 0;
  for (const Block& block : blocks_) {
    std::vector<Place>& places = places_.emplace_back(shared.places);
    for (Place& place : places) place = place + static_cast<std::ptrdiff_t>(offset);
    // This image's block has the address that the program uses, so that overlaps are detected.
    places[static_cast<std::size_t>(rank_of(comm))].direct = block.begin;
    offset += block.bytes;
  }
  return true;
}

void StaticMemory::attach(EP_Comm comm, Reach& reach) {
  const int size = size_of(comm);
  for (const Block& block : blocks_) {
    reach.attach(block.begin, block.bytes);
    const MPI_Aint mine = address_of(block.begin);
    std::vector<MPI_Aint> all(static_cast<std::size_t>(size));
    check(EP_Allgather(&mine, 1, MPI_AINT, all.data(), 1, MPI_AINT, comm));
    std::vector<Place>& places = places_.emplace_back();
    for (int i = 0; i < size; ++i) {
      places.push_back(reach.at(i, static_cast<std::uintptr_t>(all[static_cast<std::size_t>(i)])));
    }
  }
}

void StaticMemory::withdraw() {
  if (window_ != EP_WIN_NULL) check(EP_Win_free(&window_));
}

SharedMemory allocate_shared(EP_Comm comm, std::size_t bytes) {
  const std::size_t whole = rounded(std::max(bytes, std::size_t{1}), line_bytes);
  check_room(comm, whole);
  SharedMemory memory{EP_WIN_NULL, nullptr, {}};
  const int code = EP_Win_allocate_shared(static_cast<MPI_Aint>(whole), 1, MPI_INFO_NULL, comm,
                                          static_cast<void*>(&memory.own), &memory.window);
  if (code != EP_SUCCESS) throw Failure(Stat::no_memory, EP_Last_error());
  const int size = size_of(comm);
  memory.places.reserve(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) {
    MPI_Aint length = 0;
    int unit_bytes = 0;
    std::byte* base = nullptr;
    check(EP_Win_shared_query(memory.window, i, &length, &unit_bytes, static_cast<void*>(&base)));
    memory.places.push_back({base, 0});
  }
  return memory;
}

}  // namespace ep::caf
