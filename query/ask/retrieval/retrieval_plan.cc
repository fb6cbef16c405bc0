// The first step of a search: turns a request into a plan for both retrievers.
//
// Problem. A request leaves much open: weights, whether there are vectors, what the text means,
// whether threads are worth starting. If each later step decided this for itself, two steps could
// decide differently.
//
// Idea. One function decides everything once and returns a value that never changes. It also makes
// all checks that need the store, so that an invalid request fails before any index is read.
//
// Invariants. `fusion` is kDefault unless both retrievers run, because a single ranking needs no
// fusion; but a hybrid search by parts has triggers beside its words, also without vectors. The
// noise floor is 0 if only the semantic ranking was requested. The retrievers run in parallel only
// if no clause is +must or -not: these restrict the semantic retriever as well, which then has to
// wait for the lexical one (retriever_hits.cc).
//
// Noise floor. Two unrelated vectors of n components have a cosine of about 1/sqrt(n) by chance:
// the standard deviation of the dot product of random unit vectors. The cosine of a chunk without
// any term of the query must exceed it. Components of the hash embedder are noisier, so the cosines
// of its vectors must exceed three standard deviations.
//
// Hashed vectors. Below 16 chunks there is no model, and cosines of hashes of words show nothing
// but equal words and collisions. A chunk without any word of the question, or one that means
// nearly the same, is then no semantic hit (RetrievalPlan::hashed_words).
//
// An embedder that does not answer (a server that is down) costs a hybrid search its vectors, not
// its answer: the plan becomes a lexical one with a warning.
//
// Unknown words. A model knows only words that several chunks of its training had, so the vector of
// a question may be zero although a chunk contains its words. A semantic search then uses the mean
// of the vectors of the chunks that match these words best, as if the user had asked for texts like
// them.
//
// Cost: opening the indexes reads no posting and no vector. Embedding a query takes 0.1 to 1 ms
// with the built-in embedders.

#include "query/ask/retrieval/retrieval_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "query/ask/retrieval/related_words.h"
#include "query/ask/retrieval/synonyms.h"
#include "query/types/stage_clock.h"

namespace recall {
namespace {

// The maximum number of chunks that the semantic retriever proposes. Every chunk has some cosine
// with every query, so the list must end somewhere; few users read that far.
constexpr size_t kSemanticReach = 1000;
// In a selection of up to this size every vector is scored anyway, so all chunks are proposed.
constexpr int64_t kWholeSelection = 2000;

// A query vector in the request is only valid for a space of user-supplied vectors.
Status CheckEmbedding(const RetrievalPlan& plan, const EmbeddingSpace& space, size_t components) {
  if (components > 0 && plan.mode == SearchMode::kLexical) {
    return Status::InvalidArgument("a lexical search does not use the query embedding",
                                   "omit --embedding, or use semantic or hybrid search");
  }
  if (components > 0 && !space.is_user_supplied()) {
    return Status::InvalidArgument(
        "the store computes query embeddings with its embedder, " + space.row().embedder,
        "omit --embedding");
  }
  if (components > 0 && components != space.geometry().dim()) {
    return Status::InvalidArgument("the query embedding has " + std::to_string(components) +
                                       " components, but the vectors of the store have " +
                                       std::to_string(space.geometry().dim()),
                                   "embed queries and documents with the same model");
  }
  if (components == 0 && space.is_user_supplied() && !plan.lexical) {
    return Status::InvalidArgument(
        "semantic search in a store with user-supplied embeddings needs a query embedding",
        "specify --embedding, or use lexical or hybrid search");
  }
  return Status::Ok();
}

// Writes the vector of a text. `as_typed`: words that the model lacks have no direction.
Status EmbedWords(const QueryDependencies& deps, const std::string& text, bool as_typed,
                  std::vector<float>& vector) {
  const std::string_view texts[] = {text};
  return as_typed ? deps.embedder->Embed(texts, vector)
                  : deps.embedder->EmbedQuestion(text, vector);
}

Result<std::vector<float>> EmbedQuestion(const QueryDependencies& deps,
                                         const SearchRequest& request, bool as_typed,
                                         std::vector<std::string>& warnings) {
  if (!request.ranking.embedding.empty()) return request.ranking.embedding;
  std::vector<float> vector(deps.geometry().dim());
  if (deps.embedding->is_user_supplied()) {
    warnings.push_back(
        "the store has user-supplied embeddings, but the query has none; skipping semantic search");
    return vector;
  }
  const std::string& text = request.semantic_text ? *request.semantic_text : request.text;
  RECALL_TRY(EmbedWords(deps, text, as_typed, vector));
  return vector;
}

// Whether a hybrid search can do without the vector: the embedder cannot be reached now.
bool IsUnreachable(const Status& status) {
  return status.code() == StatusCode::kIoError || status.code() == StatusCode::kBusy;
}

// The number of chunks whose vectors stand for a question of unknown words, and the share of the
// best BM25 score that each must have.
constexpr size_t kMostExamples = 3;
constexpr double kLeastExampleShare = 0.5;

// Returns: the mean direction of the chunks that match the words of the query best; zero if there
// are none, or if they have no vectors either.
Result<std::vector<float>> EmbedByExample(const Snapshot& snapshot, const QueryDependencies& deps,
                                          const SearchRequest& request, const RetrievalPlan& plan) {
  std::vector<float> sum(deps.geometry().dim());
  const std::string& text = request.semantic_text ? *request.semantic_text : request.text;
  const LexicalQuery words = ParseLiteralQuery(text, *deps.tokenizer);
  if (words.Empty()) return sum;
  RECALL_ASSIGN(const auto matches, plan.indexes->SearchLexical(words, plan.filter()));
  RECALL_ASSIGN(const auto best, matches->Top(kMostExamples));
  std::vector<float> vector(sum.size());
  for (const RetrieverHit& hit : best) {
    if (hit.score < kLeastExampleShare * best.front().score) break;
    RECALL_ASSIGN(const ChunkRow chunk, snapshot.texts().ReadChunk(hit.chunk));
    RECALL_ASSIGN(const DocRow doc, snapshot.texts().ReadDoc(chunk.doc_row));
    RECALL_ASSIGN(const std::string example,
                  snapshot.texts().ReadText(doc, chunk.start_byte, chunk.end_byte));
    const std::string_view texts[] = {example};
    RECALL_TRY(deps.embedder->Embed(texts, vector));
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += vector[i];
  }
  double square = 0;
  for (const float value : sum) square += double{value} * value;
  if (square > 0) {
    const auto scale = static_cast<float>(1 / std::sqrt(square));
    for (float& value : sum) value *= scale;
  }
  return sum;
}

bool IsZero(const std::vector<float>& vector) {
  return std::ranges::all_of(vector, [](float value) { return value == 0; });
}

// Sets the vector of a plan with semantic search; without one the plan becomes a lexical one, if it
// can.
Status SetVector(const Snapshot& snapshot, const QueryDependencies& deps,
                 const SearchRequest& request, bool as_typed, RetrievalPlan& plan) {
  Result<std::vector<float>> vector = EmbedQuestion(deps, request, as_typed, plan.warnings);
  if (!vector) {
    if (!plan.lexical || !IsUnreachable(vector.error())) return vector.error();
    plan.warnings.push_back("searched without vectors: " + std::string(vector.error().message()));
    plan.semantic = plan.parallel = false;
    if (!FusesParts(plan.fusion)) plan.fusion = FusionMethod::kDefault;
    return {};
  }
  if (!plan.lexical && IsZero(*vector)) {
    RECALL_ASSIGN(*vector, EmbedByExample(snapshot, deps, request, plan));
    if (IsZero(*vector)) {
      plan.why_no_vector = "the model of the store knows no word of the query";
    } else {
      plan.warnings.push_back(
          "the model of the store knows no word of the query; searched for texts like the chunks "
          "that contain its words");
    }
  }
  RECALL_ASSIGN(plan.space, deps.embedding->LoadVectors(snapshot.models()));
  plan.vector = plan.space->PrepareQuery(*vector);
  return {};
}

float NoiseFloor(const RetrievalPlan& plan, const EmbeddingSpace& space) {
  if (plan.mode == SearchMode::kSemantic) return 0;
  const float times = space.maker() == kHashEmbedder ? 3 : 1;
  return times / std::sqrt(static_cast<float>(space.geometry().dim()));
}

// Whether vectors are hashes of words because there is no model yet. A store that was made with the
// hash embedder is asked as its user wanted it.
bool IsBeforeModel(const EmbeddingSpace& space) {
  return space.maker() == kHashEmbedder && space.row().embedder != kHashEmbedder;
}

// The words of a text, with those that mean nearly the same.
LexicalQuery WordsOf(const std::string& text, bool with_related, Tokenizer& tokenizer) {
  LexicalQuery words = ParseLiteralQuery(text, tokenizer);
  if (with_related) AddRelatedWords(words);
  return words;
}

FusionMethod FusionOf(const SearchRequest& request, const RetrievalPlan& plan) {
  const FusionMethod fusion = request.ranking.fusion;
  if (plan.hybrid()) return fusion;
  const bool parts = FusesParts(fusion) && request.mode == SearchMode::kHybrid;
  return parts ? fusion : FusionMethod::kDefault;
}

// `counts`: of what may be read.
void WarnAboutRetrievers(RetrievalPlan& plan, const EmbeddingSpace& space,
                         const StoreCounts& counts) {
  if (plan.lexical && plan.query.Empty()) {
    plan.warnings.push_back("the query has no words to search for; skipping lexical search");
  }
  if (!plan.lexical && !space.has_vectors()) {
    plan.warnings.push_back("the store has no vectors yet, because its model is not trained");
  }
  // An ingest that was interrupted has not trained the model.
  const bool untrained =
      space.row().embedder == kLsaEmbedder && (IsBeforeModel(space) || !space.has_vectors());
  const bool trainable = counts.chunks >= kFewestLsaChunks && counts.lexical_tokens > 0;
  if (plan.mode == SearchMode::kHybrid && untrained && trainable) {
    plan.warnings.push_back(
        "the model of the store is not trained, so words alone rank; `recall add` trains it");
  }
}

}  // namespace

bool RetrievalPlan::has_operators() const {
  return !std::ranges::all_of(query.clauses, [](const LexicalClause& clause) {
    return clause.occur == LexicalClause::Occur::kShould;
  });
}

ChunkFilter RetrievalPlan::filter() const {
  const Bitmap& left_out = removed ? *removed : indexes->removed();
  return {allowed, left_out.Empty() ? nullptr : &left_out};
}

size_t RetrievalPlan::MostSemanticHits(const Bitmap* selection) const {
  const int64_t size = selection ? static_cast<int64_t>(selection->Count()) : chunks;
  if (exact || size <= kWholeSelection) return std::numeric_limits<size_t>::max();
  return kSemanticReach;
}

Result<std::unique_ptr<RetrievalPlan>> MakeRetrievalPlan(const Snapshot& snapshot,
                                                         const QueryDependencies& deps,
                                                         const SearchRequest& request,
                                                         const Bitmap* allowed,
                                                         const SynthesizedQuery* made) {
  const EmbeddingSpace& space = *deps.embedding;
  StageClock clock;
  ReportedStage parsing(deps.on_stage, kParseStage);
  RECALL_ASSIGN(const FieldWeights field_weights, ParseFieldWeights(request.ranking.field_weights));
  auto plan = std::make_unique<RetrievalPlan>();
  plan->on_stage = deps.on_stage;
  plan->mode = request.mode;
  plan->lexical = request.mode != SearchMode::kSemantic;
  plan->semantic = request.mode != SearchMode::kLexical && space.has_vectors();
  plan->fusion = FusionOf(request, *plan);
  plan->leg_depth = request.ranking.leg_depth;
  plan->weights = request.weights.value_or(DefaultWeights(space.maker(), request.ranking.fusion));
  if (FusesParts(plan->fusion)) {
    plan->parts = request.ranking.parts;
    plan->weights = {plan->parts.words, plan->parts.meaning};
  }
  CueWeights default_cues;
  if (request.of_places) default_cues.support = 0;
  RECALL_ASSIGN(const CueWeights cues, ParseCueWeights(request.ranking.cues, default_cues));
  if (!made && plan->lexical && plan->fusion == FusionMethod::kDefault) plan->cues = cues;
  plan->allowed = allowed;
  plan->chunks = snapshot.counts().chunks;
  plan->exact = request.exact;
  plan->threads = std::max<size_t>(request.threads, 1);
  RECALL_TRY(CheckEmbedding(*plan, space, request.ranking.embedding.size()));
  RECALL_ASSIGN(plan->indexes, snapshot.OpenIndexes(deps.geometry()));
  if (made) plan->removed = plan->indexes->removed().Or(made->unseen);
  plan->query = made ? made->words
                : request.lexical_mode == LexicalMode::kLiteral
                    ? ParseLiteralQuery(request.text, *deps.tokenizer)
                    : ParseLexicalQuery(request.text, *deps.tokenizer);
  plan->query.field_weights = field_weights;
  if (!made && request.expand_words) {
    RECALL_TRY(AddSynonyms(request.ranking.synonyms, *deps.tokenizer, plan->query));
    AddRelatedWords(plan->query);
  }
  clock.Finish("open", plan->timings);
  WarnAboutRetrievers(*plan, space, snapshot.counts());
  plan->parallel = plan->hybrid() && plan->fusion != FusionMethod::kGrouped && plan->threads > 1 &&
                   plan->chunks >= request.chunks_per_retriever && !plan->has_operators();
  if (plan->semantic) {
    RECALL_TRY(SetVector(snapshot, deps, request, made || !request.expand_words, *plan));
  }
  if (plan->semantic) {
    plan->noise_floor = NoiseFloor(*plan, space);
    if (IsBeforeModel(space)) {
      plan->hashed_words = WordsOf(request.semantic_text.value_or(request.text),
                                   request.expand_words && !made, *deps.tokenizer);
    }
    clock.Finish("embed", plan->timings);
  }
  parsing.End(static_cast<int64_t>(plan->query.clauses.size()));
  return plan;
}

Status ReplaceQuery(const QueryDependencies& deps, LexicalQuery query,
                    const std::optional<std::string>& semantic_text, RetrievalPlan& plan) {
  plan.query = std::move(query);
  if (!semantic_text || !plan.semantic || deps.embedding->is_user_supplied()) return Status::Ok();
  std::vector<float> vector(deps.geometry().dim());
  RECALL_TRY(EmbedWords(deps, *semantic_text, false, vector));
  plan.vector = plan.space->PrepareQuery(vector);
  if (plan.hashed_words) plan.hashed_words = WordsOf(*semantic_text, true, *deps.tokenizer);
  return Status::Ok();
}

}  // namespace recall
