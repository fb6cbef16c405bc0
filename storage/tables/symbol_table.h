#pragma once

// The tables `symbol` and `code_grammar` (docs/format/store.md, "Symbols"): which definitions of
// source code are in each chunk, and by which grammar a document was cut. Stores of formats before
// 16 have neither; the reading functions then find nothing.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/result.h"
#include "storage/tables/symbol.h"

namespace recall {

class Connection;

// Whether the store has any row of `symbol`.
Result<bool> HasSymbols(Connection& connection);

// Visits the symbols of the chunks `first_chunk`..`first_chunk + count - 1`, by chunk and then in
// the order in which they were inserted. Errors: Corruption if a number is out of range.
using SymbolVisitor = std::function<void(uint32_t chunk, Symbol&& symbol)>;
Status SymbolsOf(Connection& connection, uint32_t first_chunk, uint32_t count,
                 const SymbolVisitor& visit);

// Visits all symbols with low <= name < high, by name and then by chunk; `high` = nothing: no
// limit. By the index on names. Chunks of removed versions are among them. Errors: Corruption.
struct SymbolNameRange {
  std::string low;
  std::optional<std::string> high;
};
// The range that contains one name.
SymbolNameRange ExactSymbolName(std::string_view name);
Status FindSymbolsByName(Connection& connection, const SymbolNameRange& range,
                         const SymbolVisitor& visit);

// For filters: only the chunks and one text of each symbol, without copies.
enum class SymbolText : uint8_t { kName, kKind };
using SymbolTextVisitor = std::function<void(uint32_t chunk, std::string_view text)>;
// Of the chunks first_chunk..last_chunk, by chunk.
Status ScanSymbolTexts(Connection& connection, SymbolText text, uint32_t first_chunk,
                       uint32_t last_chunk, const SymbolTextVisitor& visit);
// Of the names in a range, by name.
Status ScanSymbolNames(Connection& connection, const SymbolNameRange& range,
                       const SymbolTextVisitor& visit);

// By which grammar a document version was cut, "python-0.23.6"; "" if by none.
Result<std::string> FindGrammar(Connection& connection, int64_t doc_row);

// All require a write transaction. The symbols are stored WithSimpleName.
Status InsertSymbols(Connection& connection, uint32_t chunk, std::span<const Symbol> symbols);
Status DeleteSymbols(Connection& connection, uint32_t first_chunk, uint32_t count);
Status InsertGrammar(Connection& connection, int64_t doc_row, std::string_view grammar);
Status DeleteGrammar(Connection& connection, int64_t doc_row);

}  // namespace recall
