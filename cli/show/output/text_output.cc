#include "cli/show/output/text_output.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "cli/show/output/explain_text.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/snippet_text.h"
#include "cli/show/terminal/wrap.h"
#include "query/ask/answer/text_reference.h"

namespace recall {
namespace {

// Returns: "2,190".
std::string GroupedCount(int64_t count) {
  std::string digits = std::to_string(count);
  for (size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
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

std::vector<std::string> SummarizeSkips(const AddReport& report, std::string_view noun) {
  constexpr int64_t kMostNamed = 3;
  constexpr size_t kMostSuffixes = 8;
  const std::pair<std::string_view, std::string_view> kSummarized[] = {
      {"not_text", "not text"}, {"too_large", "too large (--max-file-size)"}};
  std::vector<std::string> sentences;
  std::set<std::string_view> summarized;
  for (const auto& [reason, words] : kSummarized) {
    int64_t total = 0;
    int64_t shown = 0;
    size_t suffixes = 0;
    std::string list;
    for (const AddSkipCount& skipped : report.skipped_by) {
      if (skipped.reason != reason) continue;
      total += skipped.count;
      if (++suffixes > kMostSuffixes) continue;
      shown += skipped.count;
      list += (list.empty() ? "" : ", ") +
              (skipped.suffix.empty() ? std::string("without suffix") : skipped.suffix) + " " +
              GroupedCount(skipped.count);
    }
    if (total <= kMostNamed) continue;
    summarized.insert(reason);
    if (shown < total) list += ", others " + GroupedCount(total - shown);
    sentences.push_back("skipped " + GroupedCount(total) + " " + std::string(noun) + "s that are " +
                        std::string(words) + " (" + list + "); --verbose names them");
  }
  int64_t others = 0;
  for (const AddSkipCount& skipped : report.skipped_by) {
    others += summarized.contains(skipped.reason) ? 0 : skipped.count;
  }
  for (const AddSkip& skip : report.skips) {
    if (summarized.contains(skip.reason)) continue;
    sentences.push_back(skip.text);
    --others;
  }
  if (others > 0) sentences.push_back("skip " + GroupedCount(others) + " more");
  return sentences;
}

std::string FormatLeftOut(const LeftOutCounts& left_out) {
  std::string text;
  const auto append = [&](const LeftOutEntries& entries, const std::string& adjective,
                          const std::string& cause, const std::string& flag) {
    if (entries.Total() == 0) return;
    text += text.empty() ? "left out: " : ", ";
    if (entries.files > 0) text += Plural(entries.files, adjective + "file");
    if (entries.files > 0 && entries.directories > 0) text += " and ";
    if (entries.directories > 0) {
      const std::string noun = adjective + (entries.directories == 1 ? "directory" : "directories");
      text += std::to_string(entries.directories) + " " + noun;
    }
    text += cause + " (" + flag + " takes " + (entries.Total() == 1 ? "it)" : "them)");
  };
  append(left_out.by_gitignore, "", " by .gitignore", "--no-ignore-files");
  append(left_out.by_recallignore, "", " by .recallignore", "--no-ignore-files");
  append(left_out.hidden, "hidden ", "", "--hidden");
  return text;
}

namespace {

// The heading of a hit: behind the `used` columns of its line, or below it, broken after words, if
// the window is too narrow.
std::string HeadingText(const std::string& heading, size_t used, const TextStyle& style) {
  constexpr size_t kHeadingGap = 2;
  constexpr size_t kHeadingIndent = 4;
  if (style.columns == 0 || used + kHeadingGap + DisplayColumns(heading) <= style.columns) {
    return std::string(kHeadingGap, ' ') + style.Bold(heading);
  }
  const std::string rows = WrapLines(std::string(kHeadingIndent, ' ') + heading, style.columns);
  std::string below;
  for (size_t at = 0; at < rows.size();) {
    const size_t end = std::min(rows.find('\n', at), rows.size());
    const size_t text = std::min(rows.find_first_not_of(' ', at), end);
    below += "\n" + rows.substr(at, text - at) + style.Bold(rows.substr(text, end - text));
    at = end + 1;
  }
  return below;
}

}  // namespace

std::string SourceMark(const DocView& doc, const TextStyle& style) {
  const std::string_view mark = MarkOfState(doc.source_state);
  std::string marks;
  if (!mark.empty()) marks += " " + style.Bold("(" + std::string(mark) + ")");
  if (!doc.note_state.empty()) marks += " " + style.Bold("(" + doc.note_state + ")");
  return marks;
}

std::string MorePlacesText(const SearchHit& hit) {
  std::string text = "and " + std::to_string(hit.more_places) + " more " +
                     (hit.more_places == 1 ? "place" : "places");
  const char* separator = ": ";
  for (const StandsFor& place : hit.best_places) {
    text += separator + std::to_string(place.start_line) + "-" + std::to_string(place.end_line);
    separator = ", ";
  }
  const bool lists_all = static_cast<size_t>(hit.more_places) == hit.best_places.size();
  return lists_all ? text : text + ", ...";
}

namespace {

std::string FoldedPlacesText(const char* kind, const std::vector<StandsFor>& others,
                             const TextStyle& style) {
  std::string lines;
  for (const StandsFor& other : others) {
    lines += style.Dim("    " + std::string(kind) + ": " + style.DocPathText(other.path) + ":" +
                       std::to_string(other.start_line) + "-" + std::to_string(other.end_line)) +
             "\n";
  }
  return lines;
}

}  // namespace

std::string FoldedText(const SearchHit& hit, const TextStyle& style) {
  const bool sessions = hit.identical_sessions;
  std::string lines;
  if (hit.identical > 0 && hit.identical_chunks.empty()) {
    lines += style.Dim("    and " + std::to_string(hit.identical) + " more with the same " +
                       (sessions ? "turns" : "text")) +
             "\n";
  }
  if (!hit.continued_by.empty()) {
    lines += style.Dim("    goes on in " + style.DocPathText(hit.continued_by)) + "\n";
  }
  if (hit.more_places > 0) lines += style.Dim("    " + MorePlacesText(hit)) + "\n";
  const char* const kind = sessions ? "same turns" : "same text";
  return lines + FoldedPlacesText(kind, hit.identical_chunks, style);
}

std::string FormatHit(const SearchHit& hit, const TextStyle& style, double calibration) {
  const ChunkView& chunk = hit.chunk;
  const std::string hash =
      chunk.lines_hash.empty() ? "" : "@" + chunk.lines_hash.substr(0, kCitedHashDigits);
  const std::string score = FormatNumber("%.3f", hit.score);
  const std::string place = hash + ":" + std::to_string(chunk.start_line) + "-" +
                            std::to_string(chunk.end_line) +
                            (chunk.locator ? " (" + EscapeLine(chunk.locator->text) + ")" : "");
  std::string block = style.Score(score) + "  " + style.DocPath(hit.doc.path) + style.Dim(place) +
                      SourceMark(hit.doc, style);
  if (!chunk.heading.empty()) {
    const size_t used = DisplayColumns(score + "  " + style.DocPathText(hit.doc.path) + place +
                                       SourceMark(hit.doc, TextStyle()));
    block += HeadingText(EscapeLine(chunk.heading), used, style);
  }
  block += "\n";
  block += FoldedText(hit, style) + FoldedPlacesText("near duplicate", hit.stands_for, style);
  if (hit.explain) block += FormatHitExplain(*hit.explain, calibration, style);
  return hit.snippet ? block + FormatSnippet(*hit.snippet, style) : block;
}

std::string FormatRelated(const RelatedDoc& related, const TextStyle& style) {
  return style.Score(FormatNumber("%.3f", related.score)) + "  " + style.DocPath(related.doc.path) +
         style.Dim("  1-hop: " + EscapeLine(related.relation) + " of " +
                   style.DocPathText(related.via)) +
         "\n";
}

namespace {

std::string PlaceText(const SearchHit& hit) {
  return EscapeLine(hit.doc.path) + ":" + std::to_string(hit.chunk.start_line) + "-" +
         std::to_string(hit.chunk.end_line);
}

}  // namespace

std::string TargetOf(const SearchHit& hit) {
  return EscapeLine(hit.doc.path) == hit.doc.path ? PlaceText(hit) : "id:" + hit.chunk.id;
}

std::string FormatFzfLine(const SearchHit& hit) {
  std::string line = TargetOf(hit) + "\t" + FormatNumber("%.3f", hit.score) + "  " + PlaceText(hit);
  line += SourceMark(hit.doc, TextStyle());
  if (!hit.chunk.heading.empty()) line += "  " + EscapeLine(hit.chunk.heading);
  return line + "\n";
}

}  // namespace recall
