#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/embed/factory/embedding_space.h"
#include "index/lexical/lexical_index.h"
#include "index/text/tokenizer.h"
#include "index/vector/vector_index.h"
#include "query/ranking/fusion.h"
#include "query/ranking/reciprocal_rank.h"
#include "query/ranking/rerank.h"
#include "query/retrieval/rerank_features.h"
#include "query/stages/stage_list.h"
#include "query/types/search_types.h"
#include "storage/store/store.h"

namespace recall {

// What asking needs besides a transaction, and within it.
struct QueryTools {
  QueryTools(const ReadTransaction& transaction, std::shared_ptr<EmbeddingSpace> of,
             Tokenizer* with)
      : embedding(std::move(of)),
        space(&embedding->vectors()),
        embedder(embedding->NewQueryEmbedder(transaction.connection())),
        tokenizer(with) {}

  std::shared_ptr<EmbeddingSpace> embedding;
  const VectorSpace* space;
  std::unique_ptr<Embedder> embedder;
  Tokenizer* tokenizer;
};

// Measures stages one after another.
class StageClock final {
 public:
  StageClock();
  // Ends the stage that began at construction or at the last call.
  void Finish(std::string name, std::vector<StageTiming>& timings);

 private:
  int64_t started_;
};

// A question that nobody typed, in place of a request's text.
struct SynthesizedQuery {
  LexicalQuery words;
  Bitmap unseen;  // chunks that are left out as if they were removed
};

// The ranking of one question.
//
// Two stages in a hybrid search, unless another fusion is chosen: the retrievers rank all members;
// the first hundred of them, the head, are ranked once more by all evidence there is, their texts'
// character n-grams included. The others follow as the retrievers rank them.
//
// Its members are all chunks that match the words (and the filter), and those the semantic
// retriever proposes: its best 1,000, or as many as there are when it scored the whole selection.
// In a store of at most a hundred chunks also those that neither retriever proposes but whose
// n-grams are the question's. The ranking is a fact of the question and the store: what is asked of
// it - the first 8, the next 100, all - never changes a score or an order, so pages fit together.
//
// Stages that the request names work on the first hundred of that ranking, its head; what they
// leave out is no member. The others follow in their order, with lower scores. What then scores
// below the request's least score is no member either.
class Retrieval final {
 public:
  // Runs the retrievers the mode asks for. `allowed` is the filter's set of live chunks, null
  // without a filter; it applies inside both retrievers. `made`, if there is one, is what the
  // lexical retriever asks; the semantic retriever asks the request's text. All arguments must
  // outlive the result.
  static Result<std::unique_ptr<Retrieval>> Run(const ReadTransaction& transaction,
                                                const QueryTools& tools,
                                                const SearchRequest& request, const Bitmap* allowed,
                                                const SynthesizedQuery* made = nullptr);

  // At least the first `count` places, exactly; more where the last of them ties with the next.
  // By score descending, then chunk rowid. Fewer only when the ranking has no more.
  Result<std::vector<FusedCandidate>> Best(size_t count);
  // Applies stages, if there are any, to the best hundred without this chunk, which is no member
  // from then on. Run does so by the request unless it is `made`. To be called once at most.
  Status ApplyStages(const StageList& stages, std::optional<uint32_t> without = std::nullopt);
  // From now on what scores less is no member. Run does so last, by the request unless it is
  // `made`. Cost: as ranking all that stays.
  Status LeaveOutBelow(double least);

  Bitmap Members() const;
  // Number of members. A lower bound when the semantic retriever may have found more than it
  // proposes.
  int64_t total_hits() const { return total_hits_; }
  bool total_is_lower_bound() const { return total_is_lower_bound_; }
  size_t semantic_hits() const { return semantic_.size(); }
  // score = sum of a hit's parts * calibration, before any stage that was asked for.
  double calibration() const;
  // The words as understood.
  const LexicalQuery& query() const { return query_; }

  SearchExplain Explain() const;
  // Chunks that a stage left out because this one says the same.
  std::vector<uint32_t> SaidBy(uint32_t chunk) const;
  // The time that a stage's answer depends on.
  std::optional<UnixNanos> as_of() const { return staged_ ? staged_->as_of : std::nullopt; }
  // How one place came about. Looks at all matches of the words.
  HitExplain ExplainHit(const FusedCandidate& fused);
  const std::vector<StageTiming>& timings() const { return timings_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  // How many of the best are ranked once more. Nothing is won by more, and each costs a text.
  static constexpr size_t kWindowSize = 100;
  // Of the lexical weight; the other half is the n-grams', of which the retrievers know nothing
  // yet.
  static constexpr double kWordShare = 0.5;
  // So that no score of the delta equals one of the head.
  static constexpr double kBelowWindow = 0.999;

  Retrieval(const ReadTransaction& transaction, const QueryTools& tools,
            const SearchRequest& request, const Bitmap* allowed);

  // What the semantic retriever proposed.
  struct Proposal {
    uint32_t chunk;
    float cosine;
  };
  // Its order: by cosine descending, then chunk rowid.
  static bool IsNearer(const Proposal& a, const Proposal& b) {
    return a.cosine != b.cosine ? a.cosine > b.cosine : a.chunk < b.chunk;
  }

  bool UsesLexical() const { return request_.mode != SearchMode::kSemantic; }
  bool UsesSemantic() const {
    return request_.mode != SearchMode::kLexical && tools_.embedding->has_vectors();
  }
  // Of two retrievers; where there is one, there is nothing to fuse.
  FusionMethod fusion() const {
    return UsesLexical() && UsesSemantic() ? request_.ranking.fusion : FusionMethod::kDefault;
  }
  float NoiseFloor() const;
  Status Prepare(const SynthesizedQuery* made);
  Status CheckEmbedding() const;
  Result<std::vector<float>> QuestionVector();
  Status RunRetrievers(StageClock& clock);
  bool RetrieversRunInParallel() const;
  Status RunRetrieversInParallel(StageClock& clock);
  Status RunLexical();
  void NarrowFilter();
  Result<VectorSearch> PrepareSemantic(size_t threads) const;
  void TakeProposals(std::vector<VectorHit> hits);
  Status MeasureScale();
  double Confidence(const std::vector<LexicalHit>& lexical) const;
  Status RerankWindow();
  Status AddOthers(std::vector<FusedCandidate>& head) const;
  void DropOthersUnlike(RerankFeatures& evidence);
  Status RankReciprocally();
  Result<std::vector<FusedCandidate>> BestBeforeStages(size_t count);
  FusedCandidate BelowStages(FusedCandidate fused) const;
  FusedCandidate BelowWindow(FusedCandidate fused) const;
  double BestUnproposed() const;
  Result<std::vector<FusedCandidate>> FirstStageBest(size_t count);
  double Unproposed(double lexical) const;
  double LexicalBelow(double fused, double high) const;
  size_t SemanticReach() const;
  std::optional<int64_t> LexicalRank(uint32_t chunk);
  std::optional<int64_t> SemanticRank(uint32_t chunk);
  const Proposal* FindProposal(
      uint32_t chunk) const;  // null: the semantic retriever did not propose it
  // These of the lexical retriever and all of the semantic retriever's, scored by both.
  Result<std::vector<Candidate>> Pool(const std::vector<LexicalHit>& lexical) const;

  const ReadTransaction& transaction_;
  const QueryTools& tools_;
  const SearchRequest& request_;
  const FusionWeights weights_;
  ChunkFilter filter_;
  Bitmap removed_;  // and, for the semantic retriever, what -not excludes
  std::optional<Bitmap> required_;
  std::unique_ptr<ChunkColumns> columns_;
  LexicalQuery query_;
  LexicalScores lexical_;
  std::vector<LexicalHit> lexical_ranking_;  // all of them, when many places are asked for
  size_t counted_ranks_ = 0;                 // places found without it
  std::vector<uint32_t> semantic_places_;    // of semantic_, the same
  size_t counted_semantic_ranks_ = 0;
  VectorQuery vector_query_;
  VectorSearchStats vector_stats_;
  std::vector<Proposal> semantic_;         // by chunk rowid
  bool semantic_cut_ = false;              // there may be more than semantic_
  double semantic_floor_ = 0;              // no chunk outside semantic_ counts for more
  std::vector<LexicalHit> first_lexical_;  // the words' best kFirstDepth
  std::vector<Candidate> first_pool_;      // with these
  FusionScale scale_;
  double semantic_confidence_ = 1;
  size_t window_size_ = 0;                   // how many of the retrievers' ranking the head takes
  Bitmap others_;                            // members that neither retriever proposed
  std::vector<uint32_t> first_stage_order_;  // of the head's chunks, as the retrievers rank them
  std::optional<Reranking> head_;            // none: one stage
  double below_window_factor_ = 1;
  std::optional<std::vector<FusedCandidate>> reciprocal_;  // all of the ranking by places
  std::optional<StageList::Outcome> staged_;               // none: no stages
  size_t staged_from_ = 0;                                 // how many of the ranking they took
  double staged_factor_ = 1;                               // of the scores of what follows
  std::optional<std::vector<FusedCandidate>> kept_;        // all that reach the least score, if any
  int64_t proposed_ = 0;                                   // chunks that any retriever found
  int64_t total_hits_ = 0;
  bool total_is_lower_bound_ = false;
  std::vector<StageTiming> timings_;
  std::vector<std::string> warnings_;
};

}  // namespace recall
