#include "files/written_files.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace epios::server {
namespace {

/// Two ways to write one path are one file, from the working directory or from the root.
std::string plain(const std::string& path) {
  std::error_code ignored;  // without a working directory nothing is written from there
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  return (ignored ? std::filesystem::path(path) : whole).lexically_normal().string();
}

}  // namespace

void WrittenFiles::note(const std::string& path, Writer writer) {
  writers_.insert_or_assign(plain(path), std::move(writer));
}

const WrittenFiles::Writer* WrittenFiles::writer_of(const std::string& path) const {
  const auto found = writers_.find(plain(path));
  return found == writers_.end() ? nullptr : &found->second;
}

}  // namespace epios::server
