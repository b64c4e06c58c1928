#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace ep {

/// A block of bytes to move over a window of MPI. Processes are numbered as in the clique.
///
/// Blocks only: MPICH 4.0.2 moves derived datatypes by active messages, and these meet assertions
/// of its own when several threads of a process communicate.
struct RawTransfer {
  std::byte* data;  ///< of the origin
  int bytes;
  int process;
  MPI_Aint disp;
};

/// The windows of MPI behind one window, in the N-window arrangement: window i has the endpoints
/// number i of all processes as targets, and no memory where a process has fewer.
///
/// Each stays in one epoch, of MPI_Win_lock_all, for its whole life: two threads of a process may
/// not lock one target in MPI, and need not here, since locks are our own.
///
/// Any thread. Making and freeing windows is collective over processes and blocks inside MPI: one
/// thread of each process does it, after a barrier of ours.
class RawWindows {
 public:
  /// The memory of this process in one window.
  struct Segment {
    void* base = nullptr;
    MPI_Aint size = 0;
  };

  /// Makes windows of existing memory.
  void create(const std::vector<Segment>& segments, MPI_Comm comm);
  /// Makes windows with memory of their own; fills the bases in.
  void allocate(std::vector<Segment>& segments, MPI_Comm comm);
  void create_dynamic(int count, MPI_Comm comm);
  /// Makes one window of shared memory, all of it at process 0. Returns its address here.
  void* allocate_shared(MPI_Aint size, MPI_Comm comm);

  bool exist() const noexcept { return !windows_.empty(); }
  /// Tells which windows exist here after an attempt to make them.
  std::vector<char> made() const;
  void free();
  /// Frees the windows that all processes have, as `everywhere` says; the others, whose freeing
  /// would wait for processes that have none, are only forgotten.
  void free(const std::vector<char>& everywhere);

  void put(int window, const RawTransfer& transfer);
  void get(int window, const RawTransfer& transfer);
  MPI_Request put_with_request(int window, const RawTransfer& transfer);
  MPI_Request get_with_request(int window, const RawTransfer& transfer);
  /// Completes the operations at `process`, at the origin only if `local`. MPI-3.1 cannot test for
  /// it: this waits inside MPI, which makes progress meanwhile.
  void flush(int window, int process, bool local);
  void sync();
  void attach(int window, void* base, MPI_Aint size);
  void detach(int window, const void* base);

 private:
  struct One {
    MPI_Win raw = MPI_WIN_NULL;  ///< as MPI failed to make it
    bool is_locked = false;
  };
  MPI_Win at(int window) const { return windows_[static_cast<std::size_t>(window)].raw; }
  template <class Make>
  void make_all(std::size_t count, Make&& make);

  std::vector<One> windows_;
};

}  // namespace ep
