#include "cli/show/output/comparison_output.h"

#include <algorithm>
#include <cmath>

#include "cli/show/output/number_text.h"
#include "cli/show/terminal/terminal.h"

namespace recall {
namespace {

double SixDecimals(double value) { return std::round(value * 1e6) / 1e6 + 0.0; }

// Whether something was measured by both runs, but not query by query.
template <typename Changes>
bool HasUnknown(const Changes& changes) {
  return std::ranges::any_of(
      changes, [](const auto& change) { return change.verdict == Verdict::kUnknown; });
}

std::vector<std::string> SettingNotes(const std::vector<SettingChange>& settings) {
  std::string list;
  for (const SettingChange& change : settings) {
    const auto value = [](const std::string& text) { return text.empty() ? "none" : text; };
    list += (list.empty() ? "" : "; ") + change.name + " " + value(change.before) + " -> " +
            value(change.after);
  }
  if (list.empty()) return {};
  return {"The runs differ in: " + list + "."};
}

std::string TextOf(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += EscapeLine(note) + "\n";
  return text;
}

void WriteSettings(const std::vector<SettingChange>& settings, JsonWriter& json) {
  json.Objects("settings", settings, [&](const SettingChange& change) {
    json.Field("name", change.name);
    json.FieldOrNull("before", change.before);
    json.FieldOrNull("after", change.after);
  });
}

std::string Change(double before, double after, const char* format) {
  return FormatNumber(format, before) + " -> " + FormatNumber(format, after);
}

std::string SignedChange(double value) {
  return FormatNumber("%+.4f", std::fabs(value) < 0.00005 ? 0 : value);
}

// A run that is faster is better, but nobody says so of a time.
std::string SpeedWord(Verdict verdict) {
  if (verdict == Verdict::kBetter) return "faster";
  if (verdict == Verdict::kWorse) return "slower";
  return std::string(VerdictName(verdict));
}

}  // namespace

std::string_view VerdictName(Verdict verdict) {
  switch (verdict) {
    case Verdict::kBetter:
      return "better";
    case Verdict::kWorse:
      return "worse";
    case Verdict::kSame:
      return "same";
    case Verdict::kUnclear:
      return "unclear";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

void WriteFields(const BenchComparison& comparison, JsonWriter& json) {
  json.Field("file", comparison.file);
  WriteSettings(comparison.settings, json);
  json.Field("same_queries", comparison.same_queries);
  json.Objects("latencies", comparison.changes, [&](const BenchChange& change) {
    json.Field("what", change.what);
    json.Field("cache", change.cache);
    json.Object("p50_ms", [&] {
      json.Field("before", change.p50_before);
      json.Field("after", change.p50_after);
    });
    json.Object("p99_ms", [&] {
      json.Field("before", change.p99_before);
      json.Field("after", change.p99_after);
    });
    if (change.ratio) {
      json.Object("ratio", [&] {
        json.Field("mean", SixDecimals(change.ratio->mean));
        json.Field("low", SixDecimals(change.ratio->low));
        json.Field("high", SixDecimals(change.ratio->high));
      });
    } else {
      json.Field("ratio", nullptr);
    }
    json.Field("verdict", VerdictName(change.verdict));
  });
}

void WriteFields(const EvalComparison& comparison, JsonWriter& json) {
  json.Field("file", comparison.file);
  WriteSettings(comparison.settings, json);
  json.Objects("changes", comparison.changes, [&](const EvalChange& change) {
    json.Field("name", change.group);
    json.Field("what", change.what);
    json.Field("measure", change.measure);
    json.Field("before", SixDecimals(change.before));
    json.Field("after", SixDecimals(change.after));
    json.Field("queries", change.queries);
    if (change.difference) {
      json.Field("difference", SixDecimals(change.difference->difference));
      json.Field("low", SixDecimals(change.difference->low));
      json.Field("high", SixDecimals(change.difference->high));
      json.Field("p", SixDecimals(change.difference->p));
    }
    json.Field("verdict", VerdictName(change.verdict));
  });
}

std::vector<std::string> ComparisonNotes(const BenchComparison& comparison) {
  std::vector<std::string> notes = SettingNotes(comparison.settings);
  if (comparison.changes.empty()) {
    notes.push_back("The runs measured nothing in common.");
    return notes;
  }
  notes.push_back(
      "The ratio is the time now divided by the time then: the shortest of the rounds of each "
      "query, "
      "as the geometric mean over the queries, with its 95 % interval. Other work of the machine "
      "during one of the runs is not in the interval: compare two runs of one program first.");
  if (!comparison.recorded) {
    notes.push_back("The earlier run did not record its queries; measure it again.");
  } else if (!comparison.same_queries) {
    notes.push_back(
        "The runs asked different queries, so their times cannot be compared query by query; "
        "--queries FILE asks the same ones.");
  }
  return notes;
}

std::vector<std::string> ComparisonNotes(const EvalComparison& comparison) {
  std::vector<std::string> notes = SettingNotes(comparison.settings);
  if (comparison.changes.empty()) {
    notes.push_back("The runs measured nothing in common.");
    return notes;
  }
  notes.push_back(
      "Differences are new minus earlier, with the 95 % interval and p of the paired bootstrap "
      "over "
      "the queries of both runs.");
  if (HasUnknown(comparison.changes)) {
    notes.push_back(
        "Without an interval: the earlier run did not record its queries, or had none of these; "
        "evaluate it again.");
  }
  return notes;
}

TextTable ComparisonTable(const BenchComparison& comparison) {
  TextTable table = {{{"ms", "cache", "p50", "p99", "ratio", "verdict"}}, std::vector<bool>(6)};
  for (const BenchChange& change : comparison.changes) {
    std::string ratio = "-";
    if (change.ratio) {
      ratio = FormatNumber("%.3f", change.ratio->mean) +
              FormatNumber(" [%.3f, ", change.ratio->low) +
              FormatNumber("%.3f]", change.ratio->high);
    }
    table.rows.push_back(
        {change.what, change.cache, Change(change.p50_before, change.p50_after, "%.3f"),
         Change(change.p99_before, change.p99_after, "%.3f"), ratio, SpeedWord(change.verdict)});
  }
  return table;
}

TextTable ComparisonTable(const EvalComparison& comparison) {
  TextTable table = {{{"", "", "measure", "queries", "then -> now", "difference", "verdict"}},
                     {false, false, false, true, false, false, false}};
  for (const EvalChange& change : comparison.changes) {
    std::string difference = SignedChange(change.after - change.before);
    if (change.difference) {
      difference = SignedChange(change.difference->difference) + " [" +
                   SignedChange(change.difference->low) + ", " +
                   SignedChange(change.difference->high) + "]" +
                   FormatNumber(" p %.4f", change.difference->p);
    }
    table.rows.push_back({change.group, change.what, change.measure, std::to_string(change.queries),
                          Change(change.before, change.after, "%.4f"), difference,
                          std::string(VerdictName(change.verdict))});
  }
  return table;
}

std::string FormatComparison(const BenchComparison& comparison, bool stable, size_t columns) {
  std::string text = "\nagainst " + EscapeLine(comparison.file) + "\n";
  if (!stable && !comparison.changes.empty()) {
    text += "\n" + FormatTable(ComparisonTable(comparison), columns) + "\n";
  }
  return text + TextOf(ComparisonNotes(comparison));
}

std::string FormatComparison(const EvalComparison& comparison, size_t columns) {
  std::string text = "\nagainst " + EscapeLine(comparison.file) + "\n";
  if (!comparison.changes.empty()) {
    text += "\n" + FormatTable(ComparisonTable(comparison), columns) + "\n";
  }
  return text + TextOf(ComparisonNotes(comparison));
}

}  // namespace recall
