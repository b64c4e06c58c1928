#include "creation/creation_parts.hpp"

#include <string>

#include "process/error.hpp"
#include "process/process.hpp"

namespace ep {

CliqueCreation::~CliqueCreation() {
  if (raw_comm == MPI_COMM_NULL || mpi_is_finalized()) return;
  if (MPI_Comm_free(&raw_comm) != MPI_SUCCESS) set_last_error("MPI_Comm_free failed.");
}

namespace {

/// What comes of one key of meet().
struct Rendezvous {
  std::shared_ptr<Clique> clique;
  int code = EP_SUCCESS;  ///< of a failure, the same for all
  std::string text;
  int pickups_left = 0;
  std::mutex making;
};

struct RendezvousTable final : Part {
  static constexpr Room room = Room::creation;
  std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<Rendezvous>> by_key;
};

}  // namespace

std::shared_ptr<Clique> meet(std::uint64_t key, int pickups,
                             const std::function<std::shared_ptr<Clique>()>& make) {
  auto& table = process().part<RendezvousTable>();
  std::shared_ptr<Rendezvous> entry;
  {
    const std::lock_guard lock(table.mutex);
    auto& place = table.by_key[key];
    if (!place) {
      place = std::make_shared<Rendezvous>();
      place->pickups_left = pickups;
    }
    entry = place;
    if (--entry->pickups_left == 0) table.by_key.erase(key);
  }
  const std::lock_guard lock(entry->making);
  if (entry->code == EP_SUCCESS && !entry->clique) {
    entry->code = guarded([&] { entry->clique = make(); });
    if (entry->code != EP_SUCCESS) entry->text = last_error();
  }
  if (entry->code != EP_SUCCESS) throw Error(entry->code, entry->text);
  return entry->clique;
}

}  // namespace ep
