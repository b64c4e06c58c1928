// C functions of accesses to windows: put, get, accumulate and their variants with requests. All
// check the epoch and the destination in one place. In order: arguments, checks, data movement,
// accumulates.
#include <ep/ep.h>

#include <cstdint>

#include "datatypes/overlap.hpp"
#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "process/counts.hpp"
#include "windows/api_window.hpp"
#include "windows/transfer.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

/// The arguments by which all functions name memory of a target.
struct At {
  int rank;
  MPI_Aint disp;
  std::int64_t count;
  MPI_Datatype type;
};

void check_fits(std::int64_t bytes, std::int64_t room, const char* what) {
  if (bytes <= room) return;
  fail(EP_ERR_TRUNCATE, what, " of ", bytes, " bytes to where ", room, " bytes fit.");
}

// Checks the access and runs `move(window, destination)`, unless the target is EP_PROC_NULL.
template <class Move>
void access(EndpointWindow& window, const At& at, bool with_request, const char* what,
            Move&& move) {
  if (at.rank == EP_PROC_NULL) return;
  check_target(window, at.rank);
  const Destination to = checked_destination(window, at.rank, at.disp, at.count, at.type, what);
  check_access(window, at.rank, with_request, what);
  move(window, to);
}

// Does what access() does, with a request, which is complete at once if there is nothing to do.
template <class Move>
int access_later(EP_Win win, const At& at, EP_Request* request, const char* what, Move&& move) {
  return call_on_window(win, [&](EndpointWindow& window) {
    check_out(request);
    const Endpoint& endpoint = endpoint_of_window(window);
    if (at.rank == EP_PROC_NULL) {
      *request = begin(endpoint, MappedView{}, what,
                       [](Request& empty) { complete_empty(empty, EP_PROC_NULL, EP_ANY_TAG); });
      return;
    }
    access(window, at, true, what, [&](EndpointWindow& same, const Destination& to) {
      *request =
          begin(endpoint, MappedView{}, what, [&](Request& started) { move(same, to, &started); });
    });
  });
}

struct Origin {
  const void* data;
  std::int64_t count;
  MPI_Datatype type;
};

void put_to(EndpointWindow& window, const Origin& origin, const Destination& to, Request* request,
            const char* what) {
  const MappedView view = checked_message(origin.data, origin.count, origin.type);
  check_fits(view.bytes(), to.view.bytes(), what);
  put(window, view, to, request);
}

void get_from(EndpointWindow& window, const Origin& origin, const Destination& from,
              Request* request, const char* what) {
  const MappedView view = checked_message(origin.data, origin.count, origin.type);
  check_fits(from.view.bytes(), view.bytes(), what);
  get(window, view, from, request);
}

// `result` has no datatype if no result is wanted.
void combine_at(EndpointWindow& window, const Origin& origin, const Origin& result, MPI_Op op,
                const Destination& to, Request* request, const char* what) {
  const bool fetches = result.type != MPI_DATATYPE_NULL;
  if (!fetches && op == MPI_NO_OP) {
    fail(EP_ERR_OP, what, " with MPI_NO_OP (it would do nothing). Use EP_Get_accumulate?");
  }
  Combination combination{{}, {}, op};
  if (op != MPI_NO_OP) combination.origin = checked_message(origin.data, origin.count, origin.type);
  if (fetches) combination.result = checked_message(result.data, result.count, result.type);
  if (fetches && op != MPI_NO_OP) check_disjoint(combination.origin, combination.result, what);
  accumulate(window, combination, to, request, what);
}

constexpr Origin no_result{nullptr, 0, MPI_DATATYPE_NULL};

}  // namespace

int EP_COUNTED(Put)(const void* origin, Count count, MPI_Datatype type, int target, MPI_Aint disp,
                    Count target_count, MPI_Datatype target_type, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    access(window, {target, disp, target_count, target_type}, false, "EP_Put",
           [&](EndpointWindow& same, const Destination& to) {
             put_to(same, {origin, count, type}, to, nullptr, "EP_Put");
           });
  });
}

int EP_COUNTED(Get)(void* origin, Count count, MPI_Datatype type, int target, MPI_Aint disp,
                    Count target_count, MPI_Datatype target_type, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    access(window, {target, disp, target_count, target_type}, false, "EP_Get",
           [&](EndpointWindow& same, const Destination& from) {
             get_from(same, {origin, count, type}, from, nullptr, "EP_Get");
           });
  });
}

int EP_COUNTED(Accumulate)(const void* origin, Count count, MPI_Datatype type, int target,
                           MPI_Aint disp, Count target_count, MPI_Datatype target_type, MPI_Op op,
                           EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    access(window, {target, disp, target_count, target_type}, false, "EP_Accumulate",
           [&](EndpointWindow& same, const Destination& to) {
             combine_at(same, {origin, count, type}, no_result, op, to, nullptr, "EP_Accumulate");
           });
  });
}

int EP_COUNTED(Get_accumulate)(const void* origin, Count count, MPI_Datatype type, void* result,
                               Count result_count, MPI_Datatype result_type, int target,
                               MPI_Aint disp, Count target_count, MPI_Datatype target_type,
                               MPI_Op op, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    access(window, {target, disp, target_count, target_type}, false, "EP_Get_accumulate",
           [&](EndpointWindow& same, const Destination& to) {
             combine_at(same, {origin, count, type}, {result, result_count, result_type}, op, to,
                        nullptr, "EP_Get_accumulate");
           });
  });
}

#ifndef EP_LARGE_COUNTS
int EP_Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint disp,
                    MPI_Op op, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    access(window, {target, disp, 1, type}, false, "EP_Fetch_and_op",
           [&](EndpointWindow& same, const Destination& to) {
             combine_at(same, {origin, 1, type}, {result, 1, type}, op, to, nullptr,
                        "EP_Fetch_and_op");
           });
  });
}

int EP_Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type,
                        int target, MPI_Aint disp, EP_Win win) {
  return call_on_window(win, [&](EndpointWindow& window) {
    access(window, {target, disp, 1, type}, false, "EP_Compare_and_swap",
           [&](EndpointWindow& same, const Destination& at) {
             const MappedView fetched = checked_message(result, 1, type);
             check_disjoint(checked_message(origin, 1, type), fetched, "EP_Compare_and_swap");
             // Programs let `compare` be the result, as of an atomic variable; nothing is lost.
             static_cast<void>(checked_message(compare, 1, type));
             compare_and_swap(same, {origin, compare, result, type}, at);
           });
  });
}
#endif

int EP_COUNTED(Rput)(const void* origin, Count count, MPI_Datatype type, int target, MPI_Aint disp,
                     Count target_count, MPI_Datatype target_type, EP_Win win,
                     EP_Request* request) {
  return access_later(win, {target, disp, target_count, target_type}, request, "EP_Rput",
                      [&](EndpointWindow& window, const Destination& to, Request* started) {
                        put_to(window, {origin, count, type}, to, started, "EP_Rput");
                      });
}

int EP_COUNTED(Rget)(void* origin, Count count, MPI_Datatype type, int target, MPI_Aint disp,
                     Count target_count, MPI_Datatype target_type, EP_Win win,
                     EP_Request* request) {
  return access_later(win, {target, disp, target_count, target_type}, request, "EP_Rget",
                      [&](EndpointWindow& window, const Destination& from, Request* started) {
                        get_from(window, {origin, count, type}, from, started, "EP_Rget");
                      });
}

int EP_COUNTED(Raccumulate)(const void* origin, Count count, MPI_Datatype type, int target,
                            MPI_Aint disp, Count target_count, MPI_Datatype target_type, MPI_Op op,
                            EP_Win win, EP_Request* request) {
  return access_later(
      win, {target, disp, target_count, target_type}, request, "EP_Raccumulate",
      [&](EndpointWindow& window, const Destination& to, Request* started) {
        combine_at(window, {origin, count, type}, no_result, op, to, started, "EP_Raccumulate");
      });
}

int EP_COUNTED(Rget_accumulate)(const void* origin, Count count, MPI_Datatype type, void* result,
                                Count result_count, MPI_Datatype result_type, int target,
                                MPI_Aint disp, Count target_count, MPI_Datatype target_type,
                                MPI_Op op, EP_Win win, EP_Request* request) {
  return access_later(win, {target, disp, target_count, target_type}, request, "EP_Rget_accumulate",
                      [&](EndpointWindow& window, const Destination& to, Request* started) {
                        combine_at(window, {origin, count, type},
                                   {result, result_count, result_type}, op, to, started,
                                   "EP_Rget_accumulate");
                      });
}
