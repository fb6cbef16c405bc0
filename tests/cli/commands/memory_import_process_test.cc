// import --from and export --format notes and memory, as commands.

#include <filesystem>

#include "tests/cli/recall_process.h"
#include "tests/query/compat/memories/foreign_fixtures.h"

namespace recall {
namespace {

class MemoryImportTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }
  std::string Path(const std::string& name) const { return directory() + "/" + name; }
};

// The newest copy is the store before the last import, the next one that before the one before.
TEST_F(MemoryImportTest, CopiesFromBeforeImportsAreKept) {
  const auto import = [&](const std::string& name, std::vector<std::string> more = {}) {
    Write("memory.jsonl", R"({"type":"entity","name":")" + name +
                              R"(","entityType":"x","observations":[]})"
                              "\n");
    std::vector<std::string> args = {"import", "--from", "memory", "memory.jsonl", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["import"];
  };
  const auto docs = [&](const std::string& store) {
    return Run({"stats", "--json", "--store", Path(store)}).Json()["stats"]["corpus"]["docs"];
  };
  EXPECT_FALSE(import("zero").contains("backup"));
  Write("recall.toml", "auto_backup = 2\n");
  import("one", {"--dry-run"});
  EXPECT_FALSE(std::filesystem::exists(Path("recall.db.backup-1")));
  for (const char* name : {"one", "two", "three"}) {
    EXPECT_EQ(import(name)["backup"], Path("recall.db.backup-1"));
  }
  EXPECT_EQ(docs("recall.db"), 4);
  EXPECT_EQ(docs("recall.db.backup-1"), 3);
  EXPECT_EQ(docs("recall.db.backup-2"), 2);
  EXPECT_FALSE(std::filesystem::exists(Path("recall.db.backup-3")));
  EXPECT_FALSE(std::filesystem::exists(Path("recall.db.backup-0")));
}

TEST_F(MemoryImportTest, RekallPrintsItsSettings) {
  std::filesystem::create_directories(Path("rekall"));
  WriteRekallDatabase(Path("rekall/rekall.db"));
  Write("rekall/config.toml",
        "[embeddings]\nenabled = false\n[search]\nfts_weight = 0.6\nkeyword_weight = 0.1\n"
        "[review]\nalgorithm = \"sm2\"\ndefault_easiness = 2.3\n");
  const RunResult first = Run({"import", "--from", "rekall", "rekall", "--stable"});
  EXPECT_EQ(first.exit, 0) << first;
  EXPECT_EQ(first.out,
            "Added 5, updated 0, unchanged 0 notes; 3 links, 1 note with uses, 2 scheduled "
            "reviews\n"
            "Kept on cards, without a meaning here: context_extraction_method (1), "
            "context_time_of_day (1), sources (1)\n"
            "Not imported: rows of table suggestions (1), scores (computed here) (5), vectors "
            "(computed here) (1)\n"
            "Its settings as lines of recall.toml:\n"
            "  # no counterpart: embeddings.enabled\n"
            "  review_algorithm = \"sm2\"\n"
            "  review_easiness = 2.3\n"
            "  [view.entries]\n"
            "  filter = \"doc.kind = 'note' AND doc.status = 'active'\"\n"
            "  fusion = \"parts:words=0.6:meaning=0.3:triggers=0.1\"\n"
            "  stages = \"per-document\"\n"
            "  k = 20\n"
            "  payload = \"lean\"\n");
  EXPECT_EQ(first.err, "");
  const RunResult again = Run({"import", "--from", "rekall", "rekall/rekall.db", "--json"});
  const auto import = again.Json()["import"];
  EXPECT_EQ(import["unchanged"], 5) << again;
  EXPECT_EQ(import["links"], 0);
  EXPECT_EQ(import["settings"].size(), 9u);
  EXPECT_EQ(import["from"], "rekall");
  // The lines are settings.
  std::string lines;
  for (const auto& line : import["settings"]) lines += line.get<std::string>() + "\n";
  Write("recall.toml", lines);
  const RunResult views = Run({"config", "--views"});
  EXPECT_EQ(views.exit, 0) << views;
  EXPECT_NE(views.out.find("parts:words=0.6:meaning=0.3:triggers=0.1"), std::string::npos) << views;
  EXPECT_EQ(Run({"config", "review_easiness"}).out, "2.3\n");
  // Faults of the settings are found before anything is imported.
  Write("rekall/config.toml", "[search\n");
  const RunResult bad = Run({"import", "--from", "rekall", "rekall"});
  EXPECT_EQ(bad.exit, 2) << bad;
  EXPECT_NE(bad.err.find("rekall/config.toml"), std::string::npos) << bad;
}

TEST_F(MemoryImportTest, BadFilesOfAVaultAreNamed) {
  WriteBastraVault(Path("vault"));
  const RunResult text = Run({"import", "--from", "bastra", "vault", "--dry-run"});
  EXPECT_EQ(text.exit, 2) << text;
  EXPECT_TRUE(text.out.starts_with("Would add 2, update 0, leave 0 notes; 2 links, ")) << text;
  EXPECT_NE(text.err.find("vault/templates/new.md:2: not imported: front matter: "),
            std::string::npos)
      << text;
  const RunResult json = Run({"import", "--from", "bastra", "vault", "--json"});
  EXPECT_EQ(json.exit, 2);
  EXPECT_EQ(json.Json()["import"]["failures"][0]["line"], 2) << json;
  EXPECT_EQ(json.Json()["import"]["added"], 2);
  EXPECT_EQ(json.Json()["error"]["code"], "invalid_argument");
}

// The policy is that of the setting, as for `add`.
TEST_F(MemoryImportTest, SecretsAreTreatedAsByAdd) {
  const std::string key = "AK" + std::string("IAQYLPMN5HHHFPZAM2");
  Write("memory.jsonl",
        R"({"type":"entity","name":"Box )" + key + R"(","entityType":"x","observations":["opens )" +
            key +
            R"("]})"
            "\n"
            R"({"type":"entity","name":"Ada","entityType":"x","observations":["a needle"]})"
            "\n"
            R"({"type":"relation","from":"Ada","to":"Box )" +
            key +
            R"(","relationType":"opens"})"
            "\n");
  const auto import = [&](const std::string& policy) {
    const RunResult result =
        Run({"import", "--from", "memory", "memory.jsonl", "--json", "--secrets", policy});
    EXPECT_EQ(result.exit, 0) << result;
    EXPECT_EQ((result.out + result.err).find(key), std::string::npos) << "names no secret";
    return result.Json();
  };
  const auto skipped = import("skip");
  EXPECT_EQ(skipped["import"]["added"], 1);
  EXPECT_EQ(skipped["import"]["dropped"]["notes with credentials"], 1);
  EXPECT_EQ(import("redact")["import"]["redacted"]["aws-access-key-id"], 2);
  const RunResult notes = Run({"export", "--format", "memory"});
  EXPECT_NE(notes.out.find("Box [redacted: aws-access-key-id]"), std::string::npos) << notes;
  EXPECT_NE(notes.out.find("\"relationType\":\"opens\""), std::string::npos) << notes;
  EXPECT_EQ(Read("recall.db").find(key), std::string::npos);
  EXPECT_EQ(Read("recall.db").find("iaqylpmn5hhhfpzam2"), std::string::npos) << "nor in a path";
  EXPECT_EQ(import("redact")["import"]["unchanged"], 2);
  const auto warned = import("warn");
  EXPECT_EQ(warned["import"]["added"], 1);
  EXPECT_EQ(warned["warnings"].size(), 1u) << warned;
  EXPECT_NE(warned["warnings"][0].get<std::string>().find("1 note with credentials"),
            std::string::npos);
}

TEST_F(MemoryImportTest, NotesGoOutAndComeBack) {
  Write("memory.jsonl", std::string(kMemoryGraph));
  EXPECT_EQ(Run({"import", "--from", "memory", "memory.jsonl"}).exit, 0);
  // Other documents are no notes.
  Write("file.txt", "a file");
  EXPECT_EQ(Run({"add", "file.txt"}).exit, 0);
  const RunResult notes = Run({"export", "--format", "notes", "vault", "--stable"});
  EXPECT_EQ(notes.out, "Exported 2 notes (2 files written) to vault\n") << notes;
  EXPECT_EQ(
      Run({"export", "--format", "notes", "vault", "--json"}).Json()["export"]["files_written"], 0);
  Write("vault/ada-lovelace.md", "mine\n");
  const RunResult refused = Run({"export", "--format", "notes", "vault"});
  EXPECT_EQ(refused.exit, 3) << refused;
  EXPECT_EQ(Read("vault/ada-lovelace.md"), "mine\n");
  EXPECT_EQ(Run({"export", "--format", "notes", "vault", "--force"}).exit, 0);
  ASSERT_EQ(Run({"init", "other.db"}).exit, 0);
  EXPECT_EQ(Run({"import", "--from", "bastra", "vault", "--store", "other.db"}).exit, 0);
  const RunResult lines = Run({"export", "--format", "memory", "--store", "other.db"});
  EXPECT_EQ(lines.exit, 0) << lines;
  EXPECT_EQ(lines.out, Run({"export", "--format", "memory"}).out);
  EXPECT_TRUE(lines.out.starts_with("{\"type\":\"entity\",\"name\":\"Ada Lovelace\"")) << lines;
}

TEST_F(MemoryImportTest, FlagsThatDoNotFitAreRefused) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"export", "--format", "notes"},
        {"export", "--format", "notes", "dir", "--out", "file"},
        {"export", "dir"},
        {"export", "--format", "memory", "--force"},
        {"import", "--from", "obsidian", "dir"}}) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 2) << result;
  }
  EXPECT_EQ(Run({"import", "--from", "bastra", "nowhere"}).exit, 1);
}

}  // namespace
}  // namespace recall
