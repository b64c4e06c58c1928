// Servers that read slabs of one record: all say the same of it, whoever comes first.
#include "read_verdicts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::server {
namespace {

constexpr std::uint32_t context = 7;

/// One server of those that run the test.
class Server {
 public:
  explicit Server(const ep::Comm& all) : all_(all), verdicts_({&all, &outbox_, context}) {}

  ReadVerdicts& verdicts() { return verdicts_; }
  std::string await(std::int64_t event) {
    std::string error;
    ep::wait_until(all_, {"a verdict", -1}, [&] {
      ep::Received message;
      while (ep::try_receive(all_, EP_ANY_SOURCE, static_cast<int>(io::ControlTag::among_readers),
                             message)) {
        const ReadWord word = decode_read_word(message.bytes);
        EXPECT_EQ(word.context, context);
        verdicts_.hear(word, message.source);
      }
      outbox_.progress();
      return verdicts_.take(event, error);
    });
    return error;
  }
  void finish() {
    ep::wait_until(all_, {"words to leave", -1}, [this] {
      outbox_.progress();
      return outbox_.is_empty();
    });
    ep::check(EP_Barrier(all_.get()));
  }

 private:
  const ep::Comm& all_;
  Outbox outbox_;
  ReadVerdicts verdicts_;
};

std::vector<int> ranks_from(int first, int end) {
  std::vector<int> out;
  for (int rank = first; rank < end; ++rank) out.push_back(rank);
  return out;
}

TEST(ReadVerdicts, are_those_of_the_lowest_server_that_could_not) {
  const ep::Comm all = ep::Comm::from_mpi(MPI_COMM_WORLD);
  Server server(all);
  const std::vector<int> readers = ranks_from(0, all.size());
  for (std::int64_t event = 0; event < 40; ++event) {
    // Each event another server fails, of some two, of some none.
    const int fails = static_cast<int>(event) % (all.size() + 1);
    const bool is_bad = all.rank() == fails || all.rank() == fails + 1;
    server.verdicts().tell(event, readers, is_bad ? "bad at " + std::to_string(all.rank()) : "");
    const std::string expected = fails < all.size() ? "bad at " + std::to_string(fails) : "";
    EXPECT_EQ(server.await(event), expected) << event;
  }
  server.finish();
}

TEST(ReadVerdicts, come_in_any_order_of_records) {
  const ep::Comm all = ep::Comm::from_mpi(MPI_COMM_WORLD);
  Server server(all);
  const std::vector<int> readers = ranks_from(0, all.size());
  std::vector<std::int64_t> events{5, 6};
  if (all.rank() % 2 == 1) std::reverse(events.begin(), events.end());
  for (const std::int64_t event : events) {
    const bool is_bad = event == 6 && all.rank() == all.size() - 1;
    server.verdicts().tell(event, readers, is_bad ? "six" : "");
  }
  EXPECT_EQ(server.await(6), "six");
  EXPECT_EQ(server.await(5), "");
  server.finish();
}

TEST(ReadVerdicts, words_survive_the_wire_and_others_are_refused) {
  const ReadWord word{context, 123456789012, true, "why"};
  std::vector<std::byte> bytes = encode(word);
  const ReadWord back = decode_read_word(bytes);
  EXPECT_EQ(back.context, word.context);
  EXPECT_EQ(back.event, word.event);
  EXPECT_TRUE(back.is_verdict);
  EXPECT_EQ(back.error, word.error);
  bytes.push_back(std::byte{0});
  EXPECT_THROW(decode_read_word(bytes), Error);
  bytes.resize(bytes.size() - 2);
  EXPECT_THROW(decode_read_word(bytes), Error);
}

}  // namespace
}  // namespace epios::server
