#include "query/retrieval/retrieval.h"

#include <algorithm>
#include <utility>

#include "index/bitmap/tombstones.h"
#include "index/columns/chunk_columns.h"
#include "query/ranking/semantic_confidence.h"

namespace recall {
namespace {

// The lexical retriever's best that are fused at first: enough that most questions need no second
// look.
constexpr size_t kFirstDepth = 200;

// As many of a whole ranking as Retrieval::Best promises.
std::vector<FusedCandidate> FirstOf(const std::vector<FusedCandidate>& ranking, size_t count) {
  size_t end = std::min(count, ranking.size());
  while (end > 0 && end < ranking.size() && ranking[end].score == ranking[end - 1].score) ++end;
  return {ranking.begin(), ranking.begin() + static_cast<ptrdiff_t>(end)};
}

}  // namespace

StageClock::StageClock() : started_(SteadyMicros()) {}

void StageClock::Finish(std::string name, std::vector<StageTiming>& timings) {
  const int64_t now = SteadyMicros();
  timings.push_back({std::move(name), now - started_});
  started_ = now;
}

Retrieval::Retrieval(const ReadTransaction& transaction, const QueryTools& tools,
                     const SearchRequest& request, const Bitmap* allowed)
    : transaction_(transaction),
      tools_(tools),
      request_(request),
      weights_(request.weights.value_or(
          DefaultWeights(tools.embedding->maker(), request.ranking.fusion))),
      filter_{allowed, nullptr} {}

Result<std::unique_ptr<Retrieval>> Retrieval::Run(const ReadTransaction& transaction,
                                                  const QueryTools& tools,
                                                  const SearchRequest& request,
                                                  const Bitmap* allowed,
                                                  const SynthesizedQuery* made) {
  const double least = request.ranking.min_score;
  if (!(least >= 0 && least <= 1)) {
    return Fail(Status::InvalidArgument("the least score must be a number from 0 to 1",
                                        "scores lie between these; 0 leaves nothing out"));
  }
  StageList stages;
  if (!made) {
    RECALL_ASSIGN(stages, StageList::Parse(request.ranking.stages));
  }
  std::unique_ptr<Retrieval> retrieval(new Retrieval(transaction, tools, request, allowed));
  StageClock clock;
  RECALL_TRY(retrieval->CheckEmbedding());
  RECALL_TRY(retrieval->Prepare(made));
  clock.Finish("open", retrieval->timings_);
  RECALL_TRY(retrieval->RunRetrievers(clock));
  RECALL_TRY(retrieval->MeasureScale());
  clock.Finish("fuse", retrieval->timings_);
  if (retrieval->fusion() == FusionMethod::kReciprocalRank) {
    RECALL_TRY(retrieval->RankReciprocally());
    clock.Finish("rerank", retrieval->timings_);
  } else if (retrieval->fusion() == FusionMethod::kDefault && retrieval->UsesLexical() &&
             retrieval->UsesSemantic()) {
    RECALL_TRY(retrieval->RerankWindow());
    clock.Finish("rerank", retrieval->timings_);
  }
  RECALL_TRY(retrieval->ApplyStages(stages));
  if (!made) RECALL_TRY(retrieval->LeaveOutBelow(least));
  return retrieval;
}

Status Retrieval::Prepare(const SynthesizedQuery* made) {
  RECALL_ASSIGN(columns_, ChunkColumns::Open(transaction_, *tools_.space));
  RECALL_ASSIGN(removed_, ReadTombstones(transaction_));
  if (made) removed_ = removed_.Or(made->unseen);
  if (!removed_.Empty()) filter_.removed = &removed_;
  query_ = made ? made->words
           : request_.lexical_mode == LexicalMode::kLiteral
               ? ParseLiteralQuery(request_.text, *tools_.tokenizer)
               : ParseLexicalQuery(request_.text, *tools_.tokenizer);
  return Status::Ok();
}

Status Retrieval::MeasureScale() {
  first_lexical_ = lexical_.Top(kFirstDepth);
  RECALL_ASSIGN(first_pool_, Pool(first_lexical_));
  if (fusion() != FusionMethod::kDefault) {
    scale_ = FusionScale::Absolute({.lexical_weight = weights_.lexical,
                                    .semantic_weight = weights_.semantic,
                                    .lexical_upper_bound = lexical_.score_upper_bound()});
  } else {
    if (UsesLexical() && UsesSemantic()) semantic_confidence_ = Confidence(first_lexical_);
    scale_ = FusionScale(
        first_pool_,
        {.lexical_weight = UsesSemantic() ? UsesLexical() ? weights_.lexical * kWordShare : 0 : 1,
         .semantic_weight =
             UsesLexical() ? UsesSemantic() ? weights_.semantic * semantic_confidence_ : 0 : 1,
         .lexical_upper_bound = lexical_.score_upper_bound()});
  }
  const auto unmatched = std::count_if(semantic_.begin(), semantic_.end(),
                                       [&](const auto& hit) { return !lexical_.Holds(hit.chunk); });
  proposed_ = static_cast<int64_t>(lexical_.matches()) + unmatched;
  total_hits_ = proposed_;
  total_is_lower_bound_ = semantic_cut_;
  return Status::Ok();
}

double Retrieval::Confidence(const std::vector<LexicalHit>& lexical) const {
  std::vector<double> cosines;
  cosines.reserve(lexical.size());
  for (const LexicalHit& hit : lexical) {
    cosines.push_back(
        std::ranges::lower_bound(first_pool_, hit.chunk, {}, &Candidate::chunk)->semantic);
  }
  return SemanticConfidence(cosines);
}

Result<std::vector<Candidate>> Retrieval::Pool(const std::vector<LexicalHit>& lexical) const {
  std::vector<LexicalHit> others;  // that the semantic retriever did not propose
  others.reserve(lexical.size());
  for (const LexicalHit& hit : lexical) {
    if (!FindProposal(hit.chunk)) others.push_back(hit);
  }
  std::ranges::sort(others, {}, &LexicalHit::chunk);
  std::vector<uint32_t> rows;
  rows.reserve(others.size());
  for (const LexicalHit& hit : others) rows.push_back(hit.chunk);
  std::vector<float> cosines(rows.size());
  if (UsesSemantic()) {
    RECALL_ASSIGN(cosines, ScoreVectors(*columns_, vector_query_, rows));
  }
  const auto proposal = [&](const Proposal& hit) -> Candidate {
    return {hit.chunk, UsesLexical() ? lexical_.Score(hit.chunk) : 0, hit.cosine};
  };
  std::vector<Candidate> candidates;
  candidates.reserve(others.size() + semantic_.size());
  auto proposed = semantic_.begin();
  for (size_t i = 0; i < others.size(); ++i) {
    for (; proposed != semantic_.end() && proposed->chunk < rows[i]; ++proposed) {
      candidates.push_back(proposal(*proposed));
    }
    const double cosine = std::min<double>(cosines[i], semantic_floor_);
    candidates.push_back({rows[i], others[i].score, cosine});
  }
  for (; proposed != semantic_.end(); ++proposed) candidates.push_back(proposal(*proposed));
  return candidates;
}

// The threshold algorithm (Fagin, Lotem, Naor, "Optimal aggregation algorithms for middleware",
// 2001): a chunk not yet looked at is worth no more than the last lexical hit looked at together
// with the most that the semantic retriever leaves for a chunk it did not propose. What stands
// above that is final. Where too little does, a second look takes in whatever the words may lift
// above the last place that is asked for.
Result<std::vector<FusedCandidate>> Retrieval::FirstStageBest(size_t count) {
  const size_t depth = std::max(kFirstDepth, count);
  const bool deeper = depth > kFirstDepth;
  std::vector<LexicalHit> more;
  std::vector<Candidate> pool;
  if (deeper) {
    more = lexical_.Top(depth);
    RECALL_ASSIGN(pool, Pool(more));
  }
  std::vector<FusedCandidate> ranking = FuseCandidates(deeper ? pool : first_pool_, scale_, count);
  if (depth >= lexical_.matches()) return ranking;
  const double worst = deeper ? more.back().score : first_lexical_.back().score;
  double unseen = Unproposed(worst);
  if (ranking.size() < count || ranking[count - 1].score <= unseen) {
    const double last = ranking.size() < count ? 0 : ranking[count - 1].score;
    const double least = LexicalBelow(last, worst);
    RECALL_ASSIGN(pool, Pool(lexical_.AtLeast(least)));
    ranking = FuseCandidates(pool, scale_, count);
    if (!(least > 0)) return ranking;
    unseen = Unproposed(least);
  }
  const auto end = std::ranges::find_if(
      ranking, [&](const FusedCandidate& fused) { return fused.score <= unseen; });
  ranking.erase(end, ranking.end());
  return ranking;
}

// What a chunk scores that the words give so much, and the semantic retriever the most that it
// leaves.
double Retrieval::Unproposed(double lexical) const {
  return scale_.Fuse({0, lexical, UsesSemantic() ? semantic_floor_ : 0}).score;
}

// A lexical score with which a chunk that is not proposed scores less than `fused`, as high as can
// be and at most `high`; 0 where there is none.
double Retrieval::LexicalBelow(double fused, double high) const {
  double low = 0;
  if (Unproposed(low) >= fused) return 0;
  constexpr int kSteps = 50;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = low + (high - low) / 2;
    (Unproposed(middle) < fused ? low : high) = middle;
  }
  return low;
}

// Places say nothing of depth, so all members get theirs.
Status Retrieval::RankReciprocally() {
  lexical_ranking_ = lexical_.Top(lexical_.matches());
  RECALL_ASSIGN(const std::vector<Candidate> members, Pool(lexical_ranking_));
  std::vector<RankedCandidate> ranked;
  ranked.reserve(members.size());
  for (const Candidate& member : members) {
    ranked.push_back({member, static_cast<size_t>(LexicalRank(member.chunk).value_or(0)),
                      static_cast<size_t>(SemanticRank(member.chunk).value_or(0))});
  }
  reciprocal_ = FuseReciprocalRanks(ranked);
  return Status::Ok();
}

// What follows the head keeps the order that the retrievers give it, below the head.
FusedCandidate Retrieval::BelowWindow(FusedCandidate fused) const {
  fused.lexical_part *= below_window_factor_;
  fused.semantic_part *= below_window_factor_;
  fused.score = fused.Sum() * head_->calibration;
  return fused;
}

Result<std::vector<FusedCandidate>> Retrieval::BestBeforeStages(size_t count) {
  if (reciprocal_) return FirstOf(*reciprocal_, count);
  if (!head_) return FirstStageBest(count);
  if (count <= head_->ranking.size()) return head_->ranking;
  RECALL_ASSIGN(const std::vector<FusedCandidate> retrievers, FirstStageBest(count));
  std::vector<FusedCandidate> ranking = head_->ranking;
  for (size_t i = window_size_; i < retrievers.size(); ++i)
    ranking.push_back(BelowWindow(retrievers[i]));
  return ranking;
}

// In every mode the stages see the best hundred, whatever is asked for.
Status Retrieval::ApplyStages(const StageList& stages, std::optional<uint32_t> without) {
  if (stages.Empty()) return Status::Ok();
  StageClock clock;
  RECALL_ASSIGN(const std::vector<FusedCandidate> best,
                BestBeforeStages(kWindowSize + (without ? 1 : 0)));
  std::vector<FusedCandidate> head;
  for (; staged_from_ < best.size() && head.size() < kWindowSize; ++staged_from_) {
    if (best[staged_from_].candidate.chunk != without) head.push_back(best[staged_from_]);
  }
  const StageQuestion question = {&query_, &removed_,
                                  request_.scope.as_of.value_or(WallClockNanos()),
                                  request_.ranking.keywords};
  StageContext context(transaction_, *columns_, *tools_.embedding, *tools_.tokenizer, question);
  RECALL_ASSIGN(StageList::Outcome outcome, stages.Run(context, head));
  if (!outcome.ranking.empty()) {
    const double below = kBelowWindow * outcome.ranking.back().score / head.back().score;
    staged_factor_ = std::min(below, 1.0);
  }
  if (without) outcome.left_out.Add(*without);
  total_hits_ -= static_cast<int64_t>(outcome.left_out.And(Members()).Count());
  staged_ = std::move(outcome);
  clock.Finish("stages", timings_);
  return Status::Ok();
}

FusedCandidate Retrieval::BelowStages(FusedCandidate fused) const {
  fused.lexical_part *= staged_factor_;
  fused.ngram_part *= staged_factor_;
  fused.semantic_part *= staged_factor_;
  fused.neighbour_part *= staged_factor_;
  fused.score *= staged_factor_;
  return fused;
}

Result<std::vector<FusedCandidate>> Retrieval::Best(size_t count) {
  if (kept_) return FirstOf(*kept_, count);
  if (!staged_) return BestBeforeStages(count);
  std::vector<FusedCandidate> ranking = staged_->ranking;
  if (count <= ranking.size()) return ranking;
  // As many more as could be left out of them.
  const size_t left_out = static_cast<size_t>(staged_->left_out.Count());
  const size_t reach = std::max(count, count + staged_from_ - ranking.size() + left_out);
  RECALL_ASSIGN(const std::vector<FusedCandidate> before, BestBeforeStages(reach));
  for (size_t i = staged_from_; i < before.size(); ++i) {
    if (staged_->left_out.Contains(before[i].candidate.chunk)) continue;
    ranking.push_back(BelowStages(before[i]));
  }
  return ranking;
}

Status Retrieval::LeaveOutBelow(double least) {
  if (!(least > 0)) return Status::Ok();
  std::vector<FusedCandidate> ranking;
  for (size_t count = kWindowSize;; count *= 4) {
    RECALL_ASSIGN(ranking, Best(count));
    if (ranking.size() < count || ranking.back().score < least) break;
  }
  std::erase_if(ranking, [&](const FusedCandidate& fused) { return fused.score < least; });
  total_hits_ = static_cast<int64_t>(ranking.size());
  total_is_lower_bound_ = semantic_cut_ && BestUnproposed() >= least;
  kept_ = std::move(ranking);
  return Status::Ok();
}

// The most that a chunk could score that no retriever found.
double Retrieval::BestUnproposed() const {
  if (fusion() == FusionMethod::kReciprocalRank) {
    const RankedCandidate next = {{0, 0, 0}, 0, semantic_.size() + 1};
    return BelowStages(FuseReciprocalRanks({next}).front()).score;
  }
  const FusedCandidate fused = scale_.Fuse({0, 0, semantic_floor_});
  return BelowStages(head_ ? BelowWindow(fused) : fused).score;
}

double Retrieval::calibration() const {
  if (fusion() == FusionMethod::kReciprocalRank) return kReciprocalCalibration;
  return head_ ? head_->calibration : scale_.calibration();
}

Bitmap Retrieval::Members() const {
  Bitmap members;
  if (kept_) {
    for (const FusedCandidate& fused : *kept_) members.Add(fused.candidate.chunk);
    return members;
  }
  members = lexical_.Matches();
  for (const Proposal& hit : semantic_) members.Add(hit.chunk);
  members = members.Or(others_);
  return staged_ ? members.AndNot(staged_->left_out) : members;
}

}  // namespace recall
