// What a file says of itself, and the memory it is written in first. No MPI here.
#include "hdf5/definitions.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "config/error.hpp"
#include "contract/record_variables.hpp"
#include "scratch.hpp"

namespace epios::io::test::definitions_test {
namespace {

/// A server that starts and clears up what killed ones have left: it takes a definition that
/// netCDF-C has not yet locked.
struct Thief {
  enum class Deed { none, take_name, lay_link, lock };

  void come_across(int file) {
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    const std::string path = std::filesystem::read_symlink(link).string();
    if (path.rfind("/dev/shm/epios-define-", 0) != 0) return;
    const Deed now = std::exchange(deed, Deed::none);
    if (now == Deed::take_name || now == Deed::lay_link) ::unlink(path.c_str());
    if (now == Deed::lay_link) {
      link_laid = path;
      std::filesystem::create_symlink(victim, path);
    } else if (now == Deed::lock) {
      loot = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
      EXPECT_EQ(::flock(loot, LOCK_EX | LOCK_NB), 0);
    }
  }
  void let_go() {
    if (loot >= 0) ::close(std::exchange(loot, -1));
    if (!link_laid.empty()) ::unlink(std::exchange(link_laid, "").c_str());
  }

  Deed deed = Deed::none;
  int loot = -1;
  std::string victim;  // what a link leads to
  std::string link_laid;
};
Thief thief;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): C calls it

}  // namespace
}  // namespace epios::io::test::definitions_test

// Comes between the creation of a definition and netCDF-C.
extern "C" int posix_fallocate(int file, off_t offset, off_t length) {
  using namespace epios::io::test::definitions_test;
  if (thief.deed != Thief::Deed::none) thief.come_across(file);
  return ::fallocate(file, 0, offset, length) == 0 ? 0 : errno;
}

namespace epios::io::test::definitions_test {
namespace {

// Readers know rounded values by one attribute, which the classic model takes before the end of
// definitions alone.
TEST(Definitions, of_rounded_values_say_so_in_both_models) {
  const Scratch scratch;
  for (const FileFormat format : {FileFormat::netcdf4, FileFormat::netcdf4_classic}) {
    FileSpec spec;
    spec.path = scratch.file(format == FileFormat::netcdf4 ? "new.nc" : "classic.nc");
    spec.format = format;
    spec.dimensions = {{"x", 2}, {"t", 0}};
    VariableSpec rounded{"rounded", ValueKind::float32, {1, 0}, {}, {}, {}, {}};
    rounded.mantissa_bits = 9;
    spec.variables = {rounded};
    const auto file = create_netcdf4(spec, nullptr);
    file->reserve(1);
    file->write({0, 0, whole({2}), bytes(std::vector<float>{1, 2})});
    file->seal(1);
    file->publish();
    const std::string said = ncdump("-h", spec.path);
    EXPECT_NE(said.find("rounded:_QuantizeBitRoundNumberOfSignificantBits = 9 ;"),
              std::string::npos)
        << said;
  }
}

TEST(Definitions, attributes_and_fixed_values) {
  const Scratch scratch;
  FileSpec spec;
  spec.path = scratch.file("a.nc");
  spec.dimensions = {{"x", 3}, {"length", 4}, {"t", 0}};
  const std::vector<double> xs = {1, 2.5, 4};
  const std::vector<double> counts = {7, 8.5, 9.7};  // the nearest, the even one of two
  const std::vector<std::string> labels = {"abcd"};
  VariableSpec x{"x", ValueKind::float64, {0}, {{"units", std::string("m")}}, {}, {}, {}};
  x.fixed = {whole({3}), xs};
  VariableSpec label{"label", ValueKind::text, {1}, {}, {}, {}, {whole({4}), {}, labels}};
  VariableSpec count{"count", ValueKind::int32, {0}, {}, {}, {}, {whole({3}), counts}};
  VariableSpec h{"h",
                 ValueKind::float32,
                 {2, 0},
                 {{"long_name", std::string("height")},
                  {"missing_value", std::vector<float>{-1}},
                  {"coordinates", std::string("label")}},
                 {},
                 -1.0,
                 {}};
  // Shares the name of a dimension that it does not begin with.
  VariableSpec length{"length", ValueKind::int16, {2, 0}, {}, {}, {}, {}};
  spec.variables = {x, label, count, h, length};
  spec.attributes = {{"title", std::string("all kinds")},
                     {"f", std::vector<float>{1.5F}},
                     {"d", std::vector<double>{0.1, 0.2}},
                     {"i", std::vector<std::int32_t>{3}},
                     {"l", std::vector<std::int64_t>{4}},
                     {"s", std::vector<std::int16_t>{5}},
                     {"empty", std::string()}};
  const auto file = create_netcdf4(spec, nullptr);
  file->reserve(1);
  file->write({3, 0, whole({3}), bytes(std::vector<float>{1, -1, 3})});
  file->write({4, 0, whole({3}), bytes(std::vector<std::int16_t>{1, 2, 3})});
  file->seal(1);
  file->publish();
  EXPECT_EQ(ncdump("", spec.path), R"(netcdf f {
dimensions:
	x = 3 ;
	length = 4 ;
	t = UNLIMITED ; // (1 currently)
variables:
	double x(x) ;
		x:units = "m" ;
	char label(length) ;
	int count(x) ;
	float h(t, x) ;
		h:long_name = "height" ;
		h:_FillValue = -1.f ;
		h:missing_value = -1.f ;
		h:coordinates = "label" ;
	short length(t, x) ;

// global attributes:
		:title = "all kinds" ;
		:f = 1.5f ;
		:d = 0.1, 0.2 ;
		:i = 3 ;
		:l = 4LL ;
		:s = 5s ;
		:empty = "" ;
data:

 x = 1, 2.5, 4 ;

 label = "abcd" ;

 count = 7, 8, 10 ;

 h =
  1, _, 3 ;

 length =
  1, 2, 3 ;
}
)");
}

// What a killed process leaves in shared memory is removed by the next server, which knows its own
// by their names.
TEST(Definitions, have_a_name_that_servers_clear_up) {
  const Scratch scratch;
  const int watch = ::inotify_init1(IN_NONBLOCK);
  ASSERT_GE(watch, 0);
  ASSERT_GE(::inotify_add_watch(watch, "/dev/shm", IN_CREATE), 0);
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 1, 2), nullptr);
  alignas(inotify_event) std::array<char, 65536> events{};
  const ssize_t size = ::read(watch, events.data(), events.size());
  int seen = 0;
  for (ssize_t at = 0; at < size;) {
    const auto* event = reinterpret_cast<const inotify_event*>(events.data() + at);
    const std::string name = event->name;
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
    if (name.find("define") == std::string::npos) continue;
    EXPECT_EQ(name.rfind("epios-", 0), 0U) << name;
    ++seen;
  }
  ::close(watch);
  EXPECT_GE(seen, 1);
}

// Would have found another number in the file, without a word.
TEST(Definitions, refuse_integers_that_the_classic_model_cannot_hold) {
  const Scratch scratch;
  FileSpec spec;
  spec.path = scratch.file("a.nc");
  spec.format = FileFormat::netcdf4_classic;
  spec.dimensions = {{"t", 0}};
  const auto define = [&](std::int64_t number) {
    spec.attributes = {{"steps", std::vector<std::int64_t>{-number}}};
    static_cast<void>(definitions(spec, record_variables(spec)));
  };
  constexpr std::int64_t most = std::int64_t{1} << 53;
  define(most);
  try {
    define(most + 1);
    ADD_FAILURE() << "accepted";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("attribute 'steps' cannot be -9007199254740993 (the classic"),
              std::string::npos)
        << error.what();
  }
  spec.format = FileFormat::netcdf4;
  define(most + 1);
}

// "e" with an accent of its own, which NetCDF makes one letter. Would have found NetCDF-4 files
// with "cannot attach dimensions", and CDF-5 files whose journal names variables that they have
// not.
TEST(Definitions, refuse_names_that_netcdf_changes) {
  const std::string apart = "e\u0301tat";
  const auto text_of = [&](FileFormat format, bool is_dimension) {
    const Scratch scratch;
    FileSpec spec;
    spec.path = scratch.file("a.nc");
    spec.format = format;
    spec.dimensions = {{is_dimension ? apart : "x", 2}, {"t", 0}};
    spec.variables = {{is_dimension ? "v" : apart, ValueKind::float32, {1, 0}, {}, {}, {}, {}}};
    try {
      static_cast<void>(definitions(spec, record_variables(spec)));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (const FileFormat format : {FileFormat::netcdf4, FileFormat::cdf5}) {
    for (const bool is_dimension : {true, false}) {
      const std::string text = text_of(format, is_dimension);
      EXPECT_NE(
          text.find("the name '" + apart + "' of a " + (is_dimension ? "dimension" : "variable") +
                    " is written with accents on their own"),
          std::string::npos)
          << text;
      EXPECT_NE(text.find("Write '\u00e9tat'"), std::string::npos) << text;
    }
  }
}

/// The file survives a server that comes before netCDF-C has opened it.
void expect_survival(Thief::Deed deed) {
  const Scratch scratch;
  const FileSpec spec = small_spec(scratch.file("a.nc"), 1, 2);
  thief.deed = deed;
  const auto file = create_netcdf4(spec, nullptr);
  EXPECT_EQ(thief.deed, Thief::Deed::none) << "the thief had no chance";
  file->reserve(1);
  write_record(*file, 0, 1, 2);
  file->seal(1);
  file->publish();
  EXPECT_NE(ncdump("", spec.path).find(" tos =\n  0, 1 ;"), std::string::npos);
  thief.let_go();
}

TEST(Definitions, survive_the_loss_of_their_name) { expect_survival(Thief::Deed::take_name); }

// Another user waits for that moment.
TEST(Definitions, do_not_follow_a_link_that_gets_their_name) {
  const Scratch scratch;
  thief.victim = scratch.file("victim");
  std::ofstream(thief.victim) << "precious";
  expect_survival(Thief::Deed::lay_link);
  EXPECT_EQ(read_text(thief.victim), "precious");
}

// Its next deed would be to remove the name.
TEST(Definitions, survive_a_server_that_has_locked_them) { expect_survival(Thief::Deed::lock); }

}  // namespace
}  // namespace epios::io::test::definitions_test
