#include "storage/notes/note_facts.h"

#include "storage/notes/card_table.h"

namespace recall {
namespace {

NoteFacts FactsOf(const CardRow& card, const Activity& activity) {
  return {.doc_row = card.doc_row,
          .first_chunk = card.first_chunk,
          .chunk_count = card.chunk_count,
          .is_note = card.is_note,
          .card = card.card,
          .activity = activity};
}

}  // namespace

Result<std::optional<NoteState>> FindNoteState(Connection& connection, int64_t doc_row,
                                               UnixNanos as_of) {
  RECALL_ASSIGN(const auto card, FindCardOfDoc(connection, doc_row));
  if (!card) return std::nullopt;
  NoteState state{card->first_chunk, card->chunk_count, std::nullopt};
  if (!card->is_note) return state;
  std::optional<UnixNanos> reviewed_at;
  if (MayDependOnReviews(card->card, as_of)) {
    RECALL_ASSIGN(const Activity activity, FindActivity(connection, card->name, as_of));
    reviewed_at = activity.reviewed_at;
  }
  state.lifecycle = LifecycleOf(card->card, reviewed_at, as_of);
  return state;
}

Result<std::optional<NoteFacts>> FindNoteFacts(Connection& connection, int64_t doc_row,
                                               UnixNanos as_of) {
  RECALL_ASSIGN(const auto card, FindCardOfDoc(connection, doc_row));
  if (!card) return std::nullopt;
  RECALL_ASSIGN(const Activity activity, FindActivity(connection, card->name, as_of));
  return FactsOf(*card, activity);
}

// Both tables are read in the order of names, so a look-up is a step of the second one.
Status ScanNoteFacts(Connection& connection, UnixNanos as_of,
                     const std::function<void(const NoteFacts&)>& visit) {
  RECALL_ASSIGN(ActivityScan activities, ActivityScan::Open(connection, as_of));
  Status status;
  RECALL_TRY(ScanCards(connection, [&](const CardRow& card) {
    if (!status.ok()) return;
    const auto activity = activities.At(card.name);
    if (activity) {
      visit(FactsOf(card, *activity));
    } else {
      status = activity.error();
    }
  }));
  return status;
}

}  // namespace recall
