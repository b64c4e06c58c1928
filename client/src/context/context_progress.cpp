#include "context/context_progress.hpp"

namespace epios::client {
namespace {

/// A look for reports takes a microsecond, as long as a small field: fields that follow each other
/// closely share one.
constexpr std::chrono::microseconds polls_apart{20};

}  // namespace

void ContextProgress::poll() {
  client_.control().poll();
  client_.progress_couplings();
  account_.throw_if_failed();
}

void ContextProgress::poll_now_and_then(Clock::time_point now) {
  // Channels in memory need nobody to move them: then once a step is enough.
  if (!link_->needs_progress() || now - polled_ < polls_apart) return account_.throw_if_failed();
  poll();
  polled_ = now;
}

void ContextProgress::poll_for_partners() {
  client_.control().poll();
  client_.progress_couplings();
  client_.answer_handshakes();
  if (link_ != nullptr) link_->progress();
}

void ContextProgress::poll_for_steps() {
  poll();
  link_->progress();
}

}  // namespace epios::client
