#pragma once

// --explain as a person reads it.

#include <string>

#include "cli/output/ask_json.h"
#include "cli/terminal/terminal.h"
#include "query/types/search_types.h"

namespace recall {

// How a question was answered, as `explain` and `stats.timings` of the JSON say it: one
// "name value" line each. `stable`: without times.
std::string FormatExplain(const Explanation& explanation, bool stable);

// How a score came about: indented lines in columns, one for each kind of evidence, with its rank,
// what was measured, and its share of the sum; one for the second stage, and one for the score.
//
//     words       rank 1     bm25     2.0717  share 0.4802
//     n-grams                  bm25     8.0225  share 0.4802
//     meaning     rank 4     cosine   0.3100  share 0.0196
//     neighbours                              share 0.0100
//     2nd stage   was 3      gave feedback
//     score       0.9900 x 0.6335 = 0.6272
//
// `calibration` as in SearchExplain.
std::string FormatHitExplain(const HitExplain& explain, double calibration, const TextStyle& style);

// The same below a line that names the chunk (or a whole piece of a context): what stands beside
// an answer whose rows are not blocks.
std::string FormatPlaceExplain(const DocView& doc, const ChunkView& chunk,
                               const HitExplain& explain, double calibration,
                               const TextStyle& style);

}  // namespace recall
