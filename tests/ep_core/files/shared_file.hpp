#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

namespace ep::test {

/// The name of a file in a folder of its own that all endpoints of a communicator know. Made and
/// removed together.
class SharedFile {
 public:
  explicit SharedFile(const Comm& comm) : comm_(comm) {
    std::array<char, 256> folder{};
    if (comm.rank() == 0) {
      const std::string wanted = std::filesystem::temp_directory_path() / "ep_file_XXXXXX";
      wanted.copy(folder.data(), folder.size() - 1);
      if (mkdtemp(folder.data()) == nullptr) ADD_FAILURE() << "no folder " << wanted;
    }
    check(EP_Bcast(folder.data(), static_cast<int>(folder.size()), MPI_CHAR, 0, comm.get()));
    folder_ = folder.data();
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile(SharedFile&&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  SharedFile& operator=(SharedFile&&) = delete;
  ~SharedFile() {
    EP_Barrier(comm_.get());
    if (comm_.rank() == 0) std::filesystem::remove_all(folder_);
  }

  const std::string& folder() const { return folder_; }
  std::string name() const { return folder_ + "/data"; }
  bool exists() const { return std::filesystem::exists(name()); }
  /// Everything in the folder.
  int entries() const {
    const auto all = std::filesystem::directory_iterator(folder_);
    return static_cast<int>(std::distance(begin(all), end(all)));
  }
  /// By other means than the library's.
  std::vector<unsigned char> bytes() const {
    std::ifstream in(name(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }

  /// Collective.
  EP_File open(int amode = EP_MODE_RDWR | EP_MODE_CREATE) const {
    EP_File file = EP_FILE_NULL;
    check(EP_File_open(comm_.get(), name().c_str(), amode, MPI_INFO_NULL, &file));
    return file;
  }
  void barrier() const { check(EP_Barrier(comm_.get())); }

 private:
  const Comm& comm_;
  std::string folder_;
};

/// Whether the last error of this thread names all of that.
inline bool last_error_says(std::initializer_list<const char*> words) {
  const std::string text = EP_Last_error();
  for (const char* word : words) {
    if (text.find(word) != std::string::npos) continue;
    ADD_FAILURE() << "'" << word << "' is not in: " << text;
    return false;
  }
  return true;
}

inline int count_of(const EP_Status& status, MPI_Datatype type) {
  int count = -1;
  check(EP_Get_count(&status, type, &count));
  return count;
}

/// first, first + 1 ...
inline std::vector<int> numbers(int first, int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

inline std::vector<int> ints_of(const SharedFile& shared) {
  const std::vector<unsigned char> bytes = shared.bytes();
  std::vector<int> all(bytes.size() / sizeof(int));
  std::memcpy(all.data(), bytes.data(), all.size() * sizeof(int));
  return all;
}

}  // namespace ep::test
