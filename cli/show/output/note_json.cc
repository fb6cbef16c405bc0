#include "cli/show/output/note_json.h"

#include "cli/show/output/field_values.h"
#include "cli/show/output/metadata_tree.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

double Easiness(int64_t hundredths) { return static_cast<double>(hundredths) / 100; }

void WriteTime(std::string_view name, const std::optional<UnixNanos>& time, JsonWriter& json) {
  json.Field(name, time ? std::optional(FormatRfc3339(*time)) : std::nullopt);
}

void WriteLink(const LinkRecord& link, JsonWriter& json) {
  json.Field("source", link.source);
  json.Field("target", link.target);
  json.Field("relation", link.relation);
  json.Field("weight", link.weight);
  json.Field("reason", link.reason);
  json.Field("origin", link.origin);
  json.Field("at", FormatRfc3339(link.at));
}

void WriteDoc(const DocView& doc, JsonWriter& json) {
  json.Object("doc", [&] { WriteFields(doc, json); });
}

}  // namespace

std::string TitleOf(const DocView& doc) {
  static const std::string kTitle = "title";
  return MetadataTree(doc.meta_json).Text({&kTitle, 1});
}

void WriteFields(const SaveReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Field("id", report.id);
  json.Field("path", report.doc.path);
  json.Field("replaced", report.replaced);
  json.Field("unchanged", report.unchanged);
  json.Field("summary_cut", report.summary_cut);
  json.Field("extracted_triggers", report.extracted_triggers);
  WriteTime("due", report.due, json);
  json.Objects("links", report.links, [&](const LinkRecord& link) { WriteLink(link, json); });
  json.Objects("near", report.near, [&](const NearDocument& near) {
    json.Field("path", near.doc.path);
    json.FieldOrNull("title", TitleOf(near.doc));
    json.Field("score", near.score);
    json.Field("likeness", near.likeness);
  });
  json.Objects("contradicts", report.contradicts, [&](const Contradiction& old) {
    json.Field("path", old.doc.path);
    json.FieldOrNull("title", TitleOf(old.doc));
    json.Field("old", old.old_text);
    json.Field("new", old.new_text);
  });
  WriteDoc(report.doc, json);
}

void WriteFields(const LinkReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Objects("links", report.links, [&](const LinkRecord& link) { WriteLink(link, json); });
  json.Field("unchanged", report.unchanged);
}

void WriteFields(const UnlinkReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Objects("links", report.links, [&](const LinkRecord& link) { WriteLink(link, json); });
  json.Objects("in_texts", report.in_texts, [&](const LinkRecord& link) { WriteLink(link, json); });
}

void WriteFields(const LinksReport& report, bool central, JsonWriter& json) {
  json.Field("as_of", FormatRfc3339(report.as_of));
  json.Objects("documents", report.documents, [&](const LinkedDocument& document) {
    json.Field("path", document.path);
    json.FieldOrNull("title", document.title);
    json.FieldOrNull("type", document.type);
    json.FieldOrNull("lifecycle", document.state ? LifecycleName(*document.state) : "");
    json.Field("depth", document.depth);
    json.Field("missing", document.missing);
    json.Field("obsolete", document.obsolete);
  });
  json.Objects("links", report.links, [&](const LinkRecord& link) { WriteLink(link, json); });
  if (central) json.Field("centrality", report.centrality);
}

void WriteFields(const UseReport& report, JsonWriter& json) {
  json.Objects("used", report.used, [&](const auto& used) {
    json.Field("path", used.first);
    json.Field("uses", used.second);
  });
}

void WriteFields(const ReviewReport& report, JsonWriter& json) {
  json.Field("path", report.doc.path);
  json.Field("quality", report.quality);
  json.Field("interval_days", report.interval_days);
  json.Field("easiness", Easiness(report.easiness));
  json.Field("repetitions", report.repetitions);
  json.Field("reviews", report.reviews);
  json.Field("due", FormatRfc3339(report.due));
}

void WriteFields(const DueReport& report, JsonWriter& json) {
  json.Field("as_of", FormatRfc3339(report.as_of));
  json.FieldOrNull("filter", report.filter);
  json.Field("total", report.total);
  json.Objects("due", report.documents, [&](const DueDocument& due) {
    json.Field("path", due.doc.path);
    json.FieldOrNull("title", TitleOf(due.doc));
    WriteTime("due", due.due, json);
    json.Field("overdue_days", due.overdue_days);
    json.Field("interval_days", due.interval_days);
    json.Field("easiness", Easiness(due.easiness));
    json.Field("reviews", due.reviews);
  });
}

void WriteFields(const RetireReport& report, bool dry_run, JsonWriter& json) {
  json.Field("dry_run", dry_run);
  json.Field("path", report.doc.path);
  json.Field("unchanged", report.unchanged);
  if (report.link) json.Object("link", [&] { WriteLink(*report.link, json); });
}

void WriteFields(const StaleReport& report, JsonWriter& json) {
  json.Field("as_of", FormatRfc3339(report.as_of));
  json.FieldOrNull("filter", report.filter);
  json.Field("total", report.total);
  json.Objects("stale", report.documents, [&](const StaleDocument& stale) {
    json.Field("path", stale.doc.path);
    json.FieldOrNull("title", TitleOf(stale.doc));
    json.Field("lifecycle", LifecycleName(stale.state));
    json.Field("conflict", stale.conflict);
    WriteTime("touched", stale.touched, json);
    WriteTime("used_at", stale.used_at, json);
    json.Field("consolidation", stale.consolidation);
  });
}

}  // namespace recall
