// Reading collections of spans, and the fixed windows with which contexts are compared.

#include "query/measure/eval/span_set.h"

#include <atomic>
#include <fstream>

#include "query/measure/eval/window_packing.h"
#include "storage/file_io/output_file.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class SpanSetTest : public ::testing::Test {
 protected:
  SpanSetTest() {
    // "Käse reift." consists of the code points 7 to 17 of the first document, and of one byte
    // more.
    WriteDocument("cheese.md", "# Über\nKäse reift. Brot nicht.\n");
    WriteDocument("bread.txt", "Brot braucht Zeit.");
  }

  void WriteDocument(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(dir_ / "corpora");
    std::ofstream(dir_ / ("corpora/" + name), std::ios::binary) << text;
  }
  // Writes one question with these references.
  void WriteQuestion(const std::string& references, const std::string& corpus = "cheese") {
    std::ofstream(dir_ / "questions.jsonl", std::ios::binary)
        << "\n{\"_id\":\"q1\",\"text\":\"what ripens\",\"corpus\":\"" << corpus
        << "\",\"references\":" << references << "}\n";
  }
  Result<SpanSet> Read() { return ReadSpanSet(dir_.path(), cancel_); }
  void ExpectFault(StatusCode code, const std::string& words, int64_t line) {
    const auto read = Read();
    ASSERT_FALSE(read.has_value()) << words;
    EXPECT_EQ(read.error().code(), code) << read.error().ToString();
    EXPECT_NE(read.error().ToString().find(words), std::string::npos) << read.error().ToString();
    EXPECT_EQ(read.error().position() ? read.error().position()->line : 0, line)
        << read.error().ToString();
  }

  TempDir dir_;
  std::atomic<bool> cancel_ = false;
};

TEST_F(SpanSetTest, PositionsCountCodePoints) {
  WriteQuestion("[{\"start\":7,\"end\":18,\"content\":\"Käse reift.\"},{\"start\":24,\"end\":30}]");
  ASSERT_OK_AND_ASSIGN(const SpanSet set, Read());
  ASSERT_EQ(set.documents.size(), 2u);
  EXPECT_EQ(set.documents[0].name, "bread.txt");
  EXPECT_EQ(set.documents[1].name, "cheese.md");
  ASSERT_EQ(set.questions.size(), 1u);
  const SpanSet::Question& question = set.questions[0];
  EXPECT_EQ(question.id, "q1");
  EXPECT_EQ(question.text, "what ripens");
  EXPECT_EQ(question.document, 1u);
  ASSERT_EQ(question.spans.size(), 2u);
  // The tokens are: # Über Käse reift. Brot nicht.
  EXPECT_EQ(question.spans[0].begin, 2u);
  EXPECT_EQ(question.spans[0].end, 4u);
  EXPECT_EQ(question.spans[1].begin, 5u);
  EXPECT_EQ(question.spans[1].end, 6u);
}

TEST_F(SpanSetTest, ReadsCompressedDocumentsAndFullNames) {
  WriteDocument(".folder-settings", "\xFF not one of the documents");
  ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(dir_ / "corpora/milk.md.zst", &cancel_));
  ASSERT_OK(file->Write("Milk turns sour."));
  ASSERT_OK(file->Finish());
  WriteQuestion("[{\"start\":0,\"end\":4,\"content\":\"Milk\"}]", "milk.md");
  ASSERT_OK_AND_ASSIGN(const SpanSet set, Read());
  EXPECT_EQ(set.documents[2].name, "milk.md");
  EXPECT_EQ(set.documents[2].text, "Milk turns sour.");
  EXPECT_EQ(set.questions[0].document, 2u);
}

TEST_F(SpanSetTest, QuestionsWithoutSpansAreCounted) {
  WriteQuestion("[{\"start\":0,\"end\":6}]");
  std::ofstream(dir_ / "questions.jsonl", std::ios::app)
      << "{\"_id\":\"q2\",\"text\":\"x\",\"corpus\":\"bread\",\"references\":[]}\n";
  ASSERT_OK_AND_ASSIGN(const SpanSet set, Read());
  EXPECT_EQ(set.questions.size(), 1u);
  EXPECT_EQ(set.questions_without_spans, 1);
  WriteQuestion("[]");
  ExpectFault(StatusCode::kInvalidArgument, "has a span", 0);
}

TEST_F(SpanSetTest, NamesTheLineThatIsWrong) {
  // "Käse" starts at byte 8, but offsets are code points, so this text is another one.
  WriteQuestion("[{\"start\":8,\"end\":19,\"content\":\"Käse reift.\"}]");
  ExpectFault(StatusCode::kInvalidArgument, "not 'Käse reift.'", 2);
  const char* const kNoRange =
      "a reference needs \"start\" below \"end\", both within the document";
  for (const char* references :
       {"[{\"start\":5,\"end\":5}]", "[{\"start\":9,\"end\":3}]", "[{\"start\":0,\"end\":32}]",
        "[{\"start\":-1,\"end\":3}]", "[{\"end\":3}]", "[7]", "[{\"start\":\"0\",\"end\":3}]",
        "[{\"start\":0,\"end\":18446744073709551615}]"}) {
    WriteQuestion(references);
    ExpectFault(StatusCode::kInvalidArgument, kNoRange, 2);
  }
  WriteQuestion("[{\"start\":6,\"end\":7}]");
  ExpectFault(StatusCode::kInvalidArgument, "only white space", 2);
  WriteQuestion("{}");
  ExpectFault(StatusCode::kInvalidArgument, "\"references\" is not an array", 2);
  WriteQuestion("[]", "wine");
  ExpectFault(StatusCode::kInvalidArgument, "there is no document 'wine' in corpora", 2);
}

TEST_F(SpanSetTest, NamesDocumentsThatCannotBeTold) {
  WriteQuestion("[{\"start\":0,\"end\":6}]");
  WriteDocument("cheese.txt", "another");
  ExpectFault(StatusCode::kInvalidArgument, "have the name 'cheese'", 0);
  std::filesystem::remove(dir_ / "corpora/cheese.txt");
  WriteDocument("latin.txt", "\xE9t\xE9");
  ExpectFault(StatusCode::kInvalidArgument, "latin.txt is not UTF-8", 0);
  std::filesystem::remove_all(dir_ / "corpora");
  ExpectFault(StatusCode::kNotFound, "there are no documents in ", 0);
}

// ---- Windows ----------------------------------------------------------------------------------

TEST_F(SpanSetTest, WindowsArePackedByRankAndTheLastOneIsCut) {
  // 600 words make windows of 256, 256 and 88. "otter" occurs once in the second, often in the
  // third, and in the only window of the other document.
  std::string text;
  for (int i = 0; i < 600; ++i) {
    const bool otter = i == 300 || (i >= 520 && i < 540);
    text += otter ? "otter\n\n" : "word" + std::to_string(i) + (i % 10 == 0 ? "\n\n" : " ");
  }
  WriteDocument("long.md", text);
  WriteQuestion("[{\"start\":0,\"end\":6}]");
  ASSERT_OK_AND_ASSIGN(const SpanSet set, Read());
  ASSERT_OK_AND_ASSIGN(auto windows, WindowPacking::Index(set, {}, {}, cancel_));
  EXPECT_EQ(windows.windows(), 1 + 1 + 3);
  SearchRequest search;
  search.text = "otter";
  search.mode = SearchMode::kLexical;
  ASSERT_OK_AND_ASSIGN(const auto packed, windows.Pack(search, {50, 88, 100, 1000}));
  // The number of packed tokens between `begin` and `end`.
  const auto overlap = [&](size_t budget, uint64_t begin, uint64_t end) {
    TokenSet window;
    window.Add(2, {begin, end});
    return JudgePacked(packed[budget], window).token_recall * static_cast<double>(end - begin);
  };
  EXPECT_DOUBLE_EQ(overlap(0, 512, 562), 50);  // the third window's first 50 tokens
  EXPECT_EQ(packed[0].size(), 50u);
  EXPECT_DOUBLE_EQ(overlap(1, 512, 600), 88);
  EXPECT_EQ(packed[1].size(), 88u);
  EXPECT_DOUBLE_EQ(overlap(2, 256, 268), 12);  // and 12 of the second
  EXPECT_EQ(packed[2].size(), 100u);
  EXPECT_EQ(packed[3].size(), 88u + 256);  // no other window contains the word
}

TEST_F(SpanSetTest, MemoryIsBounded) {
  WriteQuestion("[{\"start\":7,\"end\":18}]");
  ASSERT_OK(ReadSpanSet(dir_.path(), cancel_, 1 << 20));
  const auto expect_fault = [&] {
    const auto refused = ReadSpanSet(dir_.path(), cancel_, 1 << 20);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), StatusCode::kLimitExceeded) << refused.error().ToString();
  };
  std::string references = "[{\"start\":7,\"end\":18}";
  for (int i = 0; i < 10'000; ++i) references += ",{\"start\":7,\"end\":18}";
  WriteQuestion(references + "]");
  expect_fault();
  WriteQuestion("[{\"start\":7,\"end\":18}]");
  WriteDocument("large.txt", std::string(100'000, 'x'));
  expect_fault();
}

}  // namespace
}  // namespace recall
