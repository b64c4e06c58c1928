#pragma once

#include <map>
#include <string>

namespace epios::server {

/// Files that contexts of this job have finished, as far as a server knows: whole ones of all
/// contexts that are closed, and what it has written itself. Those that are being written are
/// locked. Only the server's thread calls.
class WrittenFiles {
 public:
  struct Writer {
    std::string title;  ///< "file 'daily' of context 'ocean'"
    std::string component;
  };
  void note(const std::string& path, Writer writer);
  /// Returns who has written a file; null: nobody has.
  const Writer* writer_of(const std::string& path) const;

 private:
  std::map<std::string, Writer> writers_;  // by path
};

}  // namespace epios::server
