/// @file
/// Finds what XML forbids but configurations in daily use contain, with its place, and turns it
/// into a form that a strict parser accepts.
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
    no_character  ///< a reference to a character that XML does not have: an error
  } kind;
  std::size_t offset = 0;
  std::string found{};     ///< for a closing tag: its name; for a reference: its text
  std::string closed{};    ///< for a closing tag: the element that it ends
  std::size_t opened = 0;  ///< for a closing tag: start of the element; for a comment: the inner
  bool is_outer = false;   ///< for a closing tag: an element further out has that name
};

/// A place that may explain why the parser fails.
struct Suspect {
  enum class Kind { quote, opening_tag, comment, bracket, unclosed } kind;
  std::size_t offset = 0;
  std::string tag{};  ///< name in a quote, an opening tag or an unclosed construct
};

class LenientText {
 public:
  /// Makes one pass over the text, in linear time. What it does not understand is left to the
  /// parser.
  explicit LenientText(std::string_view original);

  /// Returns the text with matching closing tags; everything else is unchanged.
  const std::string& text() const { return text_; }
  const std::vector<Leniency>& tolerated() const { return tolerated_; }
  /// Returns quotes that end behind the next tag, tags and comments that do not end, lone brackets,
  /// and the innermost element that is open at the end.
  const std::vector<Suspect>& suspects() const { return suspects_; }
  /// Returns the offset in the original of an offset in text().
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
  std::unordered_map<std::string_view, int> open_names_;  ///< number of open elements of each name
  std::vector<Anchor> anchors_;
  std::vector<Leniency> tolerated_;
  std::vector<Suspect> suspects_;
};

}  // namespace epios::config
