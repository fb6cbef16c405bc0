#include "cli/output/text_output.h"

#include <cstdio>

#include "cli/output/explain_text.h"
#include "cli/output/number_text.h"
#include "cli/output/snippet_text.h"

namespace recall {

std::string FormatBytes(int64_t bytes) {
  constexpr std::string_view kUnits[] = {"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return std::to_string(bytes) + " B";
  double value = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  return FormatNumber("%.1f ", value) + std::string(kUnits[unit]);
}

std::string FormatSeconds(int64_t micros) {
  return FormatNumber("%.1f s", static_cast<double>(micros) / 1e6);
}

std::string Plural(int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string FormatAddReport(const AddReport& report, bool dry_run, std::optional<int64_t> micros,
                            std::string_view noun) {
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
  text += " " + std::string(noun) + (last == 1 ? "" : "s");
  // The noun is always "document": the user's files are never removed.
  if (report.removed > 0) {
    text += (dry_run ? ", remove " : ", removed ") + Plural(report.removed, "document");
  }
  text += " (" + Plural(report.chunks, "chunk") + ", " + FormatBytes(report.bytes) + ")";
  return micros ? text + " in " + FormatSeconds(*micros) : text;
}

std::string FormatHit(const SearchHit& hit, const TextStyle& style, double calibration) {
  const ChunkView& chunk = hit.chunk;
  std::string block =
      style.Score(FormatNumber("%.3f", hit.score)) + "  " + style.DocPath(hit.doc.path) +
      style.Dim(":" + std::to_string(chunk.start_line) + "-" + std::to_string(chunk.end_line));
  if (!chunk.heading.empty()) block += "  " + style.Bold(EscapeLine(chunk.heading));
  block += "\n";
  const auto list = [&](const char* kind, const std::vector<StandsFor>& others) {
    for (const StandsFor& other : others) {
      block += style.Dim("    " + std::string(kind) + ": " + style.DocPathText(other.path) + ":" +
                         std::to_string(other.start_line) + "-" + std::to_string(other.end_line)) +
               "\n";
    }
  };
  if (hit.identical > 0 && hit.identical_chunks.empty()) {
    block +=
        style.Dim("    and " + std::to_string(hit.identical) + " more with the same text") + "\n";
  }
  list("same text", hit.identical_chunks);
  list("near duplicate", hit.stands_for);
  if (hit.explain) block += FormatHitExplain(*hit.explain, calibration, style);
  return hit.snippet ? block + FormatSnippet(*hit.snippet, style) : block;
}

}  // namespace recall
