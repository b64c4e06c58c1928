// What is sent once is with its partner before the first step, in the first job and in each that
// goes on, and leaves once in each: contexts of one client, and of two that wait for each other.
#include <gtest/gtest.h>

#include <cstdint>
#include <epios/epios.hpp>
#include <string>
#include <thread>
#include <vector>

#include "../integration/netcdf_file.hpp"
#include "scratch.hpp"

namespace epios::client::once_going_on_test {
namespace {

using Values = std::vector<double>;

/// Sends 'of_ID' to its partner and to a file, and takes the partner's.
std::string context_xml(const std::string& id, const std::string& partner) {
  return "<context id='" + id + "' statistics_file='state_" + id + R"('>
  <calendar type='NoLeap' start_date='2000-01-01' time_origin='2000-01-01' timestep='1h'/>
  <axis_definition><axis id='x' n_glo='2'/></axis_definition>
  <field_definition operation='once' freq_offset='-1ts' prec='8'>
    <field id='mask' axis_ref='x'/></field_definition>
  <file_definition><file id='own_)" +
         id + "' output_freq='2h'><field field_ref='mask'/></file><file id='taken_" + id +
         "' output_freq='2h'><field field_ref='of_" + partner +
         R"('/></file></file_definition>
  <coupler_out_definition><coupler_out context='model::)" +
         partner + "'><field id='of_" + id +
         R"(' field_ref='mask'/></coupler_out></coupler_out_definition>
  <coupler_in_definition><coupler_in context='model::)" +
         partner + "'><field id='of_" + partner +
         R"(' axis_ref='x' operation='once' freq_offset='-1ts' prec='8'/>
  </coupler_in></coupler_in_definition></context>)";
}

/// One context in one job.
class Half {
 public:
  Half(Client& client, const std::string& id, const std::string& partner, int job)
      : context_(client.open_context(id, std::vector<int>{client.rank()})),
        id_(id),
        partner_(partner),
        job_(job) {
    context_.set("calendar", "", "start_date", job == 1 ? "2000-01-01" : "2000-01-01 02:00:00");
    context_.set("context", "", "output_dir", "job" + std::to_string(job));
  }
  void close_definition() { context_.close_definition(); }
  void send() {
    if (job_ == 1) context_.send("mask", Values{value_of(id_), 2});
  }
  void receive() {
    Values got(2, -9);
    context_.receive("of_" + partner_, got);
    EXPECT_EQ(got, (Values{value_of(partner_), 2})) << id_ << ", job " << job_;
  }
  void take_steps() {
    for (int step = 1; step <= 2; ++step) {
      context_.update_calendar(step);
      EXPECT_EQ(context_.statistics().records_sent, 2) << id_ << ", job " << job_ << ", " << step;
    }
    context_.finalize();
  }
  /// NetCDF is not for several threads: only when no client and no server is there.
  static void check_files(const std::string& id, const std::string& partner) {
    for (const std::string folder : {"job1", "job2"}) {
      EXPECT_EQ(toy::NetcdfFile(folder + "/own_" + id + ".nc").values("mask"),
                (Values{value_of(id), 2}));
      EXPECT_EQ(toy::NetcdfFile(folder + "/taken_" + id + ".nc").values("of_" + partner),
                (Values{value_of(partner), 2}));
    }
  }

 private:
  static double value_of(const std::string& id) { return id.front(); }

  Context context_;
  std::string id_, partner_;
  int job_;
};

void run_on_one_client(Client& client, int job) {
  Half a(client, "a", "b", job);
  Half b(client, "b", "a", job);
  a.close_definition();
  b.close_definition();
  a.send();
  b.send();
  a.receive();
  b.receive();
  a.take_steps();
  b.take_steps();
}

void run_beside_another(Client& client, const std::string& id, const std::string& partner,
                        int job) {
  Half half(client, id, partner, job);
  half.close_definition();
  half.send();
  half.receive();
  half.take_steps();
}

TEST(OnceGoingOn, IsThereBeforeTheFirstStepAndLeavesOnce) {
  const Scratch scratch("<simulation>" + context_xml("a", "b") + context_xml("b", "a") +
                        context_xml("c", "d") + context_xml("d", "c") + "</simulation>");
  Session::Options options;
  options.clients = 2;
  Session session("model", options);
  std::thread other([&] {
    Client client(session, 1);
    for (const int job : {1, 2}) run_beside_another(client, "d", "c", job);
    client.close();
  });
  Client client(session, 0);
  for (const int job : {1, 2}) run_on_one_client(client, job);
  for (const int job : {1, 2}) run_beside_another(client, "c", "d", job);
  client.close();
  other.join();
  session.close();
  Half::check_files("a", "b");
  Half::check_files("b", "a");
  Half::check_files("c", "d");
  Half::check_files("d", "c");
}

}  // namespace
}  // namespace epios::client::once_going_on_test
