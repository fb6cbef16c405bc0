#include "storage/base/base64.h"

#include <gtest/gtest.h>

#include <random>

#include "storage/base/bytes.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::string Encode(std::string_view bytes) {
  std::string text;
  AppendBase64(AsBytes(bytes), &text);
  return text;
}

// The test vectors of RFC 4648, section 10.
TEST(Base64Test, WritesTheTestVectorsOfTheStandard) {
  EXPECT_EQ(Encode(""), "");
  EXPECT_EQ(Encode("f"), "Zg==");
  EXPECT_EQ(Encode("fo"), "Zm8=");
  EXPECT_EQ(Encode("foo"), "Zm9v");
  EXPECT_EQ(Encode("foob"), "Zm9vYg==");
  EXPECT_EQ(Encode("fooba"), "Zm9vYmE=");
  EXPECT_EQ(Encode("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Encode("\xFB\xFF\xFE"), "+//+");
}

TEST(Base64Test, ReadsBackWhatItWrote) {
  std::mt19937_64 random(TestSeed(64));
  for (size_t size = 0; size < 300; ++size) {
    std::string bytes(size, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    ASSERT_EQ(DecodeBase64(Encode(bytes)), bytes) << size;
  }
}

// Each sequence of bytes has exactly one text; no other text is accepted.
TEST(Base64Test, RefusesWhatItDoesNotWrite) {
  for (const char* text : {"Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zg==Zg==", "Zm9v\n",
                           "Zm9*", "Zm-_", " Zg==", "Zh==", "Zm9=", "Zm=v"}) {
    EXPECT_EQ(DecodeBase64(text), std::nullopt) << text;
  }
  const char* const kDigits = "ABCDwxyz0189+/=-_ ";
  std::mt19937_64 random(TestSeed(65));
  for (int run = 0; run < 100'000; ++run) {
    std::string text(random() % 10, '\0');
    for (char& c : text) c = kDigits[random() % 18];
    const auto bytes = DecodeBase64(text);
    if (!bytes) continue;
    ASSERT_EQ(Encode(*bytes), text);
  }
}

}  // namespace
}  // namespace recall
