#pragma once

#include "storage/base/coding.h"

namespace recall {

// Whether all cells of a b-tree page begin and end on it, so that looking for a row there cannot
// lead out of the page: what SQLite examines under PRAGMA cell_size_check, by the same rules
// ("Database File Format", 1.6, "B-tree Pages"). Pages that do not begin as those of a b-tree are
// taken for others, which have no cells: true. Any bytes may be given; nothing outside is read.
// Requires: a page of a database without reserved bytes, 512 .. 65536 bytes.
bool CellsLieOnPage(ByteSpan page);

}  // namespace recall
