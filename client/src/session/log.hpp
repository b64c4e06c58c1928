#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace epios::client {

// What the client says to whoever runs the model: lines on stderr, in the words that the model
// knows (xios_words). Nothing else of the client writes there. Each line begins with "epios: " and
// its severity; its text begins with the place: the context, the component or the file. Any thread.

/// Something that the model asked for cannot be done.
void log_error(std::string_view text);
/// Something that may be a mistake of the model or of its configuration.
void log_warning(std::string_view text);
/// Something that need not be a mistake.
void log_note(std::string_view text);
/// Lines that are complete as they are: the report of a run.
void log_lines(std::string_view lines);

/// Remembers which lines have been said: contexts of one id come and go. Any thread.
class OnceLog {
 public:
  /// Says those complete lines ("epios: warning: ...") that were not said before.
  void say(const std::vector<std::string>& lines);

 private:
  std::mutex mutex_;
  std::set<std::string, std::less<>> said_;
};

}  // namespace epios::client
