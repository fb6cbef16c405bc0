#pragma once

// Answers in the form of other programs, for clients that were written for them: with their field
// names, their order of fields, and their scores.

#include <string>
#include <string_view>
#include <vector>

#include "cli/show/output/ask_json.h"
#include "query/types/search_types.h"
#include "storage/base/json_writer.h"
#include "storage/base/result.h"

namespace recall {

// How another program answers a search.
struct CompatShape {
  std::string_view name;    // what users type: `search --shape NAME`
  int64_t results = 0;      // hits, if nothing else says how many
  std::string_view fusion;  // the only value of the setting `fusion` that a flag may give; "": any

  // Changes a request to one that the program answers. `has_min_score`: a flag gave the lowest
  // score. Errors: InvalidArgument if a variable of that program has no valid value.
  Status (*apply)(bool has_min_score, SearchRequest* request) = nullptr;

  // Writes the members of the whole answer but the warnings. `full`: hits with all their fields;
  // needs SearchRequest::evidence.
  void (*write)(const Question& question, const SearchResponse& found, bool full,
                JsonWriter& json) = nullptr;
};

// The values of `search --shape`, and the help of that flag.
std::vector<std::string> ShapeNames();
std::string ShapeHelp();

// Returns: the shape with this name; null if there is none.
const CompatShape* FindShape(std::string_view name);

// Writes the members of the whole answer, the warnings last.
void WriteShape(const CompatShape& shape, const Question& question, const SearchResponse& found,
                bool full, JsonWriter& json);

// bastra-recall counts 5000 times the sum of 1 / (60 + rank): 163.934 points are the score 1 of
// reciprocal rank fusion.
inline constexpr double kPointsOfScore = 5000 * 2 / 61.0;

// The name of a note in other programs: `x` for notes/x.md, else the path. `recall get` finds both.
std::string CompatId(std::string_view path);

}  // namespace recall
