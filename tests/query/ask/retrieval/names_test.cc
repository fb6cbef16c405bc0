// Names with punctuation and words of paths, and stores of the first version of the tokenizer,
// which has neither.

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Json = nlohmann::json;

class NamesTest : public QueryFixture {
 protected:
  void WriteLanguages() {
    WriteFile("plus.txt", "The parser was written in C++ by one person.\n");
    WriteFile("sharp.txt", "The parser was written in C# by one person.\n");
    WriteFile("plain.txt", "The parser was written in C by one person.\n");
  }

  std::string Best(const std::string& text) {
    const auto paths = Paths(Search(text, SearchMode::kLexical));
    return paths.empty() ? "" : paths.front();
  }

  std::vector<std::string> Found(const std::string& text) {
    auto paths = Paths(Search(text, SearchMode::kLexical));
    std::ranges::sort(paths);
    return paths;
  }

  // Sets the tokenizer version of the empty store to 1.
  void MakeVersion1() {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
      ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
      ASSERT_OK(transaction->connection().Execute(
          "UPDATE meta SET value = 1 WHERE key = 'tokenizer_version'; COMMIT"));
    }
    Reopen();
  }

  AddReport AddLines(const std::vector<Json>& documents) {
    std::ofstream file(dir_ / "lines.jsonl", std::ios::binary);
    for (const Json& document : documents) file << document.dump() << "\n";
    file.close();
    AddRequest request;
    request.jsonl = dir_ / "lines.jsonl";
    auto report = database_->Add(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : AddReport();
  }

  int64_t RowsWith(const std::string& token) {
    return Number("SELECT count(*) FROM lexicon WHERE lexicon MATCH '\"" + token + "\"'");
  }
};

using Names = std::vector<std::string>;

TEST_F(NamesTest, LanguagesDiffer) {
  WriteLanguages();
  Add();
  EXPECT_EQ(Best("C++"), "plus.txt");
  EXPECT_EQ(Best("C#"), "sharp.txt");
  EXPECT_EQ(Best("parser in C++"), "plus.txt");
  EXPECT_EQ(Found("parser"), Names({"plain.txt", "plus.txt", "sharp.txt"}));
  EXPECT_EQ(Found("+C++ parser"), Names({"plus.txt"}));
  EXPECT_EQ(Found("parser -C++"), Names({"plain.txt", "sharp.txt"}));
  EXPECT_EQ(Found("\"C#\""), Names({"sharp.txt"}));
}

TEST_F(NamesTest, AJoinedNameIsBetterThanItsParts) {
  WriteFile("option.txt", "The limit is set by --memory-limit when it is called.\n");
  WriteFile("words.txt", "The memory has a limit, and the limit of memory is a limit.\n");
  WriteFile("move.txt", "call std::move on the value\n");
  WriteFile("node.txt", "a server for Node.js and others\n");
  WriteFile("force.txt", "use --force to replace it\n");
  WriteFile("verb.txt", "to force a force by force\n");
  Add();
  EXPECT_EQ(Best("--memory-limit"), "option.txt");
  EXPECT_EQ(Best("memory-limit"), "option.txt");
  EXPECT_EQ(Best("what does --memory-limit do"), "option.txt");
  EXPECT_EQ(Found("+memory-limit"), Names({"option.txt"}));
  EXPECT_EQ(Found("memorylimit"), Names({"option.txt"}));
  EXPECT_EQ(Found("std::move"), Names({"move.txt"}));
  EXPECT_EQ(Found("nodejs"), Names({"node.txt"}));
  EXPECT_EQ(Best("--force"), "force.txt");
  EXPECT_EQ(Found("\"--force\""), Names({"force.txt"}));
}

TEST_F(NamesTest, ANameThatNoChunkContainsLowersNoScore) {
  WriteFile("a.txt", "well known\n");
  WriteFile("b.txt", "something else\n");
  Add();
  const auto words = Search("well known", SearchMode::kLexical);
  const auto name = Search("well-known", SearchMode::kLexical);
  ASSERT_EQ(Paths(words), Paths(name));
  EXPECT_EQ(words.hits.at(0).score, name.hits.at(0).score);
}

TEST_F(NamesTest, WordsOfThePathDecideBetweenEqualTexts) {
  for (const std::string name : {"apt", "bash", "curl"}) {
    WriteFile(name + "/copyright", "Maintained in Debian, package " + name.substr(0, 1) + ".\n");
  }
  WriteFile("zsh/1234.txt", "A shell that has no licence.\n");
  Add();
  EXPECT_EQ(Best("who maintains bash in debian"), "bash/copyright");
  EXPECT_EQ(Best("curl debian"), "curl/copyright");
  // A score stays within its bound.
  EXPECT_EQ(Found("+bash debian"), Names());
  const SearchResponse response = Search("maintained bash debian package", SearchMode::kLexical);
  EXPECT_LE(response.hits.at(0).score, 1);
  EXPECT_EQ(RowsWith("\uE0001234"), 1);
  EXPECT_EQ(RowsWith("\uE000txt"), 0);
  EXPECT_EQ(RowsWith("\uE000bash"), 1);
}

// The oracle is a document with the same text whose path does not have the word.
TEST_F(NamesTest, AnExplanationSaysWhatThePathContributes) {
  for (const std::string name : {"bash", "curl"}) {
    WriteFile(name + "/copyright", "Bash is maintained in Debian.\n");
  }
  Add();
  for (const SearchMode mode : {SearchMode::kLexical, SearchMode::kHybrid}) {
    SearchRequest request;
    request.text = "bash debian";
    request.mode = mode;
    request.explain = true;
    request.identical = IdenticalChunks::kKeep;
    ASSERT_OK_AND_ASSIGN(const SearchResponse response, database_->Search(request));
    ASSERT_EQ(Paths(response), Names({"bash/copyright", "curl/copyright"}));
    const HitExplain& named = *response.hits[0].explain;
    const HitExplain& other = *response.hits[1].explain;
    ASSERT_TRUE(named.path);
    EXPECT_NEAR(*named.path, *named.lexical - *other.lexical, 1e-12);
    EXPECT_NEAR(named.parts.path / named.parts.lexical, *named.path / *named.lexical, 1e-12);
    EXPECT_FALSE(other.path);
    EXPECT_EQ(other.parts.path, 0);
  }
}

// A word that is in the path of another document lowers no score: the score of a text without path
// words is the same in both versions.
TEST_F(NamesTest, PathsOfOthersLowerNoScore) {
  std::vector<double> scores;
  for (const bool first_version : {false, true}) {
    if (first_version) {
      Create({});
      MakeVersion1();
    }
    WriteFile("x.txt", "the bash shell\n");
    WriteFile("bash/y.txt", "something else\n");
    Add();
    scores.push_back(Search("bash shell", SearchMode::kLexical).hits.at(0).score);
  }
  EXPECT_EQ(scores[0], scores[1]);
}

TEST_F(NamesTest, AStoreOfTheFirstVersionKeepsItsTokens) {
  MakeVersion1();
  WriteLanguages();
  WriteFile("bash/notes.txt", "fooBar and std::move\n");
  Add();
  const auto expect_version_1 = [&] {
    ExpectHealthy();
    EXPECT_EQ(RowsWith("foobar"), 1);
    for (const char* token : {"cplusplu", "csharp", "stdmove", "\uE000bash", "\uE000plu"}) {
      EXPECT_EQ(RowsWith(token), 0) << token;
    }
    EXPECT_EQ(Found("C++"), Found("c"));
    EXPECT_EQ(Found("+C++"), Found("+c"));
  };
  expect_version_1();
  // A replaced and a removed document: the compaction must delete exactly their postings.
  WriteFile("plus.txt", "The parser was written in C++ and C# by nobody.\n");
  Add();
  RemoveRequest remove;
  remove.targets = {dir_ / "sharp.txt"};
  ASSERT_OK(database_->Remove(remove));
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  expect_version_1();
  EXPECT_EQ(RowsWith("person"), 1);
  remove.targets = {dir_ / "bash"};
  remove.purge = true;
  ASSERT_OK(database_->Remove(remove));
  EXPECT_EQ(RowsWith("foobar"), 0);
  ExpectHealthy();
  // The doctor makes the same tokens.
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
    ASSERT_OK(transaction->connection().Execute(
        "INSERT INTO lexicon(lexicon) VALUES('delete-all'); COMMIT"));
  }
  ASSERT_OK_AND_ASSIGN(const DoctorReport report,
                       Database::Doctor({.path = StorePath(), .fix = true, .keep_copy = false}));
  EXPECT_GT(report.fixed, 0);
  Reopen();
  EXPECT_EQ(Found("nobody"), Names({"plus.txt"}));
  EXPECT_EQ(RowsWith("cplusplu"), 0);
  ExpectHealthy();
}

TEST_F(NamesTest, DocumentsOfAFirstVersionStoreGetNamesInANewOne) {
  MakeVersion1();
  WriteLanguages();
  Add();
  const std::string old_store = StorePath();
  const std::string new_store = dir_ / "new.db";
  ASSERT_OK_AND_ASSIGN(database_, Database::Create(new_store, {}));
  ASSERT_OK(database_->Merge({.paths = {old_store}}));
  EXPECT_EQ(Found("+C++ parser").size(), 1u);
  EXPECT_TRUE(Best("C++").ends_with("plus.txt"));
}

// Words of a name that no text has find the document, once, whatever the number of its chunks.
TEST_F(NamesTest, ADocumentIsFoundByItsName) {
  WriteFile("trip/Budget Antarctica.md", "numbers one two three\n");
  WriteFile("invoice-ACME-2024-07.txt", "paid\n");
  WriteFile("scan_0042.txt", "nothing to read\n");
  std::string stripes = "# Herd\n\n";
  for (int i = 0; i < 2000; ++i)
    stripes += "stripes run over the plain " + std::to_string(i) + "\n";
  WriteFile("zebra/notes.md", stripes);
  WriteFile("other.md", "The size of the herd.\n");
  Add();
  EXPECT_EQ(Best("Budget Antarctica"), "trip/Budget Antarctica.md");
  EXPECT_EQ(Found("antarctica"), Names({"trip/Budget Antarctica.md"}));
  EXPECT_EQ(Found("acme"), Names({"invoice-ACME-2024-07.txt"}));
  EXPECT_EQ(Found("invoice from ACME"), Names({"invoice-ACME-2024-07.txt"}));
  EXPECT_EQ(Found("scan_0042"), Names({"scan_0042.txt"}));
  const SearchResponse zebra = Search("zebra", SearchMode::kLexical);
  ASSERT_EQ(zebra.hits.size(), 1u);
  EXPECT_EQ(zebra.total_hits, 1);
  EXPECT_EQ(zebra.hits[0].chunk.start_line, 1);
  EXPECT_TRUE(zebra.expansions.empty());
  EXPECT_TRUE(zebra.warnings.empty());
  // Words of the text find a document by its text.
  EXPECT_GT(Search("stripes zebra", SearchMode::kLexical).hits.size(), 1u);
}

// Words without a token in names do not take the place of others.
TEST_F(NamesTest, WordsWithoutATokenInNamesLeaveTheNamesOfOtherWords) {
  WriteFile("walrus-7.txt", "paid\n");
  WriteFile("b.txt", "the walnus\n");
  Add();
  const SearchResponse found = Search("7 walrus", SearchMode::kLexical);
  EXPECT_EQ(Paths(found), Names({"walrus-7.txt"}));
  EXPECT_TRUE(found.expansions.empty());
}

TEST_F(NamesTest, NumbersAndOtherSpellingsOfANameFindIt) {
  WriteFile("invoice-2024-117.txt", "paid\n");
  WriteFile("Łódź 0042.txt", "a city\n");
  WriteFile("검색은.txt", "other\n");
  WriteFile("b.txt", "nothing of it\n");
  Add();
  for (const char* text : {"117", "2024-117", "2024", "invoice 117", "invoice-2024-117.pdf"}) {
    EXPECT_EQ(Best(text), "invoice-2024-117.txt") << text;
  }
  EXPECT_EQ(Found("Lodz"), Names({"Łódź 0042.txt"}));
  EXPECT_EQ(Found("0042"), Names({"Łódź 0042.txt"}));
  EXPECT_EQ(Found("검색"), Names({"검색은.txt"}));
  EXPECT_EQ(Found("42"), Names());
}

// The oracle: each document by itself. Chunks of a directory are neighbours, and are one run.
TEST_F(NamesTest, EachDocumentOfADirectoryIsFoundOnce) {
  for (int i = 0; i < 80; ++i) {
    std::string text;
    for (int j = 0; j < 400 * (i % 3); ++j) text += "filler of number " + std::to_string(i) + "\n";
    WriteFile("quokka/f" + std::to_string(100 + i) + ".md",
              text + "end " + std::to_string(i) + "\n");
  }
  Add();
  SearchRequest request;
  request.text = "quokka";
  request.mode = SearchMode::kLexical;
  request.k = 200;
  auto paths = Paths(Search(request));
  EXPECT_EQ(paths.size(), 64u);
  std::ranges::sort(paths);
  EXPECT_EQ(std::ranges::adjacent_find(paths), paths.end());
}

TEST_F(NamesTest, ATextWithTheWordComesBeforeAName) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "padding " + std::to_string(i) + " of a long paragraph ";
  WriteFile("a.md", text + "with a walrus.\n");
  WriteFile("walrus.md", "Short.\n");
  WriteFile("walrus/b.md", "Tiny.\n");
  Add();
  const auto paths = Paths(Search("walrus", SearchMode::kLexical));
  ASSERT_EQ(paths.size(), 3u);
  EXPECT_EQ(paths[0], "a.md");
}

TEST_F(NamesTest, OperatorsAndFiltersHoldForNames) {
  WriteFile("walrus/a.md", "One herd.\n");
  WriteFile("walrus/b.md", "Two herds of birds.\n");
  Add();
  EXPECT_EQ(Found("walrus"), Names({"walrus/a.md", "walrus/b.md"}));
  EXPECT_EQ(Found("walrus -birds"), Names({"walrus/a.md"}));
  EXPECT_EQ(Found("+walrus"), Names());
  EXPECT_EQ(Found("\"walrus\""), Names());
  SearchRequest request;
  request.text = "walrus";
  request.mode = SearchMode::kLexical;
  request.scope.filter = "doc.path GLOB '**/b.md'";
  EXPECT_EQ(Paths(Search(request)), Names({"walrus/b.md"}));
  RemoveRequest remove;
  remove.targets = {dir_ / "walrus/b.md"};
  ASSERT_OK(database_->Remove(remove));
  EXPECT_EQ(Found("walrus"), Names({"walrus/a.md"}));
}

// The title of a document that is only metadata, as of a PDF or a web page.
TEST_F(NamesTest, ADocumentIsFoundByItsTitle) {
  AddLines(
      {{{"path", "a.pdf"},
        {"text", "numbers one two"},
        {"meta", {{"title", "Budget of Antarctica"}}}},
       {{"path", "b.eml"}, {"text", "see there"}, {"meta", {{"subject", "The walrus invoice"}}}},
       {{"path", "c.odt"},
        {"text", "three"},
        {"meta", {{"title", {"Herons of the fens", "Second"}}, {"subject", "walrus"}}}},
       {{"path", "d.txt"}, {"text", "About a walrus and its tusks."}}});
  EXPECT_EQ(Found("antarctica"), Names({"a.pdf"}));
  EXPECT_EQ(Found("budget antarctica"), Names({"a.pdf"}));
  EXPECT_EQ(Found("fens"), Names({"c.odt"}));
  EXPECT_EQ(Found("+antarctica"), Names());
  const auto walrus = Paths(Search("walrus", SearchMode::kLexical));
  EXPECT_EQ(walrus, Names({"d.txt", "b.eml"})) << "texts come first";
  ExpectHealthy();
}

TEST_F(NamesTest, AnotherTitleIsANewVersion) {
  const auto of_title = [](const std::string& title) {
    return Json{{"path", "a.pdf"}, {"text", "numbers"}, {"meta", {{"title", title}, {"n", 1}}}};
  };
  EXPECT_EQ(AddLines({of_title("Walrus")}).added, 1);
  EXPECT_EQ(AddLines({of_title("Walrus")}).unchanged, 1);
  EXPECT_EQ(AddLines({of_title("Heron")}).updated, 1);
  EXPECT_EQ(Found("walrus"), Names());
  EXPECT_EQ(Found("heron"), Names({"a.pdf"}));
  Json other = of_title("Heron");
  other["meta"]["n"] = 2;
  EXPECT_EQ(AddLines({other}).refreshed, 1);
  ExpectHealthy();
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(RowsWith("\uE000walru"), 0);
  EXPECT_EQ(RowsWith("\uE000heron"), 1);
  ExpectHealthy();
}

TEST_F(NamesTest, AStoreOfTheFirstVersionHasNoTitles) {
  MakeVersion1();
  AddLines({{{"path", "a.pdf"}, {"text", ""}, {"meta", {{"title", "Walrus"}}}}});
  AddLines({{{"path", "a.pdf"}, {"text", ""}, {"meta", {{"title", "Heron"}}}}});
  EXPECT_EQ(Found("heron"), Names());
  EXPECT_EQ(Number("SELECT count(*) FROM chunk"), 0);
  ExpectHealthy();
}

// A scan has no text; an empty file may have a telling name.
TEST_F(NamesTest, ADocumentWithoutTextIsFoundByNameAndTitle) {
  WriteFile("Budget Antarctica.txt", "");
  WriteFile("Budget 2024.txt", " \n\n");
  WriteFile("c.txt", "nothing of it, and a budget.\n");
  Add();
  AddLines({{{"path", "scan.pdf"}, {"text", ""}, {"meta", {{"title", "Walrus"}}}}});
  EXPECT_EQ(Found("antarctica"), Names({"Budget Antarctica.txt"}));
  EXPECT_EQ(Found("walrus"), Names({"scan.pdf"}));
  const SearchResponse both = Search("budget", SearchMode::kLexical);
  EXPECT_EQ(Paths(both), Names({"c.txt", "Budget 2024.txt", "Budget Antarctica.txt"}));
  for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kSemantic}) {
    for (const SearchHit& hit : Search("nothing of it", mode).hits) {
      EXPECT_EQ(hit.doc.path, "c.txt") << "a text that is not there resembles nothing";
    }
  }
  SearchRequest request;
  request.text = "budget antarctica";
  request.scope.filter = "doc.path != 'Budget Antarctica.txt'";
  EXPECT_EQ(Search(request).hits.at(0).doc.path, "c.txt");
  request.scope.filter = "doc.size = 0";
  const SearchResponse empty = Search(request);
  ASSERT_EQ(Paths(empty), Names({"Budget Antarctica.txt"}));
  EXPECT_EQ(empty.hits[0].chunk.start_line, 1);
  ASSERT_OK_AND_ASSIGN(const GetResponse by_id, database_->Get({.target = empty.hits[0].chunk.id}));
  EXPECT_EQ(by_id.doc.path, "Budget Antarctica.txt");
  EXPECT_EQ(by_id.chunk.text, "");
  ContextRequest context;
  context.search.text = "antarctica walrus";
  context.budget_tokens = 200;
  ASSERT_OK_AND_ASSIGN(const ContextResponse packed, database_->Context(context));
  EXPECT_TRUE(packed.pieces.empty());
  ASSERT_EQ(packed.search.warnings.size(), 1u) << ::testing::PrintToString(packed.search.warnings);
  EXPECT_EQ(packed.search.warnings[0],
            "found by name or title, without text: Budget Antarctica.txt, scan.pdf");
  ASSERT_OK_AND_ASSIGN(const GetResponse by_line,
                       database_->Get({.target = "Budget Antarctica.txt:1-1"}));
  EXPECT_EQ(by_line.chunk.text, "");
  ExpectHealthy();
}

TEST_F(NamesTest, ADocumentWithoutTextIsExportedMergedAndPurged) {
  WriteFile("Budget Antarctica.txt", "");
  WriteFile("c.txt", "nothing of it\n");
  Add();
  const std::string old_store = StorePath();
  std::string lines;
  ASSERT_OK(database_->Export({}, [&](std::string_view piece) {
    lines += piece;
    return Status::Ok();
  }));
  std::ofstream(dir_ / "export.jsonl") << lines;
  for (const bool by_merge : {false, true}) {
    ASSERT_OK_AND_ASSIGN(const auto other,
                         Database::Create(dir_ / (by_merge ? "m.db" : "i.db"), CreateOptions()));
    if (by_merge) ASSERT_OK(other->Merge({.paths = {old_store}}));
    if (!by_merge) ASSERT_OK(other->Import({.path = dir_ / "export.jsonl"}));
    SearchRequest request;
    request.text = "antarctica";
    ASSERT_OK_AND_ASSIGN(const SearchResponse found, other->Search(request));
    ASSERT_EQ(found.hits.size(), 1u) << by_merge;
    EXPECT_TRUE(found.hits[0].doc.path.ends_with("Budget Antarctica.txt"));
  }
  RemoveRequest remove;
  remove.targets = {dir_ / "Budget Antarctica.txt"};
  remove.purge = true;
  ASSERT_OK(database_->Remove(remove));
  EXPECT_EQ(Found("antarctica"), Names());
  EXPECT_EQ(RowsWith("\uE000antarctica"), 0);
  ExpectHealthy();
}

// Few of the words in a name, or many texts with all of them: the name says nothing.
TEST_F(NamesTest, NamesDoNotDrownTexts) {
  WriteFile("python/a.md", "An interpreter.\n");
  for (int i = 0; i < 20; ++i) WriteFile("n" + std::to_string(i) + ".md", "Noise.\n");
  WriteFile("b.md", "Decorators and closures of a language.\n");
  Add();
  EXPECT_EQ(Found("decorators closures of python"), Names({"b.md"}));
  for (int i = 0; i < 120; ++i)
    WriteFile("t" + std::to_string(i) + ".md", "Learn python part " + std::to_string(i) + ".\n");
  Add();
  SearchRequest request;
  request.text = "python";
  request.mode = SearchMode::kLexical;
  request.k = 500;
  EXPECT_EQ(Paths(Search(request)).size(), 120u);
}

}  // namespace
}  // namespace recall
