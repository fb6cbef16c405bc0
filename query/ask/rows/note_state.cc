#include "query/ask/rows/note_state.h"

#include "storage/notes/note_card.h"

namespace recall {

std::string StateOfInvalidNote(const DocRow& doc, UnixNanos as_of) {
  if (doc.parser != kNoteParser) return {};
  // Neither state depends on reviews.
  const Lifecycle state = LifecycleOf(ReadNoteCard(doc.meta.value_or(""), doc.mtime), {}, as_of);
  const bool invalid = state == Lifecycle::kObsolete || state == Lifecycle::kExpired;
  return invalid ? std::string(LifecycleName(state)) : std::string();
}

}  // namespace recall
