#include "index/search/bitmap/bitmap.h"

#include <algorithm>
#include <random>
#include <set>

#include "storage/base/bytes.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Twin = std::set<uint32_t>;

std::vector<uint32_t> ToVector(const Twin& twin) { return {twin.begin(), twin.end()}; }

Bitmap FromTwin(const Twin& twin) {
  Bitmap bitmap;
  for (const uint32_t value : twin) bitmap.Add(value);
  return bitmap;
}

Result<Bitmap> ParseText(const std::string& bytes) { return Bitmap::Parse(AsBytes(bytes)); }

// A bitmap and a std::set with the same random history: values and ranges are added and removed in
// a few containers, so that arrays, bitsets and runs all occur.
struct Pair {
  Bitmap bitmap;
  Twin twin;
};

Pair RandomPair(std::mt19937_64& random) {
  Pair pair;
  const auto value = [&] { return static_cast<uint32_t>(random() % 200'000); };
  for (int step = 0; step < 40; ++step) {
    const uint32_t first = value();
    const uint32_t last = first + static_cast<uint32_t>(random() % 9000);
    switch (random() % 4) {
      case 0:
        for (int i = 0; i < 300; ++i) {
          const uint32_t single = value();
          pair.bitmap.Add(single);
          pair.twin.insert(single);
        }
        break;
      case 1:
      case 2:
        pair.bitmap.AddRange(first, last);
        for (uint32_t v = first; v <= last; ++v) pair.twin.insert(v);
        break;
      default:
        pair.bitmap.RemoveRange(first, last);
        pair.twin.erase(pair.twin.lower_bound(first), pair.twin.upper_bound(last));
    }
  }
  return pair;
}

TEST(BitmapTest, BehavesLikeASet) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 8; ++round) {
    const Pair pair = RandomPair(random);
    EXPECT_EQ(pair.bitmap.Values(), ToVector(pair.twin));
    EXPECT_EQ(pair.bitmap.Count(), pair.twin.size());
    EXPECT_EQ(pair.bitmap.Empty(), pair.twin.empty());
    for (int probe = 0; probe < 200; ++probe) {
      const auto first = static_cast<uint32_t>(random() % 210'000);
      const auto last = static_cast<uint32_t>(first + random() % 70'000);
      const Twin inside(pair.twin.lower_bound(first), pair.twin.upper_bound(last));
      EXPECT_EQ(pair.bitmap.Contains(first), pair.twin.contains(first));
      EXPECT_EQ(pair.bitmap.CountRange(first, last), inside.size());
      if (probe < 20) {
        EXPECT_EQ(pair.bitmap.ValuesIn(first, last), ToVector(inside));
      }
    }
  }
}

TEST(BitmapTest, CopiesRangesAsBits) {
  std::mt19937_64 random(TestSeed(7));
  for (int round = 0; round < 6; ++round) {
    Pair pair = RandomPair(random);
    // A container of each kind, and a few values at the very top of the range.
    pair.bitmap.AddRange(0xffffffe0, 0xffffffff);
    for (uint64_t v = 0xffffffe0; v <= 0xffffffff; ++v) pair.twin.insert(static_cast<uint32_t>(v));
    for (int probe = 0; probe < 60; ++probe) {
      const auto length = static_cast<uint32_t>(random() % (probe % 2 == 0 ? 100 : 70'000));
      const auto first =
          probe % 5 == 0 ? 0xffffffff - length : static_cast<uint32_t>(random() % 210'000);
      const uint32_t last = first + length;
      std::vector<uint32_t> words(length / 32 + 1, 0xdeadbeef);
      pair.bitmap.CopyBits(first, last, words);
      std::vector<uint32_t> expected(words.size());
      for (auto it = pair.twin.lower_bound(first); it != pair.twin.end() && *it <= last; ++it) {
        expected[(*it - first) / 32] |= uint32_t{1} << (*it - first) % 32;
      }
      ASSERT_EQ(words, expected) << first << ".." << last;
    }
  }
}

// Like a filter by document: containers with more than a thousand short runs.
TEST(BitmapTest, CopiesManyShortRunsAsBits) {
  std::mt19937_64 random(TestSeed(8));
  for (const uint32_t longest : {1u, 3u, 20u, 40u, 200u}) {
    Bitmap bitmap;
    std::vector<bool> twin(400'000);
    uint32_t next = 131'000;  // not at the start of a container
    while (next < 330'000) {
      const uint32_t last = next + static_cast<uint32_t>(random() % longest);
      bitmap.AddRange(next, last);
      std::fill(twin.begin() + next, twin.begin() + last + 1, true);
      next = last + 2 + static_cast<uint32_t>(random() % 20);
    }
    for (int probe = 0; probe < 30; ++probe) {
      const auto first = static_cast<uint32_t>(130'000 + random() % 140'000);
      const uint32_t last = first + static_cast<uint32_t>(random() % 120'000);
      std::vector<uint32_t> words((last - first) / 32 + 1, 0xdeadbeef);
      bitmap.CopyBits(first, last, words);
      for (uint32_t i = 0; i < words.size() * 32; ++i) {
        const bool expected = i <= last - first && twin[first + i];
        ASSERT_EQ(words[i / 32] >> i % 32 & 1, uint32_t{expected}) << first << " + " << i;
      }
    }
  }
}

TEST(BitmapTest, IsMadeOfBits) {
  std::mt19937 random(11);
  for (const uint32_t first : {0u, 64u, 65'536u - 64, 3u << 16, 0xFFFF0000u - 6400}) {
    // No member, few and many members of a container, and all.
    for (const uint32_t one_in : {0u, 1000u, 40u, 2u, 1u}) {
      std::vector<uint64_t> words(1 + random() % 1100);
      Twin twin;
      for (size_t i = 0; i < words.size() * 64; ++i) {
        if (one_in == 0 || random() % one_in != 0) continue;
        words[i / 64] |= uint64_t{1} << i % 64;
        twin.insert(first + static_cast<uint32_t>(i));
      }
      const Bitmap bitmap = Bitmap::OfBits(first, words);
      EXPECT_EQ(bitmap.Values(), ToVector(twin)) << first << " " << one_in;
      EXPECT_EQ(bitmap.Count(), twin.size());
      EXPECT_TRUE(bitmap == FromTwin(twin));
      EXPECT_EQ(bitmap.Serialize(), FromTwin(twin).Serialize());
    }
  }
  EXPECT_TRUE(Bitmap::OfBits(0, {}).Empty());
}

TEST(BitmapTest, CombinesLikeASet) {
  std::mt19937_64 random(TestSeed(2));
  for (int round = 0; round < 6; ++round) {
    const Pair a = RandomPair(random);
    const Pair b = RandomPair(random);
    Twin both;
    Twin either = a.twin;
    Twin only_a;
    for (const uint32_t v : a.twin) (b.twin.contains(v) ? both : only_a).insert(v);
    either.insert(b.twin.begin(), b.twin.end());
    EXPECT_EQ(a.bitmap.And(b.bitmap).Values(), ToVector(both));
    EXPECT_EQ(a.bitmap.Or(b.bitmap).Values(), ToVector(either));
    EXPECT_EQ(a.bitmap.AndNot(b.bitmap).Values(), ToVector(only_a));
    EXPECT_FALSE(a.bitmap == b.bitmap);
    EXPECT_TRUE(a.bitmap == FromTwin(a.twin));
  }
}

TEST(BitmapTest, ReachesBothEndsOfTheRange) {
  Bitmap bitmap;
  bitmap.AddRange(0xfffffff0, 0xffffffff);
  bitmap.Add(0);
  EXPECT_EQ(bitmap.Count(), 17u);
  EXPECT_EQ(bitmap.CountRange(0, 0xffffffff), 17u);
  EXPECT_EQ(bitmap.ValuesIn(0xfffffffe, 0xffffffff),
            (std::vector<uint32_t>{0xfffffffe, 0xffffffff}));
  bitmap.RemoveRange(0, 0xfffffffe);
  EXPECT_EQ(bitmap.Values(), std::vector<uint32_t>{0xffffffff});
  bitmap.AddRange(7, 6);  // an empty range
  EXPECT_EQ(bitmap.Count(), 1u);
  EXPECT_EQ(bitmap.CountRange(7, 6), 0u);
}

TEST(BitmapTest, CopiesAreIndependent) {
  Bitmap original;
  original.Add(1);
  Bitmap copy = original;
  copy.Add(2);
  EXPECT_EQ(original.Count(), 1u);
  original = copy;
  original.Add(3);
  EXPECT_EQ(copy.Count(), 2u);
  const Bitmap moved = std::move(copy);
  EXPECT_EQ(moved.Values(), (std::vector<uint32_t>{1, 2}));
}

TEST(BitmapTest, SerializesToThePortableFormat) {
  Bitmap bitmap;
  for (const uint32_t value : {1, 2, 3, 1000}) bitmap.Add(value);
  const uint8_t expected[] = {0x3a, 0x30, 0, 0, 1, 0, 0,    0,  // cookie, one container
                              0,    0,    3, 0,                 // key 0, four members
                              16,   0,    0, 0,                 // at byte 16
                              1,    0,    2, 0, 3, 0, 0xe8, 3};
  EXPECT_EQ(bitmap.Serialize(), AsText(expected));

  Bitmap range;
  range.AddRange(65536 + 10, 65536 + 5009);
  const uint8_t expected_run[] = {0x3b, 0x30, 0,    0,    1,  // cookie, one container, it is a run
                                  1,    0,    0x87, 0x13,     // key 1, 5000 members
                                  1,    0,    10,   0,    0x87, 0x13};
  EXPECT_EQ(range.Serialize(), AsText(expected_run));
}

TEST(BitmapTest, EqualSetsGiveEqualBytes) {
  std::mt19937_64 random(TestSeed(3));
  for (int round = 0; round < 8; ++round) {
    const Pair pair = RandomPair(random);
    const std::string bytes = pair.bitmap.Serialize();
    EXPECT_EQ(bytes, FromTwin(pair.twin).Serialize());
    ASSERT_OK_AND_ASSIGN(const Bitmap parsed, ParseText(bytes));
    EXPECT_TRUE(parsed == pair.bitmap);
    EXPECT_EQ(parsed.Serialize(), bytes);
  }
}

// A run that ends with its container: removing a document there must not write outside of it.
TEST(BitmapTest, RunsMayEndWhereAContainerEnds) {
  for (const uint32_t end : {65'535u, 131'071u, 4'294'967'295u}) {
    Bitmap bitmap;
    bitmap.AddRange(end - 35, end);
    ASSERT_OK_AND_ASSIGN(const Bitmap parsed, ParseText(bitmap.Serialize()));
    EXPECT_TRUE(parsed == bitmap);
    EXPECT_EQ(parsed.Count(), 36u);
  }
}

// For short ranges, containers of several kinds have the same size. The choice must not depend on
// the history.
TEST(BitmapTest, HistoryDoesNotShowInTheBytes) {
  for (uint32_t size = 1; size < 12; ++size) {
    Bitmap one_by_one;
    for (uint32_t v = 100; v < 100 + size; ++v) one_by_one.Add(v);
    Bitmap at_once;
    at_once.AddRange(100, 99 + size);
    Bitmap cut_out;
    cut_out.AddRange(0, 60'000);
    cut_out.RemoveRange(0, 99);
    cut_out.RemoveRange(100 + size, 60'000);
    EXPECT_EQ(one_by_one.Serialize(), at_once.Serialize()) << size;
    EXPECT_EQ(one_by_one.Serialize(), cut_out.Serialize()) << size;
  }
}

TEST(BitmapTest, NoBytesAreTheEmptySet) {
  ASSERT_OK_AND_ASSIGN(const Bitmap none, ParseText(""));
  EXPECT_TRUE(none.Empty());
  ASSERT_OK_AND_ASSIGN(const Bitmap written, ParseText(Bitmap().Serialize()));
  EXPECT_TRUE(written.Empty());
}

// A container of each kind, with and without runs; fewer and more than four containers, because a
// file with runs has offsets from four on.
std::vector<std::string> SampleFiles() {
  std::vector<std::string> files;
  for (const uint32_t containers : {1u, 2u, 5u}) {
    for (const bool runs : {false, true}) {
      Bitmap bitmap;
      for (uint32_t c = 0; c < containers; ++c) {
        const uint32_t base = c * 65536;
        if (c % 2 == 1) {
          for (uint32_t i = 0; i < 5000; ++i) bitmap.Add(base + i * 13);  // a bitset
        } else {
          for (uint32_t i = 0; i < 20; ++i) bitmap.Add(base + i * i);  // an array
        }
        if (runs && c % 3 == 0) bitmap.AddRange(base, base + 40'000);
      }
      files.push_back(bitmap.Serialize());
    }
  }
  return files;
}

TEST(BitmapTest, EveryTruncationIsCorrupt) {
  for (const std::string& file : SampleFiles()) {
    ASSERT_OK(ParseText(file));
    const size_t step = file.size() > 1000 ? 7 : 1;
    for (size_t size = 1; size < file.size(); size += step) {
      const auto parsed = ParseText(file.substr(0, size));
      ASSERT_FALSE(parsed.has_value()) << size << " of " << file.size();
      EXPECT_EQ(parsed.error().code(), StatusCode::kCorruption);
    }
    EXPECT_FALSE(ParseText(file + '\0').has_value());
  }
}

// A damaged file is rejected, or read as a proper set.
void ExpectSoundOrCorrupt(const std::string& file) {
  const auto parsed = ParseText(file);
  if (!parsed) {
    EXPECT_EQ(parsed.error().code(), StatusCode::kCorruption);
    return;
  }
  const std::vector<uint32_t> values = parsed->Values();
  EXPECT_EQ(values.size(), parsed->Count());
  EXPECT_TRUE(std::adjacent_find(values.begin(), values.end(), std::greater_equal<>()) ==
              values.end());
  const auto again = ParseText(parsed->Serialize());
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(*again == *parsed);
}

TEST(BitmapTest, DamagedBytesNeverMakeABadSet) {
  std::mt19937_64 random(TestSeed(4));
  for (const std::string& file : SampleFiles()) {
    const size_t step = file.size() > 1000 ? 97 : 1;
    for (size_t at = 0; at < file.size(); at += at < 64 ? 1 : step) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = file;
        damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
        ExpectSoundOrCorrupt(damaged);
      }
    }
    for (int round = 0; round < 200; ++round) {
      std::string damaged = file;
      for (int i = 0; i < 4; ++i)
        damaged[random() % std::min<size_t>(64, file.size())] = static_cast<char>(random());
      ExpectSoundOrCorrupt(damaged);
    }
  }
}

std::string LittleEndian16(std::initializer_list<uint16_t> words) {
  std::string bytes;
  for (const uint16_t word : words) {
    bytes.push_back(static_cast<char>(word & 0xff));
    bytes.push_back(static_cast<char>(word >> 8));
  }
  return bytes;
}

TEST(BitmapTest, RefusesFilesThatContradictThemselves) {
  constexpr uint16_t kPlain = 12346;
  constexpr uint16_t kRuns = 12347;
  const auto corrupt = [](const std::string& bytes) { return !ParseText(bytes).has_value(); };
  // The members {5, 9} of container 0. Each of the other lines differs from that in one field.
  EXPECT_FALSE(corrupt(LittleEndian16({kPlain, 0, 1, 0, 0, 1, 16, 0, 5, 9})));
  EXPECT_TRUE(corrupt(LittleEndian16({12345, 0, 1, 0, 0, 1, 16, 0, 5, 9}))) << "cookie";
  EXPECT_TRUE(corrupt(LittleEndian16({kPlain, 0, 1, 0, 0, 1, 18, 0, 5, 9}))) << "offset";
  EXPECT_TRUE(corrupt(LittleEndian16({kPlain, 0, 1, 0, 0, 1, 16, 0, 9, 5}))) << "order";
  EXPECT_TRUE(corrupt(LittleEndian16({kPlain, 0, 1, 0, 0, 1, 16, 0, 5, 5}))) << "twice";
  EXPECT_TRUE(corrupt(LittleEndian16({kPlain, 0, 1, 1, 0, 1, 16, 0, 5, 9}))) << "65537 containers";
  // Containers 3 and 4 with one member each.
  EXPECT_FALSE(corrupt(LittleEndian16({kPlain, 0, 2, 0, 3, 0, 4, 0, 24, 0, 26, 0, 7, 7})));
  EXPECT_TRUE(corrupt(LittleEndian16({kPlain, 0, 2, 0, 4, 0, 4, 0, 24, 0, 26, 0, 7, 7})))
      << "same key";
  EXPECT_TRUE(corrupt(LittleEndian16({kPlain, 0, 2, 0, 4, 0, 3, 0, 24, 0, 26, 0, 7, 7})))
      << "key order";
  // The runs 1..3 and 6..8. The run flags take one byte, so the words after it are not aligned.
  const auto runs = [&](std::initializer_list<uint16_t> rest) {
    return LittleEndian16({kRuns, 0}) + '\1' + LittleEndian16(rest);
  };
  EXPECT_FALSE(corrupt(runs({0, 5, 2, 1, 2, 6, 2})));
  EXPECT_TRUE(corrupt(runs({0, 4, 2, 1, 2, 6, 2}))) << "cardinality";
  EXPECT_TRUE(corrupt(runs({0, 5, 2, 6, 2, 1, 2}))) << "run order";
  EXPECT_TRUE(corrupt(runs({0, 5, 2, 1, 2, 3, 2}))) << "overlap";
  EXPECT_TRUE(corrupt(runs({0, 5, 2, 1, 2, 4, 2}))) << "touching runs";
  EXPECT_TRUE(corrupt(runs({0, 5, 2, 1, 2, 65535, 2}))) << "past the container";
  EXPECT_TRUE(corrupt(runs({0, 5, 0}))) << "no run";
}

TEST(ChunkFilterTest, PassesWhatIsAllowedAndNotRemoved) {
  Bitmap allowed;
  allowed.AddRange(10, 20);
  Bitmap removed;
  removed.Add(15);
  EXPECT_TRUE(ChunkFilter().PassesAll());
  EXPECT_TRUE(ChunkFilter().Passes(99));
  const ChunkFilter filter{.allowed = &allowed, .removed = &removed};
  EXPECT_FALSE(filter.PassesAll());
  EXPECT_TRUE(filter.Passes(14));
  EXPECT_FALSE(filter.Passes(15));
  EXPECT_FALSE(filter.Passes(21));
}

}  // namespace
}  // namespace recall
