// Files that are read, cut and damaged at random bytes: right values or an error that names the
// file, and where HDF5 dies or goes round for ever an end that names it. EPIOS_DAMAGES=<n> damages
// each kind of file n times, from EPIOS_SEED on.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <random>
#include <utility>

#include "config/error.hpp"
#include "disk/breakdown_watch.hpp"
#include "file/file_facts.hpp"
#include "file/source_file.hpp"
#include "grid/box.hpp"
#include "scratch.hpp"

namespace epios::io::source_damage_test {
namespace {

using test::run;
using test::Scratch;

constexpr std::int64_t records = 3, rows = 30, columns = 40;

double value_at(std::int64_t record, std::int64_t point) {
  return static_cast<double>(record * 10000 + point) + 0.5;
}

/// `storage`: special attributes of the variable, as ncgen takes them.
std::string description(const std::string& storage) {
  std::string text =
      "netcdf f {\ndimensions:\n time = UNLIMITED ;\n y = 30 ;\n x = 40 ;\nvariables:\n"
      " double lat(y) ;\n  lat:units = \"degrees_north\" ;\n double sst(time, y, x) ;\n" +
      storage + "data:\n lat = ";
  for (std::int64_t j = 0; j < rows; ++j)
    text += std::to_string(j) + (j + 1 < rows ? ", " : " ;\n");
  text += " sst = ";
  for (std::int64_t r = 0; r < records; ++r) {
    for (std::int64_t p = 0; p < rows * columns; ++p) {
      const bool is_last = r + 1 == records && p + 1 == rows * columns;
      text += std::to_string(value_at(r, p)) + (is_last ? " ;\n}\n" : ", ");
    }
  }
  return text;
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

enum Outcome {
  right_values = 0,
  other_values = 1,
  named_error = 2,
  other_error = 3,
  named_end = BreakdownWatch::exit_status,  ///< of the process, by HDF5
};

/// Reads all of the file; what a run does with it.
Outcome read_all(const std::string& path) {
  try {
    const config::FileFacts facts = file_facts({path, {"sst"}});
    if (!facts.error.empty() && facts.path != path) return other_error;
    const SourceFile file(path, "time");
    const auto sst = file.find("sst", {rows, columns}, {}, {});
    std::vector<double> values(static_cast<std::size_t>(rows * columns));
    bool is_right = sst.records == records;
    for (std::int64_t r = 0; r < std::min(records, sst.records); ++r) {
      file.read(sst, r, whole({rows, columns}), {}, values);
      for (std::size_t p = 0; p < values.size(); ++p) {
        is_right = is_right && values[p] == value_at(r, static_cast<std::int64_t>(p));
      }
    }
    return is_right ? right_values : other_values;
  } catch (const Error& error) {
    const std::string text = error.what();
    const bool is_named = text.find(path) != std::string::npos && error.code() == ErrorCode::io;
    return is_named ? named_error : other_error;
  } catch (const std::exception&) {
    return other_error;
  }
}

/// In a process of its own, which may die of it and writes to a file. -1: it did, or took too long.
int outcome(const std::function<int()>& action, const std::string& said = "/dev/null") {
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen(said.c_str(), "w", stderr) == nullptr) _exit(other_error);
    // Longer than what HDF5 goes round in may take of the processor, on one that others use, too.
    alarm(300);
    ::signal(SIGALRM, SIG_DFL);
    _exit(action());
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    return WIFSIGNALED(status) ? -WTERMSIG(status) : -1;
  }
  return WEXITSTATUS(status);
}

int number_of(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

class Damage : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Damage, gives_right_values_or_an_error) {
  const Scratch scratch;
  const std::string kind = GetParam().first;
  const std::string storage = GetParam().second;
  write(scratch.file("f.cdl"), description(storage));
  const auto made = run("ncgen -k " + kind.substr(0, kind.find(' ')) + " -o " +
                        scratch.file("f.nc") + " " + scratch.file("f.cdl"));
  ASSERT_EQ(made.status, 0) << made.output;
  const std::string whole_file = bytes_of(scratch.file("f.nc"));
  const std::string path = scratch.file("d.nc");
  write(path, whole_file);
  ASSERT_EQ(outcome([&] { return read_all(path); }), right_values);
  const int first = number_of("EPIOS_SEED", 1);
  const int count = number_of("EPIOS_DAMAGES", 60);
  int errors = 0;
  for (int seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::string bytes = whole_file;
    // The structure of a file is mostly where it begins.
    const std::size_t reach =
        random() % 2 == 0 ? bytes.size() : std::min<std::size_t>(bytes.size(), 4000);
    const std::size_t at = random() % reach;
    const bool is_cut = random() % 3 == 0;
    if (is_cut) {
      bytes.resize(at);
    } else {
      const std::size_t most = random() % 2 == 0 ? 1 : 64;
      for (std::size_t k = at; k < std::min(bytes.size(), at + most); ++k) {
        bytes[k] = static_cast<char>(random());
      }
    }
    write(path, bytes);
    const std::string said = scratch.file("said.txt");
    const int found = outcome([&] { return read_all(path); }, said);
    const std::string what = kind + storage + ", seed " + std::to_string(seed) +
                             (is_cut ? ": cut at " : ": damaged at ") + std::to_string(at) +
                             " of " + std::to_string(whole_file.size());
    // HDF5 1.10 itself dies of some damages to its structure, which the usual seeds do not bring.
    if (found == named_end) {
      EXPECT_NE(bytes_of(said).find("epios: error: file '" + path + "' cannot be read (reading "),
                std::string::npos)
          << what << ": " << bytes_of(said);
      std::cerr << what << ": " << bytes_of(said);
      EXPECT_NE(std::getenv("EPIOS_DAMAGES"), nullptr) << what;
    }
    EXPECT_GE(found, 0) << what << ": died of signal " << -found;
    EXPECT_NE(found, other_error) << what << ": an error that does not name the file";
    // Values themselves carry no mark that they are damaged.
    if (is_cut) {
      EXPECT_NE(found, other_values) << what << ": other values without an error";
    }
    errors += found == named_error || found == named_end ? 1 : 0;
  }
  if (count >= 60) {
    EXPECT_GT(errors, count / 5) << kind;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Damage,
    testing::Values(std::pair("nc3", ""), std::pair("nc6", ""), std::pair("cdf5", ""),
                    std::pair("nc7", ""), std::pair("nc4", ""),
                    std::pair("nc4 deflated",
                              " sst:_DeflateLevel = 4 ;\n sst:_Shuffle = \"true\" ;\n"),
                    std::pair("nc4 checked", " sst:_Fletcher32 = \"true\" ;\n"),
                    std::pair("nc4 chunked", " sst:_ChunkSizes = 1, 7, 11 ;\n")),
    [](const auto& kind) {
      std::string name = kind.param.first;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

TEST(SourceFile, checksums_find_other_values) {
  const Scratch scratch;
  write(scratch.file("f.cdl"), description(" sst:_Fletcher32 = \"true\" ;\n"));
  const std::string path = scratch.file("f.nc");
  ASSERT_EQ(run("ncgen -k nc4 -o " + path + " " + scratch.file("f.cdl")).status, 0);
  std::string bytes = bytes_of(path);
  // Of the last record: 20000.5 ... in the file's order of bytes.
  const double value = value_at(2, 17);
  const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(&value), 8));
  ASSERT_NE(at, std::string::npos);
  bytes[at + 6] = static_cast<char>(bytes[at + 6] ^ 1);
  write(path, bytes);
  const SourceFile file(path, "time");
  const auto sst = file.find("sst", {rows, columns}, {}, {});
  std::vector<double> values(static_cast<std::size_t>(rows * columns));
  file.read(sst, 1, whole({rows, columns}), {}, values);
  try {
    file.read(sst, 2, whole({rows, columns}), {}, values);
    FAIL() << "a damaged chunk was read";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has a variable 'sst' whose record 2 cannot be read"),
              std::string::npos)
        << error.what();
  }
}

TEST(SourceFile, waits_for_no_pipe) {
  const Scratch scratch;
  const std::string path = scratch.file("f.nc");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(outcome([&] { return read_all(path); }), named_error);
  EXPECT_EQ(file_facts({path, {}}).error, "it is no regular file");
}

TEST(SourceFile, says_how_much_is_missing) {
  const Scratch scratch;
  write(scratch.file("f.cdl"), description(""));
  for (const std::string kind : {"nc3", "nc6", "cdf5"}) {
    const std::string path = scratch.file("f.nc");
    ASSERT_EQ(run("ncgen -k " + kind + " -o " + path + " " + scratch.file("f.cdl")).status, 0);
    const std::string bytes = bytes_of(path);
    write(path, bytes.substr(0, bytes.size() - 1));
    try {
      const SourceFile file(path, "time");
      FAIL() << kind << ": a cut file was opened";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()),
                "file '" + path + "' cannot be read (it has " + std::to_string(bytes.size() - 1) +
                    " bytes, its header speaks of " + std::to_string(bytes.size()) +
                    "). Has it been copied in whole?");
    }
  }
}

TEST(SourceFile, notices_that_it_is_another_file_now) {
  const Scratch scratch;
  write(scratch.file("f.cdl"), description(""));
  const std::string path = scratch.file("f.nc");
  for (const std::string kind : {"nc3", "nc4"}) {
    for (const std::string change : {"replaced", "shortened", "removed"}) {
      ASSERT_EQ(run("ncgen -k " + kind + " -o " + path + " " + scratch.file("f.cdl")).status, 0);
      const SourceFile file(path, "time");
      const auto sst = file.find("sst", {rows, columns}, {}, {});
      std::vector<double> values(static_cast<std::size_t>(rows * columns));
      file.read(sst, 0, whole({rows, columns}), {}, values);
      if (change == "replaced") {
        std::filesystem::copy_file(path, scratch.file("other.nc"),
                                   std::filesystem::copy_options::overwrite_existing);
        std::filesystem::rename(scratch.file("other.nc"), path);
      } else if (change == "shortened") {
        std::filesystem::resize_file(path, 5000);
      } else {
        std::filesystem::remove(path);
      }
      try {
        file.read(sst, 2, whole({rows, columns}), {}, values);
        FAIL() << kind << ", " << change << ": was read all the same";
      } catch (const Error& error) {
        EXPECT_EQ(std::string(error.what()),
                  "file '" + path +
                      "' has been changed since it was opened (record 2 of variable 'sst' is not "
                      "read). Does another program write to it?");
      }
    }
  }
}

}  // namespace
}  // namespace epios::io::source_damage_test
