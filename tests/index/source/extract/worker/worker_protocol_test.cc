#include "index/source/extract/worker/worker_protocol.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

ExtractAnswer SomeAnswer() {
  ExtractAnswer answer;
  answer.peak_kib = 12'345;
  Extraction& extraction = answer.extraction;
  extraction.text = "# Title\n\nSome text.\n";
  extraction.spans = {{0, 9, {LocatorKind::kPage, 1, "", ""}},
                      {9, 20, {LocatorKind::kPage, 2, "", ""}}};
  extraction.meta = {{"title", {"Title"}}, {"author", {"A", "B"}}};
  extraction.warnings = {"columns_guessed"};
  extraction.files = {{"a.txt", std::string("x\0y", 3)}};
  return answer;
}

TEST(WorkerProtocolTest, RequestsArriveAsTheyWereSent) {
  ExtractRequest request{
      .format = DocumentFormat::kEpub, .all_html = true, .limits = {}, .decrypt = true};
  request.limits.max_text_bytes = 123;
  request.limits.max_nesting = 3;
  const auto bytes = EncodeExtractRequest(request);
  const auto read = DecodeExtractRequest({bytes.data(), bytes.size()});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->format, DocumentFormat::kEpub);
  EXPECT_TRUE(read->all_html);
  EXPECT_TRUE(read->decrypt);
  EXPECT_EQ(read->limits.max_text_bytes, 123u);
  EXPECT_EQ(read->limits.max_nesting, 3);
  EXPECT_EQ(read->limits.max_depth, ExtractLimits().max_depth);
  EXPECT_FALSE(DecodeExtractRequest({bytes.data(), bytes.size() - 1}));
}

TEST(WorkerProtocolTest, AnswersArriveAsTheyWereSent) {
  const ExtractAnswer answer = SomeAnswer();
  const auto read = DecodeExtractAnswer(EncodeExtractAnswer(answer), {});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->peak_kib, answer.peak_kib);
  EXPECT_EQ(read->extraction.text, answer.extraction.text);
  EXPECT_EQ(read->extraction.spans, answer.extraction.spans);
  EXPECT_EQ(read->extraction.meta, answer.extraction.meta);
  EXPECT_EQ(read->extraction.warnings, answer.extraction.warnings);
  ASSERT_EQ(read->extraction.files.size(), 1u);
  EXPECT_EQ(read->extraction.files[0].bytes, answer.extraction.files[0].bytes);
}

TEST(WorkerProtocolTest, ALimitThatIsExceededRefusesTheAnswer) {
  const std::string bytes = EncodeExtractAnswer(SomeAnswer());
  EXPECT_FALSE(DecodeExtractAnswer(bytes, {.max_text_bytes = 10}));
  EXPECT_FALSE(DecodeExtractAnswer(bytes, {.max_files = 0}));
}

TEST(WorkerProtocolTest, AWorkerCannotClaimToHaveCrashed) {
  std::string bytes = EncodeExtractAnswer({FailedExtraction(ExtractOutcome::kDamaged, "why"), 0});
  EXPECT_TRUE(DecodeExtractAnswer(bytes, {}));
  bytes[0] = static_cast<char>(ExtractOutcome::kCrashed);
  EXPECT_FALSE(DecodeExtractAnswer(bytes, {}));
}

TEST(WorkerProtocolTest, OtherBytesAreRefusedOrSound) {
  const std::string bytes = EncodeExtractAnswer(SomeAnswer());
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeExtractAnswer(std::string_view(bytes).substr(0, size), {})) << size;
  }
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int value = 0; value < 256; ++value) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(value);
      const auto read = DecodeExtractAnswer(changed, {});
      if (!read) continue;
      ASSERT_EQ(read->extraction.text.find('\0'), std::string::npos);
      ASSERT_TRUE(read->extraction.spans.empty() ||
                  read->extraction.spans.back().end <= read->extraction.text.size());
    }
  }
}

}  // namespace
}  // namespace recall
