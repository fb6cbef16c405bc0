// Imports of other programs' memories into a store, again, and out of it.

#include "tests/query/exchange/foreign_fixture.h"

namespace recall {
namespace {

using ForeignImportTest = ForeignFixture;

TEST_F(ForeignImportTest, RekallBecomesNotesLinksUsesAndReviews) {
  const ImportReport report = ImportFrom("rekall", "rekall.db");
  EXPECT_EQ(report.added, 5);
  EXPECT_EQ(report.links, 3);
  EXPECT_EQ(report.uses, 1);
  EXPECT_EQ(report.reviews, 2);
  EXPECT_EQ(report.lines > 5, true);
  EXPECT_EQ(Paths(),
            (Strings{"notes/api-timeout.md", "notes/cors-safari-2.md", "notes/cors-safari.md",
                     "notes/jwt-for-auth.md", "notes/retry-with-backoff.md"}));
  EXPECT_EQ(
      LinksOf(),
      (Strings{"notes/api-timeout.md -derived_from-> notes/retry-with-backoff.md (user 1.0 "
               "seen twice)",
               "notes/cors-safari.md -related-> notes/api-timeout.md (user 1.0)",
               "notes/retry-with-backoff.md -supersedes-> notes/jwt-for-auth.md (user 1.0)"}));
  const Activity cors = ActivityOf("notes/cors-safari.md");
  EXPECT_EQ(cors.uses, 10);
  EXPECT_EQ(cors.used_at, ParseRfc3339("2025-12-05T08:00:00Z"));
  EXPECT_EQ(cors.reviews, 0);
  EXPECT_EQ(cors.due, ParseRfc3339("2026-01-15T00:00:00Z"));
  EXPECT_EQ(cors.interval_days, 13);
  EXPECT_EQ(cors.easiness, 260);
  // The newer note is named by its id here.
  EXPECT_NE(TextOf("notes/jwt-for-auth.md").find("superseded_by: retry-with-backoff\n"),
            std::string::npos);
  CheckStore(StorePath());
}

TEST_F(ForeignImportTest, TheSameAgainChangesNothing) {
  for (const auto& [program, name] : {std::pair{"rekall", "rekall.db"},
                                      {"bastra", "vault"},
                                      {"memory", "memory.jsonl"},
                                      {"basic-memory", "project"}}) {
    SCOPED_TRACE(name);
    const std::string before = Token();
    const ImportReport planned = ImportFrom(program, name, /*dry_run=*/true);
    EXPECT_EQ(Token(), before);
    const ImportReport first = ImportFrom(program, name);
    EXPECT_GT(first.added, 0);
    EXPECT_EQ(planned.added, first.added);
    EXPECT_EQ(planned.links, first.links);
    EXPECT_EQ(planned.uses, first.uses);
    EXPECT_EQ(planned.reviews, first.reviews);
    EXPECT_EQ(planned.kept, first.kept);
    const std::string token = Token();
    EXPECT_NE(token, before);
    const ImportReport second = ImportFrom(program, name);
    EXPECT_EQ(second.unchanged, first.added);
    EXPECT_EQ(second.Total(), first.Total());
    EXPECT_EQ(second.links + second.uses + second.reviews, 0);
    EXPECT_EQ(Token(), token);
  }
}

TEST_F(ForeignImportTest, BatchesGiveTheSameStore) {
  ImportRequest request = Request("rekall", OtherPath("rekall.db"));
  ASSERT_OK(database_->Import(request));
  const auto other = NewDatabase("other.db");
  request.batch_docs = 1;
  ASSERT_OK(other->Import(request));
  EXPECT_EQ(Export(*other), Export());
  EXPECT_EQ(LinksOf(OtherPath("other.db")), LinksOf());
}

TEST_F(ForeignImportTest, ChangesThereAreAddedHere) {
  ImportFrom("rekall", "rekall.db");
  std::filesystem::remove(OtherPath("rekall.db"));
  WriteRekallDatabase(OtherPath("rekall.db"));
  {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(OtherPath("rekall.db").c_str(), &handle), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(handle,
                           "UPDATE entries SET access_count = 12,"
                           " last_accessed = '2025-12-20T08:00:00', title = 'CORS in Safari'"
                           " WHERE id = '01A'; DELETE FROM entries WHERE id = '01E'",
                           nullptr, nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(handle);
  }
  const ImportReport report = ImportFrom("rekall", "rekall.db");
  EXPECT_EQ(report.updated, 1);
  EXPECT_EQ(report.unchanged, 3);
  EXPECT_EQ(report.uses, 1);
  // The entry keeps its path, although its title has changed; nothing was removed.
  EXPECT_NE(TextOf("notes/cors-safari.md").find("title: CORS in Safari\n"), std::string::npos);
  EXPECT_EQ(Paths().size(), 5u);
  EXPECT_EQ(ActivityOf("notes/cors-safari.md").uses, 12);
  EXPECT_EQ(ActivityOf("notes/cors-safari.md").used_at, ParseRfc3339("2025-12-20T08:00:00Z"));
}

TEST_F(ForeignImportTest, AReviewHereIsNotTakenBack) {
  ImportFrom("rekall", "rekall.db");
  Review("notes/cors-safari.md", 4, "2026-01-16T00:00:00Z", 34, 260, "2026-02-19T00:00:00Z");
  ImportFrom("rekall", "rekall.db");
  EXPECT_EQ(ActivityOf("notes/cors-safari.md").interval_days, 34);
}

TEST_F(ForeignImportTest, PathsOfOtherNotesAreNotTaken) {
  WriteFile("notes/cors-safari.md", "---\ntype: lesson\ntitle: Mine\n---\n\nMine.\n");
  Add();
  ImportFrom("rekall", "rekall.db");
  EXPECT_NE(TextOf("notes/cors-safari.md").find("Mine."), std::string::npos);
  EXPECT_NE(TextOf("notes/cors-safari-2.md").find("rekall_id: \"01A\""), std::string::npos);
  EXPECT_NE(TextOf("notes/cors-safari-3.md").find("rekall_id: \"01E\""), std::string::npos);
}

TEST_F(ForeignImportTest, BastraVault) {
  const ImportReport report = ImportFrom("bastra", "vault");
  EXPECT_EQ(report.added, 2);
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.failed, 1);
  EXPECT_EQ(LinksOf(),
            (Strings{"notes/css-effects.md -supersedes-> notes/old-effects.md (user 1.0)",
                     "notes/css-input-focus.md -related-> notes/css-effects.md (near 0.812 cosine "
                     "0.812)",
                     "notes/css-input-focus.md -related-> notes/css-effects.md (text 1.0)"}));
  EXPECT_EQ(TextOf("notes/css-input-focus.md").find("auto-related"), std::string::npos);
}

TEST_F(ForeignImportTest, MemoryGraphAndBasicMemory) {
  ImportFrom("memory", "memory.jsonl");
  ImportFrom("basic-memory", "project");
  EXPECT_EQ(
      LinksOf(),
      (Strings{
          "notes/ada-lovelace.md -knew-> notes/charles-babbage.md (user 1.0)",
          "notes/ada-lovelace.md -programmed_for-> notes/analytical-engine.md (user 1.0 "
          "programmed for)",
          "notes/coffee/brewing-methods.md -based_on-> notes/tea-notes.md (user 1.0 based on)",
          "notes/coffee/brewing-methods.md -related-> notes/tea-notes.md (text 1.0)",
          "notes/coffee/brewing-methods.md -relates_to-> notes/coffee/origins.md (text 1.0)"}));
  // A later import finds what an earlier one wrote.
  WriteTextFile(OtherPath("more.jsonl"),
                R"({"type":"entity","name":"Babbage","entityType":"person","observations":[]}
{"type":"relation","from":"Babbage","to":"Ada Lovelace","relationType":"taught"})");
  ImportFrom("memory", "more.jsonl");
  EXPECT_EQ(LinksOf()[2], "notes/babbage.md -taught-> notes/ada-lovelace.md (user 1.0)");
}

TEST_F(ForeignImportTest, AnErrorImportsNothing) {
  const std::string before = Token();
  WriteTextFile(OtherPath("bad.jsonl"), std::string(kMemoryGraph) + "{\n");
  const auto report = database_->Import(Request("memory", OtherPath("bad.jsonl")));
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code(), StatusCode::kInvalidArgument);
  ASSERT_NE(report.error().position(), nullptr);
  EXPECT_EQ(report.error().position()->line, 6);
  EXPECT_EQ(Token(), before);
  EXPECT_EQ(database_->Import(Request("rekall", StorePath())).error().code(),
            StatusCode::kInvalidArgument);
}

TEST_F(ForeignImportTest, AnInterruptedImportImportsNothing) {
  std::string lines;
  for (int i = 0; i < 2000; ++i) {
    lines += R"({"type":"entity","name":"e)" + std::to_string(i) +
             R"(","entityType":"t","observations":["x"]})" + "\n";
  }
  WriteTextFile(OtherPath("many.jsonl"), lines);
  const std::string before = Token();
  ImportRequest request = Request("memory", OtherPath("many.jsonl"));
  ASSERT_OK_AND_ASSIGN(const ImportReport report,
                       database_->Import(request, [&](const AddProgress& progress) {
                         if (progress.files_done > 0) database_->Cancel();
                       }));
  if (report.cancelled) {
    EXPECT_EQ(report.added, 0);
    EXPECT_EQ(Token(), before);
  }
  Reopen();
  request.batch_docs = 100;
  ASSERT_OK(database_->Import(request));
  EXPECT_EQ(Paths().size(), 2000u);
}

}  // namespace
}  // namespace recall
