#include "index/search/filter/computed_value.h"

#include <algorithm>
#include <optional>

#include "index/source/note/consolidation.h"
#include "storage/base/json_writer.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

SortValue TimeOrMissing(std::optional<UnixNanos> time) {
  return time ? SortValue::Integer(*time) : SortValue();
}

}  // namespace

std::string_view KindOfParser(std::string_view parser) {
  return parser == kNoteParser || parser == kSessionParser ? parser : "file";
}

SortValue StatusValue(const NoteFacts& facts, UnixNanos) {
  return facts.is_note ? SortValue::Text(facts.card.status) : SortValue();
}

SortValue LifecycleValue(const NoteFacts& facts, UnixNanos now) {
  const auto state = facts.LifecycleAt(now);
  return state ? SortValue::Text(std::string(LifecycleName(*state))) : SortValue();
}

SortValue UsesValue(const NoteFacts& facts, UnixNanos) {
  return SortValue::Integer(facts.activity.uses);
}

SortValue UsedAtValue(const NoteFacts& facts, UnixNanos) {
  return TimeOrMissing(facts.activity.used_at);
}

SortValue ConsolidationValue(const NoteFacts& facts, UnixNanos now) {
  const auto since = facts.is_note ? facts.card.created : std::nullopt;
  const auto value = Consolidation(facts.activity.uses, facts.activity.used_at, since, now);
  return value ? SortValue::Real(*value) : SortValue();
}

SortValue DueValue(const NoteFacts& facts, UnixNanos) { return TimeOrMissing(facts.activity.due); }

SortValue IntervalValue(const NoteFacts& facts, UnixNanos) {
  return facts.activity.due ? SortValue::Integer(facts.activity.interval_days) : SortValue();
}

SortValue EasinessValue(const NoteFacts& facts, UnixNanos) {
  if (!facts.activity.due) return {};
  return SortValue::Real(static_cast<double>(facts.activity.easiness) / 100);
}

SortValue ReviewsValue(const NoteFacts& facts, UnixNanos) {
  return SortValue::Integer(facts.activity.reviews);
}

bool HasRelation(const FieldRef& field, std::string_view relation) {
  return field.meta_path.empty() || field.meta_path[0] == kAnyRelation ||
         field.meta_path[0] == relation;
}

SortValue ListOfPaths(std::vector<std::string> paths) {
  if (paths.empty()) return {};
  std::ranges::sort(paths);
  const auto repeated = std::ranges::unique(paths);
  paths.erase(repeated.begin(), repeated.end());
  SortValue list;
  list.kind = SortValue::Kind::kCompound;
  JsonWriter(&list.text).Value(paths);
  return list;
}

}  // namespace recall
