// Writes the memory of another program to the store.
//
//   reader  ->  plan  ->  workers: PrepareDocument  ->  Put, then links, uses, reviews   ->  commit
//
// Links are written behind all documents of their batch; a target may follow in a later one,
// because links join paths. Uses are counted there, not logged: what an earlier import wrote is
// subtracted, so that a note that was used twice since then gets two uses.
//
// Invariants:
//   - Without batches, the import is one commit; a batch is one with all that belongs to its notes.
//   - A commit without changes is not made.
//   - The outcome does not depend on the number of threads.
//
// Memory: the whole memory, at most kMostForeignBytes.

#include "query/exchange/foreign_import.h"

#include <algorithm>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/write/ingest/document_builder.h"
#include "index/write/local/local_store.h"
#include "query/add/records/json_record.h"
#include "query/compat/memories/import_plan.h"
#include "query/exchange/foreign_secrets.h"
#include "storage/base/ordered_pipeline.h"
#include "storage/notes/activity_table.h"
#include "storage/notes/name_table.h"

namespace recall {
namespace {

using Outcome = PreparedDocument::Outcome;

constexpr size_t kNotesInFlight = 256;
constexpr std::string_view kImportedUse = "import";

Result<ForeignMemory> ReadMemory(const ImportProgram& program, const ImportRequest& request,
                                 const std::atomic<bool>* cancel) {
  ForeignOptions options;
  options.max_document_bytes = std::min(request.max_document_bytes, kMostForeignBytes);
  options.cancel = cancel;
  return program.read_notes(request.path, options);
}

// What the store has of earlier imports.
struct EarlierImports {
  std::map<std::string, int64_t> uses;                  // by path
  std::set<std::pair<std::string, UnixNanos>> reviews;  // path and time
};

Result<EarlierImports> ReadEarlierImports(Connection& connection, const std::string& log_name) {
  EarlierImports earlier;
  RECALL_ASSIGN(const bool has_notes, HasNoteTables(connection));
  if (!has_notes) return earlier;
  std::map<int64_t, int64_t> uses;
  RECALL_TRY(ScanUses(connection, [&](const UseRow& row) {
    if (row.how == kImportedUse && row.store == log_name) uses[row.name] += row.count;
  }));
  std::vector<std::pair<int64_t, UnixNanos>> reviews;
  RECALL_TRY(ScanReviews(connection, [&](const ReviewRow& row) {
    if (row.store == log_name) reviews.emplace_back(row.name, row.at);
  }));
  for (const auto& [name, count] : uses) {
    RECALL_ASSIGN(const std::string path, PathOfName(connection, name));
    earlier.uses[path] = count;
  }
  for (const auto& [name, at] : reviews) {
    RECALL_ASSIGN(std::string path, PathOfName(connection, name));
    earlier.reviews.emplace(std::move(path), at);
  }
  return earlier;
}

// The notes of the store that have one of these keys on their cards.
Status FindMarks(const Snapshot& snapshot, const std::set<std::string>& keys, StoredNotes* stored) {
  if (keys.empty()) return Status::Ok();
  std::vector<int64_t> rows;
  RECALL_TRY(snapshot.notes().ScanFacts(0, [&](const NoteFacts& facts) {
    if (facts.is_note) rows.push_back(facts.doc_row);
  }));
  for (const int64_t row : rows) {
    RECALL_ASSIGN(const DocRow doc, snapshot.texts().ReadDoc(row));
    const auto card = doc.meta ? ParseJsonObject(*doc.meta) : std::nullopt;
    if (!card) continue;
    for (const std::string& key : keys) {
      const auto field = card->find(key);
      if (field == card->end() || !field->is_string()) continue;
      // Of several notes with a mark, the first one by path is it.
      const auto [known, is_new] =
          stored->by_mark.emplace(std::pair(key, field->get<std::string>()), doc.path);
      if (!is_new && doc.path < known->second) known->second = doc.path;
    }
  }
  return Status::Ok();
}

struct NoteJob {
  const PlacedNote* note = nullptr;
  std::optional<DocRow> live;
};

// One worker. It is copyable because std::function requires that; copies share the builder.
class NoteWorker final {
 public:
  NoteWorker(const TransferDependencies& deps, const ImportPlan* plan, bool dry_run)
      : plan_(plan),
        terms_(
            std::make_shared<TermBuilder>(deps.space, deps.store->settings().tokenizer_version)) {
    const StoreSettings& settings = deps.store->settings();
    options_.parser = Parser::kNote;
    options_.chunking = {settings.chunk_tokens, settings.overlap_tokens};
    options_.dry_run = dry_run;
  }

  PreparedDocument operator()(NoteJob job) {
    ProvidedDocument given;
    given.path = job.note->path;
    given.text = job.note->markdown;
    given.origin = kSavedOrigin;
    given.mtime = job.note->time;
    PreparedDocument prepared = PrepareDocument(std::move(given), job.live, options_, *terms_);
    prepared.links = plan_->Resolve(job.note->path, std::move(prepared.links));
    return prepared;
  }

 private:
  const ImportPlan* plan_;
  BuildOptions options_;
  std::shared_ptr<TermBuilder> terms_;
};

using NotePipeline = OrderedPipeline<NoteJob, PreparedDocument, NoteWorker>;

class ForeignImporter final {
 public:
  ForeignImporter(const ImportProgram& program, const ImportRequest& request,
                  const TransferDependencies& deps, size_t threads, const AddProgressFn& progress)
      : program_(program),
        request_(request),
        deps_(deps),
        threads_(threads),
        progress_(progress),
        log_name_(program.origin),
        store_(deps.store, deps.space) {}

  Result<ImportReport> Run() {
    const Status outcome = Import();
    batch_.reset();
    reading_.reset();
    if (outcome.code() == StatusCode::kCancelled) {
      committed_.cancelled = true;
    } else {
      RECALL_TRY(outcome);
    }
    return std::move(committed_);
  }

 private:
  Status Import() {
    RECALL_ASSIGN(ForeignMemory memory, ReadMemory(program_, request_, deps_.cancel));
    RECALL_TRY(TreatSecrets(request_.secrets, request_.secret_settings, &memory, &committed_));
    committed_.lines = memory.lines;
    committed_.kept = std::move(memory.kept);
    committed_.dropped = std::move(memory.dropped);
    for (ForeignFault& fault : memory.faults) {
      committed_.faults.push_back({std::move(fault.file), fault.line, std::move(fault.reason)});
    }
    committed_.failed = static_cast<int64_t>(committed_.faults.size());
    counted_ = committed_;
    RECALL_TRY(MakePlan(std::move(memory)));
    NotePipeline pipeline(std::max<size_t>(threads_, 1),
                          [&] { return NoteWorker(deps_, &*plan_, request_.dry_run); });
    return WriteAll(pipeline);
  }

  Status MakePlan(ForeignMemory memory) {
    {
      RECALL_ASSIGN(const auto transaction, deps_.store->BeginRead());
      RECALL_ASSIGN(earlier_, ReadEarlierImports(transaction->connection(), log_name_));
    }
    RECALL_ASSIGN(const auto snapshot, store_.BeginRead());
    StoredNotes stored;
    stored.is_live = [&](const std::string& path) -> Result<bool> {
      RECALL_ASSIGN(const auto live, snapshot->texts().FindDoc(path));
      return live.has_value();
    };
    std::set<std::string> keys;
    for (const ForeignNote& note : memory.notes) {
      if (note.mark) keys.insert(note.mark->first);
    }
    RECALL_TRY(FindMarks(*snapshot, keys, &stored));
    RECALL_ASSIGN(plan_, ImportPlan::Make(std::move(memory), stored));
    return Status::Ok();
  }

  Status WriteAll(NotePipeline& pipeline) {
    const std::vector<PlacedNote>& notes = plan_->notes();
    AddProgress shown;
    shown.files_total = static_cast<int64_t>(notes.size());
    const size_t most = request_.batch_docs > 0 ? static_cast<size_t>(request_.batch_docs)
                                                : std::max<size_t>(notes.size(), 1);
    for (size_t first = 0; first < notes.size(); first += most) {
      const size_t last = std::min(first + most, notes.size());
      RECALL_TRY(Begin());
      RECALL_TRY(WriteNotes(pipeline, first, last, &shown));
      for (size_t i = first; i < last; ++i) RECALL_TRY(WriteStates(notes[i]));
      RECALL_TRY(Commit());
    }
    return Status::Ok();
  }

  Status WriteNotes(NotePipeline& pipeline, size_t first, size_t last, AddProgress* shown) {
    size_t submitted = first;
    for (size_t taken = first; taken < last; ++taken) {
      if (deps_.cancel->load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
      for (; submitted < last && submitted - taken < kNotesInFlight; ++submitted) {
        const PlacedNote& note = plan_->notes()[submitted];
        RECALL_ASSIGN(auto live, present().texts().FindDoc(note.path));
        if (live && deps_.store->settings().embedder == kUserSuppliedEmbedder) {
          RECALL_ASSIGN(live->supplied_vector, present().texts().ReadSuppliedVector(live->row));
        }
        pipeline.Submit({&note, std::move(live)});
      }
      RECALL_TRY(WriteNote(pipeline.Take()));
      ++shown->files_done;
      progress_.Update(*shown);
    }
    return Status::Ok();
  }

  Status WriteNote(PreparedDocument prepared) {
    RECALL_TRY(prepared.embedding);
    switch (prepared.outcome) {
      case Outcome::kAdded:
        ++counted_.added;
        break;
      case Outcome::kUpdated:
        ++counted_.updated;
        break;
      case Outcome::kRefreshed:
        ++counted_.refreshed;
        break;
      case Outcome::kUnchanged:
        ++counted_.unchanged;
        return Status::Ok();
      default:
        return Status::Internal("a note of an import was refused: " + prepared.fault.reason);
    }
    const auto chunks = static_cast<int64_t>(prepared.spans.size());
    counted_.chunks += chunks;
    counted_.vectors_rebuilt += chunks;
    changed_ = true;
    return request_.dry_run ? Status::Ok() : batch_->Put(prepared);
  }

  Status WriteStates(const PlacedNote& note) {
    if (!note.links.empty()) RECALL_TRY(WriteLinks(note));
    if (note.uses) RECALL_TRY(WriteUse(note));
    if (note.review) RECALL_TRY(WriteReview(note));
    return Status::Ok();
  }

  Status WriteLinks(const PlacedNote& note) {
    RECALL_ASSIGN(const auto present_links, present().notes().LinksAt(LinkEnd::kSource, note.path));
    using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
    std::map<Key, const LinkRecord*> known;
    for (const LinkRecord& link : present_links) {
      known.emplace(Key(link.target, link.relation, link.origin), &link);
    }
    for (const ForeignLink& link : note.links) {
      const LinkRecord record = RecordOf(note, link);
      const auto same = known.find(Key(record.target, record.relation, record.origin));
      if (same != known.end() && same->second->weight == record.weight &&
          same->second->reason == record.reason) {
        continue;
      }
      if (!request_.dry_run) RECALL_TRY(batch_->PutLink(record));
      ++counted_.links;
      changed_ = true;
    }
    return Status::Ok();
  }

  static LinkRecord RecordOf(const PlacedNote& note, const ForeignLink& link) {
    LinkRecord record;
    record.source = note.path;
    record.target = link.target;
    record.relation = link.relation;
    record.weight = link.weight;
    if (!link.reason.empty()) record.reason = link.reason;
    record.origin = link.near ? kNearLink : kUserLink;
    record.at = link.at.value_or(note.time.value_or(0));
    return record;
  }

  Status WriteUse(const PlacedNote& note) {
    const auto known = earlier_.uses.find(note.path);
    const int64_t before = known == earlier_.uses.end() ? 0 : known->second;
    if (note.uses->count <= before) return Status::Ok();
    UseRow row;
    row.at = note.uses->last;
    row.how = kImportedUse;
    row.store = log_name_;
    row.count = note.uses->count - before;
    if (!request_.dry_run) {
      RECALL_ASSIGN(const bool is_new, batch_->PutUse(note.path, std::move(row)));
      if (!is_new) return Status::Ok();
    }
    ++counted_.uses;
    changed_ = true;
    return Status::Ok();
  }

  Status WriteReview(const PlacedNote& note) {
    if (earlier_.reviews.contains({note.path, note.review->at})) return Status::Ok();
    ReviewRow row;
    row.at = note.review->at;
    row.store = log_name_;
    row.algorithm = note.review->algorithm;
    row.repetitions = note.review->repetitions;
    row.interval_days = note.review->interval_days;
    row.easiness = note.review->easiness;
    row.due = note.review->due;
    row.quality = note.review->quality;
    if (!request_.dry_run) RECALL_TRY(batch_->PutReview(note.path, std::move(row)));
    ++counted_.reviews;
    changed_ = true;
    return Status::Ok();
  }

  // ---- The transaction --------------------------------------------------------------------------

  const Snapshot& present() const { return request_.dry_run ? *reading_ : batch_->view(); }

  Status Begin() {
    changed_ = false;
    if (!request_.dry_run) {
      RECALL_ASSIGN(batch_, store_.BeginBatch());
    } else if (!reading_) {
      RECALL_ASSIGN(reading_, store_.BeginRead());
    }
    return Status::Ok();
  }

  Status Commit() {
    if (changed_ && !request_.dry_run) RECALL_TRY(batch_->Commit());
    batch_.reset();
    committed_ = counted_;
    return Status::Ok();
  }

  const ImportProgram& program_;
  const ImportRequest& request_;
  const TransferDependencies& deps_;
  size_t threads_;
  TransferProgress progress_;
  std::string log_name_;
  LocalStore store_;
  EarlierImports earlier_;
  std::optional<ImportPlan> plan_;
  std::unique_ptr<const Snapshot> reading_;  // of a dry run
  std::unique_ptr<WriteBatch> batch_;        // of any other
  bool changed_ = false;                     // in this batch
  ImportReport counted_;
  ImportReport committed_;
};

}  // namespace

Result<ImportReport> ImportForeignMemory(const ImportProgram& program, const ImportRequest& request,
                                         const TransferDependencies& deps, size_t threads,
                                         const AddProgressFn& progress) {
  if (request.path != "-" && IsFileOfStore(request.path, deps.store->path())) {
    return Fail(Status::InvalidArgument(request.path + " is the store itself",
                                        "specify the memory of the other program"));
  }
  return ForeignImporter(program, request, deps, threads, progress).Run();
}

}  // namespace recall
