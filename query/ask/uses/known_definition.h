#pragma once

#include <string>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/ask/uses/reference_evidence.h"
#include "query/types/reference_types.h"

namespace recall {

// A definition that the store has.
struct KnownDefinition {
  SymbolRow row;
  NamedDefinition named;
  bool is_requested = false;
};

// Finds the definitions of a name at the snapshot of `scope`. The filter of `scope` is ignored.
// Errors: those of FindSymbols.
Result<SymbolsResponse> FindNamed(const Snapshot& snapshot, const std::string& name,
                                  const Scope& scope, const std::string& commit_token);
// The same. None is marked as requested, and all as usable anywhere.
Result<std::vector<KnownDefinition>> FindKnown(const Snapshot& snapshot, const std::string& name,
                                               const Scope& scope, const std::string& commit_token);
// Sets where each definition can be used. Cost: the texts of the documents with these definitions.
Status ReadVisibility(const TextsAndFacts& texts, std::vector<KnownDefinition>& definitions);

}  // namespace recall
