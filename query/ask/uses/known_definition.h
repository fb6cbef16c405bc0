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

// The definitions that FindSymbols finds for a name, at the snapshot of `scope`; its filter
// does not restrict them. Errors: those of FindSymbols.
Result<SymbolsResponse> FindNamed(const Snapshot& snapshot, const std::string& name,
                                  const Scope& scope, const std::string& commit_token);
// The same with where they are visible unknown, and none requested.
Result<std::vector<KnownDefinition>> FindKnown(const Snapshot& snapshot, const std::string& name,
                                               const Scope& scope, const std::string& commit_token);
// Sets where they can be used. Cost: the texts of the documents with these definitions.
Status ReadVisibility(const TextsAndFacts& texts, std::vector<KnownDefinition>& definitions);

}  // namespace recall
