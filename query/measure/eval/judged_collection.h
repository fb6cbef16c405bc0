#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "query/measure/eval/collection_memory.h"
#include "query/measure/eval/judging.h"
#include "storage/base/result.h"

namespace recall {

// A collection in BEIR format, in memory.
struct JudgedCollection {
  struct Query {
    std::string id;
    std::string text;
    Relevance relevant;  // not empty; keys are indexes into `documents`
  };
  std::vector<std::string> documents;  // title, line break, text
  std::vector<Query> queries;          // queries with a relevant document, in file order
  int64_t unjudged_queries = 0;
  int64_t judgements_without_query = 0;
  int64_t judgements_without_document = 0;
};

// Reads corpus.jsonl and queries.jsonl (or .zst) and qrels.tsv (else qrels/test.tsv) of a
// directory. A judgement is used if its score is above 0 and both its query and its document exist;
// of several for the same query and document the last one is used. Memory: all texts. Errors:
// NotFound for a missing file; InvalidArgument, with the line, for invalid lines, repeated ids,
// queries without text, and if no query remains; LimitExceeded if more than about `max_bytes` of
// memory are needed; Cancelled.
Result<JudgedCollection> ReadJudgedCollection(const std::string& directory,
                                              const std::atomic<bool>& cancel,
                                              uint64_t max_bytes = kMaxCollectionBytes);

}  // namespace recall
