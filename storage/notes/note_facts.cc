#include "storage/notes/note_facts.h"

#include <utility>
#include <vector>

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
  std::vector<std::pair<int64_t, Activity>> activities;
  RECALL_TRY(ScanActivity(connection, as_of, [&](int64_t name, const Activity& activity) {
    activities.emplace_back(name, activity);
  }));
  auto next = activities.begin();
  return ScanCards(connection, [&](const CardRow& card) {
    while (next != activities.end() && next->first < card.name) ++next;
    const bool found = next != activities.end() && next->first == card.name;
    visit(FactsOf(card, found ? next->second : Activity()));
  });
}

}  // namespace recall
