#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "cliques/clique.hpp"
#include "creation/duplication.hpp"
#include "process/extensions.hpp"

namespace ep {

/// The state of a clique that the creation of communicators from it needs.
struct CliqueCreation final : Extension {
  static constexpr Room room = Room::creation;
  CliqueCreation() = default;
  CliqueCreation(const CliqueCreation&) = delete;
  CliqueCreation(CliqueCreation&&) = delete;
  CliqueCreation& operator=(const CliqueCreation&) = delete;
  CliqueCreation& operator=(CliqueCreation&&) = delete;
  ~CliqueCreation() override;

  /// Guards the pending duplications, by their numbers.
  std::mutex duplications_mutex;
  std::map<std::uint64_t, std::shared_ptr<Duplication>> duplications;
  /// The raw communicator of EP_Comm_mpi; MPI_COMM_NULL until it is created, and after the program
  /// has freed it. Only collective calls write it.
  MPI_Comm raw_comm = MPI_COMM_NULL;
  void keep(MPI_Comm made);
};

inline CliqueCreation& creation_of(const Clique& clique) {
  return clique.extensions().get<CliqueCreation>();
}

/// Returns a clique that endpoints of this process share although they create it one by one. The
/// first caller creates it, and the last of `pickups` removes the entry. If the creation fails, it
/// fails for all.
std::shared_ptr<Clique> shared_clique(std::uint64_t key, int pickups,
                                      const std::function<std::shared_ptr<Clique>()>& make);

}  // namespace ep
