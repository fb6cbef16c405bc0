#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/ask/rows/text_candidates.h"
#include "storage/tables/symbol.h"

namespace recall {

// The documents of source code in a scope, and what they define.
struct MapSource {
  struct Document {
    DocRow row;
    TextCandidate candidate;
  };
  struct Definition {
    uint32_t document = 0;  // index in `documents`
    uint32_t chunk = 0;     // that it begins in
    Symbol symbol;
    uint32_t name = 0;               // index in `names`
    std::optional<uint32_t> parent;  // the definition around it, unless it is a namespace
    bool is_constructor = false;     // it has the name of its class
  };
  std::vector<Document> documents;      // by path, in byte order
  std::vector<Definition> definitions;  // by document, then by line
  std::vector<std::string> names;       // of definitions, each once

  // The definitions of a document: [first, last) of `definitions`.
  std::vector<uint32_t> first_definition;  // by document, and one more
};

// Reads the source code of `found`, and the definitions that begin in chunks of `scope` (null:
// all). Namespaces are left out, and members that are defined outside of a class of C++ which
// declares them. Errors: Corruption.
Result<MapSource> ReadMapSource(const TextsAndFacts& texts, const TextCandidates& found,
                                const Bitmap* scope);

}  // namespace recall
