#include "index/write/check/extraction_rows_check.h"

#include <algorithm>

#include "index/source/extract/types/locator_record.h"
#include "storage/base/bytes.h"
#include "storage/base/ids.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// What is wrong with a row; "" if nothing is.
std::string FaultOf(const Statement& row) {
  if (row.ColumnIsNull(1)) return "the document does not exist";
  if (row.ColumnText(2).empty()) return "it has no format";
  if (row.ColumnBlob(3).size() != sizeof(Digest)) return "the hash of the file is none";
  const auto size = static_cast<uint64_t>(std::max<int64_t>(row.ColumnInt(1), 0));
  if (!DecodeLocatorSpans(AsText(row.ColumnBlob(4)), size)) return "its places are damaged";
  return {};
}

Status CheckRows(CheckRun& run) {
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare("SELECT extraction.doc, doc.size, format, original_hash, "
                                         "spans FROM extraction LEFT JOIN doc "
                                         "ON doc.id = extraction.doc ORDER BY extraction.doc"));
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return Status::Ok();
    if (std::string fault = FaultOf(select); !fault.empty()) {
      run.findings().Add(FindingCode::kExtraction,
                         "document row " + std::to_string(select.ColumnInt(0)), std::move(fault));
    }
  }
}

}  // namespace

Status CheckExtractions(CheckRun& run) {
  if (!run.HasTable("doc") || !run.HasTable("extraction")) return Status::Ok();
  return run.Absorb(CheckRows(run), FindingCode::kExtraction, "table extraction");
}

}  // namespace recall
