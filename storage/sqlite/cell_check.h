#pragma once

#include "storage/base/coding.h"

namespace recall {

// Returns whether all cells of a b-tree page begin and end on it, so that a search for a row cannot
// leave the page. SQLite checks the same under PRAGMA cell_size_check, by the same rules ("Database
// File Format", 1.6, "B-tree Pages"). Pages without the flag byte of a b-tree have no cells: true.
// Any bytes may be given; nothing outside of them is read. Requires: the usable bytes of a page
// (without those that are reserved at its end), 480 .. 65536.
bool CellsLieOnPage(ByteSpan page);

}  // namespace recall
