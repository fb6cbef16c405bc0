#pragma once

// Requests for a map of source code within a budget of tokens, and the response.

#include <cstdint>
#include <string>
#include <vector>

#include "query/types/context_types.h"
#include "query/types/list_types.h"

namespace recall {

struct MapRequest {
  // Documents, directories and patterns, as in ListRequest: the map shows definitions of these
  // alone, ranked by the references of all documents in `scope`. Empty: of all.
  std::vector<std::string> paths = {};
  // A question that the map leans towards; "": none.
  std::string about = {};
  // What is outside of it is neither shown, nor counts as a reference. A filter of chunks restricts
  // the map to definitions that begin in such a chunk, and the references to those within them.
  Scope scope = {};
  int64_t budget_tokens = 1000;
  std::string token_counter = std::string(kEstimateCounter);  // as in ContextRequest
  uint32_t threads = 1;
};

// A definition of the map.
struct MapRow {
  SymbolRow symbol;         // without chunk_id
  double score = 0;         // its share of all references; those of all definitions add up to 1
  uint32_t first_line = 0;  // of the signature
  std::string signature;    // its lines, as they are in the document, long ones cut
};

struct MapResponse : AnswerFacts {
  // The map: for each document its path, then a line "12: text" for each line of a signature, by
  // line; the document of the best definition first.
  std::string text;
  int64_t budget_tokens = 0;
  int64_t used_tokens = 0;    // tokens of all of `text`; at most the budget
  std::string token_counter;  // TokenCounter::name()
  // The definitions in `text`, the best first. total_hits counts those that were ranked.
  std::vector<MapRow> rows;
  int64_t documents = 0;  // of source code, that were read
};

}  // namespace recall
