#include <algorithm>
#include <unordered_set>

#include "storage/base/bytes.h"
#include "storage/check/document_check.h"
#include "storage/given_vectors.h"

namespace recall {

Status CheckGivenVectors(CheckRun& run, const DocumentFacts& facts) {
  if (!run.HasTable("given_vector")) return Status::Ok();
  std::unordered_set<int64_t> rows;
  for (const CheckedDoc& doc : facts.docs) rows.insert(doc.row);
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare("SELECT doc, data FROM given_vector ORDER BY doc"));
  bool damaged = false;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    const int64_t doc = select.ColumnInt(0);
    const std::string where = "document row " + std::to_string(doc);
    if (!DecodeGivenVector(AsText(select.ColumnBlob(1)))) {
      damaged = true;
      run.findings().Add(FindingCode::kGivenVector, where, "its checksum is another");
    } else if (facts.all_read && !rows.contains(doc)) {
      run.findings().Add(FindingCode::kGivenVector, where, "there is no such document");
    }
  }
  if (damaged) {
    run.findings().Forbid(Repair::kVectors, "a vector that came with a document is damaged");
  }
  return Status::Ok();
}

}  // namespace recall
