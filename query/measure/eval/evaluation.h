#pragma once

// The front door of evaluation: how well a collection of questions with known answers is answered
// by stores made for the occasion. They lie in the temporary directory and are removed at the end,
// whatever happens but a kill.

#include <atomic>

#include "query/measure/eval/eval_types.h"
#include "storage/base/result.h"

namespace recall {

// Collections in BEIR layout: corpus.jsonl, queries.jsonl (or either .zst), qrels.tsv or
// qrels/test.tsv. Documents go in by Database::Add, queries are asked by Database::Search; a
// document stands where its best chunk does. The same collections and settings give the same
// report, on any machine.
// Errors: NotFound for a missing file; InvalidArgument, with the line, for what cannot be read;
// Cancelled once *cancel is true; those of stores.
Result<EvalReport> EvaluateRanking(const EvalRequest& request, const EvalProgressFn& progress,
                                   const std::atomic<bool>& cancel);

// Questions with the spans of text that answer them: questions.jsonl (or .zst) and the documents,
// as Markdown, code or text, in corpora/. Every question is asked by Database::Context at each
// budget. For comparison the same documents, cut into windows of 256 tokens, are ranked by
// Database::Search and packed by rank. Errors: as above.
Result<SpanReport> EvaluateSpans(const EvalRequest& request, const EvalProgressFn& progress,
                                 const std::atomic<bool>& cancel);

}  // namespace recall
