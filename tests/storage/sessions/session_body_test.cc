#include "storage/sessions/session_body.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <optional>
#include <random>
#include <set>
#include <vector>

#include "storage/base/ids.h"
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

// What a program makes of a frame that knows only sessions: the size of the lines, and these.
std::optional<std::string> LinesForOldReaders(std::string_view frame) {
  constexpr size_t kHead = 4 + 4 + 4 + 32;
  const auto u32 = [&](size_t at) {
    size_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= size_t{static_cast<uint8_t>(frame[at + i])} << (8 * i);
    return value;
  };
  const std::string_view data = frame.substr(kHead, u32(4));
  if (ZSTD_getFrameContentSize(data.data(), data.size()) != u32(8)) return std::nullopt;
  std::string lines(u32(8), '\0');
  const size_t got = ZSTD_decompress(lines.data(), lines.size(), data.data(), data.size());
  if (ZSTD_isError(got) || got != lines.size()) return std::nullopt;
  return lines;
}

TEST(SessionBodyTest, FramesOfNotesHaveNoLinesOfSessions) {
  std::string body(kSessionBodyHeader);
  AppendSessionFrame("session\n", &body);
  const size_t begin = body.size();
  AppendNoteFrame("note\n", &body);
  const std::string frame = body.substr(begin);
  AppendSessionFrame("session 2\n", &body);
  ASSERT_OK_AND_ASSIGN(SessionBodyReader reader, SessionBodyReader::Open(body));
  EXPECT_EQ(reader.Next()->notes, "");
  const auto notes = reader.Next();
  EXPECT_EQ(notes->lines, "");
  EXPECT_EQ(notes->notes, "note\n");
  EXPECT_EQ(*reader.Next()->lines, "session 2\n");
  EXPECT_FALSE(reader.Next().has_value());
  EXPECT_EQ(LinesForOldReaders(frame), "");
}

// A later version may write frames with neither sessions nor notes. They are passed over.
TEST(SessionBodyTest, SkippableFramesOfOtherKindsHaveNoLines) {
  std::string frame;
  AppendNoteFrame("note\n", &frame);
  const size_t letters = frame.find("NOTE");
  ASSERT_NE(letters, frame.npos);
  const std::string sizes = frame.substr(4, 8);
  std::string data = frame.substr(4 + 8 + 32);
  data.replace(data.find("NOTE"), 4, "MORE");
  const Digest sum = Sha256(sizes + data);
  std::string body(kSessionBodyHeader);
  body += "RBFR" + sizes + std::string(sum.begin(), sum.end()) + data;
  ASSERT_OK_AND_ASSIGN(SessionBodyReader reader, SessionBodyReader::Open(body));
  const auto read = reader.Next();
  EXPECT_EQ(read->lines, "");
  EXPECT_EQ(read->notes, "");
}

// The checksum is right, and the zstd frame in it is not.
TEST(SessionBodyTest, DamagedNotesAreADamagedFrame) {
  std::string frame;
  AppendNoteFrame(std::string(1000, 'n') + "\n", &frame);
  const std::string sizes = frame.substr(4, 8);
  std::string data = frame.substr(4 + 8 + 32);
  data.back() = static_cast<char>(data.back() ^ 0x55);
  for (const std::string& changed : {data, data.substr(0, data.size() - 1)}) {
    std::string own_sizes = sizes;
    own_sizes[0] = static_cast<char>(changed.size() & 0xFF);
    own_sizes[1] = static_cast<char>(changed.size() >> 8);
    const Digest sum = Sha256(own_sizes + changed);
    std::string body(kSessionBodyHeader);
    body += "RBFR" + own_sizes + std::string(sum.begin(), sum.end()) + changed;
    ASSERT_OK_AND_ASSIGN(SessionBodyReader reader, SessionBodyReader::Open(body));
    const auto read = reader.Next();
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(!read->lines || read->notes != std::string(1000, 'n') + "\n");
    EXPECT_TRUE(read->lines.has_value() || read->notes.empty());
  }
}

}  // namespace
}  // namespace recall
