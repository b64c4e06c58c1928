#include "creation/clique_creation.hpp"

#include <string>

#include "process/error.hpp"
#include "process/process.hpp"

namespace ep {

namespace {

/// Called when the communicator is freed, by whomever.
int forget_raw(MPI_Comm /*comm*/, int /*keyval*/, void* kept, void* /*extra*/) {
  *static_cast<MPI_Comm*>(kept) = MPI_COMM_NULL;
  return MPI_SUCCESS;
}

}  // namespace

CliqueCreation::~CliqueCreation() {
  if (raw_comm == MPI_COMM_NULL || mpi_is_finalized()) return;
  MPI_Comm last = raw_comm;
  if (MPI_Comm_free(&last) != MPI_SUCCESS) set_last_error("MPI_Comm_free failed.");
}

void CliqueCreation::keep(MPI_Comm made) {
  int key = MPI_KEYVAL_INVALID;
  check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget_raw, &key, nullptr),
            "MPI_Comm_create_keyval");
  check_mpi(MPI_Comm_set_attr(made, key, &raw_comm), "MPI_Comm_set_attr");
  // The attribute keeps the key alive.
  check_mpi(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
  raw_comm = made;
}

namespace {

/// The result for one key of shared_clique().
struct Rendezvous {
  std::shared_ptr<Clique> clique;
  int code = EP_SUCCESS;  ///< error code of a failure, the same for all endpoints
  std::string text;
  int pickups_left = 0;
  std::mutex making;
};

struct RendezvousTable final : Extension {
  static constexpr Room room = Room::creation;
  std::mutex mutex;
  std::map<std::uint64_t, std::shared_ptr<Rendezvous>> by_key;
};

}  // namespace

std::shared_ptr<Clique> shared_clique(std::uint64_t key, int pickups,
                                      const std::function<std::shared_ptr<Clique>()>& make) {
  auto& table = process().extension<RendezvousTable>();
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
