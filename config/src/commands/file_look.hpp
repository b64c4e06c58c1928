/// @file
/// Files that a configuration reads, as far as they exist.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/file_facts.hpp"

namespace epios::config {

/// Looks at them where the command runs, by `epios-files`, a process for each: whatever a damaged
/// file does to it is told. What is asked again is not looked at again.
class FileLooks {
 public:
  /// Files that cannot be looked at since the program cannot be started are left out, with a word
  /// on standard error.
  std::vector<FileFacts> operator()(const std::vector<FileQuestion>& questions);

 private:
  struct Seen {
    FileQuestion question;
    FileFacts facts;
  };
  std::map<std::string, Seen> seen_;  // by path
};

}  // namespace epios::config
