// An untrusted recall.db with triggers, views, and other types, lengths and orders than a store
// has. Every operation must end with a clean error or the right answer, and run no code of the
// file.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/damage/damaged_copy.h"
#include "tests/fault/child_process.h"
#include "tests/fault/plain_sql.h"
#include "tests/fault/random_words.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// Rewrites a statement in the schema, which an attacker can change freely.
std::string Rewrite(const std::string& table, const std::string& from, const std::string& to) {
  return "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET sql = replace(sql, '" + from +
         "', '" + to + "') WHERE name = '" + table + "'; PRAGMA writable_schema=RESET;";
}

std::string SetMeta(const std::string& key, const std::string& value) {
  return "UPDATE meta SET value = " + value + " WHERE key = '" + key + "';";
}

struct Tampering {
  std::string name;
  std::string sql;
};

std::vector<Tampering> Tamperings() {
  const std::string max = "9223372036854775807";
  std::vector<Tampering> all = {
      {"triggers",
       "CREATE TRIGGER t1 AFTER INSERT ON doc BEGIN DELETE FROM doc; END;"
       "CREATE TRIGGER t2 AFTER UPDATE ON meta BEGIN DELETE FROM chunk; END;"
       "CREATE TRIGGER t3 BEFORE DELETE ON doc BEGIN SELECT RAISE(ABORT, 'mine'); END;"},
      {"view_of_doc", "ALTER TABLE doc RENAME TO doc2; CREATE VIEW doc AS SELECT * FROM doc2;"},
      {"view_of_chunk",
       "ALTER TABLE chunk RENAME TO chunk2; CREATE VIEW chunk AS SELECT * FROM chunk2;"},
      {"view_of_meta",
       "ALTER TABLE meta RENAME TO meta2; CREATE VIEW meta AS SELECT * FROM meta2;"},
      {"view_of_vec_data",
       "ALTER TABLE vec_data RENAME TO v2; CREATE VIEW vec_data AS SELECT * FROM v2;"},
      {"recursive_view",
       "ALTER TABLE text_block RENAME TO b2; CREATE VIEW text_block AS WITH RECURSIVE n(i) AS "
       "(SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, x'00' AS data FROM n;"},
      {"plain_lexicon", "DROP TABLE lexicon; CREATE TABLE lexicon(body, compound);"},
      {"lexicon_with_content",
       "DROP TABLE lexicon; CREATE VIRTUAL TABLE lexicon USING fts5(body, "
       "compound);"},
      {"lexicon_of_one_column",
       "DROP TABLE lexicon; CREATE VIRTUAL TABLE lexicon USING fts5(body, content='');"},
      {"lexicon_by_another_module", Rewrite("lexicon", "fts5", "rtree")},
      {"lexicon_by_no_module", Rewrite("lexicon", "fts5", "nothing")},
      {"lexicon_options", Rewrite("lexicon", "detail=full", "detail=none")},
      {"lexicon_tokenizer", Rewrite("lexicon", "ascii", "absent")},
      {"lexicon_parameter", Rewrite("lexicon", "compound, content", "compound- content")},
      {"lexicon_shadow", Rewrite("lexicon_data", "block", "clock")},
      {"lexicon_shadow_name",
       "PRAGMA writable_schema=ON; UPDATE sqlite_schema SET name = 'lexicon_fonfig', tbl_name = "
       "'lexicon_fonfig' WHERE name = 'lexicon_config'; PRAGMA writable_schema=RESET;"},
      {"unknown_collation", Rewrite("doc", "path TEXT", "path TEXT COLLATE absent")},
      {"failing_check", Rewrite("doc", "size INTEGER NOT NULL", "size INTEGER CHECK(size < 0)")},
      {"generated_column",
       "ALTER TABLE doc ADD COLUMN g AS (abs(-9223372036854775807 - 1));"
       "ALTER TABLE vec_data ADD COLUMN h AS (zeroblob(1000000000));"},
      {"generated_size", Rewrite("doc", "size INTEGER NOT NULL", "size AS (abs(id))")},
      {"meta_twice",
       "ALTER TABLE meta RENAME TO m2; CREATE TABLE meta(key, value); INSERT INTO "
       "meta SELECT * FROM m2 UNION ALL SELECT key, 'x' FROM m2;"},
      {"meta_without_rows", "DELETE FROM meta;"},
      {"lower_version", "PRAGMA user_version=1;"},
      {"version_2", "PRAGMA user_version=2;"},
      {"names_of_ours", "CREATE TABLE snapshot_doc(a); CREATE TABLE snapshot_doc_meta(a);"},
      {"size_is_huge", "UPDATE doc SET size = 1 << 60;"},
      {"size_is_negative", "UPDATE doc SET size = -5;"},
      {"size_is_text", "UPDATE doc SET size = 'many';"},
      {"chunk_count_is_huge", "UPDATE doc SET chunk_count = 1 << 40;"},
      {"chunk_count_is_large", "UPDATE doc SET chunk_count = 4000000000;"},
      {"first_chunk_is_negative", "UPDATE doc SET first_chunk = -3;"},
      {"first_block_is_last", "UPDATE doc SET first_block = " + max + ";"},
      {"hash_is_short", "UPDATE doc SET hash = x'0102';"},
      {"path_is_a_blob", "UPDATE doc SET path = x'ff00fe' || id;"},
      {"path_is_empty", "DROP INDEX doc_live_path; UPDATE doc SET path = '';"},
      {"parser_is_odd", "UPDATE doc SET parser = 'perl';"},
      {"origin_is_odd", "UPDATE doc SET origin = x'ff';"},
      {"meta_is_deep", "UPDATE doc SET meta = printf('%.*c', 100000, '[');"},
      {"mtime_is_odd", "UPDATE doc SET mtime = " + max + ";"},
      {"sequences_are_odd", "UPDATE doc SET added_seq = -1, removed_seq = 'x';"},
      {"chunk_bytes", "UPDATE chunk SET start_byte = 1 << 62, end_byte = -1;"},
      {"chunk_end", "UPDATE chunk SET end_byte = 1 << 62;"},
      {"chunk_of_no_doc", "UPDATE chunk SET doc = 99999;"},
      {"chunk_numbers", "UPDATE chunk SET offset = -1, tokens = 'a', start_line = 1 << 50;"},
      {"heading_is_huge", "UPDATE chunk SET heading = printf('%.*c', 200000, 'h');"},
      {"no_chunks", "DELETE FROM chunk;"},
      {"no_docs", "DELETE FROM doc;"},
      {"no_blocks", "DELETE FROM text_block;"},
      {"blocks_are_no_zstd", "UPDATE text_block SET data = zeroblob(100000);"},
      {"blocks_are_integers", "UPDATE text_block SET data = 7;"},
      {"tail_is_long", "UPDATE vec_tail SET data = zeroblob(1000000);"},
      {"tail_is_short", "UPDATE vec_tail SET data = x'';"},
      {"tail_rows", "UPDATE vec_tail SET chunk = chunk + (1 << 40);"},
      {"segment_rows", "UPDATE vec_segment SET vectors = 1 << 40, pages = 1 << 40;"},
      {"segment_ranges", "UPDATE vec_segment SET min_chunk = -1, max_chunk = 1 << 50;"},
      {"segment_without_data", "DELETE FROM vec_data;"},
      {"data_without_segment", "DELETE FROM vec_segment;"},
      {"data_is_text", "UPDATE vec_data SET data = 'RECALSEG';"},
      {"data_is_zeroes", "UPDATE vec_data SET data = zeroblob(length(data));"},
      {"tombstones_are_noise",
       "DELETE FROM tombstone; INSERT INTO tombstone VALUES(1, "
       "randomblob(1000));"},
      {"tombstones_are_many",
       "DELETE FROM tombstone; INSERT INTO tombstone VALUES(1, x'3a300000ffffff7f');"},
      {"doc_meta_is_odd",
       "UPDATE doc_meta SET kind = 'k', first_chunk = -1, chunk_count = 1 << 50;"},
      {"commit_log_is_odd", "UPDATE commit_log SET next_chunk = 1 << 31, docs = 5, last_doc = 0;"},
      {"commit_log_is_text", "UPDATE commit_log SET next_chunk = 'x', docs = x'00';"},
      {"doc_past_is_odd", "INSERT INTO doc_past SELECT 9, id, 'x', x'ff', 7, '{', 'x' FROM doc;"},
      {"sequence_at_its_end", "UPDATE sqlite_sequence SET seq = " + max + ";"},
      {"dim_is_huge", SetMeta("dim", "100000")},
      {"dim_is_other", SetMeta("dim", "64")},
      {"embedder_is_other", SetMeta("embedder", "'absent'")},
      {"bits_are_odd", SetMeta("signature_bits", "4294967295")},
      {"chunks_are_huge", SetMeta("chunk_tokens", "4294967295")},
  };
  for (const char* counter : {"commit_sequence", "docs", "chunks", "tokens", "lexical_tokens",
                              "text_bytes", "next_chunk", "next_block", "snapshot_horizon"}) {
    for (const std::string& value : {max, std::string("0"), std::string("'x'")}) {
      all.push_back({std::string(counter) + "_is_" + value, SetMeta(counter, value)});
    }
  }
  return all;
}

class ForeignSchemaTest : public ::testing::Test {
 protected:
  // Uses a file system in memory if there is one, where a sync costs nothing.
  static void SetUpTestSuite() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  }

  std::string Store() const { return dir_ / "recall.db"; }

  void WriteDoc(const std::string& name, uint64_t seed, size_t words) {
    std::filesystem::create_directories(dir_ / "docs");
    std::ofstream(dir_ / ("docs/" + name)) << "---\nauthor: a\n---\n# P\n\n"
                                           << RandomWords(seed, words);
  }

  Status AddAll() {
    OpenOptions options;
    options.flush_vectors = 16;
    RECALL_ASSIGN(const auto database, Database::Open(Store(), options));
    AddRequest request;
    request.paths = {dir_ / "docs"};
    request.extract_meta = true;
    request.tag = "red";
    request.threads = 1;
    RECALL_ASSIGN(const AddReport report, database->Add(request));
    return report.failed == 0 ? Status::Ok() : Status::Internal(report.warnings.at(0));
  }

  Status Fill() {
    CreateOptions options;
    options.dim = 8;
    options.chunk_tokens = 12;
    options.overlap_tokens = 2;
    RECALL_TRY(internal::ToStatus(Database::Create(Store(), options)));
    WriteDoc("a0.md", 1, 200);
    RECALL_TRY(AddAll());
    WriteDoc("a1.md", 2, 30);
    RECALL_TRY(AddAll());
    WriteDoc("a1.md", 3, 40);
    return AddAll();
  }

  // Runs every operation. Returns: the first outcome that is not clean, or "".
  std::string UseEverything() {
    std::string wrong;
    const auto note = [&](const std::string& what, const Status& status) {
      const StatusCode code = status.code();
      const bool clean = status.ok() || IsCleanRefusal(code) || code == StatusCode::kNotFound ||
                         code == StatusCode::kExpired || code == StatusCode::kAlreadyExists;
      if (!clean) wrong += what + ": " + status.ToString() + "\n";
    };
    for (size_t i = 0; const Answer& answer : AskStore(Store())) {
      note("question " + std::to_string(i++), answer.status);
    }
    const std::string lines = dir_ / "out.jsonl";
    const auto database = Database::Open(Store());
    note("open", database ? Status::Ok() : database.error());
    if (!database) return wrong;
    ExportRequest out;
    out.out_path = lines;
    const Status exported = internal::ToStatus((*database)->Export(out));
    note("export", exported);
    WriteDoc("a2.md", 4, 60);
    WriteDoc("a1.md", 5, 60);
    note("add", AddAll());
    RemoveRequest filtered;
    filtered.scope.filter = "doc.tag = 'red' AND chunk.text LIKE '%alpha%' AND doc.size > 300";
    note("rm --filter", internal::ToStatus((*database)->Remove(filtered)));
    RemoveRequest remove;
    remove.targets = {dir_ / "docs/a2.md"};
    note("rm", internal::ToStatus((*database)->Remove(remove)));
    if (exported.ok()) {
      ImportRequest in;
      in.path = lines;
      note("import", internal::ToStatus((*database)->Import(in)));
    }
    note("compact", internal::ToStatus((*database)->Compact({.keep_nanos = 0})));
    for (size_t i = 0; const Answer& answer : AskStore(Store())) {
      note("later, question " + std::to_string(i++), answer.status);
    }
    return wrong;
  }

  // Runs `work` in a process limited to 1 GB of memory and twenty seconds.
  static ChildOutcome Guarded(const std::function<std::string()>& work) {
    return RunInChild([&] {
      LimitMemory(uint64_t{1} << 30);
      ::alarm(20);
      return work();
    });
  }

  TempDir dir_;
};

TEST_F(ForeignSchemaTest, EverythingEndsCleanly) {
  const ChildOutcome filled = RunInChild([&] { return Fill().ToString(); });
  ASSERT_EQ(filled.output, Status().ToString());
  const FileBytes whole = ReadFiles(Store());
  for (const Tampering& tampering : Tamperings()) {
    SCOPED_TRACE(tampering.name);
    WriteFiles(Store(), whole);
    WriteDoc("a1.md", 3, 40);
    std::filesystem::remove(dir_ / "docs/a2.md");
    const ChildOutcome outcome = Guarded([&]() -> std::string {
      {
        auto sql = PlainSql::OpenSealing(Store());
        if (const Status done = sql->Run(tampering.sql); !done.ok()) return done.ToString();
      }
      return UseEverything();
    });
    EXPECT_EQ(outcome.exit_code, 0) << Describe(outcome);
    EXPECT_EQ(outcome.output, "");
  }
}

TEST_F(ForeignSchemaTest, TriggersOfTheFileNeverRun) {
  const ChildOutcome outcome = Guarded([&]() -> std::string {
    if (const Status filled = Fill(); !filled.ok()) return filled.ToString();
    {
      auto sql = PlainSql::OpenSealing(Store());
      const Status made = sql->Run(
          "CREATE TABLE spy(n); CREATE TRIGGER t1 AFTER INSERT ON doc BEGIN INSERT INTO spy "
          "VALUES(1); END; CREATE TRIGGER t2 AFTER UPDATE ON doc BEGIN INSERT INTO spy VALUES(2); "
          "END; CREATE TRIGGER t3 AFTER DELETE ON doc BEGIN INSERT INTO spy VALUES(3); END;");
      if (!made.ok()) return made.ToString();
    }
    const std::string used = UseEverything();
    if (!used.empty()) return used;
    auto sql = PlainSql::OpenSealing(Store());
    return sql->Value("SELECT count(*) FROM spy").value_or("?");
  });
  EXPECT_EQ(outcome.output, "0");
}

// Each pointer of a segment's overflow page chain is set to a wrong page: itself, the first page,
// or a missing one.
TEST_F(ForeignSchemaTest, ChainsThatLeadNowhereAreFound) {
  const ChildOutcome filled = RunInChild([&] { return Fill().ToString(); });
  ASSERT_EQ(filled.output, Status().ToString());
  const FileBytes whole = ReadFiles(Store());
  constexpr size_t kPage = 65536;
  size_t chained = 0;
  for (size_t page = 0; (page + 1) * kPage <= whole.at("").size(); ++page) {
    if (whole.at("").compare(page * kPage + 4, 4, "RVPG") != 0) continue;
    ++chained;
    for (const size_t target : {page + 1, size_t{1}, size_t{2}, size_t{0x7fffffff}, size_t{0}}) {
      FileBytes files = whole;
      for (size_t i = 0; i < 4; ++i) {
        files[""][page * kPage + i] = static_cast<char>((target >> (8 * (3 - i))) & 0xff);
      }
      WriteFiles(Store(), files);
      SCOPED_TRACE("page " + std::to_string(page + 1) + " to " + std::to_string(target));
      const ChildOutcome outcome = Guarded([&] { return UseEverything(); });
      EXPECT_EQ(outcome.exit_code, 0) << Describe(outcome);
      EXPECT_EQ(outcome.output, "");
    }
  }
  EXPECT_GT(chained, 3u);
}

}  // namespace
}  // namespace recall
