/// @file
/// What tests of several writers need.
#pragma once

#include <ep/ep.hpp>
#include <memory>
#include <string>

#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::test {

/// All processes of a test and a folder they share, owned by the first.
class Together {
 public:
  Together() : world_(ep::Comm::from_mpi(MPI_COMM_WORLD)) {
    if (is_owner()) scratch_ = std::make_unique<Scratch>();
    folder_ = from_owner(is_owner() ? scratch_->path() : "");
  }
  Together(const Together&) = delete;
  Together& operator=(const Together&) = delete;
  ~Together() {
    if (EP_Barrier(world_.get()) != EP_SUCCESS) ADD_FAILURE() << "barrier failed";
  }
  const ep::Comm* writers() const { return &world_; }
  bool is_owner() const { return world_.rank() == 0; }
  int rank() const { return world_.rank(); }
  int size() const { return world_.size(); }
  int last() const { return size() - 1; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  const std::string& folder() const { return folder_; }
  void wait() const { ep::check(EP_Barrier(world_.get())); }

  /// The owner's text on all.
  std::string from_owner(const std::string& text) const {
    std::array<char, 1024> buffer = {};
    text.copy(buffer.data(), buffer.size() - 1);
    ep::check(EP_Bcast(buffer.data(), static_cast<int>(buffer.size()), MPI_CHAR, 0, world_.get()));
    return buffer.data();
  }

 private:
  ep::Comm world_;
  std::unique_ptr<Scratch> scratch_;
  std::string folder_;
};

}  // namespace epios::io::test
