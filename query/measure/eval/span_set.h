#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "query/measure/eval/document_tokens.h"
#include "storage/base/result.h"

namespace recall {

// Questions with the spans that answer them, read.
struct SpanSet {
  struct Document {
    std::string name;  // of its file, without .zst
    std::string text;  // valid UTF-8
    DocumentTokens tokens;
  };
  struct Question {
    std::string id;
    std::string text;
    uint32_t document = 0;
    std::vector<DocumentTokens::Range> spans;  // indices of the document's tokens; not empty
  };
  std::vector<Document> documents;  // by name
  std::vector<Question> questions;
  int64_t questions_without_spans = 0;
};

// Reads corpora/* (plain or .zst; no hidden files) and questions.jsonl (or .zst), a question a
// line:
//
//   {"_id": "q1", "text": "...", "corpus": "NAME",
//    "references": [{"start": 10, "end": 25, "content": "..."}]}
//
// NAME is that of a file in corpora, with or without its extension. `start` and `end` (exclusive)
// count Unicode code points from 0. `content`, if it is there, must be the text between them.
// Errors: NotFound for missing files; InvalidArgument, with the line, for what cannot be read;
// Cancelled. Memory: all of the texts.
Result<SpanSet> ReadSpanSet(const std::string& directory, const std::atomic<bool>& cancel);

}  // namespace recall
