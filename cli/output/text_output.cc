#include "cli/output/text_output.h"

#include <cstdio>

#include "cli/output/snippet_text.h"

namespace recall {
namespace {

constexpr std::string_view kIndent = "    ";

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

void AddLegs(const Json& explain, ExplainLines& lines) {
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
  const Json& config = explain.at("resolved_config");
  lines.Add("weights", "bm25 " + Text(config.at("bm25_weight")) + ", vector " +
                           Text(config.at("vector_weight")));
  lines.Add("calibration", Printf("%.4f", explain.at("calibration").get<double>()));
}

}  // namespace

std::string FormatBytes(int64_t bytes) {
  constexpr std::string_view kUnits[] = {"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return Printf("%.1f ", value) + std::string(kUnits[unit]);
}

std::string FormatSeconds(int64_t micros) {
  return Printf("%.1f s", static_cast<double>(micros) / 1e6);
}

std::string Plural(int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string FormatAddReport(const AddReport& report, bool dry_run, std::optional<int64_t> micros) {
  struct Part {
    std::string_view verb;
    std::string_view dry_verb;
    int64_t count;
    bool always;
  };
  const Part parts[] = {
      {"added", "add", report.added, true},
      {"updated", "update", report.updated, true},
      {"refreshed", "refresh", report.refreshed, false},
      {"unchanged", "leave", report.unchanged, true},
      {"skipped", "skip", report.skipped, false},
      {"failed to read", "fail to read", report.failed, false},
  };
  std::string text = dry_run ? "Would " : "";
  int64_t last = 0;
  bool first = true;
  for (const Part& part : parts) {
    if (!part.always && part.count == 0) continue;
    std::string verb(dry_run ? part.dry_verb : part.verb);
    if (first && !dry_run) verb[0] = static_cast<char>(verb[0] - 32);
    text += (first ? "" : ", ") + verb + " " + std::to_string(part.count);
    last = part.count;
    first = false;
  }
  text += last == 1 ? " file" : " files";
  text += " (" + Plural(report.chunks, "chunk") + ", " + FormatBytes(report.bytes) + ")";
  return micros ? text + " in " + FormatSeconds(*micros) : text;
}

std::string FormatHitExplain(const HitExplain& explain) {
  const auto leg = [](const char* name, double score, const std::optional<int64_t>& rank) {
    return name + Printf(" %.4f", score) + (rank ? " (rank " + std::to_string(*rank) + ")" : "") +
           "  ";
  };
  std::string line;
  if (explain.lexical) line += leg("bm25", *explain.lexical, explain.lexical_rank);
  if (explain.semantic) line += leg("cosine", *explain.semantic, explain.semantic_rank);
  if (explain.grams) line += "grams" + Printf(" %.4f", *explain.grams) + "  ";
  line += "parts " + Printf("%.4f", explain.lexical_part);
  if (explain.grams) line += Printf(" + %.4f", explain.gram_part);
  line += Printf(" + %.4f", explain.semantic_part);
  if (explain.neighbour_part > 0) line += Printf(" + %.4f", explain.neighbour_part);
  return line;
}

std::string FormatHit(const SearchHit& hit, const TextStyle& style) {
  const ChunkView& chunk = hit.chunk;
  std::string block =
      style.Score(Printf("%.3f", hit.score)) + "  " + style.Path(EscapeLine(hit.doc.path)) +
      style.Dim(":" + std::to_string(chunk.start_line) + "-" + std::to_string(chunk.end_line));
  if (!chunk.heading.empty()) block += "  " + style.Bold(EscapeLine(chunk.heading));
  block += "\n";
  if (hit.explain) {
    block += style.Dim(std::string(kIndent) + FormatHitExplain(*hit.explain)) + "\n";
  }
  return hit.snippet ? block + FormatSnippet(*hit.snippet, style) : block;
}

std::string FormatExplain(const Json& answer) {
  const Json& explain = answer.at("explain");
  ExplainLines lines;
  lines.Add("mode", Text(explain.at("mode")));
  if (explain.contains("filter")) AddFilter(explain.at("filter"), lines);
  if (explain.contains("lexical")) AddLegs(explain, lines);
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

}  // namespace recall
