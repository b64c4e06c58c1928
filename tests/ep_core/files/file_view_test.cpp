// Random views and random memory: the contents of files and buffers are computed once more, byte by
// byte, with MPI's own packing.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <ep/ep.hpp>
#include <random>
#include <vector>

#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::file_view_test {
namespace {

constexpr int endpoints = 4;

using Random = std::mt19937;
using Bytes = std::vector<unsigned char>;

int draw(Random& random, int least, int most) {
  return std::uniform_int_distribution<int>(least, most)(random);
}

/// A committed datatype.
class Type {
 public:
  explicit Type(MPI_Datatype made) : type_(made) { MPI_Type_commit(&type_); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  Type(Type&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  Type& operator=(Type&& other) noexcept {
    std::swap(type_, other.type_);
    return *this;
  }
  ~Type() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }

  MPI_Datatype get() const { return type_; }
  int size() const {
    int bytes = 0;
    MPI_Type_size(type_, &bytes);
    return bytes;
  }
  int extent() const {
    MPI_Aint lower = 0;
    MPI_Aint bytes = 0;
    MPI_Type_get_extent(type_, &lower, &bytes);
    return static_cast<int>(bytes);
  }
  /// From where an element is said to be to its last byte, or its end.
  int reach() const {
    MPI_Aint lower = 0;
    MPI_Aint bytes = 0;
    MPI_Type_get_extent(type_, &lower, &bytes);
    const MPI_Aint end = lower + bytes;
    MPI_Type_get_true_extent(type_, &lower, &bytes);
    return static_cast<int>(std::max(end, lower + bytes));
  }

 private:
  MPI_Datatype type_;
};

MPI_Datatype random_indexed(Random& random, MPI_Datatype inner, bool ascending) {
  std::vector<int> lengths(static_cast<std::size_t>(draw(random, 1, 5)));
  std::vector<int> places(lengths.size());
  int next = draw(random, 0, 3);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    lengths[i] = draw(random, 1, 4);
    places[i] = next;
    next += lengths[i] + draw(random, 0, 3);
  }
  if (!ascending) {
    for (std::size_t i = lengths.size(); i > 1; --i) {
      const auto other = static_cast<std::size_t>(draw(random, 0, static_cast<int>(i) - 1));
      std::swap(lengths[i - 1], lengths[other]);
      std::swap(places[i - 1], places[other]);
    }
  }
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), inner, &made);
  return made;
}

MPI_Datatype random_subarray(Random& random, MPI_Datatype inner) {
  std::array<int, 2> sizes{draw(random, 1, 6), draw(random, 1, 6)};
  std::array<int, 2> parts{draw(random, 1, sizes[0]), draw(random, 1, sizes[1])};
  const std::array<int, 2> starts{draw(random, 0, sizes[0] - parts[0]),
                                  draw(random, 0, sizes[1] - parts[1])};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_subarray(2, sizes.data(), parts.data(), starts.data(),
                           draw(random, 0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN, inner, &made);
  return made;
}

MPI_Datatype random_darray(Random& random, MPI_Datatype inner) {
  const std::array<int, 2> sizes{draw(random, 4, 9), draw(random, 4, 9)};
  const std::array<int, 2> grid{2, 2};
  const std::array<int, 2> ways{
      draw(random, 0, 1) == 0 ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC,
      draw(random, 0, 1) == 0 ? MPI_DISTRIBUTE_BLOCK : MPI_DISTRIBUTE_CYCLIC};
  const std::array<int, 2> blocks{MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
  MPI_Datatype made = MPI_DATATYPE_NULL;
  MPI_Type_create_darray(4, draw(random, 0, 3), 2, sizes.data(), ways.data(), blocks.data(),
                         grid.data(), MPI_ORDER_C, inner, &made);
  return made;
}

// Made of `inner`; of a filetype the blocks ascend.
Type random_type(Random& random, MPI_Datatype inner, bool ascending, int depth) {
  MPI_Datatype made = MPI_DATATYPE_NULL;
  switch (draw(random, 0, 4)) {
    case 0: {
      const int length = draw(random, 1, 4);
      MPI_Type_vector(draw(random, 1, 5), length, length + draw(random, 0, 3), inner, &made);
      break;
    }
    case 1:
      made = random_indexed(random, inner, ascending);
      break;
    case 2:
      made = random_subarray(random, inner);
      break;
    case 3:
      made = random_darray(random, inner);
      break;
    default: {
      const Type once(random_indexed(random, inner, ascending));
      MPI_Type_create_resized(once.get(), 0, once.reach() + 4 * draw(random, 0, 3), &made);
    }
  }
  Type type(made);
  return depth > 1 ? random_type(random, type.get(), ascending, depth - 1) : std::move(type);
}

Bytes packed(const Bytes& memory, int count, MPI_Datatype type) {
  int size = 0;
  MPI_Pack_size(count, type, MPI_COMM_SELF, &size);
  // (Open MPI takes no null pointer, as an empty vector has, also where there is nothing to pack.)
  Bytes out(static_cast<std::size_t>(size) + 1);
  int position = 0;
  MPI_Pack(memory.data(), count, type, out.data(), size, &position, MPI_COMM_SELF);
  out.resize(static_cast<std::size_t>(position));
  return out;
}

// Where the bytes of one element are, in order: packs planes of the bytes of their numbers.
std::vector<int> places_of(const Type& type) {
  const auto room = static_cast<std::size_t>(type.reach());
  std::vector<int> places(static_cast<std::size_t>(type.size()), 0);
  for (int plane = 0; plane < 3; ++plane) {
    Bytes numbers(room);
    for (std::size_t i = 0; i < room; ++i) {
      numbers[i] = static_cast<unsigned char>(i >> (8U * static_cast<unsigned>(plane)));
    }
    const Bytes out = packed(numbers, 1, type.get());
    for (std::size_t i = 0; i < places.size(); ++i) places[i] |= int{out[i]} << (8 * plane);
  }
  return places;
}

/// What one endpoint does in one round. All endpoints can compute that of any.
struct Access {
  Access(unsigned seed, int rank)
      : random(seed + 977U * static_cast<unsigned>(rank)),
        filetype(random_type(random, MPI_INT, true, draw(random, 1, 2))),
        memtype(random_type(random, MPI_INT, false, draw(random, 1, 2))),
        displacement(draw(random, 0, 40)),
        offset(draw(random, 0, 60)),
        count(draw(random, 0, 9)) {}

  int bytes() const { return count * memtype.size(); }
  Bytes buffer(unsigned char fill) const {
    const int before = memtype.extent() * std::max(count - 1, 0);
    return Bytes(static_cast<std::size_t>(before + memtype.reach()), fill);
  }
  Bytes filled(int rank) const {
    Bytes memory = buffer(0);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      memory[i] = static_cast<unsigned char>(i * 7 + static_cast<std::size_t>(rank) * 31 + 1);
    }
    return memory;
  }
  /// The bytes of the file that byte i of the data is at.
  std::vector<std::size_t> places() const {
    const std::vector<int> once = places_of(filetype);
    const auto size = static_cast<int>(once.size());
    std::vector<std::size_t> all;
    for (int i = 4 * offset; i < 4 * offset + bytes(); ++i) {
      all.push_back(static_cast<std::size_t>(displacement + i / size * filetype.extent() +
                                             once[static_cast<std::size_t>(i % size)]));
    }
    return all;
  }
  void set_view(EP_File file) const {
    check(EP_File_set_view(file, displacement, MPI_INT, filetype.get(), "native", MPI_INFO_NULL));
  }

  Random random;
  Type filetype;
  Type memtype;
  int displacement;
  int offset;  // in ints
  int count;
};

void apply_write(Bytes& file, const Access& access, int rank) {
  const Bytes data = packed(access.filled(rank), access.count, access.memtype.get());
  const std::vector<std::size_t> places = access.places();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= file.size()) file.resize(places[i] + 1, 0);
    file[places[i]] = data[i];
  }
}

// The buffer that `access` reads from `file`; the bytes read.
int apply_read(const Bytes& file, const Access& access, Bytes& buffer) {
  const std::vector<std::size_t> places = access.places();
  Bytes data = packed(buffer, access.count, access.memtype.get());
  int bytes = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] >= file.size()) continue;
    data[i] = file[places[i]];
    ++bytes;
  }
  if (data.empty()) return 0;
  int position = 0;
  MPI_Unpack(data.data(), static_cast<int>(data.size()), &position, buffer.data(), access.count,
             access.memtype.get(), MPI_COMM_SELF);
  return bytes;
}

unsigned first_seed() {
  const char* const text = std::getenv("EP_TEST_SEED");
  return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : 20240U;
}

enum class Form { collective, immediate, independent };

void write_in_form(EP_File file, const Access& access, const Bytes& memory, Form form,
                   EP_Status& status) {
  const MPI_Datatype type = access.memtype.get();
  const MPI_Offset offset = access.offset;
  if (form == Form::collective) {
    check(EP_File_write_at_all(file, offset, memory.data(), access.count, type, &status));
  } else if (form == Form::independent) {
    check(EP_File_write_at(file, offset, memory.data(), access.count, type, &status));
  } else {
    EP_Request request = EP_REQUEST_NULL;
    check(EP_File_iwrite_at_all(file, offset, memory.data(), access.count, type, &request));
    check(EP_Wait(&request, &status));
  }
}

void read_in_form(EP_File file, const Access& access, Bytes& memory, Form form, EP_Status& status) {
  const MPI_Datatype type = access.memtype.get();
  const MPI_Offset offset = access.offset;
  if (form == Form::collective) {
    check(EP_File_read_at_all(file, offset, memory.data(), access.count, type, &status));
  } else if (form == Form::independent) {
    check(EP_File_read_at(file, offset, memory.data(), access.count, type, &status));
  } else {
    EP_Request request = EP_REQUEST_NULL;
    check(EP_File_iread_at_all(file, offset, memory.data(), access.count, type, &request));
    check(EP_Wait(&request, &status));
  }
}

void check_round(const Comm& comm, unsigned seed, Form form) {
  const SharedFile shared(comm);
  EP_File file = shared.open();
  const Access mine(seed, comm.rank());
  mine.set_view(file);
  const std::vector<std::size_t> places = mine.places();
  for (std::size_t i = 0; i < places.size(); i += 4) {
    MPI_Offset byte = -1;
    check(EP_File_get_byte_offset(file, mine.offset + static_cast<int>(i / 4), &byte));
    EXPECT_EQ(byte, places[i]) << "int " << i / 4 << " of the access of rank " << comm.rank()
                               << ", seed " << seed;
  }
  EP_Status status{};
  // Independent writes of several would race where they meet: one after the other, as ranks win.
  for (int rank = 0; rank < (form == Form::independent ? comm.size() : 1); ++rank) {
    if (form != Form::independent || rank == comm.rank()) {
      write_in_form(file, mine, mine.filled(comm.rank()), form, status);
    }
    shared.barrier();
  }
  EXPECT_EQ(count_of(status, MPI_BYTE), mine.bytes()) << "seed " << seed;
  Bytes expected;
  for (int rank = 0; rank < comm.size(); ++rank) apply_write(expected, Access(seed, rank), rank);
  EXPECT_EQ(shared.bytes(), expected) << "seed " << seed;
  shared.barrier();
  const Access other(seed + 1, comm.rank());
  other.set_view(file);
  Bytes buffer = other.buffer(0xEE);
  Bytes wanted = buffer;
  const int bytes = apply_read(expected, other, wanted);
  read_in_form(file, other, buffer, form, status);
  EXPECT_EQ(count_of(status, MPI_BYTE), bytes) << "seed " << seed;
  EXPECT_EQ(buffer, wanted) << "seed " << seed;
  check(EP_File_close(&file));
}

TEST(FileViews, random_ones) {
  run_endpoints(endpoints, [](const Comm& comm) {
    constexpr unsigned rounds = 60;
    for (unsigned i = 0; i < rounds; ++i) {
      const std::array forms{Form::collective, Form::immediate, Form::independent};
      check_round(comm, first_seed() + 2 * i, forms[i % forms.size()]);
    }
  });
}

// Blocks of a page, by turns, in a file of several parts: in one round, in many, and in as many as
// one endpoint wants.
class LongFileViews : public testing::TestWithParam<std::array<const char*, 2>> {};
INSTANTIATE_TEST_SUITE_P(Rounds, LongFileViews,
                         testing::Values(std::array{"33554432", "33554432"},
                                         std::array{"1000000", "1000000"},
                                         std::array{"33554432", "1"}));

TEST_P(LongFileViews, of_interleaved_blocks) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    MPI_Info info = MPI_INFO_NULL;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", GetParam()[comm.rank() == 1 ? 1 : 0]);
    EP_File file = shared.open();
    check(EP_File_set_info(file, info));
    MPI_Info_free(&info);
    constexpr int block = 4096;
    constexpr int blocks = 900;
    MPI_Datatype turns = MPI_DATATYPE_NULL;
    MPI_Datatype once = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(block, MPI_BYTE, &once);
    MPI_Type_create_resized(once, 0, MPI_Aint{block} * comm.size(), &turns);
    MPI_Type_commit(&turns);
    check(EP_File_set_view(file, MPI_Offset{block} * comm.rank() + 3, MPI_BYTE, turns, "native",
                           MPI_INFO_NULL));
    const auto at = [](std::size_t i) { return static_cast<unsigned char>(i * 13 + i / 4096); };
    Bytes mine(std::size_t{block} * blocks);
    for (std::size_t i = 0; i < mine.size(); ++i) {
      const std::size_t place = i / block * static_cast<std::size_t>(comm.size() * block) +
                                static_cast<std::size_t>(comm.rank() * block) + i % block;
      mine[i] = at(place);
    }
    EP_Status status{};
    check(EP_File_write_all(file, mine.data(), block * blocks, MPI_BYTE, &status));
    EXPECT_EQ(count_of(status, MPI_BYTE), block * blocks);
    const Bytes all = shared.bytes();
    ASSERT_EQ(all.size(), mine.size() * static_cast<std::size_t>(comm.size()) + 3);
    for (std::size_t i = 3; i < all.size(); ++i) ASSERT_EQ(all[i], at(i - 3)) << i;
    Bytes back(mine.size());
    check(EP_File_read_at_all(file, 0, back.data(), block * blocks, MPI_BYTE, &status));
    EXPECT_EQ(count_of(status, MPI_BYTE), block * blocks);
    EXPECT_EQ(back, mine);
    MPI_Type_free(&turns);
    MPI_Type_free(&once);
    check(EP_File_close(&file));
  });
}

TEST(FileViews, an_empty_one_has_nothing_to_move) {
  run_endpoints(2, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    MPI_Datatype nothing = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    check(EP_File_set_view(file, 0, MPI_INT, nothing, "native", MPI_INFO_NULL));
    int n = 0;
    check(EP_File_write_all(file, &n, 0, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_EQ(EP_File_write_all(file, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_TYPE);
    EXPECT_TRUE(last_error_says({"the view of the file is empty"}));
    MPI_Type_free(&nothing);
    check(EP_File_close(&file));
  });
}

}  // namespace
}  // namespace ep::test::file_view_test
