// Periods of files that are well formed and yet do not do what they seem to.
#include <gtest/gtest.h>

#include "sample.hpp"

namespace epios::config::file_period_check_test {
namespace {

/// What a check says of a file with daily records of 2000 in attributes from column 14 of line 4
/// on.
std::string findings(const std::string& attributes, const std::string& calendar = "Gregorian",
                     const std::string& output_freq = "1d") {
  std::string text;
  for (const Diagnostic& finding : check(test::texts(test::in_context(
           "<field_definition><field id='a' scalar_ref='s' operation='average'/></field_definition>"
           "<scalar_definition><scalar id='s'/></scalar_definition><file_definition>\n"
           "<file id='f' " +
               attributes + " output_freq='" + output_freq +
               "'>\n<field field_ref='a'/></file></file_definition>",
           "<calendar type='" + calendar + "' start_date='2000-01-01' timestep='1h'/>")))) {
    if (finding.severity != Severity::note) text += test::text(finding) + "\n";
  }
  return text;
}

TEST(FilePeriodCheck, is_silent_where_periods_fit) {
  for (const std::string attributes :
       {"split_freq='1mo'", "split_freq='1y' split_freq_format='%y'",
        "split_freq='10d' split_freq_format='%y%mo%d'", "sync_freq='1d'", "sync_freq='5d'",
        "split_freq='1mo' sync_freq='5d'", "split_freq='1d' split_freq_format='day%D'",
        "split_freq='1y' split_last_date='2010-06-01' split_start_offset='1d'",
        "split_freq='1mo' split_freq_format='%y-%mo' split_end_offset='0s'",
        "name='a_%start_date%_b' split_freq='1mo' split_freq_format='%y%mo'"}) {
    EXPECT_EQ(findings(attributes), "") << attributes;
  }
  EXPECT_EQ(findings("split_freq='1mo'", "D360", "5d"), "");
}

TEST(FilePeriodCheck, parts_are_made_of_whole_records) {
  EXPECT_EQ(findings("split_freq='6h'"),
            "iodef.xml:3:14: warning: split_freq '6h' of file 'f' (it is shorter than output_freq "
            "'1d': parts without a record are left out). Use a multiple of output_freq.\n");
  EXPECT_EQ(findings("split_freq='36h'"),
            "iodef.xml:3:14: warning: split_freq '36h' of file 'f' (it is not a multiple of "
            "output_freq '1d': records would begin in one part and end in the next). Use a "
            "multiple of output_freq.\n");
  EXPECT_EQ(findings("split_freq='1mo'", "Gregorian", "5d"),
            "iodef.xml:3:14: warning: split_freq '1mo' of file 'f' (it is not a multiple of "
            "output_freq '5d': records would begin in one part and end in the next). Use a "
            "multiple of output_freq.\n");
  EXPECT_EQ(findings("split_freq='30d'", "Gregorian", "1mo"),
            "iodef.xml:3:14: warning: split_freq '30d' of file 'f' (it is shorter than output_freq "
            "'1mo': parts without a record are left out). Use a multiple of output_freq.\n");
  EXPECT_EQ(findings("split_freq='365d'", "Gregorian", "1mo"),
            "iodef.xml:3:14: warning: split_freq '365d' of file 'f' (it is not a multiple of "
            "output_freq '1mo': records would begin in one part and end in the next). Use a "
            "multiple of output_freq.\n");
}

TEST(FilePeriodCheck, periods_go_forward) {
  EXPECT_EQ(findings("split_freq='-1d'"),
            "iodef.xml:3:14: error: split_freq '-1d' of file 'f' (a period must be positive, and a "
            "fraction of a month has no length).\n");
  EXPECT_EQ(findings("split_freq='30mi'"),
            "iodef.xml:3:14: error: split_freq '30mi' of file 'f' (it is shorter than the time "
            "step '1h'). Use a multiple of the time step.\n");
}

TEST(FilePeriodCheck, flushes_fall_between_records_and_parts) {
  EXPECT_EQ(findings("sync_freq='1h'"),
            "iodef.xml:3:14: warning: sync_freq '1h' of file 'f' (it is shorter than output_freq "
            "'1d': between records there is nothing to flush). Use a multiple of output_freq.\n");
  EXPECT_EQ(findings("sync_freq='1mo' split_freq='10d'"),
            "iodef.xml:3:14: warning: sync_freq '1mo' of file 'f' (it has no effect: parts are "
            "complete every '10d' already, by split_freq). Use a shorter period, or remove it.\n");
}

TEST(FilePeriodCheck, cuts_are_not_made_without_split_freq) {
  EXPECT_EQ(findings("split_freq_format='%y'"),
            "iodef.xml:3:14: warning: split_freq_format '%y' of file 'f' (it has no effect: "
            "without split_freq the file is not cut). Add split_freq=\"1y\", or remove it.\n");
  EXPECT_EQ(findings("split_end_offset='1d'"),
            "iodef.xml:3:14: warning: split_end_offset '1d' of file 'f' (it has no effect: without "
            "split_freq the file is not cut). Add split_freq=\"1y\", or remove it.\n");
}

TEST(FilePeriodCheck, dates_in_names_are_dates) {
  EXPECT_EQ(findings("split_freq='1y' split_freq_format='%y%m'"),
            "iodef.xml:3:30: warning: split_freq_format '%y%m' of file 'f' ('%m' is no part of a "
            "date and stays as it is). Use %y, %mo, %d, %h, %mi, %s, %S and %D.\n");
  EXPECT_EQ(findings("split_freq='1y' split_last_date='2010-02-30'"),
            "iodef.xml:3:30: error: split_last_date '2010-02-30' of file 'f' (that month has "
            "days 1 to 28 in calendar gregorian).\n");
}

TEST(FilePeriodCheck, parts_have_names_of_their_own) {
  EXPECT_EQ(findings("split_freq='1mo' split_freq_format='%y'"),
            "iodef.xml:3:31: error: split_freq_format '%y' of file 'f' (parts 1 and 2 of the file "
            "would both be 'f_2000-2000.nc'). Use \"%y%mo\", as without the attribute.\n");
  // The days of March are those of January: a run of two months is well.
  EXPECT_EQ(findings("split_freq='1mo' split_freq_format='%d'"),
            "iodef.xml:3:31: warning: split_freq_format '%d' of file 'f' (parts 1 and 3 of the "
            "file would both be 'f_01-31.nc': a run that comes so far loses the later one). Use "
            "\"%y%mo\", as without the attribute.\n");
  EXPECT_EQ(findings("name='f_%end_date%' split_freq='1y' split_last_date='2001-06-01'"),
            "iodef.xml:3:50: error: split_last_date '2001-06-01' of file 'f' (parts 2 and 3 of the "
            "file would both be 'f_2001.nc'). Keep %start_date% in the name.\n");
}

TEST(FilePeriodCheck, a_file_that_is_not_cut_has_no_dates_in_its_name) {
  const Checked checked = check_and_resolve(test::texts(test::in_context(
      "<field_definition><field id='a' scalar_ref='s' operation='average'/></field_definition>"
      "<scalar_definition><scalar id='s'/></scalar_definition><file_definition>"
      "<file id='f' name='%start_date%a_%end_date%b' output_freq='1d'><field field_ref='a'/></file>"
      "<file id='g' name='%start_date%a' split_freq='1y' output_freq='1d'><field field_ref='a'/>"
      "</file></file_definition>")));
  ASSERT_EQ(checked.models.at(0).files.size(), 2U);
  EXPECT_EQ(checked.models[0].files[0].path, "a_b.nc");
  EXPECT_EQ(checked.models[0].files[1].path, "%start_date%a.nc");
}

}  // namespace
}  // namespace epios::config::file_period_check_test
