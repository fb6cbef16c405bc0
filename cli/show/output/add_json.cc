#include "cli/show/output/add_json.h"

namespace recall {

namespace {

void WriteCounts(const AddReport& report, JsonWriter& json) {
  json.Field("found", report.Total());
  json.Field("added", report.added);
  json.Field("updated", report.updated);
  json.Field("refreshed", report.refreshed);
  json.Field("unchanged", report.unchanged);
  json.Field("skipped", report.skipped);
  json.Field("failed", report.failed);
  json.Field("removed", report.removed);
  json.Field("chunks", report.chunks);
  json.Field("bytes", report.bytes);
  json.Field("cancelled", report.cancelled);
  json.Field("gave_up", report.gave_up);
}

// Lists of documents, and the counts that belong to them.
void WriteLists(const AddReport& report, JsonWriter& json) {
  json.Objects("failures", report.failures, [&](const AddFailure& failure) {
    json.FieldOrNull("path", failure.path);
    if (failure.line > 0) json.Field("line", failure.line);
    json.Field("reason", failure.reason);
  });
  json.Field("removed_paths", report.removed_paths);
  json.Objects("skipped_by", report.skipped_by, [&](const AddSkipCount& skipped) {
    json.Field("reason", skipped.reason);
    json.Field("suffix", skipped.suffix);
    json.Field("count", skipped.count);
  });
  json.Field("extracted", report.extracted);
  json.Field("decoded", report.decoded);
  json.Objects("without_text", report.without_text, [&](const AddWithoutText& document) {
    json.Field("path", document.path);
    json.Field("outcome", document.outcome);
    json.Field("reason", document.reason);
  });
  json.Field("secrets_found", report.secrets_found);
  json.Objects("secrets", report.secrets, [&](const AddSecret& secret) {
    json.Field("path", secret.path);
    json.Field("line", secret.line);
    json.Field("kind", secret.kind);
  });
  json.Field("secrets_in_store", report.secrets_in_store);
}

void WriteLeftOut(const AddReport& report, JsonWriter& json) {
  json.Object("left_out", [&] {
    const auto entries = [&json](const char* name, const LeftOutEntries& left_out) {
      json.Object(name, [&] {
        json.Field("files", left_out.files);
        json.Field("directories", left_out.directories);
      });
    };
    entries("gitignore", report.left_out.by_gitignore);
    entries("recallignore", report.left_out.by_recallignore);
    entries("hidden", report.left_out.hidden);
  });
}

}  // namespace

void WriteFields(const AddReport& report, JsonWriter& json) {
  WriteCounts(report, json);
  WriteLists(report, json);
  WriteLeftOut(report, json);
}

}  // namespace recall
