// What recorded clients sent, for another number of clients.
#include "dealing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "recording/call_recorder.hpp"
#include "session/run_texts.hpp"

namespace epios::client::dealing_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

constexpr const char* iodef = R"(<simulation><context id='c'>
  <calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>
  <axis_definition><axis id='x' n_glo='4'/></axis_definition>
  <field_definition operation='average' prec='8'>
    <field id='a' axis_ref='x'/><field id='b' axis_ref='x'/>
  </field_definition>
  <file_definition><file id='f' output_freq='2h'>
    <field field_ref='a'/><field field_ref='b'/>
  </file></file_definition>
</context></simulation>)";

class DealingTest : public testing::Test {
 protected:
  DealingTest()
      : folder_((fs::temp_directory_path() / ("epios-dealing-" + std::to_string(::getpid())))
                    .string()) {
    fs::create_directories(folder_);
    std::ofstream(folder_ + "/iodef.xml") << iodef;
  }
  ~DealingTest() override { fs::remove_all(folder_); }

  RecordingHeader header(int client) const {
    RecordingHeader out;
    out.component = out.code_id = "ocean";
    out.client = client;
    out.clients = 2;
    out.clients_of_process = 1;
    out.has_data = true;
    out.texts = encode(read_run_texts(folder_ + "/iodef.xml"));
    return out;
  }

  /// A client has two points of the axis; values say of which field, step and point they are.
  void record(int client, const std::vector<int>& order, int steps) const {
    const auto recorder = CallRecorder::begin(folder_, header(client));
    ASSERT_NE(recorder, nullptr);
    const std::string_view id = "c";
    recorder->call(
        [&](const auto& write) {
          write(CallView{RecordedKind::open_context, 0, std::span(&id, 1)});
        },
        [] {});
    const ContextRecord context(recorder.get());
    const config::Value begin = std::int64_t{2} * client;
    const config::Value count = std::int64_t{2};
    context.call(RecordedKind::set, {"axis", "x", "begin"}, {}, &begin, [] {});
    context.call(RecordedKind::set, {"axis", "x", "n"}, {}, &count, [] {});
    context.call(RecordedKind::close_definition, {}, [] {});
    for (int step = 1; step <= steps; ++step) {
      context.call(RecordedKind::update_calendar, {step}, [] {});
      for (const int field : order) {
        const double first = 100 * field + 10 * step + 2 * client;
        const std::vector<double> values{first, first + 1};
        context.send(
            field, std::span<const double>(values), [] { return sent_flags::is_due; }, [] {});
      }
    }
  }

  /// Returns what a single client sends instead, in the order of client 0.
  std::vector<std::vector<double>> dealt() const {
    replay::Dealing dealing(folder_, header(0), {0, 1});
    replay::RecordingReader reader(recording_path(folder_, "ocean", 0));
    std::vector<std::vector<double>> out;
    while (const auto call = reader.next()) {
      if (call->kind == RecordedKind::open_context) dealing.open(*call);
      if (call->kind == RecordedKind::update_calendar) dealing.go_to(0, call->numbers.at(0));
      if (call->kind != RecordedKind::send) continue;
      auto& values = out.emplace_back(size_of(dealing.size(*call)));
      dealing.fill(*call, std::as_writable_bytes(std::span(values)));
    }
    return out;
  }

  std::string folder_;
};

TEST_F(DealingTest, ClientsMaySendTheFieldsOfAStepInAnyOrder) {
  record(0, {0, 1}, 2);
  record(1, {1, 0}, 2);
  EXPECT_THAT(dealt(), ElementsAre(ElementsAre(10, 11, 12, 13), ElementsAre(110, 111, 112, 113),
                                   ElementsAre(20, 21, 22, 23), ElementsAre(120, 121, 122, 123)));
}

TEST_F(DealingTest, WhatAClientDidNotSendIsAnError) {
  record(0, {0, 1}, 2);
  record(1, {1}, 2);
  try {
    dealt();
    FAIL() << "values of another step";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("recorded client 1 has not sent field 0 at step 1 as client "
                          "0 has (their values cannot be put together)"));
  }
}

}  // namespace
}  // namespace epios::client::dealing_test
