#pragma once

// A naive evaluator of filters for tests and fuzzing: row by row, with explicit three-valued logic.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "index/search/filter/filter_expr.h"
#include "index/source/extract/types/extraction.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/documents/document_store.h"
#include "storage/tables/symbol_table.h"

namespace recall {

enum class OracleTruth { kFalse, kTrue, kUnknown };

// What a chunk has several of.
struct OracleParts {
  std::vector<Symbol> symbols;
  std::vector<Locator> places;
};

// The value of a filter that CompiledFilter accepts, for one chunk, or (null) for a document
// without chunks. `text` is the text of the chunk.
OracleTruth EvalNaively(const FilterExpr& e, const DocRow& doc, const ChunkRow* chunk,
                        const std::string& text, UnixNanos now, const OracleParts& parts = {});

struct OracleDoc {
  DocRow doc;
  std::vector<ChunkRow> chunks;
  std::vector<std::string> texts;  // of the chunks
  std::vector<OracleParts> parts;  // of the chunks
};
// Reads all live documents.
Result<std::vector<OracleDoc>> ReadOracleDocs(const ReadTransaction& transaction);

// The rows that a filter selects in both domains, ascending.
struct OracleSets {
  std::vector<uint32_t> chunks;
  std::vector<uint32_t> docs;
};
OracleSets FilterNaively(const std::vector<OracleDoc>& docs, const FilterExpr& expr, UnixNanos now);

}  // namespace recall
