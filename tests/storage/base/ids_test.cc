#include "storage/base/ids.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace recall {
namespace {

TEST(IdsTest, Sha256KnownValue) {
  EXPECT_EQ(ToHex(Sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

// The expected values of the published formulas were computed with coreutils' sha256sum.
TEST(IdsTest, PublishedFormulas) {
  const Digest hash = Sha256("hello\n");
  ASSERT_EQ(ToHex(hash), "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03");
  const Digest doc = MakeDocId("a/b.md", hash);
  EXPECT_EQ(ToHex(doc), "ef252f63ed694076387c3dad088a1db116d850c379fab76d6c78150e2f3e93ab");
  EXPECT_EQ(ToHex(MakeChunkId(doc, 32)),
            "f8ee9a67bd22a612f928b1ba3e4902919b0ac8929cd64d4a9b4b585968dceffb");
  EXPECT_NE(MakeChunkId(doc, 32), MakeChunkId(doc, 32, 5));
}

TEST(IdsTest, HexRoundTripAndRefusal) {
  EXPECT_EQ(FromHex("00fFA0"), std::string("\x00\xFF\xA0", 3));
  EXPECT_EQ(FromHex("abc"), std::nullopt);
  EXPECT_EQ(FromHex("zz"), std::nullopt);
}

TEST(IdsTest, SortKeysOrderLikeDigestsAndPrefixesAreRanges) {
  std::vector<Digest> ids;
  for (int i = 0; i < 200; ++i) ids.push_back(Sha256(std::to_string(i)));
  std::sort(ids.begin(), ids.end());
  for (size_t i = 1; i < ids.size(); ++i) EXPECT_LT(IdSortKey(ids[i - 1]), IdSortKey(ids[i]));
  for (const Digest& id : ids) {
    const std::string hex = ToHex(id);
    for (const size_t length : {1u, 5u, 16u, 17u, 64u}) {
      const auto range = IdPrefixRange(hex.substr(0, length));
      ASSERT_TRUE(range);
      for (const Digest& other : ids) {
        const bool in_range = IdSortKey(other) >= range->first && IdSortKey(other) <= range->last;
        const size_t compared = std::min<size_t>(length, 16);
        EXPECT_EQ(in_range, ToHex(other).substr(0, compared) == hex.substr(0, compared));
      }
    }
  }
  EXPECT_FALSE(IdPrefixRange(""));
  EXPECT_FALSE(IdPrefixRange("12g"));
  EXPECT_FALSE(IdPrefixRange(std::string(65, 'a')));
}

}  // namespace
}  // namespace recall
