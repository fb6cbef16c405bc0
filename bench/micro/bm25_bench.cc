// The top 10 chunks for words that each occur in a given share of the chunks: by FTS5's own
// `ORDER BY rank LIMIT 10` on a plain table; and by SearchLexical on a store with the same chunks
// and tokens, before and after posting lists are precomputed. All three find the same number of
// chunks, and the last two the same ten, which is checked.

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <unordered_map>

#include "bench/micro/made_text.h"
#include "bench/micro/micro.h"
#include "index/base/text/tokenizer.h"
#include "index/search/lexical/lexical_index.h"
#include "index/search/vector/vector_writer.h"
#include "index/source/chunk/chunker.h"
#include "index/write/derived/posting_list_builder.h"
#include "storage/fts5/fts_index.h"
#include "storage/sqlite/connection.h"
#include "storage/store/store.h"

namespace recall {
namespace {

constexpr size_t kWords = 24;  // of one share
constexpr uint32_t kNoDim = 64;

// What is searched, and the words to search for.
class Corpus final {
 public:
  Corpus()
      : store_(Get(Store::Create(scratch_.path() + "/recall.db", {.dim = kNoDim}))),
        space_(kNoDim, store_->settings().signature_seed) {
    const std::string path = scratch_.path() + "/plain.db";
    Check(sqlite3_open(path.c_str(), &plain_) == SQLITE_OK, "cannot open " + path);
    Plain(
        "PRAGMA page_size=65536; PRAGMA journal_mode=WAL; PRAGMA cache_size=-65536;"
        "CREATE VIRTUAL TABLE f USING fts5(body, content='', tokenize='ascii')");
    Fill();
    before_store_ = Get(Store::Open(store_->path(), {.read_only = true}));
    before_ = Look(*before_store_);
    const std::atomic<bool> go_on = false;
    Must(BuildPostingListsIfDue(*store_, go_on, {.chunks_from = 1}));
    ready_ = Look(*store_);
    sqlite3_prepare_v2(plain_, "SELECT rowid FROM f WHERE f MATCH ?1 ORDER BY rank LIMIT 10", -1,
                       &search_, nullptr);
  }
  ~Corpus() {
    sqlite3_finalize(search_);
    sqlite3_close(plain_);
  }
  Corpus(const Corpus&) = delete;
  Corpus& operator=(const Corpus&) = delete;

  // Queries of `size` words each, of those whose share of the chunks is nearest to `share`.
  std::vector<std::vector<std::string>> Queries(double share, size_t size) const {
    const double wanted = static_cast<double>(chunks_.size()) * share;
    std::vector<std::pair<double, std::string>> distances;
    for (const auto& [word, seen] : words_) {
      if (word.size() > 2) distances.emplace_back(std::abs(seen.chunks - wanted), word);
    }
    std::sort(distances.begin(), distances.end());
    std::vector<std::vector<std::string>> queries;
    for (size_t first = 0; first + size <= std::min(distances.size(), kWords); first += size) {
      queries.emplace_back();
      for (size_t i = 0; i < size; ++i) queries.back().push_back(distances[first + i].second);
    }
    Check(!queries.empty(), "too few words");
    return queries;
  }

  size_t AskFts5(const std::vector<std::string>& words) {
    std::string match;
    for (const std::string& word : words) match += (match.empty() ? "\"" : " OR \"") + word + '"';
    sqlite3_bind_text(search_, 1, match.c_str(), -1, SQLITE_STATIC);
    size_t rows = 0;
    while (sqlite3_step(search_) == SQLITE_ROW) ++rows;
    sqlite3_reset(search_);
    return rows;
  }

  LexicalScores Ask(const std::vector<std::string>& words, bool ready) const {
    const View& view = ready ? ready_ : before_;
    LexicalQuery query;
    for (const std::string& word : words) {
      query.clauses.push_back({LexicalClause::Occur::kShould, {{{word}, false}}, 1, word});
    }
    return Get(
        SearchLexical(*view.transaction, view.transaction->counts(), *view.columns, query, {}));
  }

 private:
  struct View {
    std::unique_ptr<ReadTransaction> transaction;
    std::unique_ptr<ChunkColumns> columns;
  };
  struct Seen {
    double chunks = 0;
    uint32_t last = 0;
  };

  View Look(Store& store) const {
    View view{Get(store.BeginRead()), nullptr};
    view.columns = Get(ChunkColumns::Open(*view.transaction, space_));
    return view;
  }

  void Plain(const char* sql) {
    char* error = nullptr;
    if (sqlite3_exec(plain_, sql, nullptr, nullptr, &error) != SQLITE_OK) Die(error);
  }

  void Fill() {
    const auto transaction = Get(store_->BeginWrite());
    Plain("BEGIN");
    sqlite3_stmt* insert = nullptr;
    sqlite3_prepare_v2(plain_, "INSERT INTO f(rowid, body) VALUES (?1, ?2)", -1, &insert, nullptr);
    ForEachText([&](const std::string& text) {
      for (const ChunkSpan& span : ChunkText(text, Parser::kMarkdown, {})) {
        const auto chunk =
            std::string_view(text).substr(span.start_byte, span.end_byte - span.start_byte);
        tokenizer_.Analyze("", chunk, &lexical_);
        AddChunk(*transaction, insert);
      }
      return chunks_.size() < Options().chunks;
    });
    sqlite3_finalize(insert);
    Plain("COMMIT; INSERT INTO f(f) VALUES ('optimize')");
    Must(AppendVectors(*transaction, space_, chunks_));
    Must(transaction->Commit());
    Must(transaction->connection().Execute("INSERT INTO lexicon(lexicon) VALUES ('optimize')"));
  }

  void AddChunk(WriteTransaction& transaction, sqlite3_stmt* insert) {
    const uint32_t row = Get(transaction.AllocateChunkRows(1));
    Must(InsertFtsRow(transaction.connection(), row, lexical_.body, lexical_.compound));
    sqlite3_bind_int64(insert, 1, row);
    sqlite3_bind_text(insert, 2, lexical_.body.c_str(), -1, SQLITE_STATIC);
    if (sqlite3_step(insert) != SQLITE_DONE) Die(sqlite3_errmsg(plain_));
    sqlite3_reset(insert);
    chunks_.push_back({row, lexical_.tokens, 1, space_.Quantize(std::vector<float>(kNoDim))});
    ++transaction.mutable_counts().chunks;
    transaction.mutable_counts().lexical_tokens += lexical_.tokens;
    for (size_t begin = 0, end; begin < lexical_.body.size(); begin = end + 1) {
      end = std::min(lexical_.body.find(' ', begin), lexical_.body.size());
      Seen& seen = words_[lexical_.body.substr(begin, end - begin)];
      seen.chunks += seen.last != row + 1;
      seen.last = row + 1;
    }
  }

  ScratchDir scratch_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Store> before_store_;
  VectorSpace space_;
  Tokenizer tokenizer_;
  LexicalText lexical_;
  std::vector<ChunkVector> chunks_;
  std::unordered_map<std::string, Seen> words_;
  sqlite3* plain_ = nullptr;
  sqlite3_stmt* search_ = nullptr;
  View before_;
  View ready_;
};

Corpus& TheCorpus() {
  static Corpus corpus;
  return corpus;
}

bool SameHits(const std::vector<RetrieverHit>& a, const std::vector<RetrieverHit>& b) {
  return std::ranges::equal(a, b, [](const RetrieverHit& x, const RetrieverHit& y) {
    return x.chunk == y.chunk && x.score == y.score;
  });
}

enum class Way { kFts5, kFromIndex, kFromPostingLists };

// An item is a query.
void Bm25(benchmark::State& state, Way way) {
  Corpus& corpus = TheCorpus();
  const auto queries = corpus.Queries(static_cast<double>(state.range(1)) / 100,
                                      static_cast<size_t>(state.range(0)));
  double matches = 0;
  for (const auto& query : queries) {
    const LexicalScores ready = corpus.Ask(query, true);
    const LexicalScores before = corpus.Ask(query, false);
    Check(ready.matches() == before.matches() && SameHits(ready.Top(10), before.Top(10)),
          "posting lists give other results than the index");
    Check(corpus.AskFts5(query) == std::min<uint64_t>(10, ready.matches()),
          "FTS5 gives other results");
    matches += static_cast<double>(ready.matches());
  }
  const KernelCounts counts(state);
  for (auto _ : state) {
    for (const auto& query : queries) {
      if (way == Way::kFts5) {
        benchmark::DoNotOptimize(corpus.AskFts5(query));
      } else {
        benchmark::DoNotOptimize(corpus.Ask(query, way == Way::kFromPostingLists).Top(10));
      }
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(queries.size()));
  state.counters["matches"] = matches / static_cast<double>(queries.size());
}

void Shares(benchmark::internal::Benchmark* bench) {
  bench->ArgNames({"words", "percent"})->Unit(benchmark::kMicrosecond);
  for (const auto& [words, percent] : {std::pair(1, 10), {4, 3}, {4, 10}, {4, 30}}) {
    bench->Args({words, percent});
  }
}
BENCHMARK_CAPTURE(Bm25, fts5, Way::kFts5)->Name("bm25/fts5_order_by_rank")->Apply(Shares);
BENCHMARK_CAPTURE(Bm25, index, Way::kFromIndex)->Name("bm25/from_index")->Apply(Shares);
BENCHMARK_CAPTURE(Bm25, lists, Way::kFromPostingLists)
    ->Name("bm25/from_posting_lists")
    ->Apply(Shares);

}  // namespace
}  // namespace recall
