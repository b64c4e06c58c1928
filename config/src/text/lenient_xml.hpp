/// @file
/// What XML forbids but configurations in daily use contain: found with its place, and brought into
/// a form that a strict parser takes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace epios::config {

/// One thing that was tolerated, at an offset into the original text.
struct Leniency {
  enum class Kind {
    dashes_in_comment,
    comment_in_comment,
    late_declaration,
    other_closing_tag,
    bracket_in_value,
    unknown_reference,
    no_character  ///< a reference to a character that XML has not: an error
  } kind;
  std::size_t offset = 0;
  std::string found{};     ///< of a closing tag: its name; of a reference: its text
  std::string closed{};    ///< of a closing tag: the element that it ends
  std::size_t opened = 0;  ///< for a closing tag: start of the element; for a comment: the inner
  bool is_outer = false;   ///< of a closing tag: an element further out has that name
};

/// Where XML stops to make sense, for when the parser finds that it does not.
struct Suspect {
  enum class Kind { quote, opening_tag, comment, bracket, unclosed } kind;
  std::size_t offset = 0;
  std::string tag{};  ///< name in a quote, an opening tag or an unclosed construct
};

class LenientText {
 public:
  /// One pass; what it does not understand it leaves to the parser. Linear in the text.
  explicit LenientText(std::string_view original);

  /// The text with closing tags that fit. The rest is as it was.
  const std::string& text() const { return text_; }
  const std::vector<Leniency>& tolerated() const { return tolerated_; }
  /// Quotes that end behind the next tag, tags and comments that do not end, lone brackets, and
  /// the innermost element that is open at the end.
  const std::vector<Suspect>& suspects() const { return suspects_; }
  /// Offset in the original of an offset in text().
  std::size_t original(std::size_t offset) const;

 private:
  struct Open {
    std::string_view name;
    std::size_t offset = 0;
  };
  /// The latest copied text ends at `original` there and at `adjusted` here.
  struct Anchor {
    std::size_t adjusted = 0;
    std::size_t original = 0;
  };

  bool take(std::size_t& at);
  bool take_comment(std::size_t& at);
  bool take_instruction(std::size_t& at);
  bool take_closing_tag(std::size_t& at);
  bool take_opening_tag(std::size_t& at);
  /// Looks at the references ("&lt;", "&#65;") in a part of the original.
  void look_at_references(std::size_t begin, std::size_t end);

  std::string_view original_;
  std::string text_;
  std::size_t copied_ = 0;
  std::vector<Open> open_;
  std::unordered_map<std::string_view, int> open_names_;  ///< how many of each are open
  std::vector<Anchor> anchors_;
  std::vector<Leniency> tolerated_;
  std::vector<Suspect> suspects_;
};

}  // namespace epios::config
