#pragma once

// The answers of other programs, for clients that were written for them: their field names, their
// order, their scores.

#include <optional>
#include <string>
#include <string_view>

#include "cli/show/output/ask_json.h"
#include "query/types/search_types.h"
#include "storage/base/json_writer.h"
#include "storage/base/result.h"

namespace recall {

enum class CompatShape { kNone, kBastra, kRekall };

// Returns: the shape with this name; kNone for "".
CompatShape ShapeNamed(std::string_view name);

// bastra-recall counts 5000 times the sum of 1 / (60 + rank): 163.934 points are the score 1 of
// reciprocal rank fusion.
inline constexpr double kPointsOfScore = 5000 * 2 / 61.0;
// It reads so many first hits of each retriever, and drops hits with fewer points.
inline constexpr size_t kBastraLegDepth = 50;
inline constexpr double kBastraFloor = 30;

// Returns: the floor in points: the variable BASTRA_RECALL_FLOOR, else kBastraFloor. Errors:
// InvalidArgument if it is not a number from 0.
Result<double> BastraFloor();

// Changes a request to one that the other program answers: one hit of each document, and for
// kBastra reciprocal rank fusion of kBastraLegDepth hits each, and its floor unless `min_score` is
// set. Errors: those of BastraFloor.
Status ApplyShape(CompatShape shape, bool has_min_score, SearchRequest* request);

// The name of a note in other programs: `x` for notes/x.md, else the path. `recall get` finds both.
std::string CompatId(std::string_view path);

// Writes the members of the whole answer. `full`: hits with all their fields; needs
// SearchRequest::evidence. For kBastra, neighbours over links follow the hits. Requires: shape !=
// kNone.
void WriteShape(CompatShape shape, const Question& question, const SearchResponse& found, bool full,
                JsonWriter& json);

}  // namespace recall
