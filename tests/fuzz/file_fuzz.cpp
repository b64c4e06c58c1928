// Any bytes as what files say: headers of classic files, which are checked before netCDF-C sees
// them, headers that a recovery reads, and journals.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "config/error.hpp"
#include "earlier_runs/journal.hpp"
#include "formats/cdf_header.hpp"
#include "reading/classic_header.hpp"

namespace {

using namespace epios;  // NOLINT(google-build-using-namespace)

void expect(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "file_fuzz: %s\n", what);
  std::abort();
}

constexpr std::string_view cdf5_front{"CDF\x05\0\0\0\0\0\0\0\1", 12};

std::string with(std::string_view front, std::string_view rest) {
  return std::string(front).append(rest);
}

void check_cdf_header(const std::string& bytes) {
  const io::CdfHeader header = io::read_cdf_header(std::as_bytes(std::span(bytes)), "f");
  expect(header.end <= bytes.size(), "a header ends behind the file");
  const std::uint64_t none = header.file_bytes(0);
  for (const std::uint64_t records :
       {std::uint64_t{1}, std::uint64_t{1} << 40U, ~std::uint64_t{0}}) {
    expect(header.file_bytes(records) >= none, "more records, fewer bytes");
  }
}

void check_classic(const std::string& bytes) {
  const int file = ::memfd_create("file_fuzz", MFD_CLOEXEC);
  if (file < 0) std::abort();
  if (::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  static_cast<void>(io::classic_problem("/proc/self/fd/" + std::to_string(file)));
  ::close(file);
}

void check_journal(std::string_view text) {
  const io::Journal journal = io::parse_journal(text);
  expect(journal.problem.empty() == journal.suggestion.empty(), "a problem without advice");
  for (const auto& [name, records] : journal.records) expect(records >= 0, "fewer than none");
}

void check_file(unsigned kind, std::string_view bytes) {
  switch (kind % 5) {
    case 0:
      return check_cdf_header(std::string(bytes));
    case 1:
      return check_cdf_header(with(cdf5_front, bytes));
    case 2:
      return check_classic(with("CDF", bytes));
    case 3:
      return check_journal(bytes);
    default:
      return check_journal(with("epios records 1\n", bytes));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    check_file(data[0], {reinterpret_cast<const char*>(data + 1), size - 1});
  } catch (const Error& error) {
    // A header that netCDF-C has just written is not expected to be damaged.
    expect(error.code() == ErrorCode::internal && data[0] % 5 < 2, error.what());
  }
  return 0;
}
