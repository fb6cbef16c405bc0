#pragma once

#include <string>
#include <vector>

#include "query/ask/uses/known_definition.h"

namespace recall {

// The definitions of the store that the requested ones of `callers` call: names that are called
// within their lines. A call means the definitions with the strongest evidence. A member that its
// class declares and that has its body elsewhere counts with its body. Errors: Corruption.
Result<std::vector<ReferenceRow>> FindCallees(const Snapshot& snapshot,
                                              const std::vector<KnownDefinition>& callers,
                                              const Scope& scope, const std::string& commit_token);

}  // namespace recall
