// Two servers and a client that is no EPIOS: what it says is sent as it is, and it stops anywhere.
#include "server/server.hpp"

#include <gtest/gtest.h>

#include <ep/ep.hpp>
#include <memory>
#include <string>
#include <vector>

#include "../../scratch_folder.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "event/channel_windows.hpp"
#include "event/job.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/layout.hpp"

namespace epios::server::test::server_test {
namespace {

using Bytes = std::vector<std::byte>;
constexpr int servers = 2;

/// An axis of four points, in a file that both servers write. The client has all of them.
config::Model model_in(const std::string& folder) {
  config::Model model;
  config::Axis axis;
  axis.id = "a";
  axis.attributes.n_glo = axis.attributes.n = 4;
  axis.attributes.begin = 0;
  model.axes.push_back(axis);
  model.grids.push_back({"g", {{config::GridElement::Kind::axis, 0}}});
  model.sources.emplace_back().id = "tos";
  config::Stream stream;
  stream.id = stream.name = "tos";
  stream.source = config::SourceId(0);
  stream.attributes.prec = 8;
  model.streams.push_back(stream);
  config::File file;
  file.id = "daily";
  file.path = folder + "/daily.nc";
  file.streams = {config::StreamId(0)};
  model.files.push_back(file);
  model.context_id = "ocean";
  return model;
}

io::OpenContext request_of(const config::Model& model) {
  io::OpenContext out;
  out.opening = 7;
  out.context_id = model.context_id;
  out.model = config::encode(model);
  out.forms.axes.resize(1);
  out.clients = {0};
  out.parts = {1, 1};
  out.shared_record_bytes = 0;  // all files are shared
  out.buffer_bytes = 1 << 20;
  return out;
}

Bytes part_for(const config::Model& model, int server) {
  const io::LocalParts parts(model);
  const auto placements = io::place_files(model, servers, 0);
  io::OpeningPart out =
      io::opening_part(model, parts, nth(io::pieces_of(model, placements, servers), server),
                       io::local_holders(model, parts, io::local_forms(model), 0), 0);
  out.opening = 7;
  out.remote_rank = 0;
  return io::encode(out);
}

/// The client's end of the connection.
class RawClient {
 public:
  explicit RawClient(const io::Job& job)
      : servers_(job.connect_client(0)), window_(io::window_to_servers(servers_, false)) {}

  void say(const Bytes& bytes, int server) const {
    ep::send(servers_, bytes, server, static_cast<int>(io::ControlTag::to_server));
  }
  Bytes hear() const {
    ep::Received message;
    ep::wait_until(servers_, {"an answer"}, [&] {
      return ep::try_receive(servers_, EP_ANY_SOURCE, static_cast<int>(io::ControlTag::to_client),
                             message);
    });
    return message.bytes;
  }

 private:
  ep::Comm servers_;
  std::unique_ptr<io::ChannelWindow> window_;
};

/// Runs a job of one client, process 0, and two servers. They are all at their ends on return.
template <class Client>
void run_job(const Client& client) {
  int rank = 0;
  ASSERT_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &rank), MPI_SUCCESS);
  io::JobMember self;
  self.serves = rank > 0;
  if (rank == 0) {
    self.code_id = "ocean";
    self.clients = 1;
  }
  const io::Job job(MPI_COMM_WORLD, self, MPI_THREAD_MULTIPLE);
  if (rank == 0) {
    const RawClient connected(job);
    client(connected);
    ASSERT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    return;
  }
  Server server(job);
  server.run();
  EXPECT_FALSE(server.is_clean());
  ASSERT_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
}

/// A server that had not heard of a client that gave up left out the making of files; the file
/// thread of the other one waited for it, and the job never came to its end.
TEST(Server, AClientThatGivesUpBetweenItsPartsKeepsNoServerWaiting) {
  const epios::test::ScratchFolder folder("epios-server");
  run_job([&](const RawClient& client) {
    const config::Model model = model_in(folder.path());
    client.say(io::encode(request_of(model)), 0);
    client.say(part_for(model, 0), 0);
    client.say(io::encode(io::Goodbye{true, "memory is not enough"}), 0);
    const io::OpenReply reply = io::decode_open_reply(client.hear());
    EXPECT_NE(reply.error.find("gave up (memory is not enough)"), std::string::npos) << reply.error;
  });
}

}  // namespace
}  // namespace epios::server::test::server_test
