#pragma once

// A search of sessions, and their turns, answered as another program answers them, for clients that
// were written for that one.

#include <string>
#include <vector>

#include "query/types/get_types.h"
#include "query/types/search_types.h"

namespace recall {

// The values of --shape of `sessions` and `get`, and the help of that flag.
std::vector<std::string> SessionShapeNames();
std::string SessionShapeHelp();

// The flags that the other program's answer repeats; "": not given.
struct SessionShapeQuestion {
  std::string query;
  std::string file;
  std::string actor;
  std::string commit;
  std::string author;
};

// The whole answer, a JSON document: members in the order of the other program, scores with two
// decimals, two spaces for each level.
std::string FormatSessionShape(const SessionShapeQuestion& asked, const SearchResponse& found);

// Formats the turns of a session as that program does. `full`: also the tool calls and the files.
// Requires: `found` has turns.
std::string FormatTurnsShape(const GetResponse& found, bool full);

}  // namespace recall
