// Notes leave a store as files and lines of other programs, and come back as they were.

#include <nlohmann/json.hpp>

#include "query/compat/memories/note_markdown.h"
#include "tests/query/exchange/foreign_fixture.h"

namespace recall {
namespace {

class NoteExportTest : public ForeignFixture {
 protected:
  ExportReport ExportTo(ExportLayout layout, const std::string& name, bool force = false) {
    auto report = database_->Export(NotesRequest(layout, name, force));
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *std::move(report) : ExportReport();
  }

  ExportRequest NotesRequest(ExportLayout layout, const std::string& name, bool force = false) {
    ExportRequest request;
    request.layout = layout;
    request.out_path = OtherPath(name);
    request.force = force;
    return request;
  }

  // Imports what was exported into a new store, which becomes the store of the test.
  void MoveTo(const std::string& store, const std::string& program, const std::string& name) {
    database_ = NewDatabase(store);
    store_path_ = OtherPath(store);
    ImportFrom(program, name);
  }
};

TEST_F(NoteExportTest, NotesLinksAndStatesComeBack) {
  for (const std::string program : {"bastra", "basic-memory"}) {
    SetUp();
    ImportFrom("rekall", "rekall.db");
    ImportFrom("bastra", "vault");
    ImportFrom("memory", "memory.jsonl");
    ImportFrom("basic-memory", "project");
    Review("notes/api-timeout.md", 4, "2026-01-03T00:00:00Z", 6, 250, "2026-01-09T00:00:00Z");
    const auto texts = Texts();
    const auto links = LinksOf();
    std::map<std::string, Activity> activities;
    for (const auto& [path, text] : texts) activities[path] = ActivityOf(path);
    const std::string out = "out-" + program;
    const ExportReport report = ExportTo(ExportLayout::kNotes, out);
    EXPECT_EQ(report.docs, 12);
    EXPECT_EQ(report.files_written, 12);
    MoveTo("moved" + out + ".db", program, out);
    EXPECT_EQ(Texts(), texts);
    EXPECT_EQ(LinksOf(), links);
    for (const auto& [path, text] : texts) EXPECT_EQ(ActivityOf(path), activities[path]) << path;
    // Once more, the files are the same.
    EXPECT_EQ(ExportTo(ExportLayout::kNotes, out).files_written, 0);
  }
}

TEST_F(NoteExportTest, FilesAreReadByOtherPrograms) {
  ImportFrom("bastra", "vault");
  ExportTo(ExportLayout::kNotes, "out");
  const std::string focus = ReadWhole(OtherPath("out/css-input-focus.md"));
  EXPECT_TRUE(focus.starts_with("---\nid: \"css-input-focus\"\ntype: lesson\n")) << focus;
  EXPECT_NE(focus.find("related_via: [{\"id\":\"css-effects\",\"reason\":\"cosine 0.812\","
                       "\"score\":0.812}]\n"),
            std::string::npos)
      << focus;
  EXPECT_NE(focus.find("\n- related [[css-effects]] (cosine 0.812)\n"), std::string::npos);
  const std::string effects = ReadWhole(OtherPath("out/css-effects.md"));
  EXPECT_NE(effects.find("\n- supersedes [[old-effects]]\n"), std::string::npos) << effects;
}

TEST_F(NoteExportTest, ReplacesOnlyWhatItWrote) {
  ImportFrom("bastra", "vault");
  WriteTextFile(OtherPath("out/css-effects.md"), "mine\n");
  const auto refused = database_->Export(NotesRequest(ExportLayout::kNotes, "out"));
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(ReadWhole(OtherPath("out/css-effects.md")), "mine\n");
  EXPECT_FALSE(std::filesystem::exists(OtherPath("out/css-input-focus.md")));

  EXPECT_EQ(ExportTo(ExportLayout::kNotes, "out", /*force=*/true).files_written, 2);
  // A note that changed replaces its file, but not one that was edited.
  WriteTextFile(OtherPath("vault/memories/css-effects.md"),
                "---\nid: css-effects\ntype: decision\n---\n\nChanged.\n");
  ImportFrom("bastra", "vault");
  EXPECT_EQ(ExportTo(ExportLayout::kNotes, "out").files_written, 1);
  EXPECT_NE(ReadWhole(OtherPath("out/css-effects.md")).find("Changed."), std::string::npos);
  WriteTextFile(OtherPath("out/css-effects.md"), "edited\n");
  EXPECT_FALSE(database_->Export(NotesRequest(ExportLayout::kNotes, "out")).has_value());
  EXPECT_EQ(ReadWhole(OtherPath("out/css-effects.md")), "edited\n");
}

TEST_F(NoteExportTest, FilesStayInTheDirectory) {
  EXPECT_EQ(ExportedFileOf("notes/a.md"), "a.md");
  EXPECT_EQ(ExportedFileOf("notes/a/b.md"), "a/b.md");
  EXPECT_EQ(ExportedFileOf("../a.md"), "a-md.md");
  EXPECT_EQ(ExportedFileOf("/etc/a.md"), "etc-a-md.md");
  EXPECT_EQ(ExportedFileOf("notes/../../a.md"), "notes-a-md.md");
  EXPECT_EQ(ExportedFileOf("notes/.hidden.md"), "notes-hidden-md.md");
  EXPECT_EQ(ExportedFileOf("docs/a.md"), "docs-a-md.md");
  // The path comes back.
  WriteFile("docs/a.md", "Text without a card.\n");
  AddRequest request;
  request.parser = Parser::kNote;
  Add(request);
  ExportTo(ExportLayout::kNotes, "out");
  MoveTo("moved.db", "bastra", "out");
  ASSERT_EQ(Paths(), Strings{"docs/a.md"});
  EXPECT_NE(TextOf("docs/a.md").find("Text without a card."), std::string::npos);
}

TEST_F(NoteExportTest, TheMemoryServerGetsItsLinesBack) {
  ImportFrom("memory", "memory.jsonl");
  const ExportReport report = ExportTo(ExportLayout::kGraph, "out.jsonl");
  EXPECT_EQ(report.docs, 2);
  EXPECT_EQ(report.lines, 4);
  EXPECT_TRUE(report.left_out.empty());
  // The name of what is no entity there is an id.
  Strings expected = Lines(std::string(kMemoryGraph));
  std::erase(expected, "");
  expected.back() = R"({"type":"relation","from":"Ada Lovelace","to":"charles-babbage",)"
                    R"("relationType":"knew"})";
  Strings exported = Lines(ReadWhole(OtherPath("out.jsonl")));
  std::ranges::sort(expected);
  std::ranges::sort(exported);
  EXPECT_EQ(exported, expected);
  const auto texts = Texts();
  const auto links = LinksOf();
  MoveTo("moved.db", "memory", "out.jsonl");
  EXPECT_EQ(Texts(), texts);
  EXPECT_EQ(LinksOf(), links);
}

TEST_F(NoteExportTest, TheMemoryServerGetsOtherNotesAndAListOfWhatIsLeftOut) {
  ImportFrom("rekall", "rekall.db");
  const ExportReport report = ExportTo(ExportLayout::kGraph, "out.jsonl");
  EXPECT_EQ(report.left_out.at("rekall_id"), 5);
  EXPECT_EQ(report.left_out.at("uses"), 1);
  std::set<std::string> names;
  for (const std::string& line : Lines(ReadWhole(OtherPath("out.jsonl")))) {
    const auto object = nlohmann::json::parse(line);
    if (object["type"] == "relation") continue;
    EXPECT_TRUE(names.insert(object["name"].get<std::string>()).second) << line;
  }
  EXPECT_TRUE(names.contains("CORS Safari"));
  EXPECT_EQ(names.size(), 5u);
}

}  // namespace
}  // namespace recall
