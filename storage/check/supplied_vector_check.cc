#include "storage/base/bytes.h"
#include "storage/check/document_check.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/statement.h"
#include "storage/tables/supplied_vectors.h"

namespace recall {

Status CheckSuppliedVectors(CheckRun& run) {
  if (!run.HasTable("given_vector")) return Status::Ok();
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare("SELECT given_vector.doc, given_vector.data, doc.id "
                                         "FROM given_vector LEFT JOIN doc "
                                         "ON doc.id = given_vector.doc ORDER BY given_vector.doc"));
  bool damaged = false;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    const std::string where = "document row " + std::to_string(select.ColumnInt(0));
    if (!DecodeSuppliedVector(AsText(select.ColumnBlob(1)))) {
      damaged = true;
      run.findings().Add(FindingCode::kGivenVector, where, "its checksum does not match");
    } else if (select.ColumnIsNull(2)) {
      run.findings().Add(FindingCode::kGivenVector, where, "the document does not exist");
    }
  }
  if (damaged) {
    run.findings().Forbid(Repair::kVectors, "a user-supplied vector is damaged");
  }
  return Status::Ok();
}

}  // namespace recall
