/// @file
/// One XML text as a tree with positions. The only place that knows the XML parser.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "config/xml_element.hpp"
#include "text/findings.hpp"

namespace epios::config {

inline constexpr std::size_t largest_file_bytes = std::size_t{16} << 20;
/// Limit for a whole configuration; a file counts each time it is included.
inline constexpr std::size_t largest_total_bytes = std::size_t{256} << 20;
inline constexpr int largest_depth = 64;
inline constexpr int largest_include_depth = 16;
/// Largest number of different files of a configuration.
inline constexpr std::size_t largest_file_count = 2'000;
/// Largest number of elements of a whole configuration, includes expanded.
inline constexpr std::size_t largest_element_count = 1'000'000;

/// Parses one text without following includes. Returns false, with the reasons in `findings`, if it
/// is not well formed.
bool parse_xml(const SourceText& source, XmlElement& root, Findings& findings);

/// Returns the path of an included file as messages show it and as sources are found: relative to
/// the folder of the including file (XIOS 2: to the working directory), unless absolute.
std::string included_path(const std::string& including, const std::string& src, Compat compat);

/// Parses none, xios2 or xios3. Returns nothing for another word.
std::optional<Compat> compat_named(std::string_view word);

/// Returns the policy in the attributes of the root element. Text that does not parse is left to
/// the loader.
Policy policy_of(const XmlElement& root);

}  // namespace epios::config
