/// @file
/// Serial NetCDF input, as models read their own.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ocean {

/// An open input file. Errors are std::runtime_error naming the file and variable.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);
  InputFile(const InputFile&) = delete;
  InputFile(InputFile&&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  InputFile& operator=(InputFile&&) = delete;
  ~InputFile();

  /// A whole variable, last dimension fastest; missing values become NaN. `count` is what the
  /// caller expects it to hold.
  std::vector<double> read(const std::string& variable, std::size_t count) const;

 private:
  int find(const std::string& variable) const;
  void check(int status, const std::string& what) const;

  std::filesystem::path path_;
  int id_ = -1;
};

}  // namespace ocean
