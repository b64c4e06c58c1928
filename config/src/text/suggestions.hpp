/// @file
/// The word that somebody may have meant who wrote another one.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/text.hpp"

namespace epios::config {

/// Finds words that are near to wrong ones. After many comparisons it finds no more, so that a
/// configuration full of mistakes is checked in linear time, too.
class Suggestions {
 public:
  /// Returns the nearest of `candidates()`, which `set` names and which is called once, or "".
  /// Never returns `except`, the id of what refers to `word`.
  template <class Candidates>
  std::string nearest(std::string_view set, std::string_view word, const Candidates& candidates,
                      std::string_view except = {}) {
    const auto [known, is_new] = vocabularies_.try_emplace(std::string(set));
    if (is_new) known->second = Vocabulary(candidates());
    std::string best = nearest_in(set, known->second, word, {});
    if (!best.empty() && best == except) best = nearest_in(set, known->second, word, except);
    return best;
  }
  /// Returns "Did you mean ...?" with that word.
  template <class Candidates>
  std::string text(std::string_view set, std::string_view word, const Candidates& candidates,
                   std::string_view except = {}) {
    const std::string best = nearest(set, word, candidates, except);
    return best.empty() ? best : "Did you mean '" + best + "'?";
  }

  /// Returns true if a missing suggestion means that nothing is near.
  bool are_complete() const { return comparisons_ < most_comparisons; }

 private:
  static constexpr std::size_t most_comparisons = 2'000'000;

  /// Words that outlive their source.
  class Vocabulary {
   public:
    Vocabulary() = default;
    explicit Vocabulary(const std::vector<std::string_view>& words)
        : words_(words.begin(), words.end()), views_(words_.begin(), words_.end()) {}
    // A copy would point into the original.
    Vocabulary(const Vocabulary&) = delete;
    Vocabulary& operator=(const Vocabulary&) = delete;
    Vocabulary(Vocabulary&&) noexcept = default;
    Vocabulary& operator=(Vocabulary&&) noexcept = default;
    ~Vocabulary() = default;

    const std::vector<std::string_view>& words() const { return views_; }

   private:
    std::vector<std::string> words_;
    std::vector<std::string_view> views_;
  };

  /// Returns the nearest word of a set, or "".
  std::string nearest_in(std::string_view set, const Vocabulary& vocabulary, std::string_view word,
                         std::string_view except) {
    std::string key(set);
    for (const std::string_view part : {word, except}) (key += '\n') += part;
    if (const auto known = nearest_.find(key); known != nearest_.end()) return known->second;
    if (!are_complete()) return {};
    comparisons_ += vocabulary.words().size();
    return nearest_[std::move(key)] = closest(word, vocabulary.words(), except);
  }

  std::size_t comparisons_ = 0;
  std::unordered_map<std::string, Vocabulary> vocabularies_;  ///< by the names of their sets
  std::unordered_map<std::string, std::string> nearest_;
};

}  // namespace epios::config
