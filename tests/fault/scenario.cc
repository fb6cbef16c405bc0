#include "tests/fault/scenario.h"

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "index/write/derived/forward_index_builder.h"
#include "index/write/derived/posting_list_builder.h"
#include "storage/store/store.h"
#include "tests/fault/fault_vfs.h"
#include "tests/fault/note_scenarios.h"
#include "tests/fault/plain_sql.h"
#include "tests/fault/random_words.h"
#include "tests/fault/store_check.h"
#include "tests/query/compat/recall01/old_store.h"
#include "tests/storage/schema/version1.h"

namespace recall {
namespace {

constexpr uint32_t kSegmentVectors = 16;

void WriteFile(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// Writes files docs/<name>0.md .., each with metadata. About six words make a chunk.
void WriteDocs(const ScenarioPlace& place, const std::string& name, int count, size_t words,
               uint64_t seed) {
  for (int i = 0; i < count; ++i) {
    const std::string text = "---\nauthor: a" + std::to_string(i) + "\n---\n# Part " +
                             std::to_string(i) + "\n\n" +
                             RandomWords(seed + static_cast<uint64_t>(i), words);
    WriteFile(place.directory + "/docs/" + name + std::to_string(i) + ".md", text);
  }
}

Status Create(const ScenarioPlace& place, const char* embedder = "lsa") {
  CreateOptions options;
  options.embedder = embedder;
  options.dim = 8;
  options.chunk_tokens = 8;
  options.overlap_tokens = 2;
  return internal::ToStatus(Database::Create(place.store(), options));
}

Status AddAll(const ScenarioPlace& place, std::optional<std::string> tag = std::nullopt) {
  RECALL_ASSIGN(const auto database, Database::Open(place.store(), ScenarioOptions()));
  AddRequest request;
  request.paths = {place.directory + "/docs"};
  request.extract_meta = true;
  request.threads = 1;
  request.tag = std::move(tag);
  RECALL_ASSIGN(const AddReport report, database->Add(request));
  if (report.failed > 0) return Status::IoError(report.warnings.at(0));
  return Status::Ok();
}

Status Remove(const ScenarioPlace& place, const std::string& target, bool purge) {
  RECALL_ASSIGN(const auto database, Database::Open(place.store(), ScenarioOptions()));
  RemoveRequest request;
  request.targets = {target};
  request.purge = purge;
  return internal::ToStatus(database->Remove(request));
}

// Two documents, whose vectors are in the delta.
Status PrepareWith(const ScenarioPlace& place, const char* embedder) {
  RECALL_TRY(Create(place, embedder));
  WriteDocs(place, "base", 2, 20, 1);
  return AddAll(place);
}

Status PrepareSmall(const ScenarioPlace& place) { return PrepareWith(place, "lsa"); }

// `segments` segments, one for each commit, then a document in the delta.
Status PrepareSegments(const ScenarioPlace& place, int segments, const char* embedder = "lsa") {
  RECALL_TRY(PrepareWith(place, embedder));
  for (int i = 0; i < segments; ++i) {
    WriteDocs(place, "s" + std::to_string(i) + "-", 1, 150, 100 + static_cast<uint64_t>(i));
    RECALL_TRY(AddAll(place));
  }
  WriteDocs(place, "last", 1, 20, 3);
  return AddAll(place);
}

Status PrepareSoMany(const ScenarioPlace& place) { return PrepareSegments(place, 3); }

// Small enough limits for more than one batch.
const PostingListOptions kReadyLists = {
    .chunks_from = 1, .chunks_per_posting = 8, .batch_bytes = 300, .always = true};

Status MakeListsReady(const ScenarioPlace& place) {
  RECALL_ASSIGN(const auto store, Store::Open(place.store(), {.busy_timeout_ms = 0}));
  const std::atomic<bool> go_on = false;
  RECALL_TRY(BuildForwardIndexIfDue(*store, go_on, {.chunks_from = 1, .always = true}));
  return BuildPostingListsIfDue(*store, go_on, kReadyLists);
}

Status ToVersion1(const ScenarioPlace& place) {
  RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(place.store()));
  return sql.Run(kToVersion1);
}

Status ExportTo(const ScenarioPlace& place, const std::string& out) {
  RECALL_ASSIGN(const auto database, Database::Open(place.store(), {.read_only = true}));
  ExportRequest request;
  request.out_path = out;
  return internal::ToStatus(database->Export(request));
}

// Commits a document and exits, with the commit in the WAL only: a reader of the previous commit
// prevents a checkpoint.
Status DieWithWal(const ScenarioPlace& place) {
  WriteDocs(place, "crash", 1, 20, 21);
  RECALL_ASSIGN(const auto store, Store::Open(place.store(), {.read_only = true}));
  RECALL_ASSIGN(const auto reader, store->BeginRead());
  RECALL_ASSIGN(const auto database, Database::Open(place.store(), ScenarioOptions()));
  AddRequest request;
  request.paths = {place.directory + "/docs/crash0.md"};
  request.extract_meta = true;
  RECALL_TRY(internal::ToStatus(database->Add(request)));
  ::_exit(0);
}

// Exits before the rollback journal is deleted; deleting it would complete the commit.
Status DieWithJournal(const ScenarioPlace& place) {
  WriteDocs(place, "crash", 1, 20, 21);
  ArmFault({.kind = FaultKind::kPower, .nth = -1, .survivors = Survivors::kAll});
  RECALL_TRY(AddAll(place));
  return Status::Internal("there was no journal to delete");
}

// ---- The scenarios ------------------------------------------------------------------------------

Scenario Writes(const std::string& name, std::function<Status(const ScenarioPlace&)> prepare,
                std::function<Status(const ScenarioPlace&)> run) {
  Scenario scenario;
  scenario.name = name;
  scenario.prepare = std::move(prepare);
  scenario.run = std::move(run);
  return scenario;
}

Scenario AddSome() {
  return Writes(
      "add",
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareSmall(place));
        WriteDocs(place, "more", 2, 20, 7);
        return Status::Ok();
      },
      [](const ScenarioPlace& place) -> Status { return AddAll(place); });
}

Scenario Edit() {
  return Writes(
      "edit",
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareSoMany(place));
        WriteDocs(place, "base", 2, 30, 8);
        WriteDocs(place, "s1-", 1, 12, 9);
        return Status::Ok();
      },
      [](const ScenarioPlace& place) -> Status { return AddAll(place); });
}

Scenario Retag() {
  return Writes("retag", PrepareSmall,
                [](const ScenarioPlace& place) -> Status { return AddAll(place, "new"); });
}

Scenario RemoveOne() {
  return Writes("rm", PrepareSoMany, [](const ScenarioPlace& place) -> Status {
    return Remove(place, "docs/s1-0.md", false);
  });
}

using Between = std::function<void()>;

// Removes `target`, if there is one, and purges it; drops all snapshots and compacts.
Status CompactInSteps(const ScenarioPlace& place, const std::string& target,
                      const Between& between) {
  if (!target.empty()) {
    RECALL_TRY(Remove(place, target, false));
    if (between) between();
  }
  RECALL_ASSIGN(const auto database, Database::Open(place.store(), ScenarioOptions()));
  CompactRequest request;
  request.keep_nanos = 0;
  request.forget = !target.empty();
  return internal::ToStatus(database->Compact(request, [&](const CompactProgress& step) {
    // Other derived data is also reported within its transactions.
    if (between && (!step.derived || step.derived->stage == DerivedDataStage::kChunkWords))
      between();
  }));
}

// Removed documents in the delta, in a segment of their own and in a shared one, and posting lists
// and a forward index that contain them.
Status PreparePurge(const ScenarioPlace& place) {
  RECALL_TRY(PrepareSoMany(place));
  RECALL_TRY(MakeListsReady(place));
  WriteDocs(place, "s2-", 1, 100, 31);
  RECALL_TRY(AddAll(place));
  RECALL_TRY(Remove(place, "docs/s0-0.md", false));
  return Remove(place, "docs/base0.md", false);
}

Scenario Purge() {
  const std::string target = "docs/s1-0.md";
  Scenario scenario = Writes("purge", PreparePurge, [=](const ScenarioPlace& place) -> Status {
    return Remove(place, target, true);
  });
  scenario.steps = [=](const ScenarioPlace& place, const Between& between) {
    return CompactInSteps(place, target, between);
  };
  scenario.changes = 2;  // the removal, and the model trained without the removed document
  scenario.keeps_history = false;
  return scenario;
}

// The same for a note with links, uses and reviews.
Scenario PurgeNote() {
  const std::string target = "notes/a.md";
  Scenario scenario = Writes("purge_note", PrepareNotes, [=](const ScenarioPlace& place) -> Status {
    return Remove(place, target, true);
  });
  scenario.steps = [=](const ScenarioPlace& place, const Between& between) {
    return CompactInSteps(place, target, between);
  };
  scenario.changes = 3;  // the removal, what was recorded of the path, and the words of the text
  scenario.keeps_history = false;
  return scenario;
}

Scenario Compact() {
  Scenario scenario = Writes("compact", PreparePurge, [](const ScenarioPlace& place) -> Status {
    return CompactInSteps(place, "", {});
  });
  scenario.steps = [](const ScenarioPlace& place, const Between& between) {
    return CompactInSteps(place, "", between);
  };
  scenario.keeps_history = false;
  return scenario;
}

Scenario MakeReady() {
  Scenario scenario = Writes("make_ready", PrepareSoMany, MakeListsReady);
  scenario.steps = [](const ScenarioPlace& place, const Between& between) -> Status {
    RECALL_ASSIGN(const auto store, Store::Open(place.store(), {.busy_timeout_ms = 0}));
    const std::atomic<bool> go_on = false;
    RECALL_TRY(BuildForwardIndexIfDue(*store, go_on, {.chunks_from = 1, .always = true}));
    if (between) between();
    PostingListBuilder maker(store.get(), kReadyLists);
    RECALL_ASSIGN(bool more, maker.Begin());
    while (more) {
      if (between) between();
      RECALL_ASSIGN(more, maker.WriteNext());
    }
    return Status::Ok();
  };
  return scenario;
}

Scenario Flush() {
  return Writes(
      "flush",
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareSmall(place));
        WriteDocs(place, "more", 1, 100, 7);
        return Status::Ok();
      },
      [](const ScenarioPlace& place) -> Status { return AddAll(place); });
}

Scenario Merge() {
  return Writes(
      "merge",
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareSegments(place, 4));
        WriteDocs(place, "more", 1, 150, 7);
        return Status::Ok();
      },
      [](const ScenarioPlace& place) -> Status { return AddAll(place); });
}

Scenario Import() {
  return Writes(
      "import",
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareSmall(place));
        WriteDocs(place, "other", 3, 40, 11);
        const ScenarioPlace other{place.directory + "/other"};
        std::filesystem::create_directories(other.directory);
        RECALL_TRY(Create(other));
        std::filesystem::rename(place.directory + "/docs", other.directory + "/docs");
        RECALL_TRY(AddAll(other));
        return ExportTo(other, place.directory + "/other.jsonl");
      },
      [](const ScenarioPlace& place) -> Status {
        RECALL_ASSIGN(const auto database, Database::Open(place.store(), ScenarioOptions()));
        ImportRequest request;
        request.path = place.directory + "/other.jsonl";
        return internal::ToStatus(database->Import(request));
      });
}

Scenario MigrateSchema() {
  Scenario scenario = Writes(
      "migrate_schema",
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareSegments(place, 1, "hash"));  // version 1 had no other embedder
        return ToVersion1(place);
      },
      [](const ScenarioPlace& place) -> Status {
        return internal::ToStatus(Database::Open(place.store(), ScenarioOptions()));
      });
  scenario.keeps_history = false;  // the history begins with the migration
  return scenario;
}

Scenario MigrateRecall01() {
  Scenario scenario = Writes(
      "migrate_published",
      [](const ScenarioPlace& place) -> Status {
        OldStore old(place.store(), Generation::kB);
        for (const uint64_t seed : {41, 42, 43}) {
          const std::string name = "old" + std::to_string(seed) + ".txt";
          old.Put(MakeOldDocument(name, RandomWords(seed, 60), 20, 5), seed == 43);
        }
        return Status::Ok();
      },
      [](const ScenarioPlace& place) -> Status {
        MigrateRequest request;
        request.from = request.to = place.store();
        request.keep = place.store() + ".old";
        const Status status = internal::ToStatus(Database::Migrate(request));
        const bool done = status.code() == StatusCode::kAlreadyExists &&
                          internal::ToStatus(Database::Open(place.store())).ok();
        return done ? Status::Ok() : status;
      });
  scenario.keeps_history = false;
  return scenario;
}

Scenario CreateStore() {
  Scenario scenario = Writes(
      "create", [](const ScenarioPlace&) -> Status { return Status::Ok(); },
      [](const ScenarioPlace& place) -> Status {
        const Status status = Create(place);
        return status.code() == StatusCode::kAlreadyExists ? Status::Ok() : status;
      });
  scenario.keeps_history = false;
  return scenario;
}

Scenario WriteAfterCrash() {
  Scenario scenario = AddSome();
  scenario.name = "add_after_crash";
  scenario.crashes = true;
  return scenario;
}

Scenario ReadAfterCrash() {
  Scenario scenario;
  scenario.name = "read_after_crash";
  scenario.prepare = PrepareSoMany;
  scenario.crashes = true;
  scenario.read = [](const ScenarioPlace& place) { return DescribeStore(place.store()); };
  return scenario;
}

}  // namespace

OpenOptions ScenarioOptions() {
  OpenOptions options;
  options.busy_timeout_ms = 0;
  options.flush_vectors = kSegmentVectors;
  return options;
}

Status DieCommitting(const ScenarioPlace& place) {
  std::string journal;
  {
    RECALL_ASSIGN(PlainSql sql, PlainSql::Open(place.store()));
    RECALL_ASSIGN(journal, sql.Value("PRAGMA journal_mode"));
  }
  return journal == "wal" ? DieWithWal(place) : DieWithJournal(place);
}

std::vector<Scenario> AllScenarios() {
  std::vector<Scenario> all = {AddSome(),        Edit(),
                               Retag(),          RemoveOne(),
                               Purge(),          Flush(),
                               Merge(),          Compact(),
                               MakeReady(),      Import(),
                               MigrateSchema(),  MigrateRecall01(),
                               CreateStore(),    WriteAfterCrash(),
                               ReadAfterCrash(), PurgeNote()};
  for (Scenario& scenario : NoteScenarios()) all.push_back(std::move(scenario));
  return all;
}

}  // namespace recall
