#include <ep/ep.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "api_arguments.hpp"
#include "error.hpp"
#include "p2p.hpp"
#include "process.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

ep_request& request_of(EP_Request request) {
  if (!process().requests().contains(request) || request->alive.load() != request_alive) {
    fail(EP_ERR_REQUEST, "the request handle is not valid (completed before, or not a request).");
  }
  return *request;
}

Blame blame_of(const Request& request) {
  // Without a communicator the owner is not an endpoint's.
  return {request.clique, request.clique ? static_cast<Slot*>(request.owner) : nullptr};
}

// Reports a completed request and ends it; returns its error class instead of throwing.
int collect(EP_Request& handle, EP_Status* status, Blame& blame) {
  ep_request& request = request_of(handle);
  const int code = guarded([&] { check_outcome(request); });
  if (code != EP_SUCCESS) blame = blame_of(request);
  give_status(request.status, status);
  retire(request);
  handle = EP_REQUEST_NULL;
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

bool is_complete(EP_Request request) { return request == EP_REQUEST_NULL || is_done(*request); }

bool all_complete(std::span<const EP_Request> requests) {
  return std::all_of(requests.begin(), requests.end(), is_complete);
}

bool all_null(std::span<const EP_Request> requests) {
  return std::all_of(requests.begin(), requests.end(),
                     [](EP_Request r) { return r == EP_REQUEST_NULL; });
}

int first_complete(std::span<const EP_Request> requests) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i] != EP_REQUEST_NULL && is_done(*requests[i])) return static_cast<int>(i);
  }
  return EP_UNDEFINED;
}

// Waits at every endpoint that a request belongs to.
template <class Ready>
void wait_for(std::span<const EP_Request> requests, const char* what, Ready&& ready) {
  if (ready()) return;
  std::vector<WaitPoint*> points;
  std::vector<std::shared_ptr<Clique>> keep;
  const ep_request* pending = nullptr;
  for (const ep_request* request : requests) {
    if (request == EP_REQUEST_NULL) continue;
    if (pending == nullptr && !is_done(*request)) pending = request;
    if (request->owner == nullptr) continue;
    if (std::find(points.begin(), points.end(), request->owner) != points.end()) continue;
    points.push_back(request->owner);
    keep.push_back(request->clique);
  }
  const bool single = requests.size() == 1 && pending != nullptr;
  const WaitSpec spec{single ? pending->what : what, pending != nullptr ? pending->peer : -1};
  process().registry().wait(points, spec, ready);
}

// Reports all of `requests`, which are complete. EP_ERR_IN_STATUS when one failed.
void collect_all(std::span<EP_Request> requests, EP_Status* statuses, Blame& blame) {
  int failed = EP_SUCCESS;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EP_Status* const status = statuses != EP_STATUSES_IGNORE ? statuses + i : EP_STATUS_IGNORE;
    if (requests[i] == EP_REQUEST_NULL) {
      give_status(empty_status, status);
    } else if (const int code = collect(requests[i], status, blame); code != EP_SUCCESS) {
      failed = EP_ERR_IN_STATUS;
    }
  }
  throw_last(failed);
}

int collect_some(std::span<EP_Request> requests, int* indices, EP_Status* statuses, Blame& blame) {
  int count = 0;
  int failed = EP_SUCCESS;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (requests[i] == EP_REQUEST_NULL || !is_done(*requests[i])) continue;
    indices[count] = static_cast<int>(i);
    EP_Status* const status = statuses != EP_STATUSES_IGNORE ? statuses + count : EP_STATUS_IGNORE;
    if (collect(requests[i], status, blame) != EP_SUCCESS) failed = EP_ERR_IN_STATUS;
    ++count;
  }
  throw_last(failed);
  return count;
}

}  // namespace

int EP_Test(EP_Request* request, int* flag, EP_Status* status) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(request);
    check_out(flag);
    *flag = 1;
    const auto all = checked_requests(1, request);
    if (*request == EP_REQUEST_NULL) {
      give_status(empty_status, status);
      return;
    }
    if (!all_complete(all)) process().engine().progress();
    *flag = all_complete(all) ? 1 : 0;
    if (*flag != 0) throw_last(collect(*request, status, blame));
  });
}

int EP_Wait(EP_Request* request, EP_Status* status) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(request);
    const auto all = checked_requests(1, request);
    if (*request == EP_REQUEST_NULL) {
      give_status(empty_status, status);
      return;
    }
    wait_for(all, "a request", [&] { return all_complete(all); });
    throw_last(collect(*request, status, blame));
  });
}

int EP_Testall(int count, EP_Request requests[], int* flag, EP_Status statuses[]) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(flag);
    const auto all = checked_requests(count, requests);
    if (!all_complete(all)) process().engine().progress();
    *flag = all_complete(all) ? 1 : 0;
    if (*flag != 0) collect_all(all, statuses, blame);
  });
}

int EP_Waitall(int count, EP_Request requests[], EP_Status statuses[]) {
  Blame blame;
  return guarded_for(blame, [&] {
    const auto all = checked_requests(count, requests);
    wait_for(all, "all of several requests (EP_Waitall)", [&] { return all_complete(all); });
    collect_all(all, statuses, blame);
  });
}

int EP_Testany(int count, EP_Request requests[], int* index, int* flag, EP_Status* status) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(index);
    check_out(flag);
    const auto all = checked_requests(count, requests);
    *index = EP_UNDEFINED;
    *flag = 1;
    if (all_null(all)) {
      give_status(empty_status, status);
      return;
    }
    *index = first_complete(all);
    if (*index == EP_UNDEFINED) {
      process().engine().progress();
      *index = first_complete(all);
    }
    *flag = *index != EP_UNDEFINED ? 1 : 0;
    if (*flag != 0) throw_last(collect(all[static_cast<std::size_t>(*index)], status, blame));
  });
}

int EP_Waitany(int count, EP_Request requests[], int* index, EP_Status* status) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(index);
    const auto all = checked_requests(count, requests);
    *index = EP_UNDEFINED;
    if (all_null(all)) {
      give_status(empty_status, status);
      return;
    }
    wait_for(all, "any of several requests (EP_Waitany)",
             [&] { return first_complete(all) != EP_UNDEFINED; });
    *index = first_complete(all);
    throw_last(collect(all[static_cast<std::size_t>(*index)], status, blame));
  });
}

int EP_Testsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(outcount);
    const auto all = checked_requests(incount, requests);
    *outcount = EP_UNDEFINED;
    if (all_null(all)) return;
    check_out(indices);
    process().engine().progress();
    *outcount = collect_some(all, indices, statuses, blame);
  });
}

int EP_Waitsome(int incount, EP_Request requests[], int* outcount, int indices[],
                EP_Status statuses[]) {
  Blame blame;
  return guarded_for(blame, [&] {
    check_out(outcount);
    const auto all = checked_requests(incount, requests);
    *outcount = EP_UNDEFINED;
    if (all_null(all)) return;
    check_out(indices);
    wait_for(all, "some of several requests (EP_Waitsome)",
             [&] { return first_complete(all) != EP_UNDEFINED; });
    *outcount = collect_some(all, indices, statuses, blame);
  });
}
