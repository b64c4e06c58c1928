#include "links/stop_agreement.hpp"

#include <fmt/format.h>

#include <utility>

#include "event/stop_signals.hpp"

namespace epios::client {

StopAgreement::StopAgreement(ServerWaits waits, const ep::Comm& clients, const std::string& names,
                             std::function<void()> check)
    : waits_(std::move(waits)), check_(std::move(check)), clients_(clients.dup()) {
  io::catch_stop_signals(names);
}

StopAgreement::~StopAgreement() {
  if (!under_way_) return;
  int done = 0;
  const int code = EP_Test(&under_way_->request, &done, EP_STATUS_IGNORE);
  if (code != EP_SUCCESS || done == 0) static_cast<void>(under_way_.release());
}

int StopAgreement::at_end_of(std::int64_t step, int told) {
  if (signal_ == 0 && under_way_) signal_ = static_cast<int>(take()[0]);
  if (signal_ == 0) {
    begin({told, step, goes_on});
  } else if (last_step_ < 0) {
    begin({signal_, step, goes_on});
    last_step_ = take()[1];
  }
  return step >= last_step_ ? signal_ : 0;
}

/// Whoever went through fewer dates than others takes part until all have come to the end.
void StopAgreement::finish() {
  constexpr std::int64_t no_step = -1;
  constexpr std::int64_t has_ended = 0;
  while (signal_ == 0) {
    if (under_way_) {
      const Word all = take();
      signal_ = static_cast<int>(all[0]);
      if (signal_ == 0 && all[2] == has_ended) return;
    }
    begin({signal_, no_step, has_ended});
    if (signal_ != 0) static_cast<void>(take());  // the others agree on the date
  }
}

void StopAgreement::begin(const Word& own) {
  under_way_ = std::make_unique<Reduction>();
  under_way_->own = own;
  const int here = io::stop_signal();
  if (own[2] == goes_on && here != 0) under_way_->own[0] = here;
  ep::check(EP_Iallreduce(under_way_->own.data(), under_way_->all.data(),
                          static_cast<int>(under_way_->own.size()), MPI_INT64_T, MPI_MAX,
                          clients_.get(), &under_way_->request));
}

bool StopAgreement::is_done() {
  int done = 0;
  ep::check(EP_Test(&under_way_->request, &done, EP_STATUS_IGNORE));
  return done != 0;
}

StopAgreement::Word StopAgreement::take() {
  if (!is_done()) {
    const std::string what =
        fmt::format("the other clients of {} to come to the date before", waits_.context);
    io::Waiting waiting(waits_.job.watch());
    waiting.set(waits_.client, what, {}, waits_.limits);
    ep::wait_until(clients_, {"other clients to come to the date before"}, [&] {
      check_();
      waiting.check();
      return is_done();
    });
  }
  const Word out = under_way_->all;
  under_way_.reset();
  return out;
}

}  // namespace epios::client
