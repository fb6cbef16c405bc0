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
