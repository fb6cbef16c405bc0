#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/ask/retrieval/query_tools.h"
#include "query/types/note_types.h"

namespace recall {

// A likeness from which on two texts are nearly the same; those of one subject have less.
inline constexpr double kLeastSameLikeness = 0.8;

// What of a note is compared with others: its title, its summary and its text. The other keys of
// its card are those of many notes.
struct ComparedNote {
  std::string title;
  std::string summary;
  std::string text;  // without the card

  // All of it, a line each.
  std::string Whole() const;
};

// Of a note as it is written; `title`, `summary`: those of its card.
ComparedNote ComparedPartOf(std::string title, std::string summary, std::string_view note);
// Of a note of the store.
Result<ComparedNote> ReadComparedPart(const TextsAndFacts& texts, const DocRow& doc);

// The notes nearest to one, at most `most`, nearest first; `commit_token` as in ResolveScope. A
// note with the same title and text is among them wherever it is. Errors: those of RunSearch.
Result<std::vector<NearDocument>> FindNearNotes(const Snapshot& snapshot,
                                                const QueryDependencies& deps,
                                                const ComparedNote& note, size_t most,
                                                const std::string& commit_token);

}  // namespace recall
