#include <numeric>
#include <vector>

#include "grid/layout.hpp"
#include "random.hpp"

namespace epios::io::slabs_test {
namespace {

using test::Random;

constexpr std::int64_t mb = 1'000'000;

TEST(ChunkShape, OneWriterAndASmallRecordIsOneChunk) {
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 20 * mb, 1), (Extents{30, 180, 360}));
  EXPECT_EQ(chunk_shape({}, 8, 20 * mb, 1), Extents{});
}

TEST(ChunkShape, LargeRecordsAreCutAlongTheSlowestDimension) {
  // 75 levels of 8.3 MB: two fit.
  EXPECT_EQ(chunk_shape({75, 1020, 1020}, 8, 20 * mb, 1), (Extents{2, 1020, 1020}));
  // One level is too much already.
  EXPECT_EQ(chunk_shape({3, 4000, 4000}, 8, 20 * mb, 1), (Extents{1, 572, 4000}));
  // Equal pieces: 7 levels of which 4 fit make 4 + 3.
  EXPECT_EQ(chunk_shape({7, 1000}, 1000, 4 * mb, 1), (Extents{4, 1000}));
}

TEST(ChunkShape, SlabsOfSeveralWritersAreWholeChunks) {
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 20 * mb, 2), (Extents{15, 180, 360}));
  EXPECT_EQ(chunk_shape({2, 1000, 1000}, 8, 20 * mb, 4), (Extents{2, 250, 1000}));
  EXPECT_EQ(chunk_shape({2, 3}, 8, 20 * mb, 4), (Extents{2, 1}));
}

TEST(ChunkShape, WeightsSayWhichDimensionsAreCut) {
  const std::vector<double> rows = {0, 1, 0};
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 4 * mb, 1, rows), (Extents{30, 45, 360}));
  // Cut as often: 8 pieces of about 1.9 MB would be too large.
  const std::vector<double> all = {1, 1, 1};
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 2 * mb, 1, all), (Extents{15, 90, 180}));
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, mb, 1, all), (Extents{10, 60, 120}));
  // What is enough is not cut; none above 0 is as none given.
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 20 * mb, 1, all), (Extents{30, 180, 360}));
  const std::vector<double> none = {0, 0, 0};
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 4 * mb, 1, none),
            chunk_shape({30, 180, 360}, 8, 4 * mb, 1));
  // Writers come first: slabs stay whole numbers of chunks.
  const std::vector<double> columns = {0, 0, 1};
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 4 * mb, 2, columns), (Extents{15, 180, 180}));
  EXPECT_EQ(chunk_shape({30, 180, 360}, 8, 20 * mb, 2, columns), (Extents{15, 180, 360}));
  // A dimension that is too short does what it can.
  EXPECT_EQ(chunk_shape({3, 1000, 1000}, 8, mb, 1, std::vector<double>{1, 0, 0}),
            (Extents{1, 1000, 1000}));
}

TEST(ChunkShape, NoChunkIsLargerThanHdf5Takes) {
  EXPECT_EQ(chunk_shape({2, 40000, 40000}, 8, 20 * mb, 1, std::vector<double>{1, 0, 0}),
            (Extents{1, 10000, 40000}));
}

TEST(Slabs, AreContiguousInOrderAndTheLastMayBeEmpty) {
  EXPECT_EQ(slabs({10, 4}, {3, 4}, 2), (std::vector<Box>{{{0, 0}, {6, 4}}, {{6, 0}, {4, 4}}}));
  const auto three = slabs({2, 4}, {1, 4}, 3);
  EXPECT_EQ(three[1], (Box{{1, 0}, {1, 4}}));
  EXPECT_TRUE(three[2].is_empty());
  EXPECT_EQ(three[2].rank(), 2U);
}

TEST(Slabs, AScalarBelongsToTheFirstWriter) {
  const auto both = slabs({}, {}, 2);
  EXPECT_EQ(both[0], Box{});
  EXPECT_EQ(both[0].volume(), 1);
  EXPECT_TRUE(both[1].is_empty());
}

TEST(Slabs, EveryPointHasOneOwnerAndChunksAreWhole) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Extents shape = random.shape(4, 9);
    const int writers = static_cast<int>(random.pick(1, 6));
    const std::int64_t value_bytes = random.flip() ? 4 : 8;
    const std::int64_t target = random.pick(1, 4000);
    const Extents chunk = chunk_shape(shape, value_bytes, target, writers);
    ASSERT_EQ(chunk.size(), shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) {
      EXPECT_GE(chunk[d], 1);
      EXPECT_LE(chunk[d], shape[d]);
    }
    if (writers == 1) {
      EXPECT_LE(volume(chunk) * value_bytes, std::max(target, value_bytes));
    }
    const auto shares = slabs(shape, chunk, writers);
    ASSERT_EQ(shares.size(), static_cast<std::size_t>(writers));
    std::int64_t covered = 0;
    bool ended = false;
    for (std::size_t w = 0; w < shares.size(); ++w) {
      const Box& slab = shares[w];
      EXPECT_TRUE(contains(whole(shape), slab));
      covered += slab.volume();
      EXPECT_FALSE(ended && !slab.is_empty()) << "empty slabs come last";
      ended = ended || slab.is_empty();
      for (std::size_t other = 0; other < w; ++other) {
        EXPECT_EQ(intersect(slab, shares[other]), std::nullopt);
      }
      if (slab.is_empty()) continue;
      for (std::size_t d = 0; d < shape.size(); ++d) {
        EXPECT_EQ(slab.begin[d] % chunk[d], 0);
        const std::int64_t end = slab.begin[d] + slab.size[d];
        EXPECT_TRUE(end % chunk[d] == 0 || end == shape[d]);
      }
    }
    EXPECT_EQ(covered, volume(shape));
  }
}

TEST(Slabs, AreBalancedWhereTheShapeAllows) {
  for (const int writers : {2, 3, 4, 5, 8}) {
    SCOPED_TRACE(writers);
    const Extents shape = {180, 360};
    const auto shares = slabs(shape, chunk_shape(shape, 8, 20 * mb, writers), writers);
    const std::int64_t fair = (volume(shape) + writers - 1) / writers;
    for (const Box& slab : shares) EXPECT_LE(slab.volume(), fair + 360);
  }
}

}  // namespace
}  // namespace epios::io::slabs_test
