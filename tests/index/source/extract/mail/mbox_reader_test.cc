#include "index/source/extract/mail/mbox_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

const std::string kFrom = "From a@b Fri Nov 27 08:41:18 2026\n";

std::vector<MboxPiece> Split(std::string_view box, MboxVariant variant = MboxVariant::kAuto,
                             uint64_t limit = 1 << 20) {
  MemoryMboxInput input(box);
  MboxReader reader(&input, limit, variant);
  std::vector<MboxPiece> pieces;
  uint64_t at = 0;
  for (;;) {
    MboxPiece piece;
    const auto more = reader.Next(&piece);
    EXPECT_TRUE(more.has_value());
    if (!more || !*more) break;
    EXPECT_EQ(piece.offset, at);
    EXPECT_GT(piece.length, 0u);
    at += piece.length;
    pieces.push_back(std::move(piece));
  }
  EXPECT_EQ(at, box.size());
  return pieces;
}

std::vector<std::string> Messages(std::string_view box, MboxVariant variant = MboxVariant::kAuto) {
  std::vector<std::string> messages;
  for (MboxPiece& piece : Split(box, variant)) {
    EXPECT_EQ(piece.kind, MboxPieceKind::kMessage);
    messages.push_back(std::move(piece.bytes));
  }
  return messages;
}

TEST(MboxReaderTest, DividesMessages) {
  const std::string box = kFrom + "Subject: a\n\nA\n\n" + kFrom + "Subject: b\n\nB\n";
  EXPECT_EQ(Messages(box), (std::vector<std::string>{"Subject: a\n\nA\n", "Subject: b\n\nB\n"}));
  EXPECT_EQ(Split(box)[1].envelope, kFrom.substr(0, kFrom.size() - 1));
  EXPECT_EQ(Messages("From - Fri Nov 27 08:41:18 2026\r\nSubject: a\r\n\r\nA\r\n\r\n"
                     "From - Fri Nov 27 08:41:18 2026\r\nSubject: b\r\n\r\nB\r\n"),
            (std::vector<std::string>{"Subject: a\r\n\r\nA\r\n", "Subject: b\r\n\r\nB\r\n"}));
}

TEST(MboxReaderTest, TellsFromLinesFromTexts) {
  // No empty line before it, but a date and a header after it.
  EXPECT_EQ(Messages(kFrom + "Subject: a\n\nA\n" + kFrom + "Subject: b\n\nB\n").size(), 2u);
  // No date, but an empty line before it and a header after it.
  EXPECT_EQ(Messages("From a\nSubject: a\n\nA\n\nFrom b\nSubject: b\n\nB\n").size(), 2u);
  EXPECT_EQ(Messages(kFrom + "Subject: a\n\nA\n\nFrom here on we go\nby foot.\n").size(), 1u);
  EXPECT_EQ(Messages(kFrom + "Subject: a\n\nA\nFrom Nov 27 08:41 on\nwe go.\n").size(), 1u);
}

TEST(MboxReaderTest, UnquotesByVariant) {
  const std::string text = "x\n>From a\n>>From b\n> From c\n";
  const std::string box = kFrom + "Subject: a\n\n" + text;
  EXPECT_EQ(Messages(box)[0], "Subject: a\n\nx\nFrom a\n>From b\n> From c\n");
  EXPECT_EQ(Messages(box, MboxVariant::kRd)[0], "Subject: a\n\nx\nFrom a\n>From b\n> From c\n");
  EXPECT_EQ(Messages(box, MboxVariant::kO)[0], "Subject: a\n\nx\nFrom a\n>>From b\n> From c\n");
  EXPECT_EQ(Messages(box, MboxVariant::kCl2)[0], "Subject: a\n\n" + text);
}

TEST(MboxReaderTest, ContentLengthCountsOnlyIfItIsRight) {
  const std::string text = "x\n\n" + kFrom + "Subject: inner\n\n>From y\n";
  const auto box = [&](size_t length) {
    return kFrom + "Subject: a\nContent-Length: " + std::to_string(length) + "\n\n" + text + "\n" +
           kFrom + "Subject: b\n\nB\n";
  };
  const auto right = Messages(box(text.size()));
  ASSERT_EQ(right.size(), 2u);
  EXPECT_TRUE(right[0].ends_with(text));
  EXPECT_EQ(Messages(box(text.size() + 3)).size(), 3u);
  EXPECT_EQ(Messages(box(text.size()), MboxVariant::kRd).size(), 3u);
}

TEST(MboxReaderTest, TellsGarbageAndTooLargeMessages) {
  const std::string box = "garbage\n\n" + kFrom + "Subject: a\n\n" + std::string(5000, 'x') +
                          "\n\n" + kFrom + "Subject: b\n\nB\n";
  const auto pieces = Split(box, MboxVariant::kAuto, 1000);
  ASSERT_EQ(pieces.size(), 3u);
  EXPECT_EQ(pieces[0].kind, MboxPieceKind::kDamaged);
  EXPECT_EQ(pieces[0].length, 9u);
  EXPECT_EQ(pieces[1].kind, MboxPieceKind::kTooLarge);
  EXPECT_EQ(pieces[1].bytes, "");
  EXPECT_EQ(pieces[2].kind, MboxPieceKind::kMessage);
  EXPECT_EQ(pieces[2].bytes, "Subject: b\n\nB\n");
}

// Pieces of every size fall on every place of the window.
TEST(MboxReaderTest, WindowsDoNotMatter) {
  std::string box;
  std::vector<std::string> expected;
  for (size_t i = 0; box.size() < (5u << 20); ++i) {
    std::string message = "Subject: " + std::to_string(i) + "\n\n";
    while (message.size() < i * 37 % 40'000) message += "some text\n> From line\n";
    box += kFrom + message + "\n";
    expected.push_back(std::move(message));
  }
  const auto got = Messages(box);
  ASSERT_EQ(got.size(), expected.size());
  for (size_t i = 0; i < got.size(); ++i) ASSERT_EQ(got[i], expected[i]) << i;
  // A piece does not depend on what precedes it.
  MemoryMboxInput input(std::string_view(box).substr(Split(box)[100].offset));
  MboxReader reader(&input, 1 << 20);
  MboxPiece piece;
  ASSERT_OK_AND_ASSIGN(const bool more, reader.Next(&piece));
  EXPECT_TRUE(more);
  EXPECT_EQ(piece.bytes, expected[100]);
}

TEST(MboxReaderTest, FloodsAreLinear) {
  for (const std::string& piece :
       {kFrom, std::string("From "), std::string("\nFrom "), kFrom + "a:b\n", kFrom + "\n",
        std::string("From x\nContent-Length: 3\n\n"), std::string(">"), std::string("\n>From "),
        std::string("From a\nb:"), std::string("\n")}) {
    std::string box = kFrom + "a: b\n\n";
    while (box.size() < (8u << 20)) box += piece;
    Split(box);
  }
}

TEST(MboxReaderTest, AnyBytesAreCovered) {
  const std::string box = kFrom + "Content-Length: 2\n\nA\n\n" + kFrom + "b: c\n\n>From x\n";
  for (size_t size = 0; size <= box.size(); ++size) Split(std::string_view(box).substr(0, size));
  for (size_t i = 0; i < box.size(); ++i) {
    for (const char value : {'\0', '\n', '\r', 'F', '9', '>'}) {
      std::string changed = box;
      changed[i] = value;
      Split(changed);
    }
  }
}

TEST(MboxNamesTest, AreStableAndUnique) {
  MboxNames names;
  EXPECT_EQ(names.Next("a.b@c.org"), "a.b@c.org");
  EXPECT_EQ(names.Next(""), "message-00002");
  EXPECT_EQ(names.Next("a.b@c.org"), "a.b@c.org#2");
  EXPECT_EQ(names.Next("../x y#2"), "_._x_y_2");
  EXPECT_EQ(names.Next("a.b@c.org"), "a.b@c.org#3");
  EXPECT_EQ(names.Next(std::string(1000, 'x')).size(), 150u);
}

}  // namespace
}  // namespace recall
