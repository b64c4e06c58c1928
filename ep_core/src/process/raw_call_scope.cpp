#include "process/raw_call_scope.hpp"

namespace ep {

namespace {

int& calls_of_ours() {
  thread_local int depth = 0;
  return depth;
}

}  // namespace

RawCallScope::RawCallScope() noexcept { ++calls_of_ours(); }
RawCallScope::~RawCallScope() { --calls_of_ours(); }

bool RawCallScope::is_open() noexcept { return calls_of_ours() > 0; }

}  // namespace ep
