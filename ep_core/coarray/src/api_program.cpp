// The start and the end of a program, and queries about images, as gfortran calls them. An image
// ends by STOP, ERROR STOP, FAIL IMAGE or at the end of the program; each must also end its copy of
// the program. In order: ending an image, lists of images, random seeds, then gfortran's functions.
#include <ep/program.h>

#include <cstdlib>
#include <mutex>
#include <random>
#include <string>

#include "abi.hpp"
#include "image.hpp"
#include "outcome.hpp"

using namespace ep::caf;  // NOLINT: this file is the C face of the namespace

// Functions of libgfortran, which exist only if the program links it.
extern "C" {
void _gfortran_random_init(int repeatable, int image_distinct, int image)  // NOLINT
    __attribute__((weak));
void _gfortran_random_seed_i4(int* size, Descriptor* put, Descriptor* get)  // NOLINT
    __attribute__((weak));
void _gfortran_flush_i4(int* unit) __attribute__((weak));  // NOLINT
}

namespace {

// NOLINTNEXTLINE(readability-identifier-naming): as in the rest of the file
[[noreturn]] void stop(const char* statement, State state, int code) {
  if (_gfortran_flush_i4 != nullptr) _gfortran_flush_i4(nullptr);
  serve(statement, {}, [&] {
    if (calling_image().is_connected()) calling_image().leave(state);
  });
  ep_program_leave(code);
}

template <class Number>
void fill(Descriptor& list, const std::vector<int>& ranks) {
  const auto count = static_cast<std::ptrdiff_t>(ranks.size());
  list.element_bytes = sizeof(Number);
  list.span = sizeof(Number);
  list.offset = 0;
  list.dims[0] = {1, 0, count - 1};
  list.data = nullptr;
  if (ranks.empty()) return;
  // The program gives it back with free().
  auto* const numbers = static_cast<Number*>(std::malloc(ranks.size() * sizeof(Number)));
  if (numbers == nullptr) throw std::bad_alloc();
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const int image = ranks[i] + 1;
    numbers[i] = static_cast<Number>(image);
  }
  list.data = numbers;
}

/// Makes the seed of the calling thread one of this image: libgfortran 12 gives all the same.
void make_seed_distinct(int image) {
  int size = 0;
  _gfortran_random_seed_i4(&size, nullptr, nullptr);
  std::vector<std::int32_t> seed(static_cast<std::size_t>(size));
  Descriptor numbers{
      seed.data(),       0, sizeof(std::int32_t), 0, 1, TypeClass::integer, 0, sizeof(std::int32_t),
      {{1, 0, size - 1}}};
  _gfortran_random_seed_i4(nullptr, nullptr, &numbers);
  for (std::int32_t& number : seed) number ^= image * 0x5bd1e995;
  _gfortran_random_seed_i4(nullptr, &numbers, nullptr);
}

/// The seed that all images get which have asked for so many: REPEATABLE and IMAGE_DISTINCT false
/// (Fortran 2018, 16.9.155), where libgfortran 12 ends the program.
void make_seed_common(Connection& connection) {
  int size = 0;
  _gfortran_random_seed_i4(&size, nullptr, nullptr);
  std::vector<std::int32_t> seed(static_cast<std::size_t>(size));
  std::mt19937_64 numbers(connection.chance + ++connection.common_seeds);
  for (std::int32_t& number : seed) number = static_cast<std::int32_t>(numbers() >> 32U);
  Descriptor list{
      seed.data(),       0, sizeof(std::int32_t), 0, 1, TypeClass::integer, 0, sizeof(std::int32_t),
      {{1, 0, size - 1}}};
  _gfortran_random_seed_i4(nullptr, &list, nullptr);
}

void list_images(const char* function, Descriptor& list, State state, const int* kind) {
  serve(function, {}, [&] {
    const std::vector<int> ranks = calling_image().connection().status.all_in(state);
    const int bytes = kind == nullptr ? 4 : *kind;
    if (bytes == 1) return fill<std::int8_t>(list, ranks);
    if (bytes == 2) return fill<std::int16_t>(list, ranks);
    if (bytes == 4) return fill<std::int32_t>(list, ranks);
    if (bytes == 8) return fill<std::int64_t>(list, ranks);
    throw Failure(Stat::failed, "no list of kind " + std::to_string(bytes) + ".");
  });
}

}  // namespace

void _gfortran_caf_init(int* /*argc*/, char*** /*argv*/) {
  serve("the start of the program", {}, [] { calling_image().start(); });
}

void _gfortran_caf_finalize() {
  if (_gfortran_flush_i4 != nullptr) _gfortran_flush_i4(nullptr);
  serve("the end of the program", {}, [] {
    if (calling_image().is_connected()) calling_image().leave(State::stopped);
  });
}

int _gfortran_caf_this_image(int /*distance*/) {
  int number = 0;
  serve("THIS_IMAGE", {}, [&] { number = calling_image().connection().rank + 1; });
  return number;
}

int _gfortran_caf_num_images(int /*distance*/, int failed) {
  int number = 0;
  serve("NUM_IMAGES", {}, [&] {
    Connection& mine = calling_image().connection();
    if (failed < 0) {
      number = mine.size;
      return;
    }
    const auto gone = static_cast<int>(mine.status.all_in(State::failed).size());
    number = failed == 0 ? mine.size - gone : gone;
  });
  return number;
}

int _gfortran_caf_image_status(int image, int /*team*/) {
  State state = State::running;
  serve("IMAGE_STATUS", {}, [&] {
    Connection& mine = calling_image().connection();
    if (image < 1 || image > mine.size) {
      throw Failure(Stat::failed, "image " + std::to_string(image) + " does not exist (there are " +
                                      std::to_string(mine.size) + ").");
    }
    state = mine.status.state(image - 1);
  });
  if (state == State::running) return 0;
  return static_cast<int>(state == State::stopped ? Stat::stopped_image : Stat::failed_image);
}

void _gfortran_caf_failed_images(Descriptor* images, void* /*team*/, const int* kind) {
  list_images("FAILED_IMAGES", *images, State::failed, kind);
}

void _gfortran_caf_stopped_images(Descriptor* images, void* /*team*/, const int* kind) {
  list_images("STOPPED_IMAGES", *images, State::stopped, kind);
}

void _gfortran_caf_random_init(bool repeatable, bool image_distinct) {
  if (_gfortran_random_init == nullptr || _gfortran_random_seed_i4 == nullptr) return;
  serve("RANDOM_INIT", {}, [&] {
    const int image = calling_image().connection().rank + 1;
    // It keeps a seed of the whole process.
    static std::mutex turn;  // NOLINT: of the one libgfortran
    const std::scoped_lock lock(turn);
    if (!image_distinct && !repeatable) return make_seed_common(calling_image().connection());
    _gfortran_random_init(repeatable ? 1 : 0, image_distinct ? 1 : 0, image);
    if (image_distinct) make_seed_distinct(image);
  });
}

void _gfortran_caf_stop_numeric(int code, bool quiet) {
  if (!quiet) say("STOP " + std::to_string(code));
  stop("STOP", State::stopped, code);
}

void _gfortran_caf_stop_str(const char* text, std::size_t length, bool quiet) {
  if (!quiet && text != nullptr) say("STOP " + std::string(text, length));
  stop("STOP", State::stopped, EXIT_SUCCESS);
}

void _gfortran_caf_error_stop(int code, bool quiet) {
  if (!quiet) say("ERROR STOP " + std::to_string(code));
  end_job(code);
}

void _gfortran_caf_error_stop_str(const char* text, std::size_t length, bool quiet) {
  if (!quiet) say("ERROR STOP " + std::string(text == nullptr ? "" : text, length));
  end_job(EXIT_FAILURE);
}

void _gfortran_caf_fail_image() { stop("FAIL IMAGE", State::failed, EXIT_SUCCESS); }
