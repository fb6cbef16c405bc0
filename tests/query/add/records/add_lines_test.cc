// Documents added as lines of JSON equal documents added as files.

#include <map>
#include <nlohmann/json.hpp>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Json = nlohmann::json;

class AddLinesTest : public QueryFixture {
 protected:
  AddReport AddLines(const std::string& lines, AddRequest request = {}) {
    std::ofstream(dir_ / "lines.jsonl", std::ios::binary) << lines;
    request.jsonl = dir_ / "lines.jsonl";
    auto report = database_->Add(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : AddReport();
  }

  std::string Export() {
    std::string lines;
    const auto report = database_->Export({}, [&](std::string_view piece) {
      lines += piece;
      return Status::Ok();
    });
    EXPECT_TRUE(report.has_value());
    return lines;
  }
};

// The oracle is `add` of files with the same texts.
TEST_F(AddLinesTest, MakeTheStoreThatTheSameFilesMake) {
  std::mt19937_64 random(TestSeed(71));
  std::map<std::string, std::string> texts;
  for (int i = 0; i < 120; ++i) {
    const char* const extension = i % 3 == 0 ? ".md" : i % 3 == 1 ? ".cc" : ".txt";
    texts["d" + std::to_string(i % 5) + "/" + std::to_string(i) + extension] =
        "# Title\n\n" + RandomText(random, random() % 3000);
  }
  for (const auto& [path, text] : texts) WriteFile(path, text);
  AddRequest files;
  for (int i = 0; i < 5; ++i) files.paths.push_back(dir_ / "d" + std::to_string(i));
  files.tag = "t";
  EXPECT_EQ(Add(files).added, 120);
  const std::string expected = Export();

  std::string lines;
  for (const auto& [path, text] : texts) {
    ASSERT_OK_AND_ASSIGN(const GetResponse got, database_->Get({.target = path, .verify = false}));
    lines += Json{{"text", text}, {"path", path}, {"mtime", got.doc.mtime}}.dump() + "\n";
  }
  for (const uint32_t threads : {1u, 3u}) {
    Create({});
    AddRequest request;
    request.tag = "t";
    request.threads = threads;
    EXPECT_EQ(AddLines(lines, request).added, 120);
    EXPECT_EQ(Export(), expected) << threads;
    EXPECT_EQ(AddLines(lines, request).unchanged, 120);
    EXPECT_EQ(Add(files).refreshed, 120) << "the files are the same documents, of another origin";
    EXPECT_EQ(Export(), expected) << threads;
    EXPECT_EQ(AddLines(lines, request).unchanged, 120) << "a line with the text of a file";
    EXPECT_EQ(Add(files).unchanged, 120);
  }
  ExpectHealthy();
}

// Of lines with the same path the later one counts, wherever they are in the input.
TEST_F(AddLinesTest, RepeatedPathsAreTakenInOrder) {
  std::mt19937_64 random(TestSeed(72));
  std::map<std::string, std::string> expected;
  std::string lines;
  int64_t changes = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string path = "p" + std::to_string(random() % 700);
    const std::string text = "text " + std::to_string(random() % 3);
    if (!expected.contains(path) || expected[path] != text) ++changes;
    expected[path] = text;
    lines += Json{{"path", path}, {"text", text}}.dump() + "\n";
  }
  const AddReport report = AddLines(lines);
  EXPECT_EQ(report.added, static_cast<int64_t>(expected.size()));
  EXPECT_EQ(report.added + report.updated, changes);
  EXPECT_EQ(report.Total(), 3000);
  for (const auto& [path, text] : expected) {
    ASSERT_OK_AND_ASSIGN(const GetResponse got, database_->Get({.target = path, .verify = true}));
    EXPECT_EQ(got.chunk.text, text);
  }
  ExpectHealthy();
}

// The origin is that of the text: a file always sets it, a line only with another text.
TEST_F(AddLinesTest, TheOriginIsThatOfTheText) {
  const auto origin = [&] {
    return database_->Get({.target = "a.md", .verify = false})->doc.origin;
  };
  const auto line = [](const std::string& text) {
    return Json{{"path", "a.md"}, {"text", text}, {"mtime", "2026-01-01T00:00:00Z"}}.dump() + "\n";
  };
  EXPECT_EQ(AddLines(line("heron")).added, 1);
  EXPECT_EQ(origin(), "line");
  const std::string before = database_->Stats()->store.snapshot;

  WriteFile("a.md", "heron");
  std::filesystem::last_write_time(
      dir_ / "a.md",
      std::chrono::file_clock::from_sys(std::chrono::sys_seconds(
          std::chrono::seconds(*ParseRfc3339("2026-01-01T00:00:00Z") / 1'000'000'000))));
  AddRequest file;
  file.paths = {dir_ / "a.md"};
  file.mtime_only = true;
  EXPECT_EQ(Add(file).refreshed, 1) << "only the origin differs";
  EXPECT_EQ(origin(), "file");
  EXPECT_EQ(Add(file).unchanged, 1);
  EXPECT_EQ(database_->Get({.target = "a.md", .snapshot = before})->doc.origin, "line");

  AddRequest labels;
  labels.tag = "t";
  EXPECT_EQ(AddLines(line("heron"), labels).refreshed, 1);
  EXPECT_EQ(origin(), "file") << "the text is still that of the file";
  EXPECT_EQ(AddLines(line("egret")).updated, 1);
  EXPECT_EQ(origin(), "line");
  EXPECT_EQ(Add(file).updated, 1);
  EXPECT_EQ(origin(), "file");
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  EXPECT_EQ(origin(), "file");
  ExpectHealthy();
}

TEST_F(AddLinesTest, ReportsAreBoundedAndCountsExact) {
  std::string lines;
  for (int i = 0; i < 30'000; ++i) lines += "nonsense\n";
  const AddReport report = AddLines(lines);
  EXPECT_EQ(report.failed, 30'000);
  EXPECT_EQ(report.failures.size(), 10'000u);
  EXPECT_EQ(report.warnings.size(), 10'001u);
  EXPECT_EQ(report.warnings.back(), "cannot add 20000 more, which are not listed");
}

}  // namespace
}  // namespace recall
