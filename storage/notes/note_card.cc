#include "storage/notes/note_card.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "storage/metadata/metadata_values.h"

namespace recall {
namespace {

// A note ages from the moment it was last touched:
//
//   touched        + .75 window     + window        + 1.5 window
//      |  fresh         |  aging        |  stale         |  expired
//
// A `valid_until` takes precedence over the window:
//
//   touched        + .75 (valid_until - touched)      valid_until
//      |  fresh         |  aging                           |  expired
//
// Times are whole nanoseconds, so that the boundaries are exact. Windows are whole days, which four
// divides.

constexpr std::array<std::string_view, 5> kLifecycleNames = {"fresh", "aging", "stale", "expired",
                                                             "obsolete"};

// The windows of bastra-recall, in days. Notes of other types never age.
constexpr std::pair<std::string_view, int64_t> kDaysOfTypes[] = {
    {"lesson", 180},       {"decision", 365}, {"project-fact", 90},
    {"meta-working", 365}, {"workflow", 180},
};
constexpr int64_t kMostDays = 36'500;

std::optional<MetaScalar> ValueOf(std::string_view json, const std::string& key) {
  const auto scalars = MetadataAt(json, {&key, 1});
  if (!scalars || scalars->empty()) return std::nullopt;
  return scalars->front();
}

std::optional<UnixNanos> TimeOf(std::string_view json, const std::string& key) {
  const auto value = ValueOf(json, key);
  if (!value || value->kind != MetaScalar::Kind::kDate) return std::nullopt;
  return value->instant;
}

std::optional<UnixNanos> WindowOf(std::string_view json) {
  const auto given = ValueOf(json, "expires_after_days");
  if (given && given->kind == MetaScalar::Kind::kNumber && given->number.is_integer &&
      given->number.integer >= 0) {
    return std::min(given->number.integer, kMostDays) * kNanosPerDay;
  }
  const auto type = ValueOf(json, "type");
  if (!type) return std::nullopt;
  for (const auto& [name, days] : kDaysOfTypes) {
    if (type->text == name) return days * kNanosPerDay;
  }
  return std::nullopt;
}

// start + span, at most the last instant.
UnixNanos Later(UnixNanos start, UnixNanos span) {
  constexpr UnixNanos kLast = std::numeric_limits<UnixNanos>::max();
  return span > 0 && start > kLast - span ? kLast : start + span;
}

// Three quarters of the way from `start` to `end`, rounded. Neither product overflows.
UnixNanos ThreeQuarters(UnixNanos start, UnixNanos end) {
  return start / 4 + end / 4 * 3 + (start % 4 + end % 4 * 3) / 4;
}

}  // namespace

std::string_view LifecycleName(Lifecycle state) {
  return kLifecycleNames[static_cast<size_t>(state)];
}

std::optional<Lifecycle> LifecycleFromName(std::string_view name) {
  const auto found = std::ranges::find(kLifecycleNames, name);
  if (found == kLifecycleNames.end()) return std::nullopt;
  return static_cast<Lifecycle>(found - kLifecycleNames.begin());
}

NoteCard ReadNoteCard(std::string_view meta_json, std::optional<UnixNanos> mtime) {
  NoteCard card;
  const auto status = ValueOf(meta_json, "status");
  const auto obsolete = ValueOf(meta_json, "obsolete");
  const auto successor = ValueOf(meta_json, "superseded_by");
  card.obsolete = (status && status->text == "obsolete") ||
                  (obsolete && obsolete->text == "true") || (successor && !successor->text.empty());
  const bool has_status =
      status && status->kind != MetaScalar::Kind::kNumber && !status->text.empty();
  card.status = has_status ? status->text : card.obsolete ? "obsolete" : "active";
  const auto created = TimeOf(meta_json, "created");
  card.created = created ? created : mtime;
  const auto updated = TimeOf(meta_json, "updated");
  const auto reviewed = TimeOf(meta_json, "last_reviewed_at");
  card.touched = std::max(updated, reviewed);  // unset is the smallest
  if (!card.touched) card.touched = mtime ? mtime : created;
  card.window = WindowOf(meta_json);
  card.valid_until = TimeOf(meta_json, "valid_until");
  return card;
}

Lifecycle LifecycleOf(const NoteCard& card, std::optional<UnixNanos> reviewed_at, UnixNanos now) {
  if (card.obsolete) return Lifecycle::kObsolete;
  const std::optional<UnixNanos> touched = std::max(card.touched, reviewed_at);
  if (card.valid_until) {
    if (now >= *card.valid_until) return Lifecycle::kExpired;
    const bool ages = touched && now >= ThreeQuarters(*touched, *card.valid_until);
    return ages ? Lifecycle::kAging : Lifecycle::kFresh;
  }
  if (!card.window || !touched) return Lifecycle::kFresh;
  const UnixNanos window = *card.window;
  if (now >= Later(*touched, window + window / 2)) return Lifecycle::kExpired;
  if (now >= Later(*touched, window)) return Lifecycle::kStale;
  return now >= Later(*touched, window / 4 * 3) ? Lifecycle::kAging : Lifecycle::kFresh;
}

}  // namespace recall
