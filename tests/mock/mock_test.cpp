// A model's output code, and its unit test: what it sends, in which order, and what it does when
// EPIOS refuses. Without servers, MPI and files.
#include <epios/mock.h>
#include <gtest/gtest.h>

#include <epios/epios.hpp>
#include <string>
#include <vector>

namespace {

/// The code under test: the output of some model.
class Output {
 public:
  Output() : session_("ocean"), client_(session_), context_(client_.open_context("ocean")) {
    context_.set("axis", "depth", "unit", "m");
    context_.close_definition();
  }
  void step(int number, const std::vector<double>& sst) {
    context_.update_calendar(number);
    context_.send("sst", sst);
    if (context_.is_active("speed")) context_.send("speed", std::vector<double>{0, 0, 0});
  }
  std::vector<double> forcing() {
    std::vector<double> out(3);
    epios::client::check(epios_recv_double(context_.get(), "forcing", out.data(), 3));
    return out;
  }
  void end() {
    context_.finalize();
    client_.close();
    session_.close();
  }

 private:
  epios::client::Session session_;
  epios::client::Client client_;
  epios::client::Context context_;
};

class OutputTest : public testing::Test {
 protected:
  void SetUp() override { epios_mock_reset(); }
};

/// Calls from `first` on, a line each.
std::string calls_from(int first) {
  std::string out;
  for (int i = first; i < epios_mock_call_count(); ++i)
    out += epios_mock_call(i) + std::string("\n");
  return out;
}

TEST_F(OutputTest, CallsInOrder) {
  Output output;
  EXPECT_STREQ(epios_mock_call(0), "epios_session_open('ocean')");
  EXPECT_STREQ(epios_mock_call(1), "epios_client_open(0)");
  EXPECT_STREQ(epios_mock_call(2), "epios_context_open('ocean')");
  EXPECT_STREQ(epios_mock_call(3), "epios_set_text('ocean', 'axis', 'depth', 'unit', 'm')");
  EXPECT_STREQ(epios_mock_call(4), "epios_close_definition('ocean')");
  const int before = epios_mock_call_count();
  epios_mock_set_active("speed", 0);
  output.step(1, {1, 2, 3});
  EXPECT_EQ(calls_from(before),
            "epios_update_calendar('ocean', 1)\n"
            "epios_send_double('ocean', 'sst', [1, 2, 3])\n"
            "epios_field_is_active('ocean', 'speed', 0)\n");
  EXPECT_EQ(epios_mock_call(epios_mock_call_count()), nullptr);
  output.end();
}

TEST_F(OutputTest, SendsWhatTheModelHas) {
  Output output;
  output.step(1, {1, 2, 3});
  output.step(2, {4, 5, 6});
  double values[3] = {};
  ASSERT_EQ(epios_mock_sent("sst", 1, values, 3), 3);
  EXPECT_EQ(values[0], 4);
  EXPECT_EQ(values[2], 6);
  EXPECT_EQ(epios_mock_sent("speed", 1, values, 3), 3);  // active, as long as nothing is said
  EXPECT_EQ(epios_mock_sent("sst", 2, values, 3), -1);
  EXPECT_EQ(epios_mock_sent("nothing", 0, values, 3), -1);
  output.end();
}

TEST_F(OutputTest, ReceivesWhatTheTestGives) {
  Output output;
  const double first[] = {7, 8, 9};
  const double wrong[] = {1, 2};
  epios_mock_answer("forcing", first, 3);
  epios_mock_answer("forcing", wrong, 2);
  EXPECT_EQ(output.forcing(), (std::vector<double>{7, 8, 9}));
  EXPECT_THROW(output.forcing(), epios::client::Error);
  EXPECT_STREQ(epios_last_error(),
               "field 'forcing' is received into 3 values (the next answer has 2). Call "
               "epios_mock_answer first?");
  output.end();
}

TEST_F(OutputTest, MeetsAFailure) {
  Output output;
  epios_mock_fail(2, EPIOS_ERR_IO, "the disk is full (test). Buy another?");
  try {
    output.step(1, {1, 2, 3});
    ADD_FAILURE() << "the second call did not fail";
  } catch (const epios::client::Error& error) {
    EXPECT_EQ(error.code(), EPIOS_ERR_IO);
    EXPECT_STREQ(error.what(), "the disk is full (test). Buy another?");
  }
  double values[3];
  EXPECT_EQ(epios_mock_sent("sst", 0, values, 3), -1);  // what failed was not sent
  output.step(2, {1, 2, 3});                            // once only
  output.end();
}

TEST_F(OutputTest, DefinitionsAreReal) {
  Output output;  // closed
  epios_mock_reset();
  epios::client::Session session("ocean");
  epios::client::Client client(session);
  epios::client::Context context = client.open_context("ocean");
  EXPECT_EQ(context.at("axis", "depth").get<std::int64_t>("n_glo"), 3);
  EXPECT_THROW(context.set("axis", "depth", "unti", "m"), epios::client::Error);
  EXPECT_NE(std::string(epios_last_error()).find("Did you mean 'unit'"), std::string::npos);
  EXPECT_THROW(context.update_calendar(1), epios::client::Error);
  EXPECT_EQ(context.variable_as<double>("relax"), 0.5);
  context.close_definition();
  context.update_calendar(30);
  EXPECT_EQ(context.current_date(), "2000-01-02 06:00:00");
  context.finalize();
  client.close();
  session.close();
}

TEST_F(OutputTest, FilesHaveWhatTheTestSays) {
  epios_mock_set_in_file("axis", "levels", "n_glo", "7");
  epios_mock_set_in_file("axis", "levels", "value", "(0,1)[1 2]");
  epios_mock_set_in_file("axis", "depth", "n_glo", "9");
  epios_mock_set_in_file("axis", "nobody", "n_glo", "9");
  epios::client::Session session("ocean");
  epios::client::Client client(session);
  epios::client::Context context = client.open_context("ocean");
  const auto levels = context.at("axis_definition").child("axis", "levels");
  EXPECT_FALSE(levels.is_defined("n_glo"));
  context.close_definition();
  EXPECT_EQ(levels.get<std::int64_t>("n_glo"), 7);
  EXPECT_EQ(levels.get<std::vector<double>>("value"), (std::vector<double>{1, 2}));
  EXPECT_EQ(context.at("axis", "depth").get<std::int64_t>("n_glo"), 3);  // is given
  context.finalize();
  client.close();
  session.close();
}

}  // namespace
