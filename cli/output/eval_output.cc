#include "cli/output/eval_output.h"

#include <cmath>
#include <cstdio>

#include "cli/output/ask_json.h"
#include "cli/output/text_table.h"
#include "cli/terminal/terminal.h"

namespace recall {
namespace {

// Adding 0 makes -0 a plain one.
double Rounded(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

std::string Figure(double value, int decimals, const char* format = "%.*f") {
  char text[32];
  std::snprintf(text, sizeof(text), format, decimals, value);
  return text;
}

Json ToJson(const RetrieverQualities& retrievers) {
  Json json;
  for (size_t retriever = 0; retriever < retrievers.size(); ++retriever) {
    json[std::string(EvalRetrieverName(kEvalRetrievers[retriever]))] = {
        {"ndcg_at_10", Rounded(retrievers[retriever].ndcg_at_10)},
        {"recall_at_100", Rounded(retrievers[retriever].recall_at_100)},
        {"mrr_at_10", Rounded(retrievers[retriever].mrr_at_10)}};
  }
  return json;
}

Json ToJson(const PairedDifference& paired) {
  return {{"difference", Rounded(paired.difference)},
          {"low", Rounded(paired.low)},
          {"high", Rounded(paired.high)},
          {"p", Rounded(paired.p)}};
}

Json Comparison(const PairedDifference& semantic, const PairedDifference& hybrid) {
  return {{"against", "lexical"},
          {"measure", "ndcg_at_10"},
          {"semantic", ToJson(semantic)},
          {"hybrid", ToJson(hybrid)}};
}

// What the stores were made and asked with.
Json Settings(const EvalRequest& request) {
  const bool query = request.search.lexical_mode == LexicalMode::kQuery;
  const FusionWeights weights = request.search.weights.value_or(
      DefaultWeights(request.settings.embedder, request.search.ranking.fusion));
  Json json = {{"embedding", request.settings.embedder},
               {"embedding_dim", request.settings.dim},
               {"chunk_tokens", request.settings.chunk_tokens},
               {"overlap_tokens", request.settings.overlap_tokens},
               {"bm25_weight", weights.lexical},
               {"vector_weight", weights.semantic},
               {"lexical_mode", query ? "query" : "literal"},
               {"exact", request.search.exact}};
  const RankingChoice& ranking = request.search.ranking;
  if (ranking.fusion != FusionMethod::kDefault) json["fusion"] = FusionName(ranking.fusion);
  if (!ranking.stages.empty()) json["stages"] = ranking.stages;
  if (ranking.min_score > 0) json["min_score"] = ranking.min_score;
  return json;
}

Json ToJson(const EvalCollection& collection) {
  return {{"name", collection.name},
          {"directory", collection.directory},
          {"documents", collection.documents},
          {"chunks", collection.chunks},
          {"queries", collection.queries},
          {"left_out",
           {{"unjudged_queries", collection.unjudged_queries},
            {"judgements_without_query", collection.judgements_without_query},
            {"judgements_without_document", collection.judgements_without_document},
            {"documents_not_text", collection.documents_not_text}}},
          {"legs", ToJson(collection.retrievers)},
          {"comparison", Comparison(collection.semantic, collection.hybrid)}};
}

std::vector<std::string> QualityRow(std::vector<std::string> row,
                                    const RetrieverQualities& retrievers) {
  for (const RankQuality& quality : retrievers) {
    row.push_back(Figure(quality.ndcg_at_10, 4) + " / " + Figure(quality.recall_at_100, 3) + " / " +
                  Figure(quality.mrr_at_10, 3));
  }
  return row;
}

// With its sign; what rounds to 0 has a plus.
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
  return words.empty() ? "" : EscapeLine(collection.name) + ": left out: " + words + "\n";
}

// ---- Spans ------------------------------------------------------------------------------------

Json ToJson(const SpanQuality& quality) {
  return {{"token_recall", Rounded(quality.token_recall)},
          {"precision", Rounded(quality.precision)},
          {"iou", Rounded(quality.iou)}};
}

Json Ratio(double value, double base) {
  return base > 0 ? Json(Rounded(value / base)) : Json(nullptr);
}

Json ToJson(const SpanSetResult::Budget& budget) {
  return {{"budget_tokens", budget.budget_tokens},
          {"context", ToJson(budget.context)},
          {"windows", ToJson(budget.windows)},
          {"ratio",
           {{"token_recall", Ratio(budget.context.token_recall, budget.windows.token_recall)},
            {"precision", Ratio(budget.context.precision, budget.windows.precision)},
            {"iou", Ratio(budget.context.iou, budget.windows.iou)}}},
          {"comparison",
           {{"against", "windows"},
            {"token_recall", ToJson(budget.token_recall)},
            {"precision", ToJson(budget.precision)}}}};
}

Json ToJson(const SpanSetResult& set) {
  Json budgets = Json::array();
  for (const SpanSetResult::Budget& budget : set.budgets) budgets.push_back(ToJson(budget));
  return {{"name", set.name},
          {"directory", set.directory},
          {"documents", set.documents},
          {"chunks", set.chunks},
          {"windows", set.windows},
          {"questions", set.questions},
          {"left_out", {{"questions_without_spans", set.questions_without_spans}}},
          {"budgets", std::move(budgets)}};
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

Json ToJson(const EvalReport& report, const EvalRequest& request) {
  Json collections = Json::array();
  for (const EvalCollection& collection : report.collections) {
    collections.push_back(ToJson(collection));
  }
  return {{"settings", Settings(request)},
          {"collections", std::move(collections)},
          {"average",
           {{"legs", ToJson(report.average)},
            {"comparison", Comparison(report.semantic, report.hybrid)}}}};
}

std::string FormatEvalReport(const EvalReport& report) {
  std::vector<std::vector<std::string>> qualities = {
      {"", "documents", "chunks", "queries", "lexical", "semantic", "hybrid"}};
  std::vector<std::vector<std::string>> differences = {{"", "semantic", "hybrid"}};
  std::string left_out;
  for (const EvalCollection& collection : report.collections) {
    qualities.push_back(
        QualityRow({collection.name, std::to_string(collection.documents),
                    std::to_string(collection.chunks), std::to_string(collection.queries)},
                   collection.retrievers));
    differences.push_back(
        {collection.name, DifferenceCell(collection.semantic), DifferenceCell(collection.hybrid)});
    left_out += LeftOut(collection);
  }
  if (report.collections.size() > 1) {
    qualities.push_back(QualityRow({"average", "", "", ""}, report.average));
    differences.push_back(
        {"average", DifferenceCell(report.semantic), DifferenceCell(report.hybrid)});
  }
  return "nDCG@10 / recall@100 / MRR@10\n\n" +
         FormatTable(qualities, {false, true, true, true, false, false, false}) +
         "\nnDCG@10 minus that of the lexical leg, 95 % interval, p of the paired bootstrap\n\n" +
         FormatTable(differences, {false, false, false}) +
         (left_out.empty() ? "" : "\n" + left_out);
}

Json ToJson(const SpanReport& report, const EvalRequest& request) {
  Json settings = Settings(request);
  settings["pieces"] = request.pieces == ContextPieces::kChunks ? "chunks" : "passages";
  settings["citations"] = request.citations;
  Json sets = Json::array();
  for (const SpanSetResult& set : report.sets) sets.push_back(ToJson(set));
  return {{"settings", std::move(settings)}, {"spans", std::move(sets)}};
}

std::string FormatEvalReport(const SpanReport& report) {
  std::vector<std::vector<std::string>> sets = {
      {"", "documents", "chunks", "windows", "questions"}};
  std::vector<std::vector<std::string>> qualities = {
      {"", "budget", "context", "windows", "context / windows"}};
  std::vector<std::vector<std::string>> differences = {{"", "budget", "token recall", "precision"}};
  std::string left_out;
  for (const SpanSetResult& set : report.sets) {
    sets.push_back({set.name, std::to_string(set.documents), std::to_string(set.chunks),
                    std::to_string(set.windows), std::to_string(set.questions)});
    for (const SpanSetResult::Budget& budget : set.budgets) {
      const std::string tokens = std::to_string(budget.budget_tokens);
      qualities.push_back({set.name, tokens, QualityCell(budget.context),
                           QualityCell(budget.windows), RatioCell(budget)});
      differences.push_back({set.name, tokens, DifferenceCell(budget.token_recall),
                             DifferenceCell(budget.precision)});
    }
    if (set.questions_without_spans == 0) continue;
    left_out += EscapeLine(set.name) + ": left out: questions without a span: " +
                std::to_string(set.questions_without_spans) + "\n";
  }
  return FormatTable(sets, {false, true, true, true, true}) +
         "\nToken recall / precision / IoU of what is packed\n\n" +
         FormatTable(qualities, {false, true, false, false, false}) +
         "\nContext minus windows, 95 % interval, p of the paired bootstrap\n\n" +
         FormatTable(differences, {false, true, false, false}) +
         (left_out.empty() ? "" : "\n" + left_out);
}

}  // namespace recall
