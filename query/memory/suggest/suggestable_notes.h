#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/memory/notes/compared_note.h"
#include "query/types/suggest_types.h"

namespace recall {

// A note of which something may be suggested: it is not obsolete.
struct SuggestableNote {
  DocRow doc;
  NoteFacts facts;
  SuggestedNote shown;
  ComparedNote text;
  std::vector<std::string> naming;  // what names its subject beside its title: tags, triggers
  std::vector<std::string> topics;

  // When somebody wrote it, or changed it last.
  std::optional<UnixNanos> ChangedAt() const {
    return std::max(facts.card.touched, facts.card.created);
  }
};

// The notes of a scope, by path, and what links them. Notes are named by their index.
struct SuggestableNotes {
  using Pair = std::pair<size_t, size_t>;

  std::vector<SuggestableNote> notes;
  std::set<Pair> linked;         // the smaller index first: by any link, of either direction
  std::set<Pair> superseding;    // source and target
  std::set<Pair> contradicting;  // source and target, as links say
  std::set<size_t> of_patterns;  // joined with a note of the type `pattern` by derived_from
};

inline constexpr std::string_view kPatternType = "pattern";
// The type of a note about something that happened, of which several may have a pattern.
bool IsOfEpisode(std::string_view type);

// Reads them. `commit_token` as in ResolveScope; `facts` gets the filter and the time. Errors:
// those of ResolveScope.
Result<SuggestableNotes> ReadSuggestableNotes(const Snapshot& snapshot, const Scope& scope,
                                              const std::string& commit_token, AnswerFacts* facts);

}  // namespace recall
