#include "storage/sessions/session_body.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

struct BodyContents {
  std::multiset<std::string> lines;
  std::vector<int64_t> damaged;
};

BodyContents ReadBody(std::string_view body) {
  BodyContents contents;
  auto reader = SessionBodyReader::Open(body);
  if (!reader) return contents;
  while (const auto frame = reader->Next()) {
    if (frame->lines) contents.lines.insert(*frame->lines);
    if (!frame->lines) contents.damaged.push_back(frame->number);
  }
  return contents;
}

std::vector<std::string> SomeFrames(std::mt19937& random) {
  std::vector<std::string> frames;
  for (auto n = 1 + random() % 6; n > 0; --n) {
    std::string lines = std::to_string(random());
    for (auto i = random() % 200; i > 0; --i) lines += static_cast<char>('a' + random() % 3);
    // The letters of a frame may also be in its lines.
    if (random() % 4 == 0) lines += "RBFR";
    frames.push_back(lines + "\n");
  }
  return frames;
}

TEST(SessionBodyTest, FramesAreReadAsTheyWereAppended) {
  std::string body(kSessionBodyHeader);
  AppendSessionFrame("one\n", &body);
  const std::string before = body;
  AppendSessionFrame("two\nthree\n", &body);
  EXPECT_TRUE(body.starts_with(before));
  ASSERT_OK_AND_ASSIGN(SessionBodyReader reader, SessionBodyReader::Open(body));
  EXPECT_EQ(*reader.Next()->lines, "one\n");
  const auto second = reader.Next();
  EXPECT_EQ(second->number, 2);
  EXPECT_EQ(*second->lines, "two\nthree\n");
  EXPECT_FALSE(reader.Next().has_value());
}

TEST(SessionBodyTest, AHeaderIsNeeded) {
  EXPECT_EQ(SessionBodyReader::Open("").error().code(), StatusCode::kCorruption);
  EXPECT_EQ(SessionBodyReader::Open("{}\n").error().code(), StatusCode::kCorruption);
  EXPECT_EQ(SessionBodyReader::Open("recall.body 2\n").error().code(), StatusCode::kUnsupported);
  EXPECT_TRUE(SessionBodyReader::Open(kSessionBodyHeader).has_value());
}

// A byte that changed costs the frame it is in, and no other.
TEST(SessionBodyTest, DamageCostsTheFramesItIsIn) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(11)));
  for (int i = 0; i < 300; ++i) {
    const std::vector<std::string> frames = SomeFrames(random);
    std::string body(kSessionBodyHeader);
    std::vector<size_t> ends;
    for (const std::string& lines : frames) {
      AppendSessionFrame(lines, &body);
      ends.push_back(body.size());
    }
    const size_t at =
        kSessionBodyHeader.size() + random() % (body.size() - kSessionBodyHeader.size());
    body[at] = static_cast<char>(body[at] ^ (1 << (random() % 8)));
    std::multiset<std::string> expected;
    int64_t hit = 0;
    for (size_t f = 0; f < frames.size(); ++f) {
      const size_t begin = f == 0 ? kSessionBodyHeader.size() : ends[f - 1];
      if (at >= begin && at < ends[f]) {
        hit = static_cast<int64_t>(f) + 1;
      } else {
        expected.insert(frames[f]);
      }
    }
    const BodyContents contents = ReadBody(body);
    EXPECT_EQ(contents.lines, expected);
    EXPECT_EQ(contents.damaged, std::vector<int64_t>{hit});
  }
}

TEST(SessionBodyTest, ATruncatedBodyGivesItsWholeFrames) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(12)));
  const std::vector<std::string> frames = SomeFrames(random);
  std::string body(kSessionBodyHeader);
  std::vector<size_t> ends;
  for (const std::string& lines : frames) {
    AppendSessionFrame(lines, &body);
    ends.push_back(body.size());
  }
  for (size_t size = kSessionBodyHeader.size(); size <= body.size(); ++size) {
    std::multiset<std::string> expected;
    bool cut = size > kSessionBodyHeader.size();
    for (size_t f = 0; f < frames.size(); ++f) {
      if (ends[f] <= size) expected.insert(frames[f]);
      if (ends[f] == size) cut = false;
    }
    const BodyContents contents = ReadBody(std::string_view(body).substr(0, size));
    EXPECT_EQ(contents.lines, expected) << size;
    EXPECT_EQ(contents.damaged.size(), cut ? 1U : 0U) << size;
  }
}

TEST(SessionBodyTest, AnyBytesAreRead) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(13)));
  for (int i = 0; i < 2000; ++i) {
    std::string body(kSessionBodyHeader);
    for (auto n = random() % 60; n > 0; --n) {
      body += random() % 5 == 0 ? "RBFR" : std::string(1, static_cast<char>(random()));
    }
    EXPECT_TRUE(ReadBody(body).lines.empty());
  }
}

}  // namespace
}  // namespace recall
