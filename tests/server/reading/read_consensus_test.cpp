// Servers that read slabs of one record: all say the same of it, whoever comes first.
#include "reading/read_consensus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::server::read_consensus_test {
namespace {

constexpr std::uint32_t context = 7;

/// One server of those that run the test.
class Server {
 public:
  explicit Server(const ep::Comm& all) : all_(all), consensus_({&all, &outbox_, context}) {}

  ReadConsensus& verdicts() { return consensus_; }
  std::string await(std::int64_t event) { return await_verdict(event).error; }
  ReadVerdict await_verdict(std::int64_t event) {
    ReadVerdict verdict;
    ep::wait_until(all_, {"a verdict", -1}, [&] {
      ep::Received message;
      while (ep::try_receive(all_, EP_ANY_SOURCE, static_cast<int>(io::ControlTag::among_readers),
                             message)) {
        const ReadStatus word = decode_read_status(message.bytes);
        EXPECT_EQ(word.context, context);
        consensus_.add_status(word, message.source);
      }
      outbox_.progress();
      return consensus_.take(event, verdict);
    });
    return verdict;
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
  ReadConsensus consensus_;
};

std::vector<int> ranks_from(int first, int end) {
  std::vector<int> out;
  for (int rank = first; rank < end; ++rank) out.push_back(rank);
  return out;
}

TEST(ReadConsensus, are_those_of_the_lowest_server_that_could_not) {
  const ep::Comm all = ep::Comm::from_mpi(MPI_COMM_WORLD);
  Server server(all);
  const std::vector<int> readers = ranks_from(0, all.size());
  for (std::int64_t event = 0; event < 40; ++event) {
    // Each event another server fails, of some two, of some none.
    const int fails = static_cast<int>(event) % (all.size() + 1);
    const bool is_bad = all.rank() == fails || all.rank() == fails + 1;
    server.verdicts().report(event, readers, {is_bad ? "bad at " + std::to_string(all.rank()) : ""},
                             {});
    const std::string expected = fails < all.size() ? "bad at " + std::to_string(fails) : "";
    EXPECT_EQ(server.await(event), expected) << event;
  }
  server.finish();
}

TEST(ReadConsensus, come_in_any_order_of_records) {
  const ep::Comm all = ep::Comm::from_mpi(MPI_COMM_WORLD);
  Server server(all);
  const std::vector<int> readers = ranks_from(0, all.size());
  std::vector<std::int64_t> events{5, 6};
  if (all.rank() % 2 == 1) std::reverse(events.begin(), events.end());
  for (const std::int64_t event : events) {
    const bool is_bad = event == 6 && all.rank() == all.size() - 1;
    server.verdicts().report(event, readers, {is_bad ? "six" : ""}, {});
  }
  EXPECT_EQ(server.await(6), "six");
  EXPECT_EQ(server.await(5), "");
  server.finish();
}

TEST(ReadConsensus, know_servers_that_have_read_different_files) {
  const ep::Comm all = ep::Comm::from_mpi(MPI_COMM_WORLD);
  Server server(all);
  const std::vector<int> readers = ranks_from(0, all.size());
  const int last = all.size() - 1;
  // 0 nobody differs, 1 to 4 the last one does in one thing, 5 nobody knows, 6 one could not read
  // and so has none, 7 a copy on another node.
  for (int what = 0; what < 8; ++what) {
    io::FileIdentity file{10, 11, 22, 33, 44};
    if (all.rank() == last) {
      if (what == 1) file.number = 12;
      if (what == 2) file.bytes = 23;
      if (what == 3) file.seconds = 34;
      if (what == 4) file.nanoseconds = 45;
      if (what == 7) file = {9, 8, 22, 7, 6};
    }
    const bool fails = what == 6 && all.rank() == last;
    const std::optional<io::FileIdentity> told =
        what == 5 || fails ? std::nullopt : std::optional(file);
    server.verdicts().report(what, readers, {fails ? "gone" : "", fails}, told);
    const ReadVerdict verdict = server.await_verdict(what);
    const bool differs = what >= 1 && what <= 4 && all.size() > 1;
    EXPECT_EQ(verdict.differs, differs) << what;
    if (!differs) {
      EXPECT_EQ(verdict.error, what == 6 ? "gone" : "") << what;
    } else if (what == 2 && last == 1) {
      const auto of = [](int rank, const std::string& bytes) {
        return "server " + std::to_string(rank) + " has " + bytes +
               " bytes, changed at 1970-01-01 00:00:33.000000044 UTC, number 11";
      };
      const std::string first = of(0, "22") + "; " + of(1, "23");
      const std::string second = of(1, "23") + "; " + of(0, "22");
      EXPECT_TRUE(verdict.error == first || verdict.error == second) << verdict.error;
    } else {
      EXPECT_NE(verdict.error.find("; server "), std::string::npos) << verdict.error;
    }
    EXPECT_EQ(verdict.may_mend, what == 6) << what;
  }
  server.finish();
}

TEST(ReadConsensus, words_survive_the_wire_and_others_are_refused) {
  const ReadStatus word{context, 123456789012, true, {"why", true, true}, {{0, 1, 2, 3, 4}}};
  std::vector<std::byte> bytes(1000);
  encode(word, bytes);
  const ReadStatus back = decode_read_status(bytes);
  EXPECT_EQ(back.context, word.context);
  EXPECT_EQ(back.event, word.event);
  EXPECT_TRUE(back.is_verdict);
  EXPECT_EQ(back.verdict.error, word.verdict.error);
  EXPECT_TRUE(back.verdict.may_mend);
  EXPECT_TRUE(back.verdict.differs);
  EXPECT_EQ(back.file, word.file);
  bytes.push_back(std::byte{0});
  EXPECT_THROW(decode_read_status(bytes), Error);
  bytes.resize(bytes.size() - 2);
  EXPECT_THROW(decode_read_status(bytes), Error);
}

}  // namespace
}  // namespace epios::server::read_consensus_test
