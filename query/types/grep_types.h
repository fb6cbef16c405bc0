#pragma once

// Requests for lines that match a pattern, and the response.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/types/answer_facts.h"
#include "query/types/document_scope.h"
#include "query/types/row_views.h"

namespace recall {

enum class GrepRows : uint8_t { kLines, kDocuments };

struct GrepRequest {
  std::string pattern;      // a regular expression of RE2, matched with each line
  bool is_literal = false;  // the pattern is a text
  bool ignore_case = false;
  bool whole_words = false;
  // Documents, directories and patterns, as in ListRequest. Empty: all documents.
  std::vector<std::string> paths = {};
  // A filter of chunks restricts the lines to those of which the first match begins in such a
  // chunk.
  Scope scope = {};
  GrepRows rows = GrepRows::kLines;
  uint32_t lines_before = 0;
  uint32_t lines_after = 0;
  std::optional<size_t> limit = {};  // rows; unset: all
  size_t offset = 0;
  uint32_t threads = 1;
};

// A line with a match. Lines of more than kMostGrepLineBytes are cut to the part around their first
// match.
inline constexpr size_t kMostGrepLineBytes = 500;
struct GrepLine {
  uint32_t number = 0;  // from 1
  uint32_t column = 0;  // the byte in the line at which the first match begins, from 1
  std::string text;     // without the line end
  bool is_cut = false;
  std::vector<ByteRange> matches;   // in `text`
  std::vector<std::string> before;  // the lines before it, as they are in the document
  std::vector<std::string> after;
};

// A document with matches.
struct GrepDocument {
  DocView doc;
  int64_t lines = 0;            // that match and are within the scope
  std::vector<GrepLine> shown;  // those of the page; none with kDocuments
};

struct GrepResponse : AnswerFacts {
  // By path, in byte order. total_hits counts lines or documents, as GrepRequest::rows says.
  std::vector<GrepDocument> documents;
  int64_t total_lines = 0;
  int64_t total_documents = 0;
};

}  // namespace recall
