#include "cliques/tag_layout.hpp"

#include <gtest/gtest.h>

namespace ep::tag_layout_test {
namespace {

TEST(TagLayout, of_this_mpi_promises_the_standard_tags_without_header) {
  for (const int clique : {1, 2, 4, 8}) {
    const TagLayout layout((1 << 28) - 1, clique);
    EXPECT_GE(layout.largest_short_tag(), 32767) << clique;
    EXPECT_TRUE(layout.fits({0, clique - 1, clique - 1, 32767}));
    EXPECT_TRUE(layout.fits({63, 0, 0, 0}));
  }
}

TEST(TagLayout, whatever_fits_survives_and_nothing_exceeds_the_bound) {
  for (const int tag_ub :
       {3, 4, 7, 32767, (1 << 19) - 1, (1 << 20) + 5, (1 << 28) - 1, 2147483647}) {
    for (const int clique : {1, 2, 3, 5, 16, 300}) {
      const TagLayout layout(tag_ub, clique);
      for (const unsigned context : {0U, 1U, 63U, 255U, 100'000U}) {
        for (const int slot : {0, 1, clique - 1, 1000}) {
          for (const int tag : {0, 1, 15, 32767, layout.largest_short_tag(), 2147483647}) {
            const TagLayout::Identity id{context, slot, clique - 1, tag};
            if (!layout.fits(id)) continue;
            const int raw = layout.encode(id);
            ASSERT_GE(raw, 0);
            ASSERT_LE(raw, tag_ub);
            ASSERT_FALSE(layout.is_header(raw));
            const TagLayout::Identity back = layout.decode(raw);
            ASSERT_EQ(back.context, context);
            ASSERT_EQ(layout.context_of(raw), context);
            ASSERT_EQ(back.source_slot, slot);
            ASSERT_EQ(back.dest_slot, clique - 1);
            ASSERT_EQ(back.tag, tag);
          }
        }
      }
    }
  }
}

TEST(TagLayout, what_does_not_fit_says_so) {
  const TagLayout layout((1 << 28) - 1, 4);
  EXPECT_FALSE(layout.fits({0, 4, 0, 0}));
  EXPECT_FALSE(layout.fits({0, 0, 0, layout.largest_short_tag() + 1}));
  EXPECT_FALSE(layout.fits({0, 0, 0, -5}));
  EXPECT_FALSE(layout.fits({1U << 20, 0, 0, 0}));
}

TEST(TagLayout, header_and_bodies_stay_in_the_bound_and_apart) {
  for (const int tag_ub : {3, 7, 32767, (1 << 28) - 1}) {
    const TagLayout layout(tag_ub, 2);
    EXPECT_TRUE(layout.is_header(layout.header_tag()));
    EXPECT_FALSE(layout.is_body(layout.header_tag()));
    for (unsigned n = 0; n < 10; ++n) {
      EXPECT_TRUE(layout.is_body(layout.body_tag(n)));
      EXPECT_LE(layout.body_tag(n), tag_ub);
    }
    EXPECT_TRUE(layout.is_body(layout.body_tag(0xffffffffU)));
  }
}

}  // namespace
}  // namespace ep::tag_layout_test
