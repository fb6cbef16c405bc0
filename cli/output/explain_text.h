#pragma once

// The output of --explain as text.

#include <string>

#include "cli/output/ask_json.h"
#include "cli/terminal/terminal.h"
#include "query/types/search_types.h"

namespace recall {

// Returns: how a question was answered, with the values of `explain` and `stats.timings` in JSON:
// one line "name value" each. `stable`: without times.
std::string FormatExplain(const Explanation& explanation, bool stable);

// Returns: how a score was computed, as indented lines in columns: one for each kind of evidence,
// with the rank, the measured value and its share of the sum; one for reranking, one for the score,
// and one for each stage.
//
//     words       rank 1     bm25     2.0717  share 0.4802
//     grams                  bm25     8.0225  share 0.4802
//     meaning     rank 4     cosine   0.3100  share 0.0196
//     neighbours                              share 0.0100
//     2nd stage   was 3      gave feedback
//     score       0.9900 x 0.6335 = 0.6272
//
// `calibration` as in SearchExplain.
std::string FormatHitExplain(const HitExplain& explain, double calibration, const TextStyle& style);

// Returns: the lines of FormatHitExplain below a line that names the chunk, or a whole piece of a
// context. It is printed on stderr next to an answer that does not have a block for each hit.
std::string FormatPlaceExplain(const DocView& doc, const ChunkView& chunk,
                               const HitExplain& explain, double calibration,
                               const TextStyle& style);

}  // namespace recall
