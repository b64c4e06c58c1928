#include "links/step_waits.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace epios::client {

namespace {

/// Who is waited for is asked so often: it takes memory, which short waits need not.
constexpr double between_words_s = 0.1;

}  // namespace

StepWaits::StepWaits(ServerWaits waits, const ep::Comm& clients, const ep::Comm& component,
                     std::function<void()> check)
    : waits_(std::move(waits)),
      clients_(clients),
      component_(component),
      check_(std::move(check)),
      waiting_(waits_.job.watch()),
      about_(fmt::format(" of {} (do all clients send it at this date?)", waits_.context)) {}

void StepWaits::begin(const std::string& what) {
  since_ = Clock::now();
  told_s_ = 0;
  waiting_.begin(waits_.client, what, about_, {}, waits_.limits);
}

void StepWaits::check(const io::StepRun& waiting) {
  check_();
  const double seconds = std::chrono::duration<double>(Clock::now() - since_).count();
  if (seconds < told_s_ + between_words_s) return;
  told_s_ = seconds;
  const std::vector<int> ranks = waiting.awaited();
  std::vector<int> fellows(ranks.size());
  EP_Group own = EP_GROUP_NULL;
  EP_Group all = EP_GROUP_NULL;
  ep::check(EP_Comm_group(clients_.get(), &own));
  ep::check(EP_Comm_group(component_.get(), &all));
  ep::check(EP_Group_translate_ranks(own, static_cast<int>(ranks.size()), ranks.data(), all,
                                     fellows.data()));
  ep::check(EP_Group_free(&own));
  ep::check(EP_Group_free(&all));
  std::vector<io::Actor> whom;
  whom.reserve(fellows.size());
  for (const int rank : fellows) whom.push_back(waits_.job.fellow_client(rank));
  waiting_.set_whom(std::move(whom));
  waiting_.check();
}

void StepWaits::end() {
  waiting_.end();
  waited_s_ += std::chrono::duration<double>(Clock::now() - since_).count();
}

}  // namespace epios::client
