// Examines a store, and with --fix rebuilds its derived data.
//
// A store contains primary data (documents, texts, metadata, user-supplied vectors, settings) and
// data derived from it (full-text index, posting lists, forward index, vectors, models, counters,
// SQLite indexes).
// Damage of primary data is reported and never changed. Derived data is compared with its
// computation from the primary data and can be rebuilt.
//
//   examine -> report                                     without --fix, or nothing to repair
//   examine -> copy the file -> correct pages, examine again if there were any
//           -> repair, in one write transaction -> examine again -> report of both
//
// Each check adds findings (storage/check, index/write/check). A finding has a code, and the code
// determines which Repair fixes it. A repair may be forbidden, with a reason, if its input is
// damaged: for example, the full-text index is not rebuilt from texts that cannot be read. It is
// also forbidden where the derived data may be the only right copy (storage/check/label_check.h).
//
// Most of the time is spent on texts, which are read by the calling thread and analysed by workers.
// Checks that need no other result run beside this, on connections of their own that read the same
// commit (storage/check/side_checks.h). The findings do not depend on the number of threads.
//
// Invariants: an examination reads one commit, so concurrent writers cause no false findings. Only
// SQLite's own check may read a later one (storage/check/file_check.cc).
// The repair checks the documents again under the write lock, because the store may have changed
// since the examination. First a separate step rebuilds the schema if the store cannot be opened
// without it; if the process is killed between the steps, the store is no worse than before.
// Repairs raise the horizon, because answers about older commits would have changed.
//
// The store is opened without memory mapping, because a damaged or truncated file could raise
// SIGBUS. Cost: reads the whole file, and analyses all texts again; a repair does both twice more.

#include "query/maintenance/doctor.h"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "query/maintenance/doctor_call.h"
#include "query/maintenance/store_examination.h"
#include "query/maintenance/store_repair.h"
#include "query/types/open_types.h"
#include "storage/check/file_check.h"
#include "storage/check/page_check.h"
#include "storage/file_io/kept_copy.h"
#include "storage/overflow/file_mapping.h"
#include "storage/postgres/file_of_store.h"
#include "storage/replica/page_source.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/sqlite/writer_queue.h"

namespace recall {

namespace {

DoctorFinding Describe(const FindingGroup& group, const Findings& findings) {
  const FindingInfo& info = InfoOf(group.code);
  DoctorFinding finding;
  finding.code = info.name;
  finding.severity = SeverityName(info.severity);
  finding.meaning = info.meaning;
  finding.count = group.count;
  for (const auto& example : group.examples) {
    finding.examples.push_back({example.where, example.what});
  }
  finding.advice = info.advice;
  if (info.repair == Repair::kNone) return finding;
  finding.obstacle = findings.WhyNot(info.repair);
  finding.fixable = finding.obstacle.empty();
  return finding;
}

void Count(const FindingInfo& info, DoctorReport* report) {
  (info.severity == Severity::kError     ? report->errors
   : info.severity == Severity::kWarning ? report->warnings
                                         : report->notes) += 1;
}

// Makes the report. `before`: the findings before the repair; null if nothing was repaired.
DoctorReport Report(const StoreExamination& now, const Findings* before) {
  DoctorReport report;
  for (const FindingInfo& info : AllFindings()) {
    const auto& groups = now.findings().groups();
    if (const auto found = groups.find(info.code); found != groups.end()) {
      report.findings.push_back(Describe(found->second, now.findings()));
      Count(info, &report);
    } else if (before != nullptr && before->Has(info.code)) {
      report.findings.push_back(Describe(before->groups().at(info.code), *before));
      report.findings.back().fixed = true;
      ++report.fixed;
    }
  }
  report.format_version = now.file().format_version;
  report.page_size = now.file().page_size;
  report.pages = now.file().pages;
  report.free_pages = now.file().free_pages;
  report.wal_bytes = now.file().wal_bytes;
  report.docs = now.documents().live_docs;
  report.removed_docs = now.documents().removed_docs;
  report.chunks = now.documents().live_chunks;
  report.removed_chunks = now.documents().removed_chunks;
  report.segments = static_cast<int64_t>(now.segments());
  return report;
}

// The damaged pages whose present contents may be declared right: all other checks find no error,
// and they have compared everything on these pages, or the user vouches for them.
Result<std::set<uint32_t>> AcceptablePages(const DoctorCall& call, const StoreExamination& found) {
  if (found.damaged_pages().empty() || !found.IsSoundButForPages()) return std::set<uint32_t>();
  return call.request.accept_pages ? Result<std::set<uint32_t>>(found.damaged_pages())
                                   : found.ComparedPages();
}

Result<bool> CanRepair(const DoctorCall& call, const StoreExamination& found) {
  if (found.Repairs(Repair::kPages) || found.RepairsTables()) return true;
  RECALL_ASSIGN(const std::set<uint32_t> acceptable, AcceptablePages(call, found));
  return !acceptable.empty();
}

// Copies the store, with its WAL, to a name beside it.
Result<KeptCopy> KeepCopy(const DoctorCall& call) {
  call.Begin(DoctorStage::kCopy);
  RECALL_ASSIGN(const auto writer, FileWriter::Begin(call));
  return KeepCopyOf(call.request.path, FileMapping::DescriptorOf(call.request.path));
}

// SQLite cannot open the file if its first page is damaged, so this goes past it. Returns whether
// the page was restored; without --fix, an error that names the damage.
Result<bool> RestoreFirstPage(const DoctorCall& call, KeptCopy* kept) {
  const std::string& path = call.request.path;
  if (IsServerAddress(path)) return false;  // a replica is made anew, not repaired
  const int descriptor = FileMapping::DescriptorOf(path);
  if (descriptor < 0 || !CorrectedFirstPage(descriptor)) return false;
  if (!call.request.fix) {
    return Fail(Status::Corruption(path + ": one bit of page 1 is wrong",
                                   "run `recall doctor --fix`, which can restore the page"));
  }
  ConnectionOptions options;
  options.mode = ConnectionMode::kScratch;
  options.busy_timeout_ms = call.request.busy_timeout_ms;
  options.on_long_wait = call.request.on_long_wait;
  RECALL_ASSIGN(const auto waiting, Connection::Open(path, options));
  WriterQueue queue(descriptor);
  queue.Enter();
  RECALL_TRY(waiting->WaitUntil([&] { return queue.IsOurTurn(); }));
  const auto page = CorrectedFirstPage(descriptor);
  if (!page) return false;  // another process has restored it
  if (call.request.keep_copy) {
    call.Begin(DoctorStage::kCopy);
    RECALL_ASSIGN(*kept, KeepCopyOf(path, descriptor));
  }
  RECALL_TRY(WriteFirstPage(path, descriptor, *page));
  return true;
}

// All pages of a store on a server were fetched, and are of no further use.
Status EmptyCheckReplica(const DoctorCall& call) {
  if (!IsServerAddress(call.request.path)) return Status::Ok();
  RECALL_ASSIGN(const std::string file, FileOfStore(call.request.path, ReplicaUse::kCheck));
  RECALL_ASSIGN(const auto connection,
                OpenStoreConnection(file, {.busy_timeout_ms = call.request.busy_timeout_ms}));
  RECALL_TRY(connection->QueryInt("PRAGMA user_version"));
  return Status::Ok();
}

using ChangePagesFn = Status (*)(Connection&, const std::set<uint32_t>&);
Status ChangePages(const DoctorCall& call, const std::set<uint32_t>& pages, ChangePagesFn change) {
  if (pages.empty()) return Status::Ok();
  RECALL_ASSIGN(const auto writer, FileWriter::Begin(call));
  RECALL_TRY(change(writer->connection(), pages));
  return EndTransaction(writer->connection());
}

// Repairs what can be repaired, from the most basic on: each repair relies on the ones before. Sets
// *retrained if a model was trained again.
Result<std::unique_ptr<StoreExamination>> RepairAll(const DoctorCall& call,
                                                    std::unique_ptr<StoreExamination> found,
                                                    bool* retrained) {
  if (found->Repairs(Repair::kPages)) {
    RECALL_TRY(ChangePages(call, found->damaged_pages(), &CorrectPages));
    RECALL_ASSIGN(found, StoreExamination::Make(call));
    RECALL_TRY(found->Finish());
  }
  if (found->RepairsTables()) {
    StoreRepair repair(call, *found);
    RECALL_TRY(repair.Run().WithContext("repair"));
    *retrained = repair.retrained();
    RECALL_ASSIGN(found, StoreExamination::Make(call));
    RECALL_TRY(found->Finish());
  }
  RECALL_ASSIGN(const std::set<uint32_t> acceptable, AcceptablePages(call, *found));
  if (acceptable.empty()) return found;
  RECALL_TRY(ChangePages(call, acceptable, &AcceptPages));
  RECALL_ASSIGN(found, StoreExamination::Make(call));
  RECALL_TRY(found->Finish());
  return found;
}

}  // namespace

Result<DoctorReport> RunDoctor(const DoctorRequest& request, const DoctorProgressFn& progress,
                               const std::atomic<bool>* cancel) {
  const DoctorCall call{request, progress, cancel};
  KeptCopy kept;
  bool first_page = false;
  bool retrained = false;
  auto examined = StoreExamination::Make(call);
  if (!examined && examined.error().code() == StatusCode::kCorruption) {
    RECALL_ASSIGN(first_page, RestoreFirstPage(call, &kept));
    if (first_page) examined = StoreExamination::Make(call);
  }
  RECALL_ASSIGN(std::unique_ptr<StoreExamination> found, std::move(examined));
  Findings before = found->findings();
  if (first_page) before.Add(FindingCode::kPageChecksum, "page 1", "one bit is wrong");
  RECALL_ASSIGN(const bool can_repair, CanRepair(call, *found));
  RECALL_TRY(found->Finish());
  if (request.fix && can_repair) {
    if (request.keep_copy && kept.file.empty()) {
      RECALL_ASSIGN(kept, KeepCopy(call));
    }
    RECALL_ASSIGN(found, RepairAll(call, std::move(found), &retrained));
  }
  DoctorReport report =
      Report(*found, first_page || (request.fix && can_repair) ? &before : nullptr);
  report.kept_copy = std::move(kept.file);
  report.kept_wal = std::move(kept.wal);
  report.retrained = retrained;
  found.reset();
  RECALL_TRY(EmptyCheckReplica(call));
  return report;
}

}  // namespace recall
