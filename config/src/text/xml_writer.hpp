/// @file
/// Writes elements with attributes and text as XML, indented by two columns per level.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

struct WrittenAttribute {
  std::string_view name;
  std::string value;
};
using WrittenAttributes = std::vector<WrittenAttribute>;

/// Returns text that a parser reads back as the same characters, in attributes and in text.
std::string escaped(std::string_view text);

class XmlWriter {
 public:
  void open(std::string_view tag, const WrittenAttributes& attributes = {});
  void close();
  /// Writes an element without children. Without text, it ends at once.
  void element(std::string_view tag, const WrittenAttributes& attributes,
               std::string_view text = {});
  void comment(std::string_view text);
  /// Returns what was written. Everything that was opened must be closed.
  const std::string& text() const { return text_; }

 private:
  void begin(std::string_view tag, const WrittenAttributes& attributes);

  std::string text_;
  std::vector<std::string> open_;
};

}  // namespace epios::config
