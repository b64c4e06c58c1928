// C functions that complete, free and cancel requests, and generalized requests. Requests of
// several endpoints may be mixed, so errors go to the handler of each request's own endpoint. In
// order: completing one, waiting for several, collecting statuses, the functions.
#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "messages/api_message.hpp"
#include "messages/generalized.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "messages/persistent.hpp"
#include "process/error.hpp"
#include "progress/progress.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

ErrorScope error_scope_of(const Request& request) {
  // Without a communicator the owner is not a slot of an endpoint.
  return {request.clique, request.clique ? static_cast<Slot*>(request.owner) : nullptr};
}

// A persistent request that is not started counts as null wherever requests are completed.
bool is_idle(EP_Request request) {
  return request == EP_REQUEST_NULL || (request->persistent && !request->persistent->is_active);
}

// Lets the program fill the status of its own operation.
int query(const ep_request& request, EP_Status& status) {
  status = request.status;
  return request.generalized->query(request.generalized->extra, &status);
}

int outcome_of(ep_request& request) {
  if (request.generalized) return query(request, request.status);
  return guarded([&] { check_outcome(request); });
}

// Reports a completed request and ends it; returns its error class instead of throwing.
int collect(EP_Request& handle, EP_Status* status, ErrorScope& scope) {
  ep_request& request = request_of(handle);
  int code = outcome_of(request);
  if (request.generalized) {
    const int freed = request.generalized->free(request.generalized->extra);
    if (code == EP_SUCCESS) code = freed;
    request.status.EP_ERROR = code;
  }
  if (code != EP_SUCCESS) scope = error_scope_of(request);
  give_status(request.status, status);
  if (request.persistent) {
    request.persistent->is_active = false;
  } else {
    retire(request);
    handle = EP_REQUEST_NULL;
  }
  return code;
}

void throw_last(int code) {
  if (code != EP_SUCCESS) throw Error(code, last_error());
}

std::span<EP_Request> checked_requests(int count, EP_Request* requests) {
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " of requests (negative).");
  if (count > 0) check_out(requests);
  const std::span<EP_Request> all(requests, static_cast<std::size_t>(count));
  for (EP_Request request : all) {
    if (request != EP_REQUEST_NULL) static_cast<void>(request_of(request));
  }
  return all;
}

bool is_complete(EP_Request request) { return is_idle(request) || is_done_with_help(*request); }

bool all_complete(std::span<const EP_Request> requests) {
  return std::all_of(requests.begin(), requests.end(), is_complete);
}

bool all_idle(std::span<const EP_Request> requests) {
  return std::all_of(requests.begin(), requests.end(), is_idle);
}

int first_complete(std::span<const EP_Request> requests) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (!is_idle(requests[i]) && is_done_with_help(*requests[i])) return static_cast<int>(i);
  }
  return EP_UNDEFINED;
}

// Runs `drive`. An error of the communication goes to the handler of the first request that waits
// for it.
template <class Drive>
void drive_for(std::span<const EP_Request> requests, ErrorScope& scope, Drive&& drive) {
  try {
    drive();
  } catch (const Error&) {
    const auto first = std::find_if_not(requests.begin(), requests.end(), is_complete);
    if (first != requests.end()) scope = error_scope_of(**first);
    throw;
  }
}

void progress_for(std::span<const EP_Request> requests, ErrorScope& scope) {
  drive_for(requests, scope, [] { engine().progress(); });
}

/// The endpoints that some requests belong to: mostly one, in one communicator or a few.
class FewPoints {
 public:
  void add(WaitPoint& point) {
    const auto known = all();
    if (std::find(known.begin(), known.end(), &point) != known.end()) return;
    if (count_ < few_.size()) {
      few_[count_++] = &point;
      return;
    }
    if (many_.empty()) many_.assign(few_.begin(), few_.end());
    many_.push_back(&point);
  }
  std::span<WaitPoint* const> all() const {
    if (!many_.empty()) return many_;
    return {few_.data(), count_};
  }

 private:
  std::array<WaitPoint*, 8> few_{};
  std::size_t count_ = 0;
  std::vector<WaitPoint*> many_;
};

// Says what for, and allocates nothing.
template <class Ready>
void wait_for_one(const ep_request& request, std::span<const EP_Request> all, ErrorScope& scope,
                  Ready&& ready) {
  const std::shared_ptr<Clique> keep = request.clique;
  WaitPoint* const point = request.owner;
  const WaitSpec spec = wait_spec(request);
  const std::span<WaitPoint* const> points(&point, point != nullptr ? 1 : 0);
  drive_for(all, scope, [&] { registry().wait(points, spec, ready); });
}

// Waits at every endpoint that a request belongs to.
template <class Ready>
void wait_for(std::span<const EP_Request> requests, const char* what, ErrorScope& scope,
              Ready&& ready) {
  if (ready()) return;
  if (requests.size() == 1) {
    wait_for_one(*requests.front(), requests, scope, ready);
    return;
  }
  // Requests keep their communicators, and they are the caller's until the end.
  FewPoints points;
  const ep_request* pending = nullptr;
  for (EP_Request request : requests) {
    if (is_idle(request)) continue;
    if (pending == nullptr && !is_done(*request)) pending = request;
    if (request->owner != nullptr) points.add(*request->owner);
  }
  const WaitSpec spec{.reason = what,
                      .peer = pending != nullptr ? pending->peer : -1,
                      .awaited = pending != nullptr ? pending->awaited : nullptr};
  drive_for(requests, scope, [&] { registry().wait(points.all(), spec, ready); });
}

/// An empty status has no error: it is the only status of these functions whose code the standard
/// defines (MPI-3.1, 3.7.3).
void give_empty_status(EP_Status* to) {
  if (to != EP_STATUS_IGNORE) *to = empty_status;
}

/// The statuses of one call, in order. Each contains a code, as in other MPI libraries even if all
/// is well (MPI-3.1, 3.2.5, would leave it unchanged then). For each failed request, the handler of
/// its communicator receives, and may change, the code in the status (MPI-3.1, 8.3).
class Statuses {
 public:
  explicit Statuses(EP_Status* statuses) : statuses_(statuses) {}

  void add_empty() {
    give_status(empty_status, next());
    add_code(EP_SUCCESS);
  }
  void add(EP_Request& request) {
    ErrorScope scope;
    const int code = collect(request, next(), scope);
    failed_ = failed_ || code != EP_SUCCESS;
    add_code(invoke_errhandler(code, scope));
  }
  int count() const { return count_; }
  void throw_if_failed() const { throw_last(failed_ ? EP_ERR_IN_STATUS : EP_SUCCESS); }

 private:
  EP_Status* next() const {
    return statuses_ != EP_STATUSES_IGNORE ? statuses_ + count_ : EP_STATUS_IGNORE;
  }
  void add_code(int code) {
    if (EP_Status* const status = next(); status != EP_STATUS_IGNORE) status->EP_ERROR = code;
    ++count_;
  }

  EP_Status* statuses_;
  int count_ = 0;
  bool failed_ = false;
};

// Reports all of `requests`, which are complete. Throws EP_ERR_IN_STATUS if one has failed.
void collect_all(std::span<EP_Request> requests, EP_Status* statuses) {
  Statuses reported(statuses);
  for (EP_Request& request : requests) {
    if (is_idle(request)) {
      reported.add_empty();
    } else {
      reported.add(request);
    }
  }
  reported.throw_if_failed();
}

// Reports those of `requests` that are complete, as collect_all() does.
void collect_some(std::span<EP_Request> requests, int* outcount, int* indices,
                  EP_Status* statuses) {
  Statuses reported(statuses);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (is_idle(requests[i]) || !is_done(*requests[i])) continue;
    indices[reported.count()] = static_cast<int>(i);
    reported.add(requests[i]);
  }
  *outcount = reported.count();
  reported.throw_if_failed();
}

}  // namespace

int EP_Test(EP_Request* request, int* flag, EP_Status* status) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(request);
    check_out(flag);
    *flag = 1;
    const auto all = checked_requests(1, request);
    if (is_idle(*request)) {
      give_empty_status(status);
      return;
    }
    if (!all_complete(all)) progress_for(all, scope);
    *flag = all_complete(all) ? 1 : 0;
    if (*flag != 0) throw_last(collect(*request, status, scope));
  });
}

int EP_Wait(EP_Request* request, EP_Status* status) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(request);
    const auto all = checked_requests(1, request);
    if (is_idle(*request)) {
      give_empty_status(status);
      return;
    }
    wait_for(all, "a request", scope, [&] { return all_complete(all); });
    throw_last(collect(*request, status, scope));
  });
}

int EP_Testall(int count, EP_Request requests[], int* flag, EP_Status statuses[]) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(flag);
    const auto all = checked_requests(count, requests);
    if (!all_complete(all)) progress_for(all, scope);
    *flag = all_complete(all) ? 1 : 0;
    if (*flag != 0) collect_all(all, statuses);
  });
}

int EP_Waitall(int count, EP_Request requests[], EP_Status statuses[]) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    const auto all = checked_requests(count, requests);
    wait_for(all, "all of several requests (EP_Waitall)", scope, [&] { return all_complete(all); });
    collect_all(all, statuses);
  });
}

int EP_Testany(int count, EP_Request requests[], int* index, int* flag, EP_Status* status) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(index);
    check_out(flag);
    const auto all = checked_requests(count, requests);
    *index = EP_UNDEFINED;
    *flag = 1;
    if (all_idle(all)) {
      give_empty_status(status);
      return;
    }
    *index = first_complete(all);
    if (*index == EP_UNDEFINED) {
      progress_for(all, scope);
      *index = first_complete(all);
    }
    *flag = *index != EP_UNDEFINED ? 1 : 0;
    if (*flag != 0) throw_last(collect(all[static_cast<std::size_t>(*index)], status, scope));
  });
}

int EP_Waitany(int count, EP_Request requests[], int* index, EP_Status* status) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(index);
    const auto all = checked_requests(count, requests);
    *index = EP_UNDEFINED;
    if (all_idle(all)) {
      give_empty_status(status);
      return;
    }
    wait_for(all, "any of several requests (EP_Waitany)", scope,
             [&] { return first_complete(all) != EP_UNDEFINED; });
    *index = first_complete(all);
    throw_last(collect(all[static_cast<std::size_t>(*index)], status, scope));
  });
}

int EP_Testsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(outcount);
    const auto all = checked_requests(incount, requests);
    *outcount = EP_UNDEFINED;
    if (all_idle(all)) return;
    check_out(indices);
    progress_for(all, scope);
    collect_some(all, outcount, indices, statuses);
  });
}

int EP_Waitsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(outcount);
    const auto all = checked_requests(incount, requests);
    *outcount = EP_UNDEFINED;
    if (all_idle(all)) return;
    check_out(indices);
    wait_for(all, "some of several requests (EP_Waitsome)", scope,
             [&] { return first_complete(all) != EP_UNDEFINED; });
    collect_some(all, outcount, indices, statuses);
  });
}

int EP_Request_get_status(EP_Request request, int* flag, EP_Status* status) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(flag);
    *flag = 1;
    if (request == EP_REQUEST_NULL || is_idle(&request_of(request))) {
      give_empty_status(status);
      return;
    }
    scope = error_scope_of(*request);
    if (!is_done(*request)) engine().progress();
    *flag = is_done(*request) ? 1 : 0;
    if (*flag == 0) return;
    EP_Status known = request->status;
    const int code = request->generalized ? query(*request, known) : EP_SUCCESS;
    give_status(known, status);
    throw_last(code);
  });
}

int EP_Request_free(EP_Request* request) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(request);
    ep_request& freed = request_of(*request);
    scope = error_scope_of(freed);
    *request = EP_REQUEST_NULL;
    if (is_idle(&freed)) {
      retire(freed);
    } else if (freed.generalized && is_done(freed)) {
      const int code = freed.generalized->free(freed.generalized->extra);
      retire(freed);
      throw_last(code);
    } else {
      abandon(freed);
    }
  });
}

int EP_Cancel(EP_Request* request) {
  ErrorScope scope;
  return call_with_scope(scope, [&] {
    check_out(request);
    ep_request& cancelled = request_of(*request);
    scope = error_scope_of(cancelled);
    if (is_idle(&cancelled)) {
      fail(EP_ERR_REQUEST, "EP_Cancel of a persistent request that is not active.");
    }
    if (cancelled.generalized) {
      const Generalized& operation = *cancelled.generalized;
      throw_last(operation.cancel(operation.extra, is_done(cancelled) ? 1 : 0));
    } else {
      cancel(cancelled);
    }
  });
}

int EP_Grequest_start(EP_Grequest_query_function* query_function,
                      EP_Grequest_free_function* free_function,
                      EP_Grequest_cancel_function* cancel_function, void* extra_state,
                      EP_Request* request) {
  return guarded([&] {
    check_out(request);
    if (query_function == nullptr || free_function == nullptr || cancel_function == nullptr) {
      fail(EP_ERR_ARG, "a function of a generalized request is a null pointer.");
    }
    ep_request* const started = request_arena().take();
    prepare(*started, nullptr, &generalized_point(), MappedView{}, "a generalized request");
    started->generalized = std::make_unique<Generalized>(
        Generalized{query_function, free_function, cancel_function, extra_state});
    started->alive.store(request_alive);
    *request = started;
  });
}

int EP_Grequest_complete(EP_Request request) {
  return guarded([&] {
    if (!request_arena().contains(request) || !request->generalized) {
      fail(EP_ERR_REQUEST, "EP_Grequest_complete of something else than a generalized request.");
    }
    finish(*request);
  });
}
