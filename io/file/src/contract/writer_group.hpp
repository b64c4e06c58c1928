/// @file
/// The writers of one file: their common actions, and the first failure of one of them.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <string>
#include <vector>

#include "contract/agreement.hpp"

namespace epios::io {

/// A writer knows its own failure at once; all others know it after the next together(). Functions
/// marked (collective) are called by all writers in one order.
class WriterGroup {
 public:
  /// `writers` may be null (the file has one writer); otherwise it must outlive this.
  explicit WriterGroup(const ep::Comm* writers) : agreement_(writers) {}

  bool is_owner() const { return agreement_.is_owner(); }
  bool is_shared() const { return agreement_.is_shared(); }
  const Agreement& agreement() const { return agreement_; }

  /// Runs `work` unless a failure is known here, then agrees on the outcome: throws on all writers
  /// or on none (collective).
  void together(const std::function<void()>& work);
  /// Notes the first failure of this writer; later ones change nothing.
  void note_failure(const std::string& text);
  /// Throws the failure that this writer knows of.
  void check() const;
  /// Throws the failure that all writers know of.
  void check_agreed() const;

 private:
  Agreement agreement_;
  std::string failure_;  // the first error here, later the one all agreed on
  bool is_agreed_ = false;
};

}  // namespace epios::io
