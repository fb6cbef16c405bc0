#include "cli/server/tools/cursor.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

Cursor RandomCursor(std::mt19937_64& random) {
  const auto text = [&](size_t most) {
    std::string bytes(random() % (most + 1), '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 255 + 1);
    return bytes;
  };
  Cursor cursor;
  cursor.fingerprint = static_cast<uint32_t>(random());
  cursor.offset = random() >> (random() % 64);
  cursor.snapshot = text(30);
  for (size_t i = random() % 4; i > 0; --i) cursor.targets.push_back(text(50));
  return cursor;
}

TEST(CursorTest, IsReadAsItWasWritten) {
  std::mt19937_64 random(TestSeed(1));
  for (int i = 0; i < 2000; ++i) {
    const Cursor cursor = RandomCursor(random);
    const std::string text = EncodeCursor(cursor);
    EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789-_"),
              std::string::npos);
    EXPECT_EQ(DecodeCursor(text), cursor) << text;
  }
  EXPECT_EQ(DecodeCursor(EncodeCursor({})), Cursor());
}

TEST(CursorTest, EveryFlippedBitIsRefused) {
  std::mt19937_64 random(TestSeed(2));
  for (int i = 0; i < 50; ++i) {
    const std::string text = EncodeCursor(RandomCursor(random));
    for (size_t bit = 0; bit < text.size() * 8; ++bit) {
      std::string flipped = text;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      EXPECT_EQ(DecodeCursor(flipped), std::nullopt) << text << " " << flipped;
    }
  }
}

TEST(CursorTest, EveryOtherCharacterIsRefused) {
  const std::string text = EncodeCursor({0x12345678, 40, "abc-17", {"docs/a.md@1234:5-6"}});
  for (size_t i = 0; i < text.size(); ++i) {
    for (int c = 0; c < 256; ++c) {
      std::string other = text;
      if (other[i] == static_cast<char>(c)) continue;
      other[i] = static_cast<char>(c);
      EXPECT_EQ(DecodeCursor(other), std::nullopt) << other;
    }
  }
}

TEST(CursorTest, EveryTruncationAndEveryAdditionIsRefused) {
  std::mt19937_64 random(TestSeed(3));
  for (int i = 0; i < 50; ++i) {
    const std::string text = EncodeCursor(RandomCursor(random));
    for (size_t size = 0; size < text.size(); ++size) {
      EXPECT_EQ(DecodeCursor(text.substr(0, size)), std::nullopt) << text << " " << size;
    }
    for (const char* more : {"A", "AA", "AAA", "AAAA", "=", "==", " ", "\n"}) {
      EXPECT_EQ(DecodeCursor(text + more), std::nullopt) << text << more;
    }
  }
}

TEST(CursorTest, OtherTextsAreRefused) {
  for (const std::string& text : {std::string(), std::string("AAAA"), std::string("next"),
                                  std::string("AAAAAAAAAAA"), std::string(1 << 20, 'A')}) {
    EXPECT_EQ(DecodeCursor(text), std::nullopt) << text.substr(0, 20);
  }
}

}  // namespace
}  // namespace recall
