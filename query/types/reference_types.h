#pragma once

// Requests for the uses of definitions of source code, and the response.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/types/list_types.h"

namespace recall {

enum class SymbolRelation : uint8_t {
  kReferences,  // the places that use the definition
  kCallers,     // the definitions that call it
  kCallees,     // the definitions that it calls
};

struct ReferencesRequest {
  // As SymbolsRequest::name, without patterns; or a place in a definition, "src/store.cc:40".
  std::string name;
  SymbolRelation relation = SymbolRelation::kReferences;
  Scope scope = {};
  std::optional<size_t> limit = {};  // rows; unset: all
  size_t offset = 0;
};

// Why a place is thought to mean the definition and no other of the same name, the strongest first.
enum class ReferenceEvidence : uint8_t {
  kScope,   // it names the scope of the definition or lies within it, or imports it by its name
  kFile,    // it is in the same file
  kImport,  // its file imports that of the definition, or is beside it
  kName,    // the name alone
};
std::string_view ReferenceEvidenceName(ReferenceEvidence evidence);

// A place that uses a definition; of callers and callees, the first place in `within`.
struct ReferenceRow {
  DocView doc;
  uint32_t line = 0;    // from 1
  uint32_t column = 0;  // byte in the line, from 1
  std::string text;     // the line, without white space at its ends; at most kMostGrepLineBytes
  ReferenceEvidence evidence = ReferenceEvidence::kName;
  // Of references and callers: the innermost definition around the place. Of callees: the
  // definition that is called. Nothing if there is none.
  std::optional<SymbolRow> symbol;
  std::vector<uint32_t> lines;  // of callers and callees: all lines with calls
};

struct ReferencesResponse : AnswerFacts {
  std::vector<ReferenceRow> rows;  // by path and line; callees by the line of their call
  int64_t definitions = 0;         // that the request names
};

}  // namespace recall
