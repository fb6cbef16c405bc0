#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/snapshot/texts_and_facts.h"
#include "query/ask/uses/reference_evidence.h"
#include "query/types/reference_types.h"
#include "storage/documents/document_store.h"

namespace recall {

// The names of a scope as symbols have it, "db > Store", outermost first.
std::vector<std::string> ScopeNames(std::string_view scope);

// A document of source code, with what is asked of it for each place of a name. Lines count from 1;
// those that the text does not have are at its end.
class CodeDocument final {
 public:
  // Errors: Corruption.
  static Result<CodeDocument> Read(const TextsAndFacts& texts, DocRow row);

  const DocRow& doc() const { return doc_; }
  const std::string& text() const { return text_; }

  uint32_t LineOf(size_t at) const;
  size_t LineBegin(uint32_t line) const;
  // The byte behind a line and its newline.
  size_t LineEnd(uint32_t line) const { return LineBegin(line + 1); }

  // The innermost definition around a line; null if there is none.
  const Symbol* Around(uint32_t line) const;
  // The places of a name that define it, ascending. `places`: all places of the name.
  std::vector<size_t> Defining(std::string_view name, const std::vector<size_t>& places) const;

  // `names`: receives the names of the definitions around the place, to which it refers.
  NamePlace PlaceAt(size_t begin, size_t end, const Symbol* around,
                    std::vector<std::string>* names) const;
  // A row without evidence and symbol.
  ReferenceRow RowAt(size_t at) const;
  SymbolRow RowOf(const Symbol& symbol) const;

 private:
  CodeDocument() = default;

  DocRow doc_;
  std::string text_;
  std::string imports_;
  std::vector<Symbol> symbols_;
  std::vector<size_t> lines_;  // where each begins
};

}  // namespace recall
