// What is shown is marked if its file is another one than that which was added, or is gone. The
// oracle knows the bytes that were added and reads the file.

#include "query/ask/sources/source_checker.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <random>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class SourceCheckTest : public QueryFixture {
 protected:
  // The states of the documents with `word`, by path.
  std::map<std::string, SourceState> States(const std::string& word,
                                            std::vector<std::string> within = {}) {
    SearchRequest request;
    request.text = word;
    request.k = 1000;
    request.identical = IdenticalChunks::kKeep;
    request.check = {.on = true, .secrets = {}, .within = std::move(within)};
    std::map<std::string, SourceState> states;
    for (const SearchHit& hit : Search(request).hits) states[hit.doc.path] = hit.doc.source_state;
    return states;
  }

  SourceState StateOf(const std::string& path) { return States("needle").at(path); }

  // Writes other bytes of the same size into a file, and restores its time.
  void EditBehindStat(const std::string& name) {
    const std::string path = dir_ / name;
    struct stat before {};
    ASSERT_EQ(::stat(path.c_str(), &before), 0);
    std::string text = ReadWhole(path);
    ASSERT_FALSE(text.empty());
    text.back() = text.back() == 'x' ? 'y' : 'x';
    WriteFile(name, text);
    const timespec times[] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times, 0), 0);
  }

  void Touch(const std::string& name, int64_t seconds) {
    const timespec times[] = {{seconds, 0}, {seconds, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (dir_ / name).c_str(), times, 0), 0);
  }
};

TEST_F(SourceCheckTest, AnEditedOrDeletedFileIsMarked) {
  WriteFile("a.md", "needle one\n");
  WriteFile("b.md", "needle two\n");
  WriteFile("sub/c.md", "needle three\n");
  Add();
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  WriteFile("a.md", "needle one, edited\n");
  fs::remove(dir_ / "b.md");
  fs::remove_all(dir_ / "sub");
  EXPECT_EQ(StateOf("a.md"), SourceState::kChanged);
  EXPECT_EQ(StateOf("b.md"), SourceState::kDeleted);
  EXPECT_EQ(StateOf("sub/c.md"), SourceState::kDeleted);
  Add();
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
}

TEST_F(SourceCheckTest, NothingIsMarkedUnlessTheRequestAsks) {
  WriteFile("a.md", "needle one\n");
  Add();
  fs::remove(dir_ / "a.md");
  EXPECT_EQ(Search("needle").hits.at(0).doc.source_state, SourceState::kCurrent);
}

TEST_F(SourceCheckTest, TheRankingDoesNotDependOnIt) {
  for (int i = 0; i < 20; ++i) {
    WriteFile("f" + std::to_string(i) + ".md", "needle and word" + std::to_string(i) + "\n");
  }
  Add();
  SearchRequest request;
  request.text = "needle word7";
  request.k = 20;
  const std::vector<std::string> before = Paths(Search(request));
  for (int i = 0; i < 20; i += 2) fs::remove(dir_ / ("f" + std::to_string(i) + ".md"));
  request.check.on = true;
  EXPECT_EQ(Paths(Search(request)), before);
}

TEST_F(SourceCheckTest, TheTimeAloneIsNoChange) {
  WriteFile("a.md", "needle one\n");
  Add();
  Touch("a.md", 1'700'000'000);
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
}

TEST_F(SourceCheckTest, ContentsUnderTheOldTimeAndSizeAreAChange) {
  WriteFile("a.md", "needle one\n");
  Add();
  EditBehindStat("a.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kChanged);
}

TEST_F(SourceCheckTest, AFileThatAnotherOneReplacedIsCompared) {
  WriteFile("a.md", "needle one\n");
  WriteFile("b.md", "needle two\n");
  Add();
  fs::rename(dir_ / "b.md", dir_ / "a.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kChanged);
  EXPECT_EQ(StateOf("b.md"), SourceState::kDeleted);
}

TEST_F(SourceCheckTest, ADirectoryInPlaceOfAFileIsADeletion) {
  WriteFile("a.md", "needle one\n");
  Add();
  fs::remove(dir_ / "a.md");
  fs::create_directory(dir_ / "a.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kDeleted);
}

// stat(2) of a link to itself fails for every user, as that of a file in a directory that may not
// be searched does for most.
TEST_F(SourceCheckTest, AFileThatMayNotBeExaminedIsNotDeleted) {
  WriteFile("a.md", "needle one\n");
  WriteFile("b.md", "needle two\n");
  Add();
  fs::remove(dir_ / "a.md");
  fs::create_symlink("a.md", dir_ / "a.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  const std::vector<CheckedFile> files = database_->TakeCheckedFiles();
  EXPECT_TRUE(AreAsChecked(files));
  fs::remove(dir_ / "a.md");
  EXPECT_FALSE(AreAsChecked(files));
  EXPECT_EQ(StateOf("a.md"), SourceState::kDeleted);
}

// As a user who may not read some files. Root may read all, so root is another user meanwhile.
TEST_F(SourceCheckTest, AFileThatMayNotBeReadIsNeitherChangedNorDeleted) {
  WriteFile("a.md", "needle one\n");
  WriteFile("sub/b.md", "needle two\n");
  Add();
  Touch("a.md", 1'700'000'000);
  fs::permissions(dir_.path(), fs::perms(0755));
  fs::permissions(dir_ / "a.md", fs::perms::none);
  fs::permissions(dir_ / "sub", fs::perms::none);
  ASSERT_EQ(StateOf("a.md"), SourceState::kCurrent);  // opens all files of the store
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(65534) == 0);
  const auto states = States("needle");
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  fs::permissions(dir_ / "sub", fs::perms::owner_all);
  EXPECT_EQ(states.at("a.md"), SourceState::kCurrent);
  EXPECT_EQ(states.at("sub/b.md"), SourceState::kCurrent);
}

TEST_F(SourceCheckTest, ALinkIsFollowed) {
  WriteFile("a.md", "needle one\n");
  Add();
  TempDir other;
  fs::rename(dir_ / "a.md", other / "a.md");
  fs::create_symlink(other / "a.md", dir_ / "a.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  fs::remove(other / "a.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kDeleted);
}

TEST_F(SourceCheckTest, OnlyFilesWithinTheGivenDirectoriesAreLookedAt) {
  TempDir other;
  WriteFile("sub/a.md", "needle one\n");
  WriteFile("b.md", "needle two\n");
  Add();
  fs::remove(dir_ / "sub/a.md");
  fs::remove(dir_ / "b.md");
  const auto states = States("needle", {dir_ / "sub"});
  EXPECT_EQ(states.at("sub/a.md"), SourceState::kDeleted);
  EXPECT_EQ(states.at("b.md"), SourceState::kCurrent);
  // A link that leads out tells nothing of what is there.
  WriteFile("c.md", "needle three\n");
  Add();
  std::ofstream(other / "secret") << "other";
  fs::remove(dir_ / "c.md");
  fs::create_symlink(other / "secret", dir_ / "c.md");
  EXPECT_EQ(States("needle", {dir_.path()}).at("c.md"), SourceState::kCurrent);
  fs::remove(other / "secret");
  EXPECT_EQ(States("needle", {dir_.path()}).at("c.md"), SourceState::kCurrent);
  fs::remove(dir_ / "c.md");
  EXPECT_EQ(States("needle", {dir_.path()}).at("c.md"), SourceState::kDeleted);
}

TEST_F(SourceCheckTest, ACopyOfTheStoreAloneMarksNothing) {
  WriteFile("a.md", "needle one\n");
  WriteFile("sub/b.md", "needle two and pin\n");
  Add();
  database_.reset();
  TempDir other;
  fs::copy_file(StorePath(), other / "recall.db");
  ASSERT_OK_AND_ASSIGN(database_, Database::Open(other / "recall.db"));
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  EXPECT_EQ(StateOf("sub/b.md"), SourceState::kCurrent);
  database_->TakeCheckedFiles();
  EXPECT_EQ(States("pin").at("sub/b.md"), SourceState::kCurrent);
  // The files come after the store, so that a missing one is deleted.
  const std::vector<CheckedFile> files = database_->TakeCheckedFiles();
  EXPECT_TRUE(AreAsChecked(files));
  std::ofstream(other / "a.md") << "needle one\n";
  EXPECT_FALSE(AreAsChecked(files));
  EXPECT_EQ(StateOf("sub/b.md"), SourceState::kDeleted);
}

// What is added to such a copy has its files there; the older documents still have none.
TEST_F(SourceCheckTest, ACopyOfTheStoreAloneMarksOnlyWhatIsAddedToIt) {
  WriteFile("a.md", "needle one\n");
  Add();
  database_.reset();
  TempDir other;
  fs::copy_file(StorePath(), other / "recall.db");
  ASSERT_OK_AND_ASSIGN(database_, Database::Open(other / "recall.db"));
  std::ofstream(other / "new.md") << "needle two\n";
  std::ofstream(other / "new2.md") << "needle three\n";
  AddRequest request;
  request.paths = {other / "new.md", other / "new2.md"};
  Add(request);
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  fs::remove(other / "new.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  EXPECT_EQ(StateOf("new.md"), SourceState::kDeleted);
  EXPECT_EQ(StateOf("new2.md"), SourceState::kCurrent);
}

TEST_F(SourceCheckTest, AStoreThatMovedWithItsFilesStillMarks) {
  WriteFile("a.md", "needle one\n");
  WriteFile("b.md", "needle two\n");
  Add();
  database_.reset();
  TempDir other;
  fs::rename(dir_.path(), other / "moved");
  fs::create_directory(dir_.path());
  ASSERT_OK_AND_ASSIGN(database_, Database::Open(other / "moved/recall.db"));
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  fs::remove(other / "moved/a.md");
  EXPECT_EQ(StateOf("a.md"), SourceState::kDeleted);
  std::ofstream(other / "moved/b.md") << "needle else\n";
  EXPECT_EQ(StateOf("b.md"), SourceState::kChanged);
}

TEST_F(SourceCheckTest, ARecordedRootThatIsMissingSaysNothingOfItsFiles) {
  TempDir disk;
  fs::create_directories(disk / "docs");
  std::ofstream(disk / "docs/a.md") << "needle one\n";
  std::ofstream(disk / "docs/b.md") << "needle two\n";
  AddRequest request;
  request.paths = {disk / "docs"};
  request.root = disk / "docs";
  request.prefix = "manual";
  Add(request);
  fs::remove(disk / "docs/a.md");
  EXPECT_EQ(StateOf("manual/a.md"), SourceState::kDeleted);
  EXPECT_EQ(StateOf("manual/b.md"), SourceState::kCurrent);
  database_->TakeCheckedFiles();
  EXPECT_EQ(StateOf("manual/a.md"), SourceState::kDeleted);
  const std::vector<CheckedFile> files = database_->TakeCheckedFiles();
  EXPECT_TRUE(AreAsChecked(files));
  std::ofstream(disk / "docs/other.md") << "not of the store\n";
  EXPECT_TRUE(AreAsChecked(files));
  fs::remove_all(disk / "docs");
  EXPECT_FALSE(AreAsChecked(files)) << "the mark depends on the root, too";
  EXPECT_EQ(StateOf("manual/a.md"), SourceState::kCurrent);
}

TEST_F(SourceCheckTest, SourcesThatAreNoFilesAreLeftAlone) {
  TempDir other;
  std::ofstream(other / "lines.jsonl") << R"({"path":"line","text":"needle in a line"})"
                                       << "\n";
  AddRequest lines;
  lines.paths = {};
  lines.jsonl = other / "lines.jsonl";
  ASSERT_TRUE(database_->Add(lines).has_value());
  SaveRequest note;
  note.note.title = "needle";
  note.note.type = "lesson";
  note.note.summary = "needle in a note";
  const auto saved = database_->Save(note);
  ASSERT_TRUE(saved.has_value()) << saved.error().ToString();
  for (const auto& [path, state] : States("needle")) {
    EXPECT_EQ(state, SourceState::kCurrent) << path;
  }
}

TEST_F(SourceCheckTest, ARedactedTextIsComparedAfterTheSameRedaction) {
  const std::string key = "AKIA" + std::string("2E0A8F3B244C9986");
  WriteFile("a.md", "needle " + key + " end\n");
  AddRequest request;
  request.secrets = SecretPolicy::kRedact;
  Add(request);
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  Touch("a.md", 1'700'000'000);
  EXPECT_EQ(StateOf("a.md"), SourceState::kCurrent);
  WriteFile("a.md", "needle " + key + " other end\n");
  EXPECT_EQ(StateOf("a.md"), SourceState::kChanged);
}

// More redacted text than is read for one answer: what happened to the inode decides.
TEST_F(SourceCheckTest, RedactedTextsAreNotReadIfNothingHappenedToTheirFiles) {
  constexpr size_t kBytes = 3 << 20;
  constexpr int kFiles = 24;
  const std::string key = "AKIA" + std::string("2E0A8F3B244C9986");
  for (int i = 0; i < kFiles; ++i) {
    std::string text = "needle " + key + " " + std::to_string(i) + "\n";
    while (text.size() < kBytes) text += "line\n";
    WriteFile("f" + std::to_string(i) + ".md", text);
  }
  AddRequest request;
  request.secrets = SecretPolicy::kRedact;
  Add(request);
  for (const auto& [path, state] : States("needle")) {
    EXPECT_EQ(state, SourceState::kCurrent) << path;
  }
}

TEST_F(SourceCheckTest, ContextAndQueryAndGetMarkAsSearchDoes) {
  WriteFile("a.md", "# Head\n\nneedle one is here.\n");
  Add();
  ContextRequest context;
  context.search.text = "needle";
  context.budget_tokens = 40;
  ASSERT_OK_AND_ASSIGN(const ContextResponse before, database_->Context(context));
  fs::remove(dir_ / "a.md");
  context.search.check.on = true;
  ASSERT_OK_AND_ASSIGN(const ContextResponse marked, database_->Context(context));
  EXPECT_NE(marked.text.find("] (deleted) Head"), std::string::npos) << marked.text;
  EXPECT_EQ(before.text.find("(deleted)"), std::string::npos);
  EXPECT_EQ(marked.pieces.at(0).doc.source_state, SourceState::kDeleted);
  EXPECT_LE(marked.used_tokens, context.budget_tokens);

  QueryRequest query;
  query.rql = "FROM chunk SELECT doc.path, chunk.text";
  query.check.on = true;
  ASSERT_OK_AND_ASSIGN(const QueryResponse rows, database_->Query(query));
  EXPECT_EQ(rows.rows.at(0).doc.source_state, SourceState::kDeleted);

  GetRequest get;
  get.target = "a.md";
  get.check.on = true;
  ASSERT_OK_AND_ASSIGN(const GetResponse found, database_->Get(get));
  EXPECT_EQ(found.doc.source_state, SourceState::kDeleted);
}

// A context is within its budget with marks, whatever the budget is.
TEST_F(SourceCheckTest, MarksCountTowardsTheBudget) {
  for (int i = 0; i < 6; ++i) {
    WriteFile("f" + std::to_string(i) + ".md",
              "needle number " + std::to_string(i) + " is here.\n");
  }
  Add();
  for (int i = 0; i < 6; ++i) fs::remove(dir_ / ("f" + std::to_string(i) + ".md"));
  for (const char* counter : {"estimate", "words"}) {
    for (int64_t budget = 1; budget < 120; ++budget) {
      ContextRequest context;
      context.search.text = "needle";
      context.search.check.on = true;
      context.budget_tokens = budget;
      context.token_counter = counter;
      ASSERT_OK_AND_ASSIGN(const ContextResponse packed, database_->Context(context));
      EXPECT_LE(packed.used_tokens, budget) << counter;
    }
  }
}

TEST_F(SourceCheckTest, FilesThatWereCheckedTellWhetherAnAnswerStillHolds) {
  WriteFile("a.md", "needle one\n");
  Add();
  StateOf("a.md");
  const std::vector<CheckedFile> files = database_->TakeCheckedFiles();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_TRUE(AreAsChecked(files));
  fs::remove(dir_ / "a.md");
  EXPECT_FALSE(AreAsChecked(files));
  StateOf("a.md");
  const std::vector<CheckedFile> gone = database_->TakeCheckedFiles();
  EXPECT_TRUE(AreAsChecked(gone));
  WriteFile("a.md", "needle again\n");
  EXPECT_FALSE(AreAsChecked(gone));
  EXPECT_TRUE(database_->TakeCheckedFiles().empty());
}

// Random edits, deletions, touches, renames and replacements, some of them behind the back of
// stat(2), and additions now and then. RECALL_SOURCE_EDITS=10000 makes as many steps.
TEST_F(SourceCheckTest, NoRandomEditIsShownUnmarked) {
  const char* const asked = std::getenv("RECALL_SOURCE_EDITS");
  const int steps = asked != nullptr ? std::atoi(asked) : 400;
  const char* const seed = std::getenv("RECALL_TEST_SEED");
  std::mt19937_64 random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 20261128);
  constexpr int kFiles = 12;
  const auto name = [](uint64_t number) {
    return (number % 3 == 0 ? "sub/f" : "f") + std::to_string(number) + ".md";
  };
  const auto text = [&](uint64_t words) {
    std::string made = "needle";
    for (uint64_t i = 0; i < words; ++i) made += " word" + std::to_string(random() % 10);
    return made + "\n";
  };
  std::map<std::string, std::string> added;  // what the store has, by path
  const auto add = [&] {
    AddRequest request;
    request.sync = true;
    Add(request);
    added.clear();
    for (uint64_t i = 0; i < kFiles; ++i) {
      if (fs::is_regular_file(dir_ / name(i))) added[name(i)] = ReadWhole(dir_ / name(i));
    }
  };
  for (uint64_t i = 0; i < kFiles; ++i) WriteFile(name(i), text(4));
  add();
  int64_t marked = 0;
  for (int step = 0; step < steps; ++step) {
    const std::string path = name(random() % kFiles);
    const std::string other = name(random() % kFiles);
    const bool exists = fs::exists(dir_ / path);
    switch (random() % 8) {
      case 0:
        fs::remove(dir_ / path);
        break;
      case 1:
        if (exists) EditBehindStat(path);
        break;
      case 2:
        if (exists) Touch(path, 1'600'000'000 + static_cast<int64_t>(random() % 1000));
        break;
      case 3:
        if (exists && path != other) fs::rename(dir_ / path, dir_ / other);
        break;
      case 4:  // the same text again, in a new file
        if (added.contains(path)) {
          WriteFile("new", added[path]);
          fs::rename(dir_ / "new", dir_ / path);
        }
        break;
      case 5:  // another text of the same size
        WriteFile(path, text(4));
        break;
      case 6:
        WriteFile(path, text(random() % 30));
        break;
      case 7:
        if (random() % 4 == 0) add();
        break;
    }
    if (step % 3 != 0) continue;  // several edits before a question, too
    const auto states = States("needle");
    ASSERT_EQ(states.size(), added.size()) << "step " << step;
    for (const auto& [shown, state] : states) {
      const SourceState right = !fs::exists(dir_ / shown)                 ? SourceState::kDeleted
                                : ReadWhole(dir_ / shown) == added[shown] ? SourceState::kCurrent
                                                                          : SourceState::kChanged;
      ASSERT_EQ(state, right) << "step " << step << ", " << shown;
      marked += state != SourceState::kCurrent;
    }
  }
  EXPECT_GT(marked, steps / 8);
}

}  // namespace
}  // namespace recall
