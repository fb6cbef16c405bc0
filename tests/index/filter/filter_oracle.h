#pragma once

// Filters the slow and plain way, for tests and fuzzing: every row, every predicate, three-valued
// logic spelled out.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "index/filter/filter_expr.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/documents/document_store.h"

namespace recall {

enum class OracleTruth { kFalse, kTrue, kUnknown };

// What a filter that CompiledFilter accepts says of one chunk, or (null) of a document that has
// none. `text` is the chunk's.
OracleTruth EvalNaively(const FilterExpr& e, const DocRow& doc, const ChunkRow* chunk,
                        const std::string& text, UnixNanos now);

struct OracleDoc {
  DocRow doc;
  std::vector<ChunkRow> chunks;
  std::vector<std::string> texts;  // of the chunks
};
// Every live document.
Result<std::vector<OracleDoc>> ReadOracleDocs(const ReadTransaction& transaction);

// What a filter finds in both domains, ascending.
struct OracleSets {
  std::vector<uint32_t> chunks;
  std::vector<uint32_t> docs;
};
OracleSets FilterNaively(const std::vector<OracleDoc>& docs, const FilterExpr& expr, UnixNanos now);

}  // namespace recall
