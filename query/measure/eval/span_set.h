#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "query/measure/eval/collection_memory.h"
#include "query/measure/eval/document_tokens.h"
#include "storage/base/result.h"

namespace recall {

// Questions with the spans that answer them, in memory.
struct SpanSet {
  struct Document {
    std::string name;  // the name of its file, without .zst
    std::string text;  // valid UTF-8
    DocumentTokens tokens;
  };
  struct Question {
    std::string id;
    std::string text;
    uint32_t document = 0;
    std::vector<DocumentTokens::Range> spans;  // ranges of token indices; not empty
  };
  std::vector<Document> documents;  // ordered by name
  std::vector<Question> questions;
  int64_t questions_without_spans = 0;
};

// Reads corpora/* (plain or .zst, without hidden files) and questions.jsonl (or .zst), which has
// one question per line:
//
//   {"_id": "q1", "text": "...", "corpus": "NAME",
//    "references": [{"start": 10, "end": 25, "content": "..."}]}
//
// NAME is the name of a file in corpora, with or without its extension. `start` and `end`
// (exclusive) count Unicode code points from 0. `content`, if present, must be the text between
// them. Errors: NotFound for missing files; InvalidArgument, with the line, for invalid data;
// LimitExceeded if more than about `max_bytes` of memory are needed; Cancelled.
Result<SpanSet> ReadSpanSet(const std::string& directory, const std::atomic<bool>& cancel,
                            uint64_t max_bytes = kMaxCollectionBytes);

}  // namespace recall
