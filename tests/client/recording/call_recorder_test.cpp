#include "recording/call_recorder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "recording_reader.hpp"

namespace epios::client::call_recorder_test {
namespace {

using replay::RecordingReader;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class CallRecorderTest : public testing::Test {
 protected:
  CallRecorderTest()
      : folder_((fs::temp_directory_path() / ("epios-recorder-" + std::to_string(::getpid())))
                    .string()) {}
  ~CallRecorderTest() override { fs::remove_all(folder_); }

  std::unique_ptr<CallRecorder> begin(bool has_data) const {
    RecordingHeader header;
    header.component = "ocean_003";
    header.code_id = "ocean";
    header.member = "003";
    header.settings = "carrier=messages";
    header.client = 0;
    header.clients = 5;
    header.clients_of_process = 1;
    header.servers = 2;
    header.is_attached = true;
    header.has_data = has_data;
    header.texts = {std::byte{7}};
    return CallRecorder::begin(folder_, header);
  }
  std::string path() const { return recording_path(folder_, "ocean_003", 0); }

  std::string folder_;
};

template <class T>
std::vector<T> values_of(const RecordedCall& call) {
  std::vector<T> out(call.data.size() / sizeof(T));
  std::memcpy(out.data(), call.data.data(), call.data.size());
  return out;
}

std::vector<config::Value> values_of_all_types() {
  return {true,
          std::int64_t{-7},
          0.1,
          std::string("text"),
          config::Duration::parse("1mo 3h"),
          config::value::booleans{{1, 0}, {2}},
          config::value::integers{{-1, 1LL << 40U}, {1, 2}},
          config::value::reals{{0.5, -0.0}, {2}},
          config::value::strings{{"a", "", "c"}, {3}}};
}

TEST_F(CallRecorderTest, WhatIsWrittenIsRead) {
  const std::vector<config::Value> values = values_of_all_types();
  {
    const auto recorder = begin(true);
    ASSERT_NE(recorder, nullptr);
    const ContextRecord first(recorder.get());
    const ContextRecord second(recorder.get());
    for (const config::Value& value : values) {
      second.call(RecordedKind::set, {"domain", "d", "ni"}, {}, &value, [] {});
    }
    first.call(RecordedKind::update_calendar, {-1}, [] {});
  }
  RecordingReader reader(path());
  EXPECT_EQ(reader.header().code_id, "ocean");
  EXPECT_EQ(reader.header().member, "003");
  EXPECT_EQ(reader.header().settings, "carrier=messages");
  EXPECT_EQ(reader.header().clients, 5);
  EXPECT_TRUE(reader.header().is_attached);
  EXPECT_THAT(reader.header().texts, ElementsAre(std::byte{7}));
  for (const config::Value& value : values) {
    const auto call = reader.next();
    ASSERT_TRUE(call);
    EXPECT_EQ(call->kind, RecordedKind::set);
    EXPECT_EQ(call->context, 1U);
    EXPECT_THAT(call->texts, ElementsAre("domain", "d", "ni"));
    EXPECT_EQ(call->value, value);
  }
  EXPECT_THAT(reader.next()->numbers, ElementsAre(-1));
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.is_cut());
}

// Arrays larger than the window of the file between small ones, as they come.
TEST_F(CallRecorderTest, ArraysOfAnySizeFollowEachOther) {
  const std::vector<std::size_t> sizes{3, 300'000, 1, 40'000, 131'072, 2};
  {
    const auto recorder = begin(true);
    const ContextRecord context(recorder.get());
    for (const std::size_t size : sizes) {
      std::vector<double> data(size);
      std::iota(data.begin(), data.end(), 0.25);
      context.send(
          4, std::span<const double>(data), [] { return sent_flags::is_due; }, [] {});
      context.send(
          5, std::span<const double>(data), [] { return std::int64_t{0}; }, [] {});
    }
  }
  RecordingReader reader(path());
  for (const std::size_t size : sizes) {
    const auto call = reader.next();
    ASSERT_TRUE(call);
    EXPECT_THAT(call->numbers,
                ElementsAre(4, 8, size, sent_flags::is_due | sent_flags::has_values));
    const std::vector<double> values = values_of<double>(*call);
    ASSERT_EQ(values.size(), size);
    EXPECT_EQ(values.back(), static_cast<double>(size) - 0.75);
    // Nobody needed them.
    const auto idle = reader.next();
    EXPECT_THAT(idle->numbers, ElementsAre(5, 8, size, 0));
    EXPECT_TRUE(idle->data.empty());
  }
  EXPECT_FALSE(reader.next());
}

TEST_F(CallRecorderTest, SizesKeepValuesAtEqualDistances) {
  {
    const auto recorder = begin(false);
    const ContextRecord context(recorder.get());
    std::vector<float> data(631);
    std::iota(data.begin(), data.end(), 0.0F);
    for (const std::size_t count : {data.size(), std::size_t{3}, std::size_t{1}, std::size_t{0}}) {
      context.send(
          0, std::span<const float>(data.data(), count), [] { return sent_flags::is_due; }, [] {});
    }
  }
  RecordingReader reader(path());
  const std::vector<float> many = values_of<float>(*reader.next());
  ASSERT_EQ(many.size(), sampled_values);
  EXPECT_EQ(many[1], 10);
  EXPECT_EQ(many.back(), 630);
  EXPECT_THAT(values_of<float>(*reader.next()), ElementsAre(0, 1, 2));
  EXPECT_THAT(values_of<float>(*reader.next()), ElementsAre(0));
  EXPECT_TRUE(reader.next()->data.empty());
}

TEST_F(CallRecorderTest, WhatFailsIsKeptAndWhatIsInsideIsNot) {
  {
    const auto recorder = begin(true);
    const ContextRecord context(recorder.get());
    EXPECT_THROW(context.call(RecordedKind::finalize, {},
                              [&] {
                                context.call(RecordedKind::update_calendar, {3}, [] {});
                                throw Error(ErrorCode::io, "the disk is gone");
                              }),
                 Error);
    EXPECT_EQ(context.call(RecordedKind::solve_inheritance, {}, [] { return 12; }), 12);
    recorder->abandon("no more");
    context.call(RecordedKind::finalize, {}, [] {});
  }
  RecordingReader reader(path());
  EXPECT_EQ(reader.next()->kind, RecordedKind::finalize);
  EXPECT_EQ(reader.peek_kind(), RecordedKind::failure);
  EXPECT_THAT(reader.next()->texts, ElementsAre("the disk is gone"));
  EXPECT_EQ(reader.next()->kind, RecordedKind::solve_inheritance);
  const auto last = reader.next();
  EXPECT_EQ(last->kind, RecordedKind::abandon);
  EXPECT_THAT(last->texts, ElementsAre("no more"));
  EXPECT_FALSE(reader.next());
}

// As it is when the process is killed, or the file was cut.
TEST_F(CallRecorderTest, APartOfAFileIsReadAsFarAsItGoes) {
  const auto recorder = begin(true);
  const ContextRecord context(recorder.get());
  context.call(RecordedKind::update_calendar, {1}, [] {});
  context.call(RecordedKind::set_text, {"field", "sst", "name", "temperature"}, {}, nullptr, [] {});
  {
    RecordingReader reader(path());
    EXPECT_EQ(reader.next()->kind, RecordedKind::update_calendar);
    EXPECT_EQ(reader.next()->kind, RecordedKind::set_text);
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.is_cut());
  }
  recorder->abandon("");
  fs::resize_file(path(), fs::file_size(path()) - 12);
  RecordingReader reader(path());
  EXPECT_EQ(reader.next()->kind, RecordedKind::update_calendar);
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.is_cut());
}

TEST_F(CallRecorderTest, DamagedBytesAreRefused) {
  {
    const auto recorder = begin(true);
    ContextRecord(recorder.get()).call(RecordedKind::update_calendar, {1}, [] {});
  }
  std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out | std::ios::ate);
  file.put('\x7f');
  file.close();
  RecordingReader reader(path());
  EXPECT_TRUE(reader.next());
  try {
    reader.next();
    FAIL() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), "'" + path() +
                                "' cannot be played (a call in it is of kind 127). Is it a whole "
                                "file of a recording?");
  }
}

// Whatever is in a file: it is read as far as it makes sense, or refused in our words.
TEST_F(CallRecorderTest, AnyByteMayBeAnother) {
  {
    const auto recorder = begin(true);
    const ContextRecord context(recorder.get());
    for (const config::Value& value : values_of_all_types()) {
      context.call(RecordedKind::set, {"domain", "d", "ni"}, {}, &value, [] {});
    }
    const std::vector<float> data(3);
    context.send(
        0, std::span<const float>(data), [] { return sent_flags::is_due; }, [] {});
    context.send_tile(1, 2, std::span<const float>(data), [] {});
    context.call(RecordedKind::out_of_order, {""}, {3}, nullptr, [] {});
    recorder->abandon("over");
  }
  std::string good(fs::file_size(path()), '\0');
  std::ifstream(path(), std::ios::binary)
      .read(good.data(), static_cast<std::streamsize>(good.size()));
  int refused = 0;
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
      std::string bad = good;
      bad[at] = static_cast<char>(static_cast<unsigned char>(bad[at]) ^ change);
      std::ofstream(path(), std::ios::binary) << bad;
      try {
        RecordingReader reader(path());
        while (reader.next()) {
        }
      } catch (const Error&) {
        ++refused;
      } catch (const std::exception& error) {
        ADD_FAILURE() << at << " " << change << ": " << error.what();
      }
    }
  }
  EXPECT_GT(refused, 100);
}

TEST_F(CallRecorderTest, AFullDiskEndsTheRecordingAlone) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto recorder = begin(true);
  const rlimit small{1 << 20U, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const ContextRecord context(recorder.get());
  const std::vector<double> data(10'000);
  testing::internal::CaptureStderr();
  int sends = 0;
  for (int i = 0; i < 30; ++i) {
    context.send(
        0, std::span<const double>(data), [] { return sent_flags::is_due; }, [&] { ++sends; });
  }
  const std::string said = testing::internal::GetCapturedStderr();
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(sends, 30);
  EXPECT_EQ(said,
            "epios: warning: component 'ocean_003': its calls are not recorded any more "
            "(client 0 cannot write '" +
                path() +
                "': File too large); the run goes on. Is there room in the folder that "
                "variable record of context xios names?\n");
  EXPECT_LE(fs::file_size(path()), 1U << 20U);
}

// Another job with the same folder: what the first one has mapped must stay as long as it is.
TEST_F(CallRecorderTest, TwoRunsInOneFolderDoNotHarmEachOther) {
  auto first = begin(true);
  ASSERT_NE(first, nullptr);
  const ContextRecord context(first.get());
  context.call(RecordedKind::update_calendar, {1}, [] {});
  testing::internal::CaptureStderr();
  EXPECT_EQ(begin(true), nullptr);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "epios: warning: component 'ocean_003': its calls are not recorded (another run writes '" +
          path() + "'). Name another folder by variable record of context xios?\n");
  for (int step = 2; step < 1000; ++step) {
    context.call(RecordedKind::set_text, {"field", "sst", "name", std::string(2000, 'x')}, {},
                 nullptr, [] {});
  }
  context.call(RecordedKind::update_calendar, {7}, [] {});
  first.reset();
  RecordingReader reader(path());
  std::int64_t last = 0;
  while (const auto call = reader.next()) {
    if (call->kind == RecordedKind::update_calendar) last = call->numbers.at(0);
  }
  EXPECT_EQ(last, 7);
  // Whoever has ended has left the name to others.
  EXPECT_NE(begin(true), nullptr);
}

TEST_F(CallRecorderTest, ComponentsHaveFilesOfTheirOwn) {
  EXPECT_EQ(recording_path("f", "ocean_3-b", 12), "f/ocean_3-b.12.calls");
  EXPECT_EQ(recording_path("f", "a b", 0), "f/a%20b.0.calls");
  EXPECT_NE(recording_path("f", "a/b", 0), recording_path("f", "a_b", 0));
  EXPECT_EQ(recording_path("f", "../\xc3\xa9\n", 0), "f/%2E%2E%2F%C3%A9%0A.0.calls");
}

// The process was killed as it wrote the first bytes of a call: zeros follow.
TEST_F(CallRecorderTest, ACallOfWhichOnlyTheKindIsThereIsTheEnd) {
  {
    const auto recorder = begin(true);
    ContextRecord(recorder.get()).call(RecordedKind::update_calendar, {1}, [] {});
  }
  const auto size = fs::file_size(path());
  for (const RecordedKind kind : {RecordedKind::send, RecordedKind::set, RecordedKind::set_text,
                                  RecordedKind::open_context, RecordedKind::child}) {
    fs::resize_file(path(), size);
    fs::resize_file(path(), size + 4096);
    std::fstream file(path(), std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(size));
    file.put(static_cast<char>(kind));
    file.close();
    RecordingReader reader(path());
    EXPECT_EQ(reader.next()->kind, RecordedKind::update_calendar);
    EXPECT_FALSE(reader.next());
    EXPECT_TRUE(reader.is_cut());
  }
}

TEST_F(CallRecorderTest, AFolderThatCannotBeMadeIsSaidOnce) {
  std::ofstream(folder_) << "no folder";
  testing::internal::CaptureStderr();
  EXPECT_EQ(begin(true), nullptr);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("': Not a directory); the run"));
}

}  // namespace
}  // namespace epios::client::call_recorder_test
