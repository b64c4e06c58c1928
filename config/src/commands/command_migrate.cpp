#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "config/check.hpp"
#include "language/first_edition.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

namespace fs = std::filesystem;

/// Where a file of the set goes: beside the others as it was, below the folder.
fs::path place_of(const std::string& path, const fs::path& base, const fs::path& folder) {
  const fs::path relative = fs::path(path).lexically_relative(base).lexically_normal();
  const bool is_inside = !relative.empty() && *relative.begin() != "..";
  if (is_inside) return folder / relative;
  throw Error(ErrorCode::argument,
              fmt::format("file '{}' of the set lies outside of folder '{}' (it could not stand "
                          "beside the others). Copy it there, and name it so in src=\"...\"?",
                          path, base.string()));
}

/// One file of the new set. It gets its name when all of them are written.
struct NewFile {
  fs::path path;
  std::string text;
  fs::path written() const { return path.string() + ".partial"; }
};

/// A file that several elements name by src="..." is one.
std::vector<NewFile> new_set(const SourceTexts& migrated, const fs::path& base,
                             const fs::path& folder) {
  std::vector<NewFile> set;
  for (const SourceText& source : migrated) {
    NewFile file{place_of(source.path, base, folder), source.text};
    const bool is_known =
        std::any_of(set.begin(), set.end(), [&](const NewFile& f) { return f.path == file.path; });
    if (!is_known) set.push_back(std::move(file));
  }
  return set;
}

void write(const NewFile& file) {
  std::error_code error;
  if (file.path.has_parent_path()) fs::create_directories(file.path.parent_path(), error);
  std::ofstream out(file.written(), std::ios::binary);
  out << file.text;
  out.close();
  if (out) return;
  throw Error(ErrorCode::io, fmt::format("file '{}' cannot be written (nothing of the set is "
                                         "there). Is its folder writable, with room?",
                                         file.path.string()));
}

void check_free(const NewFile& file) {
  std::error_code ignored;
  if (fs::symlink_status(file.path, ignored).type() == fs::file_type::not_found) return;
  throw Error(ErrorCode::io, fmt::format("file '{}' is there already (nothing is overwritten). "
                                         "Is another folder meant?",
                                         file.path.string()));
}

/// All files of a set or none.
void write(const std::vector<NewFile>& set) {
  for (const NewFile& file : set) check_free(file);
  std::vector<fs::path> made;
  try {
    for (const NewFile& file : set) {
      made.push_back(file.written());
      write(file);
    }
    for (std::size_t i = 0; i < set.size(); ++i) {
      fs::rename(made[i], set[i].path);
      made[i] = set[i].path;
    }
  } catch (...) {
    std::error_code ignored;
    for (const fs::path& path : made) fs::remove(path, ignored);
    throw;
  }
}

/// Prints what readers of the new text do not understand in it.
void print_leftovers(const SourceTexts& migrated) {
  for (const Diagnostic& finding : check(migrated)) {
    const bool is_word = finding.code == Code::unknown_attribute ||
                         finding.code == Code::unknown_element || finding.code == Code::bad_value;
    if (!is_word || finding.severity == Severity::note) continue;
    fmt::print("{}: left as it stands: {}{}\n", finding.where, finding.problem,
               finding.why.empty() ? "" : fmt::format(" ({})", finding.why));
  }
}

}  // namespace

int run_migrate(const MigrateOptions& options) {
  Input input;
  input.file = options.file;
  const ReadInput read = config::read(input);
  const fs::path base = fs::path(read.sources.front().path).parent_path();
  SourceTexts migrated;
  std::size_t done = 0;
  std::size_t left = 0;
  for (const SourceText& source : read.sources) {
    Migrated file = migrate(source.text);
    for (const MigrationRemark& remark : file.remarks) {
      fmt::print("{}:{}:{}: {}\n", printable(source.path), remark.line, remark.column,
                 printable(remark.text));
      ++(remark.is_done ? done : left);
    }
    migrated.push_back({source.path, std::move(file.text)});
  }
  print_leftovers(migrated);
  const std::string counts = fmt::format("{} translated, {} left", done, left);
  if (options.output.empty()) {
    fmt::print("{}: {}; nothing is written (-o FOLDER writes the set)\n", printable(options.file),
               counts);
    return left > 0 ? 1 : 0;
  }
  const fs::path folder(options.output);
  const std::vector<NewFile> set = new_set(migrated, base, folder);
  write(set);
  fmt::print("{}: {}; {} of the new set in {}\n", printable(options.file), counts,
             set.size() == 1 ? std::string("1 file") : fmt::format("{} files", set.size()),
             printable(folder.string()));
  return left > 0 ? 1 : 0;
}

}  // namespace epios::config
