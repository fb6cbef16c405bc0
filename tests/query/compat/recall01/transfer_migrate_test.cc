// Migration of stores of recall 0.1: complete or not at all.

#include <fcntl.h>
#include <unistd.h>

#include "tests/query/compat/recall01/old_store.h"

namespace recall {
namespace {

class MigrateTest : public TransferFixture {
 protected:
  void SetUp() override {}  // does not create a store

  std::string OldPath() const { return dir_ / "old.db"; }
  std::string NewPath() const { return dir_ / "new.db"; }

  std::vector<OldDocument> SomeDocuments(uint64_t seed, int count) {
    std::mt19937_64 random(seed);
    std::vector<OldDocument> docs;
    for (int i = 0; i < count; ++i) {
      OldDocument doc = MakeOldDocument("./notes/" + std::to_string(i) + ".md",
                                        RandomText(random, 1 + random() % 700), 50, 10);
      doc.tag = i % 2 == 0 ? std::optional<std::string>("even") : std::nullopt;
      docs.push_back(std::move(doc));
    }
    return docs;
  }

  Result<MigrateReport> Migrate() {
    MigrateRequest request;
    request.settings = Hashed();
    request.from = OldPath();
    request.to = NewPath();
    return Database::Migrate(request);
  }

  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  // Expects the error code, no new file, and the old file unchanged.
  void ExpectRefused(StatusCode code, const std::string& message) {
    SCOPED_TRACE(message);
    const std::string before = ReadWhole(OldPath());
    const auto names = Names();
    const auto report = Migrate();
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code(), code) << report.error().ToString();
    EXPECT_NE(report.error().message().find(message), std::string_view::npos)
        << report.error().ToString();
    EXPECT_FALSE(report.error().hint().empty()) << report.error().ToString();
    EXPECT_EQ(Names(), names);
    EXPECT_EQ(ReadWhole(OldPath()), before);
  }
};

TEST_F(MigrateTest, EveryGenerationComesOverWhole) {
  const struct {
    Generation generation;
    std::string name;
  } kGenerations[] = {{Generation::kA, "generation A"},
                      {Generation::kB, "generation B"},
                      {Generation::kC, "generation C"}};
  for (const auto& [generation, name] : kGenerations) {
    SCOPED_TRACE(name);
    auto docs = SomeDocuments(TestSeed(61), 20);
    if (generation != Generation::kA) docs[3].meta = R"({"k":"v"})";
    const OldDocument gone = MakeOldDocument("gone.txt", "words that were removed", 50, 10);
    {
      OldStore old(OldPath(), generation);
      old.Put(gone, /*deleted=*/true);
      for (const OldDocument& doc : docs) old.Put(doc);
    }
    const std::string before = ReadWhole(OldPath());
    ASSERT_OK_AND_ASSIGN(const MigrateReport report, Migrate());
    EXPECT_NE(report.generation.find(name), std::string::npos) << report.generation;
    EXPECT_EQ(report.import.added, 20);
    EXPECT_EQ(report.import.vectors_taken, report.import.chunks);
    EXPECT_EQ(report.store.docs, 20);
    EXPECT_EQ(ReadWhole(OldPath()), before);
    EXPECT_EQ(Names(), (std::set<std::string>{"old.db", "new.db"}));
    {
      ASSERT_OK_AND_ASSIGN(const auto database, Database::Open(NewPath()));
      ExpectHolds(*database, docs);
      EXPECT_EQ(database->Get({.target = gone.id, .verify = false}).error().code(),
                StatusCode::kNotFound);
      EXPECT_EQ(database->Get({.target = docs[0].id, .verify = false})->doc.origin, "file");
    }
    CheckStore(NewPath());
    std::filesystem::remove(OldPath());
    std::filesystem::remove(NewPath());
  }
}

TEST_F(MigrateTest, OtherCommandsSayWhatToDo) {
  { OldStore old(OldPath(), Generation::kC); }
  for (const bool read_only : {true, false}) {
    OpenOptions options;
    options.read_only = read_only;
    const auto opened = Database::Open(OldPath(), options);
    ASSERT_FALSE(opened.has_value());
    EXPECT_EQ(opened.error().code(), StatusCode::kUnsupported);
    EXPECT_NE(opened.error().message().find("is a store of recall 0.1"), std::string_view::npos);
    EXPECT_NE(opened.error().hint().find("recall migrate"), std::string_view::npos);
  }
}

TEST_F(MigrateTest, TheOldStoreMayGiveItsNameToTheNewOne) {
  const auto docs = SomeDocuments(TestSeed(62), 5);
  {
    OldStore old(OldPath(), Generation::kB);
    for (const OldDocument& doc : docs) old.Put(doc);
  }
  const std::string before = ReadWhole(OldPath());
  MigrateRequest request;
  request.settings = Hashed();
  request.from = OldPath();
  request.to = OldPath();
  request.keep = OldPath() + ".old";
  ASSERT_OK(Database::Migrate(request));
  EXPECT_EQ(ReadWhole(OldPath() + ".old"), before);
  EXPECT_EQ(Names(), (std::set<std::string>{"old.db", "old.db.old"}));
  {
    ASSERT_OK_AND_ASSIGN(const auto database, Database::Open(OldPath()));
    ExpectHolds(*database, docs);
  }
  // A second migration is rejected, because the file is now a store of this program. An existing
  // backup is never overwritten.
  EXPECT_EQ(Database::Migrate(request).error().code(), StatusCode::kAlreadyExists);
  request.keep += "er";
  EXPECT_EQ(Database::Migrate(request).error().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(Names(), (std::set<std::string>{"old.db", "old.db.old"}));
}

TEST_F(MigrateTest, NamesThatAreTakenAreRefused) {
  { OldStore old(OldPath(), Generation::kB); }
  std::ofstream(NewPath()) << "something of the user's";
  ExpectRefused(StatusCode::kAlreadyExists, "the file already exists");
  std::filesystem::remove(NewPath());
  std::filesystem::create_symlink("nowhere", NewPath());
  ExpectRefused(StatusCode::kAlreadyExists, "the file already exists");
}

TEST_F(MigrateTest, WhatIsNoOldStoreIsRefused) {
  EXPECT_EQ(Migrate().error().code(), StatusCode::kNotFound);
  std::ofstream(OldPath()) << "just some text, longer than a hundred bytes, so that SQLite reads a "
                              "header of a database in it and finds that it is none at all";
  ExpectRefused(StatusCode::kCorruption, "is not a recall store");
  std::ofstream(OldPath(), std::ios::trunc) << "";
  ExpectRefused(StatusCode::kCorruption, "is not a recall store");
  std::filesystem::remove(OldPath());
  ASSERT_OK(Database::Create(OldPath(), Hashed()));
  ExpectRefused(StatusCode::kAlreadyExists, "is already a store of this version");
  std::filesystem::remove(OldPath());
  std::filesystem::create_directory(OldPath());
  EXPECT_EQ(Migrate().error().code(), StatusCode::kInvalidArgument);
}

TEST_F(MigrateTest, LaterGenerationsAreRefused) {
  {
    OldStore old(OldPath(), Generation::kC);
    old.Run("UPDATE meta SET value = '3' WHERE key = 'schema_version'");
  }
  ExpectRefused(StatusCode::kUnsupported, "schema version '3'");
}

TEST_F(MigrateTest, TablesOfAnotherShapeAreRefused) {
  const struct {
    std::string sql;
    std::string message;
  } kCases[] = {
      {"ALTER TABLE doc DROP COLUMN mtime", "table doc has no column mtime"},
      {"ALTER TABLE doc DROP COLUMN deleted", "table doc has no column deleted"},
      {"ALTER TABLE chunk DROP COLUMN tokens", "table chunk has no column tokens"},
      {"ALTER TABLE doc DROP COLUMN hash; ALTER TABLE doc ADD COLUMN hash AS (hex(path))",
       "table doc has no column hash"},
      {"ALTER TABLE meta RENAME COLUMN value TO worth", "table meta does not have the columns"},
      {"DROP TABLE doc; CREATE VIEW doc AS SELECT 1 AS id", "is not a recall store"},
      {"DROP TABLE doc; CREATE VIRTUAL TABLE doc USING fts5(id, path)", "is not a recall store"},
  };
  for (const auto& [sql, message] : kCases) {
    {
      OldStore old(OldPath(), Generation::kB);
      old.Put(MakeOldDocument("a.txt", "words", 10, 0));
      old.Run("DROP INDEX idx_doc_path; DROP TRIGGER chunk_ai");
      old.Run(sql);
    }
    ExpectRefused(StatusCode::kCorruption, message);
    std::filesystem::remove(OldPath());
  }
}

TEST_F(MigrateTest, ValuesOfOtherTypesAreReadOrRefused) {
  OldDocument doc = MakeOldDocument("a.txt", "one two three four", 2, 0);
  {
    OldStore old(OldPath(), Generation::kB);
    old.Put(doc);
    // Numbers as text, a flag that is NULL, and token counts that are not numbers are accepted.
    old.Run("UPDATE chunk SET offset = '2' WHERE offset = 2");
    old.Run("UPDATE doc SET deleted = NULL, tag = 5; UPDATE chunk SET tokens = 'two'");
  }
  doc.tag = "5";
  {
    ASSERT_OK(Migrate());
    ASSERT_OK_AND_ASSIGN(const auto database, Database::Open(NewPath()));
    ExpectHolds(*database, {doc});
  }
  std::filesystem::remove(NewPath());
  for (const char* sql : {"UPDATE chunk SET offset = 'first'", "UPDATE chunk SET offset = -1",
                          "UPDATE chunk SET offset = NULL", "UPDATE chunk SET text = x'00FF'",
                          "UPDATE chunk SET text = NULL", "UPDATE chunk SET embedding = 'text'"}) {
    std::filesystem::remove(OldPath());
    {
      OldStore old(OldPath(), Generation::kB);
      old.Put(doc);
      old.Run(sql);
    }
    ExpectRefused(StatusCode::kCorruption, "contains values of the wrong type");
  }
  std::filesystem::remove(OldPath());
  {
    OldStore old(OldPath(), Generation::kB);
    old.Put(doc);
    old.Run("UPDATE doc SET path = NULL");
  }
  ExpectRefused(StatusCode::kInvalidArgument, "\"path\" is empty");
}

TEST_F(MigrateTest, AStoreInUseIsLeftAlone) {
  OldStore old(OldPath(), Generation::kB);
  old.Put(MakeOldDocument("a.txt", "words", 10, 0));
  old.Run("BEGIN IMMEDIATE; UPDATE doc SET tag = 'half'");
  ExpectRefused(StatusCode::kBusy, "is in use or was not closed: found ");
  old.Run("COMMIT");
  ASSERT_OK(Migrate());
}

// A hot journal of a killed process needs a program with write access to roll it back.
TEST_F(MigrateTest, AJournalThatWasLeftBehindIsNotIgnored) {
  { OldStore old(OldPath(), Generation::kB); }
  std::ofstream(OldPath() + "-journal") << "not empty";
  ExpectRefused(StatusCode::kBusy, "is in use or was not closed");
  EXPECT_EQ(ReadWhole(OldPath() + "-journal"), "not empty");
}

TEST_F(MigrateTest, AJournalIsSoughtBesideTheFileThatALinkLeadsTo) {
  std::filesystem::create_directory(dir_ / "elsewhere");
  { OldStore old(dir_ / "elsewhere/real.db", Generation::kB); }
  std::ofstream(dir_ / "elsewhere/real.db-journal") << "not empty";
  std::filesystem::create_symlink("elsewhere/real.db", OldPath());
  ExpectRefused(StatusCode::kBusy, "is in use or was not closed");
}

TEST_F(MigrateTest, WriteProtectedStoresAreRead) {
  const auto docs = SomeDocuments(TestSeed(63), 3);
  {
    OldStore old(OldPath(), Generation::kC);
    for (const OldDocument& doc : docs) old.Put(doc);
  }
  std::filesystem::permissions(OldPath(), std::filesystem::perms::owner_read);
  ASSERT_OK(Migrate());
  ASSERT_OK_AND_ASSIGN(const auto database, Database::Open(NewPath()));
  ExpectHolds(*database, docs);
}

TEST_F(MigrateTest, SettingsAreTheOldOnesOrGiven) {
  {
    OldStore old(OldPath(), Generation::kB);
    old.Run("UPDATE meta SET value = '64' WHERE key = 'embedding_dim'");
    old.Put(MakeOldDocument("a.txt", "one two three", 10, 0, 64));
  }
  MigrateRequest request;
  request.settings = Hashed();
  request.from = OldPath();
  request.to = NewPath();
  request.settings.chunk_tokens = 100;
  request.settings.ann_seed = 7;
  ASSERT_OK_AND_ASSIGN(const MigrateReport report, Database::Migrate(request));
  EXPECT_EQ(report.import.vectors_taken, 1);
  const auto stats = [&] {
    auto database = Database::Open(NewPath());
    EXPECT_TRUE(database.has_value());
    return *(*database)->Stats();
  };
  EXPECT_EQ(stats().dim, 64);
  EXPECT_EQ(stats().chunk_tokens, 100);
  std::filesystem::remove(NewPath());
  request.keep_dim = false;
  request.settings.dim = 128;
  ASSERT_OK_AND_ASSIGN(const MigrateReport other, Database::Migrate(request));
  EXPECT_EQ(other.import.vectors_rebuilt, 1);
  EXPECT_EQ(stats().dim, 128);
}

// Generation A does not store the number of dimensions, but its vectors have one.
TEST_F(MigrateTest, GenerationAKeepsItsDimension) {
  {
    OldStore old(OldPath(), Generation::kA);
    old.Put(MakeOldDocument("a.txt", "one two three", 10, 0, 64));
  }
  ASSERT_OK_AND_ASSIGN(const MigrateReport report, Migrate());
  EXPECT_EQ(report.import.vectors_taken, 1);
  ASSERT_OK_AND_ASSIGN(const auto database, Database::Open(NewPath()));
  EXPECT_EQ(database->Stats()->dim, 64);
}

TEST_F(MigrateTest, VectorsOfAModelAreMadeAnew) {
  {
    OldStore old(OldPath(), Generation::kC);
    old.Run("UPDATE meta SET value = 'model2vec' WHERE key = 'embedding'");
    OldDocument doc = MakeOldDocument("a.txt", "one two three", 10, 0);
    doc.chunks[0].embedding = OldEmbedding("what a model would say");
    old.Put(doc);
  }
  ASSERT_OK_AND_ASSIGN(const MigrateReport report, Migrate());
  EXPECT_EQ(report.import.vectors_rebuilt, 1);
  EXPECT_EQ(report.import.warnings.size(), 1u);
}

TEST_F(MigrateTest, CancelLeavesNothing) {
  {
    OldStore old(OldPath(), Generation::kB);
    old.Put(MakeOldDocument("a.txt", "words", 10, 0));
  }
  MigrateRequest request;
  request.settings = Hashed();
  request.from = OldPath();
  request.to = NewPath();
  const std::atomic<bool> cancel = true;
  EXPECT_EQ(Database::Migrate(request, {}, &cancel).error().code(), StatusCode::kCancelled);
  EXPECT_EQ(Names(), std::set<std::string>{"old.db"});
}

// Any damage to the file gives an error or a complete store, never a crash or half a store.
TEST_F(MigrateTest, DamagedFilesAreSurvived) {
  {
    OldStore old(OldPath(), Generation::kC);
    for (const OldDocument& doc : SomeDocuments(TestSeed(64), 30)) old.Put(doc);
  }
  const std::string whole = ReadWhole(OldPath());
  std::mt19937_64 random(TestSeed(64));
  for (int run = 0; run < 60; ++run) {
    std::string damaged = whole;
    const size_t changes = 1 + random() % 40;
    for (size_t i = 0; i < changes; ++i) {
      // The first pages contain the schema and the root pages.
      const size_t at = random() % (random() % 2 == 0 ? damaged.size() : 8192);
      damaged[at] = static_cast<char>(random());
    }
    if (random() % 4 == 0) damaged.resize(random() % damaged.size());
    std::ofstream(OldPath(), std::ios::binary | std::ios::trunc) << damaged;
    const auto report = Migrate();
    const bool there = std::filesystem::exists(NewPath());
    EXPECT_EQ(there, report.has_value());
    if (report) {
      CheckStore(NewPath());
      std::filesystem::remove(NewPath());
    } else {
      EXPECT_NE(report.error().code(), StatusCode::kInternal) << report.error().ToString();
    }
    EXPECT_EQ(Names(), std::set<std::string>{"old.db"});
  }
}

}  // namespace
}  // namespace recall
