#include "links/slowest_step.hpp"

#include <utility>

namespace epios::client {
namespace {

constexpr std::size_t most_spans = 64;

}  // namespace

SlowestStep::SlowestStep() {
  now_.spans.reserve(most_spans);
  slowest_.spans.reserve(most_spans);
}

void SlowestStep::note(const Span& span, double own_s) {
  now_.seconds += own_s;
  if (now_.spans.size() < most_spans) {
    now_.spans.push_back(span);
  } else {
    ++now_.more;
  }
}

void SlowestStep::end(std::int64_t step) {
  now_.step = step;
  if (now_.seconds > slowest_.seconds) std::swap(now_, slowest_);
  now_.spans.clear();
  now_.more = 0;
  now_.seconds = 0;
}

}  // namespace epios::client
