#include "cli/show/output/capture_output.h"

#include <utility>
#include <vector>

#include "cli/show/output/text_output.h"

namespace recall {
namespace {

// "github-token 2, private-key 1"
std::string ListCounts(const std::map<std::string, int64_t>& counts) {
  std::string list;
  for (const auto& [kind, count] : counts) {
    list += (list.empty() ? "" : ", ") + EscapeLine(kind) + " " + std::to_string(count);
  }
  return list;
}

int64_t SumOf(const std::map<std::string, int64_t>& counts) {
  int64_t sum = 0;
  for (const auto& [kind, count] : counts) sum += count;
  return sum;
}

}  // namespace

void WriteFields(const CaptureReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Field("found", report.found);
  json.Field("read", report.read);
  json.Field("captured", report.captured);
  json.Field("grown", report.grown);
  json.Field("refreshed", report.refreshed);
  json.Field("unchanged", report.unchanged);
  json.Field("outside", report.outside);
  json.Field("forgotten", report.forgotten);
  json.Field("refused", report.with_secrets);
  json.Field("linked", report.linked);
  json.Field("torn", report.torn);
  json.Field("turns", report.turns);
  json.Field("bytes", report.bytes);
  json.Field("redacted", report.redacted);
  json.Field("unknown", report.unknown);
  json.Objects("failed", report.failed, [&](const CaptureFailure& failure) {
    json.Field("path", failure.path);
    json.Field("reason", failure.reason);
  });
  json.Field("cancelled", report.cancelled);
}

std::string FormatCaptureReport(const CaptureReport& report, bool dry_run) {
  std::string text = dry_run ? "would capture " : "captured ";
  text += Plural(report.captured, "session");
  const auto add = [&](int64_t count, const std::string& what) {
    if (count > 0) text += ", " + what;
  };
  add(report.grown, std::to_string(report.grown) + " grown");
  add(report.turns, Plural(report.turns, "new turn"));
  add(report.linked, Plural(report.linked, "session") + " linked to the commit");
  text +=
      " (" + Plural(report.found, "transcript") + ", " + std::to_string(report.read) + " read)\n";
  if (!report.redacted.empty()) {
    text += Plural(SumOf(report.redacted), "secret") + " replaced: " + ListCounts(report.redacted) +
            "\n";
  }
  if (report.outside > 0) {
    text += Plural(report.outside, "session") + " of other directories left out; --all captures " +
            (report.outside == 1 ? "it" : "them") + "\n";
  }
  if (report.forgotten > 0) {
    text += Plural(report.forgotten, "session") + " left out, because `recall forget` deleted " +
            (report.forgotten == 1 ? "it" : "them") + "\n";
  }
  if (!report.unknown.empty()) {
    text += Plural(SumOf(report.unknown), "line") +
            " of kinds that are not known: " + ListCounts(report.unknown) + "\n";
  }
  return text;
}

}  // namespace recall
