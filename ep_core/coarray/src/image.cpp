// Images: their start and end, and the coarrays that they own. An image is an endpoint, so
// everything that a process holds of it hangs on a table by endpoint. In order: the table, start
// and end, static and allocated coarrays, components, and the image of the calling thread.
#include "image.hpp"

#include <ep/program.h>

#include <cstdlib>
#include <cstring>
#include <ep/ep.hpp>
#include <mutex>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "comm_place.hpp"
#include "outcome.hpp"

namespace ep::caf {

namespace {

/// The images of this process, by endpoint: the one table behind the functions that the compiler
/// calls, which have no argument for it.
struct Table {
  std::mutex mutex;
  std::unordered_map<int, std::unique_ptr<Image>> images;
};

// The table is never destroyed: objects that remain when a process ends early must not communicate.
Table& table() {
  static Table* const table = new Table;  // NOLINT(cppcoreguidelines-*): see above
  return *table;
}

int calling_endpoint() noexcept {
  int endpoint = EP_UNDEFINED;
  const int code = EP_Thread_attached(&endpoint);
  // Before MPI is initialised only the first copy of a program runs.
  return code == EP_SUCCESS && endpoint != EP_UNDEFINED ? endpoint : 0;
}

Distance distance_in(EP_Comm comm) {
  int size = 0;
  check(EP_Comm_size(comm, &size));
  int nearest = EP_LOCALITY_PROCESS;
  for (int i = 0; i < size; ++i) {
    int locality = EP_LOCALITY_REMOTE;
    check(EP_Comm_locality(comm, i, &locality));
    nearest = std::min(nearest, locality);
  }
  const char* const shm = std::getenv("EP_SHM");
  const bool may_share = shm == nullptr || std::string_view(shm) != "0";
  if (nearest == EP_LOCALITY_NODE && !may_share) nearest = EP_LOCALITY_REMOTE;
  int all = 0;
  check(EP_Allreduce(&nearest, &all, 1, MPI_INT, MPI_MIN, comm));
  if (all == EP_LOCALITY_PROCESS) return Distance::process;
  return all == EP_LOCALITY_NODE ? Distance::node : Distance::apart;
}

/// A number that is another one in each run. Collective.
std::uint64_t common_chance(EP_Comm comm) {
  std::random_device device;
  std::uint64_t number = (std::uint64_t{device()} << 32U) | device();
  check(EP_Bcast(&number, 1, MPI_UINT64_T, 0, comm));
  return number;
}

}  // namespace

Connection::Connection(EP_Comm comm_of_images)
    : comm(comm_of_images),
      rank(rank_of(comm)),
      size(size_of(comm)),
      reach(comm, distance_in(comm)),
      status(comm),
      locks(comm, reach),
      events(comm),
      chance(common_chance(comm)) {}

void Image::start() {
  if (is_connected()) return;
  int is_initialised = 0;
  check(ep_program_initialized(&is_initialised));
  if (is_initialised == 0) {
    check(ep_program_init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, nullptr));
  }
  EP_Comm comm = EP_COMM_NULL;
  check(EP_Comm_dup(EP_COMM_ENDPOINTS, &comm));
  check(EP_Comm_set_errhandler(comm, EP_ERRORS_RETURN));
  check(EP_Comm_set_name(comm, "images"));
  connection_ = std::make_unique<Connection>(comm);
  static_memory_.publish(comm, connection_->reach);
  for (const Coarray* const coarray : static_events_) connection_->events.add(*coarray);
}

void Image::leave(State state) {
  Connection& mine = connection();
  mine.reach.finish_puts();
  mine.locks.leave(state);
  mine.status.leave(state);
  free_windows();
  EP_Comm comm = mine.comm;
  connection_.reset();
  check(EP_Comm_free(&comm));
  check(ep_program_finalize());
}

// Windows are freed in the order of their numbers, which is the same on all images.
void Image::free_windows() {
  std::map<std::int64_t, Coarray*> by_number;
  for (const auto& [token, coarray] : coarrays_) by_number[coarray->number()] = coarray.get();
  for (const auto& [number, coarray] : by_number) {
    if (coarray->window() != EP_WIN_NULL) check(EP_Win_free(&coarray->window()));
  }
  static_memory_.withdraw();
}

Connection& Image::connection() {
  if (!is_connected()) {
    throw Failure(Stat::failed,
                  "the images are not connected (the main program is not Fortran, or has ended).");
  }
  return *connection_;
}

const Coarray& Image::coarray(Token token, int image) {
  const int size = connection().size;
  if (image < 1 || image > size) {
    throw Failure(Stat::failed, "image " + std::to_string(image) + " does not exist (there are " +
                                    std::to_string(size) + ").");
  }
  return *static_cast<const Coarray*>(token);
}

Token Image::keep(std::unique_ptr<Coarray> coarray, bool has_events) {
  Coarray* const token = coarray.get();
  coarrays_.emplace(token, std::move(coarray));
  if (has_events && is_connected()) connection_->events.add(*token);
  if (has_events && !is_connected()) static_events_.push_back(token);
  return token;
}

Token Image::add_static(std::size_t bytes, RegisterKind kind, void** data) {
  if (is_connected()) {
    throw Failure(Stat::failed,
                  "a library with static coarrays was loaded while the program runs (others "
                  "cannot reach them). Link it with the program?");
  }
  const StaticMemory::Piece piece = static_memory_.take(bytes);
  auto coarray = std::make_unique<Coarray>(next_number_++, bytes, static_memory_, piece);
  *data = coarray->own();
  return keep(std::move(coarray), kind == RegisterKind::event_static);
}

Token Image::allocate(std::size_t bytes, RegisterKind kind, Descriptor& descriptor) {
  Connection& mine = connection();
  mine.status.synchronise(Statement::allocate, {static_cast<std::int64_t>(bytes), "bytes"});
  std::unique_ptr<Coarray> coarray;
  if (mine.reach.distance() != Distance::apart) {
    coarray = std::make_unique<Coarray>(next_number_, bytes, allocate_shared(mine.comm, bytes));
  } else {
    coarray = allocate_apart(bytes);
  }
  ++next_number_;
  descriptor.data = coarray->own();
  if (descriptor.rank > 0) coarray->set_descriptor(&descriptor);
  if (kind != RegisterKind::coarray_allocatable) std::memset(coarray->own(), 0, bytes);
  return keep(std::move(coarray), kind == RegisterKind::event_allocatable);
}

std::unique_ptr<Coarray> Image::allocate_apart(std::size_t bytes) {
  Connection& mine = connection();
  Memory memory = try_allocate(bytes);
  const auto address = reinterpret_cast<std::uintptr_t>(memory.get());  // NOLINT: an address
  std::vector<std::uintptr_t> all(static_cast<std::size_t>(mine.size));
  check(EP_Allgather(&address, sizeof address, MPI_BYTE, all.data(), sizeof address, MPI_BYTE,
                     mine.comm));
  std::vector<Place> places;
  for (int i = 0; i < mine.size; ++i) {
    const std::uintptr_t there = all[static_cast<std::size_t>(i)];
    if (there == 0) {
      throw Failure(Stat::no_memory, "no memory for " + std::to_string(bytes) +
                                         " bytes is left on image " + std::to_string(i + 1) + ".");
    }
    places.push_back(mine.reach.at(i, there));
  }
  mine.reach.attach(memory.get(), bytes);
  // No image accesses it before SYNC ALL, which the compiler inserts after ALLOCATE.
  return std::make_unique<Coarray>(next_number_, bytes, std::move(memory), std::move(places));
}

void Image::deallocate(Token token) {
  Connection& mine = connection();
  const auto found = coarrays_.find(token);
  if (found == coarrays_.end()) throw Failure(Stat::failed, "that coarray is not allocated.");
  Coarray& coarray = *found->second;
  mine.reach.finish_puts();
  mine.status.synchronise(Statement::deallocate,
                          {coarray.number(), "is the number of the coarray"});
  mine.events.remove(coarray);
  mine.locks.forget(coarray);
  if (coarray.window() != EP_WIN_NULL) {
    check(EP_Win_free(&coarray.window()));
  } else {
    mine.reach.detach(coarray.own());
  }
  coarrays_.erase(found);
}

Token Image::add_component() {
  auto component = std::make_unique<Component>();
  const Token token = component.get();
  components_.emplace(token, std::move(component));
  return token;
}

void Image::allocate_component(Token token, std::size_t bytes, void** data) {
  Component& component = *components_.at(token);
  // Before it allocates memory of another size, gfortran frees the former memory, and keeps the
  // address.
  if (*data == nullptr || *data == component.former) {
    component.own = try_allocate(bytes);
    if (component.own == nullptr) throw std::bad_alloc();
    *data = component.own.get();
  }
  component.memory = static_cast<std::byte*>(*data);
  if (is_connected()) connection_->reach.attach(component.memory, bytes);
}

void Image::free_component(Token token) {
  Component& component = *components_.at(token);
  if (component.memory == nullptr) return;
  if (is_connected()) connection_->reach.detach(component.memory);
  component.former = std::exchange(component.memory, nullptr);
  component.own.reset();
}

void Image::remove_component(Token token) {
  free_component(token);
  components_.erase(token);
}

Image& calling_image() {
  thread_local int endpoint_here = EP_UNDEFINED;
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): of this thread
  thread_local Image* image_here = nullptr;
  const int endpoint = calling_endpoint();
  if (image_here != nullptr && endpoint == endpoint_here) return *image_here;
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  std::unique_ptr<Image>& image = all.images[endpoint];
  if (image == nullptr) image = std::make_unique<Image>();
  endpoint_here = endpoint;
  image_here = image.get();
  return *image;
}

int number_of_calling_image() noexcept {
  Image& image = calling_image();
  return image.is_connected() ? image.connection().rank + 1 : 0;
}

}  // namespace ep::caf
