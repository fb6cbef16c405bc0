#include "cli/show/output/ask_json.h"

#include "query/types/fusion_choice.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

const char* LexicalModeName(LexicalMode mode) {
  return mode == LexicalMode::kLiteral ? "literal" : "query";
}

double Milliseconds(int64_t micros) { return static_cast<double>(micros) / 1000; }

const std::string& SnapshotOf(const Question& question, const AnswerFacts& facts) {
  return question.snapshot.empty() ? facts.store.snapshot : question.snapshot;
}

void WriteFilter(const FilterExplain& filter, JsonWriter& json) {
  json.Field("filter", filter.filter);
  json.Field("matches", filter.matches);
  json.Objects("steps", filter.steps, [&](const FilterExplain::Step& step) {
    json.Field("predicate", step.predicate);
    json.Field("method", step.method);
    json.Field("matches", step.matches);
    json.Field("ms", Milliseconds(step.micros));
  });
}

void WriteConfig(const Explanation& explanation, JsonWriter& json) {
  const auto& [question, facts, store, config, query_cache] = explanation;
  const FusionWeights weights = explanation.weights();
  json.Field("embedding", store.embedder);
  json.Field("embedding_dim", store.dim);
  json.Field("vector_index", question.exact ? "exact" : "signature");
  json.Field("bm25_weight", weights.lexical);
  json.Field("vector_weight", weights.semantic);
  json.Field("max_limit", config.max_limit);
  json.Field("chunk_tokens", store.chunk_tokens);
  json.Field("overlap_tokens", store.overlap_tokens);
  json.Field("lexical_mode", LexicalModeName(question.lexical_mode));
  const RankingChoice& ranking = question.ranking;
  if (ranking.fusion != FusionMethod::kDefault) {
    json.Field("fusion", PrintFusion({ranking.fusion, ranking.parts}));
  }
}

void WriteLexical(const Question& question, const SearchExplain& explain, JsonWriter& json) {
  json.Field("mode", LexicalModeName(question.lexical_mode));
  json.Field("original", question.text);
  json.Field("sanitized_applied", false);
  json.Objects("terms", explain.terms, [&](const SearchExplain::Term& term) {
    json.Field("text", term.text);
    json.Field("occur", term.occur);
    json.Field("matches", term.matches);
    json.Field("idf", term.idf);
    if (term.related.empty()) return;
    json.Objects("related", term.related, [&](const SearchExplain::Term::Related& related) {
      json.Field("text", related.word);
      json.Field("similarity", related.similarity);
      json.Field("matches", related.matches);
    });
  });
}

// Writes the fields of `explain` that describe a ranking, except its candidates.
void WriteRanking(const Question& question, const SearchExplain& explain, JsonWriter& json) {
  json.Object("lexical", [&] { WriteLexical(question, explain, json); });
  json.Object("semantic", [&] {
    json.Field("method", explain.semantic_method);
    json.Field("vectors_scanned", explain.vectors_scanned);
    json.Field("vectors_reranked", explain.vectors_reranked);
    json.Field("trust", explain.semantic_confidence);
    json.Field("feedback_chunks", explain.feedback_chunks);
  });
  json.Field("calibration", explain.calibration);
  if (!question.ranking.cues.empty()) json.Field("cues", question.ranking.cues);
  if (question.ranking.min_score > 0) json.Field("below_floor", explain.below_floor);
  if (explain.fusion != FusionMethod::kDefault) {
    json.Field("fusion", PrintFusion({explain.fusion, explain.parts}));
  }
  if (explain.stages.empty()) return;
  json.Objects("stages", explain.stages, [&](const StageSummary& stage) {
    json.Field("stage", stage.stage);
    json.Field("parameters", stage.parameters);
    json.Field("ranked", stage.ranked);
    json.Field("left_out", stage.left_out);
    if (!stage.note.empty()) json.Field("note", stage.note);
  });
}

}  // namespace

Question Question::FromRequest(const SearchRequest& request) {
  Question question;
  question.text = request.text;
  question.lexical_mode = request.lexical_mode;
  question.snapshot = request.scope.snapshot;
  if (!request.newest) question.mode = request.mode;
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

const SearchExplain& Explanation::search() const {
  static const SearchExplain kNothing;
  return facts.explain ? *facts.explain : kNothing;
}

FusionWeights Explanation::weights() const {
  if (question.mode) return search().weights;
  return question.weights.value_or(DefaultWeights(store.embedder, question.ranking.fusion));
}

const std::string& Explanation::snapshot() const { return SnapshotOf(question, facts); }

const char* ModeName(std::optional<SearchMode> mode) {
  if (!mode) return "structured";
  if (*mode == SearchMode::kLexical) return "lexical";
  return *mode == SearchMode::kSemantic ? "semantic" : "hybrid";
}

void WriteFields(const View& view, JsonWriter& json) {
  json.Field("name", view.name);
  json.Field("origin", view.origin);
  for (const auto& [key, value] : ValuesOf(view)) {
    std::visit([&, &name = key](const auto& known) { json.Field(name, known); }, value);
  }
}

void WriteQuery(const Question& question, const AnswerFacts& facts, JsonWriter& json) {
  json.Field("text", question.text);
  json.Field("rql", question.rql);
  json.FieldOrNull("filters", facts.filter);
  if (question.limit) json.Field("limit", *question.limit);
  json.Field("offset", question.offset);
  json.Field("lexical_mode", LexicalModeName(question.lexical_mode));
  json.Field("snapshot", SnapshotOf(question, facts));
  json.Field("mode", ModeName(question.mode));
  if (question.view) json.Field("view", question.view->name);
  if (!question.ranking.stages.empty()) json.Field("stages", question.ranking.stages);
  if (!question.ranking.field_weights.empty()) {
    json.Field("field_weights", question.ranking.field_weights);
  }
  if (question.ranking.min_score > 0) json.Field("min_score", question.ranking.min_score);
  if (facts.as_of) json.Field("as_of", FormatRfc3339(*facts.as_of));
  const auto write_words = [&](std::string_view key, const auto& words) {
    if (words.empty()) return;
    json.Objects(key, words, [&](const auto& word) {
      json.Field("word", word.word);
      json.Field("terms", word.terms);
    });
  };
  write_words("expansions", facts.expansions);
  write_words("related", facts.related_words);
  write_words("synonyms", facts.synonyms);
}

void WriteExplain(const Explanation& explanation, JsonWriter& json) {
  const Question& question = explanation.question;
  const SearchExplain& explain = explanation.search();
  json.Field("mode", ModeName(question.mode));
  if (question.view) json.Object("view", [&] { WriteFields(*question.view, json); });
  if (explain.filter) json.Object("filter", [&] { WriteFilter(*explain.filter, json); });
  if (const auto& rebuilt = explanation.facts.rebuilt) {
    json.Object("rebuilt", [&] {
      json.Field("model", rebuilt->model);
      json.Field("vectors", rebuilt->vectors);
    });
  }
  json.Object("candidates", [&] {
    json.Field("lexical", explain.lexical_candidates);
    json.Field("semantic", explain.semantic_candidates);
    json.Field("combined", explain.combined_candidates);
    if (explain.trigger_candidates) json.Field("triggers", *explain.trigger_candidates);
  });
  json.Object("cache", [&] {
    json.Field("embedding", "none");
    json.Field("fts", "none");
    json.Field("vec", "none");
    json.Field("query", explanation.query_cache);
  });
  json.Object("resolved_config", [&] { WriteConfig(explanation, json); });
  json.Field("snapshot", explanation.snapshot());
  if (question.mode) WriteRanking(question, explain, json);
}

}  // namespace recall
