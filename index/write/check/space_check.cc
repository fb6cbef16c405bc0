#include "index/write/check/space_check.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "index/embed/factory/builtin_embedders.h"
#include "index/embed/lsa/stored_model.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/meta_table.h"

namespace recall {
namespace {

// The first commit in which a model is active; nullopt if there is no such model.
Result<std::optional<int64_t>> FindModelSince(Connection& connection, int64_t model) {
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT since FROM model WHERE id = ?1"));
  select.BindInt(1, model);
  RECALL_ASSIGN(const bool row, select.Step());
  return row ? std::optional(select.ColumnInt(0)) : std::nullopt;
}

// A model also contains the centroids of IVF lists, for any embedder.
Result<bool> HasLsaModel(Connection& connection, int64_t model) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare("SELECT kind FROM model_part WHERE model = ?1"));
  select.BindInt(1, model);
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return false;
    if (IsLsaPart(select.ColumnText(0))) return true;
  }
}

}  // namespace

void SpaceCheck::Report(const SpaceRow& row, std::string what) {
  run_->findings().Add(FindingCode::kSegmentSpace, "vector space " + std::to_string(row.id),
                       std::move(what));
}

Status SpaceCheck::Open() {
  RECALL_ASSIGN(const bool known, HasSpaces(run_->connection()));
  if (!known) return AddSpace({.since = 0}, true);
  if (!run_->HasTable("space")) return Status::Ok();
  RECALL_ASSIGN(const std::vector<SpaceRow> rows, ListSpaces(run_->connection()));
  RECALL_TRY(CheckTable(rows));
  CheckOwners(rows);
  for (const SpaceRow& row : rows) {
    RECALL_TRY(AddSpace(row, recipe_.present() && row.id == recipe_.present()->id));
  }
  return Status::Ok();
}

Status SpaceCheck::CheckTable(const std::vector<SpaceRow>& rows) {
  // A counter that cannot be read is reported by the check of counters.
  const auto commits = ReadMetaCounter(run_->connection(), "commit_sequence");
  const auto horizon = ReadMetaCounter(run_->connection(), "snapshot_horizon");
  std::vector<SpaceRow> left_over;  // spaces that no kept commit uses
  if (horizon) {
    RECALL_ASSIGN(left_over, SpacesBefore(run_->connection(), *horizon));
  }
  for (const SpaceRow& row : rows) {
    if (row.since && (*row.since < 0 || (commits && *row.since > *commits))) {
      Report(row,
             "it is active since commit " + std::to_string(*row.since) + ", which does not exist");
    }
    if (row.dim != 0 && !VectorGeometry::Supports(row.dim)) {
      Report(row, std::to_string(row.dim) + " dimensions are not supported");
    }
    if (row.model == 0 || std::ranges::count(left_over, row.id, &SpaceRow::id) > 0) continue;
    RECALL_ASSIGN(const auto since, FindModelSince(run_->connection(), row.model));
    if (!since) {
      Report(row, "its model " + std::to_string(row.model) + " is missing");
      continue;
    }
    RECALL_ASSIGN(const bool latent, HasLsaModel(run_->connection(), row.model));
    if (latent && row.embedder != kLsaEmbedder) {
      Report(row, "its embedder is \"" + row.embedder + "\", but its model is of lsa");
    }
    // One commit adds a model and activates its space; a space that replaces it with the same model
    // comes later.
    if (row.since && *row.since < *since) {
      Report(row, "it is active since commit " + std::to_string(*row.since) +
                      ", but its model since " + std::to_string(*since));
    }
  }
  if (!recipe_.present()) {
    run_->findings().Add(FindingCode::kSegmentSpace, "table space", "no vector space is active");
  }
  return Status::Ok();
}

// Finds segments and delta records without a space.
void SpaceCheck::CheckOwners(const std::vector<SpaceRow>& rows) {
  const auto missing = [&](int64_t id) {
    return std::ranges::find(rows, id, &SpaceRow::id) == rows.end();
  };
  for (const CheckedSegment& segment : segments_) {
    if (!missing(segment.space)) continue;
    run_->findings().Add(FindingCode::kSegmentSpace, "segment " + std::to_string(segment.header.id),
                         "its vector space " + std::to_string(segment.space) + " does not exist");
  }
  if (!run_->HasTable("vec_tail")) return;
  const auto strays = run_->connection().QueryInt(
      "SELECT count(*) FROM vec_tail WHERE space NOT IN (SELECT id FROM space)");
  if (strays && *strays > 0) {
    run_->findings().Add(FindingCode::kTailRecord, "delta",
                         std::to_string(*strays) + " records belong to no vector space");
  }
}

Status SpaceCheck::AddSpace(const SpaceRow& row, bool present) {
  Space& space = spaces_.emplace_back();
  space.present = present;
  space.since = row.since.value_or(0);
  const bool sound = row.dim == 0 || VectorGeometry::Supports(row.dim);
  if (present && !recipe_.is_configured()) {
    if (recipe_.space()) space.vectors = std::make_unique<VectorSpace>(recipe_.space()->vectors());
  } else if (sound) {
    space.vectors = std::make_unique<VectorSpace>(row.dim, recipe_.seed());
  }
  std::ranges::copy_if(segments_, std::back_inserter(space.segments),
                       [&](const auto& segment) { return row.id == 0 || segment.space == row.id; });
  space.check = std::make_unique<VectorCheck>(run_, space.vectors.get(), row.id, space.segments);
  return space.check->Open();
}

Status SpaceCheck::Expect(const CheckedDoc& doc, uint32_t row, bool needed,
                          const ChunkFacts* facts) {
  for (Space& space : spaces_) {
    // Documents removed before a space became active are not in it.
    const bool seen = doc.live() || *doc.removed > space.since;
    RECALL_TRY(
        space.check->Expect(row, space.present && needed && seen, space.present ? facts : nullptr));
  }
  return Status::Ok();
}

Status SpaceCheck::Finish(bool report_extra) {
  for (Space& space : spaces_) RECALL_TRY(space.check->Finish(report_extra));
  return Status::Ok();
}

}  // namespace recall
