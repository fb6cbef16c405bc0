#pragma once

// The table `note_set` (docs/format/store.md, "Notes"): the chunk rowids of notes, as a roaring
// bitmap. Whether a chunk is of a note never changes, so removed versions and snapshots need no
// exception: a reader takes what is live of it.

#include <string>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

// The serialised bitmap; empty if there are no notes.
Result<std::string> ReadNoteSet(Connection& connection);
// Whether there is one: whether the store has, or has had, any note. Takes microseconds.
Result<bool> HasNoteSet(Connection& connection);
// Requires: a write transaction.
Status WriteNoteSet(Connection& connection, ByteSpan roaring);

}  // namespace recall
