#pragma once

// What each kind of suggestion is made of. suggest.cc asks them one after the other.

#include <map>
#include <string>
#include <utility>

#include "query/ask/retrieval/query_tools.h"
#include "query/memory/notes/contradiction.h"
#include "query/memory/suggest/suggestable_notes.h"
#include "query/memory/suggest/suggestion_list.h"

namespace recall {

// What vectors are compared with. `commit_token` as in ResolveScope; `store_root`: absolute, the
// directory of the store. All must outlive the object.
struct SuggestTools {
  const Snapshot& snapshot;
  const QueryDependencies& deps;
  const std::string& commit_token;
  const std::string& store_root;
};

// Older and newer notes that contradict each other, by the older one.
using Contradictions = std::map<SuggestableNotes::Pair, StatedDifference>;
Contradictions FindContradictions(const SuggestableNotes& all);

void OfferRetirements(const SuggestableNotes& all, const Contradictions& contradictions,
                      UnixNanos as_of, SuggestionList& list);
void OfferPatterns(const SuggestableNotes& all, SuggestionList& list);
Status OfferLinks(const SuggestTools& tools, const SuggestableNotes& all,
                  const Contradictions& contradictions, SuggestionList& list);
void OfferReviews(const SuggestableNotes& all, UnixNanos as_of, SuggestionList& list);

}  // namespace recall
