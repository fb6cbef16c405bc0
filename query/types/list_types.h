#pragma once

// Requests that list documents and definitions, and the response of the latter. Documents are
// listed as rows of a query (query_types.h).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/source/chunk/code_outline.h"
#include "query/types/answer_facts.h"
#include "query/types/document_scope.h"
#include "query/types/row_views.h"

namespace recall {

struct ListRequest {
  // Documents, directories and archives, relative to the working directory or to the store, and
  // patterns: with one of *?[{ in them. A pattern without '/' matches names at any depth. Empty:
  // all documents.
  std::vector<std::string> paths;
  Scope scope;
  std::optional<size_t> limit;  // unset: all
  size_t offset = 0;
};

struct SymbolsRequest {
  // The name of definitions of source code, or a pattern with * (any characters) and ? (any one).
  // A qualified name, "Store::Commit", "Store.Commit" or "Store > Commit", names a definition in a
  // scope that ends with these names; each may be a pattern.
  std::string name;
  std::optional<std::string> kind = {};  // SymbolKindName; unset: any
  Scope scope = {};
  std::optional<size_t> limit = {};  // unset: all
  size_t offset = 0;
};

// A definition, in the chunk that it begins in.
struct SymbolRow {
  DocView doc;
  std::string chunk_id;
  std::string name;
  std::string kind;
  std::string scope;  // "db > Store"; "" if there is none
  uint32_t start_line = 0;
  uint32_t end_line = 0;
};

// "db > Store > Commit".
std::string QualifiedName(const SymbolRow& symbol);

struct SymbolsResponse : AnswerFacts {
  // Those with exactly the name first; then by path, line and scope.
  std::vector<SymbolRow> rows;
};

}  // namespace recall
