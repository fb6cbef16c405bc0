#include "cli/show/output/transfer_output.h"

#include "cli/show/output/text_output.h"

namespace recall {

void WriteFields(const ImportReport& report, bool lines, JsonWriter& json) {
  json.Field("added", report.added);
  json.Field("updated", report.updated);
  json.Field("refreshed", report.refreshed);
  json.Field("unchanged", report.unchanged);
  json.Field("chunks", report.chunks);
  json.Field("vectors_taken", report.vectors_taken);
  json.Field("vectors_rebuilt", report.vectors_rebuilt);
  if (lines) json.Field("lines", report.lines);
  json.Field("cancelled", report.cancelled);
}

namespace {

void WriteImportFaults(const ImportReport& report, JsonWriter& json) {
  json.Objects("failures", report.faults, [&](const ImportReport::Fault& fault) {
    json.Field("file", fault.file);
    json.Field("line", fault.line > 0 ? std::optional(fault.line) : std::nullopt);
    json.Field("reason", fault.reason);
  });
}

}  // namespace

void WriteForeignFields(const ImportReport& report, JsonWriter& json) {
  json.Field("links", report.links);
  json.Field("uses", report.uses);
  json.Field("reviews", report.reviews);
  json.Field("failed", report.failed);
  json.Field("redacted", report.redacted);
  json.Field("kept", report.kept);
  json.Field("dropped", report.dropped);
  WriteImportFaults(report, json);
}

void WriteSessionFields(const ImportReport& report, JsonWriter& json) {
  json.Field("recordings", report.recordings);
  json.Field("repaired", report.repaired);
  json.Field("forgotten", report.forgotten);
  json.Field("failed", report.failed);
  json.Field("redacted", report.redacted);
  json.Field("dropped", report.dropped);
  WriteImportFaults(report, json);
}

namespace {

// "; kept on cards: rating (2), salience (1)"
std::string ListCounts(const char* title, const std::map<std::string, int64_t>& counts) {
  if (counts.empty()) return {};
  std::string text = title;
  const char* separator = ": ";
  for (const auto& [key, count] : counts) {
    text += separator + EscapeLine(key) + " (" + std::to_string(count) + ")";
    separator = ", ";
  }
  return text + "\n";
}

// "Added 3, updated 0, unchanged 1 note"
std::string OutcomeText(const ImportReport& report, bool dry_run, std::string_view noun) {
  std::string text = (dry_run ? "Would add " : "Added ") + std::to_string(report.added) +
                     (dry_run ? ", update " : ", updated ") + std::to_string(report.updated);
  if (report.refreshed > 0) {
    text += (dry_run ? ", refresh " : ", refreshed ") + std::to_string(report.refreshed);
  }
  return text + (dry_run ? ", leave " : ", unchanged ") + Plural(report.unchanged, noun);
}

}  // namespace

std::string ForeignText(const ImportReport& report, bool dry_run) {
  return OutcomeText(report, dry_run, "note") + "; " + Plural(report.links, "link") + ", " +
         std::to_string(report.uses) +
         (report.uses == 1 ? " note with uses, " : " notes with uses, ") +
         Plural(report.reviews, "scheduled review");
}

std::string ForeignDetails(const ImportReport& report) {
  return ListCounts("Secrets replaced", report.redacted) +
         ListCounts("Kept on cards, without a meaning here", report.kept) +
         ListCounts("Not imported", report.dropped);
}

std::vector<std::string> ForeignWarnings(const ImportReport& report) {
  std::vector<std::string> warnings;
  for (const ImportReport::Fault& fault : report.faults) {
    const std::string line = fault.line > 0 ? ":" + std::to_string(fault.line) : "";
    warnings.push_back(fault.file + line + ": not imported: " + fault.reason);
  }
  return warnings;
}

std::string SessionsText(const ImportReport& report, bool dry_run) {
  std::string text =
      OutcomeText(report, dry_run, "session") + " (" + Plural(report.recordings, "recording") + ")";
  if (report.forgotten > 0) {
    text += ", left out " + std::to_string(report.forgotten) + " that `recall forget` deleted";
  }
  return text;
}

std::string SessionDetails(const ImportReport& report) {
  const std::string repaired =
      report.repaired == 0 ? ""
                           : "Counts of turns and tools that had wrapped around were repaired: " +
                                 Plural(report.repaired, "recording") + "\n";
  return repaired + ListCounts("Secrets replaced", report.redacted) +
         ListCounts("Not imported", report.dropped);
}

std::string ToText(const ImportReport& report, bool dry_run) {
  return OutcomeText(report, dry_run, "document") + " (" + Plural(report.chunks, "chunk") + ")";
}

}  // namespace recall
