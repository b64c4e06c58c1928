#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <system_error>

#include "commands/commands.hpp"
#include "config/error.hpp"
#include "config/run_report.hpp"

namespace epios::config {

namespace {

/// No run writes so much: a device has no end.
constexpr std::size_t most_bytes = 1'000'000'000;

std::string text_of(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             std::fclose);
  std::string text;
  std::array<char, 4096> buffer{};
  while (file) {
    const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), file.get());
    text.append(buffer.data(), got);
    if (got < buffer.size()) break;
    if (text.size() > most_bytes) {
      throw Error(ErrorCode::argument, fmt::format("'{}' is no report of a run (it has more than "
                                                   "{} bytes). Name the file that the run wrote?",
                                                   path, most_bytes));
    }
  }
  if (file && std::ferror(file.get()) == 0) return text;
  throw Error(ErrorCode::io,
              fmt::format("report '{}' cannot be read ({}). Is it where the run wrote it?", path,
                          std::strerror(errno)));
}

RunReport read_file(const std::string& path) {
  const std::string text = text_of(path);
  try {
    return read_run_report(text);
  } catch (const Error& error) {
    throw error.within(fmt::format("'{}'", path));
  }
}

}  // namespace

int run_report(const ReportOptions& options) {
  if (!options.second.empty() && !options.html.empty()) {
    throw Error(ErrorCode::argument,
                "--html draws one report (two are compared as text). Leave out one of the two?");
  }
  const RunReport report = read_file(options.file);
  if (!options.second.empty()) {
    fmt::print("{}", report_comparison(report, read_file(options.second)));
    return 0;
  }
  if (options.html.empty()) {
    fmt::print("{}", report_table(report));
    return 0;
  }
  std::error_code unknown;
  if (std::filesystem::equivalent(options.file, options.html, unknown) && !unknown) {
    throw Error(ErrorCode::argument,
                fmt::format("'{}' is the report itself (the page would be written over it). Name "
                            "another file for --html?",
                            options.html));
  }
  std::ofstream stream(options.html, std::ios::binary);
  stream << report_page(report);
  stream.close();
  if (!stream) {
    throw Error(ErrorCode::io,
                fmt::format("'{}' cannot be written ({}).", options.html, std::strerror(errno)));
  }
  return 0;
}

}  // namespace epios::config
