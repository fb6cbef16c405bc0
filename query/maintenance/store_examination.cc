// The order of the checks, and which of them run beside each other (doctor.cc has the idea).

#include "query/maintenance/store_examination.h"

#include "index/write/check/extraction_rows_check.h"
#include "index/write/check/fulltext_check.h"
#include "index/write/check/index_check.h"
#include "index/write/check/note_set_check.h"
#include "index/write/check/posting_check.h"
#include "index/write/check/trained_model_check.h"
#include "index/write/training/training.h"
#include "storage/check/file_check.h"
#include "storage/check/label_check.h"
#include "storage/check/note_check.h"
#include "storage/check/page_check.h"
#include "storage/check/side_checks.h"
#include "storage/check/symbol_check.h"
#include "storage/check/text_check.h"
#include "storage/postgres/file_of_store.h"
#include "storage/replica/page_source.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/tables/forward_table.h"
#include "storage/tables/posting_table.h"

namespace recall {

namespace {

// The side checks are few, and the longest of them decides when all have ended.
constexpr size_t kMostReaders = 3;

}  // namespace

Status EndTransaction(Connection& connection) {
  return connection.InTransaction() ? connection.Execute("ROLLBACK") : Status::Ok();
}

Result<std::unique_ptr<StoreExamination>> StoreExamination::Make(const DoctorCall& call) {
  RECALL_ASSIGN(const std::string file, FileOfStore(call.request.path, ReplicaUse::kCheck));
  RECALL_ASSIGN(auto connection, OpenReader(call, file));
  std::unique_ptr<StoreExamination> made(new StoreExamination(std::move(connection), call.cancel));
  RECALL_TRY(made->Examine(call));
  made->ForbidRepairs();
  return made;
}

Result<std::unique_ptr<Connection>> StoreExamination::OpenReader(const DoctorCall& call,
                                                                 const std::string& file) {
  ConnectionOptions options;
  options.busy_timeout_ms = call.request.busy_timeout_ms;
  options.enable_mapping = false;
  options.verify_pages = PageVerification::kNever;  // a damaged page must not end the examination
  return OpenStoreConnection(file, options);
}

std::vector<std::unique_ptr<Connection>> StoreExamination::OpenReaders(
    const DoctorCall& call) const {
  std::vector<std::unique_ptr<Connection>> readers;
  if (connection_->has_file_alone()) return readers;
  while (readers.size() < std::min(call.threads() - 1, kMostReaders)) {
    auto reader = OpenReader(call, connection_->path());
    if (!reader) break;
    readers.push_back(*std::move(reader));
  }
  return readers;
}

Status StoreExamination::Examine(const DoctorCall& call) {
  call.Begin(DoctorStage::kFile);
  std::vector<std::unique_ptr<Connection>> readers = OpenReaders(call);
  RECALL_ASSIGN(file_, BeginCheck(run_, &readers));
  RECALL_TRY(CheckTables(run_, file_));
  FulltextContents lexicon;
  std::vector<WrongContentSize> sizes;
  SideChecks beside(run_, std::move(readers));
  RECALL_TRY(beside.Start({
      [&](CheckRun& run) -> Status {
        RECALL_ASSIGN(damaged_pages_, CheckPages(run, file_));
        return Status::Ok();
      },
      [&](CheckRun& run) { return CheckFile(run, file_); },
      [](CheckRun& run) { return CheckPostingSets(run); },
      [&](CheckRun& run) {
        const bool readable = run.HasTable("chunk") && run.HasTable("lexicon");
        return readable ? lexicon.Read(run) : Status::Ok();
      },
      [&](CheckRun& run) -> Status {
        RECALL_ASSIGN(sizes, CheckContentSizes(run));
        return Status::Ok();
      },
  }));
  RECALL_ASSIGN(const auto expected, CheckRows(call));
  call.Begin(DoctorStage::kIndex);
  RECALL_TRY(beside.Finish());
  if (expected && run_.HasTable("lexicon")) RECALL_TRY(expected->Compare(run_, lexicon));
  ReportSizes(sizes);
  return Status::Ok();
}

void StoreExamination::ReportSizes(const std::vector<WrongContentSize>& wrong) {
  // Damaged contents have other sizes, too, and their repair counts again.
  const bool damaged = std::ranges::any_of(findings().groups(), [](const auto& group) {
    return InfoOf(group.first).severity == Severity::kError;
  });
  if (damaged) return;
  for (const auto& [bucket, recorded, counted] : wrong) {
    run_.findings().Add(
        FindingCode::kContentSizes, "meta.content_sizes, " + bucket,
        "found " + std::to_string(recorded) + " bytes, expected " + std::to_string(counted));
  }
}

Result<std::optional<FulltextCheck>> StoreExamination::CheckRows(const DoctorCall& call) {
  RECALL_ASSIGN(identity_, CheckIdentity(run_));
  call.Begin(DoctorStage::kDocuments);
  RECALL_ASSIGN(documents_, CheckDocuments(run_));
  RECALL_TRY(CheckLabels(run_));
  RECALL_TRY(CheckSuppliedVectors(run_));
  RECALL_TRY(CheckExtractions(run_));
  RECALL_TRY(CheckSymbols(run_));
  RECALL_TRY(CheckCounters(run_, documents_));
  RECALL_TRY(CheckHistory(run_, &documents_));
  RECALL_TRY(CheckMetadataIndex(run_));
  RECALL_TRY(CheckNotes(run_));
  RECALL_TRY(CheckNoteSet(run_));
  RECALL_TRY(CheckTombstones(run_, documents_));
  RECALL_TRY(CheckModels(run_));
  CheckTraining();
  call.Begin(DoctorStage::kSegments);
  RECALL_ASSIGN(segments_, CheckSegments(run_));
  const bool readable = run_.HasTable("doc") && run_.HasTable("chunk");
  if (!identity_ || !readable) {
    RECALL_TRY(CheckTexts(run_, documents_));
    return std::nullopt;
  }
  const IndexRecipe recipe(*connection_, identity_->settings);
  RECALL_TRY(CheckRecipe(run_, *identity_, recipe));
  return CheckIndexes(run_, documents_, segments_, recipe,
                      {call.threads(), call.cancel, call.Counting(DoctorStage::kTexts)});
}

void StoreExamination::CheckTraining() {
  if (!run_.HasTable("model") || findings().Has(FindingCode::kModel)) return;
  // What cannot be read here is reported by other checks.
  const auto due = IsModelDue(*connection_);
  if (due && *due) {
    run_.findings().Add(FindingCode::kModelDue, "model", "it has fewer than half of the chunks");
  }
}

void StoreExamination::ForbidRepairs() {
  const Findings& found = findings();
  // Also if the damaged tree holds derived data. DROP, DELETE and REINDEX free the pages of a
  // tree by following its pointers, and a damaged pointer may lead to a page of another tree,
  // which would then be overwritten. Nothing shows that it does not: a row of integrity_check
  // names a page, with SQLite 3.40 without its tree, and where two trees share a page it names
  // the one that was checked last. Export and import do what a repair would do: an export reads
  // no derived tree but the vectors that it contains, and compares what it reads with the
  // checksums of pages.
  if (found.Has(FindingCode::kSqliteDamage)) {
    ForbidAll(kTableRepairs,
              "SQLite reports damage to the file, and writing to it could increase the damage");
  }
  if (found.Has(FindingCode::kTableMissing) || found.Has(FindingCode::kTableChanged)) {
    ForbidAll(kTableRepairs, "a table that contains primary data is missing or was changed");
  }
  if (!identity_) ForbidAll(kTableRepairs, "the recorded settings of the store cannot be read");
  if (documents_.all_read) return;
  constexpr Repair kOfDocuments[] = {
      Repair::kHeadings, Repair::kTokenCounts, Repair::kMetadataIndex,
      Repair::kNotes,    Repair::kTextGrams,   Repair::kTombstones,
      Repair::kLexicon,  Repair::kVectors,     Repair::kCounters};
  ForbidAll(kOfDocuments, "the row of a document is damaged");
}

}  // namespace recall
