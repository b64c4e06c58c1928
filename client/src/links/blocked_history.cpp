#include "links/blocked_history.hpp"

#include <algorithm>

namespace epios::client {

void BlockedHistory::note(std::int64_t step, double blocked_s) {
  const auto at = static_cast<std::uint64_t>(std::max<std::int64_t>(step, 1) - 1);
  while (at / static_cast<std::uint64_t>(steps_per_column_) >= columns) {
    for (std::size_t c = 0; c < columns; ++c) {
      const bool is_there = 2 * c + 1 < columns;
      const Column a = is_there ? values_[2 * c] : Column();
      const Column b = is_there ? values_[2 * c + 1] : Column();
      values_[c] = {a.blocked_s + b.blocked_s, a.seconds + b.seconds};
    }
    steps_per_column_ *= 2;
  }
  const Clock::time_point now = Clock::now();
  const std::size_t place = at / static_cast<std::uint64_t>(steps_per_column_);
  in_use_ = place + 1;
  Column& column = values_[place];
  column.blocked_s += blocked_s - blocked_before_s_;
  column.seconds += std::chrono::duration<double>(now - before_).count();
  blocked_before_s_ = blocked_s;
  before_ = now;
}

}  // namespace epios::client
