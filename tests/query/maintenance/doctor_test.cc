// The doctor detects every fault of the table (store_faults.h), repairs what can be recreated, and
// changes nothing else. The oracle is a copy of the store from before the damage.

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "storage/base/ids.h"
#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

std::set<std::string> Codes(const DoctorReport& report, bool fixed) {
  std::set<std::string> codes;
  for (const DoctorFinding& finding : report.findings) {
    if (finding.fixed == fixed) codes.insert(finding.code);
  }
  return codes;
}

std::string Describe(const DoctorReport& report) {
  std::ostringstream out;
  for (const DoctorFinding& finding : report.findings) {
    out << finding.code << " x" << finding.count << (finding.fixed ? " fixed" : "") << ": "
        << finding.meaning << "; " << finding.obstacle << '\n';
    for (const auto& example : finding.examples) {
      out << "  " << example.where << ": " << example.what << '\n';
    }
  }
  return out.str();
}

class DoctorTest : public QueryFixture {
 protected:
  // A store with all structures: a segment and a delta, removed versions, metadata, past labels.
  void MakeStore() {
    Create({.embedder = "hash", .dim = 64, .chunk_tokens = 32, .overlap_tokens = 2});
    Reopen({.flush_vectors = 256});
    std::mt19937_64 random(7);
    WriteFile("a.md", "---\nowner: ann\nyear: 2024\n---\n# Guide\n" + RandomText(random, 40));
    WriteFile("b.md",
              "---\nowner: bob\ntags: [x, y]\n---\n# Other\nfooBar baz " + RandomText(random, 40));
    WriteFile("empty.txt", "");
    for (int i = 0; i < 3; ++i) {
      WriteFile("large" + std::to_string(i) + ".txt", RandomText(random, 9000));
    }
    AddRequest request;
    request.paths = {dir_.path()};
    request.extract_meta = true;
    Add(request);
    WriteFile("late.txt", RandomText(random, 60));
    request.tag = "second";
    Add(request);  // changes every label
    RemoveRequest remove;
    remove.targets = {dir_ / "large1.txt"};
    ASSERT_OK(database_->Remove(remove));
    WriteFile("b.md", "# Other\n" + RandomText(random, 50));
    Add(request);
    WriteFile("z.txt", RandomText(random, 80));
    Add(request);
    TrainNow(request);
    answers_ = Answers();
    database_.reset();
    fs::copy_file(StorePath(), sound_);
  }

  // A store with a model, a segment and a tail.
  void MakeTrainedStore() {
    Create({.embedder = "lsa", .dim = 8, .chunk_tokens = 32, .overlap_tokens = 2});
    Reopen({.flush_vectors = 256});
    std::mt19937_64 random(7);
    for (int i = 0; i < 2; ++i) WriteFile("large" + std::to_string(i), RandomText(random, 9000));
    AddRequest request;
    request.paths = {dir_.path()};
    Add(request);
    Add(request);  // trains the model
    WriteFile("late", RandomText(random, 40));
    Add(request);
    database_.reset();
  }

  // Trains on the present chunks, as a repair does. Otherwise the model is that of an earlier
  // state.
  void TrainNow(const AddRequest& request) {
    database_.reset();
    RunSql(StorePath(),
           "DELETE FROM model; DELETE FROM model_part; "
           "DELETE FROM meta WHERE key = 'content_sizes'");
    Reopen();
    Add(request);  // finds no change in the files and no model
  }

  void Restore() {
    database_.reset();
    for (const char* suffix : {"-wal", "-shm"}) fs::remove(StorePath() + suffix);
    fs::copy_file(sound_, StorePath(), fs::copy_options::overwrite_existing);
  }

  DoctorReport Examine(bool fix = false, uint32_t threads = 2) {
    DoctorRequest request;
    request.path = StorePath();
    request.fix = fix;
    request.threads = threads;
    auto report = Database::Doctor(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : DoctorReport();
  }

  std::string Answers() {
    std::ostringstream out;
    out << std::hexfloat;
    for (const char* text : {"alpha", "memory thread", "\"budget chunk\"", "omega*", "fooBar"}) {
      for (const SearchMode mode : {SearchMode::kHybrid, SearchMode::kSemantic}) {
        for (const SearchHit& hit : Search(text, mode, 40).hits) {
          out << hit.score << ' ' << hit.chunk.id << ' ' << hit.chunk.text << '\n';
        }
      }
    }
    QueryRequest query;
    query.rql = "FROM doc FILTER doc.meta.owner = 'ann' SELECT doc.path";
    const auto rows = database_->Query(query);
    EXPECT_TRUE(rows.has_value()) << rows.error().ToString();
    if (rows) out << rows->rows.size() << '\n';
    const StatsReport stats = *database_->Stats();
    out << stats.store.docs << ' ' << stats.store.chunks << ' ' << stats.store.tokens << ' '
        << stats.store.bytes << ' ' << stats.removed_chunks << '\n';
    return out.str();
  }

  std::string Export() {
    Reopen();
    std::string lines;
    EXPECT_OK(database_->Export({}, [&](std::string_view piece) {
      lines += piece;
      return Status::Ok();
    }));
    database_.reset();
    return lines;
  }

  void ZeroRootPage(const std::string& tree) {
    RunSql(StorePath(), "PRAGMA wal_checkpoint(TRUNCATE)");
    const int64_t page =
        AskInt(StorePath(), "SELECT rootpage FROM sqlite_schema WHERE name = '" + tree + "'");
    OverwriteFile(StorePath(), (page - 1) * 65536, std::string(65536, '\0'));
  }

  void ImportIntoNewStore(const std::string& lines) {
    WriteFile(".export.jsonl", lines);
    Create({.embedder = "hash", .dim = 64, .chunk_tokens = 32, .overlap_tokens = 2});
    ImportRequest request;
    request.path = dir_ / ".export.jsonl";
    ASSERT_OK(database_->Import(request));
    database_.reset();
  }

  // Purges the documents that the table of faults damages, and adds them again.
  void PurgeAndAddAgain() {
    Reopen();
    RemoveRequest remove;
    remove.targets = {dir_ / "a.md", dir_ / "large0.txt", dir_ / "large2.txt"};
    remove.purge = true;
    ASSERT_OK(database_->Remove(remove));
    EXPECT_EQ(Describe(Examine()), "");
    AddRequest again;
    again.paths = {dir_.path()};
    again.tag = "second";
    again.extract_meta = true;
    EXPECT_EQ(Add(again).added, 3);
    EXPECT_EQ(Describe(Examine()), "");
  }

  // The primary data: rows of documents and chunks without counts and sort keys, texts, settings.
  std::string PrimaryRows() {
    constexpr const char* kTables[] = {
        "SELECT id, path, hex(hash), mtime, size, tag, source, meta, parser, first_chunk, "
        "chunk_count, first_block, added_seq, removed_seq FROM doc ORDER BY id",
        "SELECT id, doc, start_byte, end_byte, start_line, end_line, offset, byte_in_token, "
        "heading FROM chunk ORDER BY id",
        "SELECT id, hex(data) FROM text_block ORDER BY id",
        "SELECT key, value FROM meta WHERE key IN ('uuid', 'embedder', 'dim', 'chunk_tokens', "
        "'overlap_tokens', 'tokenizer_version', 'signature_bits', 'signature_seed') ORDER BY key"};
    std::string rows;
    auto connection = Connection::Open(StorePath(), {});
    EXPECT_TRUE(connection.has_value()) << connection.error().ToString();
    if (!connection) return rows;
    for (const char* table : kTables) {
      auto select = (*connection)->Prepare(table);
      if (!select) continue;  // the table is damaged
      for (;;) {
        const auto row = select->Step();
        if (!row || !*row) break;
        for (int column = 0; column < 14; ++column) {
          rows += std::string(select->ColumnText(column)) + '|';
        }
      }
    }
    return ToHex(Sha256(rows));
  }

  const std::string sound_ = dir_ / ".sound.db";
  std::string answers_;
};

TEST_F(DoctorTest, FindsNothingInASoundStore) {
  MakeStore();
  const std::string before = ReadWhole(StorePath());
  const DoctorReport report = Examine(true);
  EXPECT_EQ(Describe(report), "");
  EXPECT_EQ(report.errors + report.warnings + report.notes + report.fixed, 0);
  EXPECT_EQ(ReadWhole(StorePath()), before) << "there was nothing to fix";
  Reopen();
  const StatsReport stats = *database_->Stats();
  ASSERT_GE(stats.segments, 1);
  ASSERT_GT(stats.delta_vectors, 0);
  EXPECT_EQ(report.docs, stats.store.docs);
  EXPECT_EQ(report.chunks, stats.store.chunks);
  EXPECT_EQ(report.removed_docs, stats.removed_docs);
  EXPECT_EQ(report.removed_chunks, stats.removed_chunks);
  EXPECT_EQ(report.segments, stats.segments);
}

TEST_F(DoctorTest, FindsEveryFault) {
  MakeStore();
  for (const StoreFault& fault : AllStoreFaults()) {
    SCOPED_TRACE(fault.name);
    Restore();
    fault.inject(StorePath());
    const DoctorReport report = Examine();
    EXPECT_EQ(Codes(report, false), fault.codes) << Describe(report);
    EXPECT_EQ(report.fixed, 0);
    for (const DoctorFinding& finding : report.findings) {
      EXPECT_GT(finding.count, 0) << finding.code;
      EXPECT_LE(finding.examples.size(), 10u) << finding.code;
      EXPECT_TRUE(finding.fixable || !finding.advice.empty() || !finding.obstacle.empty())
          << finding.code << " says nothing of what to do";
    }
  }
}

TEST_F(DoctorTest, TheNumberOfThreadsChangesNoFinding) {
  MakeStore();
  for (const StoreFault& fault : AllStoreFaults()) {
    SCOPED_TRACE(fault.name);
    Restore();
    fault.inject(StorePath());
    const std::string alone = Describe(Examine(false, 1));
    EXPECT_EQ(Describe(Examine(false, 2)), alone);
    EXPECT_EQ(Describe(Examine(false, 5)), alone);
  }
}

TEST_F(DoctorTest, RemakesWhatIsMadeOfOtherData) {
  MakeStore();
  const std::string primary = PrimaryRows();
  for (const StoreFault& fault : AllStoreFaults()) {
    if (!fault.repaired) continue;
    SCOPED_TRACE(fault.name);
    Restore();
    fault.inject(StorePath());
    const DoctorReport report = Examine(true);
    EXPECT_EQ(Codes(report, true), fault.codes) << Describe(report);
    EXPECT_EQ(Codes(report, false), std::set<std::string>()) << Describe(report);
    EXPECT_EQ(report.fixed, static_cast<int64_t>(fault.codes.size()));
    EXPECT_EQ(PrimaryRows(), primary);
    EXPECT_EQ(Describe(Examine()), "");
    Reopen();
    EXPECT_EQ(Answers(), answers_);
  }
}

TEST_F(DoctorTest, LeavesPrimaryDataAsTheyAre) {
  MakeStore();
  for (const StoreFault& fault : AllStoreFaults()) {
    if (fault.repaired) continue;
    SCOPED_TRACE(fault.name);
    Restore();
    fault.inject(StorePath());
    const std::string primary = PrimaryRows();
    const DoctorReport report = Examine(true);
    EXPECT_NE(Codes(report, false), std::set<std::string>());
    EXPECT_EQ(PrimaryRows(), primary);
    EXPECT_EQ(Codes(Examine(), false), Codes(report, false)) << "nothing is left that it can fix";
  }
}

// The hints of these findings are right: a document that cannot be repaired can be added again.
TEST_F(DoctorTest, ADamagedDocumentCanBePurgedAndAddedAgain) {
  MakeStore();
  PurgeAndAddAgain();
  const std::string twin = Answers();
  int tried = 0;
  for (const StoreFault& fault : AllStoreFaults()) {
    if (fault.repaired) continue;
    Restore();
    fault.inject(StorePath());
    const DoctorReport found = Examine();
    if (!std::ranges::all_of(found.findings, [](const DoctorFinding& finding) {
          return finding.advice.starts_with("remove the document with recall rm --purge");
        })) {
      continue;
    }
    SCOPED_TRACE(fault.name);
    ++tried;
    PurgeAndAddAgain();
    EXPECT_EQ(Answers(), twin);
  }
  EXPECT_GE(tried, 4);
}

// The hint of a repair that a contradiction forbids is right.
TEST_F(DoctorTest, AContradictionOfMetadataEndsWithItsDocument) {
  MakeStore();
  RunSql(StorePath(), "UPDATE doc SET meta = '{\"owner\":\"eve\",\"year\":2024}' WHERE id = 1");
  const DoctorReport found = Examine(true);
  ASSERT_EQ(Codes(found, false), std::set<std::string>{"metadata_drift"});
  const DoctorFinding& drift = found.findings.at(0);
  EXPECT_EQ(drift.examples.at(0).what, "its row has 'eve' for owner, doc_meta has 'ann'");
  EXPECT_NE(drift.obstacle.find("rm --purge"), std::string::npos) << drift.obstacle;
  EXPECT_EQ(found.errors, 1);
  Reopen();
  RemoveRequest remove;
  remove.targets = {dir_ / "a.md"};
  remove.purge = true;
  ASSERT_OK(database_->Remove(remove));
  AddRequest again;
  again.paths = {dir_ / "a.md"};
  again.extract_meta = true;
  EXPECT_EQ(Add(again).added, 1);
  database_.reset();
  EXPECT_EQ(Examine(true).errors, 0);
  EXPECT_EQ(Describe(Examine()), "");
}

TEST_F(DoctorTest, ExportAndImportResolveAContradictionOfAnIndex) {
  MakeStore();
  for (const StoreFault& fault : AllStoreFaults()) {
    if (fault.name != "a document's time is another than in its index") continue;
    fault.inject(StorePath());
  }
  const DoctorReport found = Examine();
  ASSERT_EQ(Codes(found, false), std::set<std::string>{"index_damage"}) << Describe(found);
  ImportIntoNewStore(Export());
  EXPECT_EQ(Describe(Examine()), "");
}

// The hint of sqlite_damage is right: an export reads no tree of derived data but the vectors.
TEST_F(DoctorTest, ExportAndImportReplaceADamagedTreeOfDerivedData) {
  MakeStore();
  const std::string lines = Export();
  for (const char* tree : {"lexicon_data", "lexicon_idx", "doc_meta", "posting_list", "chunk_key",
                           "doc_key", "doc_live_mtime"}) {
    SCOPED_TRACE(tree);
    Restore();
    ZeroRootPage(tree);
    const DoctorReport found = Examine(true);
    EXPECT_TRUE(Codes(found, false).contains("sqlite_damage")) << Describe(found);
    ImportIntoNewStore(Export());
    EXPECT_EQ(Describe(Examine()), "");
    EXPECT_EQ(Export(), lines);
  }
}

// A model and the vectors made with it are not exported, so damage to them does not matter.
TEST_F(DoctorTest, ATrainedStoreIsExportedWithoutItsVectors) {
  MakeTrainedStore();
  const std::string lines = Export();
  fs::copy_file(StorePath(), sound_);
  for (const char* tree : {"vec_data", "vec_tail", "model_part"}) {
    SCOPED_TRACE(tree);
    Restore();
    ASSERT_GT(AskInt(StorePath(), std::string("SELECT count(*) FROM ") + tree), 0);
    ZeroRootPage(tree);
    EXPECT_TRUE(Codes(Examine(), false).contains("sqlite_damage"));
    EXPECT_EQ(Export(), lines);
  }
}

TEST_F(DoctorTest, FindsAnEmbedderThatIsNotThatOfTheModel) {
  MakeTrainedStore();
  RunSql(StorePath(), "UPDATE space SET embedder = 'lsb' WHERE model IS NOT NULL");
  EXPECT_EQ(Codes(Examine(), false), std::set<std::string>{"segment_space"});
}

TEST_F(DoctorTest, FindsAModelThatIsActiveSinceAnotherCommitThanItsSpace) {
  MakeTrainedStore();
  RunSql(StorePath(), "UPDATE model SET since = since + 1");
  EXPECT_EQ(Codes(Examine(), false), std::set<std::string>{"segment_space"});
}

TEST_F(DoctorTest, ASearchNoticesThatAPartOfTheModelIsMissing) {
  MakeTrainedStore();
  RunSql(StorePath(), "DELETE FROM model_part WHERE kind = 'grams'");
  Reopen();
  SearchRequest request;
  request.text = "alpha";
  const auto answer = database_->Search(request);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code(), StatusCode::kCorruption);
  EXPECT_NE(answer.error().hint().find("doctor --fix"), std::string::npos);
  database_.reset();
  Examine(true);
  Reopen();
  EXPECT_TRUE(database_->Search(request).has_value());
}

TEST_F(DoctorTest, ASearchOfASnapshotNoticesThatItsCommitIsNotInTheLog) {
  MakeStore();
  Reopen();
  SearchRequest request;
  request.text = "alpha";
  request.scope.snapshot = database_->Stats()->store.snapshot;
  RemoveRequest remove;
  remove.targets = {dir_ / "z.txt"};
  ASSERT_OK(database_->Remove(remove));
  ASSERT_TRUE(database_->Search(request).has_value());
  database_.reset();
  RunSql(StorePath(), "DELETE FROM commit_log WHERE seq < (SELECT max(seq) FROM commit_log)");
  Reopen();
  const auto answer = database_->Search(request);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code(), StatusCode::kCorruption);
  EXPECT_NE(answer.error().hint().find("doctor --fix"), std::string::npos);
}

TEST_F(DoctorTest, NamesTheRecordedAndTheCountedSize) {
  MakeStore();
  const int64_t bytes =
      AskInt(StorePath(), "SELECT sum(length(data)) FROM text_block WHERE id < 4096");
  RunSql(StorePath(),
         "UPDATE meta SET value = replace(value, ' text_block.0=', ' text_block.0=1') "
         "WHERE key = 'content_sizes'");
  const DoctorReport found = Examine();
  ASSERT_EQ(Codes(found, false), std::set<std::string>{"content_sizes"}) << Describe(found);
  EXPECT_EQ(found.warnings, 1);
  const DoctorFinding& finding = found.findings.at(0);
  EXPECT_EQ(finding.examples.at(0).where, "meta.content_sizes, text_block.0");
  EXPECT_EQ(finding.examples.at(0).what,
            "found 1" + std::to_string(bytes) + " bytes, expected " + std::to_string(bytes));
  EXPECT_TRUE(finding.fixable);
  EXPECT_EQ(Examine(true).fixed, 1);
  EXPECT_EQ(Describe(Examine()), "");
}

// A program that does not know the record leaves that of an older commit.
TEST_F(DoctorTest, ARecordOfSizesOfAnotherCommitIsNoFault) {
  MakeStore();
  RunSql(StorePath(), "UPDATE meta SET value = '1 text_block.0=7' WHERE key = 'content_sizes'");
  EXPECT_EQ(Describe(Examine()), "");
}

// One damaged document does not prevent repairs of other data.
TEST_F(DoctorTest, RepairsWhatItCanBesideADamagedDocument) {
  MakeStore();
  RunSql(StorePath(),
         "UPDATE doc SET size = -5 WHERE id = 1; DROP INDEX doc_live_tag;"
         "DELETE FROM meta WHERE key = 'snapshot_horizon'");
  const DoctorReport report = Examine(true);
  EXPECT_EQ(Codes(report, true), (std::set<std::string>{"schema_drift", "snapshot_horizon"}))
      << Describe(report);
  EXPECT_EQ(Codes(report, false), std::set<std::string>{"doc_row"}) << Describe(report);
}

TEST_F(DoctorTest, WritesNothingToAFileThatSqliteFindsDamaged) {
  MakeStore();
  RunSql(StorePath(), "PRAGMA wal_checkpoint(TRUNCATE); DELETE FROM tombstone");
  const int64_t page =
      AskInt(StorePath(), "SELECT rootpage FROM sqlite_schema WHERE name = 'text_block'");
  OverwriteFile(StorePath(), (page - 1) * 65536, std::string(65536, '\0'));
  const std::string before = ReadWhole(StorePath());
  const DoctorReport report = Examine(true);
  EXPECT_TRUE(Codes(report, false).contains("sqlite_damage")) << Describe(report);
  EXPECT_TRUE(Codes(report, false).contains("tombstone_mismatch")) << Describe(report);
  EXPECT_EQ(ReadWhole(StorePath()), before);
  for (const DoctorFinding& finding : report.findings) EXPECT_FALSE(finding.fixable);
}

// A repair expires older snapshots, because it may change their answers.
TEST_F(DoctorTest, ARepairEndsOlderSnapshots) {
  MakeStore();
  RunSql(StorePath(), "DELETE FROM vec_tail");
  Reopen();
  const std::string token = database_->Stats()->store.snapshot;
  database_.reset();
  EXPECT_EQ(Examine(true).errors, 0);
  Reopen();
  EXPECT_NE(database_->Stats()->store.snapshot, token);
  SearchRequest request;
  request.text = "alpha";
  request.scope.snapshot = token;
  const auto answer = database_->Search(request);
  ASSERT_FALSE(answer.has_value());
  EXPECT_EQ(answer.error().code(), StatusCode::kExpired);
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(Describe(Examine()), "");
}

// A removed version that a readable snapshot contains needs its vectors. One below the horizon does
// not, because an interrupted purge may already have removed them.
TEST_F(DoctorTest, RemovedVersionsNeedVectorsAsLongAsASnapshotShowsThem) {
  MakeStore();
  Reopen();
  RemoveRequest remove;
  remove.targets = {dir_ / "z.txt"};
  ASSERT_OK(database_->Remove(remove));
  database_.reset();
  const std::string rows = "(SELECT first_chunk FROM doc WHERE path = 'z.txt')";
  RunSql(StorePath(), "DELETE FROM vec_tail WHERE chunk = " + rows);
  EXPECT_EQ(Codes(Examine(), false), std::set<std::string>{"vector_missing"});
  RunSql(StorePath(),
         "DELETE FROM doc_past; DELETE FROM commit_log WHERE seq < (SELECT max(seq) FROM "
         "commit_log); UPDATE meta SET value = (SELECT max(seq) FROM commit_log) WHERE key = "
         "'snapshot_horizon'");
  EXPECT_EQ(Describe(Examine()), "");
}

TEST_F(DoctorTest, InterruptedItSaysSo) {
  MakeStore();
  const std::atomic<bool> cancel = true;
  for (const bool fix : {false, true}) {
    const auto report = Database::Doctor({.path = StorePath(), .fix = fix}, {}, &cancel);
    ASSERT_FALSE(report.has_value());
    EXPECT_EQ(report.error().code(), StatusCode::kCancelled) << report.error().ToString();
  }
}

TEST_F(DoctorTest, WhatIsNoStoreIsNotExamined) {
  const auto nothing = Database::Doctor({.path = dir_ / "nowhere.db"});
  ASSERT_FALSE(nothing.has_value());
  EXPECT_EQ(nothing.error().code(), StatusCode::kStoreNotFound);
  WriteFile("text.db", "just words");
  const auto text = Database::Doctor({.path = dir_ / "text.db"});
  ASSERT_FALSE(text.has_value());
  EXPECT_EQ(text.error().code(), StatusCode::kCorruption);
  RunSql(dir_ / "other.db", "CREATE TABLE t(x)");
  const auto other = Database::Doctor({.path = dir_ / "other.db", .fix = true});
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code(), StatusCode::kCorruption);
  RunSql(StorePath(), "PRAGMA user_version=99");
  const auto newer = Database::Doctor({.path = StorePath()});
  ASSERT_FALSE(newer.has_value());
  EXPECT_EQ(newer.error().code(), StatusCode::kUnsupported);
}

}  // namespace
}  // namespace recall
