#include "storage/check/label_check.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "storage/base/ids.h"
#include "storage/metadata/metadata_values.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

// When is a value valid? A time is an integer or NULL, a tag and a source are text or NULL. A path
// has a witness: doc.key is made of the path and the hash.
enum class LabelKind : uint8_t { kTime, kText, kPath };

struct Label {
  const char* column;
  LabelKind kind;
  // Rows whose value differs in the index: id, key, hash, value in the row, value in the index.
  // The inner SELECT names columns of the index only, so that SQLite does not read the row.
  const char* differing;
  const char* update;
};

#define RECALL_LABEL(column, kind, condition)                                                \
  {                                                                                          \
#column, kind,                                                                           \
        "SELECT row.id, row.key, row.hash, row." #column ", copy." #column                   \
        " FROM (SELECT id, " #column " FROM doc INDEXED BY doc_live_" #column                \
        " WHERE removed_seq IS NULL" condition                                               \
        ") AS copy CROSS JOIN doc AS row NOT INDEXED ON row.id = copy.id WHERE row." #column \
        " IS NOT copy." #column,                                                             \
        "UPDATE doc SET " #column " = ?2 WHERE id = ?1"                                      \
  }

constexpr Label kLabels[] = {
    RECALL_LABEL(path, LabelKind::kPath, ""),
    RECALL_LABEL(mtime, LabelKind::kTime, ""),
    RECALL_LABEL(tag, LabelKind::kText, " AND tag IS NOT NULL"),
    RECALL_LABEL(source, LabelKind::kText, " AND source IS NOT NULL"),
};

constexpr int kKey = 1, kHash = 2, kInRow = 3, kInIndex = 4;

bool IsPathOfKey(const Statement& row, int column) {
  Digest hash{};
  const ByteSpan bytes = row.ColumnBlob(kHash);
  if (!row.ColumnIsText(column) || bytes.size() != hash.size()) return false;
  std::copy(bytes.begin(), bytes.end(), hash.begin());
  return row.ColumnInt(kKey) == IdSortKey(MakeDocId(row.ColumnText(column), hash));
}

bool IsValid(const Statement& row, int column, LabelKind kind) {
  switch (kind) {
    case LabelKind::kTime:
      return row.ColumnIsNull(column) || row.ColumnIsInteger(column);
    case LabelKind::kText:
      return row.ColumnIsNull(column) || row.ColumnIsText(column);
    case LabelKind::kPath:
      return IsPathOfKey(row, column);
  }
  return false;
}

std::string Shown(const Statement& row, int column) {
  if (row.ColumnIsNull(column)) return "nothing";
  return "'" + std::string(row.ColumnText(column)) + "'";
}

// Calls visit(row) for each row that differs from the index. Nothing if the index does not exist or
// cannot be read, which other checks report.
template <typename Visit>
Status ForEachDifference(Connection& connection, const Label& label, const Visit& visit) {
  auto select = connection.Prepare(label.differing);
  if (!select) return Status::Ok();
  for (;;) {
    const auto row = select->Step();
    if (!row && row.error().code() == StatusCode::kCancelled) return row.error();
    if (!row || !*row) return Status::Ok();
    visit(*select);
  }
}

void ForbidBoth(CheckRun& run, const Label& label) {
  const std::string reason =
      std::string("the ") + label.column +
      " of a document and its copy in an index differ, and nothing shows which one is damaged: "
      "restore the store from a backup, or export it and import it into a new store, which gets "
      "the "
      "values of the rows";
  run.findings().Forbid(Repair::kIndexes, reason);
  // A sort key would be computed from the path.
  if (label.kind == LabelKind::kPath) run.findings().Forbid(Repair::kKeys, reason);
}

// A value of an index that replaces the invalid one of a row.
struct SoundCopy {
  const Label* label;
  int64_t doc;
  std::optional<int64_t> time;
  std::optional<std::string> text;
};

Result<std::vector<SoundCopy>> FindSoundCopies(Connection& connection) {
  std::vector<SoundCopy> copies;
  for (const Label& label : kLabels) {
    RECALL_TRY(ForEachDifference(connection, label, [&](const Statement& row) {
      if (IsValid(row, kInRow, label.kind) || !IsValid(row, kInIndex, label.kind)) return;
      SoundCopy copy{&label, row.ColumnInt(0), std::nullopt, std::nullopt};
      if (label.kind == LabelKind::kTime) {
        copy.time = row.ColumnOptionalInt(kInIndex);
      } else {
        copy.text = row.ColumnOptionalText(kInIndex);
      }
      copies.push_back(std::move(copy));
    }));
  }
  return copies;
}

Status WriteCopy(Connection& connection, const SoundCopy& copy) {
  RECALL_ASSIGN(Statement update, connection.Prepare(copy.label->update));
  update.BindInt(1, copy.doc);
  if (copy.label->kind == LabelKind::kTime) {
    update.BindOptionalInt(2, copy.time);
  } else {
    update.BindOptionalText(2, copy.text);
  }
  return update.Run();
}

}  // namespace

std::string LabelObjection(const Statement& row, int first_column) {
  const int mtime = first_column, tag = mtime + 1, source = tag + 1, meta = source + 1;
  const int origin = meta + 1;
  if (!row.ColumnIsNull(mtime) && !row.ColumnIsInteger(mtime)) {
    return "its mtime is not a number: " + std::string(row.ColumnText(mtime));
  }
  if (!row.ColumnIsNull(tag) && !row.ColumnIsText(tag)) return "its tag is not text";
  if (!row.ColumnIsNull(source) && !row.ColumnIsText(source)) return "its source is not text";
  if (!row.ColumnIsText(origin) || !IsNameOfOrigin(row.ColumnText(origin))) {
    return "its origin is unknown: " + std::string(row.ColumnText(origin));
  }
  if (row.ColumnIsNull(meta)) return "";
  if (!row.ColumnIsText(meta)) return "its metadata is not text";
  if (!IsMetadataObject(row.ColumnText(meta))) return "its metadata is not a JSON object";
  return "";
}

Status CheckLabels(CheckRun& run) {
  if (!run.HasTable("doc")) return Status::Ok();
  for (const Label& label : kLabels) {
    RECALL_TRY(ForEachDifference(run.connection(), label, [&](const Statement& row) {
      // Before the values are shown, because that converts them and loses their types.
      const bool decided = IsValid(row, kInRow, label.kind) != IsValid(row, kInIndex, label.kind);
      if (!decided) ForbidBoth(run, label);
      run.findings().Add(FindingCode::kIndexDamage,
                         "document row " + std::to_string(row.ColumnInt(0)),
                         std::string("its ") + label.column + " is " + Shown(row, kInRow) +
                             ", the index has " + Shown(row, kInIndex));
    }));
  }
  return Status::Ok();
}

Status RepairSqliteIndexes(Connection& connection) {
  RECALL_ASSIGN(const std::vector<SoundCopy> copies, FindSoundCopies(connection));
  RECALL_TRY(connection.Execute("REINDEX"));
  for (const SoundCopy& copy : copies) RECALL_TRY(WriteCopy(connection, copy));
  return Status::Ok();
}

}  // namespace recall
