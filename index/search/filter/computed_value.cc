#include "index/search/filter/computed_value.h"

#include <optional>
#include <string>

#include "index/source/note/consolidation.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

SortValue TimeOrMissing(std::optional<UnixNanos> time) {
  return time ? SortValue::Integer(*time) : SortValue();
}

SortValue ConsolidationOf(const NoteFacts& facts, UnixNanos now) {
  const auto since = facts.is_note ? facts.card.created : std::nullopt;
  const auto value = Consolidation(facts.activity.uses, facts.activity.used_at, since, now);
  return value ? SortValue::Real(*value) : SortValue();
}

}  // namespace

bool DependsOnTime(Field field) {
  switch (field) {
    case Field::kDocLifecycle:
    case Field::kDocUses:
    case Field::kDocUsedAt:
    case Field::kDocConsolidation:
    case Field::kDocDue:
    case Field::kDocInterval:
    case Field::kDocEasiness:
    case Field::kDocReviews:
      return true;
    default:
      return false;
  }
}

std::string_view KindOfParser(std::string_view parser) {
  return parser == kNoteParser || parser == kSessionParser ? parser : "file";
}

SortValue ValueOfFacts(Field field, const NoteFacts& facts, UnixNanos now) {
  const Activity& activity = facts.activity;
  switch (field) {
    case Field::kDocStatus:
      return facts.is_note ? SortValue::Text(facts.card.status) : SortValue();
    case Field::kDocLifecycle: {
      const auto state = facts.LifecycleAt(now);
      return state ? SortValue::Text(std::string(LifecycleName(*state))) : SortValue();
    }
    case Field::kDocUses:
      return SortValue::Integer(activity.uses);
    case Field::kDocReviews:
      return SortValue::Integer(activity.reviews);
    case Field::kDocUsedAt:
      return TimeOrMissing(activity.used_at);
    case Field::kDocDue:
      return TimeOrMissing(activity.due);
    case Field::kDocInterval:
      return activity.due ? SortValue::Integer(activity.interval_days) : SortValue();
    case Field::kDocEasiness:
      if (!activity.due) return {};
      return SortValue::Real(static_cast<double>(activity.easiness) / 100);
    case Field::kDocConsolidation:
      return ConsolidationOf(facts, now);
    default:
      return {};
  }
}

bool IsLinkCount(Field field) { return field == Field::kDocLinks || field == Field::kDocBacklinks; }

bool IsOfLinks(Field field) {
  return IsLinkCount(field) || field == Field::kDocLink || field == Field::kDocBacklink;
}

LinkEnd EndOf(Field field) {
  return field == Field::kDocLink || field == Field::kDocLinks ? LinkEnd::kSource
                                                               : LinkEnd::kTarget;
}

bool HasRelation(const FieldRef& field, std::string_view relation) {
  return IsLinkCount(field.field) || field.meta_path[0] == kAnyRelation ||
         field.meta_path[0] == relation;
}

}  // namespace recall
