#include "storage/sqlite/page_checksum.h"

#include <gtest/gtest.h>

#include <vector>

#include "storage/base/split_mix.h"

namespace recall {
namespace {

using Page = std::vector<uint8_t>;

Page MakePage(size_t bytes, uint32_t number, uint64_t seed) {
  SplitMix64 random(seed);
  Page page(bytes);
  for (uint8_t& byte : page) byte = static_cast<uint8_t>(random.Next());
  ClearPageTrailer(page);
  EXPECT_TRUE(WritePageTrailer(page, number));
  return page;
}

void Flip(Page* page, size_t bit) { (*page)[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8); }

TEST(PageChecksumTest, EverySingleBitIsFoundAndCorrected) {
  const Page intact = MakePage(512, 7, 1);
  ASSERT_EQ(CheckPageTrailer(intact, 7), PageState::kIntact);
  for (size_t bit = 0; bit < intact.size() * 8; ++bit) {
    Page page = intact;
    Flip(&page, bit);
    ASSERT_EQ(CheckPageTrailer(page, 7), PageState::kDamaged) << bit;
    ASSERT_TRUE(CorrectSingleBit(page, 7)) << bit;
    ASSERT_EQ(page, intact) << bit;
  }
}

TEST(PageChecksumTest, BitsOfLargePagesAreCorrected) {
  const Page intact = MakePage(65536, 12'345, 2);
  SplitMix64 random(3);
  for (int i = 0; i < 20; ++i) {
    Page page = intact;
    Flip(&page, random.Next() % (page.size() * 8));
    ASSERT_TRUE(CorrectSingleBit(page, 12'345));
    ASSERT_EQ(page, intact);
  }
}

TEST(PageChecksumTest, OtherDamageIsFoundAndNotCorrected) {
  const Page intact = MakePage(1024, 9, 4);
  SplitMix64 random(5);
  for (int i = 0; i < 500; ++i) {
    Page page = intact;
    const size_t bits = 2 + random.Next() % 40;
    const size_t first = random.Next() % (page.size() * 8 - 64);
    for (size_t k = 0; k < bits; ++k) Flip(&page, first + k);
    ASSERT_EQ(CheckPageTrailer(page, 9), PageState::kDamaged);
    const Page before = page;
    ASSERT_FALSE(CorrectSingleBit(page, 9));
    ASSERT_EQ(page, before);
  }
}

TEST(PageChecksumTest, APageOfAnotherPlaceIsDamaged) {
  Page page = MakePage(4096, 3, 6);
  EXPECT_EQ(CheckPageTrailer(page, 4), PageState::kDamaged);
}

TEST(PageChecksumTest, AnEmptyTrailerIsNoChecksum) {
  Page page = MakePage(4096, 3, 7);
  ClearPageTrailer(page);
  EXPECT_EQ(CheckPageTrailer(page, 3), PageState::kUnsealed);
}

// A page without room for a trailer has contents there.
TEST(PageChecksumTest, ContentsAreNotOverwritten) {
  Page page = MakePage(4096, 3, 8);
  page.back() = 1;
  const Page before = page;
  EXPECT_FALSE(WritePageTrailer(page, 3));
  EXPECT_EQ(page, before);
}

TEST(PageChecksumTest, ASpoiledPageIsDamagedForEver) {
  Page page = MakePage(4096, 3, 9);
  SpoilPageTrailer(page);
  EXPECT_EQ(CheckPageTrailer(page, 3), PageState::kDamaged);
  EXPECT_FALSE(CorrectSingleBit(page, 3));
}

}  // namespace
}  // namespace recall
