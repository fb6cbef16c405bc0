#pragma once

#include <set>
#include <string>

#include "query/memory/notes/note_dependencies.h"
#include "query/memory/suggest/suggestion_sources.h"
#include "query/types/suggest_types.h"

namespace recall {

// Implements Database::Suggest. `rejected`: the ids of suggestions that were rejected.
Result<SuggestReport> RunSuggest(const SuggestTools& tools, const SuggestRequest& request,
                                 const std::set<std::string>& rejected);

// Does what a suggestion says, as far as nobody has to write or to rate anything. Returns: whether
// the store was changed. Errors: those of RunLink and RunRetire.
Result<bool> CarryOut(const NoteDependencies& deps, const Suggestion& suggestion,
                      const SettleRequest& request);

}  // namespace recall
