#include "raw_windows.hpp"

#include <ep/ep.h>

#include <string>

#include "error.hpp"

namespace ep {

namespace {

// Other processes make all windows: who fails at one goes on, and only forgets what follows.
template <class Make>
void make_all(std::size_t count, Make&& make) {
  int first = EP_SUCCESS;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    const bool keep = first == EP_SUCCESS;
    const int code = guarded([&] { make(i, keep); });
    if (code == EP_SUCCESS || !keep) continue;
    first = code;
    text = last_error();
  }
  if (first != EP_SUCCESS) throw Error(first, text);
}

}  // namespace

void RawWindows::add(MPI_Win raw) {
  windows_.push_back({raw, false});
  check_mpi(MPI_Win_set_errhandler(raw, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, raw), "MPI_Win_lock_all");
  windows_.back().is_locked = true;
}

void RawWindows::create(const std::vector<Part>& parts, MPI_Comm comm) {
  make_all(parts.size(), [&](std::size_t i, bool keep) {
    MPI_Win raw = MPI_WIN_NULL;
    check_mpi(MPI_Win_create(parts[i].base, parts[i].size, 1, MPI_INFO_NULL, comm, &raw),
              "MPI_Win_create");
    if (keep) add(raw);
  });
}

void RawWindows::allocate(std::vector<Part>& parts, MPI_Comm comm) {
  make_all(parts.size(), [&](std::size_t i, bool keep) {
    MPI_Win raw = MPI_WIN_NULL;
    check_mpi(MPI_Win_allocate(parts[i].size, 1, MPI_INFO_NULL, comm,
                               static_cast<void*>(&parts[i].base), &raw),
              "MPI_Win_allocate");
    if (keep) add(raw);
  });
}

void RawWindows::create_dynamic(int count, MPI_Comm comm) {
  make_all(static_cast<std::size_t>(count), [&](std::size_t /*i*/, bool keep) {
    MPI_Win raw = MPI_WIN_NULL;
    check_mpi(MPI_Win_create_dynamic(MPI_INFO_NULL, comm, &raw), "MPI_Win_create_dynamic");
    if (keep) add(raw);
  });
}

void* RawWindows::allocate_shared(MPI_Aint size, MPI_Comm comm) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  MPI_Win raw = MPI_WIN_NULL;
  void* base = nullptr;
  check_mpi(MPI_Win_allocate_shared(rank == 0 ? size : 0, 1, MPI_INFO_NULL, comm,
                                    static_cast<void*>(&base), &raw),
            "MPI_Win_allocate_shared");
  add(raw);
  int unit = 0;
  check_mpi(MPI_Win_shared_query(raw, 0, &size, &unit, static_cast<void*>(&base)),
            "MPI_Win_shared_query");
  return base;
}

void RawWindows::free(int most) {
  int freed = 0;
  std::vector<One> all;
  all.swap(windows_);
  for (One& one : all) {
    if (freed++ == most) return;
    if (one.is_locked) check_mpi(MPI_Win_unlock_all(one.raw), "MPI_Win_unlock_all");
    check_mpi(MPI_Win_free(&one.raw), "MPI_Win_free");
  }
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
  for (const One& one : windows_) check_mpi(MPI_Win_sync(one.raw), "MPI_Win_sync");
}

void RawWindows::attach(int window, void* base, MPI_Aint size) {
  check_mpi(MPI_Win_attach(at(window), base, size), "MPI_Win_attach");
}

void RawWindows::detach(int window, const void* base) {
  check_mpi(MPI_Win_detach(at(window), base), "MPI_Win_detach");
}

}  // namespace ep
