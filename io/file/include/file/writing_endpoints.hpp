/// @file
/// The endpoints of a process that write files without a lock, each with a thread of its own.
#pragma once

#include <ep/fwd.hpp>
#include <functional>
#include <memory>

namespace epios::io {

/// Endpoint 0 is the thread that calls, the file thread; the others get a thread each when they are
/// first needed. All functions on one thread.
class WritingEndpoints {
 public:
  /// Nothing is made yet. `parent` has this process as one endpoint and is used by this thread
  /// alone; it outlives this.
  explicit WritingEndpoints(const ep::Comm& parent);
  WritingEndpoints(const WritingEndpoints&) = delete;
  WritingEndpoints(WritingEndpoints&&) = delete;
  WritingEndpoints& operator=(const WritingEndpoints&) = delete;
  WritingEndpoints& operator=(WritingEndpoints&&) = delete;
  /// Before MPI is finalised.
  ~WritingEndpoints();

  /// Makes endpoints until there are `count`. Local. More than one needs MPI_THREAD_MULTIPLE.
  void make(int count);
  /// A communicator of endpoint number `number` alone, so that what is collective over it waits for
  /// nobody; used by that endpoint's thread.
  const ep::Comm& comm(int number) const;
  /// Runs work(0) to work(count - 1), which may not throw, at the same time, each on the thread of
  /// that endpoint; returns when all have ended.
  void run(int count, const std::function<void(int)>& work);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
