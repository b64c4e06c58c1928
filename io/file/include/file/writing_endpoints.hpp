/// @file
/// The endpoints of a process that write files without a lock, each on a thread of its own.
#pragma once

#include <ep/fwd.hpp>
#include <functional>
#include <memory>

namespace epios::io {

/// Endpoint 0 is the calling thread, the file thread. The others get a thread each when they are
/// first needed. One thread calls all functions.
class WritingEndpoints {
 public:
  /// Makes nothing yet. `parent` has this process as one endpoint. Only this thread uses it, and it
  /// must outlive this object.
  explicit WritingEndpoints(const ep::Comm& parent);
  WritingEndpoints(const WritingEndpoints&) = delete;
  WritingEndpoints(WritingEndpoints&&) = delete;
  WritingEndpoints& operator=(const WritingEndpoints&) = delete;
  WritingEndpoints& operator=(WritingEndpoints&&) = delete;
  /// Must run before MPI is finalised.
  ~WritingEndpoints();

  /// Makes endpoints until there are `count`. Local. More than one needs MPI_THREAD_MULTIPLE.
  void make(int count);
  /// Returns a communicator of endpoint number `number` alone, so that collective calls on it wait
  /// for nobody. The thread of that endpoint uses it.
  const ep::Comm& comm(int number) const;
  /// Runs work(0) to work(count - 1), which must not throw, at the same time, each on the thread of
  /// its endpoint. Returns when all have ended.
  void run(int count, const std::function<void(int)>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
