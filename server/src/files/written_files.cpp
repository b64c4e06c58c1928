#include "files/written_files.hpp"

#include <filesystem>
#include <utility>

namespace epios::server {
namespace {

/// Two ways to write one path are one file.
std::string plain(const std::string& path) {
  return std::filesystem::path(path).lexically_normal().string();
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
