// One mistake each in the good configuration of an ocean: found, at its line, in words that help.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "config/check.hpp"
#include "config/unused.hpp"

namespace epios::config::seeded_mistakes_test {
namespace {

using Path = std::filesystem::path;

struct Mistake {
  const char* file;
  const char* text;  ///< of the good configuration; its first place is meant
  const char* by;    ///< what stands there instead
  Severity severity;
  const char* word;               ///< in the message at the line of the edit
  const char* consequences = "";  ///< words, by '|': other findings must hold one of them
  const char* blamed_file = "";   ///< when another line is to blame: that of this text
  const char* blamed_text = "";
};

/// What GoogleTest shows of a parameter.
// NOLINTNEXTLINE(readability-identifier-naming)
void PrintTo(const Mistake& mistake, std::ostream* stream) {
  *stream << mistake.file << ": " << mistake.by;
}

const std::array mistakes = std::to_array<Mistake>({
    {"context_nemo.xml", "<axis_definition src", "<axes_definition src", Severity::warning,
     "'axis_definition'", "refers to nothing"},
    {"axis_def.xml", R"(<axis id="depthu")", R"(<axs id="depthu")", Severity::warning, "'axis'",
     "'depthu'"},
    {"grid_def.xml", R"(<domain domain_ref="grid_T"/><axis axis_ref="deptht"/>)",
     R"(<domian domain_ref="grid_T"/><axis axis_ref="deptht"/>)", Severity::warning, "'domain'",
     "comes on grid"},
    {"field_def_oce.xml", R"(<field id="sst" )", R"(<feild id="sst" )", Severity::warning,
     "'field'", "'sst'|g_sst"},
    {"field_def_oce.xml", R"(<field_group id="mooring")", R"(<fieldgroup id="mooring")",
     Severity::warning, "'field_group'", "</field_group>|group_ref 'mooring'"},
    {"file_def_oce.xml", R"(<file id="file01")", R"(<fiel id="file01")", Severity::warning,
     "'file'", "</file> ends <fiel>"},
    {"domain_def.xml", "<interpolate_domain order", "<interpolate_domains order", Severity::error,
     "'interpolate_domain'", "its data come on grid 'grid_T_2D'"},
    {"domain_def.xml", R"(<extract_domain ibegin="0")", R"(<extract_axis ibegin="0")",
     Severity::error, "<axis>"},
    {"context_nemo.xml", R"(<variable id="rho0")", R"(<varaible id="rho0")", Severity::warning,
     "'variable'"},
    {"context_nemo.xml", "<calendar type", "<calender type", Severity::warning, "'calendar'",
     "has no calendar"},
    {"file_def_oce.xml", R"(<field field_ref="ssh" name="zos"/>)",
     R"(<axis id="stray" n_glo="3"/>)", Severity::warning, "<axis_definition>"},
    {"grid_def.xml", R"(<axis axis_ref="nstrait"/>)", R"(<field field_ref="sst"/>)",
     Severity::warning, "cannot stand in <grid>"},
    {"axis_def.xml", R"(<axis id="nfloat")", R"(<domain id="nfloat")", Severity::warning,
     "<domain_definition>"},
    {"iodef.xml", "<variable_definition>",
     R"(<file_definition/><variable id="x">1</variable><variable_definition>)", Severity::warning,
     "cannot stand in <context>"},
    {"context_nemo.xml", R"(timestep="45mi")", R"(time_step="45mi")", Severity::error,
     "'timestep'"},
    {"axis_def.xml", R"(positive="down" axis_type="Z")", R"(postive="down" axis_type="Z")",
     Severity::error, "'positive'"},
    {"domain_def.xml", R"(ni_glo="362")", R"(niglo="362")", Severity::error, "'ni_glo'"},
    {"field_def_oce.xml", R"(long_name="Heat content 0-300m")", R"(longname="Heat content 0-300m")",
     Severity::error, "'long_name'"},
    {"field_def_oce.xml", R"(unit="degC" field_ref="sst" operation="maximum")",
     R"(units="degC" field_ref="sst" operation="maximum")", Severity::error, "'unit'"},
    {"file_def_oce.xml", R"(output_freq="5d")", R"(outputfreq="5d")", Severity::error,
     "'output_freq'", "no output_freq"},
    {"file_def_oce.xml", R"(name_suffix="_surface")", R"(namesuffix="_surface")", Severity::error,
     "'name_suffix'"},
    {"file_def_oce.xml", R"(field_ref="sst2" name="tossq")", R"(fieldref="sst2" name="tossq")",
     Severity::error, "'field_ref'"},
    {"file_def_ice.xml", "split_freq_format", "split_format", Severity::error, "'split_freq'"},
    {"domain_def.xml", R"(renormalize="true")", R"(normalize="true")", Severity::error,
     "'renormalize'"},
    {"context_nemo.xml", R"(output_dir="output")", R"(outputdir="output")", Severity::error,
     "'output_dir'"},
    {"iodef.xml", R"(<variable id="info_level" type)", R"(<variable id="info_level" tipe)",
     Severity::error, "'type'"},
    {"context_nemo.xml", R"(type="Gregorian")", R"(type="Gregorien")", Severity::error,
     "'Gregorian'"},
    {"axis_def.xml", R"(axis_type="Z")", R"(axis_type="V")", Severity::error, "X, Y, Z, T"},
    {"axis_def.xml", R"(n_glo="75")", R"(n_glo="levels: 75")", Severity::error, "not an integer"},
    {"axis_def.xml", R"(n_glo="11")", R"(n_glo="-11")", Severity::error, "size"},
    {"axis_def.xml", R"(value="(0,0)[20]")", R"(value="20")", Severity::error, "(0,2)[a b c]"},
    {"axis_def.xml", R"(value="(0,0)[20]")", R"(value="(0,1)[20]")", Severity::error,
     "expected 2 values"},
    {"axis_def.xml", R"(value="(0,0)[20]")", R"(value="(0,1)[20 26]")", Severity::error,
     "expected 1 values"},
    {"axis_def.xml", R"(value="(0,0)[20]")", R"(value="(0,0)[warm]")", Severity::error, "'warm'"},
    {"axis_def.xml", R"(value="(0,0)[20]")", R"(value="(0,0)[20")", Severity::error,
     "(first,last)[values]"},
    {"axis_def.xml", R"(n_glo="11")", R"(n_glo="11" bounds="(0,10)[1 2 3 4 5 6 7 8 9 10 11]")",
     Severity::error, "2 dimensions"},
    {"domain_def.xml", R"(type="curvilinear")", R"(type="curviliniar")", Severity::error,
     "'curvilinear'"},
    {"domain_def.xml", R"(order="1")", R"(order="3")", Severity::error, "1, 2"},
    {"domain_def.xml", R"(bounds_lat_end="90")", R"(bounds_lat_end="N90")", Severity::error,
     "not a number"},
    {"field_def_oce.xml", R"(operation="average" enabled)", R"(operation="mean" enabled)",
     Severity::error, "average"},
    {"field_def_oce.xml", R"(prec="4")", R"(prec="5")", Severity::error, "2, 4, 8"},
    {"field_def_oce.xml", R"(enabled=".TRUE.")", R"(enabled="TRU")", Severity::error,
     "not a boolean"},
    {"field_def_oce.xml", R"(default_value="1.e20")", R"(default_value="1.d20")", Severity::error,
     "not a number"},
    {"field_def_oce.xml", R"(level="3")", R"(level="three")", Severity::error, "not an integer"},
    {"field_def_ice.xml", R"(detect_missing_value="true")", R"(detect_missing_value="maybe")",
     Severity::error, "not a boolean"},
    {"file_def_oce.xml", R"(output_freq="1d")", R"(output_freq="1")", Severity::error,
     "no unit after 1"},
    {"file_def_oce.xml", R"(output_freq="1d")", R"(output_freq="1day")", Severity::error, "'day'"},
    {"file_def_oce.xml", R"(output_freq="5d")", R"(output_freq="5 days")", Severity::error,
     "units y, mo"},
    {"file_def_oce.xml", R"(output_freq="5d")", R"(output_freq="")", Severity::error,
     "not a duration"},
    {"file_def_oce.xml", R"(sync_freq="1mo")", R"(sync_freq="monthly")", Severity::error,
     "no number"},
    {"file_def_oce.xml", R"(type="one_file")", R"(type="single_file")", Severity::error,
     "one_file"},
    {"file_def_oce.xml", R"(output_level="10")", R"(output_level="ten")", Severity::error,
     "not an integer"},
    {"iodef.xml", R"(type="bool">true)", R"(type="logical">true)", Severity::error, "bool"},
    {"iodef.xml", R"(type="bool">true)", R"(type="bool">perhaps)", Severity::warning,
     "expected true or false"},
    {"iodef.xml", ">performance<", ">fast<", Severity::warning, "performance or memory"},
    {"iodef.xml", R"(id="using_server")", R"(id="using_severs")", Severity::warning,
     "'using_server'"},
    {"context_nemo.xml", R"(type="int">1900)", R"(type="int">1900.5)", Severity::warning,
     "not of type int"},
    {"context_nemo.xml", ">1026.0<", "><", Severity::error, "has no text"},
    {"context_nemo.xml", R"(start_date="2000-01-01 00:00:00")", R"(start_date="2000/01/01")",
     Severity::error, "year-month-day"},
    {"context_nemo.xml", R"(start_date="2000-01-01 00:00:00")", R"(start_date="2000-02-30")",
     Severity::error, "days 1 to 29"},
    {"context_nemo.xml", R"(start_date="2000-01-01 00:00:00")",
     R"(start_date="2000-01-01 24:00:00")", Severity::error, "23:59:59"},
    {"context_nemo.xml", R"(timestep="45mi")", R"(timestep="45m")", Severity::error, "'m'"},
    {"context_nemo.xml", R"(timestep="45mi")", R"(timestep="-45mi")", Severity::error, "positive"},
    {"context_nemo.xml", R"(timestep="45mi")", R"(timestep="45mi" day_length="86400")",
     Severity::error, "user_defined"},
    {"file_def_oce.xml", R"(output_freq="5d")", R"(output_freq="50mi")", Severity::error, "45mi",
     "freq_op"},
    {"file_def_oce.xml", R"(output_freq="5d")", R"(output_freq="30mi")", Severity::error,
     "shorter than the time step", "freq_op"},
    {"file_def_oce.xml", R"(operation="instant" freq_op="5d")",
     R"(operation="instant" freq_op="2d")", Severity::warning, "does not divide"},
    {"file_def_oce.xml", R"(operation="instant" freq_op="5d")",
     R"(operation="average" freq_op="50mi")", Severity::error, "multiple of the time step"},
    {"file_def_oce.xml", R"(operation="instant" freq_op="5d")",
     R"(operation="instant" freq_op="5d" freq_offset="6d")", Severity::warning,
     "less than freq_op"},
    {"file_def_oce.xml", R"(output_freq="5d")", R"(output_freq="0.5mo")", Severity::error,
     "fraction of a month", "freq_op"},
    {"grid_def.xml", R"(axis_ref="ncatice")", R"(axis_ref="ncat_ice")", Severity::error,
     "'ncatice'"},
    {"grid_def.xml", R"(domain_ref="ptr"/><axis axis_ref="deptht")",
     R"(domain_ref="prt"/><axis axis_ref="deptht")", Severity::error, "'ptr'"},
    {"field_def_oce.xml", R"(id="SBC" grid_ref="grid_T_2D")", R"(id="SBC" grid_ref="grid_T_4D")",
     Severity::error, "grid_T_"},
    {"field_def_oce.xml", R"(unit="m" field_ref="e3t")", R"(unit="m" field_ref="et3")",
     Severity::note, "'e3t'"},
    {"field_def_oce.xml", R"(axis_ref="iax_20C")", R"(axis_ref="iax_28C")", Severity::error,
     "'iax_20C'"},
    {"field_def_oce.xml", R"(domain_ref="grid_T"/>)", R"(domain_ref="grid_S"/>)", Severity::error,
     "grid_"},
    {"file_def_oce.xml", R"(group_ref="trendT")", R"(group_ref="trendTT")", Severity::error,
     "'trendT'"},
    {"file_def_oce.xml", R"(<field field_ref="e3t"/>)", R"(<field field_ref="e3tt"/>)",
     Severity::warning, "'e3t'"},
    {"file_def_oce.xml", R"(field_ref="mldr10_1" name="omldamax")",
     R"(field_ref="grid_T_fields" name="omldamax")", Severity::error, "is a group"},
    {"domain_def.xml", R"(id="EqT" domain_ref="grid_T")", R"(id="EqT" domain_ref="EqT")",
     Severity::note, "circle"},
    {"axis_def.xml", R"(id="deptht" long_name)", R"(id="deptht" axis_ref="deptht300" long_name)",
     Severity::error, "circle", "", "axis_def.xml", R"(id="deptht300")"},
    {"field_def_oce.xml", R"(id="sst" long_name)", R"(id="sst" field_ref="sstmax" long_name)",
     Severity::error, "circle", "", "field_def_oce.xml", R"(id="sstmax")"},
    {"file_def_oce.xml", R"(group_ref="trendS")", R"(group_ref="groupT2")", Severity::error,
     "'groupT'"},
    {"field_def_oce.xml", R"(id="groupU")", R"(id="groupU" group_ref="groupU")", Severity::note,
     "circle"},
    {"field_def_oce.xml", R"(axis_ref="iax_20C" domain_ref="grid_T")",
     R"(axis_ref="iax_20C" grid_ref="grid_T_2D")", Severity::error, "together with axis_ref"},
    {"field_def_oce.xml", R"(id="runoffs")", R"(id="run_offs")", Severity::note, "runoffs",
     "runoffs|friver|refers to nothing", "field_def_oce.xml", "runoffs * sst"},
    {"field_def_oce.xml", "> sst * sst <", "> sst ** sst <", Severity::error,
     "a value was expected"},
    {"field_def_oce.xml", "> sst * sst <", "> sst * (sst <", Severity::error, "')' was expected"},
    {"field_def_oce.xml", "> sst * sst <", "> sst ssh <", Severity::error,
     "an operator was expected"},
    {"field_def_oce.xml", "> sst * sst <", "> sqr( sst ) <", Severity::error, "'sqrt'"},
    {"field_def_oce.xml", "> sst * sst <", "> sstt * sst <", Severity::error, "'sst'"},
    {"field_def_oce.xml", "> sst * sst <", "> sst2 * sst <", Severity::error, "field itself"},
    {"field_def_oce.xml", "> sst * sst <", "> 2 * 3 <", Severity::error, "no field in it"},
    {"field_def_oce.xml", "max( avt, 1.0e-12 )", "max( avt )", Severity::error, "two arguments"},
    {"file_def_oce.xml", "@toce_e3t / @e3t", "@toce_e3t / @", Severity::error, "id of a field"},
    {"field_def_oce.xml", "> ssh * ssh <", "> ssh2sq * ssh <", Severity::error, "'ssh2'"},
    {"field_def_ice.xml", "icevolu * $rhoic", "icevolu * $rhoic + $", Severity::note,
     "'$' has no meaning"},
    {"field_def_bgc.xml", "PPPHYN + PPPHYD", "PPPHYN & PPPHYD", Severity::error, "'and'"},
    {"field_def_oce.xml", "> toce * toce <", "> toce < 30 <", Severity::error, "&lt;"},
    {"file_def_oce.xml", R"(name="sos")", R"(name="tos")", Severity::error,
     "two fields of one file"},
    {"file_def_oce.xml", R"(name_suffix="_web")", R"(name_suffix="_surface")", Severity::error,
     "does so too", "", "file_def_oce.xml", R"(name="eORCA1_1d")"},
    {"file_def_oce.xml", R"(<field field_ref="ssu" name="uos"/>)",
     R"(<field field_ref="ssu" name="u/os"/>)", Severity::error, "no variable can have it"},
    {"axis_def.xml", R"(<axis id="nfloat" )", R"(<axis id="nfloat" id="nfloats" )",
     Severity::warning, "given twice"},
    {"context_nemo.xml", R"(type="int">1900</variable>)",
     R"(type="int">1900</variable><variable id="again" name="ref_year">1</variable>)",
     Severity::warning, "two variables"},
    {"iodef.xml", R"(id="info_level")", R"(id="using_server")", Severity::warning,
     "expected true or false"},
    {"file_def_oce.xml", R"(output_freq="5d" )", "", Severity::error, "no output_freq",
     "no output_freq", "file_def_oce.xml", R"(<file id="file11")"},
    {"field_def_oce.xml", R"( operation="average" enabled)", " enabled", Severity::error,
     "no operation", "no operation", "file_def_oce.xml", R"(<field field_ref="sst")"},
    {"field_def_oce.xml", R"(<field_group id="SBC" grid_ref="grid_T_2D">)",
     R"(<field_group id="SBC">)", Severity::error, "has no grid", "has no grid",
     "field_def_oce.xml", R"(<field id="empmr")"},
    {"axis_def.xml", R"(<axis id="depthu" long_name)", R"(<axis id="" long_name)", Severity::error,
     "is empty", "'depthu'"},
    {"file_def_oce.xml", R"(name="eORCA1_5d")", R"(name="../eORCA1_5d")", Severity::error,
     "leave the output folder"},
    {"file_def_oce.xml", R"(name="eORCA1_5d")", R"(name="/scratch/eORCA1_5d")", Severity::warning,
     "output_dir"},
    {"file_def_oce.xml", "</file_group>", R"(<file id="empty"/></file_group>)", Severity::warning,
     "has no field"},
    {"axis_def.xml", R"(<axis id="depthw" long_name="Vertical W levels"/>)",
     R"(<axis id="depthw" long_name="Vertical W levels">)", Severity::error, "</axis>"},
    {"domain_def.xml", "</domain_group>", "</domain_groups>", Severity::warning,
     "</domain_groups>"},
    {"axis_def.xml", R"(n_glo="10"/>)", R"(n_glo="10/>)", Severity::error, "quote"},
    {"axis_def.xml", R"(n_glo="10"/>)", "n_glo=10/>", Severity::error, "quote"},
    {"axis_def.xml", R"(n_glo="10"/>)", R"(n_glo="10")", Severity::error, "'>'"},
    {"axis_def.xml", R"(unit="1" n_glo="10")", R"(unit="1"n_glo="10")", Severity::error,
     "white space"},
    {"field_def_oce.xml", "</field_group>", "", Severity::error, "</field_group>", "",
     "field_def_oce.xml", R"(<field_group id="grid_T_fields")"},
    {"field_def_oce.xml", "<!-- what the mooring files hold -->",
     "<!-- what the mooring files hold ->", Severity::warning, "beginning of another one",
     "group_ref 'mooring'"},
    {"field_def_oce.xml", "<!-- what the mooring files hold -->",
     "<!-- what the -- mooring files hold -->", Severity::warning, "'--'"},
    {"grid_def.xml", "</grid_definition>", "", Severity::error, "</grid_definition>", "",
     "grid_def.xml", "<grid_definition>"},
    {"axis_def.xml", R"(unit="cm")", R"(unit="cm" & "m")", Severity::error, "a tag reads"},
    {"iodef.xml", "</simulation>", "</simulation><simulation/>", Severity::error, "second root"},
    {"iodef.xml", "<simulation>", "<simulations>", Severity::error, "root", "</simulation>"},
    {"iodef.xml", "<simulation>", R"(<simulation strict="yes" compat="xios4">)", Severity::error,
     "'xios2'"},
    {"context_nemo.xml", R"(src="axis_def.xml")", R"(src="axes_def.xml")", Severity::error,
     "'axis_def.xml'"},
    {"context_nemo.xml", R"(src="axis_def.xml")", R"(src="")", Severity::error, "empty"},
    {"grid_def.xml", "<grid_definition>", R"(<grid_definition src="grid_def.xml">)",
     Severity::error, "includes itself"},
    {"axis_def.xml", R"(<axis_group id="vertical")",
     R"(<axis_group src="context_nemo.xml" id="vertical")", Severity::error, "includes itself"},
    {"iodef.xml", R"(src="context_nemo.xml")", R"(src=".")", Severity::error, "folder"},
});

std::string text_of(const Path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

int line_of(const std::string& text, std::string_view wanted) {
  const std::size_t at = text.find(wanted);
  if (at == std::string::npos) return 0;
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

bool holds_one_of(const std::string& text, std::string_view words) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find('|'));
    if (text.find(word) != std::string::npos) return true;
    words.remove_prefix(std::min(words.size(), word.size() + 1));
  }
  return false;
}

std::vector<Diagnostic> mistakes_of(std::vector<Diagnostic> notes) {
  std::erase_if(notes, [](const Diagnostic& note) { return note.topic != Topic::unneeded; });
  return notes;
}

/// Works in a copy of the good configuration.
class SeededMistake : public testing::TestWithParam<Mistake> {
 protected:
  void SetUp() override {
    folder_ = Path(testing::TempDir()) / ("epios_seeded_mistake_" + std::to_string(getpid()));
    std::filesystem::copy(EPIOS_TEST_FOLDER "/realistic/ocean", folder_);
    std::filesystem::current_path(folder_);
  }
  void TearDown() override {
    std::filesystem::current_path(home_);
    std::filesystem::remove_all(folder_);
  }

 private:
  Path folder_;
  Path home_ = std::filesystem::current_path();
};

/// Notes are those of `epios check --unused`: of mistakes where no enabled file needs the place.
std::vector<Diagnostic> findings_of(const char* entry, Severity severity) {
  try {
    if (severity == Severity::note) return mistakes_of(unused(read_sources(entry)));
    return check(read_sources(entry));
  } catch (const ConfigError& error) {
    return error.diagnostics();
  }
}

TEST_P(SeededMistake, is_found_at_its_line) {
  const Mistake& mistake = GetParam();
  std::string text = text_of(mistake.file);
  int line = line_of(text, mistake.text);
  ASSERT_GT(line, 0) << "the good configuration has changed";
  text.replace(text.find(mistake.text), std::string_view(mistake.text).size(), mistake.by);
  std::ofstream(mistake.file) << text;
  std::string file = mistake.file;
  if (*mistake.blamed_file != '\0') {
    file = mistake.blamed_file;
    line = line_of(text_of(file), mistake.blamed_text);
    ASSERT_GT(line, 0) << "the good configuration has changed";
  }
  bool is_found = false;
  for (const Diagnostic& finding : findings_of("iodef.xml", mistake.severity)) {
    if (finding.severity == Severity::note && mistake.severity != Severity::note) continue;
    const std::string message = finding.text();
    if (finding.position.file == file && finding.position.line == line) {
      is_found = is_found || (finding.severity == mistake.severity &&
                              message.find(mistake.word) != std::string::npos);
    } else {
      EXPECT_TRUE(holds_one_of(message, mistake.consequences)) << message;
    }
  }
  EXPECT_TRUE(is_found) << "nothing about " << mistake.word << " at " << file << ":" << line;
}

INSTANTIATE_TEST_SUITE_P(Ocean, SeededMistake, testing::ValuesIn(mistakes));

TEST(SeededMistakes, are_a_hundred_and_more) { EXPECT_GE(mistakes.size(), 100U); }

}  // namespace
}  // namespace epios::config::seeded_mistakes_test
