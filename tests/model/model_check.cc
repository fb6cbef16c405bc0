#include "tests/model/model_check.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <random>
#include <set>
#include <sstream>
#include <utility>

#include "index/search/filter/filter.h"
#include "index/subword/token_estimate.h"
#include "query/ask/rows/views.h"
#include "query/rql/rql.h"
#include "tests/index/search/filter/random_filters.h"

namespace recall {
namespace {

// The tolerance for vectors with 8 bits per component.
constexpr double kCosineError = 0.02;
constexpr double kExact = 1e-9;

// ---- Words --------------------------------------------------------------------------------------

uint32_t CountPhrase(const std::vector<std::string>& words, const FtsPhrase& phrase) {
  uint32_t count = 0;
  const size_t length = phrase.tokens.size();
  for (size_t at = 0; at + length <= words.size(); ++at) {
    bool here = true;
    for (size_t i = 0; i < length && here; ++i) {
      const bool beginning = phrase.prefix && i + 1 == length;
      here = beginning ? words[at + i].starts_with(phrase.tokens[i])
                       : words[at + i] == phrase.tokens[i];
    }
    count += here ? 1 : 0;
  }
  return count;
}

uint32_t CountClause(const ModelChunk& chunk, const LexicalClause& clause) {
  uint32_t count = 0;
  for (const FtsPhrase& phrase : clause.any_of) {
    count += CountPhrase(chunk.body, phrase) + CountPhrase(chunk.compound, phrase);
  }
  return count;
}

// A chunk of the model with its scores for a query.
struct Scored {
  const ModelDoc* doc;
  const ModelChunk* chunk;
  bool allowed = true;   // by the filter
  bool matches = false;  // the lexical query
  bool barred = false;   // by +must or -not clauses
  double bm25 = 0;
  double cosine = 0;
};

class Comparison final {
 public:
  Comparison(Database& database, const ModelState& state, ModelBuilder& builder,
             std::string snapshot, uint64_t seed)
      : database_(database),
        state_(state),
        builder_(builder),
        snapshot_(std::move(snapshot)),
        random_(seed),
        filters_(seed ^ 77),
        docs_(state.ForOracle()) {}

  std::string Run() {
    CompareRows();
    for (const SearchMode mode :
         {SearchMode::kLexical, SearchMode::kSemantic, SearchMode::kHybrid}) {
      CompareSearch(mode);
    }
    CompareContext();
    if (snapshot_.empty()) {
      CompareGet();
      CompareStats();
    }
    return wrong_;
  }

 private:
  bool Chance(uint64_t n) { return random_() % n == 0; }
  void Wrong(const std::string& what) {
    if (wrong_.empty()) wrong_ = what;
  }
  // Reports an error in place of an answer. Returns: true if there is an answer.
  template <typename Answer>
  bool IsAnswered(const Result<Answer>& answer, const std::string& question) {
    if (!answer) Wrong(question + ": " + answer.error().ToString());
    return answer.has_value();
  }
  void Expect(bool holds, const std::string& what) {
    if (!holds) Wrong(what);
  }

  // A random valid filter, or "". found_ becomes the set that it selects in the model.
  std::string PickFilter(bool always) {
    found_ = {};
    if (!always && Chance(3)) return "";
    for (;;) {
      std::string text = filters_.Write(static_cast<int>(random_() % 3));
      const auto expr = ParseFilter(text);
      if (!expr || !CompiledFilter::Compile(*expr, 0)) continue;
      found_ = FilterNaively(docs_, *expr, 0);
      return text;
    }
  }

  // ---- Filters ----------------------------------------------------------------------------------

  void CompareRows() {
    const std::string filter = PickFilter(/*always=*/true);
    QueryRequest request;
    request.snapshot = snapshot_;
    request.as_of = 0;
    request.rql = "SELECT * FROM doc FILTER " + filter + " ORDER BY doc.path ASC LIMIT 100000";
    const auto docs = database_.Query(request);
    if (!IsAnswered(docs, request.rql)) return;
    std::string expected;
    for (const uint32_t row : found_.docs) expected += Describe(MakeDocView(docs_[row].doc));
    std::string got;
    for (const QueryRow& row : docs->rows) got += Describe(row.doc);
    Expect(got == expected, request.rql + " gives\n" + got + "instead of\n" + expected);

    request.rql = "SELECT * FROM chunk FILTER " + filter + " LIMIT 100000";
    const auto chunks = database_.Query(request);
    if (!IsAnswered(chunks, request.rql)) return;
    std::multiset<std::string> chunks_expected;
    const std::set<uint32_t> found(found_.chunks.begin(), found_.chunks.end());
    for (const OracleDoc& doc : docs_) {
      for (size_t i = 0; i < doc.chunks.size(); ++i) {
        if (!found.contains(doc.chunks[i].row)) continue;
        ChunkView view = MakeChunkView(doc.doc, doc.chunks[i]);
        view.text = doc.texts[i];
        chunks_expected.insert(Describe(view));
      }
    }
    std::multiset<std::string> chunks_got;
    for (const QueryRow& row : chunks->rows) chunks_got.insert(Describe(*row.chunk));
    Expect(chunks_got == chunks_expected,
           request.rql + ": " + std::to_string(chunks_got.size()) + " chunks, not " +
               std::to_string(chunks_expected.size()) + ", or others");
  }

  static std::string Describe(const DocView& doc) {
    std::ostringstream out;
    out << doc.id << ' ' << doc.path << ' ' << doc.mtime << ' ' << doc.tag.value_or("-") << ' '
        << doc.source.value_or("-") << ' ' << doc.meta_json.value_or("-") << ' ' << doc.parser
        << ' ' << doc.size << ' ' << doc.tokens << ' ' << doc.chunks << '\n';
    return out.str();
  }
  static std::string Describe(const ChunkView& chunk) {
    std::ostringstream out;
    out << chunk.id << ' ' << chunk.doc_id << ' ' << chunk.start_byte << '-' << chunk.end_byte
        << ' ' << chunk.start_line << '-' << chunk.end_line << ' ' << chunk.tokens << ' '
        << chunk.heading << ' ' << chunk.text << '\n';
    return out.str();
  }

  // ---- Rankings ---------------------------------------------------------------------------------

  std::string PickWord() {
    static const char* const kWords[] = {"alpha", "beta", "gamma",  "iota",   "omega", "memory",
                                         "file",  "eta",  "search", "vector", "bug",   "absent"};
    return kWords[random_() % std::size(kWords)];
  }

  std::string PickText() {
    std::string text;
    for (uint64_t i = 1 + random_() % 3; i > 0; --i) {
      const std::string word = PickWord();
      switch (random_() % 8) {
        case 0:
          text += "\"" + word + " " + PickWord() + "\" ";
          break;
        case 1:
          text += word.substr(0, 3) + "* ";
          break;
        case 2:
          text += "+" + word + " ";
          break;
        case 3:
          text += "-" + word + " ";
          break;
        default:
          text += word + " ";
      }
    }
    return text;
  }

  // All chunks of the model with their scores. Also sets score_upper_bound_.
  std::vector<Scored> Score(const std::string& text, bool filtered) {
    const LexicalQuery query = builder_.Parse(text);
    const auto vector = builder_.Embed(text);
    const ModelState::Counts counts = state_.Count();
    const auto n = static_cast<double>(counts.chunks);
    const double average = counts.chunks > 0 && counts.lexical_tokens > 0
                               ? static_cast<double>(counts.lexical_tokens) / n
                               : 1;
    std::vector<Scored> all;
    uint32_t row = 0;
    const std::set<uint32_t> found(found_.chunks.begin(), found_.chunks.end());
    for (const auto& [path, doc] : state_.docs()) {
      for (const ModelChunk& chunk : doc->chunks) {
        Scored scored{doc.get(), &chunk};
        scored.allowed = !filtered || found.contains(row++);
        for (size_t i = 0; i < chunk.vector.size(); ++i) {
          scored.cosine += static_cast<double>(chunk.vector[i]) * static_cast<double>((*vector)[i]);
        }
        all.push_back(scored);
      }
    }
    using Occur = LexicalClause::Occur;
    std::vector<bool> any_should(all.size(), false);
    bool has_must = false;
    score_upper_bound_ = 0;
    for (const LexicalClause& clause : query.clauses) {
      double df = 0;
      for (const Scored& scored : all) df += CountClause(*scored.chunk, clause) > 0 ? 1 : 0;
      const double weight = clause.count * std::log(1 + (n - df + 0.5) / (df + 0.5)) * 2.5;
      if (clause.occur != Occur::kMustNot) score_upper_bound_ += weight;
      has_must |= clause.occur == Occur::kMust;
      for (size_t i = 0; i < all.size(); ++i) {
        const double tf = CountClause(*all[i].chunk, clause);
        if (clause.occur == Occur::kMustNot) {
          all[i].barred |= tf > 0;
          continue;
        }
        if (clause.occur == Occur::kMust) all[i].barred |= tf == 0;
        if (clause.occur == Occur::kShould) any_should[i] = any_should[i] || tf > 0;
        const double length = all[i].chunk->lexical_tokens;
        all[i].bm25 += weight * tf / (tf + 1.5 * (0.25 + 0.75 * length / average));
      }
    }
    for (const PathWord& word : query.path_words) {
      LexicalClause clause;
      clause.any_of.push_back({{word.token}, false});
      double df = 0;
      for (const Scored& scored : all) df += CountClause(*scored.chunk, clause) > 0 ? 1 : 0;
      if (df == 0) continue;
      const double idf = std::log(1 + (n - df + 0.5) / (df + 0.5));
      const double weight = word.count * kPathWeight * idf * 2.5;
      score_upper_bound_ += weight;
      for (Scored& scored : all) {
        const double tf = CountClause(*scored.chunk, clause);
        const double length = scored.chunk->lexical_tokens;
        scored.bm25 += weight * tf / (tf + 1.5 * (0.25 + 0.75 * length / average));
      }
    }
    for (size_t i = 0; i < all.size(); ++i) {
      all[i].matches = !all[i].barred && (has_must || any_should[i]);
      if (!all[i].matches) all[i].bm25 = 0;
    }
    return all;
  }

  void CompareSearch(SearchMode mode) {
    SearchRequest request;
    request.scope.filter = PickFilter(/*always=*/false);
    request.scope.snapshot = snapshot_;
    request.scope.as_of = 0;
    request.mode = mode;
    request.k = 100'000;
    request.explain = true;
    request.exact = Chance(2);
    request.expand_words = false;  // the reference model knows no similar words
    request.identical = IdenticalChunks::kKeep;
    request.text = mode == SearchMode::kSemantic ? PickWord() + " " + PickWord() : PickText();
    const auto answer = database_.Search(request);
    const std::string question = "search " + request.text + " FILTER " + request.scope.filter;
    if (!IsAnswered(answer, question)) return;
    const std::vector<Scored> all = Score(request.text, !request.scope.filter.empty());
    CompareMembers(question, request.text, mode, all, *answer);
    CompareScores(question, mode, all, *answer);
    const ModelState::Counts counts = state_.Count();
    Expect(answer->store.docs == counts.docs && answer->store.chunks == counts.chunks &&
               answer->store.tokens == counts.tokens && answer->store.bytes == counts.bytes,
           question + ": counts of the store");
    Expect(answer->total_hits == static_cast<int64_t>(answer->hits.size()),
           question + ": total_hits");
  }

  // In a small store, chunks with n-grams like the query's may also be results. They share at least
  // three consecutive letters with it.
  bool MayBeLike(const std::string& text, const ModelChunk& chunk) const {
    if (state_.Count().chunks > 100) return false;
    std::string all = chunk.text;
    for (const std::string& token : chunk.body) all += " " + token;  // including the heading
    std::string asked = text;
    for (std::string* in : {&all, &asked}) {
      std::ranges::transform(*in, in->begin(), [](unsigned char c) { return std::tolower(c); });
    }
    for (size_t i = 0; i + 3 <= asked.size(); ++i) {
      const std::string run = asked.substr(i, 3);
      const bool letters = std::ranges::all_of(run, [](char c) { return c >= 'a' && c <= 'z'; });
      if (letters && all.find(run) != std::string::npos) return true;
    }
    return false;
  }

  // Checks which chunks are results. Near the floor of the semantic retriever both outcomes are
  // right.
  void CompareMembers(const std::string& question, const std::string& text, SearchMode mode,
                      const std::vector<Scored>& all, const SearchResponse& answer) {
    std::set<std::string> got;
    for (const SearchHit& hit : answer.hits) got.insert(hit.chunk.id);
    Expect(got.size() == answer.hits.size(), question + ": a chunk twice");
    size_t known = 0;
    for (const Scored& scored : all) {
      const bool in = got.contains(scored.chunk->id);
      known += in ? 1 : 0;
      const bool words = mode != SearchMode::kSemantic && scored.matches;
      const double floor = mode == SearchMode::kSemantic
                               ? 0
                               : 3 / std::sqrt(static_cast<double>(scored.chunk->vector.size()));
      const bool bar = mode == SearchMode::kHybrid && scored.barred;
      const bool near = std::abs(scored.cosine - floor) < kCosineError;
      const bool meaning = mode != SearchMode::kLexical && !bar && scored.cosine > floor;
      const bool either = mode != SearchMode::kLexical && !bar && !words && near;
      if (scored.allowed && either) continue;
      const bool small = mode == SearchMode::kHybrid && in && scored.allowed && !bar;
      if (small && MayBeLike(text, *scored.chunk)) continue;
      if (in != (scored.allowed && (words || meaning))) {
        return Wrong(question + (in ? ": found " : ": did not find ") + scored.doc->doc.path +
                     " at " + std::to_string(scored.chunk->row.start_byte) + ", cosine " +
                     std::to_string(scored.cosine) + ", BM25 " + std::to_string(scored.bm25));
      }
    }
    Expect(known == got.size(), question + ": a chunk that is not live");
  }

  void CompareScores(const std::string& question, SearchMode mode, const std::vector<Scored>& all,
                     const SearchResponse& answer) {
    std::map<std::string, const Scored*> by_id;
    for (const Scored& scored : all) by_id[scored.chunk->id] = &scored;
    double last = 2;
    std::pair<std::string, uint64_t> last_place;
    for (const SearchHit& hit : answer.hits) {
      const auto found = by_id.find(hit.chunk.id);
      if (found == by_id.end()) return Wrong(question + ": unknown chunk " + hit.chunk.id);
      const Scored& model = *found->second;
      const std::string where = question + ": " + hit.doc.path + ": ";
      Expect(Describe(hit.doc) == Describe(MakeDocView(model.doc->doc)), where + "the document");
      Expect(hit.chunk.text == model.chunk->text, where + "the text");
      if (mode == SearchMode::kLexical) {
        Expect(std::abs(hit.score - model.bm25 / score_upper_bound_) < kExact, where + "BM25");
      }
      if (mode == SearchMode::kSemantic) {
        Expect(std::abs(hit.score - model.cosine) < kCosineError, where + "cosine");
      }
      if (mode == SearchMode::kHybrid) CompareExplained(where, model, hit);
      const std::pair place(hit.doc.path, hit.chunk.start_byte);
      Expect(hit.score < last || (hit.score == last && last_place < place), where + "the order");
      last = hit.score;
      last_place = place;
    }
    if (mode == SearchMode::kHybrid) CompareFusion(question, answer);
  }

  void CompareExplained(const std::string& where, const Scored& model, const SearchHit& hit) {
    const double lexical = hit.explain->lexical.value_or(0);
    Expect(std::abs(lexical - (model.matches ? model.bm25 : 0)) < kExact, where + "BM25");
    const double semantic = hit.explain->semantic.value_or(model.cosine);
    Expect(std::abs(semantic - model.cosine) < kCosineError, where + "cosine");
  }

  // A score is the scaled sum of its parts. Inside the reranking window, and also below it, the
  // lexical part is proportional to BM25.
  void CompareFusion(const std::string& question, const SearchResponse& answer) {
    double before = 0;  // BM25 / lexical part of the previous hit in the same stage
    bool ngrams = false;
    for (const SearchHit& hit : answer.hits) {
      const HitExplain& explain = *hit.explain;
      const double sum = explain.parts.Sum();
      Expect(std::abs(hit.score - sum * answer.explain->calibration) < kExact,
             question + ": the sum");
      if (explain.ngrams.has_value() != ngrams) before = 0;
      ngrams = explain.ngrams.has_value();
      if (explain.lexical.value_or(0) <= 0) continue;
      const double ratio = *explain.lexical / explain.parts.lexical;
      Expect(before == 0 || std::abs(ratio / before - 1) < kExact, question + ": the words' part");
      before = ratio;
    }
  }

  // ---- Context, documents, counts ---------------------------------------------------------------

  void CompareContext() {
    ContextRequest request;
    request.search.scope.filter = PickFilter(/*always=*/false);
    request.search.scope.snapshot = snapshot_;
    request.search.scope.as_of = 0;
    request.search.text = PickWord() + " " + PickWord();
    request.budget_tokens = static_cast<int64_t>(20 + random_() % 200);
    if (random_() % 3 == 0) request.pieces = ContextPieces::kChunks;
    const bool words = random_() % 2 == 0;
    if (words) request.token_counter = kWordsCounter;
    const std::string question = "context " + request.search.text;
    const auto answer = database_.Context(request);
    if (!IsAnswered(answer, question)) return;
    const auto tokens =
        words ? static_cast<int64_t>(CountTokens(answer->text)) : EstimateTokens(answer->text);
    Expect(tokens == answer->used_tokens && tokens <= request.budget_tokens, question + ": budget");
    std::set<std::string> allowed;
    for (const uint32_t row : found_.docs) allowed.insert(docs_[row].doc.path);
    std::map<std::string, std::set<uint64_t>> bytes;
    for (const ContextPiece& piece : answer->pieces) {
      const auto doc = state_.docs().find(piece.doc.path);
      if (doc == state_.docs().end()) return Wrong(question + ": of " + piece.doc.path);
      Expect(request.search.scope.filter.empty() || allowed.contains(piece.doc.path),
             question + ": the filter");
      const uint64_t start = piece.chunk.start_byte;
      const uint64_t size = piece.chunk.end_byte - start;
      Expect(doc->second->text.substr(start, size) == piece.chunk.text, question + ": the text");
      for (uint64_t at = start; at < start + size; ++at) {
        Expect(bytes[piece.doc.path].insert(at).second, question + ": a byte twice");
      }
    }
  }

  void CompareGet() {
    const auto missing = database_.Get({.target = "no/such/file.md"});
    Expect(!missing && missing.error().code() == StatusCode::kNotFound, "get of what is not there");
    if (state_.docs().empty()) return;
    auto at = state_.docs().begin();
    std::advance(at, static_cast<ptrdiff_t>(random_() % state_.docs().size()));
    const ModelDoc& doc = *at->second;
    for (const std::string& target : {doc.doc.path, ToHex(doc.doc.id).substr(0, 20)}) {
      const auto whole = database_.Get({.target = target});
      if (!IsAnswered(whole, "get " + target)) return;
      Expect(whole->chunk.text == doc.text && whole->whole_doc, "get " + target + ": the text");
      Expect(Describe(whole->doc) == Describe(MakeDocView(doc.doc)), "get " + target);
    }
    if (doc.chunks.empty()) return;
    const ModelChunk& chunk = doc.chunks[random_() % doc.chunks.size()];
    const auto found = database_.Get({.target = chunk.id});
    if (!IsAnswered(found, "get chunk")) return;
    Expect(found->chunk.text == chunk.text && found->chunk.id == chunk.id, "get " + chunk.id);
  }

  void CompareStats() {
    const auto stats = database_.Stats();
    if (!IsAnswered(stats, "stats")) return;
    const ModelState::Counts counts = state_.Count();
    const StoreSummary& store = stats->store;
    Expect(store.docs == counts.docs && store.chunks == counts.chunks &&
               store.tokens == counts.tokens && store.bytes == counts.bytes,
           "stats: " + std::to_string(store.docs) + " documents, " + std::to_string(store.chunks) +
               " chunks, " + std::to_string(store.tokens) + " tokens");
    Expect(
        stats->segment_vectors + stats->delta_vectors >= counts.chunks &&
            stats->segment_vectors + stats->delta_vectors <= counts.chunks + stats->removed_chunks,
        "stats: vectors");
  }

  Database& database_;
  const ModelState& state_;
  ModelBuilder& builder_;
  std::string snapshot_;
  std::mt19937_64 random_;
  FilterWriter filters_;
  std::vector<OracleDoc> docs_;
  OracleSets found_;
  double score_upper_bound_ = 0;
  std::string wrong_;
};

}  // namespace

std::string CompareWithModel(Database& database, const ModelState& state, ModelBuilder& builder,
                             const std::string& snapshot, uint64_t seed) {
  return Comparison(database, state, builder, snapshot, seed).Run();
}

}  // namespace recall
