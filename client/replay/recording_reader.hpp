#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "recording/recorded_call.hpp"

namespace epios::replay {

/// Reads the file of one client of a recording from its begin to its end, a call at a time.
class RecordingReader {
 public:
  /// Throws Error{io} if there is no such file, and Error{protocol} for what is no recording of
  /// this version.
  explicit RecordingReader(const std::string& path);

  const client::RecordingHeader& header() const { return header_; }
  /// Returns the next call, or nullopt at the end. Throws Error{protocol} for damaged bytes.
  std::optional<client::RecordedCall> next();
  /// Returns the kind of the next call without reading it.
  std::optional<client::RecordedKind> peek_kind();
  /// True if the file ends inside a call.
  bool is_cut() const { return is_cut_; }

 private:
  struct Cut {};

  void read_header();
  [[noreturn]] void refuse(const std::string& problem) const;
  void read(void* out, std::size_t bytes);
  std::uint64_t read_varint();
  std::size_t read_length();
  client::RecordedCall read_call();
  void check(const client::RecordedCall& call) const;

  std::string path_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
  client::RecordingHeader header_;
  bool is_cut_ = false;
};

/// Returns the components of which a folder has recordings, by their files of client 0. Throws
/// Error{io} if there are none.
std::vector<std::string> recorded_components(const std::string& folder);

}  // namespace epios::replay
