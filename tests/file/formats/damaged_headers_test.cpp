// Headers of CDF-5 files that say what cannot be: a recovery reads those of files that a run has
// left, whatever happened to them since.
#include <cstdint>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "formats/cdf_header.hpp"
#include "scratch.hpp"

namespace epios::io::test::damaged_headers_test {
namespace {

class Bytes {
 public:
  Bytes& number(std::uint64_t value, int bytes) {
    for (int b = bytes - 1; b >= 0; --b) text_ += static_cast<char>(value >> (8 * b) & 0xffU);
    return *this;
  }
  Bytes& raw(const std::string& text) {
    text_ += text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A header up to the first dimension.
Bytes front() { return Bytes().raw("CDF\x05").number(0, 8).number(10, 4).number(1, 8); }

/// Records of one variable, whose dimensions have these lengths.
Bytes with_variable(const std::vector<std::uint64_t>& lengths, std::uint64_t begin) {
  Bytes out;
  out.raw("CDF\x05").number(0, 8).number(10, 4).number(lengths.size(), 8);
  for (const std::uint64_t length : lengths)
    out.number(1, 8).raw(std::string("d\0\0\0", 4)).number(length, 8);
  out.number(0, 4).number(0, 8).number(11, 4).number(1, 8).number(1, 8).raw(
      std::string("v\0\0\0", 4));
  out.number(lengths.size(), 8);
  for (std::uint64_t d = 0; d < lengths.size(); ++d) out.number(d, 8);
  return out.number(0, 4).number(0, 8).number(6, 4).number(0, 8).number(begin, 8);
}

void expect_refused(const Bytes& header) {
  const std::string& text = header.text();
  EXPECT_THROW(read_cdf_header(std::as_bytes(std::span(text)), "f.nc"), Error);
}

TEST(DamagedHeaders, names_and_attributes_of_any_length) {
  for (const std::uint64_t length :
       {std::uint64_t{100}, ~std::uint64_t{0}, ~std::uint64_t{0} - 3}) {
    expect_refused(front().number(length, 8).raw("dddddddd"));
    Bytes attribute = front().number(1, 8).raw(std::string("d\0\0\0", 4)).number(2, 8);
    attribute.number(12, 4).number(1, 8).number(1, 8).raw(std::string("a\0\0\0", 4));
    expect_refused(attribute.number(6, 4).number(length, 8).raw("dddddddd"));
  }
  expect_refused(front().number(1, 8).raw("d").number(std::uint64_t{1} << 61U, 8));
}

TEST(DamagedHeaders, sizes_that_no_number_holds) {
  constexpr std::uint64_t large = std::uint64_t{1} << 40U;
  const auto good = with_variable({2, 3}, 200);
  const CdfHeader header = read_cdf_header(std::as_bytes(std::span(good.text())), "f.nc");
  EXPECT_EQ(header.records_begin, 248U);
  expect_refused(with_variable({large, large}, 200));
  expect_refused(with_variable({0, large, large}, 200));
  expect_refused(with_variable({2, 3}, ~std::uint64_t{0}));
}

// What a journal promises is compared with the length of the file.
TEST(DamagedHeaders, any_number_of_records) {
  const auto text = with_variable({0, 3}, 200);
  const CdfHeader header = read_cdf_header(std::as_bytes(std::span(text.text())), "f.nc");
  EXPECT_EQ(header.file_bytes(2), 248U);
  for (const std::uint64_t records : {std::uint64_t{1} << 60U, ~std::uint64_t{0}}) {
    EXPECT_EQ(header.file_bytes(records), std::uint64_t{1} << 63U);
  }
}

}  // namespace
}  // namespace epios::io::test::damaged_headers_test
