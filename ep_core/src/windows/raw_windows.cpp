#include "windows/raw_windows.hpp"

#include <ep/ep.h>

#include "process/error.hpp"
#include "process/first_exception.hpp"

namespace ep {

// Other processes create all windows, so a process that fails to create one continues with the
// others.
template <class Make>
void RawWindows::make_all(std::size_t count, Make&& make) {
  FirstException first;
  for (std::size_t i = 0; i < count; ++i) {
    One& window = windows_.emplace_back();
    first.guard([&] {
      window.raw = make(i);
      check_mpi(MPI_Win_set_errhandler(window.raw, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
      check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window.raw), "MPI_Win_lock_all");
      window.is_locked = true;
    });
  }
  first.rethrow();
}

void RawWindows::create(const std::vector<Segment>& segments, MPI_Comm comm) {
  make_all(segments.size(), [&](std::size_t i) {
    MPI_Win raw = MPI_WIN_NULL;
    check_mpi(MPI_Win_create(segments[i].base, segments[i].size, 1, MPI_INFO_NULL, comm, &raw),
              "MPI_Win_create");
    return raw;
  });
}

void RawWindows::allocate(std::vector<Segment>& segments, MPI_Comm comm) {
  make_all(segments.size(), [&](std::size_t i) {
    MPI_Win raw = MPI_WIN_NULL;
    check_mpi(MPI_Win_allocate(segments[i].size, 1, MPI_INFO_NULL, comm,
                               static_cast<void*>(&segments[i].base), &raw),
              "MPI_Win_allocate");
    return raw;
  });
}

void RawWindows::create_dynamic(int count, MPI_Comm comm) {
  make_all(static_cast<std::size_t>(count), [&](std::size_t /*i*/) {
    MPI_Win raw = MPI_WIN_NULL;
    check_mpi(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &raw), "MPI_Win_create_dynamic");
    return raw;
  });
}

std::vector<char> RawWindows::made() const {
  std::vector<char> made;
  for (const One& window : windows_) made.push_back(window.raw != MPI_WIN_NULL ? 1 : 0);
  return made;
}

void RawWindows::free() { free(made()); }

// The first error counts; the others are freed all the same.
void RawWindows::free(const std::vector<char>& everywhere) {
  std::vector<One> all;
  all.swap(windows_);
  FirstException first;
  for (std::size_t i = 0; i < all.size(); ++i) {
    One& window = all[i];
    const bool is_everywhere = i < everywhere.size() && everywhere[i] != 0;
    if (window.raw == MPI_WIN_NULL || !is_everywhere) continue;
    first.guard([&window] {
      if (window.is_locked) check_mpi(MPI_Win_unlock_all(window.raw), "MPI_Win_unlock_all");
      check_mpi(MPI_Win_free(&window.raw), "MPI_Win_free");
    });
  }
  first.rethrow();
}

void RawWindows::put(int window, const RawTransfer& t) {
  check_mpi(MPI_Put(t.data, t.bytes, MPI_BYTE, t.process, t.disp, t.bytes, MPI_BYTE, at(window)),
            "MPI_Put");
}

void RawWindows::get(int window, const RawTransfer& t) {
  check_mpi(MPI_Get(t.data, t.bytes, MPI_BYTE, t.process, t.disp, t.bytes, MPI_BYTE, at(window)),
            "MPI_Get");
}

MPI_Request RawWindows::put_with_request(int window, const RawTransfer& t) {
  MPI_Request raw = MPI_REQUEST_NULL;
  check_mpi(
      MPI_Rput(t.data, t.bytes, MPI_BYTE, t.process, t.disp, t.bytes, MPI_BYTE, at(window), &raw),
      "MPI_Rput");
  return raw;
}

MPI_Request RawWindows::get_with_request(int window, const RawTransfer& t) {
  MPI_Request raw = MPI_REQUEST_NULL;
  check_mpi(
      MPI_Rget(t.data, t.bytes, MPI_BYTE, t.process, t.disp, t.bytes, MPI_BYTE, at(window), &raw),
      "MPI_Rget");
  return raw;
}

void RawWindows::flush(int window, int process, bool local) {
  if (local) {
    check_mpi(MPI_Win_flush_local(process, at(window)), "MPI_Win_flush_local");
  } else {
    check_mpi(MPI_Win_flush(process, at(window)), "MPI_Win_flush");
  }
}

void RawWindows::sync() {
  for (const One& window : windows_) check_mpi(MPI_Win_sync(window.raw), "MPI_Win_sync");
}

void RawWindows::attach(int window, void* base, MPI_Aint size) {
  check_mpi(MPI_Win_attach(at(window), base, size), "MPI_Win_attach");
}

void RawWindows::detach(int window, const void* base) {
  check_mpi(MPI_Win_detach(at(window), base), "MPI_Win_detach");
}

}  // namespace ep
