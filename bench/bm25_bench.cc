// bm25_bench [--small] [--repeats N] [--chunks N] DIR...
//
// Compares the top 10 chunks for one word that occurs in about 10 % of the chunks: FTS5's own
// `ORDER BY rank LIMIT 10` on a plain table, and SearchLexical on a store with the same chunks and
// tokens, before and after posting lists are precomputed. Then the same for queries of four words,
// each of which occurs in 10 %, 3 % or 30 % of the chunks. Prints medians and ratios.

#include <sqlite3.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#include "bench/bench_util.h"
#include "index/base/paths/doc_path.h"
#include "index/base/text/tokenizer.h"
#include "index/search/lexical/lexical_index.h"
#include "index/search/vector/vector_writer.h"
#include "index/source/chunk/chunker.h"
#include "index/write/derived/posting_list_builder.h"
#include "index/write/ingest/text_file.h"
#include "index/write/ingest/walker.h"
#include "storage/fts5/fts_index.h"
#include "storage/sqlite/connection.h"
#include "storage/store/store.h"

namespace recall {
namespace {

constexpr size_t kMaxChunks = 100'000;  // unless --chunks is given
constexpr size_t kSmallChunks = 2'000;
constexpr size_t kWords = 24;

void MustBeOk(const Status& status) {
  if (!status.ok()) Die(status.ToString());
}

template <typename T>
T Take(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return std::move(result).value();
}

// The plain FTS5 table and the store, filled with the same tokens.
class Tables final {
 public:
  explicit Tables(const std::string& directory)
      : store_(Take(Store::Create(directory + "/recall.db", {.dim = 64}))),
        space_(64, store_->settings().signature_seed) {
    if (sqlite3_open((directory + "/plain.db").c_str(), &plain_) != SQLITE_OK) Die("open plain.db");
    RunPlain(
        "PRAGMA page_size=65536; PRAGMA journal_mode=WAL; PRAGMA cache_size=-65536;"
        "CREATE VIRTUAL TABLE f USING fts5(body, content='', tokenize='ascii')");
  }
  ~Tables() {
    sqlite3_finalize(search_plain_);
    sqlite3_close(plain_);
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  void Fill(const std::vector<std::string>& directories, size_t most_chunks) {
    const auto transaction = Take(store_->BeginWrite());
    RunPlain("BEGIN");
    sqlite3_prepare_v2(plain_, "INSERT INTO f(rowid, body) VALUES (?1, ?2)", -1, &insert_plain_,
                       nullptr);
    for (const FoundFile& file : FindFiles(directories, "/", {}).files) {
      if (chunks_.size() >= most_chunks) break;
      const auto text = ReadTextFile(FilePathOf(file.doc_path, "/"), 64 << 20);
      if (text) AddFile(*transaction, file.doc_path, *text);
    }
    sqlite3_finalize(insert_plain_);
    RunPlain("COMMIT; INSERT INTO f(f) VALUES ('optimize')");
    MustBeOk(AppendVectors(*transaction, space_, chunks_));
    MustBeOk(transaction->Commit());
    MustBeOk(transaction->connection().Execute("INSERT INTO lexicon(lexicon) VALUES ('optimize')"));
  }

  void Open() {
    before_store_ = Take(Store::Open(store_->path(), {.read_only = true}));
    before_ = Look(*before_store_);
    const std::atomic<bool> go_on = false;
    const double start = Now();
    MustBeOk(BuildPostingListsIfDue(*store_, go_on, {.chunks_from = 1}));
    seconds_making_ready_ = Now() - start;
    ready_ = Look(*store_);
    sqlite3_prepare_v2(plain_, "SELECT rowid, rank FROM f WHERE f MATCH ?1 ORDER BY rank LIMIT 10",
                       -1, &search_plain_, nullptr);
  }

  size_t chunks() const { return chunks_.size(); }
  double text_bytes() const { return text_bytes_; }
  double seconds_making_ready() const { return seconds_making_ready_; }

  // The kWords words whose share of the chunks is nearest to `share`.
  std::vector<std::string> WordsOf(double share) const {
    const double wanted = static_cast<double>(chunks_.size()) * share;
    std::vector<std::pair<double, std::string>> distances;
    for (const auto& [word, seen] : words_) {
      if (word.size() > 2) distances.emplace_back(std::abs(seen.chunks - wanted), word);
    }
    std::sort(distances.begin(), distances.end());
    std::vector<std::string> common;
    for (size_t i = 0; i < std::min(distances.size(), kWords); ++i) {
      common.push_back(distances[i].second);
    }
    return common;
  }

  double SecondsPlain(const std::vector<std::string>& words) {
    std::string match;
    for (const std::string& word : words) match += (match.empty() ? "\"" : " OR \"") + word + '"';
    const double start = Now();
    sqlite3_bind_text(search_plain_, 1, match.c_str(), -1, SQLITE_STATIC);
    while (sqlite3_step(search_plain_) == SQLITE_ROW)
      sink_ += sqlite3_column_double(search_plain_, 1);
    sqlite3_reset(search_plain_);
    return Now() - start;
  }

  double SecondsOurs(const std::vector<std::string>& words, bool ready, uint64_t* matches) {
    const View& view = ready ? ready_ : before_;
    LexicalQuery query;
    for (const std::string& word : words) {
      query.clauses.push_back({LexicalClause::Occur::kShould, {{{word}, false}}, 1, word});
    }
    const double start = Now();
    const LexicalScores scores = Take(
        SearchLexical(*view.transaction, view.transaction->counts(), *view.columns, query, {}));
    for (const RetrieverHit& hit : scores.Top(10)) sink_ += hit.score;
    *matches = scores.matches();
    return Now() - start;
  }

 private:
  struct View {
    std::unique_ptr<ReadTransaction> transaction;
    std::unique_ptr<ChunkColumns> columns;
  };
  View Look(Store& store) const {
    View view{Take(store.BeginRead()), nullptr};
    view.columns = Take(ChunkColumns::Open(*view.transaction, space_));
    return view;
  }

  struct Seen {
    double chunks = 0;
    uint32_t last = 0;
  };

  void RunPlain(const char* sql) {
    char* error = nullptr;
    if (sqlite3_exec(plain_, sql, nullptr, nullptr, &error) != SQLITE_OK) Die(error);
  }

  void AddFile(WriteTransaction& transaction, const std::string& path, const std::string& text) {
    const auto spans = ChunkText(text, ResolveParser(Parser::kAuto, path), {});
    uint32_t row = Take(transaction.AllocateChunkRows(static_cast<uint32_t>(spans.size())));
    for (const ChunkSpan& span : spans) {
      const auto chunk =
          std::string_view(text).substr(span.start_byte, span.end_byte - span.start_byte);
      text_bytes_ += static_cast<double>(chunk.size());
      tokenizer_.Analyze("", chunk, &lexical_);
      AddChunk(transaction, row++);
    }
  }

  void AddChunk(WriteTransaction& transaction, uint32_t row) {
    MustBeOk(InsertFtsRow(transaction.connection(), row, lexical_.body, lexical_.compound));
    sqlite3_bind_int64(insert_plain_, 1, row);
    sqlite3_bind_text(insert_plain_, 2, lexical_.body.c_str(), -1, SQLITE_STATIC);
    if (sqlite3_step(insert_plain_) != SQLITE_DONE) Die(sqlite3_errmsg(plain_));
    sqlite3_reset(insert_plain_);
    chunks_.push_back({row, lexical_.tokens, 1, space_.Quantize(std::vector<float>(64))});
    ++transaction.mutable_counts().chunks;
    transaction.mutable_counts().lexical_tokens += lexical_.tokens;
    for (size_t begin = 0, end; begin < lexical_.body.size(); begin = end + 1) {
      end = std::min(lexical_.body.find(' ', begin), lexical_.body.size());
      Seen& seen = words_[lexical_.body.substr(begin, end - begin)];
      seen.chunks += seen.last != row + 1;
      seen.last = row + 1;
    }
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<Store> before_store_;
  VectorSpace space_;
  Tokenizer tokenizer_;
  LexicalText lexical_;
  std::vector<ChunkVector> chunks_;
  std::unordered_map<std::string, Seen> words_;
  double text_bytes_ = 0;
  sqlite3* plain_ = nullptr;
  sqlite3_stmt* insert_plain_ = nullptr;
  sqlite3_stmt* search_plain_ = nullptr;
  View before_;
  View ready_;
  double seconds_making_ready_ = 0;
  double sink_ = 0;
};

// Runs queries of `size` words each. The three ways take turns, so that noise affects all alike.
void Compare(Tables& tables, double share, size_t size, int repeats) {
  const std::vector<std::string> words = tables.WordsOf(share);
  std::vector<double> plain, ours, ready, ratios, gains;
  uint64_t matches = 0;
  std::vector<double> found;
  for (size_t first = 0; first + size <= words.size(); first += size) {
    const std::vector<std::string> query(words.begin() + static_cast<ptrdiff_t>(first),
                                         words.begin() + static_cast<ptrdiff_t>(first + size));
    std::vector<double> plain_times, our_times, ready_times;
    for (int i = 0; i < repeats; ++i) {
      plain_times.push_back(tables.SecondsPlain(query));
      our_times.push_back(tables.SecondsOurs(query, false, &matches));
      ready_times.push_back(tables.SecondsOurs(query, true, &matches));
    }
    plain.push_back(Median(plain_times));
    ours.push_back(Median(our_times));
    ready.push_back(Median(ready_times));
    ratios.push_back(plain.back() / ready.back());
    gains.push_back(ours.back() / ready.back());
    found.push_back(static_cast<double>(matches));
  }
  std::printf("| %zu | %.0f %% | %.0f | %.2f | %.2f | %.2f | %.1f | %.1f | %.1f |\n", size,
              share * 100, Median(found), Median(plain) * 1e3, Median(ours) * 1e3,
              Median(ready) * 1e3, Median(gains), Median(ratios),
              *std::min_element(ratios.begin(), ratios.end()));
}

void Run(const BenchArgs& args, size_t most_chunks) {
  const ScratchDir scratch;
  Tables tables(scratch.path());
  tables.Fill(args.rest, args.small ? kSmallChunks : most_chunks);
  if (tables.chunks() == 0) Die("no text in the given directories");
  tables.Open();
  std::printf("%zu chunks, %.0f MB of text; posting lists made in %.1f s\n\n", tables.chunks(),
              tables.text_bytes() / 1e6, tables.seconds_making_ready());
  std::printf(
      "| words | each in | matches | FTS5 ORDER BY rank, ms | from the index, ms | from posting "
      "lists, ms | speed-up | speed-up over FTS5 | minimum |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  Compare(tables, 0.1, 1, 2 * args.repeats + 1);
  Compare(tables, 0.1, 4, 2 * args.repeats + 1);
  Compare(tables, 0.03, 4, 2 * args.repeats + 1);
  Compare(tables, 0.3, 4, 2 * args.repeats + 1);
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  recall::BenchArgs args = recall::ParseBenchArgs(argc, argv);
  size_t most_chunks = recall::kMaxChunks;
  if (args.rest.size() > 1 && args.rest[0] == "--chunks") {
    most_chunks = std::strtoull(args.rest[1].c_str(), nullptr, 10);
    args.rest.erase(args.rest.begin(), args.rest.begin() + 2);
  }
  if (args.rest.empty() || most_chunks == 0) {
    recall::Die("usage: bm25_bench [--small] [--repeats N] [--chunks N] DIR...");
  }
  recall::Run(args, most_chunks);
}
