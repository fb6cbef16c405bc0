#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/ask/retrieval/query_tools.h"
#include "query/memory/notes/compared_note.h"
#include "query/types/note_types.h"

namespace recall {

// A likeness from which on two texts are nearly the same; those of one subject have less.
inline constexpr double kLeastSameLikeness = 0.8;

// The notes nearest to one, and those that it contradicts.
struct NearAnswer {
  std::vector<NearDocument> near;          // nearest first
  std::vector<Contradiction> contradicts;  // at most kMostContradictions, by nearness, then path
};
inline constexpr size_t kMostContradictions = 5;

// `most`: the most notes that are near; `commit_token` as in ResolveScope. A note with the same
// title and text is among them wherever it is. Only notes that are not obsolete are contradicted.
// Errors: those of RunSearch.
Result<NearAnswer> FindNearNotes(const Snapshot& snapshot, const QueryDependencies& deps,
                                 const ComparedNote& note, size_t most,
                                 const std::string& commit_token);

}  // namespace recall
