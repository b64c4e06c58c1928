#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace epios::client {

/// Returns what ncdump prints of a file.
inline std::string dumped(const std::string& file) {
  std::string out;
  FILE* const pipe = ::popen(("ncdump " + file).c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> chunk{};
  while (std::fgets(chunk.data(), static_cast<int>(chunk.size()), pipe) != nullptr) {
    out += chunk.data();
  }
  ::pclose(pipe);
  return out;
}

}  // namespace epios::client
