#include "query/ask/map/definition_ranking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace recall {
namespace {

// Builds a graph by names: files by path, words by themselves.
class CodeGraphBuilder {
 public:
  CodeGraph::File& File(const std::string& name) {
    const auto [at, is_new] = files_.emplace(name, static_cast<uint32_t>(graph_.files.size()));
    if (is_new) {
      CodeGraph::File& file = graph_.files.emplace_back();
      file.module = Word(name);
    }
    return graph_.files[at->second];
  }
  CodeGraph::Definition& Define(const std::string& file, const std::string& name,
                                CodeGraph::Kind kind = CodeGraph::Kind::kOther) {
    File(file);
    CodeGraph::Definition& added = graph_.definitions.emplace_back();
    added.file = files_.at(file);
    added.name = Name(name);
    added.kind = kind;
    added.is_member = kind == CodeGraph::Kind::kMethod;
    return added;
  }
  void Use(const std::string& file, const std::string& name, uint32_t count = 1,
           NameJoint joint = NameJoint::kNone, uint32_t qualifier = CodeGraph::kNoWord) {
    File(file).uses.push_back({Name(name), joint, qualifier, count});
  }
  void Import(const std::string& file, const std::string& module) {
    File(file).imports.push_back(Word(module));
    std::ranges::sort(File(file).imports);
  }
  uint32_t Name(const std::string& name) {
    const auto [at, is_new] =
        names_.emplace(name, static_cast<uint32_t>(graph_.name_weights.size()));
    if (is_new) graph_.name_weights.push_back(NameWeight(name));
    return at->second;
  }
  uint32_t Word(const std::string& word) {
    return words_.emplace(word, static_cast<uint32_t>(words_.size())).first->second;
  }
  std::vector<double> Rank() const { return RankDefinitions(graph_); }

 private:
  std::map<std::string, uint32_t> files_;
  std::map<std::string, uint32_t> names_;
  std::map<std::string, uint32_t> words_;
  CodeGraph graph_;
};

TEST(DefinitionRankingTest, WhatMoreFilesUseIsMoreImportant) {
  CodeGraphBuilder graph;
  graph.Define("lib", "UsedByThree");
  graph.Define("lib", "UsedByOne");
  graph.Define("lib", "Unused");
  for (const char* file : {"a", "b", "c"}) graph.Use(file, "UsedByThree");
  graph.Use("a", "UsedByOne", 3);
  const std::vector<double> scores = graph.Rank();
  EXPECT_GT(scores[0], scores[1]) << "three files outvote three uses of one";
  EXPECT_GT(scores[1], scores[2]);
  EXPECT_GT(scores[2], 0);
  EXPECT_NEAR(std::accumulate(scores.begin(), scores.end(), 0.0), 1, 1e-12);
}

TEST(DefinitionRankingTest, AFileThatIsImportedIsMeant) {
  CodeGraphBuilder graph;
  graph.Define("lib", "LoadAll");
  graph.Define("old", "LoadAll");
  graph.Use("a", "LoadAll");
  graph.Import("a", "lib");
  EXPECT_GT(graph.Rank()[0], 1.5 * graph.Rank()[1]);
}

TEST(DefinitionRankingTest, AFileMeansItsOwnDefinition) {
  CodeGraphBuilder graph;
  graph.Define("lib", "LoadAll");
  graph.Define("other", "Unused");
  graph.Define("a", "LoadAll");
  graph.Use("a", "LoadAll", 50);
  graph.Import("a", "lib");
  EXPECT_DOUBLE_EQ(graph.Rank()[0], graph.Rank()[1]) << "nobody uses that of lib";
}

TEST(DefinitionRankingTest, WhatStandsBeforeANameExcludesOtherScopes) {
  CodeGraphBuilder graph;
  graph.Define("lib", "AppendText", CodeGraph::Kind::kMethod).scope = {graph.Word("Builder")};
  graph.Define("log", "AppendText", CodeGraph::Kind::kMethod).scope = {graph.Word("Log")};
  graph.Define("log", "Unused", CodeGraph::Kind::kMethod);
  graph.Define("lib", "Unused2", CodeGraph::Kind::kMethod);
  graph.Use("a", "AppendText", 4, NameJoint::kScope, CodeGraph::kOtherWord);  // std::AppendText
  const std::vector<double> before = graph.Rank();
  EXPECT_DOUBLE_EQ(before[0], before[3]);
  EXPECT_DOUBLE_EQ(before[1], before[2]);
  graph.Use("a", "AppendText", 1, NameJoint::kScope, graph.Word("Builder"));
  const std::vector<double> after = graph.Rank();
  EXPECT_GT(after[0], 1.5 * after[3]);
  EXPECT_DOUBLE_EQ(after[1], after[2]);
}

TEST(DefinitionRankingTest, AMethodNeedsItsObjectWhereTheLanguageSaysSo) {
  for (const bool needs_receiver : {false, true}) {
    CodeGraphBuilder graph;
    graph.Define("lib", "ReadAll", CodeGraph::Kind::kMethod).scope = {graph.Word("Reader")};
    graph.Define("lib", "Unused", CodeGraph::Kind::kMethod);
    graph.Use("a", "ReadAll", 9);
    graph.File("a").needs_receiver = needs_receiver;
    const std::vector<double> scores = graph.Rank();
    EXPECT_EQ(scores[0] > 1.01 * scores[1], !needs_receiver);
  }
}

TEST(DefinitionRankingTest, OtherLanguagesAndInvisibleDefinitionsAreNotMeant) {
  CodeGraphBuilder graph;
  graph.Define("local", "ReadAll").visibility = Visibility::kFile;
  graph.Define("package", "ReadAll").visibility = Visibility::kDirectory;
  graph.Define("foreign", "ReadAll");
  graph.Define("seen", "ReadAll");
  graph.File("local").directory = graph.File("package").directory = 1;
  graph.File("foreign").language = 1;
  graph.Use("a", "ReadAll", 9);
  const std::vector<double> scores = graph.Rank();
  EXPECT_DOUBLE_EQ(scores[0], scores[1]);
  EXPECT_DOUBLE_EQ(scores[0], scores[2]);
  EXPECT_GT(scores[3], scores[0]);
}

TEST(DefinitionRankingTest, FilesOfOtherPurposesComeLast) {
  CodeGraphBuilder graph;
  graph.Define("tests", "Fixture");
  graph.Define("lib", "Library");
  for (const char* file : {"a", "b", "c"}) graph.Use(file, "Fixture", 2);
  graph.Use("a", "Library");
  EXPECT_GT(graph.Rank()[0], graph.Rank()[1]);
  graph.File("tests").factor = 0.05;
  EXPECT_LT(graph.Rank()[0], graph.Rank()[1]);
}

TEST(DefinitionRankingTest, AQuestionPrefersWhatFitsAndWhatThatUses) {
  CodeGraphBuilder graph;
  graph.Define("lib", "Popular");
  graph.Define("asked", "CommitAll").fit = 0;
  graph.Define("log", "WriteLog");
  graph.Define("far", "Unrelated");
  for (const char* file : {"a", "b", "c"}) graph.Use(file, "Popular");
  graph.Use("asked", "WriteLog");
  graph.Use("a", "Unrelated");
  const std::vector<double> plain = graph.Rank();
  EXPECT_GT(plain[0], plain[1]);
  graph.Define("asked", "CommitAll").fit = 1;
  const std::vector<double> leaning = graph.Rank();
  EXPECT_GT(leaning[4], leaning[0]);
  EXPECT_GT(leaning[2] / leaning[3], 2 * plain[2] / plain[3]);
}

TEST(DefinitionRankingTest, NamesThatOtherThingsHaveSayLittle) {
  EXPECT_EQ(NameWeight("CommitAll"), 1);
  EXPECT_EQ(NameWeight("read_all"), 1);
  EXPECT_EQ(NameWeight("Store"), 1);
  EXPECT_LT(NameWeight("size"), NameWeight("Store"));
  EXPECT_LT(NameWeight("T"), NameWeight("size"));
  EXPECT_LT(NameWeight("_read_all"), NameWeight("read_all"));
  EXPECT_GT(NameWeight("_"), 0);
}

TEST(DefinitionRankingTest, NothingIsDefined) {
  EXPECT_TRUE(RankDefinitions({}).empty());
  CodeGraphBuilder graph;
  graph.Use("a", "Missing");
  EXPECT_TRUE(graph.Rank().empty());
}

}  // namespace
}  // namespace recall
