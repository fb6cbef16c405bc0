#include "query/retrieval.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/filter/bitmap.h"
#include "index/ingest/batch_writer.h"
#include "index/lexical/lexical_index.h"
#include "index/vector/chunk_columns.h"
#include "index/vector/vector_index.h"

namespace recall {
namespace {

// One question at work: the legs' results side by side.
class Question final {
 public:
  Question(const ReadTransaction& transaction, const QueryTools& tools,
           const SearchRequest& request, size_t depth)
      : transaction_(transaction), tools_(tools), request_(request), depth_(depth) {}

  Result<Retrieval> Answer() {
    RECALL_TRY(Prepare());
    if (UsesLexical()) RECALL_TRY(RunLexical());
    if (UsesSemantic()) RECALL_TRY(RunSemantic());
    RECALL_TRY(Fuse());
    return std::move(retrieval_);
  }

 private:
  bool UsesLexical() const { return request_.mode != SearchMode::kSemantic; }
  bool UsesSemantic() const { return request_.mode != SearchMode::kLexical; }

  Status Prepare() {
    RECALL_ASSIGN(columns_, ChunkColumns::Open(transaction_, *tools_.space));
    RECALL_ASSIGN(removed_, ReadTombstones(transaction_));
    if (!removed_.Empty()) filter_.removed = &removed_;
    query_ = request_.lexical_mode == LexicalMode::kLiteral
                 ? ParseLiteralQuery(request_.text, *tools_.tokenizer)
                 : ParseLexicalQuery(request_.text, *tools_.tokenizer);
    clock_.Finish("open", retrieval_.timings);
    return Status::Ok();
  }

  Status RunLexical() {
    if (query_.Empty()) {
      retrieval_.warnings.push_back(
          "the query has no words to search for; skipping lexical search");
    }
    RECALL_ASSIGN(lexical_, SearchLexical(transaction_, *columns_, query_, filter_));
    for (const LexicalHit& hit : lexical_.Top(depth_)) pool_.push_back(hit.chunk);
    retrieval_.total_hits = static_cast<int64_t>(lexical_.matches());
    clock_.Finish("lexical", retrieval_.timings);
    return Status::Ok();
  }

  Status RunSemantic() {
    const size_t dim = tools_.space->dim();
    std::vector<float> vector(dim);
    const std::string_view texts[] = {request_.text};
    RECALL_TRY(tools_.embedder->Embed(texts, vector));
    vector_query_ = tools_.space->PrepareQuery(vector);
    VectorSearchOptions options;
    options.k = depth_;
    options.exact = request_.exact;
    options.threads = std::max<size_t>(request_.threads, 1);
    if (UsesLexical()) NarrowFilter();
    RECALL_ASSIGN(const auto hits,
                  SearchVectors(*columns_, vector_query_, filter_, options, &vector_stats_));
    for (const VectorHit& hit : hits) {
      if (hit.score <= NoiseFloor()) break;
      pool_.push_back(hit.chunk);
      ++semantic_hits_;
    }
    clock_.Finish("semantic", retrieval_.timings);
    return Status::Ok();
  }

  // Two unrelated vectors have a cosine of about 1/sqrt(dim) by chance. Beside a lexical leg, a
  // chunk that shares no word with the query must show more than three times that.
  float NoiseFloor() const {
    return request_.mode == SearchMode::kSemantic
               ? 0.0f
               : 3.0f / std::sqrt(static_cast<float>(tools_.space->dim()));
  }

  // +must and -not bind the answer, whichever leg proposes a chunk; like every filter they apply
  // inside the leg, before its best are chosen.
  void NarrowFilter() {
    required_ = lexical_.Required();
    if (required_) filter_.allowed = &*required_;
    removed_ = removed_.Or(lexical_.Excluded());
    if (!removed_.Empty()) filter_.removed = &removed_;
  }

  Status Fuse() {
    std::sort(pool_.begin(), pool_.end());
    pool_.erase(std::unique(pool_.begin(), pool_.end()), pool_.end());
    std::vector<float> cosines(pool_.size());
    if (UsesSemantic()) {
      RECALL_ASSIGN(cosines, ScoreVectors(*columns_, vector_query_, pool_));
    }
    std::vector<Candidate> candidates;
    for (size_t i = 0; i < pool_.size(); ++i) {
      const double lexical = UsesLexical() ? lexical_.Score(pool_[i]) : 0;
      candidates.push_back({pool_[i], lexical, cosines[i]});
    }
    const FusionOptions options{
        .lexical_weight = UsesSemantic() ? UsesLexical() ? request_.weights.lexical : 0 : 1,
        .semantic_weight = UsesLexical() ? UsesSemantic() ? request_.weights.semantic : 0 : 1,
        .lexical_ceiling = UsesLexical() ? lexical_.ceiling() : 0};
    retrieval_.fusion = FuseCandidates(candidates, options);
    CountHits();
    if (request_.explain) Explain();
    clock_.Finish("fuse", retrieval_.timings);
    return Status::Ok();
  }

  // The lexical leg counts its matches exactly. The semantic leg sees only its best: then the
  // pool is what is known.
  void CountHits() {
    const int64_t pooled = static_cast<int64_t>(retrieval_.fusion.ranking.size());
    retrieval_.total_is_lower_bound = UsesSemantic() && semantic_hits_ >= depth_;
    retrieval_.total_hits = std::max(retrieval_.total_hits, pooled);
  }

  void Explain() {
    SearchExplain explain;
    explain.lexical_candidates =
        static_cast<int64_t>(std::min<uint64_t>(lexical_.matches(), depth_));
    explain.semantic_candidates = static_cast<int64_t>(semantic_hits_);
    explain.combined_candidates = static_cast<int64_t>(pool_.size());
    explain.calibration = retrieval_.fusion.calibration;
    for (const LexicalTerm& term : lexical_.terms()) {
      const char* occur = term.occur == LexicalClause::Occur::kMust      ? "must"
                          : term.occur == LexicalClause::Occur::kMustNot ? "must_not"
                                                                         : "should";
      explain.terms.push_back({term.text, occur, static_cast<int64_t>(term.matches), term.idf});
    }
    explain.vectors_scanned = static_cast<int64_t>(vector_stats_.scanned);
    explain.vectors_reranked = static_cast<int64_t>(vector_stats_.reranked);
    retrieval_.explain = std::move(explain);
  }

  const ReadTransaction& transaction_;
  const QueryTools& tools_;
  const SearchRequest& request_;
  const size_t depth_;
  StageClock clock_;
  std::unique_ptr<ChunkColumns> columns_;
  Bitmap removed_;  // and, for the semantic leg, what -not excludes
  std::optional<Bitmap> required_;
  ChunkFilter filter_;
  LexicalQuery query_;
  LexicalScores lexical_;
  VectorQuery vector_query_;
  VectorSearchStats vector_stats_;
  size_t semantic_hits_ = 0;
  std::vector<uint32_t> pool_;
  Retrieval retrieval_;
};

}  // namespace

StageClock::StageClock() : started_(SteadyMicros()) {}

void StageClock::Finish(std::string name, std::vector<StageTiming>& timings) {
  const int64_t now = SteadyMicros();
  timings.push_back({std::move(name), now - started_});
  started_ = now;
}

Result<Retrieval> Retrieve(const ReadTransaction& transaction, const QueryTools& tools,
                           const SearchRequest& request, size_t depth) {
  return Question(transaction, tools, request, depth).Answer();
}

}  // namespace recall
