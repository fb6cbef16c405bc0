#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "storage/base/result.h"
#include "storage/notes/activity_table.h"
#include "storage/notes/note_card.h"

namespace recall {

class Connection;

// What is known of a live document that is a note, or that was linked, used or reviewed.
struct NoteFacts {
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  bool is_note = false;
  NoteCard card;  // of a note
  Activity activity;

  // Of a note; a document that is none has no state.
  std::optional<Lifecycle> LifecycleAt(UnixNanos now) const {
    if (!is_note) return std::nullopt;
    return LifecycleOf(card, activity.reviewed_at, now);
  }
};

// The part of the facts on which the ranking of notes depends.
struct NoteState {
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  std::optional<Lifecycle> lifecycle;  // of a note

  bool IsObsolete() const { return lifecycle == Lifecycle::kObsolete; }
};

// The state of a live document as of a time; nullopt if nothing is known. Reads the activity only
// if the state depends on it.
Result<std::optional<NoteState>> FindNoteState(Connection& connection, int64_t doc_row,
                                               UnixNanos as_of);
// The facts of a live document, with the activity as of a time; nullopt if nothing is known.
Result<std::optional<NoteFacts>> FindNoteFacts(Connection& connection, int64_t doc_row,
                                               UnixNanos as_of);
// Visits the facts of all live documents of which any are known. The order is that of their names.
// About half a microsecond a document.
Status ScanNoteFacts(Connection& connection, UnixNanos as_of,
                     const std::function<void(const NoteFacts&)>& visit);

}  // namespace recall
