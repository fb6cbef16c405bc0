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

void WriteForeignFields(const ImportReport& report, JsonWriter& json) {
  json.Field("links", report.links);
  json.Field("uses", report.uses);
  json.Field("reviews", report.reviews);
  json.Field("failed", report.failed);
  for (const auto& [name, counts] :
       {std::pair{"kept", &report.kept}, std::pair{"dropped", &report.dropped}}) {
    json.Key(name);
    json.BeginObject();
    for (const auto& [key, count] : *counts) json.Field(key, count);
    json.EndObject();
  }
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

}  // namespace

std::string ForeignText(const ImportReport& report, bool dry_run) {
  std::string text = (dry_run ? "Would add " : "Added ") + std::to_string(report.added) +
                     (dry_run ? ", update " : ", updated ") + std::to_string(report.updated);
  if (report.refreshed > 0) {
    text += (dry_run ? ", refresh " : ", refreshed ") + std::to_string(report.refreshed);
  }
  return text + (dry_run ? ", leave " : ", unchanged ") + Plural(report.unchanged, "note") + "; " +
         Plural(report.links, "link") + ", " + std::to_string(report.uses) +
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

std::string ToText(const ImportReport& report, bool dry_run) {
  std::string text = (dry_run ? "Would add " : "Added ") + std::to_string(report.added) +
                     (dry_run ? ", update " : ", updated ") + std::to_string(report.updated);
  if (report.refreshed > 0) {
    text += (dry_run ? ", refresh " : ", refreshed ") + std::to_string(report.refreshed);
  }
  return text + (dry_run ? ", leave " : ", unchanged ") + Plural(report.unchanged, "document") +
         " (" + Plural(report.chunks, "chunk") + ")";
}

}  // namespace recall
