// The receiving side of a context, alone: when it asks for which record, and what becomes of the
// answers. Servers are ends of channels that this thread fills, as they come or all at once.
#include "links/read_link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::client::read_link_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Values take more room than the text that may stand in their place.
constexpr std::int64_t ni = 40;
constexpr std::int64_t nj = 30;
constexpr std::uint32_t context = 3;

/// Fields "f0" ... of one file, hourly.
config::Model model_of(int fields) {
  std::string text =
      "<simulation><context id='c'><calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
      "<domain_definition><domain id='d' type='rectilinear' ni_glo='40' nj_glo='30' ibegin='0' "
      "ni='40' jbegin='0' nj='30'/></domain_definition><file_definition>"
      "<file id='f' mode='read' output_freq='1h'>";
  for (int f = 0; f < fields; ++f) {
    text += "<field id='f" + std::to_string(f) +
            "' domain_ref='d' operation='instant' read_access='true'/>";
  }
  text += "</file></file_definition></context></simulation>";
  return config::Definitions(config::Document({{"iodef.xml", text}})).resolve("c");
}

double value(int field, std::int64_t record, std::int64_t point) {
  return 1e6 * static_cast<double>(record) + 1e4 * field + static_cast<double>(point);
}

/// What a server says instead of values.
struct Bad {
  int server = 0;
  int field = 0;
  std::int64_t record = 0;
  bool may_mend = false;
};

/// A client with its link, and the servers at the other ends.
class ReadLinkTest : public ::testing::Test {
 protected:
  ReadLinkTest() : job_(MPI_COMM_WORLD, {"model", 1, false}, MPI_THREAD_MULTIPLE) {}

  void open(int fields, int servers, int read_ahead) {
    open(model_of(fields), servers, read_ahead);
  }
  void open(config::Model model, int servers, int read_ahead) {
    const int fields = static_cast<int>(model.read_fields.size());
    model_ = std::make_unique<config::Model>(std::move(model));
    comms_ = ep::Comm::from_mpi(MPI_COMM_SELF).create_endpoints(servers + 1);
    parts_ = std::make_unique<io::LocalParts>(*model_);
    placements_ = io::place_read_files(*model_, servers, 0);
    pieces_ = io::read_pieces_of(*model_, placements_, servers);
    for (const config::ReadField& field : model_->read_fields) {
      dates_.push_back(model_->schedule(field));
    }
    senders_.resize(static_cast<std::size_t>(servers));
    due_.resize(static_cast<std::size_t>(servers));
    const ServerWaits waits{job_, job_.client(0), {}, "context 'c'"};
    const ReadLink::Setup setup{
        *model_,     *parts_,
        placements_, pieces_,
        context,     io::CarrierKind::in_process,
        0,           waits,
        read_ahead,  std::vector<std::int64_t>(static_cast<std::size_t>(fields), 0),
        dates_};
    link_ = std::make_unique<ReadLink>(
        comms_.back(), setup,
        [this](int field, std::int64_t record, const std::vector<std::uint8_t>&,
               const std::vector<int>& asked) {
          asked_.emplace_back(field, record);
          for (const int server : asked) {
            due_[static_cast<std::size_t>(server)].emplace_back(field, record);
          }
        },
        [this] { answer_all(); });
    connect();
    link_->begin();
    link_->begin_date(date(0));
  }

  config::Instant date(std::int64_t record) const { return dates_.front().date_of(record); }

  void connect() {
    for (int s = 0; s < static_cast<int>(senders_.size()); ++s) {
      const ep::Comm& own = comms_[static_cast<std::size_t>(s)];
      ep::Received message;
      while (!ep::try_receive(own, EP_ANY_SOURCE, static_cast<int>(io::ControlTag::to_server),
                              message)) {
      }
      const io::AnswerChannel channel = io::decode_answer_channel(message.bytes);
      EXPECT_EQ(channel.context, context);
      auto& sender = senders_[static_cast<std::size_t>(s)];
      sender = io::open_channel(own, message.source, channel.offer);
      send(s, io::EventHeader{.kind = io::EventKind::read, .context = context}, {});
    }
  }

  void send(int server, io::EventHeader header, std::span<const std::byte> payload) {
    io::ChannelSender& sender = *senders_[static_cast<std::size_t>(server)];
    const std::span<std::byte> part = sender.try_reserve(io::part_bytes(payload.size()));
    ASSERT_FALSE(part.empty()) << "a request has not reserved the room of its answer";
    header.payload_bytes = payload.size();
    header.hash = io::event_hash(header);
    io::write_header(part, header);
    if (!payload.empty()) {
      std::memcpy(part.data() + io::EventHeader::payload_offset, payload.data(), payload.size());
    }
    sender.commit();
  }

  void answer(int server) {
    auto& due = due_[static_cast<std::size_t>(server)];
    const auto [field, record] = due.front();
    due.pop_front();
    io::EventHeader header;
    header.kind = io::EventKind::read;
    header.context = context;
    header.stream = field;
    header.record = record;
    const Bad* bad = nullptr;
    for (const Bad& one : bad_) {
      if (one.server == server && one.field == field && one.record == record) bad = &one;
    }
    if (bad != nullptr) {
      header.samples = bad->may_mend ? io::may_be_read_later : 1;
      const std::string text = "no record " + std::to_string(record);
      return send(server, header, std::as_bytes(std::span(text.data(), text.size())));
    }
    const io::Pieces& pieces = pieces_[static_cast<std::size_t>(server)];
    const io::Box& slab =
        pieces.grids[static_cast<std::size_t>(pieces.of_stream[static_cast<std::size_t>(field)])]
            .slab;
    std::vector<double> values;
    for (std::int64_t j = 0; j < slab.size[0]; ++j) {
      for (std::int64_t i = 0; i < slab.size[1]; ++i) {
        values.push_back(value(field, record, (slab.begin[0] + j) * ni + slab.begin[1] + i));
      }
    }
    send(server, header, std::as_bytes(std::span(values)));
  }
  void answer_all() {
    for (int s = 0; s < static_cast<int>(senders_.size()); ++s) {
      while (!due_[static_cast<std::size_t>(s)].empty()) answer(s);
    }
  }

  /// What the model gets; "" if these are the values, else why there are none.
  std::string receive(int field, std::int64_t record) {
    std::vector<double> array(static_cast<std::size_t>(ni * nj), -1);
    try {
      link_->receive(field, record, record + 1, {}, std::span(array));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::io);
      return error.what();
    }
    for (std::int64_t k = 0; k < ni * nj; ++k) {
      EXPECT_EQ(array[static_cast<std::size_t>(k)], value(field, record, k))
          << "field " << field << ", record " << record << ", point " << k;
    }
    return {};
  }
  /// A date at which the model receives all fields.
  void receive_all(std::int64_t record) {
    link_->begin_date(date(record));
    for (int f = 0; f < static_cast<int>(model_->read_fields.size()); ++f) {
      EXPECT_EQ(receive(f, record), "");
    }
  }
  using Asked = std::vector<std::pair<int, std::int64_t>>;
  /// Since the last call.
  Asked take_asked() { return std::exchange(asked_, {}); }

  io::Job job_;
  std::vector<ep::Comm> comms_;  // of the servers, and of the client
  std::unique_ptr<config::Model> model_;
  std::unique_ptr<io::LocalParts> parts_;
  std::vector<io::FilePlacement> placements_;
  std::vector<io::Pieces> pieces_;
  std::vector<config::ReadSchedule> dates_;
  std::unique_ptr<ReadLink> link_;
  std::vector<std::unique_ptr<io::ChannelSender>> senders_;
  std::vector<std::deque<std::pair<int, std::int64_t>>> due_;  // per server
  std::vector<Bad> bad_;
  Asked asked_;
};

// Four points in an array of halos: no array is made here.
TEST_F(ReadLinkTest, arrays_may_have_more_values_than_int_counts) {
  const std::string text =
      "<simulation><context id='c'><calendar type='NoLeap' timestep='1h' start_date='2000-01-01'/>"
      "<axis_definition><axis id='x' n_glo='2' data_n='100000'/><axis id='y' n_glo='2' "
      "data_n='50000'/></axis_definition><grid_definition><grid id='g'><axis axis_ref='x'/>"
      "<axis axis_ref='y'/></grid></grid_definition><file_definition><file id='f' mode='read' "
      "output_freq='1h'><field id='f0' grid_ref='g' operation='instant' read_access='true'/>"
      "</file></file_definition></context></simulation>";
  open(config::Definitions(config::Document({{"iodef.xml", text}})).resolve("c"), 1, 1);
  const std::size_t values = link_->array_size(0);
  EXPECT_EQ(values, 5'000'000'000U);
}

TEST_F(ReadLinkTest, asks_for_the_next_record_with_each_that_is_received) {
  open(2, 2, 8);
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, 0), std::pair(1, 0)));
  EXPECT_EQ(receive(0, 0), "");
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, 1)));
  EXPECT_EQ(receive(1, 0), "");
  link_->begin_date(date(1));
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(1, 1)));
  EXPECT_EQ(receive(0, 1), "");
  EXPECT_EQ(receive(1, 1), "");
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, 2), std::pair(1, 2)));
  link_->drain();
}

// A model that computes between two receives must not find that nobody has read meanwhile.
TEST_F(ReadLinkTest, a_request_waits_for_no_other_receive_where_few_are_due) {
  open(2, 1, 8);
  for (std::int64_t record = 0; record < 5; ++record) {
    link_->begin_date(date(record));
    take_asked();
    EXPECT_EQ(receive(0, record), "");
    EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, record + 1)));
    EXPECT_EQ(receive(1, record), "");
  }
  link_->drain();
}

// While 16 or more are due, servers are woken once for 16.
TEST_F(ReadLinkTest, requests_leave_in_batches_while_many_are_due) {
  constexpr int fields = 40;
  open(fields, 1, 200);
  receive_all(0);
  receive_all(1);
  receive_all(2);
  take_asked();
  link_->begin_date(date(3));
  std::vector<std::size_t> asked;
  for (int f = 0; f < fields; ++f) {
    EXPECT_EQ(receive(f, 3), "");
    asked.push_back(take_asked().size());
  }
  EXPECT_EQ(asked[14], 0U);
  EXPECT_EQ(asked[15], 16U);
  EXPECT_EQ(asked[16], 0U);
  // The last ones are on their way before the model computes.
  EXPECT_EQ(std::accumulate(asked.begin(), asked.end(), std::size_t{0}), std::size_t{fields});
  link_->drain();
}

// Fields that had no room at first are needed at this very date: they are not held back.
TEST_F(ReadLinkTest, the_window_slides_with_each_receive) {
  open(5, 1, 2);
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, 0), std::pair(1, 0)));
  EXPECT_EQ(receive(0, 0), "");
  EXPECT_FALSE(take_asked().empty());
  for (int f = 1; f < 5; ++f) EXPECT_EQ(receive(f, 0), "");
  for (std::int64_t record = 1; record < 4; ++record) receive_all(record);
  link_->drain();
}

TEST_F(ReadLinkTest, fields_come_in_any_order) {
  open(6, 2, 8);
  for (std::int64_t record = 0; record < 4; ++record) {
    link_->begin_date(date(record));
    for (int f = 5; f >= 0; --f) EXPECT_EQ(receive(f, record), "") << f;
  }
  link_->drain();
}

// A server never waits for room: what came too early is taken out of the way first.
TEST_F(ReadLinkTest, no_more_requests_are_under_way_than_there_is_room_for_answers) {
  open(5, 2, 2);
  for (std::int64_t record = 0; record < 3; ++record) {
    link_->begin_date(date(record));
    for (int f = 4; f >= 0; --f) {
      answer_all();
      EXPECT_EQ(receive(f, record), "") << f;
    }
  }
  link_->drain();
}

TEST_F(ReadLinkTest, a_record_that_the_model_leaves_out_is_given_up) {
  open(2, 2, 4);
  EXPECT_EQ(receive(0, 0), "");
  EXPECT_EQ(receive(1, 0), "");
  take_asked();
  link_->begin_date(date(2));
  EXPECT_EQ(receive(0, 2), "");
  EXPECT_EQ(receive(1, 2), "");
  EXPECT_THAT(take_asked(),
              ElementsAre(std::pair(0, 2), std::pair(0, 3), std::pair(1, 2), std::pair(1, 3)));
  EXPECT_EQ(receive(1, 1), "") << "also one before it";
  link_->drain();
}

TEST_F(ReadLinkTest, what_cannot_be_read_is_an_error_once_and_the_next_record_is_asked_for) {
  open(1, 2, 4);
  bad_ = {{1, 0, 1, false}};
  EXPECT_EQ(receive(0, 0), "");
  take_asked();
  EXPECT_EQ(receive(0, 1), "no record 1");
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, 2)));
  EXPECT_EQ(receive(0, 2), "");
  link_->drain();
}

TEST_F(ReadLinkTest, what_was_not_there_ahead_of_time_is_asked_for_once_more) {
  open(1, 1, 4);
  bad_ = {{0, 0, 1, true}};
  EXPECT_EQ(receive(0, 0), "");
  answer_all();
  take_asked();
  bad_ = {};  // the part has come
  EXPECT_EQ(receive(0, 1), "");
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, 1), std::pair(0, 2)));
  // It never comes: the second answer counts.
  bad_ = {{0, 0, 2, true}};
  EXPECT_EQ(receive(0, 2), "no record 2");
  EXPECT_THAT(take_asked(), ElementsAre(std::pair(0, 2), std::pair(0, 3)));
  link_->drain();
}

// Whether answers were set aside, which differs between clients, decides nothing about requests.
TEST_F(ReadLinkTest, a_problem_that_was_given_up_is_forgotten) {
  open(2, 2, 2);
  EXPECT_EQ(receive(0, 0), "");
  bad_ = {{0, 0, 1, true}, {1, 0, 1, true}};
  EXPECT_EQ(receive(1, 0), "");
  EXPECT_EQ(receive(1, 1), "");  // behind field 0's record 1, which is set aside
  EXPECT_EQ(receive(0, 2), "");  // not 1
  bad_ = {};
  take_asked();
  EXPECT_EQ(receive(1, 2), "");
  EXPECT_EQ(receive(0, 3), "");
  for (const auto& [field, record] : take_asked()) {
    EXPECT_GE(record, 3) << "field " << field << " is asked for again";
  }
  link_->drain();
}

TEST_F(ReadLinkTest, nothing_is_left_in_the_channels) {
  open(3, 2, 8);
  EXPECT_EQ(receive(0, 0), "");
  link_->drain();
  for (const auto& sender : senders_) EXPECT_TRUE(sender->is_drained());
  for (const auto& due : due_) EXPECT_THAT(due, IsEmpty());
}

TEST_F(ReadLinkTest, an_answer_to_another_request_is_an_error) {
  open(1, 1, 4);
  due_[0].front() = {0, 7};
  std::vector<double> array(static_cast<std::size_t>(ni * nj));
  try {
    link_->receive(0, 0, 1, {}, std::span(array));
    FAIL() << "it was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::protocol);
    EXPECT_THAT(error.what(), HasSubstr("server 0 answers for field 0, record 7 (asked was for "
                                        "field 0, record 0)"));
  }
}

}  // namespace
}  // namespace epios::client::read_link_test
