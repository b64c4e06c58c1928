/// @file
/// What tests of files need: a folder of their own, the independent reader, small specs.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "../scratch_folder.hpp"
#include "config/error.hpp"
#include "file/output_file.hpp"

namespace epios::io::test {

/// A folder that disappears with the object.
class Scratch {
 public:
  std::string file(const std::string& name) const { return path() + "/" + name; }
  const std::string& path() const { return folder_.path(); }

 private:
  epios::test::ScratchFolder folder_{"epios-file"};
};

struct CommandResult {
  int status = -1;
  std::string output;
};

inline CommandResult run(const std::string& command) {
  CommandResult out;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return out;
  std::array<char, 4096> buffer = {};
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    out.output.append(buffer.data(), count);
  }
  const int status = ::pclose(pipe);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return out;
}

/// What the distribution's reader says of a file, from "netcdf" on.
inline std::string ncdump(const std::string& options, const std::string& path) {
  const CommandResult result = run("ncdump -n f " + options + " '" + path + "'");
  EXPECT_EQ(result.status, 0) << result.output;
  return result.output;
}

inline std::string read_text(const std::string& path) {
  const std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

/// Values as bytes.
template <class T>
std::span<const std::byte> bytes(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

/// Dimensions time (records), y, x; variables time(time) and tos(time, y, x) of `kind`.
inline FileSpec small_spec(const std::string& path, std::int64_t ny, std::int64_t nx,
                           Extents chunk = {}) {
  FileSpec spec;
  spec.path = path;
  spec.dimensions = {{"time", 0}, {"y", ny}, {"x", nx}};
  VariableSpec time;
  time.name = "time";
  time.kind = ValueKind::float64;
  time.dimensions = {0};
  VariableSpec tos;
  tos.name = "tos";
  tos.kind = ValueKind::float32;
  tos.dimensions = {0, 1, 2};
  tos.chunk = std::move(chunk);
  spec.variables = {time, tos};
  return spec;
}

/// record * 100, then one more per point.
inline std::vector<float> ramp(std::int64_t record, std::int64_t count) {
  std::vector<float> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), static_cast<float>(100 * record));
  return out;
}

/// Both variables of small_spec.
inline void write_record(OutputFile& file, std::int64_t record, std::int64_t ny, std::int64_t nx) {
  const std::vector<double> time = {static_cast<double>(record) + 0.5};
  file.write({0, record, {}, bytes(time)});
  file.write({1, record, whole({ny, nx}), bytes(ramp(record, ny * nx))});
}

/// Text of the io error that `call` throws, "" when it throws none.
template <class Call>
std::string io_error(Call call) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::io) << e.what();
    return e.what();
  }
  return {};
}

}  // namespace epios::io::test
