#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "../scratch_folder.hpp"

namespace epios::client {

/// A folder with an iodef.xml; the test runs inside it.
class Scratch {
 public:
  explicit Scratch(const std::string& iodef)
      : folder_("epios-client"), before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder_.path());
    std::ofstream("iodef.xml") << iodef;
  }
  Scratch(const Scratch&) = delete;
  Scratch(Scratch&&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch() { std::filesystem::current_path(before_); }

 private:
  test::ScratchFolder folder_;
  std::filesystem::path before_;
};

}  // namespace epios::client
