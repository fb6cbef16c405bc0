#include "tests/fault/note_scenarios.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "storage/notes/note_card.h"
#include "tests/fault/plain_sql.h"
#include "tests/query/compat/memories/foreign_fixtures.h"
#include "tests/storage/schema/version1.h"

namespace recall {
namespace {

constexpr UnixNanos kDay = kNanosPerDay;
constexpr UnixNanos kStart = 20'000 * kDay;

Result<std::unique_ptr<Database>> OpenStore(const ScenarioPlace& place) {
  return Database::Open(place.store(), ScenarioOptions());
}

Status CreateForNotes(const ScenarioPlace& place) {
  std::filesystem::create_directories(place.directory);
  CreateOptions options;
  options.embedder = "hash";
  options.dim = 8;
  options.chunk_tokens = 8;
  options.overlap_tokens = 2;
  return internal::ToStatus(Database::Create(place.store(), options));
}

SaveRequest NoteOf(const std::string& id, UnixNanos at) {
  SaveRequest save;
  save.id = id;
  save.replace = true;  // so that the same request can be made again
  save.note.type = "lesson";
  save.note.title = "Note " + id;
  save.note.text = "alpha beta gamma " + id + " memory vector delta epsilon zeta\n\nSee [[b]].";
  save.note.recall_when = {"gamma " + id};
  save.at = at;
  return save;
}

Status Save(const ScenarioPlace& place, const SaveRequest& request) {
  RECALL_ASSIGN(const auto database, OpenStore(place));
  return internal::ToStatus(database->Save(request));
}

// The number of recorded uses and reviews of a note.
Result<std::string> CountOf(Database& database, const std::string& field, const std::string& path) {
  QueryRequest request;
  request.rql = "SELECT " + field + " FROM doc FILTER doc.path = '" + path + "'";
  RECALL_ASSIGN(const QueryResponse found, database.Query(request));
  if (found.rows.size() != 1) return Fail(Status::Internal("there is no " + path));
  return found.rows[0].doc.computed.at(0).json;
}

// Uses and reviews are recorded each time they are asked for. A scenario must be repeatable, so it
// looks whether the first run has succeeded.
Status UseOnce(const ScenarioPlace& place) {
  RECALL_ASSIGN(const auto database, OpenStore(place));
  RECALL_ASSIGN(const std::string uses, CountOf(*database, "doc.uses", "notes/c.md"));
  if (uses != "0") return Status::Ok();
  UseRequest use{.targets = {"c"}, .at = kStart + 9 * kDay};
  return internal::ToStatus(database->Use(use));
}

Status ReviewOnce(const ScenarioPlace& place) {
  RECALL_ASSIGN(const auto database, OpenStore(place));
  RECALL_ASSIGN(const std::string reviews, CountOf(*database, "doc.reviews", "notes/c.md"));
  if (reviews != "0") return Status::Ok();
  ReviewRequest review{.target = "c", .quality = 4, .at = kStart + 9 * kDay};
  return internal::ToStatus(database->Review(review));
}

Scenario NoteScenario(const std::string& name, std::function<Status(const ScenarioPlace&)> run,
                      std::function<Status(const ScenarioPlace&)> prepare = PrepareNotes) {
  Scenario scenario;
  scenario.name = name;
  scenario.prepare = std::move(prepare);
  scenario.run = std::move(run);
  return scenario;
}

Scenario SaveSuperseding() {
  return NoteScenario("save_supersedes", [](const ScenarioPlace& place) -> Status {
    SaveRequest save = NoteOf("new", kStart + 9 * kDay);
    save.links = {{"supports", "b"}};
    save.supersedes = "a";
    return Save(place, save);
  });
}

Scenario LinkTwo() {
  return NoteScenario("link", [](const ScenarioPlace& place) -> Status {
    RECALL_ASSIGN(const auto database, OpenStore(place));
    LinkRequest link{.source = "c", .target = "docs/file.md", .at = kStart + 9 * kDay};
    link.weight = 0.5;
    link.reason = "because";
    return internal::ToStatus(database->Link(link));
  });
}

Scenario LinkNear() {
  return NoteScenario("link_near", [](const ScenarioPlace& place) -> Status {
    RECALL_ASSIGN(const auto database, OpenStore(place));
    return internal::ToStatus(database->LinkNear({.least = 0.1, .at = kStart + 9 * kDay}));
  });
}

Scenario Unlink() {
  return NoteScenario("unlink", [](const ScenarioPlace& place) -> Status {
    RECALL_ASSIGN(const auto database, OpenStore(place));
    return internal::ToStatus(database->Unlink({.source = "a", .target = "c"}));
  });
}

Scenario Retire() {
  return NoteScenario("retire", [](const ScenarioPlace& place) -> Status {
    RECALL_ASSIGN(const auto database, OpenStore(place));
    return internal::ToStatus(
        database->Retire({.target = "a", .by = "b", .at = kStart + 9 * kDay}));
  });
}

std::string WholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A note that has a file, which is changed with it.
Scenario RetireFile() {
  return NoteScenario(
      "retire_file",
      [](const ScenarioPlace& place) -> Status {
        RECALL_ASSIGN(const auto database, OpenStore(place));
        RECALL_TRY(internal::ToStatus(
            database->Retire({.target = "vault/n.md", .at = kStart + 9 * kDay})));
        RECALL_ASSIGN(const GetResponse stored, database->Get({.target = "vault/n.md"}));
        const bool same = WholeFile(place.directory + "/vault/n.md") == stored.chunk.text;
        return same ? Status::Ok() : Status::Internal("the file is not what the store has");
      },
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareNotes(place));
        std::filesystem::create_directories(place.directory + "/vault");
        WriteTextFile(place.directory + "/vault/n.md", "---\ntitle: N\n---\nalpha beta\n");
        RECALL_ASSIGN(const auto database, OpenStore(place));
        AddRequest add;
        add.paths = {place.directory + "/vault"};
        add.parser = Parser::kNote;
        return internal::ToStatus(database->Add(add));
      });
}

// A store that knows the same notes, and recorded something else of them.
Status PrepareOther(const ScenarioPlace& place) {
  RECALL_TRY(PrepareNotes(place));
  const ScenarioPlace other{place.directory + "/other"};
  RECALL_TRY(PrepareNotes(other));
  RECALL_TRY(UseOnce(other));
  RECALL_TRY(ReviewOnce(other));
  RECALL_TRY(Save(other, NoteOf("d", kStart + 3 * kDay)));
  RECALL_ASSIGN(const auto database, OpenStore(other));
  LinkRequest link{.source = "d", .target = "a", .relation = "supports", .at = kStart + 4 * kDay};
  return internal::ToStatus(database->Link(link));
}

Scenario MergeRecords() {
  return NoteScenario(
      "merge_notes",
      [](const ScenarioPlace& place) -> Status {
        RECALL_ASSIGN(const auto database, OpenStore(place));
        MergeRequest request;
        request.paths = {place.directory + "/other/recall.db"};
        return internal::ToStatus(database->Merge(request));
      },
      PrepareOther);
}

Scenario ImportWarnings() {
  return NoteScenario(
      "import_notes",
      [](const ScenarioPlace& place) -> Status {
        RECALL_ASSIGN(const auto database, OpenStore(place));
        ImportRequest request;
        request.path = place.directory + "/other.jsonl";
        return internal::ToStatus(database->Import(request));
      },
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareOther(place));
        RECALL_ASSIGN(const auto database, OpenStore({place.directory + "/other"}));
        ExportRequest request;
        request.out_path = place.directory + "/other.jsonl";
        return internal::ToStatus(database->Export(request));
      });
}

Scenario ImportFrom(const std::string& name, const std::string& program, const std::string& from,
                    void (*write)(const std::string& path)) {
  return NoteScenario(
      "import_from_" + name,
      [=](const ScenarioPlace& place) -> Status {
        RECALL_ASSIGN(const auto database, OpenStore(place));
        ImportRequest request;
        request.program = program;
        request.path = place.directory + "/" + from;
        return internal::ToStatus(database->Import(request));
      },
      [=](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareNotes(place));
        write(place.directory + "/" + from);
        return Status::Ok();
      });
}

void WriteMemoryGraph(const std::string& path) { WriteTextFile(path, kMemoryGraph); }

Scenario RepairDrift() {
  Scenario scenario = NoteScenario(
      "repair_notes",
      [](const ScenarioPlace& place) -> Status {
        DoctorRequest request;
        request.path = place.store();
        request.fix = true;
        request.keep_copy = false;
        request.busy_timeout_ms = 0;
        request.threads = 1;
        RECALL_ASSIGN(const DoctorReport report, Database::Doctor(request));
        // What cannot be read is a finding.
        return report.errors == 0 ? Status::Ok() : Status::IoError(report.findings.at(0).code);
      },
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(PrepareNotes(place));
        RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(place.store()));
        return sql.Run(
            "UPDATE activity SET uses = uses + 5; UPDATE card SET status = 'x', obsolete = 1; "
            "DELETE FROM card WHERE name = (SELECT max(name) FROM card)");
      });
  scenario.repairs = true;
  scenario.keeps_history = false;
  return scenario;
}

Scenario MigrateFrom12() {
  Scenario scenario = NoteScenario(
      "migrate_12",
      [](const ScenarioPlace& place) -> Status { return internal::ToStatus(OpenStore(place)); },
      [](const ScenarioPlace& place) -> Status {
        RECALL_TRY(CreateForNotes(place));
        std::filesystem::create_directories(place.directory + "/docs");
        WriteTextFile(place.directory + "/docs/file.md", "# File\n\nalpha beta gamma delta\n");
        {
          RECALL_ASSIGN(const auto database, OpenStore(place));
          AddRequest add;
          add.paths = {place.directory + "/docs"};
          RECALL_TRY(internal::ToStatus(database->Add(add)));
        }
        RECALL_ASSIGN(PlainSql sql, PlainSql::OpenSealing(place.store()));
        return sql.Run(kToVersion12);
      });
  scenario.keeps_history = false;  // it is described with another format
  return scenario;
}

}  // namespace

Status PrepareNotes(const ScenarioPlace& place) {
  RECALL_TRY(CreateForNotes(place));
  std::filesystem::create_directories(place.directory + "/docs");
  WriteTextFile(place.directory + "/docs/file.md", "# File\n\nalpha beta gamma delta\n");
  RECALL_ASSIGN(const auto database, OpenStore(place));
  AddRequest add;
  add.paths = {place.directory + "/docs"};
  RECALL_TRY(internal::ToStatus(database->Add(add)));
  for (const char* id : {"a", "b", "c"}) {
    RECALL_TRY(internal::ToStatus(database->Save(NoteOf(id, kStart))));
  }
  LinkRequest link{.source = "a", .target = "c", .relation = "supports", .at = kStart + kDay};
  RECALL_TRY(internal::ToStatus(database->Link(link)));
  RECALL_TRY(internal::ToStatus(
      database->Use({.targets = {"a", "docs/file.md"}, .at = kStart + 2 * kDay})));
  return internal::ToStatus(
      database->Review({.target = "b", .quality = 5, .at = kStart + 2 * kDay}));
}

std::vector<Scenario> NoteScenarios() {
  return {
      NoteScenario("save",
                   [](const ScenarioPlace& place) { return Save(place, NoteOf("new", kStart)); }),
      NoteScenario("save_replace",
                   [](const ScenarioPlace& place) {
                     SaveRequest save = NoteOf("a", kStart + 9 * kDay);
                     save.note.text = "kappa lambda [[c]]";
                     return Save(place, save);
                   }),
      SaveSuperseding(),
      LinkTwo(),
      LinkNear(),
      Unlink(),
      NoteScenario("use", UseOnce),
      NoteScenario("review", ReviewOnce),
      Retire(),
      RetireFile(),
      MergeRecords(),
      ImportWarnings(),
      ImportFrom("rekall", "rekall", "rekall.db", WriteRekallDatabase),
      ImportFrom("bastra", "bastra", "vault", WriteBastraVault),
      ImportFrom("memory", "memory", "memory.jsonl", WriteMemoryGraph),
      ImportFrom("basic_memory", "basic-memory", "project", WriteBasicMemory),
      RepairDrift(),
      MigrateFrom12(),
  };
}

}  // namespace recall
