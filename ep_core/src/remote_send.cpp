#include "remote_send.hpp"

#include <mpi.h>

#include <cstring>
#include <mutex>

#include "clique.hpp"
#include "error.hpp"
#include "p2p.hpp"
#include "process.hpp"
#include "wire.hpp"

namespace ep {

namespace {

struct Way {
  Wire& wire;
  int peer;  // rank on the wire
};

// Tests once, as small messages are complete at once, and leaves the rest to the engine.
void hand_over(MPI_Request raw, Request& request, const Way& way) {
  int flag = 0;
  const int code = MPI_Test(&raw, &flag, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS || flag != 0) {
    complete_raw(request, code);
  } else {
    process().engine().add(raw, request, request.clique, way.peer);
  }
}

void send_short(Request& request, int raw_tag, const Way& way) {
  MPI_Request raw = MPI_REQUEST_NULL;
  request.raw_left.store(1);
  check_mpi(MPI_Isend(request.view.data, request.view.count, request.view.type, way.peer, raw_tag,
                      way.wire.comm(), &raw),
            "MPI_Isend");
  hand_over(raw, request, way);
}

void send_with_header(Request& request, RemoteHeader header, const TagLayout& layout,
                      const Way& way) {
  const bool small = header.bytes <= eager_bytes - static_cast<std::int64_t>(sizeof header);
  request.staging.resize(sizeof header + (small ? static_cast<std::size_t>(header.bytes) : 0));
  MPI_Request raw_header = MPI_REQUEST_NULL;
  MPI_Request raw_body = MPI_REQUEST_NULL;
  std::unique_lock lock(way.wire.pair_mutex(), std::defer_lock);
  if (small) {
    pack_bytes(request.view, request.staging.data() + sizeof header);
  } else {
    lock.lock();
    header.body_tag = layout.body_tag(way.wire.next_body());
  }
  std::memcpy(request.staging.data(), &header, sizeof header);
  request.raw_left.store(small ? 1 : 2);
  check_mpi(MPI_Isend(request.staging.data(), static_cast<int>(request.staging.size()), MPI_BYTE,
                      way.peer, layout.header_tag(), way.wire.comm(), &raw_header),
            "MPI_Isend");
  if (!small) {
    check_mpi(MPI_Isend(request.view.data, request.view.count, request.view.type, way.peer,
                        header.body_tag, way.wire.comm(), &raw_body),
              "MPI_Isend");
    lock.unlock();
    process().engine().add(raw_body, request, request.clique, way.peer);
  }
  hand_over(raw_header, request, way);
}

}  // namespace

void send_remote(Request& request, const RemoteTarget& target) {
  // The clique outlives the request, whose owner may be gone once it is complete.
  const std::shared_ptr<Clique> clique = request.clique;
  const ProcessRef& to = clique->process(target.process);
  const Way way{*clique->wire(), to.wire_rank};
  const TagLayout& layout = clique->tags();
  const TagLayout::Identity id{to.context, target.source_slot, target.dest_slot, target.tag};
  if (target.dest_slot >= 0 && layout.fits(id)) {
    send_short(request, layout.encode(id), way);
  } else {
    send_with_header(
        request,
        {to.context, target.source_slot, target.dest_slot, target.tag, request.view.bytes(), 0, 0},
        layout, way);
  }
  way.wire.ring(way.peer);
}

}  // namespace ep
