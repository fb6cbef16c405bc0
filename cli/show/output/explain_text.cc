#include "cli/show/output/explain_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/show/output/number_text.h"
#include "query/types/fusion_choice.h"

namespace recall {
namespace {

// Lines "name value", with the names in a column of their own.
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

std::string Count(int64_t value) { return std::to_string(value); }

std::string Weight(double value) {
  std::string text;
  AppendJsonNumber(value, &text);
  return text;
}

std::string MillisText(int64_t micros) {
  return FormatNumber("%.3f ms", static_cast<double>(micros) / 1000);
}

void AddFilter(const FilterExplain& filter, bool stable, ExplainLines& lines) {
  lines.Add("filter", EscapeLine(filter.filter) + "  " + Count(filter.matches) + " matching");
  for (const FilterExplain::Step& step : filter.steps) {
    std::string words = EscapeLine(step.predicate) + "  " + EscapeLine(step.method) + "  " +
                        Count(step.matches) + " matching";
    if (!stable) words += "  " + MillisText(step.micros);
    lines.Add("  step", words);
  }
}

void AddRetrievers(const SearchExplain& explain, const RankingChoice& ranking,
                   ExplainLines& lines) {
  lines.Add("candidates",
            Count(explain.lexical_candidates) + " lexical, " + Count(explain.semantic_candidates) +
                " semantic, " +
                (explain.trigger_candidates ? Count(*explain.trigger_candidates) + " by triggers, "
                                            : "") +
                Count(explain.combined_candidates) + " combined");
  for (const SearchExplain::Term& term : explain.terms) {
    lines.Add("term", EscapeLine(term.text) + "  " + EscapeLine(term.occur) + "  " +
                          Count(term.matches) + FormatNumber(" matching  idf %.4f", term.idf));
    for (const SearchExplain::Term::Related& related : term.related) {
      lines.Add("  related", EscapeLine(related.word) +
                                 FormatNumber("  similarity %.2f  ", related.similarity) +
                                 Count(related.matches) + " matching");
    }
  }
  lines.Add("vectors", EscapeLine(explain.semantic_method) + ": " + Count(explain.vectors_scanned) +
                           " scanned, " + Count(explain.vectors_reranked) + " reranked" +
                           FormatNumber(", confidence %.2f", explain.semantic_confidence));
  if (explain.feedback_chunks > 0) {
    lines.Add("feedback", "the query vector was moved towards the best " +
                              Count(explain.feedback_chunks) +
                              (explain.feedback_chunks == 1 ? " chunk" : " chunks"));
  }
  if (explain.fusion != FusionMethod::kDefault) {
    lines.Add("fusion", PrintFusion({explain.fusion, explain.parts}));
  }
  if (!ranking.field_weights.empty()) lines.Add("fields", EscapeLine(ranking.field_weights));
  if (!ranking.cues.empty()) lines.Add("cues", EscapeLine(ranking.cues));
  for (const StageSummary& stage : explain.stages) {
    std::string words = EscapeLine(stage.stage);
    if (!stage.parameters.empty()) words += ":" + EscapeLine(stage.parameters);
    words += "  " + Count(stage.ranked) + " ranked, " + Count(stage.left_out) + " removed";
    if (!stage.note.empty()) words += "  " + EscapeLine(stage.note);
    lines.Add("stage", words);
  }
  lines.Add("weights", "bm25 " + Weight(explain.weights.lexical) + ", vector " +
                           Weight(explain.weights.semantic));
  lines.Add("calibration", FormatNumber("%.4f", explain.calibration));
}

// One line of FormatHitExplain. Empty arguments leave their columns blank.
std::string Row(std::string_view name, const std::string& rank, const std::string& measured,
                std::optional<double> share) {
  char buffer[128];
  std::snprintf(buffer, sizeof(buffer), "%-10.*s  %-9s  %-15s", static_cast<int>(name.size()),
                name.data(), rank.c_str(), measured.c_str());
  std::string row = buffer;
  if (share) row += FormatNumber("  share %.4f", *share);
  return row.substr(0, row.find_last_not_of(' ') + 1);
}

std::string RankText(const std::optional<int64_t>& rank) {
  return rank ? "rank " + std::to_string(*rank) : "no rank";
}

// "definition  + 1.0000  of EINVAL", "tests  x 0.6000"
std::string CueRow(const CueEffect& cue) {
  char buffer[64];
  const bool adds = cue.definition > 0;
  std::snprintf(buffer, sizeof(buffer), "  %s %.4f", adds ? "+" : "x",
                adds ? cue.definition : cue.factor);
  return cue.cue + buffer + (cue.note.empty() ? "" : "  of " + EscapeLine(cue.note));
}

// Cues, and then stages.
std::vector<std::string> StageRows(const HitExplain& explain) {
  std::vector<std::string> rows;
  for (const CueEffect& cue : explain.cues) rows.push_back(CueRow(cue));
  std::vector<StageEffect> effects = explain.stages;
  if (explain.cued) effects.insert(effects.begin(), *explain.cued);
  for (const StageEffect& stage : effects) {
    const std::string was = stage.was > 0 ? std::to_string(stage.was) : "behind";
    std::string row = stage.stage + "  was " + was + ", now " + std::to_string(stage.rank);
    row += FormatNumber("  score %.4f", stage.score_before) + FormatNumber(" -> %.4f", stage.score);
    if (!stage.note.empty()) row += "  " + EscapeLine(stage.note);
    rows.push_back(std::move(row));
  }
  return rows;
}

// The parts of BM25 by field: "  fields  trigger 2.1000, body 0.3000".
std::string FieldRow(const HitExplain& explain) {
  std::string row = "  fields  ";
  for (const auto& [field, score] : explain.fields) {
    row += (row.ends_with(' ') ? "" : ", ") + std::string(field) + FormatNumber(" %.4f", score);
  }
  return row;
}

std::vector<std::string> ScoreRows(const HitExplain& explain, double calibration) {
  std::vector<std::string> rows;
  if (explain.lexical) {
    rows.push_back(Row("lexical", RankText(explain.lexical_rank),
                       FormatNumber("bm25   %8.4f", *explain.lexical), explain.parts.lexical));
  }
  if (explain.path) {
    const double share = explain.parts.path;
    rows.push_back(Row("  path", "", FormatNumber("bm25   %8.4f", *explain.path),
                       share > 0 ? std::optional(share) : std::nullopt));
  }
  if (!explain.fields.empty()) rows.push_back(FieldRow(explain));
  if (explain.ngrams) {
    rows.push_back(
        Row("n-grams", "", FormatNumber("bm25   %8.4f", *explain.ngrams), explain.parts.ngrams));
  }
  if (explain.semantic) {
    rows.push_back(Row("semantic", RankText(explain.semantic_rank),
                       FormatNumber("cosine %8.4f", *explain.semantic), explain.parts.semantic));
  }
  if (explain.evidence) {
    rows.push_back(Row("triggers", "", FormatNumber("fit    %8.4f", explain.evidence->triggers),
                       explain.parts.triggers));
  }
  if (explain.parts.neighbours > 0) {
    rows.push_back(Row("neighbours", "", "", explain.parts.neighbours));
  }
  if (explain.first_stage_rank) {
    const std::string was = "was " + std::to_string(*explain.first_stage_rank);
    rows.push_back(Row("reranked", was, explain.feedback ? "feedback" : "", std::nullopt));
  }
  const double sum = explain.parts.Sum();
  rows.push_back(FormatNumber("score       %.4f", sum) + FormatNumber(" x %.4f", calibration) +
                 FormatNumber(" = %.4f", std::min(sum * calibration, 1.0)));
  return rows;
}

// The columns of the bars of one hit: what its labels and its factor leave of the line.
size_t BarColumns(const TextStyle& style) {
  constexpr size_t kOthers = 66;
  return std::clamp<size_t>(style.columns, kOthers + 8, kOthers + 40) - kOthers;
}

// The line of bars of a hit. A share of 1 is as long as all bars of a hit together.
std::string BarLine(const HitExplain& explain, double calibration, const TextStyle& style) {
  const ScoreParts& parts = explain.parts;
  struct Bar {
    const char* name;
    double share;
  };
  const Bar bars[] = {{"lexical", parts.lexical - parts.path},
                      {"n-grams", parts.ngrams},
                      {"vector", parts.semantic},
                      {"triggers", parts.triggers},
                      {"path", parts.path},
                      {"neighbours", parts.neighbours}};
  std::string line;
  for (const Bar& bar : bars) {
    if (!(bar.share > 0)) continue;
    line += style.Dim(bar.name) + " " +
            style.Score(TextBar(bar.share, BarColumns(style), style.utf8)) + "  ";
  }
  return line + style.Dim(FormatNumber("x %.3f", calibration));
}

}  // namespace

std::string TextBar(double share, size_t columns, bool utf8) {
  const size_t steps = utf8 ? 8 : 1;
  const double exact = std::clamp(share, 0.0, 1.0) * static_cast<double>(columns * steps);
  const auto length = static_cast<size_t>(std::round(std::max(exact, share > 0 ? 1.0 : 0.0)));
  if (!utf8) return std::string(length, '#');
  // U+2588 is a full block; U+258F to U+2589 are one to seven eighths of it.
  std::string bar;
  for (size_t i = 0; i < length / steps; ++i) bar += "\xE2\x96\x88";
  if (const size_t rest = length % steps; rest > 0) {
    bar += "\xE2\x96" + std::string(1, static_cast<char>(0x90 - rest));
  }
  return bar;
}

std::string FormatExplain(const Explanation& explanation, bool stable) {
  const StatsReport& store = explanation.store;
  const SearchExplain& explain = explanation.search();
  ExplainLines lines;
  lines.Add("mode", ModeName(explanation.question.mode));
  if (const View* view = explanation.question.view) {
    lines.Add("view", EscapeLine(view->name) + "  " + EscapeLine(view->origin));
  }
  if (explain.filter) AddFilter(*explain.filter, stable, lines);
  const RankingChoice& ranking = explanation.question.ranking;
  if (explanation.question.mode) AddRetrievers(explain, ranking, lines);
  if (explanation.question.ranking.min_score > 0) {
    lines.Add("below floor",
              Count(explain.below_floor) +
                  FormatNumber(" left out, below %.4f", explanation.question.ranking.min_score));
  }
  lines.Add("embedding", EscapeLine(store.embedder) + ", " + Count(store.dim) + " dimensions");
  lines.Add("chunking",
            Count(store.chunk_tokens) + " tokens, " + Count(store.overlap_tokens) + " overlap");
  lines.Add("snapshot", EscapeLine(explanation.snapshot()));
  if (stable) return std::move(lines).Finish();
  for (const StageTiming& stage : explanation.facts.timings) {
    lines.Add(stage.name, MillisText(stage.micros));
  }
  return std::move(lines).Finish();
}

std::string FormatHitExplain(const HitExplain& explain, double calibration,
                             const TextStyle& style) {
  std::string block;
  const auto add = [&](const std::vector<std::string>& rows) {
    for (const std::string& row : rows) block += style.Dim("    " + row) + "\n";
  };
  if (style.terminal) {
    block += "    " + BarLine(explain, calibration, style) + "\n";
    if (!explain.fields.empty()) add({FieldRow(explain)});
  } else {
    add(ScoreRows(explain, calibration));
  }
  add(StageRows(explain));
  return block;
}

std::string FormatPlaceExplain(const DocView& doc, const ChunkView& chunk,
                               const HitExplain& explain, double calibration,
                               const TextStyle& style) {
  return style.DocPath(doc.path) + ":" + std::to_string(chunk.start_line) + "-" +
         std::to_string(chunk.end_line) + "\n" + FormatHitExplain(explain, calibration, style);
}

}  // namespace recall
