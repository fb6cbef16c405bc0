#pragma once

#include <set>
#include <string>

#include "index/search/vocabulary/term_index.h"

namespace recall {

// Checks that all parts of a term index exist, that there are no others, and that the lists are
// those of the terms: building the index from its terms would give the same bytes. `kinds`: the
// stored parts. Reads each part once, and holds one at a time. Errors: Corruption; those of `read`.
Status CheckTermIndex(std::set<std::string> kinds, const TermIndex::ReadPart& read);

}  // namespace recall
