#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace epios::client {

/// A folder of its own for one test, removed at the end; the test runs inside it.
class Scratch {
 public:
  explicit Scratch(const std::string& iodef) : before_(std::filesystem::current_path()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "epios-client.XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::filesystem::current_path(folder_);
    std::ofstream("iodef.xml") << iodef;
  }
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() {
    std::filesystem::current_path(before_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

}  // namespace epios::client
