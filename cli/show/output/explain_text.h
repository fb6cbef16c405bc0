#pragma once

// The output of --explain as text.

#include <cstddef>
#include <string>

#include "cli/show/output/ask_json.h"
#include "cli/show/terminal/terminal.h"

namespace recall {

// Returns: how a question was answered, with the values of `explain` and `stats.timings` in JSON:
// one line "name value" each. `stable`: without times.
std::string FormatExplain(const Explanation& explanation, bool stable);

// Returns: a bar of `share`, in [0, 1], of `columns`: block characters in steps of an eighth of a
// column, or whole '#'. Any share above 0 has at least one step.
std::string TextBar(double share, size_t columns, bool utf8);

// Returns: how a score was computed, as indented lines in columns: one for each kind of evidence,
// with the rank, the measured value and its share of the sum; one for reranking, one for the score,
// and one for each stage. The evidence of `path` is a part of `lexical`.
//
//     lexical     rank 1     bm25     2.0717  share 0.4802
//       path                 bm25     0.3021  share 0.0700
//     n-grams                bm25     8.0225  share 0.4802
//     semantic    rank 4     cosine   0.3100  share 0.0196
//     neighbours                              share 0.0100
//     reranked    was 3      feedback
//     score       0.9900 x 0.6335 = 0.6272
//
// On a terminal: one line, with a bar for each share, and the factor; then the stages.
//
//     lexical ████▏  n-grams ████▊  vector ▏  path ▋  neighbours ▏  x 0.634
//
// `calibration` as in SearchExplain.
std::string FormatHitExplain(const HitExplain& explain, double calibration, const TextStyle& style);

// Returns: the lines of FormatHitExplain below a line that names the chunk, or a whole piece of a
// context. It is printed on stderr next to an answer that does not have a block for each hit.
std::string FormatPlaceExplain(const DocView& doc, const ChunkView& chunk,
                               const HitExplain& explain, double calibration,
                               const TextStyle& style);

}  // namespace recall
