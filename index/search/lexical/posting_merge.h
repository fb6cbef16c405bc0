#pragma once

#include <cstdint>
#include <vector>

#include "storage/fts5/fts_index.h"

namespace recall {

// The union of posting lists: rows ascending, each once, counts added.
PostingList MergePostings(std::vector<PostingList> lists);

}  // namespace recall
