#include "cli/show/output/eval_output.h"

#include <cmath>
#include <cstdio>
#include <optional>

#include "cli/show/output/ask_json.h"
#include "cli/show/output/text_table.h"
#include "cli/show/terminal/terminal.h"
#include "query/types/fusion_choice.h"

namespace recall {
namespace {

// Adding 0 turns -0 into 0.
double Rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

std::string Figure(double value, int decimals, const char* format = "%.*f") {
  char text[32];
  std::snprintf(text, sizeof(text), format, decimals, value);
  return text;
}

void WriteFields(const RetrieverQualities& retrievers, const RetrieverIntervals& intervals,
                 JsonWriter& json) {
  for (size_t retriever = 0; retriever < retrievers.size(); ++retriever) {
    json.Object(EvalRetrieverName(kEvalRetrievers[retriever]), [&] {
      json.Field("ndcg_at_10", Rounded(retrievers[retriever].ndcg_at_10));
      json.Field("ndcg_at_10_low", Rounded(intervals[retriever].low));
      json.Field("ndcg_at_10_high", Rounded(intervals[retriever].high));
      json.Field("recall_at_100", Rounded(retrievers[retriever].recall_at_100));
      json.Field("mrr_at_10", Rounded(retrievers[retriever].mrr_at_10));
    });
  }
}

void WriteFields(const PairedDifference& paired, JsonWriter& json) {
  json.Field("difference", Rounded(paired.difference));
  json.Field("low", Rounded(paired.low));
  json.Field("high", Rounded(paired.high));
  json.Field("p", Rounded(paired.p));
}

// Writes an array of the numbers that `value(item)` returns.
template <typename Items, typename ValueOf>
void WriteNumbers(std::string_view name, const Items& items, ValueOf value, JsonWriter& json) {
  json.BeginArray(name);
  for (const auto& item : items) json.Double(Rounded(value(item)));
  json.EndArray();
}

// Writes the quality of each search mode, and the differences of semantic and hybrid search from
// lexical search: those of a collection, or the means of all.
template <typename Judged>
void WriteRetrievers(const RetrieverQualities& retrievers, const Judged& judged, JsonWriter& json) {
  json.Object("legs", [&] { WriteFields(retrievers, judged.ndcg_intervals, json); });
  json.Object("comparison", [&] {
    json.Field("against", "lexical");
    json.Field("measure", "ndcg_at_10");
    json.Object("semantic", [&] { WriteFields(judged.semantic, json); });
    json.Object("hybrid", [&] { WriteFields(judged.hybrid, json); });
  });
}

// Writes the settings of the temporary stores and of the queries.
void WriteSettings(const EvalRequest& request, JsonWriter& json) {
  const bool query = request.search.lexical_mode == LexicalMode::kQuery;
  const FusionWeights weights = request.search.weights.value_or(
      DefaultWeights(request.settings.embedder, request.search.ranking.fusion));
  json.Field("embedding", request.settings.embedder);
  json.Field("embedding_dim", request.settings.dim);
  json.Field("chunk_tokens", request.settings.chunk_tokens);
  json.Field("overlap_tokens", request.settings.overlap_tokens);
  json.Field("bm25_weight", weights.lexical);
  json.Field("vector_weight", weights.semantic);
  json.Field("lexical_mode", query ? "query" : "literal");
  json.Field("exact", request.search.exact);
  if (!request.search.expand_words) json.Field("expand", false);
  const RankingChoice& ranking = request.search.ranking;
  if (ranking.fusion != FusionMethod::kDefault) {
    json.Field("fusion", PrintFusion({ranking.fusion, ranking.parts}));
  }
  if (!ranking.stages.empty()) json.Field("stages", ranking.stages);
  if (!ranking.field_weights.empty()) json.Field("field_weights", ranking.field_weights);
  if (!ranking.cues.empty()) json.Field("cues", ranking.cues);
  const std::string& filter = request.search.scope.filter;
  if (!filter.empty()) json.Field("filter", filter);
  if (ranking.min_score > 0) json.Field("min_score", ranking.min_score);
}

void WriteFields(const EvalCollection& collection, JsonWriter& json) {
  json.Field("name", collection.name);
  json.Field("directory", collection.directory);
  json.Field("documents", collection.documents);
  json.Field("chunks", collection.chunks);
  json.Field("queries", collection.queries);
  json.Object("left_out", [&] {
    json.Field("unjudged_queries", collection.unjudged_queries);
    json.Field("judgements_without_query", collection.judgements_without_query);
    json.Field("judgements_without_document", collection.judgements_without_document);
    json.Field("documents_not_text", collection.documents_not_text);
  });
  WriteRetrievers(collection.retrievers, collection, json);
  json.Object("per_query", [&] {
    std::vector<std::string> ids;
    for (const EvalCollection::Query& query : collection.per_query) ids.push_back(query.id);
    json.Field("ids", ids);
    for (size_t retriever = 0; retriever < kEvalRetrievers.size(); ++retriever) {
      WriteNumbers(
          EvalRetrieverName(kEvalRetrievers[retriever]), collection.per_query,
          [&](const EvalCollection::Query& query) {
            return query.retrievers[retriever].ndcg_at_10;
          },
          json);
    }
  });
}

std::vector<std::string> QualityRow(std::vector<std::string> row,
                                    const RetrieverQualities& retrievers) {
  for (const RankQuality& quality : retrievers) {
    row.push_back(Figure(quality.ndcg_at_10, 4) + " / " + Figure(quality.recall_at_100, 3) + " / " +
                  Figure(quality.mrr_at_10, 3));
  }
  return row;
}

// Returns: the value with its sign. A value that rounds to 0 has a plus.
std::string Signed(double value) {
  return Figure(std::fabs(value) < 0.00005 ? 0 : value, 4, "%+.*f");
}

std::string DifferenceCell(const PairedDifference& paired) {
  return Signed(paired.difference) + " [" + Signed(paired.low) + ", " + Signed(paired.high) +
         "] p " + Figure(paired.p, 4);
}

std::string LeftOut(const EvalCollection& collection) {
  std::string words;
  const auto add = [&](int64_t count, const std::string& what) {
    if (count > 0) words += (words.empty() ? "" : ", ") + what + ": " + std::to_string(count);
  };
  add(collection.unjudged_queries, "queries without a relevant document");
  add(collection.judgements_without_query, "judgements of unknown queries");
  add(collection.judgements_without_document, "judgements of unknown documents");
  add(collection.documents_not_text, "documents that are not text");
  return words.empty() ? "" : EscapeLine(collection.name) + ": skipped: " + words + "\n";
}

// ---- Spans ------------------------------------------------------------------------------------

void WriteFields(const SpanQuality& quality, JsonWriter& json) {
  json.Field("token_recall", Rounded(quality.token_recall));
  json.Field("precision", Rounded(quality.precision));
  json.Field("iou", Rounded(quality.iou));
}

std::optional<double> Ratio(double value, double base) {
  return base > 0 ? std::optional(Rounded(value / base)) : std::nullopt;
}

void WriteFields(const SpanSetResult::Budget& budget, JsonWriter& json) {
  const SpanQuality& context = budget.context;
  const SpanQuality& windows = budget.windows;
  json.Field("budget_tokens", budget.budget_tokens);
  json.Object("context", [&] { WriteFields(context, json); });
  json.Object("windows", [&] { WriteFields(windows, json); });
  json.Object("ratio", [&] {
    json.Field("token_recall", Ratio(context.token_recall, windows.token_recall));
    json.Field("precision", Ratio(context.precision, windows.precision));
    json.Field("iou", Ratio(context.iou, windows.iou));
  });
  json.Object("comparison", [&] {
    json.Field("against", "windows");
    json.Object("token_recall", [&] { WriteFields(budget.token_recall, json); });
    json.Object("precision", [&] { WriteFields(budget.precision, json); });
  });
}

void WriteFields(const SpanSetResult& set, JsonWriter& json) {
  json.Field("name", set.name);
  json.Field("directory", set.directory);
  json.Field("documents", set.documents);
  json.Field("chunks", set.chunks);
  json.Field("windows", set.windows);
  json.Field("questions", set.questions);
  json.Object("left_out",
              [&] { json.Field("questions_without_spans", set.questions_without_spans); });
  size_t place = 0;
  json.Objects("budgets", set.budgets, [&](const auto& budget) {
    WriteFields(budget, json);
    json.Object("per_question", [&] {
      using Question = SpanSetResult::Question;
      WriteNumbers(
          "token_recall", set.per_question,
          [&](const Question& question) { return question.context[place].token_recall; }, json);
      WriteNumbers(
          "precision", set.per_question,
          [&](const Question& question) { return question.context[place].precision; }, json);
    });
    ++place;
  });
  std::vector<std::string> ids;
  for (const SpanSetResult::Question& question : set.per_question) ids.push_back(question.id);
  json.Field("question_ids", ids);
}

std::string QualityCell(const SpanQuality& quality) {
  return Figure(quality.token_recall, 4) + " / " + Figure(quality.precision, 4) + " / " +
         Figure(quality.iou, 4);
}

std::string RatioCell(const SpanSetResult::Budget& budget) {
  const auto ratio = [](double value, double base) {
    return base > 0 ? Figure(value / base, 3) : "-";
  };
  return ratio(budget.context.token_recall, budget.windows.token_recall) + " / " +
         ratio(budget.context.precision, budget.windows.precision) + " / " +
         ratio(budget.context.iou, budget.windows.iou);
}

}  // namespace

void WriteFields(const EvalReport& report, const EvalRequest& request, JsonWriter& json) {
  json.Object("settings", [&] { WriteSettings(request, json); });
  json.Objects("collections", report.collections,
               [&](const auto& collection) { WriteFields(collection, json); });
  json.Object("average", [&] { WriteRetrievers(report.average, report, json); });
}

TextTable QualityTable(const EvalReport& report) {
  TextTable table = {{{"", "documents", "chunks", "queries", "lexical", "semantic", "hybrid"}},
                     {false, true, true, true, false, false, false}};
  for (const EvalCollection& collection : report.collections) {
    table.rows.push_back(
        QualityRow({collection.name, std::to_string(collection.documents),
                    std::to_string(collection.chunks), std::to_string(collection.queries)},
                   collection.retrievers));
  }
  if (report.collections.size() > 1) {
    table.rows.push_back(QualityRow({"average", "", "", ""}, report.average));
  }
  return table;
}

TextTable DifferenceTable(const EvalReport& report) {
  TextTable table = {{{"", "semantic", "hybrid"}}, {false, false, false}};
  for (const EvalCollection& collection : report.collections) {
    table.rows.push_back(
        {collection.name, DifferenceCell(collection.semantic), DifferenceCell(collection.hybrid)});
  }
  if (report.collections.size() > 1) {
    table.rows.push_back(
        {"average", DifferenceCell(report.semantic), DifferenceCell(report.hybrid)});
  }
  return table;
}

std::string FormatEvalReport(const EvalReport& report, size_t columns) {
  std::string left_out;
  for (const EvalCollection& collection : report.collections) left_out += LeftOut(collection);
  return "nDCG@10 / recall@100 / MRR@10\n\n" + FormatTable(QualityTable(report), columns) + "\n" +
         std::string(kDifferenceTitle) + "\n\n" + FormatTable(DifferenceTable(report), columns) +
         (left_out.empty() ? "" : "\n" + left_out);
}

void WriteFields(const SpanReport& report, const EvalRequest& request, JsonWriter& json) {
  json.Object("settings", [&] {
    WriteSettings(request, json);
    json.Field("pieces", request.pieces == ContextPieces::kChunks ? "chunks" : "passages");
    json.Field("citations", request.citations);
    json.Field("token_counter", "whitespace");
  });
  json.Objects("spans", report.sets, [&](const auto& set) { WriteFields(set, json); });
}

TextTable SpanSetTable(const SpanReport& report) {
  TextTable table = {{{"", "documents", "chunks", "windows", "questions"}},
                     {false, true, true, true, true}};
  for (const SpanSetResult& set : report.sets) {
    table.rows.push_back({set.name, std::to_string(set.documents), std::to_string(set.chunks),
                          std::to_string(set.windows), std::to_string(set.questions)});
  }
  return table;
}

TextTable SpanQualityTable(const SpanReport& report) {
  TextTable table = {{{"", "words", "context", "windows", "context / windows"}},
                     {false, true, false, false, false}};
  for (const SpanSetResult& set : report.sets) {
    for (const SpanSetResult::Budget& budget : set.budgets) {
      table.rows.push_back({set.name, std::to_string(budget.budget_tokens),
                            QualityCell(budget.context), QualityCell(budget.windows),
                            RatioCell(budget)});
    }
  }
  return table;
}

TextTable SpanDifferenceTable(const SpanReport& report) {
  TextTable table = {{{"", "words", "token recall", "precision"}}, {false, true, false, false}};
  for (const SpanSetResult& set : report.sets) {
    for (const SpanSetResult::Budget& budget : set.budgets) {
      table.rows.push_back({set.name, std::to_string(budget.budget_tokens),
                            DifferenceCell(budget.token_recall), DifferenceCell(budget.precision)});
    }
  }
  return table;
}

std::string FormatEvalReport(const SpanReport& report, size_t columns) {
  std::string left_out;
  for (const SpanSetResult& set : report.sets) {
    if (set.questions_without_spans == 0) continue;
    left_out += EscapeLine(set.name) + ": skipped: questions without a span: " +
                std::to_string(set.questions_without_spans) + "\n";
  }
  return FormatTable(SpanSetTable(report), columns) +
         "\nToken recall / precision / IoU of the packed text\n\n" +
         FormatTable(SpanQualityTable(report), columns) + "\n" + std::string(kSpanDifferenceTitle) +
         "\n\n" + FormatTable(SpanDifferenceTable(report), columns) +
         (left_out.empty() ? "" : "\n" + left_out);
}

// ---- Answers ----------------------------------------------------------------------------------

namespace {

constexpr std::array<std::string_view, kAnswerPackings> kPackings = {"context", "chunks",
                                                                     "windows"};

void WriteFields(const AnswerShares& shares, JsonWriter& json) {
  json.Field("questions", shares.questions);
  for (size_t i = 0; i < kAnswerPackings; ++i) {
    json.Object(kPackings[i], [&] {
      json.Field("contained", Rounded(shares.contained[i]));
      json.Field("low", Rounded(shares.intervals[i].low));
      json.Field("high", Rounded(shares.intervals[i].high));
    });
  }
}

void WriteFields(const AnswerReport::Budget& budget, JsonWriter& json) {
  json.Field("budget_tokens", budget.budget_tokens);
  WriteFields(budget.all, json);
  json.Object("comparison", [&] {
    json.Object("chunks", [&] { WriteFields(budget.chunks, json); });
    json.Object("windows", [&] { WriteFields(budget.windows, json); });
  });
  json.Objects("kinds", budget.kinds, [&](const auto& kind) {
    json.Field("kind", kind.first);
    WriteFields(kind.second, json);
  });
}

std::vector<std::string> AnswerRow(std::string kind, const AnswerReport::Budget& budget,
                                   const AnswerShares& shares) {
  std::vector<std::string> row = {std::move(kind), std::to_string(budget.budget_tokens),
                                  std::to_string(shares.questions)};
  for (size_t i = 0; i < kAnswerPackings; ++i) {
    row.push_back(Figure(shares.contained[i], 3) + " [" + Figure(shares.intervals[i].low, 3) +
                  ", " + Figure(shares.intervals[i].high, 3) + "]");
  }
  return row;
}

}  // namespace

void WriteFields(const AnswerReport& report, const EvalRequest& request, JsonWriter& json) {
  json.Object("settings", [&] {
    WriteSettings(request, json);
    json.Field("pieces", request.pieces == ContextPieces::kChunks ? "chunks" : "passages");
    json.Field("citations", request.citations);
    json.Field("token_counter", kEstimateCounter);
  });
  json.Object("answers", [&] {
    json.Objects("corpora", report.corpora, [&](const AnswerReport::Corpus& corpus) {
      json.Field("name", corpus.name);
      json.Field("directory", corpus.directory);
      json.Field("documents", corpus.documents);
      json.Field("chunks", corpus.chunks);
      json.Field("windows", corpus.windows);
      json.Field("questions", corpus.questions);
    });
    json.Objects("budgets", report.budgets, [&](const auto& budget) { WriteFields(budget, json); });
    json.Field("in_five_chunks", Rounded(report.in_five_chunks));
    json.Field("in_ten_chunks", Rounded(report.in_ten_chunks));
    json.Field("in_first_chunk", Rounded(report.in_first_chunk));
    json.Field("in_first_snippet", Rounded(report.in_first_snippet));
    json.Objects("questions", report.questions, [&](const AnswerReport::Question& question) {
      json.Field("id", question.id);
      json.Field("kind", question.kind);
      json.Field("corpus", question.corpus);
      for (size_t i = 0; i < kAnswerPackings; ++i) {
        json.BeginArray(kPackings[i]);  // a 1 or 0 for each budget
        for (const auto& contained : question.contained) json.Double(contained[i] ? 1 : 0);
        json.EndArray();
      }
    });
  });
}

TextTable AnswerCorpusTable(const AnswerReport& report) {
  TextTable table = {{{"", "documents", "chunks", "windows", "questions"}},
                     {false, true, true, true, true}};
  for (const AnswerReport::Corpus& corpus : report.corpora) {
    table.rows.push_back({corpus.name, std::to_string(corpus.documents),
                          std::to_string(corpus.chunks), std::to_string(corpus.windows),
                          std::to_string(corpus.questions)});
  }
  return table;
}

TextTable AnswerTable(const AnswerReport& report) {
  TextTable table = {{{"", "tokens", "questions", "context", "chunks", "windows"}},
                     {false, true, true, false, false, false}};
  for (const AnswerReport::Budget& budget : report.budgets) {
    table.rows.push_back(AnswerRow("all", budget, budget.all));
  }
  for (size_t kind = 0; kind < report.budgets.front().kinds.size(); ++kind) {
    for (const AnswerReport::Budget& budget : report.budgets) {
      const auto& [name, shares] = budget.kinds[kind];
      table.rows.push_back(AnswerRow(name.empty() ? "-" : name, budget, shares));
    }
  }
  return table;
}

TextTable AnswerDifferenceTable(const AnswerReport& report) {
  TextTable table = {{{"tokens", "chunks", "windows"}}, {true, false, false}};
  for (const AnswerReport::Budget& budget : report.budgets) {
    table.rows.push_back({std::to_string(budget.budget_tokens), DifferenceCell(budget.chunks),
                          DifferenceCell(budget.windows)});
  }
  return table;
}

std::string AnswersInReach(const AnswerReport& report) {
  return "In the full texts of the best five chunks: " + Figure(report.in_five_chunks, 3) +
         ", of the best ten: " + Figure(report.in_ten_chunks, 3) +
         "\nIn the chunk of the first hit: " + Figure(report.in_first_chunk, 3) +
         ", in its snippet: " + Figure(report.in_first_snippet, 3);
}

std::string FormatEvalReport(const AnswerReport& report, size_t columns) {
  return FormatTable(AnswerCorpusTable(report), columns) + "\n" + std::string(kAnswerTitle) +
         "\n\n" + FormatTable(AnswerTable(report), columns) + "\n" + AnswersInReach(report) +
         "\n\n" + std::string(kAnswerDifferenceTitle) + "\n\n" +
         FormatTable(AnswerDifferenceTable(report), columns);
}

}  // namespace recall
