#include "query/ask/answer/targets.h"

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class TargetsTest : public QueryFixture {
 protected:
  GetResponse Get(const std::string& target, bool verify = false) {
    auto response = database_->Get({.target = target, .verify = verify});
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return response ? *response : GetResponse();
  }
};

TEST_F(TargetsTest, GetByPathLinesAndIds) {
  const std::string text = "one\ntwo\nthree\nfour\n";
  WriteFile("d/a:1.txt", text);
  Add();
  const GetResponse whole = Get("d/a:1.txt");
  EXPECT_TRUE(whole.whole_doc);
  EXPECT_EQ(whole.chunk.text, text);
  EXPECT_EQ(whole.chunk.end_line, 4u);

  const GetResponse lines = Get("d/a:1.txt:2:2");
  EXPECT_EQ(lines.chunk.text, "two\nthree\n");
  EXPECT_EQ(lines.chunk.start_line, 2u);
  EXPECT_EQ(lines.chunk.end_line, 3u);
  EXPECT_EQ(lines.chunk.start_byte, 4u);
  EXPECT_EQ(lines.chunk.offset, 1u);
  EXPECT_EQ(lines.chunk.end_byte, 14u);
  EXPECT_EQ(Get("d/a:1.txt:4:99").chunk.text, "four\n");

  EXPECT_EQ(Get(whole.doc.id.substr(0, 12)).chunk.text, text);
  const std::string chunk_id = Search("three").hits.at(0).chunk.id;
  EXPECT_EQ(Get(chunk_id.substr(0, 12)).chunk.id, chunk_id);

  for (const char* target : {"d/none.txt", "d/a:1.txt:5:1", "ffff", "d/a:1.txt:0:1"}) {
    EXPECT_EQ(database_->Get({.target = target}).error().code(), StatusCode::kNotFound) << target;
  }
}

TEST_F(TargetsTest, PathsAsOtherProgramsPrintThem) {
  WriteFile("d/a b.txt", "one\n");
  Add();
  const std::string directory = dir_.path();
  const std::vector<std::string> targets = {"./d/a b.txt", "d/./a b.txt",
                                            "file://" + directory + "/d/a%20b.txt",
                                            "file://localhost" + directory + "/d/a%20b.txt:1"};
  for (const std::string& target : targets) {
    EXPECT_EQ(Get(target).chunk.text, "one\n") << target;
  }
  EXPECT_FALSE(database_->Get({.target = "file://elsewhere" + directory + "/d/a%20b.txt"}));
}

// What code hosts and editors print, and what a person types from memory.
TEST_F(TargetsTest, LinesAndSectionsAsInAddresses) {
  WriteFile("docs/cli.md", "# Use\n\none\n\n## Exit codes\n\ntwo\nthree\n\n## End\n");
  WriteFile("docs/a#L1.txt", "odd\nname\n");
  Add();
  EXPECT_EQ(Get("docs/cli.md:L3").chunk.text, "one\n");
  EXPECT_EQ(Get("docs/cli.md:L7-L8").chunk.text, "two\nthree\n");
  EXPECT_EQ(Get("docs/cli.md:L7-8").chunk.text, "two\nthree\n");
  EXPECT_EQ(Get("docs/cli.md#L7-L8").chunk.text, "two\nthree\n");
  EXPECT_EQ(Get("docs/cli.md#L3").chunk.text, "one\n");
  EXPECT_EQ(Get("docs/cli.md#exit-codes").chunk.text, "## Exit codes\n\ntwo\nthree\n\n");
  EXPECT_EQ(Get("docs/cli.md#exit-codes").chunk.start_line, 5u);
  EXPECT_EQ(Get("docs/a#L1.txt").chunk.text, "odd\nname\n");
  const auto absent = database_->Get({.target = "docs/cli.md#nothing"});
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message(), "docs/cli.md has no section #nothing");
}

TEST_F(TargetsTest, CaseIsIgnoredIfItIsClearWhatIsMeant) {
  WriteFile("README.md", "one\n");
  WriteFile("Docs/Zebra.txt", "two\nthree\n");
  WriteFile("A.txt", "four\n");
  WriteFile("a.TXT", "five\n");
  Add();
  EXPECT_EQ(Get("readme.md").chunk.text, "one\n");
  EXPECT_EQ(Get("docs/zebra.TXT:2").chunk.text, "three\n");
  EXPECT_EQ(Get("a.TXT").chunk.text, "five\n");
  EXPECT_FALSE(database_->Get({.target = "a.txt"}));
  // What is removed is named exactly.
  RemoveRequest remove;
  remove.targets = {"readme.md"};
  ASSERT_OK_AND_ASSIGN(const RemoveReport removed, database_->Remove(remove));
  EXPECT_TRUE(removed.removed.empty());
}

TEST_F(TargetsTest, TheNearestNameIsSuggested) {
  WriteFile("README.md", "one\n");
  WriteFile("docs/zstd.h", "two\n");
  WriteFile("docs/other.h", "three\n");
  Add();
  const auto hint = [&](const std::string& target) {
    const auto found = database_->Get({.target = target});
    return found ? "found" : std::string(found.error().hint());
  };
  EXPECT_EQ(hint("READMEE.md"), "did you mean README.md?");
  EXPECT_EQ(hint("include/zstd.hh"), "did you mean docs/zstd.h?");
  EXPECT_EQ(hint("ZSTD.h"), "did you mean docs/zstd.h?");
  EXPECT_EQ(hint("unlike/anything.else").find("did you mean"), std::string::npos);
}

// Like `sed -n 2,3p`: with the newline of the last line, if it has one.
TEST_F(TargetsTest, LinesComeWithTheirNewlines) {
  WriteFile("a.txt", "one\n\r\nthree");
  WriteFile("b.txt", "\n\nx\n\n");
  Add();
  EXPECT_EQ(Get("a.txt:1:1").chunk.text, "one\n");
  EXPECT_EQ(Get("a.txt:2:1").chunk.text, "\r\n");
  EXPECT_EQ(Get("a.txt:2:1").chunk.end_line, 2u);
  EXPECT_EQ(Get("a.txt:2:2").chunk.text, "\r\nthree");
  EXPECT_EQ(Get("a.txt:3:1").chunk.text, "three");
  EXPECT_EQ(Get("a.txt:1:3").chunk.text, "one\n\r\nthree");
  EXPECT_EQ(Get("b.txt:1:1").chunk.text, "\n");
  EXPECT_EQ(Get("b.txt:2:2").chunk.text, "\nx\n");
  EXPECT_EQ(Get("b.txt:4:1").chunk.text, "\n");
  EXPECT_EQ(Get("b.txt:4:1").chunk.start_line, 4u);
  EXPECT_EQ(Get("b.txt:4:1").chunk.end_line, 4u);
  const auto error = database_->Get({.target = "a.txt:4:1"}).error();
  EXPECT_EQ(error.code(), StatusCode::kNotFound);
  EXPECT_EQ(error.hint(), "it has 3 lines");
}

TEST_F(TargetsTest, VerifyComparesWithTheFile) {
  WriteFile("a.txt", "one\ntwo\nthree\n");
  Add();
  EXPECT_EQ(Get("a.txt").verify, VerifyOutcome::kNotAsked);
  EXPECT_EQ(Get("a.txt", true).verify, VerifyOutcome::kSame);
  WriteFile("a.txt", "one\ntwo\nTHREE\nmore");
  EXPECT_EQ(Get("a.txt", true).verify, VerifyOutcome::kChanged);
  EXPECT_EQ(Get("a.txt:1:2", true).verify, VerifyOutcome::kSame);
  EXPECT_EQ(Get("a.txt:3:1", true).verify, VerifyOutcome::kChanged);
  std::filesystem::remove(dir_ / "a.txt");
  EXPECT_EQ(Get("a.txt", true).verify, VerifyOutcome::kMissing);
}

TEST_F(TargetsTest, RemoveByIdPrefixMustBeUnique) {
  for (int i = 0; i < 300; ++i) WriteFile(std::to_string(i) + ".txt", "text " + std::to_string(i));
  Add();
  const std::string id = Search("text 7").hits.at(0).doc.id;
  RemoveRequest request;
  request.targets = {id.substr(0, 16)};
  ASSERT_OK_AND_ASSIGN(const RemoveReport report, database_->Remove(request));
  ASSERT_EQ(report.removed.size(), 1u);
  EXPECT_EQ(report.removed[0].id, id);
  request.targets = {id.substr(0, 8)};
  ASSERT_OK_AND_ASSIGN(const RemoveReport short_prefix, database_->Remove(request));
  EXPECT_TRUE(short_prefix.removed.empty());
  EXPECT_EQ(IdDigits("id:3fa9"), "3fa9");
  EXPECT_EQ(IdDigits("0123456789ab"), "0123456789ab");
  // Words of few hexadecimal digits, such as these, are not ids by chance.
  for (const char* word : {"abc", "cafe", "0123456789a", "id:abc", "id:wxyz", "0123456789abx"}) {
    EXPECT_FALSE(IdDigits(word)) << word;
  }
}

// Outside the store's directory "." is another directory; it never means all documents.
TEST_F(TargetsTest, DotElsewhereRemovesNothing) {
  WriteFile("a.txt", "text");
  Add();
  RemoveRequest request;
  request.targets = {".", "./", "..", ""};
  ASSERT_OK_AND_ASSIGN(const RemoveReport report, database_->Remove(request));
  EXPECT_TRUE(report.removed.empty());
  EXPECT_EQ(report.not_found.size(), 4u);
}

}  // namespace
}  // namespace recall
