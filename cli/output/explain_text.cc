#include "cli/output/explain_text.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

namespace recall {
namespace {

std::string Printf(const char* format, double value) {
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), format, value);
  return buffer;
}

// Lines of a name, in a column of its own, and what there is to say.
class ExplainLines final {
 public:
  void Add(std::string_view name, const std::string& value) {
    constexpr size_t kColumn = 12;
    text_ +=
        std::string(name) + std::string(name.size() < kColumn ? kColumn - name.size() : 1, ' ');
    text_ += value + "\n";
  }
  std::string Finish() && { return std::move(text_); }

 private:
  std::string text_;
};

std::string Text(const Json& value) {
  if (value.is_string()) return EscapeLine(value.get<std::string>());
  const std::string line = DumpLine(value);
  return line.substr(0, line.size() - 1);
}

void AddFilter(const Json& filter, ExplainLines& lines) {
  lines.Add("filter", Text(filter.at("filter")) + "  " + Text(filter.at("matches")) + " matching");
  for (const Json& step : filter.at("steps")) {
    std::string words = Text(step.at("predicate")) + "  " + Text(step.at("method")) + "  " +
                        Text(step.at("matches")) + " matching";
    if (step.contains("ms")) words += Printf("  %.3f ms", step.at("ms").get<double>());
    lines.Add("  step", words);
  }
}

void AddRetrievers(const Json& explain, ExplainLines& lines) {
  const Json& candidates = explain.at("candidates");
  lines.Add("candidates", Text(candidates.at("lexical")) + " lexical, " +
                              Text(candidates.at("semantic")) + " semantic, " +
                              Text(candidates.at("combined")) + " combined");
  for (const Json& term : explain.at("lexical").at("terms")) {
    lines.Add("term", Text(term.at("text")) + "  " + Text(term.at("occur")) + "  " +
                          Text(term.at("matches")) +
                          Printf(" matching  idf %.4f", term.at("idf").get<double>()));
  }
  const Json& semantic = explain.at("semantic");
  lines.Add("vectors", Text(semantic.at("method")) + ": " + Text(semantic.at("vectors_scanned")) +
                           " scanned, " + Text(semantic.at("vectors_reranked")) + " reranked" +
                           Printf(", trust %.2f", semantic.at("trust").get<double>()));
  if (semantic.at("feedback_chunks") > 0) {
    lines.Add("feedback", "the question was moved towards the best " +
                              Text(semantic.at("feedback_chunks")) + " chunks");
  }
  if (explain.contains("fusion")) lines.Add("fusion", Text(explain.at("fusion")));
  for (const Json& stage : explain.value("stages", Json::array())) {
    std::string words = Text(stage.at("stage")) + ":" + Text(stage.at("parameters")) + "  " +
                        Text(stage.at("ranked")) + " ranked, " + Text(stage.at("left_out")) +
                        " left out";
    if (stage.contains("note")) words += "  " + Text(stage.at("note"));
    lines.Add("stage", words);
  }
  const Json& config = explain.at("resolved_config");
  lines.Add("weights", "bm25 " + Text(config.at("bm25_weight")) + ", vector " +
                           Text(config.at("vector_weight")));
  lines.Add("calibration", Printf("%.4f", explain.at("calibration").get<double>()));
}

// One row of a hit's block; what is empty leaves its column blank.
std::string Row(std::string_view name, const std::string& rank, const std::string& measured,
                std::optional<double> share) {
  char buffer[128];
  std::snprintf(buffer, sizeof(buffer), "%-10.*s  %-9s  %-15s", static_cast<int>(name.size()),
                name.data(), rank.c_str(), measured.c_str());
  std::string row = buffer;
  if (share) row += Printf("  share %.4f", *share);
  return row.substr(0, row.find_last_not_of(' ') + 1);
}

std::string RankText(const std::optional<int64_t>& rank) {
  return rank ? "rank " + std::to_string(*rank) : "no rank";
}

std::vector<std::string> HitRows(const HitExplain& explain, double calibration) {
  std::vector<std::string> rows;
  if (explain.lexical) {
    rows.push_back(Row("words", RankText(explain.lexical_rank),
                       Printf("bm25   %8.4f", *explain.lexical), explain.parts.lexical));
  }
  if (explain.ngrams) {
    rows.push_back(Row("grams", "", Printf("bm25   %8.4f", *explain.ngrams), explain.parts.ngrams));
  }
  if (explain.semantic) {
    rows.push_back(Row("meaning", RankText(explain.semantic_rank),
                       Printf("cosine %8.4f", *explain.semantic), explain.parts.semantic));
  }
  if (explain.parts.neighbours > 0) {
    rows.push_back(Row("neighbours", "", "", explain.parts.neighbours));
  }
  if (explain.first_stage_rank) {
    const std::string was = "was " + std::to_string(*explain.first_stage_rank);
    rows.push_back(Row("2nd stage", was, explain.feedback ? "gave feedback" : "", std::nullopt));
  }
  const double sum = explain.parts.Sum();
  rows.push_back(Printf("score       %.4f", sum) + Printf(" x %.4f", calibration) +
                 Printf(" = %.4f", std::min(sum * calibration, 1.0)));
  for (const StageEffect& stage : explain.stages) {
    std::string row =
        stage.stage + "  was " + std::to_string(stage.was) + ", now " + std::to_string(stage.rank);
    row += Printf("  score %.4f", stage.score_before) + Printf(" -> %.4f", stage.score);
    if (!stage.note.empty()) row += "  " + EscapeLine(stage.note);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::string FormatExplain(const Json& answer) {
  const Json& explain = answer.at("explain");
  ExplainLines lines;
  lines.Add("mode", Text(explain.at("mode")));
  if (explain.contains("filter")) AddFilter(explain.at("filter"), lines);
  if (explain.contains("lexical")) AddRetrievers(explain, lines);
  const Json& config = explain.at("resolved_config");
  lines.Add("embedding",
            Text(config.at("embedding")) + ", " + Text(config.at("embedding_dim")) + " dimensions");
  lines.Add("chunking", Text(config.at("chunk_tokens")) + " tokens, " +
                            Text(config.at("overlap_tokens")) + " overlap");
  lines.Add("snapshot", Text(explain.at("snapshot")));
  const Json timings = answer.at("stats").value("timings", Json::object());
  for (const auto& [name, milliseconds] : timings.items()) {
    lines.Add(name.substr(0, name.rfind("_ms")), Printf("%.3f ms", milliseconds.get<double>()));
  }
  return std::move(lines).Finish();
}

std::string FormatHitExplain(const HitExplain& explain, double calibration,
                             const TextStyle& style) {
  std::string block;
  for (const std::string& row : HitRows(explain, calibration)) {
    block += style.Dim("    " + row) + "\n";
  }
  return block;
}

std::string FormatPlaceExplain(const DocView& doc, const ChunkView& chunk,
                               const HitExplain& explain, double calibration,
                               const TextStyle& style) {
  return style.Path(EscapeLine(doc.path)) + ":" + std::to_string(chunk.start_line) + "-" +
         std::to_string(chunk.end_line) + "\n" + FormatHitExplain(explain, calibration, style);
}

}  // namespace recall
