#pragma once

// Evaluates retrieval quality on collections of queries with known answers. The documents are added
// to a temporary store, which is removed at the end, even after errors, unless the process is
// killed.

#include <atomic>

#include "query/measure/eval/eval_types.h"
#include "storage/base/result.h"

namespace recall {

// Evaluates rankings on collections in BEIR format: corpus.jsonl, queries.jsonl (or either with
// .zst), qrels.tsv or qrels/test.tsv. Documents are added by Database::Add and queries run by
// Database::Search; a document has the rank of its best chunk. Equal collections and settings give
// equal reports on all machines.
// Errors: NotFound for a missing file; InvalidArgument, with the line, for invalid data; Cancelled
// once *cancel is true; those of stores.
Result<EvalReport> EvaluateRanking(const EvalRequest& request, const EvalProgressFn& progress,
                                   const std::atomic<bool>& cancel);

// Evaluates contexts on questions with the spans of text that answer them: questions.jsonl (or
// .zst) and the documents, as Markdown, code or text, in corpora/. Every question is asked by
// Database::Context at each budget. As a baseline, the same documents are cut into windows of 256
// tokens, ranked by Database::Search and packed by rank. Errors: as EvaluateRanking.
Result<SpanReport> EvaluateSpans(const EvalRequest& request, const EvalProgressFn& progress,
                                 const std::atomic<bool>& cancel);

// Evaluates contexts on questions whose answers are strings (answer_set.h): how often all answers
// of a question are in the text that Database::Context packs, in whole chunks by rank, and in fixed
// windows by rank. Each directory of the request is a corpus, which is added like `recall add`
// does, to a store of its own. Errors: as EvaluateRanking.
Result<AnswerReport> EvaluateAnswers(const EvalRequest& request, const EvalProgressFn& progress,
                                     const std::atomic<bool>& cancel);

}  // namespace recall
