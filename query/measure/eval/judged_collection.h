#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "query/measure/eval/judging.h"
#include "storage/base/result.h"

namespace recall {

// A collection in BEIR layout, read.
struct JudgedCollection {
  struct Query {
    std::string id;
    std::string text;
    Relevance relevant;  // not empty; keys are places in `documents`
  };
  std::vector<std::string> documents;  // title, line break, text
  std::vector<Query> queries;          // those with a relevant document, in the file's order
  int64_t unjudged_queries = 0;
  int64_t judgements_without_query = 0;
  int64_t judgements_without_document = 0;
};

// Reads corpus.jsonl and queries.jsonl (or .zst) and qrels.tsv (else qrels/test.tsv) of a
// directory. A judgement counts when its score is above 0 and the collection has both sides; of two
// of the same query and document the last one counts. Memory: all of the texts.
// Errors: NotFound for a missing file; InvalidArgument, with the line, for lines that cannot be
// read, ids that come twice, queries without text, and when nothing is left to judge; Cancelled.
Result<JudgedCollection> ReadJudgedCollection(const std::string& directory,
                                              const std::atomic<bool>& cancel);

}  // namespace recall
