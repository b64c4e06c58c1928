/// @file
/// Looks at files that a configuration reads, if they exist.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/file_facts.hpp"

namespace epios::config {

/// Looks at files on this machine through `epios-files`, with one process per file, so that a
/// damaged file can only end that process. Answers are kept.
class FileLooks {
 public:
  /// Returns the facts. If the program cannot be started, files are left out, with a message on
  /// standard error.
  std::vector<FileFacts> operator()(const std::vector<FileQuestion>& questions);

 private:
  struct Seen {
    FileQuestion question;
    FileFacts facts;
  };
  std::map<std::string, Seen> seen_;  // by path
};

}  // namespace epios::config
