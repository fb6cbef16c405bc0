#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/search/snapshot/search_indexes.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// As SearchIndexes::ChunksWith. Chunks that were removed may be among the result. Cost: one read of
// the full-text index; of a common token, a look-up for each chunk of `among`.
Result<std::vector<std::vector<TokenCount>>> FindChunksWith(
    const ReadTransaction& transaction, std::span<const TokenQuestion> questions);

}  // namespace recall
