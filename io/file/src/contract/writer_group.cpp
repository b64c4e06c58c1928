#include "contract/writer_group.hpp"

#include <exception>
#include <utility>

#include "config/error.hpp"
#include "config/failure_text.hpp"

namespace epios::io {

void WriterGroup::together(const std::function<void()>& work) {
  if (failure_.empty()) {
    try {
      work();
    } catch (const std::exception& e) {
      failure_ = failure_text(e);
    }
  }
  std::string agreed = agreement_.first_error(failure_);
  if (agreed.empty()) return;
  failure_ = std::move(agreed);
  is_agreed_ = true;
  throw Error(ErrorCode::io, failure_);
}

void WriterGroup::note_failure(const std::string& text) {
  if (failure_.empty()) failure_ = text;
}

void WriterGroup::check() const {
  if (!failure_.empty()) throw Error(ErrorCode::io, failure_);
}

void WriterGroup::check_agreed() const {
  if (is_agreed_) check();
}

}  // namespace epios::io
