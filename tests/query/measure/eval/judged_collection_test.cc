#include "query/measure/eval/judged_collection.h"

#include <atomic>
#include <fstream>
#include <sstream>

#include "storage/file_io/output_file.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class JudgedCollectionTest : public ::testing::Test {
 protected:
  JudgedCollectionTest() {
    Write("corpus.jsonl",
          "{\"_id\":\"a\",\"title\":\"Bees\",\"text\":\"They dance.\",\"metadata\":{\"x\":[1]}}\n"
          "\n"
          "{\"_id\":\"b\",\"title\":\"\",\"text\":\"Ants carry leaves.\"}\r\n"
          "{\"_id\":3,\"text\":\"\"}\n");
    Write("queries.jsonl",
          "{\"_id\":\"q1\",\"text\":\"who dances\"}\n"
          "{\"_id\":\"q2\",\"text\":\"who carries\"}\n"
          "{\"_id\":\"q3\",\"text\":\"who sings\"}");
    Write("qrels.tsv",
          "query-id\tcorpus-id\tscore\n"
          "q2\tb\t2\r\n"
          "q1\ta\t1\n"
          "q1\t3\t0.5\n");
  }

  void Write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = dir_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  void Erase(const std::string& name) { std::filesystem::remove(dir_ / name); }

  Result<JudgedCollection> Read() { return ReadJudgedCollection(dir_.path(), cancel_); }

  // Expects that reading fails with `words` in the message, at `line` (0: without a line).
  void ExpectFault(StatusCode code, const std::string& words, int64_t line = 0) {
    const auto read = Read();
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code(), code) << read.error().ToString();
    EXPECT_NE(read.error().ToString().find(words), std::string::npos) << read.error().ToString();
    EXPECT_EQ(read.error().position() ? read.error().position()->line : 0, line)
        << read.error().ToString();
  }

  TempDir dir_;
  std::atomic<bool> cancel_ = false;
};

TEST_F(JudgedCollectionTest, ReadsTextsQueriesAndJudgements) {
  ASSERT_OK_AND_ASSIGN(const JudgedCollection read, Read());
  EXPECT_EQ(read.documents,
            (std::vector<std::string>{"Bees\nThey dance.", "Ants carry leaves.", ""}));
  ASSERT_EQ(read.queries.size(), 2u);
  EXPECT_EQ(read.queries[0].id, "q1");
  EXPECT_EQ(read.queries[0].text, "who dances");
  EXPECT_EQ(read.queries[0].relevant, (Relevance{{0, 1.0}, {2, 0.5}}));
  EXPECT_EQ(read.queries[1].id, "q2");
  EXPECT_EQ(read.queries[1].relevant, (Relevance{{1, 2.0}}));
  EXPECT_EQ(read.unjudged_queries, 1);
  EXPECT_EQ(read.judgements_without_query, 0);
  EXPECT_EQ(read.judgements_without_document, 0);
}

TEST_F(JudgedCollectionTest, ReadsThePublishedPlaceOfJudgementsAndFilesWithoutAHead) {
  Erase("qrels.tsv");
  Write("qrels/test.tsv", "q1\ta\t1\nq1\ta\t3\n");
  ASSERT_OK_AND_ASSIGN(const JudgedCollection read, Read());
  ASSERT_EQ(read.queries.size(), 1u);
  EXPECT_EQ(read.queries[0].relevant, (Relevance{{0, 3.0}}));  // the last judgement counts
}

TEST_F(JudgedCollectionTest, ReadsCompressedFiles) {
  ASSERT_OK_AND_ASSIGN(const JudgedCollection plain, Read());
  for (const std::string name : {"corpus.jsonl", "queries.jsonl", "qrels.tsv"}) {
    std::ostringstream text;
    text << std::ifstream(dir_ / name, std::ios::binary).rdbuf();
    ASSERT_OK_AND_ASSIGN(const auto file, OutputFile::Create(dir_ / (name + ".zst"), &cancel_));
    ASSERT_OK(file->Write(text.str()));
    ASSERT_OK(file->Finish());
    Erase(name);
  }
  ASSERT_OK_AND_ASSIGN(const JudgedCollection packed, Read());
  EXPECT_EQ(packed.documents, plain.documents);
  ASSERT_EQ(packed.queries.size(), plain.queries.size());
  EXPECT_EQ(packed.queries[0].relevant, plain.queries[0].relevant);
  EXPECT_EQ(packed.queries[1].text, plain.queries[1].text);
}

TEST_F(JudgedCollectionTest, CountsWhatItLeavesOut) {
  Write("qrels.tsv",
        "query-id\tcorpus-id\tscore\n"
        "q1\ta\t1\nq1\tzzz\t1\nq2\tb\t0\nq9\ta\t1\nq9\tb\t1\nq3\tb\t-1\n");
  ASSERT_OK_AND_ASSIGN(const JudgedCollection read, Read());
  ASSERT_EQ(read.queries.size(), 1u);
  EXPECT_EQ(read.queries[0].relevant, (Relevance{{0, 1.0}}));
  EXPECT_EQ(read.unjudged_queries, 2);
  EXPECT_EQ(read.judgements_without_query, 2);
  EXPECT_EQ(read.judgements_without_document, 1);
}

TEST_F(JudgedCollectionTest, NamesAFileThatIsMissing) {
  Erase("queries.jsonl");
  ExpectFault(StatusCode::kNotFound, "neither " + (dir_ / "queries.jsonl") + " nor ");
}

TEST_F(JudgedCollectionTest, NamesTheLineThatIsWrong) {
  Write("corpus.jsonl", "{\"_id\":\"a\",\"text\":\"x\"}\n\n{\"_id\":\"b\",\n");
  ExpectFault(StatusCode::kInvalidArgument, "corpus.jsonl: invalid JSON", 3);
  Write("corpus.jsonl", "[1]\n");
  ExpectFault(StatusCode::kInvalidArgument, "not a JSON object", 1);
  Write("corpus.jsonl", "{\"_id\":\"a\"}\n");
  ExpectFault(StatusCode::kInvalidArgument, "\"text\" is missing", 1);
  Write("corpus.jsonl", "{\"_id\":\"a\",\"text\":7}\n");
  ExpectFault(StatusCode::kInvalidArgument, "\"text\" is not a string", 1);
  Write("corpus.jsonl", "{\"text\":\"x\"}\n");
  ExpectFault(StatusCode::kInvalidArgument, "\"_id\" is missing", 1);
  Write("corpus.jsonl", "{\"_id\":\"\",\"text\":\"x\"}\n");
  ExpectFault(StatusCode::kInvalidArgument, "\"_id\" is empty", 1);
  Write("corpus.jsonl", "{\"_id\":\"a\",\"text\":\"x\"}\n{\"_id\":\"a\",\"text\":\"y\"}\n");
  ExpectFault(StatusCode::kInvalidArgument, "the id 'a' occurs twice", 2);
}

TEST_F(JudgedCollectionTest, NamesTheQueryWithoutText) {
  Write("queries.jsonl", "{\"_id\":\"q1\",\"text\":\"x\"}\n{\"_id\":\"q2\",\"text\":\" \\n\"}\n");
  ExpectFault(StatusCode::kInvalidArgument, "\"text\" is empty", 2);
}

TEST_F(JudgedCollectionTest, NamesTheJudgementThatIsNone) {
  for (const char* line : {"q1 a 1", "q1\ta", "q1\ta\tmuch", "q1\ta\t1\t2", "q1\ta\t"}) {
    Write("qrels.tsv", "query-id\tcorpus-id\tscore\n" + std::string(line) + "\n");
    ExpectFault(StatusCode::kInvalidArgument, "qrels.tsv: invalid judgement", 2);
  }
}

TEST_F(JudgedCollectionTest, SaysWhenThereIsNothingToJudge) {
  Write("qrels.tsv", "query-id\tcorpus-id\tscore\n");
  ExpectFault(StatusCode::kInvalidArgument, "has a relevant document");
  Write("corpus.jsonl", "\n");
  ExpectFault(StatusCode::kInvalidArgument, "corpus.jsonl has no documents");
}

// A small compressed file may contain any number of short lines.
TEST_F(JudgedCollectionTest, MemoryIsBounded) {
  const uint64_t limit = 1 << 20;
  const auto read = [&] { return ReadJudgedCollection(dir_.path(), cancel_, limit); };
  ASSERT_OK(read());
  std::string documents, queries, judgements = "query-id\tcorpus-id\tscore\n";
  for (int i = 0; i < 10'000; ++i) {
    const std::string id = std::to_string(i);
    documents += "{\"_id\":" + id + ",\"text\":\"\"}\n";
    queries += "{\"_id\":" + id + ",\"text\":\"x\"}\n";
    judgements += "q1\t" + id + "\t1\n";
  }
  const auto expect_fault = [&] {
    const auto refused = read();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), StatusCode::kLimitExceeded) << refused.error().ToString();
  };
  Write("queries.jsonl", queries);
  expect_fault();
  Write("corpus.jsonl", documents);
  Write("queries.jsonl", "{\"_id\":\"q1\",\"text\":\"x\"}\n");
  expect_fault();
  Write("corpus.jsonl", documents.substr(0, documents.find("{\"_id\":3000,")));
  Write("qrels.tsv", "q1\t1\t1\n");
  ASSERT_OK(read());
  Write("qrels.tsv", judgements);
  expect_fault();
}

TEST_F(JudgedCollectionTest, EndsWhenItIsCancelled) {
  cancel_ = true;
  ExpectFault(StatusCode::kCancelled, "");
}

}  // namespace
}  // namespace recall
