#include "event/patience.hpp"

namespace epios::io {

std::optional<double> Patience::look(const std::string& missing, double now_s) {
  if (missing.empty() || missing != missing_) {
    missing_ = missing;
    since_s_ = now_s;
    next_word_s_ = first_s_;
    waited_s_ = 0;
    return std::nullopt;
  }
  waited_s_ = now_s - since_s_;
  if (waited_s_ < next_word_s_) return std::nullopt;
  next_word_s_ = 2 * waited_s_;
  return waited_s_;
}

}  // namespace epios::io
