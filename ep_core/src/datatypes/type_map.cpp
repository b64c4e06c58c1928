// Maps of datatypes and the table that stores them. A map lives until MPI frees its datatype, which
// an attribute of the datatype reports. In order: joining of blocks, spans, the table of maps, and
// look-up, in which each thread caches its latest map.
#include "datatypes/type_map.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

#include "datatypes/type_contents.hpp"
#include "process/error.hpp"

namespace ep {

void BlockList::add(BlockRun run) {
  if (run.length == 0 || run.repeat == 0) return;
  if (run.repeat > 1 && run.stride == run.length) run = {run.offset, run.length * run.repeat, 0, 1};
  if (runs_.empty()) {
    runs_.push_back(run);
    return;
  }
  BlockRun& last = runs_.back();
  if (last.repeat == 1 && run.repeat == 1 && last.offset + last.length == run.offset) {
    last.length += run.length;
    return;
  }
  const std::int64_t stride = last.repeat > 1 ? last.stride : run.offset - last.offset;
  const bool continues = last.length == run.length &&
                         run.offset == last.offset + last.repeat * stride &&
                         (run.repeat == 1 || run.stride == stride);
  if (continues) {
    last.stride = stride;
    last.repeat += run.repeat;
  } else {
    runs_.push_back(run);
  }
}

void BlockList::place(const BlockList& inner, std::int64_t offset, std::int64_t times,
                      std::int64_t stride) {
  if (inner.runs_.size() == 1 && inner.runs_[0].repeat == 1) {
    const BlockRun& only = inner.runs_[0];
    add({offset + only.offset, only.length, times > 1 ? stride : 0, times});
    return;
  }
  for (std::int64_t i = 0; i < times; ++i) {
    for (BlockRun run : inner.runs_) {
      run.offset += offset + i * stride;
      add(run);
    }
  }
}

Span TypeMap::span(std::int64_t count) const noexcept {
  const auto& runs = blocks.runs();
  if (count <= 0 || runs.empty()) return {0, 0};
  std::int64_t begin = INT64_MAX;
  std::int64_t end = INT64_MIN;
  for (const BlockRun& run : runs) {
    const std::int64_t steps = (run.repeat - 1) * run.stride;
    begin = std::min(begin, run.offset + std::min<std::int64_t>(steps, 0));
    end = std::max(end, run.offset + std::max<std::int64_t>(steps, 0) + run.length);
  }
  const std::int64_t elements = (count - 1) * extent;
  begin += std::min<std::int64_t>(elements, 0);
  end += std::max<std::int64_t>(elements, 0);
  return {begin, end - begin};
}

namespace {

/// Maps of living datatypes. Predefined ones stay; of the others, an attribute on the datatype
/// tells when MPI frees it, because its handle may then mean another datatype.
class TypeMaps {
 public:
  std::shared_ptr<const TypeMap> find(MPI_Datatype type) {
    const std::shared_lock lock(mutex_);
    const auto found = maps_.find(type);
    return found != maps_.end() ? found->second : nullptr;
  }

  std::shared_ptr<const TypeMap> insert(MPI_Datatype type, std::shared_ptr<const TypeMap> map) {
    std::unique_lock lock(mutex_);
    const auto [place, is_new] = maps_.emplace(type, std::move(map));
    std::shared_ptr<const TypeMap> kept = place->second;
    lock.unlock();
    // Called without the lock, since MPI holds its own lock while it calls forget().
    if (is_new && !kept->named) {
      check_mpi(MPI_Type_set_attr(type, keyval(), nullptr), "MPI_Type_set_attr");
    }
    return kept;
  }

  /// Throws EP_ERR_TYPE for a derived datatype that was not committed, as far as MPI tells. MPI has
  /// no query for it, but it checks the arguments of a call that does nothing else: which call it
  /// is differs from MPI to MPI, and is tried once.
  void check_committed(MPI_Datatype type) {
    std::call_once(asking_made_, [this] {
      check_mpi(MPI_Comm_dup(MPI_COMM_SELF, &asking_), "MPI_Comm_dup");
      check_mpi(MPI_Comm_set_errhandler(asking_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
      MPI_Datatype uncommitted = MPI_DATATYPE_NULL;
      check_mpi(MPI_Type_contiguous(1, MPI_BYTE, &uncommitted), "MPI_Type_contiguous");
      pack_size_tells_ = !can_be_packed(uncommitted);
      check_mpi(MPI_Type_free(&uncommitted), "MPI_Type_free");
    });
    if (pack_size_tells_ ? can_be_packed(type) : can_be_sent(type)) return;
    fail(EP_ERR_TYPE, "the datatype is not committed. Call MPI_Type_commit first?");
  }

  void erase(MPI_Datatype type) {
    const std::unique_lock lock(mutex_);
    maps_.erase(type);
  }

 private:
  int keyval();
  bool can_be_packed(MPI_Datatype type) const {
    int size = 0;
    return MPI_Pack_size(0, type, asking_, &size) == MPI_SUCCESS;
  }
  bool can_be_sent(MPI_Datatype type) const {
    MPI_Request request = MPI_REQUEST_NULL;
    return MPI_Send_init(nullptr, 0, type, MPI_PROC_NULL, 0, asking_, &request) == MPI_SUCCESS &&
           MPI_Request_free(&request) == MPI_SUCCESS;
  }

  std::shared_mutex mutex_;
  std::unordered_map<MPI_Datatype, std::shared_ptr<const TypeMap>> maps_;
  std::once_flag keyval_made_;
  int keyval_ = MPI_KEYVAL_INVALID;
  std::once_flag asking_made_;
  MPI_Comm asking_ = MPI_COMM_NULL;  // communicator whose errors return
  bool pack_size_tells_ = true;
};

TypeMaps& type_maps() {
  static TypeMaps* const maps = new TypeMaps;  // NOLINT: as long as handles, see Process
  return *maps;
}

int forget(MPI_Datatype type, int /*keyval*/, void* /*value*/, void* /*extra*/) {
  type_maps().erase(type);
  return MPI_SUCCESS;
}

int TypeMaps::keyval() {
  std::call_once(keyval_made_, [this] {
    check_mpi(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &keyval_, nullptr),
              "MPI_Type_create_keyval");
  });
  return keyval_;
}

// A reference that is not counted: predefined maps are never dropped.
std::shared_ptr<const TypeMap> uncounted(const TypeMap* map) {
  return {std::shared_ptr<const TypeMap>(), map};
}

/// The predefined datatypes that a thread used last.
struct Recent {
  struct One {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const TypeMap* map = nullptr;
  };
  std::array<One, 4> all;
  std::size_t next = 0;
};

}  // namespace

std::shared_ptr<const TypeMap> map_to_measure(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) return map_of(type);
  std::shared_ptr<const TypeMap> map = type_maps().find(type);
  return map ? map : take_apart(type);
}

std::shared_ptr<const TypeMap> map_of(MPI_Datatype type) {
  thread_local Recent recent;
  for (const Recent::One& entry : recent.all) {
    if (entry.type == type && entry.map != nullptr) return uncounted(entry.map);
  }
  if (type == MPI_DATATYPE_NULL) fail(EP_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL.");
  std::shared_ptr<const TypeMap> map = type_maps().find(type);
  if (!map) {
    map = take_apart(type);
    if (!map->named) type_maps().check_committed(type);
    map = type_maps().insert(type, std::move(map));
  }
  if (!map->named) return map;
  recent.all[recent.next++ % recent.all.size()] = {type, map.get()};
  return uncounted(map.get());
}

}  // namespace ep
