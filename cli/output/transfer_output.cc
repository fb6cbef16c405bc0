#include "cli/output/transfer_output.h"

#include "cli/output/text_output.h"

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

void WriteImportCounts(const char* name, const std::map<std::string, int64_t>& counts,
                       JsonWriter& json) {
  json.Key(name);
  json.BeginObject();
  for (const auto& [key, count] : counts) json.Field(key, count);
  json.EndObject();
}

void WriteImportFaults(const ImportReport& report, JsonWriter& json) {
  json.Key("failures");
  json.BeginArray();
  for (const ImportReport::Fault& fault : report.faults) {
    json.BeginObject();
    json.Field("file", fault.file);
    fault.line > 0 ? json.Field("line", fault.line) : json.Field("line", nullptr);
    json.Field("reason", fault.reason);
    json.EndObject();
  }
  json.EndArray();
}

}  // namespace

void WriteForeignFields(const ImportReport& report, JsonWriter& json) {
  json.Field("links", report.links);
  json.Field("uses", report.uses);
  json.Field("reviews", report.reviews);
  json.Field("failed", report.failed);
  WriteImportCounts("kept", report.kept, json);
  WriteImportCounts("dropped", report.dropped, json);
  WriteImportFaults(report, json);
}

void WriteSessionFields(const ImportReport& report, JsonWriter& json) {
  json.Field("recordings", report.recordings);
  json.Field("mended", report.mended);
  json.Field("forgotten", report.forgotten);
  json.Field("failed", report.failed);
  WriteImportCounts("redacted", report.redacted, json);
  WriteImportCounts("dropped", report.dropped, json);
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
  return ListCounts("Kept on cards, without a meaning here", report.kept) +
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
  const std::string mended =
      report.mended == 0 ? ""
                         : "Counts of turns and tools that had wrapped around were mended: " +
                               Plural(report.mended, "recording") + "\n";
  return mended + ListCounts("Secrets replaced", report.redacted) +
         ListCounts("Not imported", report.dropped);
}

std::string ToText(const ImportReport& report, bool dry_run) {
  return OutcomeText(report, dry_run, "document") + " (" + Plural(report.chunks, "chunk") + ")";
}

}  // namespace recall
