#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace ep {

/// A block of bytes to move over an MPI window. Processes are numbered as in the clique.
///
/// Only contiguous blocks are moved: MPICH 4.0.2 moves derived datatypes by active messages, which
/// fail assertions of its own when several threads of a process communicate.
struct RawTransfer {
  std::byte* data;  ///< memory of the origin
  int bytes;
  int process;
  MPI_Aint disp;
};

/// The MPI windows behind one window. They follow the N-window arrangement: window i has endpoint
/// number i of each process as a target, and no memory in a process with fewer endpoints.
///
/// Each window stays in one epoch of MPI_Win_lock_all for its whole life. MPI does not allow two
/// threads of a process to lock one target, and this is not needed, since the library has its own
/// locks.
///
/// Any thread may use the windows. Creating and freeing them is collective over processes and
/// blocks inside MPI: one thread of each process does it, after a barrier of the library.
class RawWindows {
 public:
  /// The memory of this process in one MPI window.
  struct Segment {
    void* base = nullptr;
    MPI_Aint size = 0;
  };

  /// Creates windows of existing memory.
  void create(const std::vector<Segment>& segments, MPI_Comm comm);
  /// Creates windows that allocate their memory; fills in the bases.
  void allocate(std::vector<Segment>& segments, MPI_Comm comm);
  void create_dynamic(int count, MPI_Comm comm);

  bool exist() const noexcept { return !windows_.empty(); }
  /// Returns 1 for each window that exists here after an attempt to create it.
  std::vector<char> made() const;
  void free();
  /// Frees the windows that exist in all processes, according to `everywhere`. The others are only
  /// dropped, since freeing them would wait for processes that do not have them.
  void free(const std::vector<char>& everywhere);

  void put(int window, const RawTransfer& transfer);
  void get(int window, const RawTransfer& transfer);
  MPI_Request put_with_request(int window, const RawTransfer& transfer);
  MPI_Request get_with_request(int window, const RawTransfer& transfer);
  /// Completes the operations at `process`; at the origin only if `local` is true. MPI-3.1 has no
  /// test for this, so the call waits inside MPI, which makes progress meanwhile.
  void flush(int window, int process, bool local);
  void sync();
  void attach(int window, void* base, MPI_Aint size);
  void detach(int window, const void* base);

 private:
  struct One {
    MPI_Win raw = MPI_WIN_NULL;  ///< MPI_WIN_NULL if MPI failed to create it
    bool is_locked = false;
  };
  MPI_Win at(int window) const { return windows_[static_cast<std::size_t>(window)].raw; }
  template <class Make>
  void make_all(std::size_t count, Make&& make);

  std::vector<One> windows_;
};

}  // namespace ep
