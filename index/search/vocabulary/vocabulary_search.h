#pragma once

#include <string_view>
#include <vector>

#include "index/search/vocabulary/near_term.h"
#include "storage/base/result.h"
#include "storage/store/store.h"

namespace recall {

// Returns the terms of the store's vocabulary that are most similar to a word, at most `most`, in
// the order of IsNearer. Terms of removed chunks may be among them. `word` is folded; `stem` is its
// stem. The vocabulary is scanned if the model has no index of terms (in a small store, or made by
// an older program); otherwise terms that were added after the training are not found. Errors:
// Corruption.
Result<std::vector<NearTerm>> FindNearTerms(const ReadTransaction& transaction,
                                            std::string_view word, std::string_view stem,
                                            size_t most);

}  // namespace recall
