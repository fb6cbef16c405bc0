#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "query/ask/cues/asked_names.h"
#include "query/ask/cues/cue_scores.h"
#include "query/ask/cues/cue_weights.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// The names of a question; one that is asked for alone with "!".
std::string NamesOf(const std::string& question) {
  std::string names;
  for (const AskedName& asked : FindAskedNames(question)) {
    names += (names.empty() ? "" : " ") + asked.name + (asked.alone ? "!" : "");
  }
  return names;
}

TEST(AskedNamesTest, ANameThatIsTheQuestion) {
  EXPECT_EQ(NamesOf("EINVAL"), "EINVAL!");
  EXPECT_EQ(NamesOf("commit"), "commit!");
  EXPECT_EQ(NamesOf("Store::Commit()"), "Commit!");
  EXPECT_EQ(NamesOf("store.commit"), "commit!");
  EXPECT_EQ(NamesOf("struct stat"), "stat!");
  EXPECT_EQ(NamesOf("where is fuse_candidates defined?"), "fuse_candidates!");
  EXPECT_EQ(NamesOf("what is a function"), "");
  EXPECT_EQ(NamesOf(""), "");
  EXPECT_EQ(NamesOf("42"), "");
  EXPECT_EQ(NamesOf("docs/guide.md"), "");
}

TEST(AskedNamesTest, NamesInASentenceLookLikeNames) {
  EXPECT_EQ(NamesOf("what does EINVAL mean"), "EINVAL");
  EXPECT_EQ(NamesOf("why does fooBar() wait for add_all, not Store::Add"), "fooBar add_all Add");
  EXPECT_EQ(NamesOf("where is `add` called"), "add");
  EXPECT_EQ(NamesOf("how do I add a command"), "");
  EXPECT_EQ(NamesOf("HOW DO I ADD A COMMAND"), "");
  EXPECT_EQ(NamesOf("fix --dry-run in version 3.11"), "");
}

TEST(CueWeightsTest, ParsesWhatIsNamed) {
  const CueWeights defaults;
  ASSERT_OK_AND_ASSIGN(const CueWeights same, ParseCueWeights(""));
  EXPECT_EQ(same, defaults);
  EXPECT_FALSE(same.None());
  ASSERT_OK_AND_ASSIGN(const CueWeights some, ParseCueWeights(" tests=0.5 : definition=0"));
  EXPECT_EQ(some.of(PathRole::kTests), 0.5);
  EXPECT_EQ(some.definition, 0);
  EXPECT_EQ(some.imports, defaults.imports);
  ASSERT_OK_AND_ASSIGN(const CueWeights none, ParseCueWeights("none"));
  EXPECT_TRUE(none.None());
}

TEST(CueWeightsTest, SaysWhatIsWrong) {
  const auto error = [](const char* text) {
    return std::string(ParseCueWeights(text).error().message());
  };
  EXPECT_EQ(error("test=1"), "unknown cue 'test'");
  EXPECT_EQ(error("tests=1:tests=1"), "the cue tests has two weights");
  EXPECT_EQ(error("tests=0"),
            "the weight of the cue tests must be a number from 0.01 to 1, not '0'");
  EXPECT_EQ(error("definition=x"),
            "the weight of the cue definition must be a number from 0 to 4, not 'x'");
}

CuedChunk Chunk(uint32_t row, double score, double factor = 1, double definition = 0) {
  CuedChunk chunk;
  chunk.scored.candidate.chunk = row;
  chunk.scored.score = score;
  chunk.factor = factor;
  chunk.definition = definition;
  return chunk;
}

std::vector<uint32_t> RowsOf(const std::vector<CuedChunk>& chunks) {
  std::vector<uint32_t> rows;
  for (const CuedChunk& chunk : chunks) rows.push_back(chunk.scored.candidate.chunk);
  return rows;
}

TEST(CueScoresTest, ADefinitionOfTheQuestionComesFirstAndTheBestScoreStays) {
  std::vector<CuedChunk> chunks = {Chunk(1, 0.8), Chunk(2, 0.6), Chunk(3, 0.01, 1, 1)};
  const std::optional<double> scale = ApplyCues(chunks);
  ASSERT_TRUE(scale);
  EXPECT_DOUBLE_EQ(*scale, 1 / (1 + 0.01 / 0.8));
  EXPECT_EQ(RowsOf(chunks), (std::vector<uint32_t>{3, 1, 2}));
  EXPECT_DOUBLE_EQ(chunks[0].scored.score, 0.8);
  EXPECT_LT(chunks[1].scored.score, 0.8);
}

TEST(CueScoresTest, FactorsLowerOnlyTheirChunks) {
  std::vector<CuedChunk> chunks = {Chunk(1, 0.7, 0.5), Chunk(2, 0.5), Chunk(3, 0.3)};
  ASSERT_TRUE(ApplyCues(chunks));
  EXPECT_EQ(RowsOf(chunks), (std::vector<uint32_t>{2, 1, 3}));
  EXPECT_EQ(chunks[0].scored.score, 0.5);
  EXPECT_DOUBLE_EQ(chunks[1].scored.score, 0.35);
  EXPECT_EQ(chunks[2].scored.score, 0.3);
}

TEST(CueScoresTest, NothingChangesAmongFilesOfOneRole) {
  std::vector<CuedChunk> chunks = {Chunk(1, 0.7, 0.5), Chunk(2, 0.5, 0.5)};
  EXPECT_FALSE(ApplyCues(chunks));
  EXPECT_EQ(chunks[0].scored.score, 0.7);
  std::vector<CuedChunk> none;
  EXPECT_FALSE(ApplyCues(none));
}

}  // namespace
}  // namespace recall
