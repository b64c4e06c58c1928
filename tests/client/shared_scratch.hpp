#pragma once

#include <mpi.h>

#include <filesystem>
#include <optional>
#include <string>

#include "scratch.hpp"

namespace epios::client {

/// One folder for all processes, those that serve among them. The first one's, who also removes it.
class SharedScratch {
 public:
  explicit SharedScratch(const std::string& iodef) : before_(std::filesystem::current_path()) {
    int rank = -1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) own_.emplace(iodef);
    std::string path = std::filesystem::current_path().string();
    path.resize(4096);
    MPI_Bcast(path.data(), 4096, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank != 0) std::filesystem::current_path(path.c_str());
  }
  SharedScratch(const SharedScratch&) = delete;
  SharedScratch(SharedScratch&&) = delete;
  SharedScratch& operator=(const SharedScratch&) = delete;
  SharedScratch& operator=(SharedScratch&&) = delete;
  ~SharedScratch() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
  std::optional<Scratch> own_;
};

}  // namespace epios::client
