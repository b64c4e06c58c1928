/// @file
/// The journal beside a file that a run has left: how many records of each variable are durable.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace epios::io {

/// A journal that was read.
struct Journal {
  std::map<std::string, std::int64_t> records;  ///< durable records by variable
  std::string problem;                          ///< what is wrong; "" if all is well
  std::string suggestion;
};

/// Reads the text that journal_text() made, and finds what is none. Pure.
Journal parse_journal(std::string_view text);

}  // namespace epios::io
