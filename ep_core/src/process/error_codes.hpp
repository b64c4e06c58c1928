#pragma once

#include <mutex>
#include <string>
#include <vector>

namespace ep {

/// Holds the error classes and codes of a process beyond MPI's: EP_ERR_ENDPOINTS and those that
/// programs add. Any thread.
class ErrorCodes {
 public:
  int add_class();
  int add_code(int error_class);
  void set_text(int code, const std::string& text);

  /// Returns the class or the text of a code. Both throw EP_ERR_ARG for an unknown code.
  int class_of(int code) const;
  std::string text_of(int code) const;
  /// Returns the value of EP_LASTUSEDCODE.
  int last_used() const;

 private:
  struct Added {
    int error_class;
    std::string text;
  };

  bool is_added(int code) const;
  int add(int error_class);

  mutable std::mutex mutex_;
  std::vector<Added> added_;  // code EP_ERR_LASTCODE + 1 + index
};

}  // namespace ep
