/// @file
/// The origin of a value that is in no file of the configuration.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace epios::config {

/// A call of the API, an option of the command, or a file that was read. Its text is composed on
/// demand, because models set hundreds of thousands of values, and few of them are wrong.
class Call {
 public:
  /// No call: the value is written in a file of the configuration.
  Call() = default;
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions): a text is a call
  Call(std::string_view text)
      : text_(text.empty() ? nullptr : std::make_shared<const std::string>(text)) {}
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
  Call(const std::string& text) : Call(std::string_view(text)) {}
  // NOLINTNEXTLINE(google-explicit-constructor,hicpp-explicit-conversions)
  Call(const char* text) : Call(std::string_view(text)) {}
  /// "function(element, 'attribute')". `function` and `attribute` are not copied.
  Call(const char* function, std::shared_ptr<const std::string> element, std::string_view attribute)
      : text_(std::move(element)), function_(function), attribute_(attribute) {}

  /// Adds the name of an attribute that stays valid.
  Call of(std::string_view attribute) && {
    attribute_ = attribute;
    return std::move(*this);
  }

  bool is_empty() const { return text_ == nullptr; }
  /// Returns true if a file that was read gave the value.
  bool is_file() const {
    return function_ == nullptr && text_ != nullptr && text_->starts_with("file '");
  }
  /// Returns true if another context of the job gave the value.
  bool is_partner() const {
    return function_ == nullptr && text_ != nullptr && text_->starts_with("context '");
  }
  /// Returns "epios_set_int(...)", "--start", or "file 'x.nc' (variable 'sst')".
  std::string text() const {
    if (text_ == nullptr || function_ == nullptr) return text_ == nullptr ? "" : *text_;
    std::string out(function_);
    return out.append("(").append(*text_).append(", '").append(attribute_).append("')");
  }
  /// Returns the call as text for a reader: "API call epios_set_int(...)", "option --start".
  std::string place() const {
    std::string call = text();
    if (is_file() || is_partner()) return call;
    return std::string(call.starts_with("--") ? "option " : "API call ").append(call);
  }

 private:
  std::shared_ptr<const std::string> text_;  ///< text of the element if there is a function
  const char* function_ = nullptr;
  std::string_view attribute_;
};

}  // namespace epios::config
