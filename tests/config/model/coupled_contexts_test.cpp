// Which records of two contexts belong together, and what does not fit.
#include "config/coupled_contexts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::config::coupled_contexts_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A context that sends 'x' and receives 'y', or the other way round.
CoupledContext context(const std::string& id, const std::string& calendar, const std::string& sent,
                       const std::string& received) {
  const std::string partner = id == "sea" ? "atm::sky" : "ocean::sea";
  const std::string code = id == "sea" ? "ocean" : "atm";
  const std::string xml =
      "<simulation><context id='" + id + "'><calendar " + calendar +
      "/><domain_definition><domain id='d' type='curvilinear' ni_glo='4' nj_glo='3'/>"
      "<domain id='e' type='curvilinear' ni_glo='3' nj_glo='4'/></domain_definition>"
      "<axis_definition><axis id='z' n_glo='2'/></axis_definition>"
      "<scalar_definition><scalar id='s'/></scalar_definition>"
      "<grid_definition><grid id='g'><domain domain_ref='d'/><scalar scalar_ref='s'/></grid>"
      "<grid id='v'><domain domain_ref='d'/><axis axis_ref='z'/></grid></grid_definition>"
      "<field_definition><field id='a' domain_ref='d'/><field id='b' "
      "grid_ref='v'/></field_definition>"
      "<coupler_out_definition><coupler_out context='" +
      partner + "'>" + sent +
      "</coupler_out></coupler_out_definition><coupler_in_definition><coupler_in context='" +
      partner + "'>" + received + "</coupler_in></coupler_in_definition></context></simulation>";
  Definitions definitions{Document({{"iodef.xml", xml}})};
  const Model model = definitions.resolve(id);
  return facts_of(model, code, partner.substr(0, partner.find(':')),
                  partner.substr(partner.rfind(':') + 1));
}

const std::string hourly = "type='NoLeap' start_date='2000-01-01' timestep='1h'";
const std::string half_hourly = "type='NoLeap' start_date='2000-01-01' timestep='30mi'";

std::string error_of(const CoupledContext& from, const CoupledContext& to) {
  try {
    pair_fields(from, to);
  } catch (const Error& error) {
    return error.what();
  }
  return "none";
}

TEST(CoupledContexts, fields_are_paired_by_id_whatever_their_order) {
  const auto sea = context("sea", hourly,
                           "<field id='x' field_ref='a' freq_op='2h'/>"
                           "<field id='w' field_ref='b' operation='average' freq_op='1d'/>",
                           "");
  const auto sky = context("sky", half_hourly, "",
                           "<field id='w' grid_ref='v' freq_op='24h'/>"
                           "<field id='x' grid_ref='g' freq_op='2h' freq_offset='0s'/>");
  const Pairing pairing = pair_fields(sea, sky);
  ASSERT_EQ(pairing.pairs.size(), 2U);
  EXPECT_EQ(sea.sent[0].id, "w");
  EXPECT_EQ(sky.received[0].id, "w");
  for (const CoupledPair& pair : pairing.pairs) {
    EXPECT_EQ(pair.sent, pair.received);
    EXPECT_EQ(pair.shift, 0);
    EXPECT_EQ(pair.first, 0);
  }
  EXPECT_TRUE(pairing.remarks.empty());
  // A scalar beside a domain is no element of its own.
  EXPECT_EQ(sky.received[1].shapes, sea.sent[1].shapes);
}

TEST(CoupledContexts, runs_that_begin_whole_periods_apart_meet) {
  const std::string sent = "<field id='x' field_ref='a' freq_op='6h'/>";
  const std::string received = "<field id='x' domain_ref='d' freq_op='6h'/>";
  const auto sea = context("sea", hourly, sent, "");
  const auto later =
      context("sky", "type='NoLeap' start_date='2000-01-02 12:00:00' timestep='3h'", "", received);
  const Pairing pairing = pair_fields(sea, later);
  ASSERT_EQ(pairing.pairs.size(), 1U);
  EXPECT_EQ(pairing.pairs[0].shift, 6);
  EXPECT_EQ(pairing.pairs[0].first, 6);
  const auto between =
      context("sky", "type='NoLeap' start_date='2000-01-02 13:00:00' timestep='1h'", "", received);
  EXPECT_THAT(error_of(sea, between), HasSubstr("their dates never meet"));
  const auto earlier =
      context("sky", "type='NoLeap' start_date='1999-12-31' timestep='1h'", "", received);
  EXPECT_THAT(error_of(sea, earlier),
              HasSubstr("is wanted from the period that begins at an earlier date on"));
}

// Would have found that a month to 29 March was paired with one to 31 March.
TEST(CoupledContexts, months_from_the_ends_of_others_do_not_meet) {
  const auto sea = context("sea", "type='Gregorian' start_date='2000-01-31' timestep='1d'",
                           "<field id='x' field_ref='a' freq_op='1mo'/>", "");
  const auto sky = [](const std::string& start) {
    return context("sky", "type='Gregorian' start_date='" + start + "' timestep='1d'", "",
                   "<field id='x' domain_ref='d' freq_op='1mo'/>");
  };
  EXPECT_THAT(error_of(sea, sky("2000-02-29")), HasSubstr("their dates never meet"));
  EXPECT_THAT(error_of(sea, sky("2000-04-30")), HasSubstr("their dates never meet"));
  EXPECT_EQ(error_of(sea, sky("2000-03-31")), "none");
}

// Would have found that the years of their origins were compared where no leap year depends on
// them.
TEST(CoupledContexts, calendars_without_leap_years_may_have_other_origins) {
  const auto context_from = [](const std::string& id, const std::string& origin,
                               const std::string& leap) {
    const std::string field = id == "sea" ? "<field id='x' field_ref='a' freq_op='2h'/>"
                                          : "<field id='x' domain_ref='d' freq_op='2h'/>";
    return context(id,
                   "type='user_defined' day_length='86400' month_lengths='(0,1)[10 12]' " + leap +
                       " start_date='5-1-1' time_origin='" + origin + "' timestep='1h'",
                   id == "sea" ? field : "", id == "sea" ? "" : field);
  };
  EXPECT_EQ(error_of(context_from("sea", "1-1-1", ""), context_from("sky", "4-1-1", "")), "none");
  const std::string leap = "leap_year_month='2' leap_year_drift='0.5'";
  EXPECT_THAT(error_of(context_from("sea", "1-1-1", leap), context_from("sky", "4-1-1", leap)),
              HasSubstr("their calendars differ"));
}

// -1ts: what one sends at the start, before the first step, the other one can have there.
TEST(CoupledContexts, the_state_at_the_start_is_record_0) {
  const auto first_of = [](const char* offset) {
    const auto sea = context(
        "sea", hourly,
        "<field id='x' field_ref='a' freq_op='6h' freq_offset='" + std::string(offset) + "'/>",
        "<field id='y' domain_ref='d' freq_op='6h' freq_offset='" + std::string(offset) + "'/>");
    EXPECT_EQ(sea.sent.at(0).first, sea.received.at(0).first) << offset;
    return sea.sent.at(0).first;
  };
  EXPECT_EQ(first_of("-1ts"), 0);
  EXPECT_EQ(first_of("0s"), 0);
  EXPECT_EQ(first_of("6h"), 0);
  EXPECT_EQ(first_of("-6h"), 1);   // due 5 hours before the start
  EXPECT_EQ(first_of("-13h"), 2);  // 12 hours before it, 6, then at the start
}

TEST(CoupledContexts, months_are_counted_on_the_calendar) {
  const std::string sent = "<field id='x' field_ref='a' operation='average' freq_op='1mo'/>";
  const auto sea =
      context("sea", "type='Gregorian' start_date='1999-01-01' timestep='1d'", sent, "");
  const auto sky = context("sky", "type='Gregorian' start_date='2020-03-01' timestep='1h'", "",
                           "<field id='x' domain_ref='d' freq_op='1mo'/>");
  const Pairing pairing = pair_fields(sea, sky);
  ASSERT_EQ(pairing.pairs.size(), 1U);
  EXPECT_EQ(pairing.pairs[0].shift, 21 * 12 + 2);
}

TEST(CoupledContexts, all_mistakes_are_told_at_once) {
  const auto sea =
      context("sea", hourly,
              "<field id='w' field_ref='b' freq_op='2h'/><field id='x' field_ref='a' freq_op='2h'/>"
              "<field id='lonely' field_ref='a' freq_op='2h'/>",
              "");
  const auto sky = context(
      "sky", hourly, "",
      "<field id='w' domain_ref='d' freq_op='2h'/><field id='x' domain_ref='d' freq_op='3h'/>"
      "<field id='lonly' domain_ref='d' freq_op='2h'/>");
  const std::string text = error_of(sea, sky);
  EXPECT_THAT(text, HasSubstr("coupling of 'ocean::sea' to 'atm::sky': "));
  EXPECT_THAT(text, HasSubstr("field 'w' is sent on grid 'v' with 4 x 3 x 2 points"));
  EXPECT_THAT(text, HasSubstr("and received on grid '(d)' with 4 x 3 points"));
  EXPECT_THAT(text, HasSubstr("field 'x' is sent every 2h"));
  EXPECT_THAT(text, HasSubstr("field 'lonly' (iodef.xml:1:"));
  EXPECT_THAT(text, HasSubstr("Did you mean 'lonely'?"));
  const auto turned = context("sky", hourly, "", "<field id='x' domain_ref='e' freq_op='2h'/>");
  EXPECT_THAT(error_of(sea, turned), HasSubstr("with 3 x 4 points"));
}

TEST(CoupledContexts, what_nobody_receives_is_a_remark) {
  const auto sea = context("sea", hourly, "<field id='x' field_ref='a' freq_op='2h'/>", "");
  const auto sky = context("sky", hourly, "", "<field id='y' domain_ref='d' freq_op='2h'/>");
  EXPECT_THAT(pair_fields(sky, sea).remarks, ElementsAre());
  const auto deaf = context("sky", hourly, "<field id='y' field_ref='a' freq_op='2h'/>", "");
  const Pairing pairing = pair_fields(sea, deaf);
  ASSERT_EQ(pairing.remarks.size(), 1U);
  EXPECT_EQ(pairing.remarks[0].text(),
            "field 'x' is for 'atm::sky', which receives no field of that id from 'ocean::sea': it "
            "is not sent. Add it to a coupler_in there?");
  EXPECT_THAT(error_of(deaf, context("sea", hourly, "", "<field id='z' domain_ref='d'/>")),
              HasSubstr("the coupler_out of 'atm::sky' has y"));
}

TEST(CoupledContexts, survive_their_bytes) {
  auto sea = context("sea", hourly, "<field id='x' field_ref='b' freq_op='2h'/>",
                     "<field id='y' domain_ref='d' freq_op='2h'/>");
  sea.clients = {0, 2, 5};
  const std::vector<std::byte> bytes = encode(sea);
  const CoupledContext back = decode_coupled_context(bytes);
  EXPECT_EQ(encode(back), bytes);
  EXPECT_EQ(back.name(), "ocean::sea");
  EXPECT_EQ(back.clients, sea.clients);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(decode_coupled_context(std::span(bytes).first(size)), Error);
  }
}

TEST(CoupledContexts, what_is_not_known_yet_is_not_judged) {
  auto sea = context("sea", hourly,
                     "<field id='x' field_ref='b' freq_op='2h'/><field id='w' field_ref='a' "
                     "freq_op='2h'/>",
                     "");
  auto sky = context("sky", half_hourly, "",
                     "<field id='x' grid_ref='v' freq_op='3h'/><field id='w' domain_ref='e' "
                     "freq_op='2h'/>");
  EXPECT_EQ(compare_fields(sea, sky).problems.size(), 2U);
  sky.received[0].shapes = {{0, 4}};  // w: rows are open
  EXPECT_EQ(compare_fields(sea, sky).problems.size(), 1U);
  sky.received[0].shapes = {{}};  // and even how many dimensions there are
  EXPECT_EQ(compare_fields(sea, sky).problems.size(), 1U);
  sky.received[0].shapes = {{0, 5}};
  EXPECT_EQ(compare_fields(sea, sky).problems.size(), 2U);
  sky.received[0].grid.clear();  // the partner's
  EXPECT_EQ(compare_fields(sea, sky).problems.size(), 1U);
  sky.start.ms += 1;
  EXPECT_EQ(compare_fields(sea, sky).problems.size(), 2U);
  sky.knows_start = false;
  const Pairing pairing = compare_fields(sea, sky);
  ASSERT_EQ(pairing.problems.size(), 1U);
  EXPECT_THAT(pairing.problems[0].text(), HasSubstr("field 'x' is sent every 2h"));
  sky.knows_step = false;
  EXPECT_TRUE(compare_fields(sea, sky).problems.empty());
}

}  // namespace
}  // namespace epios::config::coupled_contexts_test
