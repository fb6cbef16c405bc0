#pragma once

// What the card of a note says about its life, and in which state it is at a time.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/clock.h"

namespace recall {

inline constexpr UnixNanos kNanosPerDay = 86'400LL * 1'000'000'000;

// `start` and a length of time, at most the last instant.
UnixNanos AddTime(UnixNanos start, UnixNanos length);

// The states of a note. Their names and the factors of the stage `freshness` are published
// (docs/notes.md).
enum class Lifecycle : uint8_t { kFresh, kAging, kStale, kExpired, kObsolete };
std::string_view LifecycleName(Lifecycle state);  // "fresh", ...

// The status of a note that keeps the other text of a conflict (docs/notes.md).
inline constexpr std::string_view kConflictStatus = "conflict";

// The part of a card on which the state depends.
struct NoteCard {
  std::string status;                // "active" unless the card says another
  bool obsolete = false;             // by its status, `obsolete: true` or `superseded_by`
  std::optional<UnixNanos> created;  // without one, the time of the document
  // The later of `updated` and `last_reviewed_at`; without either, the time of the document.
  std::optional<UnixNanos> touched;
  std::optional<UnixNanos> window;  // nanoseconds; unset: it never ages
  std::optional<UnixNanos> valid_until;

  bool operator==(const NoteCard&) const = default;
};

// Reads a card from the metadata of a note, which may be any bytes. `mtime`: of the document.
NoteCard ReadNoteCard(std::string_view meta_json, std::optional<UnixNanos> mtime);

// Whether the card of a note says that it is private. `meta_json`: as of ReadNoteCard.
bool IsPrivateCard(std::string_view meta_json);

// The state as of `now`. `reviewed_at`: the last rated review, if there is one.
Lifecycle LifecycleOf(const NoteCard& card, std::optional<UnixNanos> reviewed_at, UnixNanos now);
// Whether it may depend on `reviewed_at`. A review makes a note fresher, so it changes nothing of
// one that is fresh by its card alone, obsolete, or no longer valid.
bool MayDependOnReviews(const NoteCard& card, UnixNanos now);

}  // namespace recall
