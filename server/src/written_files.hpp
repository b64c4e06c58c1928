#pragma once

#include <map>
#include <string>

namespace epios::server {

/// Files that contexts of this job have finished, as far as a server knows: whole ones of all
/// contexts that are closed, and what it has written itself. Those that are being written are
/// locked. Only the server's thread calls.
class WrittenFiles {
 public:
  /// `writer`: in words.
  void note(const std::string& path, const std::string& writer);
  /// Who has written a file; null: nobody has.
  const std::string* writer_of(const std::string& path) const;

 private:
  std::map<std::string, std::string> writers_;  // by path
};

}  // namespace epios::server
