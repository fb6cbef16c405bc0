#include "index/source/extract/worker/outline_protocol.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

OutlineAnswer SampleOutlineAnswer() {
  OutlineAnswer answer{OutlineOutcome::kOutline, {}, 4711};
  answer.outline.grammar = "cpp-1";
  answer.outline.definitions = {{0, 500, 7, SymbolKind::kClass, "Store", -1},
                                {200, 300, 210, SymbolKind::kMethod, "caf\xC3\xA9", 0},
                                {600, 700, 600, SymbolKind::kVariable, "A", -1, true}};
  answer.outline.cuts = {{0, 1}, {200, 4}, {999, 70'000}};
  return answer;
}

TEST(OutlineProtocolTest, RequestsNameAGrammar) {
  const auto bytes = EncodeOutlineRequest("python-0.23.6");
  EXPECT_EQ(DecodeOutlineRequest({bytes.data(), bytes.size()}), "python-0.23.6");
  EXPECT_FALSE(DecodeOutlineRequest({bytes.data(), bytes.size() - 1}));
  // The requests of documents are others.
  EXPECT_FALSE(DecodeExtractRequest({bytes.data(), bytes.size()}));
  const auto document = EncodeExtractRequest({});
  EXPECT_FALSE(DecodeOutlineRequest({document.data(), document.size()}));
}

TEST(OutlineProtocolTest, AnswersAreReadAsTheyWereWritten) {
  const OutlineAnswer answer = SampleOutlineAnswer();
  const auto read = DecodeOutlineAnswer(EncodeOutlineAnswer(answer), "cpp-1", 1000);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->outcome, OutlineOutcome::kOutline);
  EXPECT_EQ(read->peak_kib, 4711);
  EXPECT_EQ(read->outline.grammar, "cpp-1");
  ASSERT_EQ(read->outline.definitions.size(), 3U);
  for (size_t i = 0; i < 3; ++i) {
    const Definition& expected = answer.outline.definitions[i];
    const Definition& actual = read->outline.definitions[i];
    EXPECT_EQ(actual.start_byte, expected.start_byte);
    EXPECT_EQ(actual.end_byte, expected.end_byte);
    EXPECT_EQ(actual.code_byte, expected.code_byte);
    EXPECT_EQ(actual.kind, expected.kind);
    EXPECT_EQ(actual.name, expected.name);
    EXPECT_EQ(actual.parent, expected.parent);
    EXPECT_EQ(actual.extends, expected.extends);
  }
  ASSERT_EQ(read->outline.cuts.size(), 3U);
  EXPECT_EQ(read->outline.cuts[2].byte, 999U);
  EXPECT_EQ(read->outline.cuts[2].depth, 70'000U);
  for (const OutlineOutcome outcome :
       {OutlineOutcome::kNone, OutlineOutcome::kUnconfined, OutlineOutcome::kNoLibrary}) {
    const auto none = DecodeOutlineAnswer(EncodeOutlineAnswer({outcome, {}, 1}), "cpp-1", 1000);
    ASSERT_TRUE(none.has_value());
    EXPECT_EQ(none->outcome, outcome);
  }
}

TEST(OutlineProtocolTest, UnsoundAnswersAreRefused) {
  const std::string bytes = EncodeOutlineAnswer(SampleOutlineAnswer());
  EXPECT_FALSE(DecodeOutlineAnswer(bytes, "cpp-1", 998));  // a cut behind the end
  EXPECT_FALSE(DecodeOutlineAnswer(bytes + '\0', "cpp-1", 1000));
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeOutlineAnswer(bytes.substr(0, size), "cpp-1", 1000)) << size;
  }
  OutlineAnswer overlap = SampleOutlineAnswer();
  overlap.outline.definitions[1].end_byte = 501;
  EXPECT_FALSE(DecodeOutlineAnswer(EncodeOutlineAnswer(overlap), "cpp-1", 1000));
  OutlineAnswer control = SampleOutlineAnswer();
  control.outline.definitions[1].name = "a\nb";
  EXPECT_FALSE(DecodeOutlineAnswer(EncodeOutlineAnswer(control), "cpp-1", 1000));
}

TEST(OutlineProtocolTest, TheLargestAnswerIsWithinTheBound) {
  OutlineAnswer answer{OutlineOutcome::kOutline, {}, INT64_MAX};
  const uint64_t size = 64 << 10;
  for (uint64_t i = 0; i < size / 8; ++i) {
    answer.outline.definitions.push_back(
        {i * 8, i * 8 + 8, i * 8 + 1, SymbolKind::kClass, std::string(200, 'a'), -1});
    answer.outline.cuts.push_back({i * 8, UINT32_MAX});
  }
  const std::string bytes = EncodeOutlineAnswer(answer);
  EXPECT_LE(bytes.size(), MostOutlineAnswerBytes(size));
  EXPECT_TRUE(DecodeOutlineAnswer(bytes, "cpp-1", size).has_value());
}

}  // namespace
}  // namespace recall
