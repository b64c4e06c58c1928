#include "session/run_settings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "config/document.hpp"
#include "config/run_variables.hpp"
#include "transport/channel.hpp"

namespace epios::client::run_settings_test {
namespace {

config::Definitions definitions(const std::string& variables) {
  const std::string text = "<simulation><context id=\"xios\"><variable_definition>" + variables +
                           "</variable_definition></context></simulation>";
  return config::Definitions(config::Document({{"iodef.xml", text}}));
}

RunSettings read(const std::string& variables) { return read_run_settings(definitions(variables)); }

std::string variable(std::string_view id, std::string_view value) {
  return "<variable id=\"" + std::string(id) + "\">" + std::string(value) + "</variable>";
}

// The reference page says what is used.
TEST(RunSettings, DefaultsAreThoseOfTheTable) {
  const RunSettings settings = read("");
  const auto default_of = [](const char* id) {
    return std::stod(std::string(config::run_variable(id).default_text));
  };
  EXPECT_EQ(static_cast<double>(settings.shared_record_bytes), default_of("shared_record_bytes"));
  EXPECT_EQ(static_cast<double>(settings.buffer_bytes), default_of("buffer_bytes"));
  EXPECT_EQ(settings.patience_s, default_of("patience_s"));
  EXPECT_EQ(settings.give_up_s, default_of("give_up_s"));
  EXPECT_EQ(settings.carrier, 0);
  EXPECT_FALSE(settings.uses_second_level);
  EXPECT_EQ(static_cast<double>(settings.second_level_percent), default_of("second_level_percent"));
  EXPECT_EQ(static_cast<double>(settings.second_level_groups), default_of("second_level_groups"));
}

TEST(RunSettings, SecondLevelIsThatOfXios) {
  const RunSettings settings =
      read(variable("using_server2", ".true.") + variable("ratio_server2", "20") +
           variable("number_pools_server2", "3"));
  EXPECT_TRUE(settings.uses_second_level);
  EXPECT_EQ(settings.second_level_percent, 20);
  EXPECT_EQ(settings.second_level_groups, 3);
}

TEST(RunSettings, EveryWordOfTheTableIsTaken) {
  EXPECT_EQ(config::run_variable("carrier").words, "auto|shared_memory|messages|one_sided");
  EXPECT_EQ(read(variable("carrier", "auto")).carrier, 0);
  for (const auto kind :
       {io::CarrierKind::shared_memory, io::CarrierKind::messages, io::CarrierKind::one_sided}) {
    EXPECT_EQ(read(variable("carrier", io::name(kind))).carrier, static_cast<int>(kind));
  }
}

TEST(RunSettings, OneSidedIsAskedForInTheWordsOfXiosToo) {
  const int one_sided = static_cast<int>(io::CarrierKind::one_sided);
  EXPECT_EQ(read(variable("transport_protocol", "one_sided")).carrier, one_sided);
  for (const char* word : {"default", "legacy", "legacy_v2", "p2p", "online", "pigeon"}) {
    EXPECT_EQ(read(variable("transport_protocol", word)).carrier, 0) << word;
  }
  // Our own name is the stronger one, whatever it says.
  const std::string both = variable("transport_protocol", "one_sided");
  EXPECT_EQ(read(both + variable("carrier", "auto")).carrier, 0);
  EXPECT_EQ(read(both + variable("carrier", "messages")).carrier,
            static_cast<int>(io::CarrierKind::messages));
}

// Of what comes the other way only memory and messages.
TEST(RunSettings, AnswersDoNotComeThroughWindows) {
  EXPECT_EQ(read(variable("carrier", "one_sided")).carrier_of_answers(), 0);
  EXPECT_EQ(read(variable("carrier", "messages")).carrier_of_answers(),
            static_cast<int>(io::CarrierKind::messages));
  EXPECT_EQ(read("").carrier_of_answers(), 0);
}

// The warning of it is config's, at the place in the file.
TEST(RunSettings, TextThatIsNoValueLeavesTheDefault) {
  const RunSettings defaults = read("");
  const RunSettings settings =
      read(variable("shared_record_bytes", "-1") + variable("buffer_bytes", "much") +
           variable("patience_s", "0") + variable("carrier", "pigeon"));
  EXPECT_EQ(settings.shared_record_bytes, defaults.shared_record_bytes);
  EXPECT_EQ(settings.buffer_bytes, defaults.buffer_bytes);
  EXPECT_EQ(settings.patience_s, defaults.patience_s);
  EXPECT_EQ(settings.carrier, defaults.carrier);
}

TEST(RunSettings, NumbersAreTakenAsFortranWritesThem) {
  const RunSettings settings =
      read(variable("shared_record_bytes", "0") + variable("buffer_bytes", "+4096") +
           variable("patience_s", "1.5d-1") + variable("give_up_s", "90"));
  EXPECT_EQ(settings.shared_record_bytes, 0);
  EXPECT_EQ(settings.buffer_bytes, 4096);
  EXPECT_EQ(settings.patience_s, 0.15);
  EXPECT_EQ(settings.give_up_s, 90);
}

TEST(RunSettings, SignalsStopARunOnlyWhereOneIsNamed) {
  EXPECT_EQ(read("").stop_on_signal, "");
  EXPECT_EQ(read(variable("stop_on_signal", "none")).stop_on_signal, "");
  EXPECT_EQ(read(variable("stop_on_signal", "TERM+USR2")).stop_on_signal, "TERM+USR2");
  EXPECT_EQ(read(variable("stop_on_signal", "KILL")).stop_on_signal, "");
}

TEST(RunSettings, ReportsAndCouplersAreAskedFor) {
  ::unsetenv("EPIOS_LOG");
  EXPECT_EQ(report_detail(definitions("")), ReportDetail::summary);
  EXPECT_EQ(report_detail(definitions(variable("info_level", "49"))), ReportDetail::none);
  EXPECT_EQ(report_detail(definitions(variable("info_level", "50"))), ReportDetail::summary);
  EXPECT_EQ(report_detail(definitions(variable("log_level", "100"))), ReportDetail::all);
  ::setenv("EPIOS_LOG", "warning", 1);
  EXPECT_EQ(report_detail(definitions("")), ReportDetail::summary);
  EXPECT_EQ(report_detail(definitions(variable("info_level", "0"))), ReportDetail::none);
  ::setenv("EPIOS_LOG", "info", 1);
  EXPECT_EQ(report_detail(definitions(variable("info_level", "0"))), ReportDetail::all);
  ::setenv("EPIOS_LOG", "error", 1);
  EXPECT_EQ(report_detail(definitions(variable("log_level", "100"))), ReportDetail::none);
  ::unsetenv("EPIOS_LOG");
  EXPECT_FALSE(is_coupled(definitions("")));
  EXPECT_TRUE(is_coupled(definitions(variable("using_oasis", "true"))));
}

TEST(RunSettings, EachComponentHasItsOwnReport) {
  ::unsetenv("EPIOS_REPORT");
  EXPECT_EQ(report_path(definitions(""), "ocean"), "");
  const auto asked = definitions(variable("report_file", "logs/run.json"));
  EXPECT_EQ(report_path(asked, "ocean"), "logs/run_ocean.json");
  EXPECT_EQ(report_path(asked, "../sea ice"), "logs/run_.._sea_ice.json");
  ::setenv("EPIOS_REPORT", "other", 1);
  EXPECT_EQ(report_path(asked, "ocean"), "other_ocean.json");
  ::setenv("EPIOS_REPORT", "", 1);  // not this time
  EXPECT_EQ(report_path(asked, "ocean"), "");
  ::unsetenv("EPIOS_REPORT");
}

}  // namespace
}  // namespace epios::client::run_settings_test
