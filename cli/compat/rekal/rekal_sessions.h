#pragma once

#include <string>

#include "query/types/search_types.h"

namespace recall {

// The flags that the published answer repeats; "": not given.
struct RekalQuestion {
  std::string query;
  std::string file;
  std::string actor;
  std::string commit;
  std::string author;
};

// The answer of rekal to a search of sessions, for clients that were written for it: its members in
// its order, scores with two decimals, two spaces for each level.
std::string FormatRekalSessions(const RekalQuestion& asked, const SearchResponse& found);

}  // namespace recall
