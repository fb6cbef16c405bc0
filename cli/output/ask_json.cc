#include "cli/output/ask_json.h"

#include "storage/base/clock.h"

namespace recall {
namespace {

const char* ModeName(std::optional<SearchMode> mode) {
  if (!mode) return "structured";
  if (*mode == SearchMode::kLexical) return "lexical";
  return *mode == SearchMode::kSemantic ? "semantic" : "hybrid";
}

const char* LexicalModeName(LexicalMode mode) {
  return mode == LexicalMode::kLiteral ? "literal" : "query";
}

double Milliseconds(int64_t micros) { return static_cast<double>(micros) / 1000; }

// What the answer is of: what the user pinned, else the commit that was found.
const std::string& SnapshotOf(const Question& question, const AnswerFacts& facts) {
  return question.snapshot.empty() ? facts.store.snapshot : question.snapshot;
}

Json FilterJson(const FilterExplain& filter) {
  Json steps = Json::array();
  for (const FilterExplain::Step& step : filter.steps) {
    steps.push_back({{"predicate", step.predicate},
                     {"method", step.method},
                     {"matches", step.matches},
                     {"ms", Milliseconds(step.micros)}});
  }
  return {{"filter", filter.filter}, {"matches", filter.matches}, {"steps", std::move(steps)}};
}

Json ConfigJson(const Question& question, const FusionWeights& weights, const StatsReport& store,
                const Config& config) {
  Json json = {{"embedding", store.embedder},
               {"embedding_dim", store.dim},
               {"vector_index", question.exact ? "exact" : "signature"},
               {"bm25_weight", weights.lexical},
               {"vector_weight", weights.semantic},
               {"max_limit", config.max_limit},
               {"chunk_tokens", store.chunk_tokens},
               {"overlap_tokens", store.overlap_tokens},
               {"lexical_mode", LexicalModeName(question.lexical_mode)}};
  if (question.ranking.fusion != FusionMethod::kDefault) {
    json["fusion"] = FusionName(question.ranking.fusion);
  }
  return json;
}

Json LexicalJson(const Question& question, const SearchExplain& explain) {
  Json terms = Json::array();
  for (const SearchExplain::Term& term : explain.terms) {
    terms.push_back(
        {{"text", term.text}, {"occur", term.occur}, {"matches", term.matches}, {"idf", term.idf}});
  }
  return {{"mode", LexicalModeName(question.lexical_mode)},
          {"original", question.text},
          {"sanitized_applied", false},
          {"terms", std::move(terms)}};
}

}  // namespace

Question Question::FromRequest(const SearchRequest& request) {
  Question question;
  question.text = request.text;
  question.lexical_mode = request.lexical_mode;
  question.snapshot = request.scope.snapshot;
  question.mode = request.mode;
  question.weights = request.weights;
  question.ranking = request.ranking;
  question.exact = request.exact;
  return question;
}

Question Question::OfPage(const SearchRequest& request) {
  Question question = FromRequest(request);
  question.limit = static_cast<int64_t>(request.k);
  question.offset = static_cast<int64_t>(request.offset);
  return question;
}

const char* FusionName(FusionMethod fusion) {
  if (fusion == FusionMethod::kWeighted) return "weighted";
  return fusion == FusionMethod::kReciprocalRank ? "rrf" : "default";
}

Json QueryJson(const Question& question, const AnswerFacts& facts) {
  Json json = {{"text", question.text},
               {"rql", question.rql ? Json(*question.rql) : Json(nullptr)},
               {"filters", facts.filter.empty() ? Json(nullptr) : Json(facts.filter)}};
  if (question.limit) json["limit"] = *question.limit;
  json["offset"] = question.offset;
  json["lexical_mode"] = LexicalModeName(question.lexical_mode);
  json["snapshot"] = SnapshotOf(question, facts);
  json["mode"] = ModeName(question.mode);
  if (!question.ranking.stages.empty()) json["stages"] = question.ranking.stages;
  if (question.ranking.min_score > 0) json["min_score"] = question.ranking.min_score;
  if (facts.as_of) json["as_of"] = FormatRfc3339(*facts.as_of);
  return json;
}

Json ExplainJson(const Question& question, const AnswerFacts& facts, const StatsReport& store,
                 const Config& config) {
  const SearchExplain explain = facts.explain.value_or(SearchExplain());
  const FusionWeights weights =
      question.mode
          ? explain.weights
          : question.weights.value_or(DefaultWeights(store.embedder, question.ranking.fusion));
  Json json = {{"mode", ModeName(question.mode)}};
  if (explain.filter) json["filter"] = FilterJson(*explain.filter);
  json["candidates"] = {{"lexical", explain.lexical_candidates},
                        {"semantic", explain.semantic_candidates},
                        {"combined", explain.combined_candidates}};
  json["cache"] = {{"embedding", "none"}, {"fts", "none"}, {"vec", "none"}};
  json["resolved_config"] = ConfigJson(question, weights, store, config);
  json["snapshot"] = SnapshotOf(question, facts);
  if (!question.mode) return json;
  json["lexical"] = LexicalJson(question, explain);
  json["semantic"] = {{"method", explain.semantic_method},
                      {"vectors_scanned", explain.vectors_scanned},
                      {"vectors_reranked", explain.vectors_reranked},
                      {"trust", explain.semantic_confidence},
                      {"feedback_chunks", explain.feedback_chunks}};
  json["calibration"] = explain.calibration;
  if (explain.fusion != FusionMethod::kDefault) json["fusion"] = FusionName(explain.fusion);
  for (const StageSummary& stage : explain.stages) {
    Json summary = {{"stage", stage.stage},
                    {"parameters", stage.parameters},
                    {"ranked", stage.ranked},
                    {"left_out", stage.left_out}};
    if (!stage.note.empty()) summary["note"] = stage.note;
    json["stages"].push_back(std::move(summary));
  }
  return json;
}

}  // namespace recall
