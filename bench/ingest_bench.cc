// ingest_bench [--small] [--threads N] DIR...
//
// Compares a full ingest (walk, read, chunk, embed, full-text index, vectors, commit) with SQLite's
// FTS5 alone, which indexes the same chunks in one thread. All of them write a file on disk. FTS5
// runs with SQLite's defaults, and with the pragmas that Recall sets, which make it faster; also
// with stems, as Recall's index has them. Prints rates, their ratio and the peak memory of the
// ingest.
//
// The ingest runs in a child process, so that its peak memory is measured alone.

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/bench_util.h"
#include "index/base/paths/doc_path.h"
#include "index/base/text/tokenizer.h"
#include "index/source/chunk/chunker.h"
#include "index/write/ingest/text_file.h"
#include "index/write/ingest/walker.h"
#include "query/database/database.h"
#include "storage/fts5/fts_batch.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

struct Corpus {
  std::vector<std::string> chunks;
  int64_t text_bytes = 0;   // of all documents
  int64_t chunk_bytes = 0;  // of all chunks; overlaps count twice
  size_t files = 0;
};

Corpus LoadChunks(const std::vector<std::string>& roots) {
  Corpus corpus;
  for (const FoundFile& file : FindFiles(roots, "/", {}).files) {
    const auto text = ReadTextFile(FilePathOf(file.doc_path, "/"), 512 << 20);
    if (!text) continue;
    ++corpus.files;
    corpus.text_bytes += static_cast<int64_t>(text->size());
    const Parser parser = ResolveParser(Parser::kAuto, file.doc_path);
    for (const ChunkSpan& span : ChunkText(*text, parser, {})) {
      corpus.chunks.push_back(text->substr(span.start_byte, span.end_byte - span.start_byte));
      corpus.chunk_bytes += static_cast<int64_t>(corpus.chunks.back().size());
    }
  }
  return corpus;
}

void Run(sqlite3* db, const char* sql) {
  char* error = nullptr;
  if (sqlite3_exec(db, sql, nullptr, nullptr, &error) != SQLITE_OK) Die(error);
}

constexpr const char* kOurPragmas =
    "PRAGMA page_size=65536; PRAGMA journal_mode=WAL; PRAGMA cache_size=-65536";

sqlite3* OpenFts5(const std::string& directory, const char* pragmas, const char* create) {
  const std::string path = directory + "/fts5.db";
  std::filesystem::remove(path);
  sqlite3* db = nullptr;
  if (sqlite3_open(path.c_str(), &db) != SQLITE_OK) Die("open");
  Run(db, pragmas);
  Run(db, create);
  return db;
}

// Seconds to index the chunks with FTS5 and nothing else.
double TimeFts5(const Corpus& corpus, const std::string& directory, const char* pragmas,
                const char* create) {
  sqlite3* db = OpenFts5(directory, pragmas, create);
  const double start = Now();
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(db, "INSERT INTO f(rowid, t) VALUES (?, ?)", -1, &insert, nullptr);
  Run(db, "BEGIN");
  for (size_t i = 0; i < corpus.chunks.size(); ++i) {
    const std::string& chunk = corpus.chunks[i];
    sqlite3_bind_int64(insert, 1, static_cast<int64_t>(i) + 1);
    sqlite3_bind_text(insert, 2, chunk.data(), static_cast<int>(chunk.size()), SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) Die(sqlite3_errmsg(db));
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  Run(db, "COMMIT");
  sqlite3_close(db);
  return Now() - start;
}

// The ways to pass our tokens to FTS5 (decisions 0001, 0025): FTS5 calls our tokenizer in the
// single writing thread; or any thread tokenises beforehand and a built-in tokenizer splits the
// result again; or any thread encodes posting lists, which are written as runs of the index.
struct LexiconCost {
  double analyze_seconds = 0;  // in one thread
  double insert_seconds = 0;
};
struct RunsCost {
  double encode_seconds = 0;  // in one thread, after the analysis
  double write_seconds = 0;
};

LexiconCost TimeLexicon(const Corpus& corpus, const std::string& directory) {
  sqlite3* db = OpenFts5(directory, kOurPragmas,
                         "CREATE VIRTUAL TABLE f USING fts5(body, compound, content='', "
                         "columnsize=0, tokenize='ascii')");
  Run(db, "INSERT INTO f(f, rank) VALUES('hashsize', 16777216); BEGIN");
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(db, "INSERT INTO f(rowid, body, compound) VALUES (?, ?, ?)", -1, &insert,
                     nullptr);
  LexiconCost cost;
  Tokenizer tokenizer;
  LexicalText text;
  const auto bind = [insert](int parameter, const std::string& value) {
    sqlite3_bind_text(insert, parameter, value.data(), static_cast<int>(value.size()),
                      SQLITE_STATIC);
  };
  for (size_t i = 0; i < corpus.chunks.size(); ++i) {
    const double start = Now();
    tokenizer.Analyze("", corpus.chunks[i], &text);
    const double analyzed = Now();
    sqlite3_bind_int64(insert, 1, static_cast<int64_t>(i) + 1);
    bind(2, text.body);
    bind(3, text.compound);
    if (sqlite3_step(insert) != SQLITE_DONE) Die(sqlite3_errmsg(db));
    sqlite3_reset(insert);
    cost.analyze_seconds += analyzed - start;
    cost.insert_seconds += Now() - analyzed;
  }
  sqlite3_finalize(insert);
  const double start = Now();
  Run(db, "COMMIT");
  sqlite3_close(db);
  cost.insert_seconds += Now() - start;
  return cost;
}

void MustBeOk(const Status& status) {
  if (!status.ok()) Die(std::string(status.message()));
}

RunsCost TimeRuns(const Corpus& corpus, const std::string& directory) {
  constexpr size_t kRowsAtATime = 64;
  constexpr size_t kBatchBytes = 16 << 20;  // equals FTS5's `hashsize` above
  const std::string path = directory + "/runs.db";
  std::filesystem::remove(path);
  const auto opened = Connection::Open(path, {.mode = ConnectionMode::kCreate});
  if (!opened) Die(std::string(opened.error().message()));
  const std::unique_ptr<Connection>& connection = *opened;
  MustBeOk(MigrateSchema(*connection));
  MustBeOk(connection->BeginImmediate());
  RunsCost cost;
  Tokenizer tokenizer;
  LexicalText text;
  FtsPostingsBuilder builder;
  FtsBatch batch;
  const size_t chunks = corpus.chunks.size();
  for (size_t first = 0; first < chunks; first += kRowsAtATime) {
    for (size_t i = first; i < std::min(first + kRowsAtATime, chunks); ++i) {
      tokenizer.Analyze("", corpus.chunks[i], &text);
      const double start = Now();
      builder.AddRow(text.body, text.compound);
      cost.encode_seconds += Now() - start;
    }
    const double start = Now();
    const FtsPostings postings = builder.Take();
    const double encoded = Now();
    batch.Add(static_cast<uint32_t>(first), postings);
    if (batch.bytes() >= kBatchBytes) MustBeOk(batch.Write(*connection));
    cost.encode_seconds += encoded - start;
    cost.write_seconds += Now() - encoded;
  }
  const double start = Now();
  MustBeOk(batch.Write(*connection));
  MustBeOk(connection->Execute("COMMIT"));
  cost.write_seconds += Now() - start;
  return cost;
}

struct IngestRun {
  double seconds = 0;
  double peak_mb = 0;
};

IngestRun TimeIngest(const std::vector<std::string>& roots, const std::string& directory,
                     uint32_t threads) {
  const std::string path = directory + "/recall.db";
  std::filesystem::remove(path);
  const double start = Now();
  const pid_t child = fork();
  if (child == 0) {
    auto database = Database::Create(path, {});
    if (!database) _exit(1);
    AddRequest request;
    request.paths = roots;
    request.threads = threads;
    request.ignore_files = false;
    const auto report = (*database)->Add(request);
    database->reset();
    _exit(report ? 0 : 1);
  }
  int status = 0;
  struct rusage usage {};
  wait4(child, &status, 0, &usage);
  if (status != 0) Die("ingest failed");
  return {Now() - start, static_cast<double>(usage.ru_maxrss) / 1024};
}

int Main(const BenchArgs& args) {
  const ScratchDir scratch;
  // The ingest runs first, so that the child process does not inherit the loaded corpus.
  std::vector<IngestRun> runs;
  for (int i = 0; i < args.repeats; ++i) {
    runs.push_back(TimeIngest(args.rest, scratch.path(), args.threads));
  }
  const Corpus corpus = LoadChunks(args.rest);
  const double mb = static_cast<double>(corpus.text_bytes) / 1e6;
  std::printf("corpus: %zu text files, %.1f MB, %zu chunks (%.1f MB)\n", corpus.files, mb,
              corpus.chunks.size(), static_cast<double>(corpus.chunk_bytes) / 1e6);
  struct Peer {
    const char* name;
    const char* pragmas;
    const char* sql;
  };
  const Peer peers[] = {
      {"FTS5, SQLite's defaults", "", "CREATE VIRTUAL TABLE f USING fts5(t)"},
      {"FTS5, our pragmas", kOurPragmas, "CREATE VIRTUAL TABLE f USING fts5(t)"},
      {"FTS5, ours, stems", kOurPragmas, "CREATE VIRTUAL TABLE f USING fts5(t, tokenize='porter')"},
      {"FTS5, ours, contentless", kOurPragmas, "CREATE VIRTUAL TABLE f USING fts5(t, content='')"}};
  std::vector<double> seconds;
  double peak = 0;
  for (const IngestRun& run : runs) {
    seconds.push_back(run.seconds);
    peak = std::max(peak, run.peak_mb);
  }
  const double ours = mb / Median(seconds);
  std::printf("%-26s %6.2f s  %6.1f MB/s  peak %.0f MB\n", "recall add, everything",
              Median(seconds), ours, peak);
  for (const Peer& peer : peers) {
    std::vector<double> times;
    for (int i = 0; i < args.repeats; ++i) {
      times.push_back(TimeFts5(corpus, scratch.path(), peer.pragmas, peer.sql));
    }
    const double theirs = mb / Median(times);
    std::printf("%-26s %6.2f s  %6.1f MB/s  recall/%s = %.2f\n", peer.name, Median(times), theirs,
                peer.name, ours / theirs);
  }
  const LexiconCost lexicon = TimeLexicon(corpus, scratch.path());
  const double both = lexicon.analyze_seconds + lexicon.insert_seconds;
  std::printf(
      "full-text index, in the writer: %.2f s with given tokens, %.2f s with tokenising (%.1fx)\n",
      lexicon.insert_seconds, both, both / lexicon.insert_seconds);
  const RunsCost runs_cost = TimeRuns(corpus, scratch.path());
  std::printf(
      "  %.2f s for runs written by Recall (%.2f of the former), encoded in %.2f s by other "
      "threads\n",
      runs_cost.write_seconds, runs_cost.write_seconds / lexicon.insert_seconds,
      runs_cost.encode_seconds);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(recall::ParseBenchArgs(argc, argv)); }
