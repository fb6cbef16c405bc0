// What the readers make of memories in the layouts that the programs publish, and of hostile ones.

#include "query/compat/memories/readers.h"

#include <nlohmann/json.hpp>
#include <random>

#include "index/write/ingest/text_file.h"
#include "tests/query/compat/memories/foreign_fixtures.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Strings = std::vector<std::string>;

class ReadersTest : public ::testing::Test {
 protected:
  using Reader = Result<ForeignMemory> (*)(const std::string&, const ForeignOptions&);

  ForeignMemory Read(Reader reader, const std::string& name) {
    auto memory = reader(dir_ / name, Options());
    EXPECT_TRUE(memory.has_value()) << memory.error().ToString();
    return memory ? *std::move(memory) : ForeignMemory();
  }

  ForeignMemory ReadText(Reader reader, std::string_view text) {
    WriteTextFile(dir_ / "text", text);
    return Read(reader, "text");
  }

  // The error of a text that is not in the format.
  Status Refusal(Reader reader, std::string_view text) {
    WriteTextFile(dir_ / "text", text);
    auto memory = reader(dir_ / "text", Options());
    EXPECT_FALSE(memory.has_value()) << text.substr(0, 200);
    return memory ? Status() : memory.error();
  }

  static ForeignOptions Options() {
    ForeignOptions options;
    options.cancel = &kNotCancelled;
    return options;
  }

  static const ForeignNote& Note(const ForeignMemory& memory, const std::string& id) {
    for (const ForeignNote& note : memory.notes) {
      if (note.id == id) return note;
    }
    ADD_FAILURE() << "no note " << id;
    static const ForeignNote none;
    return none;
  }

  // The card of a note, as a store reads it.
  static nlohmann::json Card(const ForeignNote& note) {
    const auto metadata = ExtractMetadata(PrintNote(note.draft));
    EXPECT_EQ(metadata.shortfall, "");
    return nlohmann::json::parse(metadata.object.value_or("{}"));
  }

  TempDir dir_;
};

UnixNanos Time(const char* text) { return ParseForeignTime(text).value(); }

// ---- Rekall -------------------------------------------------------------------------------------

TEST_F(ReadersTest, RekallDatabase) {
  WriteRekallDatabase(dir_ / "rekall.db");
  const std::string before = ReadWhole(dir_ / "rekall.db");
  const ForeignMemory memory = Read(ReadRekall, "");
  EXPECT_EQ(ReadWhole(dir_ / "rekall.db"), before);
  ASSERT_EQ(memory.notes.size(), 5u);
  EXPECT_TRUE(memory.faults.empty());

  const ForeignNote& cors = Note(memory, "01A");
  EXPECT_EQ(cors.path, "notes/cors-safari.md");
  EXPECT_EQ(cors.draft.type, "bug");
  EXPECT_EQ(cors.draft.tags, (Strings{"web", "cors"}));
  EXPECT_EQ(cors.draft.recall_when, (Strings{"cors", "safari"}));
  EXPECT_EQ(cors.draft.confidence, 0.4);
  EXPECT_EQ(cors.draft.memory, "episodic");
  EXPECT_EQ(cors.draft.created, Time("2025-12-01T10:00:00.5"));
  EXPECT_EQ(cors.draft.text, "Safari sends no preflight.\n\n## Conversation\n\nuser: it fails");
  ASSERT_TRUE(cors.draft.context.has_value());
  EXPECT_EQ(cors.draft.context->situation, "CORS fails in Safari");
  EXPECT_EQ(cors.draft.context->error_messages, Strings{"blocked by CORS"});
  EXPECT_EQ(cors.draft.context->files, Strings{"a.ts"});
  EXPECT_EQ(Card(cors)["rekall_id"], "01A");
  EXPECT_EQ(Card(cors)["context_time_of_day"], "morning");
  EXPECT_EQ(cors.uses, (ForeignUse{10, Time("2025-12-05T08:00:00")}));
  EXPECT_EQ(cors.review,
            (ForeignReview{"rekall", 2, 13, 260, Time("2026-01-15"), Time("2026-01-02")}));
  ASSERT_EQ(cors.links.size(), 1u);
  EXPECT_EQ(cors.links[0].target, "01B");
  EXPECT_EQ(cors.links[0].relation, "related");

  const ForeignNote& timeout = Note(memory, "01B");
  EXPECT_NE(timeout.draft.text.find("We saw it on Monday."), std::string::npos);
  EXPECT_EQ(timeout.uses, std::nullopt);
  EXPECT_EQ(timeout.review,
            (ForeignReview{"rekall", 0, 1, 130, Time("2026-01-02"), Time("2026-01-01")}));
  EXPECT_EQ(timeout.links[0].reason, "seen twice");
  EXPECT_EQ(timeout.links[0].at, Time("2025-12-03"));

  const ForeignNote& retry = Note(memory, "01C");
  EXPECT_EQ(retry.review, std::nullopt);
  EXPECT_EQ(Card(retry)["sources"][0]["source_ref"], "https://example.org/retry");

  const ForeignNote& jwt = Note(memory, "01D");
  EXPECT_EQ(jwt.draft.status, "obsolete");
  EXPECT_EQ(jwt.draft.superseded_by, "01C");
  EXPECT_EQ(jwt.draft.scope, "shop");
  EXPECT_EQ(jwt.draft.confidence, 1.0);
  EXPECT_EQ(jwt.draft.memory, "semantic");

  EXPECT_EQ(memory.dropped.at("vectors (computed here)"), 1);
  EXPECT_EQ(memory.dropped.at("rows of table suggestions"), 1);
  EXPECT_EQ(memory.kept.at("sources"), 1);
}

TEST_F(ReadersTest, RekallExport) {
  const ForeignMemory memory = ReadText(ReadRekall, kRekallExport);
  ASSERT_EQ(memory.notes.size(), 1u);
  EXPECT_EQ(memory.notes[0].draft.title, "CORS Safari");
  EXPECT_EQ(memory.notes[0].draft.tags, (Strings{"web", "cors"}));
  EXPECT_EQ(memory.notes[0].uses, (ForeignUse{10, Time("2025-12-05T08:00:00")}));
  EXPECT_EQ(memory.notes[0].place.number, 2);
  EXPECT_TRUE(memory.kept.empty());
}

TEST_F(ReadersTest, RekallExportAsAnObjectWithLinks) {
  const ForeignMemory memory =
      ReadText(ReadRekall,
               R"({"version": 1, "entries": [{"id": "a", "title": "A", "triggers": ["x", "y"]},
        {"id": "b", "title": "B", "links": [{"target_id": "a", "relation_type": "supports"}]}],
        "links": [{"source_id": "a", "target_id": "b", "relation": "similar", "reason": "why"},
        {"source_id": "a", "target_id": "a", "relation": "related"},
        {"source_id": "gone", "target_id": "a", "relation": "related"}]})");
  ASSERT_EQ(memory.notes.size(), 2u);
  EXPECT_EQ(Note(memory, "a").draft.recall_when, (Strings{"x", "y"}));
  EXPECT_EQ(Note(memory, "a").links[0].relation, "similar");
  EXPECT_EQ(Note(memory, "b").links[0].relation, "supports");
  EXPECT_EQ(memory.dropped.at(kLinksToItself), 1);
  EXPECT_EQ(memory.dropped.at("links of entries that are not there"), 1);
  EXPECT_EQ(memory.dropped.at("member \"version\""), 1);
}

TEST_F(ReadersTest, RekallErrorsHaveFileAndLine) {
  const auto expect = [&](std::string_view text, int64_t line) {
    const Status error = Refusal(ReadRekall, text);
    EXPECT_TRUE(error.message().starts_with(dir_ / "text")) << error.ToString();
    ASSERT_NE(error.position(), nullptr) << error.ToString();
    EXPECT_EQ(error.position()->line, line) << error.ToString();
  };
  expect("[\n{\"id\": \"a\"},\n{\"id\": }\n]", 3);
  expect("[\n{\"id\": \"a\"}\n", 3);
  expect("[\n3]", 2);
  expect("[{}]", 1);
  EXPECT_EQ(Refusal(ReadRekall, "PK\3\4").code(), StatusCode::kUnsupported);
  EXPECT_EQ(ReadRekall(dir_ / "none", Options()).error().code(), StatusCode::kNotFound);
}

TEST_F(ReadersTest, RekallRefusesADatabaseInUse) {
  WriteRekallDatabase(dir_ / "rekall.db");
  WriteTextFile(dir_ / "rekall.db-journal", "x");
  EXPECT_EQ(ReadRekall(dir_ / "rekall.db", Options()).error().code(), StatusCode::kBusy);
}

TEST_F(ReadersTest, RekallReadsNoViewsAndNoDamagedFiles) {
  {
    RekallDatabase database(dir_ / "view.db");
    database.Run("DROP TABLE entries");
    database.Run("CREATE VIEW entries AS SELECT 1 AS id, 'x' AS title");
  }
  EXPECT_EQ(ReadRekall(dir_ / "view.db", Options()).error().code(), StatusCode::kInvalidArgument);
  WriteRekallDatabase(dir_ / "whole.db");
  const std::string whole = ReadWhole(dir_ / "whole.db");
  std::mt19937_64 random(TestSeed(3));
  for (int i = 0; i < 150; ++i) {
    std::string damaged = whole;
    for (int j = 0; j < 20; ++j) damaged[random() % damaged.size()] = static_cast<char>(random());
    damaged.resize(damaged.size() - random() % 3 * 4096);
    WriteTextFile(dir_ / "damaged.db", damaged);
    ReadRekall(dir_ / "damaged.db", Options());  // an error or some notes, and no crash
  }
}

TEST_F(ReadersTest, RekallRepairsTexts) {
  {
    RekallDatabase database(dir_ / "bytes.db");
    database.Entry("01A", "bug", "Title", "x");
    database.Run("UPDATE entries SET content = CAST(x'61FF62' AS TEXT)");
    database.Blob("01A", "context_blob", "no zlib");
  }
  const ForeignMemory memory = Read(ReadRekall, "bytes.db");
  EXPECT_EQ(memory.notes[0].draft.text,
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(memory.dropped.at(kRepairedTexts), 1);
  EXPECT_EQ(memory.dropped.at("contexts that could not be decompressed"), 1);
}

// ---- bastra-recall ------------------------------------------------------------------------------

TEST_F(ReadersTest, BastraVault) {
  WriteBastraVault(dir_ / "vault");
  const ForeignMemory memory = Read(ReadBastraVault, "vault");
  ASSERT_EQ(memory.notes.size(), 2u);
  const ForeignNote& focus = Note(memory, "css-input-focus");
  EXPECT_EQ(focus.path, "notes/css-input-focus.md");
  EXPECT_EQ(focus.draft.title, "Don't stack focus styles on inputs");
  EXPECT_EQ(focus.draft.topic_path, (Strings{"css", "input", "focus"}));
  EXPECT_EQ(focus.draft.recall_when,
            (Strings{"creating new input component", "writing input or form css"}));
  EXPECT_EQ(focus.draft.related, Strings{"css-effects"});
  EXPECT_EQ(focus.draft.confidence, 0.95);
  EXPECT_EQ(focus.draft.updated, Time("2026-05-01"));
  EXPECT_EQ(focus.draft.text, "Use one :focus-visible style. See [[css-effects]].");
  ASSERT_EQ(focus.links.size(), 1u);
  EXPECT_EQ(focus.links[0].target, "css-effects");
  EXPECT_EQ(focus.links[0].weight, 0.812);
  EXPECT_TRUE(focus.links[0].near);
  EXPECT_FALSE(Card(focus).contains("related_via"));
  EXPECT_FALSE(Card(focus).contains("id"));
  EXPECT_EQ(Card(focus)["salience"], 0.7);

  const ForeignNote& effects = Note(memory, "css-effects");
  EXPECT_EQ(effects.draft.valid_until, Time("2027-01-01"));
  ASSERT_EQ(effects.links.size(), 1u);
  EXPECT_EQ(effects.links[0].relation, "supersedes");
  EXPECT_EQ(effects.links[0].target, "old-effects");
  EXPECT_EQ(Card(effects)["replaces"], "old-effects");

  EXPECT_EQ(memory.dropped.at("files without a card"), 1);
  EXPECT_EQ(memory.dropped.at("comments in front matter"), 1);
  EXPECT_EQ(memory.kept.at("salience"), 1);
  ASSERT_EQ(memory.faults.size(), 1u);
  EXPECT_TRUE(memory.faults[0].file.ends_with("vault/templates/new.md"));
  EXPECT_EQ(memory.faults[0].line, 2);
}

TEST_F(ReadersTest, BastraIdsCannotLeaveTheFolderOfNotes) {
  WriteTextFile(dir_ / "vault/a.md", "---\nid: ../../etc/passwd\ntype: lesson\n---\nx\n");
  WriteTextFile(dir_ / "vault/b.md", "---\nid: Two Words\ntype: lesson\n---\nx\n");
  WriteTextFile(dir_ / "vault/c.md", "---\nid: two-words\ntype: lesson\n---\nx\n");
  const ForeignMemory memory = Read(ReadBastraVault, "vault");
  EXPECT_EQ(Note(memory, "../../etc/passwd").path, "notes/etc/passwd.md");
  EXPECT_EQ(Card(Note(memory, "../../etc/passwd"))["id"], "../../etc/passwd");
  // Two ids of one path are told apart by the card.
  EXPECT_EQ(Note(memory, "Two Words").path, Note(memory, "two-words").path);
  EXPECT_EQ(Note(memory, "Two Words").mark,
            (std::pair<std::string, std::string>{"id", "Two Words"}));
  EXPECT_EQ(Note(memory, "two-words").mark, std::nullopt);
}

TEST_F(ReadersTest, BastraVaultWithBadFiles) {
  WriteTextFile(dir_ / "vault/a.md", "---\nid: a\ntype: lesson\n---\nfirst\n");
  WriteTextFile(dir_ / "vault/b.md", "---\nid: a\ntype: lesson\n---\nsecond\n");
  WriteTextFile(dir_ / "vault/c.md", "---\nid: c\ntype: lesson\n---\n\xFF\n");
  WriteTextFile(dir_ / "vault/d.md",
                "---\nid: d\ntype: lesson\ntitle: \"" + std::string(70'000, 'x') + "\"\n---\n");
  WriteTextFile(dir_ / "vault/e.md",
                "---\nid: e\ntype: lesson\nx: " + std::string(100, '[') + "\n---\n");
  WriteTextFile(dir_ / "vault/f.md", "---\nid: f\ntype: lesson\ncreated: yesterday\n---\nx\n");
  const ForeignMemory memory = Read(ReadBastraVault, "vault");
  ASSERT_EQ(memory.notes.size(), 2u);
  EXPECT_EQ(Note(memory, "a").draft.text, "first");
  EXPECT_EQ(Card(Note(memory, "f"))["created"], "yesterday");
  ASSERT_EQ(memory.faults.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(memory.faults[i].file.ends_with(std::string{"bcde"[i]} + ".md"));
  }
}

// ---- The memory server --------------------------------------------------------------------------

TEST_F(ReadersTest, MemoryGraph) {
  const ForeignMemory memory = ReadText(ReadMemoryGraph, kMemoryGraph);
  ASSERT_EQ(memory.notes.size(), 2u);
  const ForeignNote& ada = Note(memory, "Ada Lovelace");
  EXPECT_EQ(ada.path, "notes/ada-lovelace.md");
  EXPECT_EQ(ada.draft.type, "person");
  EXPECT_EQ(ada.draft.title, "Ada Lovelace");
  EXPECT_EQ(ada.draft.text, "- wrote the first program\n- born in 1815\n  in London");
  ASSERT_EQ(ada.links.size(), 2u);
  EXPECT_EQ(ada.links[0].target, "Analytical Engine");
  EXPECT_EQ(ada.links[0].relation, "programmed_for");
  EXPECT_EQ(ada.links[0].reason, "programmed for");
  EXPECT_EQ(ada.links[1].relation, "knew");
  EXPECT_EQ(ada.links[1].reason, "");
  EXPECT_TRUE(memory.dropped.empty());
  EXPECT_TRUE(memory.kept.empty());
}

TEST_F(ReadersTest, MemoryGraphJoinsNamesAndCountsWhatItDrops) {
  const ForeignMemory memory =
      ReadText(ReadMemoryGraph,
               R"({"type":"relation","from":"B","to":"A","relationType":"likes","since":1}
{"type":"relation","from":"B","to":"A","relationType":"likes"}
{"type":"relation","from":"A","to":"A","relationType":"is"}
{"type":"relation","from":"C","to":"A","relationType":"likes"}
{"type":"entity","name":"A","entityType":"","observations":["x","y "],"color":"red"}
{"type":"entity","name":"B","entityType":"t","observations":["x\u0000"]}
{"type":"entity","name":"A","entityType":"t","observations":["y ","z"]})");
  ASSERT_EQ(memory.notes.size(), 2u);
  EXPECT_EQ(Note(memory, "A").draft.text, "- x\n- y \n- z");
  EXPECT_EQ(Note(memory, "A").draft.type, "entity");
  EXPECT_EQ(Card(Note(memory, "A"))["color"], "red");
  EXPECT_EQ(Note(memory, "B").draft.text, "- x\xEF\xBF\xBD");
  EXPECT_EQ(Note(memory, "B").links.size(), 1u);
  EXPECT_EQ(memory.dropped.at("other fields of relations"), 1);
  EXPECT_EQ(memory.dropped.at(kLinksToItself), 1);
  EXPECT_EQ(memory.dropped.at(kRepairedTexts), 1);
  EXPECT_EQ(memory.dropped.at("relations of names that are no entity"), 1);
  EXPECT_EQ(memory.dropped.at("entities with the name of another, whose observations were joined"),
            1);
}

TEST_F(ReadersTest, MemoryGraphKeepsObservationsThatNoListCanHold) {
  const ForeignMemory memory = ReadText(
      ReadMemoryGraph,
      R"({"type":"entity","name":"A","entityType":"t","observations":["ends with a line\n"," "]})");
  EXPECT_EQ(Card(memory.notes[0])["observations"], (nlohmann::json{"ends with a line\n", " "}));
}

TEST_F(ReadersTest, MemoryGraphErrorsHaveFileAndLine) {
  const std::string entity = R"({"type":"entity","name":"A","entityType":"t","observations":[]})";
  for (const std::string& bad :
       {std::string("{"), std::string("3"), std::string("{\"type\":\"x\"}"),
        std::string("{\"type\":\"entity\"}"), std::string("{\"type\":\"relation\",\"from\":\"A\"}"),
        std::string("{\"type\":\"entity\",\"name\":\"\xFF\"}"), std::string(100'000, '['),
        R"({"type":"entity","name":")" + std::string(70'000, 'x') + "\"}"}) {
    const Status error = Refusal(ReadMemoryGraph, entity + "\n" + bad + "\n");
    EXPECT_TRUE(error.message().starts_with(dir_ / "text")) << error.ToString();
    ASSERT_NE(error.position(), nullptr) << error.ToString();
    EXPECT_EQ(error.position()->line, 2) << error.ToString();
  }
}

// ---- Basic Memory -------------------------------------------------------------------------------

TEST_F(ReadersTest, BasicMemory) {
  WriteBasicMemory(dir_ / "project");
  const ForeignMemory memory = Read(ReadBasicMemory, "project");
  ASSERT_EQ(memory.notes.size(), 3u);
  const ForeignNote& brewing = Note(memory, "coffee/brewing-methods");
  EXPECT_EQ(brewing.path, "notes/coffee/brewing-methods.md");
  EXPECT_EQ(brewing.draft.tags, (Strings{"coffee", "brewing", "clarity", "heat"}));
  EXPECT_NE(brewing.draft.text.find("- [technique] 96 degrees #brewing #heat (measured)"),
            std::string::npos);
  EXPECT_FALSE(Card(brewing).contains("permalink"));
  EXPECT_EQ(Card(brewing)["rating"], 5);
  // A relation whose name a link can have is a link of the text.
  ASSERT_EQ(brewing.links.size(), 1u);
  EXPECT_EQ(brewing.links[0].target, "Tea Notes");
  EXPECT_EQ(brewing.links[0].relation, "based_on");
  EXPECT_EQ(brewing.links[0].reason, "based on");

  const ForeignNote& origins = Note(memory, "coffee/origins");
  EXPECT_EQ(origins.draft.title, "Coffee Bean Origins");
  EXPECT_EQ(origins.draft.type, "note");
  EXPECT_EQ(origins.draft.tags, (Strings{"coffee", "beans"}));
  EXPECT_EQ(origins.draft.updated, Time("2025-10-25T08:00:00"));

  const ForeignNote& tea = Note(memory, "tea-notes");
  EXPECT_EQ(tea.draft.title, "Tea Notes");
  EXPECT_EQ(tea.draft.text, "Green and black.");
}

// ---- All of them --------------------------------------------------------------------------------

TEST_F(ReadersTest, AreInterrupted) {
  const std::atomic<bool> cancelled = true;
  ForeignOptions options;
  options.cancel = &cancelled;
  WriteRekallDatabase(dir_ / "rekall.db");
  WriteBastraVault(dir_ / "vault");
  WriteTextFile(dir_ / "memory.jsonl", kMemoryGraph);
  for (const auto& memory :
       {ReadRekall(dir_ / "rekall.db", options), ReadBastraVault(dir_ / "vault", options),
        ReadBasicMemory(dir_ / "vault", options),
        ReadMemoryGraph(dir_ / "memory.jsonl", options)}) {
    ASSERT_FALSE(memory.has_value());
    EXPECT_EQ(memory.error().code(), StatusCode::kCancelled);
  }
}

TEST_F(ReadersTest, SurviveRandomChanges) {
  std::mt19937_64 random(TestSeed(4));
  WriteBastraVault(dir_ / "vault");
  const std::string note = ReadWhole(dir_ / "vault/memories/css-effects.md");
  std::filesystem::remove_all(dir_ / "vault");
  const auto change = [&](std::string text) {
    for (size_t edits = random() % 8; edits > 0; --edits) {
      const size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
          break;
        default:
          text.erase(at, random() % 5);
      }
      if (text.empty()) text = "-";
    }
    return text;
  };
  for (int i = 0; i < 300; ++i) {
    WriteTextFile(dir_ / "vault/a.md", change(note));
    WriteTextFile(dir_ / "memory.jsonl", change(std::string(kMemoryGraph)));
    WriteTextFile(dir_ / "rekall.json", change(std::string(kRekallExport)));
    for (const auto& memory :
         {ReadBastraVault(dir_ / "vault", Options()), ReadBasicMemory(dir_ / "vault", Options()),
          ReadMemoryGraph(dir_ / "memory.jsonl", Options()),
          ReadRekall(dir_ / "rekall.json", Options())}) {
      if (!memory) continue;
      for (const ForeignNote& read : memory->notes) {
        Card(read);  // whole, whatever the note says
        EXPECT_TRUE(read.path.starts_with("notes/"));
      }
    }
  }
}

}  // namespace
}  // namespace recall
