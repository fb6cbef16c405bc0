// What becomes of an entry of Rekall.
//
//   title, type, content      title, type, text
//   project                   scope
//   confidence 0 to 5         confidence 0 to 1, in fifths
//   structured context        section "## Context"; its keywords are the triggers
//   access_count, last_accessed          uses
//   next_review, review_interval, ease_factor   one scheduled review
//   consolidation, centrality, vectors   computed here: dropped
//
// Times without an offset are taken for UTC, because the program records local time without it.

#include "query/compat/rekall/rekall_entry.h"

#include <algorithm>
#include <map>
#include <set>

#include "index/source/note/text_links.h"
#include "query/add/records/json_record.h"
#include "query/compat/memories/foreign_card.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr int64_t kNanosPerDay = int64_t{86'400} * 1'000'000'000;
constexpr double kMostConfidence = 5;
constexpr const char* kIdKey = "rekall_id";

std::optional<double> ConfidenceOf(CardFields* fields) {
  return fields->Take({"confidence"}, [](const Json& value) -> std::optional<double> {
    if (!value.is_number()) return std::nullopt;
    const auto number = value.get<double>();
    if (!(number >= 0 && number <= kMostConfidence)) return std::nullopt;
    return value.is_number_integer() || number > 1 ? number / kMostConfidence : number;
  });
}

std::optional<ForeignUse> UsesOf(CardFields* fields, const NoteDraft& draft) {
  const auto count = fields->Integer({"access_count", "accesses"});
  const auto last = fields->Time({"last_accessed", "last_accessed_at", "last_access"});
  if (count.value_or(0) <= 0) return std::nullopt;
  return ForeignUse{*count, last.value_or(draft.updated.value_or(draft.created.value_or(0)))};
}

// A review without a due day was never scheduled: the fields have their first values then.
std::optional<ForeignReview> ReviewOf(CardFields* fields) {
  const auto due = fields->Time({"next_review", "next_review_at", "due"});
  const auto interval = fields->Integer({"review_interval", "interval_days", "interval"});
  const auto easiness = fields->Number({"ease_factor", "easiness"});
  const auto repetitions = fields->Integer({"repetitions"});
  if (!due) return std::nullopt;
  ForeignReview review;
  review.algorithm = "rekall";
  review.interval_days = std::clamp<int64_t>(interval.value_or(1), 1, kMostForeignInterval);
  // Entries have no count. With the interval of the first day, SM-2 is at its beginning.
  review.repetitions =
      std::clamp<int64_t>(repetitions.value_or(review.interval_days > 1 ? 2 : 0), 0, INT32_MAX);
  review.easiness =
      static_cast<int64_t>(std::clamp(easiness.value_or(2.5), 1.3, 100.0) * 100 + 0.5);
  review.due = *due;
  review.at = *due - review.interval_days * kNanosPerDay;
  return review;
}

std::string TextOr(CardFields* fields, std::initializer_list<std::string_view> names) {
  return fields->Text(names).value_or("");
}

void AddTriggers(const std::vector<std::string>& words, std::vector<std::string>* triggers) {
  for (const std::string& word : words) {
    if (std::ranges::find(*triggers, word) == triggers->end()) triggers->push_back(word);
  }
}

void AddSection(std::string_view title, std::string_view text, std::string* markdown) {
  if (Trim(text).empty()) return;
  if (!markdown->empty()) *markdown += "\n\n";
  markdown->append("## ").append(title).append("\n\n").append(Trim(text));
}

// The structured context is an object, or the text of one; other contexts are texts.
void AddContext(Json context, NoteDraft* draft, ForeignMemory* memory) {
  if (context.is_string()) {
    const auto& text = context.get_ref<const std::string&>();
    auto object = ParseJsonObject(text);
    if (!object) return AddSection("Context", text, &draft->text);
    context = *std::move(object);
  }
  if (!context.is_object()) return;
  CardFields fields(std::move(context));
  if (fields.repaired()) ++memory->dropped[kRepairedTexts];
  NoteContext result;
  result.situation = TextOr(&fields, {"situation"});
  result.solution = TextOr(&fields, {"solution"});
  result.what_failed = TextOr(&fields, {"what_failed"});
  result.error_messages = fields.Texts("error_messages");
  result.files = fields.Texts("files_modified");
  if (result.files.empty()) result.files = fields.Texts("files");
  result.trigger_keywords = fields.List({"trigger_keywords"});
  AddTriggers(result.trigger_keywords, &draft->recall_when);
  AddSection("Conversation", TextOr(&fields, {"conversation_excerpt"}), &draft->text);
  Json rest = Json::object();
  for (const auto& [name, value] : fields.Rest()) rest["context_" + name] = Json::parse(value);
  KeepRest(CardFields(std::move(rest)), draft, &memory->kept);
  if (result != NoteContext()) draft->context = std::move(result);
}

void TakeEntryLinks(CardFields* fields, const std::string& id, ForeignMemory* memory,
                    std::vector<RekallLink>* links) {
  const auto list = fields->Take({"links"}, [](const Json& value) -> std::optional<Json> {
    return value.is_array() ? std::optional(value) : std::nullopt;
  });
  if (!list) return;
  for (Json row : *list) {
    if (!row.is_object()) continue;
    if (!row.contains("source_id")) row["source_id"] = id;
    if (auto link = RekallLinkOf(std::move(row), memory)) links->push_back(*std::move(link));
  }
}

}  // namespace

Result<ForeignNote> NoteOfRekallEntry(Json entry, const SourcePlace& place, ForeignMemory* memory,
                                      std::vector<RekallLink>* links) {
  CardFields fields(std::move(entry));
  if (fields.repaired()) ++memory->dropped[kRepairedTexts];
  ForeignNote note;
  note.place = place;
  NoteDraft& draft = note.draft;
  draft.title = TextOr(&fields, {"title", "name"});
  note.id = TextOr(&fields, {"id"});
  if (note.id.empty()) note.id = draft.title;
  if (note.id.empty()) {
    return Fail(place.Fault(StatusCode::kInvalidArgument, "the entry has no id and no title",
                            "an entry of Rekall has both"));
  }
  if (draft.title.empty()) draft.title = note.id;
  note.path = NotePathOf(NoteIdOf(draft.title));
  note.mark = {kIdKey, note.id};
  draft.type = fields.Text({"type", "entry_type", "kind"}).value_or("note");
  draft.text = TextOr(&fields, {"content", "body", "text"});
  draft.summary = fields.Text({"summary"});
  draft.tags = fields.List({"tags"});
  draft.recall_when = fields.List({"triggers", "recall_when"});
  draft.scope = fields.Text({"project", "scope"});
  draft.source = fields.Text({"source"});
  draft.confidence = ConfidenceOf(&fields);
  draft.status = fields.Text({"status"});
  draft.memory = fields.Text({"memory_type", "memory"});
  draft.created = fields.Time({"created_at", "created"});
  draft.updated = fields.Time({"updated_at", "updated"});
  draft.superseded_by = fields.Text({"superseded_by"});
  draft.other.emplace_back(kIdKey, Json(note.id).dump());
  note.uses = UsesOf(&fields, draft);
  note.review = ReviewOf(&fields);
  for (const char* name : {"context_blob", "context_structured", "structured_context", "context"}) {
    if (auto context = fields.Any({name})) {
      AddContext(*std::move(context), &draft, memory);
      break;
    }
  }
  // The same context again, uncompressed.
  if (draft.context) fields.Any({"context_structured"});
  if (auto excerpt = fields.Text({"context_compressed"})) {
    AddSection("Conversation", *excerpt, &draft.text);
  }
  AddTriggers(fields.List({"context_keywords", "trigger_keywords", "keywords"}),
              &draft.recall_when);
  const bool scored = fields.Any({"consolidation_score"}).has_value();
  if (fields.Any({"centrality_score"}) || scored) ++memory->dropped["scores (computed here)"];
  TakeEntryLinks(&fields, note.id, memory, links);
  KeepRest(fields, &draft, &memory->kept);
  RECALL_TRY(CheckCard(note));
  return note;
}

std::optional<RekallLink> RekallLinkOf(Json row, ForeignMemory* memory) {
  CardFields fields(std::move(row));
  RekallLink result;
  result.source = TextOr(&fields, {"source_id", "source", "from_id", "from"});
  result.link.target = TextOr(&fields, {"target_id", "target", "to_id", "to"});
  const std::string relation = TextOr(&fields, {"relation_type", "relation", "type"});
  result.link.relation = RelationNameOf(relation);
  result.link.reason = TextOr(&fields, {"reason"});
  result.link.at = fields.Time({"created_at", "created"});
  if (result.source.empty() || result.link.target.empty()) {
    ++memory->dropped["links without a source or a target"];
    return std::nullopt;
  }
  if (result.source == result.link.target) {
    ++memory->dropped[kLinksToItself];
    return std::nullopt;
  }
  return result;
}

void FinishRekallMemory(std::vector<RekallLink> links, ForeignMemory* memory) {
  std::ranges::stable_sort(memory->notes, {}, &ForeignNote::id);
  std::vector<ForeignNote> unique;
  for (ForeignNote& note : memory->notes) {
    if (!unique.empty() && unique.back().id == note.id) {
      const SourcePlace& place = note.place;
      memory->faults.push_back({place.file, place.is_line ? place.number : 0,
                                place.Words() + ": its id is that of another entry"});
    } else {
      unique.push_back(std::move(note));
    }
  }
  memory->notes = std::move(unique);
  std::map<std::string_view, size_t> by_id;
  for (size_t i = 0; i < memory->notes.size(); ++i) by_id.emplace(memory->notes[i].id, i);
  std::set<std::tuple<std::string, std::string, std::string>> known;
  for (RekallLink& row : links) {
    const auto source = by_id.find(row.source);
    if (source == by_id.end()) {
      ++memory->dropped["links of entries that are not there"];
    } else if (known.emplace(row.source, row.link.target, row.link.relation).second) {
      memory->notes[source->second].links.push_back(std::move(row.link));
    }
  }
}

}  // namespace recall
