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

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "index/embed/factory/builtin_embedders.h"
#include "index/embed/factory/embedding_space.h"
#include "index/write/check/extraction_rows_check.h"
#include "index/write/check/fulltext_check.h"
#include "index/write/check/index_check.h"
#include "index/write/check/index_repair.h"
#include "index/write/check/note_set_check.h"
#include "index/write/check/posting_check.h"
#include "index/write/check/trained_model_check.h"
#include "index/write/derived/derived_data.h"
#include "query/types/open_types.h"
#include "query/types/store_types.h"
#include "storage/base/clock.h"
#include "storage/base/thread_start.h"
#include "storage/check/file_check.h"
#include "storage/check/label_check.h"
#include "storage/check/note_check.h"
#include "storage/check/page_check.h"
#include "storage/check/side_checks.h"
#include "storage/check/symbol_check.h"
#include "storage/check/text_check.h"
#include "storage/file_io/kept_copy.h"
#include "storage/history/commit_log.h"
#include "storage/overflow/file_mapping.h"
#include "storage/postgres/file_of_store.h"
#include "storage/replica/page_source.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/sqlite/writer_queue.h"
#include "storage/tables/forward_table.h"
#include "storage/tables/posting_table.h"

namespace recall {
namespace {

// The repairs that change tables: all but that of pages.
constexpr Repair kTableRepairs[] = {
    Repair::kSchema,       Repair::kIndexes,       Repair::kKeys,    Repair::kHeadings,
    Repair::kTokenCounts,  Repair::kTombstones,    Repair::kLexicon, Repair::kPostings,
    Repair::kForwardIndex, Repair::kMetadataIndex, Repair::kNotes,   Repair::kVectors,
    Repair::kModel,        Repair::kCounters,      Repair::kHistory};

// The parameters of one call.
struct Doing {
  const DoctorRequest& request;
  const DoctorProgressFn& progress;
  const std::atomic<bool>* cancel;

  size_t threads() const { return request.threads > 0 ? request.threads : UsableCpus(); }
  void Begin(DoctorStage stage) const {
    if (progress) progress({.stage = stage});
  }
  CheckProgressFn Counting(DoctorStage stage) const {
    if (!progress) return {};
    return [this, stage, last = int64_t{0}](int64_t done, int64_t total) mutable {
      if (done < total && SteadyMicros() - last < kProgressMicros) return;
      last = SteadyMicros();
      progress({stage, done, total});
    };
  }
};

// More would wait for the longest check.
constexpr size_t kMostReaders = 3;

// A failed read may have ended the transaction already.
Status EndTransaction(Connection& connection) {
  return connection.InTransaction() ? connection.Execute("ROLLBACK") : Status::Ok();
}

// The findings about a store in one transaction.
class Examination final {
 public:
  static Result<std::unique_ptr<Examination>> Make(const Doing& doing) {
    RECALL_ASSIGN(const std::string file, FileOfStore(doing.request.path, ReplicaUse::kCheck));
    RECALL_ASSIGN(auto connection, OpenReader(doing, file));
    std::unique_ptr<Examination> made(new Examination(std::move(connection), doing.cancel));
    RECALL_TRY(made->Examine(doing));
    made->ForbidRepairs();
    return made;
  }

  const Findings& findings() const { return run_.findings(); }
  const FileFacts& file() const { return file_; }
  const DocumentFacts& documents() const { return documents_; }
  size_t segments() const { return segments_.size(); }
  const std::set<uint32_t>& damaged_pages() const { return damaged_pages_; }

  // Ends the transaction. The findings remain valid.
  Status Finish() { return EndTransaction(*connection_); }

  bool Repairs(Repair repair) const {
    return findings().Needs(repair) && findings().WhyNot(repair).empty();
  }
  bool RepairsTables() const {
    return std::ranges::any_of(kTableRepairs, [this](Repair repair) { return Repairs(repair); });
  }
  // Whether the active vector space and its model are sound, so that its vectors can be computed
  // again as they were.
  bool HasSoundSpace() const {
    constexpr FindingCode kOfSpaces[] = {FindingCode::kModel, FindingCode::kSegmentSpace,
                                         FindingCode::kMetaIdentity};
    return std::ranges::none_of(kOfSpaces, [this](auto code) { return findings().Has(code); }) &&
           !Repairs(Repair::kSchema);
  }
  // Whether there is no error but those of pages.
  bool IsSoundButForPages() const {
    return std::ranges::all_of(findings().groups(), [](const auto& group) {
      return group.first == FindingCode::kPageChecksum ||
             InfoOf(group.first).severity != Severity::kError;
    });
  }
  // The damaged pages whose contents other checks have compared with what they are derived from.
  Result<std::set<uint32_t>> ComparedPages() const {
    return SelectComparedPages(*connection_, damaged_pages_);
  }

 private:
  Examination(std::unique_ptr<Connection> connection, const std::atomic<bool>* cancel)
      : connection_(std::move(connection)), run_(connection_.get(), cancel) {}

  static Result<std::unique_ptr<Connection>> OpenReader(const Doing& doing,
                                                        const std::string& file) {
    ConnectionOptions options;
    options.busy_timeout_ms = doing.request.busy_timeout_ms;
    options.enable_mapping = false;
    options.verify_pages = PageVerification::kNever;  // a damaged page must not end the examination
    return OpenStoreConnection(file, options);
  }

  // Opens connections for the checks beside those of this thread. Fewer, or none, are enough.
  std::vector<std::unique_ptr<Connection>> OpenReaders(const Doing& doing) const {
    std::vector<std::unique_ptr<Connection>> readers;
    while (readers.size() < std::min(doing.threads() - 1, kMostReaders)) {
      auto reader = OpenReader(doing, connection_->path());
      if (!reader) break;
      readers.push_back(*std::move(reader));
    }
    return readers;
  }

  // The checks of single structures run beside those of the documents.
  Status Examine(const Doing& doing) {
    doing.Begin(DoctorStage::kFile);
    std::vector<std::unique_ptr<Connection>> readers = OpenReaders(doing);
    RECALL_ASSIGN(file_, BeginCheck(run_, &readers));
    RECALL_TRY(CheckTables(run_, file_));
    FulltextContents lexicon;
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
    }));
    RECALL_ASSIGN(const auto expected, CheckRows(doing));
    doing.Begin(DoctorStage::kIndex);
    RECALL_TRY(beside.Finish());
    if (!expected || !run_.HasTable("lexicon")) return Status::Ok();
    return expected->Compare(run_, lexicon);
  }

  // Returns what the full-text index must contain, if that is known.
  Result<std::optional<FulltextCheck>> CheckRows(const Doing& doing) {
    RECALL_ASSIGN(identity_, CheckIdentity(run_));
    doing.Begin(DoctorStage::kDocuments);
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
    doing.Begin(DoctorStage::kSegments);
    RECALL_ASSIGN(segments_, CheckSegments(run_));
    const bool readable = run_.HasTable("doc") && run_.HasTable("chunk");
    if (!identity_ || !readable) {
      RECALL_TRY(CheckTexts(run_, documents_));
      return std::nullopt;
    }
    const IndexRecipe recipe(*connection_, identity_->settings);
    RECALL_TRY(CheckRecipe(run_, *identity_, recipe));
    return CheckIndexes(run_, documents_, segments_, recipe,
                        {doing.threads(), doing.cancel, doing.Counting(DoctorStage::kTexts)});
  }

  void ForbidAll(std::span<const Repair> repairs, const char* reason) {
    for (const Repair repair : repairs) run_.findings().Forbid(repair, reason);
  }

  void ForbidRepairs() {
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
        Repair::kHeadings,   Repair::kTokenCounts, Repair::kMetadataIndex, Repair::kNotes,
        Repair::kTombstones, Repair::kLexicon,     Repair::kVectors,       Repair::kCounters};
    ForbidAll(kOfDocuments, "the row of a document is damaged");
  }

  std::unique_ptr<Connection> connection_;
  CheckRun run_;
  FileFacts file_;
  std::set<uint32_t> damaged_pages_;
  std::optional<StoreIdentity> identity_;
  DocumentFacts documents_;
  std::vector<CheckedSegment> segments_;
};

// A write transaction on the file, in the writer queue, without the checks of Store::Open.
class FileWriter final {
 public:
  static Result<std::unique_ptr<FileWriter>> Begin(const Doing& doing) {
    ConnectionOptions options;
    options.mode = ConnectionMode::kReadWrite;
    options.busy_timeout_ms = doing.request.busy_timeout_ms;
    options.on_long_wait = doing.request.on_long_wait;
    options.verify_pages = PageVerification::kNever;
    RECALL_ASSIGN(const std::string file, FileOfStore(doing.request.path, ReplicaUse::kWrite));
    std::unique_ptr<FileWriter> writer(new FileWriter(file));
    RECALL_ASSIGN(writer->connection_, OpenStoreConnection(file, options));
    writer->queue_.Enter();
    RECALL_TRY(writer->connection_->WaitUntil([&] { return writer->queue_.IsOurTurn(); }));
    RECALL_TRY(writer->connection_->BeginImmediate());
    return writer;
  }

  Connection& connection() const { return *connection_; }

 private:
  explicit FileWriter(const std::string& file)
      : queue_(FileMapping::DescriptorOf(file), FindPageSource(file)) {}

  WriterQueue queue_;
  std::unique_ptr<Connection> connection_;
};

// Repairs the faults that prevent the store from being opened, then all others in one commit. If
// the process is killed in between, the store is no worse than before.
class StoreRepair final {
 public:
  StoreRepair(const Doing& doing, const Examination& found) : doing_(doing), found_(found) {}

  Status Run() {
    doing_.Begin(DoctorStage::kRepair);
    RECALL_TRY(RepairFile());
    StoreOptions options;
    options.busy_timeout_ms = doing_.request.busy_timeout_ms;
    options.on_long_wait = doing_.request.on_long_wait;
    options.enable_mapping = false;
    options.verify_pages = PageVerification::kNever;
    RECALL_ASSIGN(const auto store, Store::Open(doing_.request.path, options));
    RECALL_ASSIGN(const int64_t trained, LastTraining(*store));
    RECALL_TRY(RepairStore(*store));
    const std::atomic<bool> never = false;
    const std::atomic<bool>& cancel = doing_.cancel ? *doing_.cancel : never;
    RECALL_TRY(
        UpdateDerivedData(*store, cancel, {.threads = static_cast<uint32_t>(doing_.threads())}));
    RECALL_ASSIGN(const int64_t last, LastTraining(*store));
    retrained_ = last != trained;
    return Status::Ok();
  }

  // Whether Run has trained a model again, or deleted one.
  bool retrained() const { return retrained_; }

 private:
  bool Wants(Repair repair) const { return found_.Repairs(repair); }

  // The commit since which the newest model is active; 0 if there is none.
  static Result<int64_t> LastTraining(Store& store) {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    return transaction->connection().QueryInt("SELECT ifnull(max(since), 0) FROM model");
  }

  Status RepairStore(Store& store) {
    RECALL_ASSIGN(const auto transaction, store.BeginWrite());
    KeepDamagedPages(transaction->connection());
    RECALL_TRY(RepairRows(store, *transaction));
    // Answers about older commits have changed as well, so older commits can no longer be read.
    RECALL_TRY(RaiseHorizon(transaction->connection(), transaction->counts().commit_sequence + 1));
    return transaction->Commit();
  }

  // A page that was damaged is not vouched for by a repair of some of its rows.
  void KeepDamagedPages(Connection& connection) const {
    if (PageFile* const pages = connection.page_file()) pages->KeepDamaged(found_.damaged_pages());
  }

  Status RepairFile() {
    RECALL_ASSIGN(const auto writer, FileWriter::Begin(doing_));
    Connection* const connection = &writer->connection();
    KeepDamagedPages(*connection);
    if (Wants(Repair::kSchema)) {
      RECALL_TRY(RepairTables(*connection, found_.file().format_version));
    }
    if (Wants(Repair::kIndexes)) RECALL_TRY(RepairSqliteIndexes(*connection));
    if (Wants(Repair::kCounters)) RECALL_TRY(RepairCounters(*connection));
    const bool no_history = Wants(Repair::kHistory) || Wants(Repair::kSchema);
    if (no_history && found_.file().format_version >= 3) RECALL_TRY(RepairHistory(*connection));
    return connection->Execute("COMMIT");
  }

  Status RepairRows(Store& store, WriteTransaction& transaction) {
    Connection& connection = transaction.connection();
    // A recreated table is empty. It stays empty while the row of a document is damaged.
    const bool remade = Wants(Repair::kSchema) && found_.documents().all_read;
    if (Wants(Repair::kKeys)) RECALL_TRY(RepairKeys(connection));
    if (Wants(Repair::kModel)) RECALL_TRY(DropModels(connection));
    if (Wants(Repair::kPostings)) RECALL_TRY(DeletePostingSets(connection));
    // Records contain the words of headings, and refer to the dictionary, which may be remade.
    if (Wants(Repair::kForwardIndex) || Wants(Repair::kHeadings) || Wants(Repair::kSchema)) {
      RECALL_TRY(DeleteForwardIndex(connection));
    }
    // The only copy of metadata that a damaged row has lost may be in the index.
    const bool meta_decided = found_.findings().WhyNot(Repair::kMetadataIndex).empty();
    if (Wants(Repair::kMetadataIndex) || (remade && meta_decided)) {
      RECALL_TRY(RepairMetadataIndex(connection));
    }
    // A card is made of metadata.
    if (Wants(Repair::kNotes) || Wants(Repair::kMetadataIndex) || remade) {
      RECALL_TRY(RepairNotes(connection));
      RECALL_TRY(RepairNoteSet(connection));
    }
    IndexRepair repair;
    repair.tombstones = Wants(Repair::kTombstones) || remade;
    repair.headings = Wants(Repair::kHeadings);
    repair.token_counts = Wants(Repair::kTokenCounts);
    repair.lexicon = Wants(Repair::kLexicon) || remade;
    RECALL_ASSIGN(const VectorOrigin vectors, FindOrigin(connection));
    // Vectors that depend on a model are deleted with it. Vectors of an external embedder are
    // always kept, because they cannot be computed here.
    repair.vectors = Wants(Repair::kVectors) || remade ||
                     (Wants(Repair::kModel) && vectors != VectorOrigin::kTexts);
    if (vectors == VectorOrigin::kUser) repair.vectors = false;
    if (repair.any()) RECALL_TRY(RepairDerived(store, transaction, repair));
    if (!Wants(Repair::kCounters) && !repair.token_counts) return Status::Ok();
    RECALL_TRY(RepairCounters(connection));
    RECALL_ASSIGN(const StoreCounters counters, ReadCounters(connection));
    transaction.mutable_counts() = counters.counts;
    return Status::Ok();
  }

  // Deletes the models and the vectors that depend on them. Except in the active space, these
  // belong to snapshots that expire.
  static Status DropModels(Connection& connection) {
    RECALL_TRY(connection.Execute("DELETE FROM model; DELETE FROM model_part"));
    RECALL_ASSIGN(const VectorOrigin vectors, FindOrigin(connection));
    if (vectors == VectorOrigin::kModel) return Status::Ok();  // all vectors are computed again
    RECALL_ASSIGN(const std::vector<SpaceRow> spaces, ListSpaces(connection));
    for (const SpaceRow& row : spaces) {
      if (row.model == 0) continue;
      const bool trained = row.embedder == kLsaEmbedder;
      RECALL_TRY(trained ? DeleteSpace(connection, row.id) : ClearSpaceModel(connection, row.id));
    }
    return Status::Ok();
  }

  // What the vectors of the active space are computed from.
  enum class VectorOrigin : uint8_t { kTexts, kModel, kUser };
  static Result<VectorOrigin> FindOrigin(Connection& connection) {
    const auto row = FindSpaceAt(connection, std::numeric_limits<int64_t>::max());
    // If the store does not record its space, the vectors are computed again in any case.
    if (!row || !*row) return VectorOrigin::kModel;
    const auto space = EmbeddingSpace::OfRow(**row, 0);
    if (space && (*space)->is_configured() && (*row)->since > 0) return VectorOrigin::kUser;
    return (*row)->embedder == kLsaEmbedder ? VectorOrigin::kModel : VectorOrigin::kTexts;
  }

  // Rebuilds the derived data from the rows as they are under the write lock.
  Status RepairDerived(const Store& store, WriteTransaction& transaction, IndexRepair repair) {
    CheckRun run(&transaction.connection(), doing_.cancel);
    RECALL_ASSIGN(const int64_t version, transaction.connection().QueryInt("PRAGMA user_version"));
    FileFacts file;
    file.format_version = version;
    RECALL_TRY(CheckTables(run, file));
    RECALL_ASSIGN(const DocumentFacts documents, CheckDocuments(run));
    if (!documents.all_read) {
      return Status::Corruption(store.path() + ": the row of a document is damaged",
                                "run `recall doctor` again");
    }
    const StoreSettings& settings = store.settings();
    repair.vectors = repair.vectors && IsKnownTokenizer(settings.tokenizer_version) &&
                     CheckEmbedder(settings.embedder, settings.dim).ok();
    std::optional<IndexRecipe> recipe(std::in_place, transaction.connection(), settings);
    if (repair.vectors) {
      RECALL_ASSIGN(const bool complete, HasSpaceOfEachVector(transaction.connection()));
      const bool keeps_model = complete && found_.HasSoundSpace() && recipe->space() != nullptr;
      RECALL_TRY(keeps_model ? EmptySpaces(transaction, recipe->present()->id)
                             : ResetSpaces(transaction));
      recipe.emplace(transaction.connection(), settings);
    }
    repair.lexicon = repair.lexicon && recipe->knows_tokens();
    return RepairIndexes(transaction, documents, *recipe, repair, doing_.threads(), doing_.cancel,
                         doing_.Counting(DoctorStage::kRebuild));
  }

  const Doing& doing_;
  const Examination& found_;
  bool retrained_ = false;
};

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
DoctorReport Report(const Examination& now, const Findings* before) {
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
Result<std::set<uint32_t>> AcceptablePages(const Doing& doing, const Examination& found) {
  if (found.damaged_pages().empty() || !found.IsSoundButForPages()) return std::set<uint32_t>();
  return doing.request.accept_pages ? Result<std::set<uint32_t>>(found.damaged_pages())
                                    : found.ComparedPages();
}

Result<bool> CanRepair(const Doing& doing, const Examination& found) {
  if (found.Repairs(Repair::kPages) || found.RepairsTables()) return true;
  RECALL_ASSIGN(const std::set<uint32_t> acceptable, AcceptablePages(doing, found));
  return !acceptable.empty();
}

// Copies the store, with its WAL, to a name beside it.
Result<KeptCopy> KeepCopy(const Doing& doing) {
  doing.Begin(DoctorStage::kCopy);
  RECALL_ASSIGN(const auto writer, FileWriter::Begin(doing));
  return KeepCopyOf(doing.request.path, FileMapping::DescriptorOf(doing.request.path));
}

// SQLite cannot open the file if its first page is damaged, so this goes past it. Returns whether
// the page was restored; without --fix, an error that names the damage.
Result<bool> RestoreFirstPage(const Doing& doing, KeptCopy* kept) {
  const std::string& path = doing.request.path;
  if (IsServerAddress(path)) return false;  // a replica is made anew, not repaired
  const int descriptor = FileMapping::DescriptorOf(path);
  if (descriptor < 0 || !CorrectedFirstPage(descriptor)) return false;
  if (!doing.request.fix) {
    return Fail(Status::Corruption(path + ": one bit of page 1 is wrong",
                                   "run `recall doctor --fix`, which can restore the page"));
  }
  ConnectionOptions options;
  options.mode = ConnectionMode::kScratch;
  options.busy_timeout_ms = doing.request.busy_timeout_ms;
  options.on_long_wait = doing.request.on_long_wait;
  RECALL_ASSIGN(const auto waiting, Connection::Open(path, options));
  WriterQueue queue(descriptor);
  queue.Enter();
  RECALL_TRY(waiting->WaitUntil([&] { return queue.IsOurTurn(); }));
  const auto page = CorrectedFirstPage(descriptor);
  if (!page) return false;  // another process has restored it
  if (doing.request.keep_copy) {
    doing.Begin(DoctorStage::kCopy);
    RECALL_ASSIGN(*kept, KeepCopyOf(path, descriptor));
  }
  RECALL_TRY(WriteFirstPage(path, descriptor, *page));
  return true;
}

// All pages of a store on a server were fetched, and are of no further use.
Status EmptyCheckReplica(const Doing& doing) {
  if (!IsServerAddress(doing.request.path)) return Status::Ok();
  RECALL_ASSIGN(const std::string file, FileOfStore(doing.request.path, ReplicaUse::kCheck));
  RECALL_ASSIGN(const auto connection,
                OpenStoreConnection(file, {.busy_timeout_ms = doing.request.busy_timeout_ms}));
  RECALL_TRY(connection->QueryInt("PRAGMA user_version"));
  return Status::Ok();
}

using ChangePagesFn = Status (*)(Connection&, const std::set<uint32_t>&);
Status ChangePages(const Doing& doing, const std::set<uint32_t>& pages, ChangePagesFn change) {
  if (pages.empty()) return Status::Ok();
  RECALL_ASSIGN(const auto writer, FileWriter::Begin(doing));
  RECALL_TRY(change(writer->connection(), pages));
  return EndTransaction(writer->connection());
}

// Repairs what can be repaired, from the most basic on: each repair relies on the ones before. Sets
// *retrained if a model was trained again.
Result<std::unique_ptr<Examination>> RepairAll(const Doing& doing,
                                               std::unique_ptr<Examination> found,
                                               bool* retrained) {
  if (found->Repairs(Repair::kPages)) {
    RECALL_TRY(ChangePages(doing, found->damaged_pages(), &CorrectPages));
    RECALL_ASSIGN(found, Examination::Make(doing));
    RECALL_TRY(found->Finish());
  }
  if (found->RepairsTables()) {
    StoreRepair repair(doing, *found);
    RECALL_TRY(repair.Run().WithContext("repair"));
    *retrained = repair.retrained();
    RECALL_ASSIGN(found, Examination::Make(doing));
    RECALL_TRY(found->Finish());
  }
  RECALL_ASSIGN(const std::set<uint32_t> acceptable, AcceptablePages(doing, *found));
  if (acceptable.empty()) return found;
  RECALL_TRY(ChangePages(doing, acceptable, &AcceptPages));
  RECALL_ASSIGN(found, Examination::Make(doing));
  RECALL_TRY(found->Finish());
  return found;
}

}  // namespace

Result<DoctorReport> RunDoctor(const DoctorRequest& request, const DoctorProgressFn& progress,
                               const std::atomic<bool>* cancel) {
  const Doing doing{request, progress, cancel};
  KeptCopy kept;
  bool first_page = false;
  bool retrained = false;
  auto examined = Examination::Make(doing);
  if (!examined && examined.error().code() == StatusCode::kCorruption) {
    RECALL_ASSIGN(first_page, RestoreFirstPage(doing, &kept));
    if (first_page) examined = Examination::Make(doing);
  }
  RECALL_ASSIGN(std::unique_ptr<Examination> found, std::move(examined));
  Findings before = found->findings();
  if (first_page) before.Add(FindingCode::kPageChecksum, "page 1", "one bit is wrong");
  RECALL_ASSIGN(const bool can_repair, CanRepair(doing, *found));
  RECALL_TRY(found->Finish());
  if (request.fix && can_repair) {
    if (request.keep_copy && kept.file.empty()) {
      RECALL_ASSIGN(kept, KeepCopy(doing));
    }
    RECALL_ASSIGN(found, RepairAll(doing, std::move(found), &retrained));
  }
  DoctorReport report =
      Report(*found, first_page || (request.fix && can_repair) ? &before : nullptr);
  report.kept_copy = std::move(kept.file);
  report.kept_wal = std::move(kept.wal);
  report.retrained = retrained;
  found.reset();
  RECALL_TRY(EmptyCheckReplica(doing));
  return report;
}

}  // namespace recall
