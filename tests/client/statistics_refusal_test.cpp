// What restarts that cannot be meant are told before their first step: the same on all clients,
// which can mend it and go on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cut_runs.hpp"

namespace epios::client::statistics_refusal_test {
namespace {

using ::testing::HasSubstr;

class Restart {
 public:
  explicit Restart(Client& client) : client_(client), context_(client.open_context("ocean")) {
    define(context_, client_, {30, 40, "after", 5});
  }
  void set(const char* element, const char* id, const char* attribute, const char* text) {
    context_.set(element, id, attribute, text);
  }
  std::string told() {
    wait_for_all();
    std::string text = "nothing";
    try {
      context_.close_definition();
    } catch (const Error& error) {
      text = error.what();
    }
    wait_for_all();
    return text;
  }
  /// With another value of an attribute, which is as before afterwards.
  std::string told(const char* element, const char* id, const char* attribute, const char* text,
                   const char* before) {
    set(element, id, attribute, text);
    std::string out = told();
    set(element, id, attribute, before);
    return out;
  }
  void go_on() { context_.finalize(); }
  bool is_first() const { return client_.rank() == 0; }

 private:
  Client& client_;
  Context context_;
};

void check_other_configurations(Restart& restart) {
  EXPECT_THAT(
      restart.told("calendar", "", "start_date", "2000-01-31 07:00:00", "2000-01-31 06:00:00"),
      HasSubstr("start_date of context 'ocean' is 2000-01-31 07:00:00, the run before ended "
                "at 2000-01-31 06:00:00"));
  EXPECT_THAT(restart.told("calendar", "", "timestep", "30mi", "1h"),
              HasSubstr("timestep of context 'ocean' is '30mi', of the run before it was '1h'"));
  EXPECT_THAT(restart.told("file", "now", "output_freq", "10h", "5h"),
              HasSubstr("field 'u' of file 'now' cannot go on (freq_offset is '9h', was '4h', "
                        "freq_op is '10h', was '5h', output_freq is '10h', was '5h'"));
  const std::string other = restart.told("field", "speed", "expr", "u*u + v", "sqrt(u*u + v*v)");
  EXPECT_THAT(other,
              HasSubstr("field 'speed' of file 'means' cannot go on (its data come from other "
                        "fields or another expression"));
  EXPECT_THAT(other, HasSubstr("iodef.xml:"));
  EXPECT_THAT(restart.told("file", "parts", "enabled", "false", "true"),
              HasSubstr("field 'v' of file 'parts' goes on in no field"));
  EXPECT_THAT(restart.told("context", "", "output_dir", "before", "after"),
              HasSubstr("was written by the run before"));
}

void check_other_files(Restart& restart) {
  const auto keep = std::filesystem::copy_options::overwrite_existing;
  if (restart.is_first()) {
    std::filesystem::copy_file("state.nc", "good.nc", keep);
    std::filesystem::resize_file("state.nc", std::filesystem::file_size("state.nc") / 2);
  }
  EXPECT_THAT(restart.told(), HasSubstr("state.nc' cannot be opened"));
  if (restart.is_first()) std::ofstream("state.nc") << "no NetCDF at all";
  EXPECT_THAT(restart.told(), HasSubstr("state.nc' cannot be opened"));
  if (restart.is_first()) std::filesystem::copy_file("before/now.nc", "state.nc", keep);
  EXPECT_THAT(restart.told(), HasSubstr("is no statistics file of this version"));
  if (restart.is_first()) std::filesystem::copy_file("good.nc", "state.nc", keep);
}

TEST(StatisticsRefusal, AllClientsHearOfIt) {
  const SharedFolder folder;
  Session session("model");
  Client client(session);
  run(client, {0, 30, "before", 3});
  Restart restart(client);
  check_other_configurations(restart);
  check_other_files(restart);
  EXPECT_EQ(restart.told(), "nothing") << "the file is as good as before";
  restart.go_on();
  client.close();
  session.close();
}

}  // namespace
}  // namespace epios::client::statistics_refusal_test
