#include "records/record_steps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../grid/steps_on_servers.hpp"
#include "config/error.hpp"
#include "grid/routing.hpp"
#include "records/stored_form.hpp"

namespace epios::server::record_steps_test {
namespace {

/// One server, and clients that have so many rows of domain "d" each, from the first one on.
struct Played {
  config::Model model = io::test::model_with_steps();
  io::Pieces pieces = io::pieces_of(model, io::place_files(model, 1, 1000), 1)[0];
  std::vector<io::OpeningPart> parts;
  std::vector<PieceAssignment> shares;
  std::vector<StreamAssignment> streams;

  explicit Played(const std::vector<std::int64_t>& rows, bool swaps_rows = false) {
    std::int64_t first = 0;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      config::Model own = model;
      for (config::Domain& domain : own.domains) {
        domain.attributes.jbegin = first;
        domain.attributes.nj = rows[c];
      }
      const io::LocalParts local(own);
      io::OpeningPart part =
          io::opening_part(own, local, pieces,
                           io::local_holders(own, local, io::local_forms(own), static_cast<int>(c)),
                           static_cast<int>(c));
      part.rows.resize(2);
      for (std::int64_t j = first; j < first + rows[c]; ++j) {
        for (std::int64_t i = 0; i < 2; ++i) {
          add(part.rows[0], 2 * j + i, 4 * (swaps_rows ? 2 - j : j) + i);
        }
        add(part.rows[1], j, 2 * j + 1);
      }
      first += rows[c];
      parts.push_back(std::move(part));
    }
    shares = assign_pieces(pieces, parts);
    streams = assign_streams(model, pieces, shares, parts);
  }
  static io::EventHeader header_of(std::size_t stream, std::int64_t record = 0) {
    io::EventHeader out;
    out.stream = static_cast<std::int32_t>(stream);
    out.record = record;
    return out;
  }
  static void add(io::StepRows& rows, std::int64_t target, std::int64_t source) {
    rows.targets.push_back(target);
    rows.sources.push_back(source);
    rows.begin.push_back(static_cast<std::int64_t>(rows.sources.size()));
  }
  RecordSteps steps() const { return RecordSteps(model, pieces, shares, streams, parts); }
  /// What comes of a stream whose point number k has value k.
  std::vector<double> made(std::size_t stream) const {
    RecordSteps steps = this->steps();
    const StreamAssignment& share = streams[stream];
    std::vector<std::vector<double>> values(share.piece->senders.size());
    std::vector<io::EventQueue::Part> came;
    for (std::size_t i = 0; i < values.size(); ++i) {
      share.piece->patterns[i].for_each([&](std::int64_t, std::int64_t place) {
        values[i].push_back(static_cast<double>(place));
      });
      came.push_back({share.piece->senders[i], std::as_writable_bytes(std::span(values[i]))});
    }
    std::vector<double> out(static_cast<std::size_t>(share.on_file->slab.volume()), 99);
    steps.work_out(header_of(stream), share, came, out);
    return out;
  }
};

TEST(RecordSteps, TakeOneAfterTheOther) {
  const std::vector<double> left{0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21};
  for (const std::vector<std::int64_t>& rows : {std::vector<std::int64_t>{3}, {1, 2}, {1, 1, 1}}) {
    const Played played(rows);
    EXPECT_EQ(played.made(0), left) << rows.size() << " clients";
    EXPECT_EQ(played.made(1), (std::vector<double>{1, 5, 9, 13, 17, 21}));
    EXPECT_EQ(played.made(2), left);
  }
  EXPECT_EQ(Played({3}, true).made(0),
            (std::vector<double>{8, 9, 4, 5, 0, 1, 20, 21, 16, 17, 12, 13}));
}

TEST(RecordSteps, LeavePointsThatNobodyHasMissing) {
  const Played played({2});
  for (const std::size_t stream : {0U, 1U}) {
    const std::vector<double> made = played.made(stream);
    const std::size_t row = stream == 0 ? 2 : 1;
    for (std::size_t k = 0; k < made.size(); ++k) {
      EXPECT_EQ(std::isnan(made[k]), k / row % 3 == 2) << stream << ", " << k;
    }
  }
}

// A part that is the whole slab is taken from where it came.
TEST(RecordSteps, HoldArraysForWhatIsPutTogetherAndForWhatIsBetween) {
  const std::size_t between = 12 * sizeof(double);
  const std::size_t source = 24 * sizeof(double);
  EXPECT_EQ(Played({1, 2}).steps().bytes() - Played({3}).steps().bytes(), source);
  EXPECT_GT(Played({3}).steps().bytes(), between);
  EXPECT_EQ(RecordSteps().bytes(), 0U);
}

// Would have found levels that are made of the wrong one, means of means where cells are missing,
// and a record that is handed over as another one.
TEST(RecordSteps, MakeCoarserLevelsWithTheFinestOne) {
  const config::Model model = io::test::model_with_levels();
  const io::Pieces pieces = io::pieces_of(model, io::place_files(model, 1, 1000), 1)[0];
  config::Model own = model;
  for (config::Domain& domain : own.domains) {
    domain.attributes.jbegin = 0;
    domain.attributes.nj = domain.attributes.nj_glo;
  }
  const io::LocalParts local(own);
  std::vector<io::OpeningPart> parts{io::opening_part(
      own, local, pieces, io::local_holders(own, local, io::local_forms(own), 0), 0)};
  parts[0].rows.resize(2);
  for (std::int64_t t = 0; t < 4; ++t) {
    io::StepRows& rows = parts[0].rows[0];
    const std::int64_t first = t / 2 * 8 + t % 2 * 2;
    rows.targets.push_back(t);
    rows.sources.insert(rows.sources.end(), {first, first + 1, first + 4, first + 5});
    rows.begin.push_back(4 * (t + 1));
  }
  parts[0].rows[1] = {{0}, {0, 4}, {0, 1, 2, 3}, {}, {}};
  const std::vector<PieceAssignment> shares = assign_pieces(pieces, parts);
  const std::vector<StreamAssignment> streams = assign_streams(model, pieces, shares, parts);
  RecordSteps steps(model, pieces, shares, streams, parts);
  std::vector<double> values(16, 1);
  values[0] = 9;
  for (const std::size_t missing : {2U, 3U, 6U}) values[missing] = std::nan("");
  values[7] = 5;
  std::vector<io::EventQueue::Part> came{{0, std::as_writable_bytes(std::span(values))}};
  std::vector<double> fine(16);
  std::vector<double> coarse(4);
  std::vector<double> coarsest(1);
  steps.work_out(Played::header_of(0, 7), streams[0], came, fine);
  EXPECT_EQ(fine[0], 9);
  EXPECT_EQ(fine[7], 5);
  steps.work_out(Played::header_of(1, 7), streams[1], {}, coarse);
  EXPECT_EQ(coarse, (std::vector<double>{3, 5, 1, 1}));
  steps.work_out(Played::header_of(2, 7), streams[2], {}, coarsest);
  EXPECT_DOUBLE_EQ(coarsest[0], (9 + 3 + 5 + 8) / 13.0);
  EXPECT_THROW(steps.work_out(Played::header_of(1, 8), streams[1], {}, coarse), Error);
  EXPECT_TRUE(streams[0].needs_buffer()) << "doubles come, floats are written";
}

TEST(Narrow, PutsSinglePrecisionToTheFront) {
  std::vector<double> values{1.5, 1e300, 0.1, std::nan("")};
  const auto bytes = narrow(std::as_writable_bytes(std::span(values)));
  ASSERT_EQ(bytes.size(), 4 * sizeof(float));
  const auto narrowed = io::values_of<float>(bytes);
  EXPECT_EQ(narrowed[0], 1.5F);
  EXPECT_TRUE(std::isinf(narrowed[1]));
  EXPECT_EQ(narrowed[2], 0.1F);
  EXPECT_TRUE(std::isnan(narrowed[3]));
}

}  // namespace
}  // namespace epios::server::record_steps_test
