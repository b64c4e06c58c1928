// In order: copies that reverse bytes, the forms of predefined datatypes, conversion of one of
// them, and of messages.
#include "datatypes/external32.hpp"

#if defined(__x86_64__)
#include <tmmintrin.h>
#endif

#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cfloat>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "datatypes/signature.hpp"
#include "process/error.hpp"

namespace ep {

namespace {

// Eight bytes at a time whatever the width: a load, an instruction or three, a store.
template <class Turn>
void copy_words(const std::byte* from, std::byte* to, std::int64_t words, Turn turn) {
  for (std::int64_t i = 0; i < words; ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, from + 8 * i, sizeof word);
    word = turn(word);
    std::memcpy(to + 8 * i, &word, sizeof word);
  }
}

// Sixteen bytes at a time, where the processor can put bytes of a register in any order.
#if defined(__x86_64__)
__attribute__((target("ssse3"))) std::int64_t copy_shuffled(const std::byte* from, std::byte* to,
                                                            std::int64_t bytes, int width) {
  std::array<char, 16> order{};
  for (int b = 0; b < 16; ++b) {
    order.at(static_cast<std::size_t>(b)) =
        static_cast<char>(b / width * width + width - 1 - b % width);
  }
  const __m128i shuffle = _mm_loadu_si128(reinterpret_cast<const __m128i*>(order.data()));
  std::int64_t done = 0;
  for (; done + 64 <= bytes; done += 64) {
    for (int part = 0; part < 64; part += 16) {
      const __m128i word = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + done + part));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + done + part),
                       _mm_shuffle_epi8(word, shuffle));
    }
  }
  return done;
}

std::int64_t copy_wide(const std::byte* from, std::byte* to, std::int64_t bytes, int width) {
  static const bool can_shuffle = __builtin_cpu_supports("ssse3") != 0;
  return can_shuffle && width > 1 ? copy_shuffled(from, to, bytes, width) : 0;
}
#else
std::int64_t copy_wide(const std::byte*, std::byte*, std::int64_t, int) { return 0; }
#endif

}  // namespace

void copy_swapped(const std::byte* from, std::byte* to, std::int64_t bytes, int width) {
  const std::int64_t wide = copy_wide(from, to, bytes, width);
  copy_swapped_by_words(from + wide, to + wide, bytes - wide, width);
}

void copy_swapped_by_words(const std::byte* from, std::byte* to, std::int64_t bytes, int width) {
  const std::int64_t words = width == 1 ? 0 : bytes / 8;
  if (width == 8) {
    copy_words(from, to, words, [](std::uint64_t word) { return __builtin_bswap64(word); });
  } else if (width == 4) {
    copy_words(from, to, words,
               [](std::uint64_t word) { return std::rotl(__builtin_bswap64(word), 32); });
  } else if (width == 2) {
    constexpr std::uint64_t low = 0x00ff00ff00ff00ff;
    copy_words(from, to, words,
               [](std::uint64_t word) { return ((word & low) << 8U) | ((word >> 8U) & low); });
  }
  // Converts the bytes behind the last whole word, and values that need no byte swap.
  for (std::int64_t done = 8 * words; done < bytes;) {
    const std::int64_t count = width == 1 ? bytes - done : width;
    if (width == 1) {
      std::memcpy(to + done, from + done, static_cast<std::size_t>(count));
    } else {
      std::reverse_copy(from + done, from + done + count, to + done);
    }
    done += count;
  }
}

namespace {

enum class Kind {
  reversed,    // the same bytes in the other order
  signed_int,  // an integer of another width
  unsigned_int,
  quad,  // a long double, which has the format of 16 bytes in external32
};

/// A predefined datatype consists of fields: two in complex numbers and pairs of Fortran. (Pairs of
/// C have a signature of two predefined datatypes.)
struct Field {
  Kind kind;
  int memory;    ///< bytes
  int external;  ///< bytes
};

struct Form {
  std::array<Field, 2> fields{};
  int count = 0;  ///< of fields; 0 if the form is not known

  std::int64_t memory() const { return sum(&Field::memory); }
  std::int64_t external() const { return sum(&Field::external); }
  bool is_reversed() const {
    const bool are_alike = count == 1 || fields[0].memory == fields[1].memory;
    return are_alike && std::all_of(fields.begin(), fields.begin() + count,
                                    [](const Field& f) { return f.kind == Kind::reversed; });
  }

 private:
  std::int64_t sum(int Field::*bytes) const {
    std::int64_t out = 0;
    for (int i = 0; i < count; ++i) out += fields.at(static_cast<std::size_t>(i)).*bytes;
    return out;
  }
};

#if LDBL_MANT_DIG == 64 && defined(__SIZEOF_FLOAT128__)
__extension__ using Quad = __float128;
constexpr bool quads_are_known = true;
#else
using Quad = long double;
constexpr bool quads_are_known = LDBL_MANT_DIG == 113;
#endif

/// The forms by the numbers of predefined datatypes.
class Forms {
 public:
  Forms() {
    // Bytes that are values of other machines' order cannot be told here: MPI converts.
    if constexpr (std::endian::native != std::endian::little) return;
    for (MPI_Datatype type : {MPI_BYTE, MPI_PACKED, MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR,
                              MPI_C_BOOL, MPI_CXX_BOOL, MPI_INT8_T, MPI_UINT8_T, MPI_CHARACTER}) {
      add(type, {as_it_is(1)});
    }
    add_integers();
    add(MPI_FLOAT, {as_it_is(4)});
    add(MPI_DOUBLE, {as_it_is(8)});
    for (MPI_Datatype type : {MPI_REAL, MPI_REAL4, MPI_REAL8, MPI_DOUBLE_PRECISION}) {
      if (const int bytes = size_of(type); bytes > 0) add(type, {as_it_is(bytes)});
    }
    for (MPI_Datatype type : {MPI_C_FLOAT_COMPLEX, MPI_C_DOUBLE_COMPLEX, MPI_CXX_FLOAT_COMPLEX,
                              MPI_CXX_DOUBLE_COMPLEX, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_COMPLEX8,
                              MPI_COMPLEX16, MPI_2REAL, MPI_2DOUBLE_PRECISION}) {
      if (const int half = size_of(type) / 2; half > 0) add(type, {as_it_is(half), as_it_is(half)});
    }
    add_quads();
  }

  const Form& operator[](int basic) const {
    return basic >= 0 && static_cast<std::size_t>(basic) < forms_.size()
               ? forms_[static_cast<std::size_t>(basic)]
               : unknown_;
  }

 private:
  static Field as_it_is(int width) { return {Kind::reversed, width, width}; }
  static Field integer(Kind kind, std::size_t memory, int external) {
    const auto width = static_cast<int>(memory);
    return {width == external ? Kind::reversed : kind, width, external};
  }
  static int size_of(MPI_Datatype type) {
    int bytes = 0;
    return type == MPI_DATATYPE_NULL || MPI_Type_size(type, &bytes) != MPI_SUCCESS ? 0 : bytes;
  }

  void add_integers() {
    add(MPI_WCHAR, {integer(Kind::unsigned_int, sizeof(wchar_t), 2)});
    add(MPI_LONG, {integer(Kind::signed_int, sizeof(long), 4)});
    add(MPI_UNSIGNED_LONG, {integer(Kind::unsigned_int, sizeof(long), 4)});
    for (MPI_Datatype type : {MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT16_T, MPI_UINT16_T}) {
      add(type, {as_it_is(2)});
    }
    for (MPI_Datatype type : {MPI_INT, MPI_UNSIGNED, MPI_INT32_T, MPI_UINT32_T}) {
      add(type, {as_it_is(4)});
    }
    for (MPI_Datatype type : {MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT64_T, MPI_UINT64_T,
                              MPI_AINT, MPI_OFFSET, MPI_COUNT}) {
      add(type, {as_it_is(8)});
    }
    // Fortran's have the width that the MPI library was built with.
    for (MPI_Datatype type : {MPI_INTEGER, MPI_LOGICAL}) {
      if (const int bytes = size_of(type); bytes > 0) {
        add(type, {integer(Kind::signed_int, static_cast<std::size_t>(bytes), 4)});
      }
    }
    if (const int half = size_of(MPI_2INTEGER) / 2; half > 0) {
      const Field one = integer(Kind::signed_int, static_cast<std::size_t>(half), 4);
      add(MPI_2INTEGER, {one, one});
    }
    for (MPI_Datatype type : {MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8}) {
      if (const int bytes = size_of(type); bytes > 0) add(type, {as_it_is(bytes)});
    }
  }

  void add_quads() {
    if (!quads_are_known) return;
    const Field quad{Kind::quad, sizeof(long double), 16};
    add(MPI_LONG_DOUBLE, {quad});
    add(MPI_C_LONG_DOUBLE_COMPLEX, {quad, quad});
    add(MPI_CXX_LONG_DOUBLE_COMPLEX, {quad, quad});
  }

  void add(MPI_Datatype type, std::initializer_list<Field> fields) {
    if (type == MPI_DATATYPE_NULL) return;  // this MPI does not have it
    const auto number = static_cast<std::size_t>(basic_number(type));
    if (number >= forms_.size()) forms_.resize(number + 1);
    Form& form = forms_[number];
    std::copy(fields.begin(), fields.end(), form.fields.begin());
    form.count = static_cast<int>(fields.size());
  }

  std::vector<Form> forms_;
  Form unknown_;
};

const Forms& forms() {
  static const Forms all;
  return all;
}

template <class T>
T loaded(const std::byte* from) {
  T value{};
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// The integer of `bytes` bytes in this machine's order.
std::int64_t integer_at(const std::byte* from, int bytes, bool is_signed) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, static_cast<std::size_t>(bytes));
  const auto unused = static_cast<unsigned>(64 - 8 * bytes);
  const auto shifted = static_cast<std::int64_t>(value << unused);
  return is_signed ? shifted >> unused : static_cast<std::int64_t>(value);
}

void check_room(const Field& field, const std::byte* from, int basic) {
  const bool is_signed = field.kind == Kind::signed_int;
  const std::int64_t value = integer_at(from, field.memory, is_signed);
  if (integer_at(from, field.external, is_signed) == value) return;
  const std::string text =
      is_signed ? std::to_string(value) : std::to_string(static_cast<std::uint64_t>(value));
  fail(EP_ERR_CONVERSION, "value ", text, " of ", basic_name(basic), " does not fit into the ",
       field.external,
       " bytes that external32 has for it. A datatype of fixed size, such as MPI_INT64_T?");
}

void pack_field(const Field& field, const std::byte* from, std::byte* to, int basic) {
  if (field.kind == Kind::reversed) return copy_swapped(from, to, field.memory, field.memory);
  if (field.kind == Kind::quad) {
    const auto value = static_cast<Quad>(loaded<long double>(from));
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    std::reverse_copy(bytes, bytes + sizeof value, to);
    return;
  }
  if (field.external < field.memory) check_room(field, from, basic);
  const std::int64_t value = integer_at(from, field.memory, field.kind == Kind::signed_int);
  copy_swapped(reinterpret_cast<const std::byte*>(&value), to, field.external, field.external);
}

void unpack_field(const Field& field, const std::byte* from, std::byte* to) {
  if (field.kind == Kind::reversed) return copy_swapped(from, to, field.memory, field.memory);
  if (field.kind == Kind::quad) {
    Quad value{};
    std::reverse_copy(from, from + sizeof value, reinterpret_cast<std::byte*>(&value));
    const auto narrow = static_cast<long double>(value);
    std::memcpy(to, &narrow, sizeof narrow);
    return;
  }
  std::array<std::byte, sizeof(std::int64_t)> bytes{};
  copy_swapped(from, bytes.data(), field.external, field.external);
  const std::int64_t value =
      integer_at(bytes.data(), field.external, field.kind == Kind::signed_int);
  std::memcpy(to, &value, static_cast<std::size_t>(field.memory));
}

/// Calls move(field, place in memory, place in external32) for all fields of `times` elements,
/// whose addresses it moves on.
template <class From, class To, class Move>
void move_fields(const Form& form, std::int64_t times, From& memory, To& external, Move&& move) {
  for (std::int64_t i = 0; i < times; ++i) {
    for (int f = 0; f < form.count; ++f) {
      const Field& field = form.fields.at(static_cast<std::size_t>(f));
      move(field, memory, external);
      memory += field.memory;
      external += field.external;
    }
  }
}

/// Calls visit(number of a predefined datatype, how many) along all elements of a message.
template <class Visit>
void visit_elements(const TypeMap& map, std::int64_t count, Visit&& visit) {
  if (map.signature->hash().elements == 0) return;
  if (map.basic != MPI_DATATYPE_NULL && basic_number(map.basic) == map.signature->hash().first) {
    visit(map.signature->hash().first, map.signature->hash().elements * count);
    return;
  }
  for (std::int64_t i = 0; i < count; ++i) map.signature->visit(visit);
}

}  // namespace

bool has_external32(const TypeMap& map) {
  bool are_known = true;
  visit_elements(map, 1, [&](int basic, std::int64_t /*times*/) {
    are_known = are_known && forms()[basic].count > 0;
  });
  return are_known;
}

std::int64_t external32_size(const TypeMap& map) {
  std::int64_t bytes = 0;
  visit_elements(
      map, 1, [&](int basic, std::int64_t times) { bytes += times * forms()[basic].external(); });
  return bytes;
}

void pack_external32(const MappedView& from, std::byte* to) {
  if (from.bytes() == 0) return;
  const std::byte* memory = from.block();
  std::unique_ptr<std::byte[]> packed;
  if (memory == nullptr) {
    packed = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(from.bytes()));
    pack_bytes(from, packed.get());
    memory = packed.get();
  }
  visit_elements(*from.map, from.count, [&](int basic, std::int64_t times) {
    const Form& form = forms()[basic];
    if (form.is_reversed()) {
      copy_swapped(memory, to, times * form.memory(), form.fields[0].memory);
      memory += times * form.memory();
      to += times * form.external();
      return;
    }
    move_fields(form, times, memory, to,
                [basic](const Field& field, const std::byte* in, std::byte* out) {
                  pack_field(field, in, out, basic);
                });
  });
}

void unpack_external32(const std::byte* from, std::int64_t bytes, const MappedView& to) {
  if (to.bytes() == 0) return;
  const auto size = static_cast<std::size_t>(to.bytes());
  std::byte* const block = to.block();
  std::unique_ptr<std::byte[]> packed;
  if (block == nullptr) packed = std::make_unique_for_overwrite<std::byte[]>(size);
  std::byte* const begin = block != nullptr ? block : packed.get();
  std::byte* memory = begin;
  visit_elements(*to.map, to.count, [&](int basic, std::int64_t wanted) {
    const Form& form = forms()[basic];
    const std::int64_t times = std::min(wanted, bytes / form.external());
    bytes -= times * form.external();
    if (times < wanted) bytes = 0;
    if (form.is_reversed()) {
      copy_swapped(from, memory, times * form.memory(), form.fields[0].memory);
      memory += times * form.memory();
      from += times * form.external();
      return;
    }
    move_fields(form, times, memory, from,
                [](const Field& field, std::byte* out, const std::byte* in) {
                  unpack_field(field, in, out);
                });
  });
  if (block == nullptr) unpack_bytes(begin, memory - begin, to);
}

}  // namespace ep
