#include "config/model.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "sample.hpp"

namespace epios::config::model_test {
namespace {

std::uint64_t fnv1a(std::span<const std::byte> bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const std::byte byte : bytes) {
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3U;
  }
  return hash;
}

/// Bytes with a checksum that fits again, so that what is behind it is reached.
void repair(std::vector<std::byte>& bytes) {
  if (bytes.size() < 8) return;
  const std::uint64_t sum = fnv1a(std::span(bytes).first(bytes.size() - 8));
  for (std::size_t i = 0; i < 8; ++i) {
    bytes[bytes.size() - 8 + i] = static_cast<std::byte>(sum >> (8 * i));
  }
}

/// Whether decoding succeeds; anything but a Model or Error{protocol} fails the test.
bool decodes(const std::vector<std::byte>& bytes) {
  try {
    const Model model = decode_model(bytes);
    EXPECT_EQ(encode(model), bytes);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::protocol);
    return false;
  }
}

TEST(Model, comes_back_from_its_bytes) {
  const Model model = test::model(test::sample_xml);
  const std::vector<std::byte> bytes = encode(model);
  const Model back = decode_model(bytes);
  EXPECT_EQ(encode(back), bytes);
  EXPECT_EQ(to_json(back), to_json(model));
  EXPECT_EQ(global_hash(back), global_hash(model));
  EXPECT_EQ(back.streams.at(3).file, 1);
  EXPECT_EQ(back.streams.at(3).sampling, model.streams.at(3).sampling);
  EXPECT_EQ(back.record_times(back.streams[0]).of(0).end.ms,
            model.record_times(model.streams[0]).of(0).end.ms);
}

TEST(Model, bytes_begin_with_a_mark_and_are_little_endian) {
  const std::vector<std::byte> bytes = encode(test::model(test::sample_xml));
  const std::string head(reinterpret_cast<const char*>(bytes.data()), 8);
  EXPECT_EQ(head, "EPIOSM03");
  // After the mark and the hash of the table: the length of "ocean" in eight bytes.
  EXPECT_EQ(std::to_integer<int>(bytes.at(16)), 5);
  EXPECT_EQ(std::to_integer<int>(bytes.at(17)), 0);
}

TEST(Model, hash_is_of_the_global_part_only) {
  Definitions d = test::definitions(test::sample_xml);
  const std::uint64_t before = global_hash(d.resolve("ocean"));
  d.set("ocean", ElementKind::domain, "globe", "ibegin", std::int64_t{2}, "call");
  d.set("ocean", ElementKind::domain, "globe", "ni", std::int64_t{3}, "call");
  EXPECT_EQ(global_hash(d.resolve("ocean")), before);
  d.set("ocean", ElementKind::domain, "globe", "ni_glo", std::int64_t{9}, "call");
  EXPECT_NE(global_hash(d.resolve("ocean")), before);
}

TEST(Model, hash_does_not_depend_on_where_things_are_written) {
  std::string shifted = test::sample_xml;
  shifted.insert(shifted.find("<file id"), "\n\n  <!-- three lines further -->\n");
  EXPECT_EQ(global_hash(test::model(shifted)), global_hash(test::model(test::sample_xml)));
}

TEST(Model, equal_definitions_from_the_api_and_from_xml_have_equal_bytes) {
  std::string without = test::sample_xml;
  const std::string in_xml = " ni_glo=\"8\" nj_glo=\"4\"";
  without.erase(without.find(in_xml), in_xml.size());
  Definitions d = test::definitions(without);
  d.set("ocean", ElementKind::domain, "globe", "ni_glo", std::int64_t{8}, "call");
  d.set("ocean", ElementKind::domain, "globe", "nj_glo", std::int64_t{4}, "call");
  EXPECT_EQ(encode(d.resolve("ocean")), encode(test::model(test::sample_xml)));
}

TEST(Model, refuses_bytes_cut_anywhere) {
  const std::vector<std::byte> bytes = encode(test::model(test::sample_xml));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    ASSERT_FALSE(decodes(cut)) << size;
    repair(cut);
    ASSERT_FALSE(decodes(cut)) << size;
  }
}

TEST(Model, never_crashes_on_changed_bytes) {
  const std::vector<std::byte> bytes = encode(test::model(test::sample_xml));
  std::mt19937 random(11);
  std::uniform_int_distribution<std::size_t> place(0, bytes.size() - 1);
  std::uniform_int_distribution<int> value(0, 255);
  std::uniform_int_distribution<int> times(1, 4);
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<std::byte> changed = bytes;
    for (int n = times(random); n > 0; --n) {
      changed[place(random)] = static_cast<std::byte>(value(random));
    }
    if (changed == bytes) continue;
    ASSERT_FALSE(decodes(changed)) << "the checksum lets changes through";
    repair(changed);
    accepted += decodes(changed) ? 1 : 0;
  }
  // Changes inside texts and numbers make other models: they were read behind the checksum.
  EXPECT_GT(accepted, 1000);
}

TEST(Model, says_why_bytes_are_refused) {
  const auto refusal = [](const std::vector<std::byte>& bytes) {
    try {
      decode_model(bytes);
    } catch (const Error& error) {
      return test::without_codes(error.what());
    }
    return std::string("no error");
  };
  std::vector<std::byte> bytes = encode(test::model(test::sample_xml));
  const std::string hint = "Do client and server run the same version?";
  EXPECT_EQ(refusal({}),
            "the bytes of a model cannot be read (they do not begin like a model). " + hint);
  bytes[10] ^= std::byte{1};
  EXPECT_EQ(refusal(bytes),
            "the bytes of a model cannot be read (the checksum does not match). " + hint);
  repair(bytes);
  EXPECT_EQ(
      refusal(bytes),
      "the bytes of a model cannot be read (they were made with another attribute table). " + hint);
}

/// What means are made of goes on, as they do.
TEST(Model, what_others_are_made_of_is_read_on_from_run_to_run) {
  Model model = test::model(test::sample_xml);
  ReadField field;
  field.source = SourceId(0);
  field.reading.period = Duration::parse("24h");
  EXPECT_EQ(model.first_record(field), 0);
  model.steps_before = 30;  // of an hour
  const Calendar calendar = model.calendar();
  EXPECT_EQ(model.schedule(field).record_at(model.start_date), 0);
  EXPECT_EQ(model.schedule(field).record_at(calendar.at_step(model.start_date, 48)), 2);
  EXPECT_EQ(model.first_record(field), 2);
  model.steps_before = 24;
  EXPECT_EQ(model.first_record(field), 1) << "the record of the start itself";
  field.reading.is_once = true;
  EXPECT_EQ(model.first_record(field), 0);
}

/// What the model receives begins again with each job: a restart is at its start.
TEST(Model, what_is_read_counts_from_the_start_of_this_run) {
  Model model = test::model(test::sample_xml);
  ReadField field;
  field.reading.period = Duration::parse("1y");
  const Instant first = model.start_date;
  EXPECT_EQ(model.schedule(field).record_at(first), 0);
  model.steps_before = 30;  // of an hour
  const Instant cut = model.calendar().at_step(first, 30);
  EXPECT_EQ(model.schedule(field).record_at(cut), 0);
  EXPECT_EQ(model.schedule(field).record_at(first), -1);
}

TEST(Model, prints_as_the_golden_file_says) {
  std::ifstream stream(EPIOS_TEST_FOLDER "/model/sample.json");
  ASSERT_TRUE(stream) << "no golden file";
  std::stringstream golden;
  golden << stream.rdbuf();
  EXPECT_EQ(to_json(test::model(test::sample_xml)), golden.str());
}

}  // namespace
}  // namespace epios::config::model_test
