#pragma once

// The table `card` (docs/format/store.md, "Notes"): one row for each live document that is a note,
// or whose path has a name. Like doc_meta it is derived from `doc`, and a snapshot has a view of
// it.

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "storage/base/result.h"
#include "storage/notes/note_card.h"

namespace recall {

class Connection;

// A document version, as far as its card depends on it.
struct CardOwner {
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  std::string_view path;
  bool is_note = false;
  std::string_view meta;  // its metadata; "": none
  std::optional<UnixNanos> mtime;
};

// The table of live documents, or the temporary one of a transaction's snapshot.
enum class CardTable : uint8_t { kLive, kSnapshot };

// Adds the card of a document, if it is a note or its path has a name. In the table of live
// documents a note whose path has no name gets one.
Status InsertCard(Connection& connection, const CardOwner& owner,
                  CardTable table = CardTable::kLive);
// Removes the card of a document, if it has one.
Status DeleteCard(Connection& connection, int64_t doc_row);
// Adds the card of the live document at a path that has just got a name, if there is one.
Status InsertCardOfName(Connection& connection, std::string_view path);
// Adds the cards of all live documents to an empty table, and names for notes without one.
Status FillCards(Connection& connection);

struct CardRow {
  int64_t name = 0;
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
  bool is_note = false;
  NoteCard card;  // of a note
};
// Visits all cards, by name.
Status ScanCards(Connection& connection, const std::function<void(const CardRow&)>& visit);
// The card of a document version, of a name; nothing if there is none.
Result<std::optional<CardRow>> FindCardOfDoc(Connection& connection, int64_t doc_row);
Result<std::optional<CardRow>> FindCardOfName(Connection& connection, int64_t name);

}  // namespace recall
