#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "cliques/clique.hpp"
#include "creation/duplication.hpp"
#include "process/parts.hpp"

namespace ep {

/// What making communicators of a communicator leaves with its clique.
struct CliqueCreation final : Part {
  static constexpr Room room = Room::creation;
  CliqueCreation() = default;
  CliqueCreation(const CliqueCreation&) = delete;
  CliqueCreation(CliqueCreation&&) = delete;
  CliqueCreation& operator=(const CliqueCreation&) = delete;
  CliqueCreation& operator=(CliqueCreation&&) = delete;
  ~CliqueCreation() override;

  /// Duplications under way, by their number.
  std::mutex duplications_mutex;
  std::map<std::uint64_t, std::shared_ptr<Duplication>> duplications;
  /// The raw communicator of EP_Comm_mpi, MPI_COMM_NULL until made, and when the program has freed
  /// it; written inside a collective.
  MPI_Comm raw_comm = MPI_COMM_NULL;
  void keep(MPI_Comm made);
};

inline CliqueCreation& creation_of(const Clique& clique) {
  return clique.parts().get<CliqueCreation>();
}

/// The clique that endpoints of this process share which come to make it one by one: the first to
/// come makes it, the last of `pickups` removes the entry. If making fails, it fails for all.
std::shared_ptr<Clique> meet(std::uint64_t key, int pickups,
                             const std::function<std::shared_ptr<Clique>()>& make);

}  // namespace ep
