// Epochs of EP_Win_start and EP_Win_post. Each side counts, at the endpoint concerned, posts
// without a matching start and completes without a matching wait. In order: notifying and counting,
// start and complete, post and wait.
#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/first_exception.hpp"
#include "progress/progress.hpp"
#include "windows/epoch.hpp"
#include "windows/epoch_rules.hpp"
#include "windows/window_message.hpp"
#include "windows/window_site.hpp"

// Epochs of EP_Win_start and EP_Win_post: counters at whom they are meant for.

namespace ep {

namespace {

// Tells an endpoint, by one of its counters.
void tell(EndpointWindow& window, int rank, WindowMessage::Kind kind,
          std::map<int, int> Exposure::*counts) {
  const Target& target = target_of(window, rank);
  const Endpoint& endpoint = endpoint_of_window(window);
  if (target.exposure != nullptr) {
    {
      const std::lock_guard guard(target.exposure->mutex);
      ++(target.exposure->*counts)[endpoint.rank];
    }
    registry().notify(endpoint.clique->slot(target.place.slot));
    return;
  }
  WindowMessage head;
  head.kind = kind;
  head.slot = target.place.slot;
  head.rank = endpoint.rank;
  send(endpoint.clique, target.place.process, head);
}

bool has_told(const std::map<int, int>& told, int rank) {
  const auto found = told.find(rank);
  return found != told.end() && found->second > 0;
}

// True if each of `ranks` has posted or completed; if so, consumes one count of each.
bool take_counts(EndpointWindow& window, const std::vector<int>& ranks,
                 std::map<int, int> Exposure::*counts) {
  Exposure& exposure = window.site->exposure(endpoint_of_window(window).slot);
  const std::lock_guard guard(exposure.mutex);
  std::map<int, int>& told = exposure.*counts;
  const auto is_there = [&told](int rank) { return has_told(told, rank); };
  if (!std::all_of(ranks.begin(), ranks.end(), is_there)) return false;
  for (const int rank : ranks) --told[rank];
  return true;
}

// Reports which of `ranks` have not posted or completed.
class Untold final : public Awaited {
 public:
  Untold(EndpointWindow& window, const std::vector<int>& ranks,
         std::map<int, int> Exposure::*counts)
      : window_(window), ranks_(ranks), counts_(counts) {}

  std::string missing() override {
    const std::vector<int> missing = untold();
    return missing.empty() ? std::string() : list_of_ranks(missing);
  }
  std::vector<std::string> absent() override { return names_of_ranks(untold()); }

 private:
  std::vector<int> untold() {
    Exposure& exposure = window_.site->exposure(endpoint_of_window(window_).slot);
    const std::lock_guard guard(exposure.mutex);
    std::vector<int> missing;
    for (const int rank : ranks_) {
      if (!has_told(exposure.*counts_, rank)) missing.push_back(rank);
    }
    return missing;
  }

  EndpointWindow& window_;
  const std::vector<int>& ranks_;
  std::map<int, int> Exposure::*counts_;
};

void wait_for_all(EndpointWindow& window, const std::vector<int>& ranks,
                  std::map<int, int> Exposure::*counts, const char* reason) {
  Untold untold(window, ranks, counts);
  const WaitSpec spec{.reason = reason, .awaited = &untold};
  wait_at(window, spec, [&] { return take_counts(window, ranks, counts); });
}

}  // namespace

void start(EndpointWindow& window, std::vector<int> ranks, int assertion) {
  check_assertion(assertion, EP_MODE_NOCHECK, "EP_Win_start");
  check_free(window, "EP_Win_start");
  if ((assertion & EP_MODE_NOCHECK) == 0) {
    wait_for_all(window, ranks, &Exposure::posts, "all targets to post (EP_Win_start)");
  }
  std::sort(ranks.begin(), ranks.end());
  window.started = std::move(ranks);
  window.epoch = Epoch::start;
}

void complete(EndpointWindow& window) {
  if (window.epoch != Epoch::start) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_complete in ", name_of(window.epoch),
         ". Call EP_Win_start first?");
  }
  FirstException first;
  first.guard([&] { complete_everywhere(window, false); });
  window.epoch = Epoch::none;
  for (const int rank : window.started) {
    first.guard([&] { tell(window, rank, WindowMessage::Kind::complete, &Exposure::completes); });
  }
  window.started.clear();
  first.rethrow();
}

void post(EndpointWindow& window, std::vector<int> ranks, int assertion) {
  check_assertion(assertion, EP_MODE_NOCHECK | EP_MODE_NOSTORE | EP_MODE_NOPUT, "EP_Win_post");
  if (window.is_posted) {
    fail(EP_ERR_RMA_SYNC, "EP_Win_post in the exposure of EP_Win_post. Call EP_Win_wait first?");
  }
  if (window.epoch == Epoch::fence) check_free(window, "EP_Win_post");
  full_fence();
  window.posted = std::move(ranks);
  window.is_posted = true;
  if ((assertion & EP_MODE_NOCHECK) != 0) return;  // no EP_Win_start waits for it
  for (const int rank : window.posted) {
    tell(window, rank, WindowMessage::Kind::post, &Exposure::posts);
  }
}

namespace {

void check_posted(const EndpointWindow& window, const char* what) {
  if (window.is_posted) return;
  fail(EP_ERR_RMA_SYNC, what, " without an exposure. Call EP_Win_post first?");
}

void end_exposure(EndpointWindow& window) {
  window.is_posted = false;
  window.posted.clear();
  full_fence();
}

}  // namespace

void wait_exposed(EndpointWindow& window) {
  check_posted(window, "EP_Win_wait");
  wait_for_all(window, window.posted, &Exposure::completes,
               "all origins to complete (EP_Win_wait)");
  end_exposure(window);
}

bool test_exposed(EndpointWindow& window) {
  check_posted(window, "EP_Win_test");
  engine().progress();
  if (!take_counts(window, window.posted, &Exposure::completes)) return false;
  end_exposure(window);
  return true;
}

}  // namespace ep
