// The table of formats of files: words, names, what each can do.
#include "config/file_format.hpp"

#include <gtest/gtest.h>

#include "config/attribute_table.hpp"
#include "config/attributes.hpp"
#include "config/element_kind.hpp"

namespace epios::config::file_format_test {
namespace {

FileAttributes saying(const std::string& format) {
  FileAttributes file;
  file.format = format;
  return file;
}

TEST(FileFormat, the_attribute_has_the_words_of_the_table) {
  std::string words;
  for (const FileFormatTraits& traits : file_formats()) {
    words += (words.empty() ? "" : "|") + std::string(traits.word);
  }
  const AttributeInfo* const row = find_attribute(ElementKind::file, "format");
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->words, words);
  EXPECT_EQ(row->default_text, traits_of(format_of(FileAttributes{})).word);
}

TEST(FileFormat, each_is_found_by_its_word_and_by_its_number) {
  for (const FileFormatTraits& traits : file_formats()) {
    EXPECT_EQ(format_of(saying(std::string(traits.word))), traits.format);
    EXPECT_EQ(traits_of(traits.format).word, traits.word);
    EXPECT_TRUE(traits.suffix.starts_with('.')) << traits.word;
  }
}

TEST(FileFormat, names_get_the_suffix_and_lose_it_again) {
  FileAttributes file = saying("cdf5");
  EXPECT_EQ(file_name(file, "daily"), "daily.nc");
  file.name = "out/ocean";
  file.name_suffix = "_v1.2";
  EXPECT_EQ(file_name(file, "daily"), "out/ocean_v1.2.nc");
  EXPECT_EQ(stem_of("out/ocean_v1.2.nc"), "out/ocean_v1.2");
  EXPECT_EQ(suffix_of("out/ocean_v1.2.nc"), ".nc");
  EXPECT_EQ(stem_of("out/ocean_v1.2"), "out/ocean_v1.2");
  EXPECT_EQ(suffix_of("out.nc/ocean"), "");
  EXPECT_EQ(file_name(saying("zarr"), "daily"), "daily.zarr");
  EXPECT_EQ(file_name(saying("zarr3"), "daily"), "daily.zarr");
  EXPECT_EQ(stem_of("out/daily_2001.zarr"), "out/daily_2001");
}

}  // namespace
}  // namespace epios::config::file_format_test
