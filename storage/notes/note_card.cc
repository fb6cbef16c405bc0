#include "storage/notes/note_card.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

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

// The windows in days, from an older memory program (docs/decisions/0050-view-memory.md). Notes of
// other types never age.
constexpr std::pair<std::string_view, int64_t> kDaysOfTypes[] = {
    {"lesson", 180},       {"decision", 365}, {"project-fact", 90},
    {"meta-working", 365}, {"workflow", 180},
};
constexpr int64_t kMostDays = 36'500;

// The values of a card. The metadata are parsed once.
class CardValues final {
 public:
  explicit CardValues(std::string_view json) : entries_(MetadataEntries(json)) {}

  // The first scalar of a key; null if it has none.
  const MetaScalar* Find(std::string_view key) const {
    const auto found = std::ranges::lower_bound(entries_, key, {}, &MetaEntry::key);
    const bool has = found != entries_.end() && found->key == key && !found->scalars.empty();
    return has ? &found->scalars.front() : nullptr;
  }
  std::optional<UnixNanos> Time(std::string_view key) const {
    const MetaScalar* const value = Find(key);
    if (value == nullptr || value->kind != MetaScalar::Kind::kDate) return std::nullopt;
    return value->instant;
  }

 private:
  std::vector<MetaEntry> entries_;
};

std::optional<UnixNanos> WindowOf(const CardValues& values) {
  const MetaScalar* const given = values.Find("expires_after_days");
  if (given && given->kind == MetaScalar::Kind::kNumber && given->number.is_integer &&
      given->number.integer >= 0) {
    return std::min(given->number.integer, kMostDays) * kNanosPerDay;
  }
  const MetaScalar* const type = values.Find("type");
  if (!type) return std::nullopt;
  for (const auto& [name, days] : kDaysOfTypes) {
    if (type->text == name) return days * kNanosPerDay;
  }
  return std::nullopt;
}

// Three quarters of the way from `start` to `end`, rounded. Neither product overflows.
UnixNanos ThreeQuarters(UnixNanos start, UnixNanos end) {
  return start / 4 + end / 4 * 3 + (start % 4 + end % 4 * 3) / 4;
}

}  // namespace

std::string_view LifecycleName(Lifecycle state) {
  return kLifecycleNames[static_cast<size_t>(state)];
}

UnixNanos AddTime(UnixNanos start, UnixNanos length) {
  constexpr UnixNanos kLast = std::numeric_limits<UnixNanos>::max();
  return length > 0 && start > kLast - length ? kLast : start + length;
}

NoteCard ReadNoteCard(std::string_view meta_json, std::optional<UnixNanos> mtime) {
  NoteCard card;
  const CardValues values(meta_json);
  const MetaScalar* const status = values.Find("status");
  const MetaScalar* const obsolete = values.Find("obsolete");
  const MetaScalar* const successor = values.Find("superseded_by");
  card.obsolete = (status && status->text == "obsolete") ||
                  (obsolete && obsolete->text == "true") || (successor && !successor->text.empty());
  const bool has_status =
      status && status->kind != MetaScalar::Kind::kNumber && !status->text.empty();
  card.status = has_status ? status->text : card.obsolete ? "obsolete" : "active";
  const auto created = values.Time("created");
  card.created = created ? created : mtime;
  const auto updated = values.Time("updated");
  const auto reviewed = values.Time("last_reviewed_at");
  card.touched = std::max(updated, reviewed);  // unset is the smallest
  if (!card.touched) card.touched = mtime ? mtime : created;
  card.window = WindowOf(values);
  card.valid_until = values.Time("valid_until");
  return card;
}

bool IsPrivateCard(std::string_view meta_json) {
  const std::vector<MetaEntry> entries = MetadataEntries(meta_json);
  const auto found = std::ranges::lower_bound(entries, "sensitivity", {}, &MetaEntry::key);
  return found != entries.end() && found->key == "sensitivity" &&
         std::ranges::any_of(found->scalars, [](const MetaScalar& scalar) {
           return scalar.kind == MetaScalar::Kind::kText && scalar.text == "private";
         });
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
  if (now >= AddTime(*touched, window + window / 2)) return Lifecycle::kExpired;
  if (now >= AddTime(*touched, window)) return Lifecycle::kStale;
  return now >= AddTime(*touched, window / 4 * 3) ? Lifecycle::kAging : Lifecycle::kFresh;
}

bool MayDependOnReviews(const NoteCard& card, UnixNanos now) {
  if (card.obsolete) return false;
  if (card.valid_until && now >= *card.valid_until) return false;
  if (!card.valid_until && !card.window) return false;
  return !card.touched || LifecycleOf(card, std::nullopt, now) != Lifecycle::kFresh;
}

}  // namespace recall
