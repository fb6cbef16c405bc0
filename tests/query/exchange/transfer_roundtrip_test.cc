// An export and import reproduces a store byte by byte.

#include <algorithm>

#include "index/source/chunk/chunker.h"
#include "index/write/ingest/ingest.h"
#include "index/write/local/local_store.h"
#include "tests/query/exchange/transfer_fixture.h"

namespace recall {
namespace {

class RoundTripTest : public TransferFixture {
 protected:
  // Writes files of all kinds: Markdown with front matter, code, CJK without spaces, white space
  // only, empty, and one huge line.
  void WriteMixedFiles(uint64_t seed, int count) {
    std::mt19937_64 random(seed);
    WriteFile("empty.txt", "");
    WriteFile("blank.txt", " \n\t\n  ");
    WriteFile("line.txt", std::string(300'000, 'x'));
    WriteFile("controls.txt", "a\x01\x02\x1F b\x7F\r\nc \"quoted\" back\\slash /\t\xE2\x80\xA8 d");
    std::string cjk;
    for (int i = 0; i < 4000; ++i) cjk += i % 3 == 0 ? "\xE6\xBC\xA2" : "\xE5\xAD\x97";
    WriteFile("cjk/text.md", "# \xE6\xA8\x99\xE9\xA1\x8C\n\n" + cjk + "\n");
    WriteFile("name with \"quotes\" and \n newline.txt", "odd name");
    WriteFile("src/code.cc", "int f() {\n  return 1;\n}\n\nint g() {\n\treturn 2;\n}\n");
    for (int i = 0; i < count; ++i) {
      const std::string name = "d" + std::to_string(i % 5) + "/" + std::to_string(i);
      WriteFile(name + (i % 2 == 0 ? ".md" : ".txt"),
                "---\ntitle: T" + std::to_string(i) +
                    "\nn: 0.1\nbig: 1e20\nlist: [1, two, 3.50]\nok: true\n---\n# A " +
                    std::to_string(i) + "\n\n" + RandomText(random, random() % 2000) +
                    "\n\n## B\n\n" + RandomText(random, random() % 300));
    }
  }

  void AddAll() {
    AddRequest request;
    request.extract_meta = true;
    request.tag = "tag \xC3\xA9";
    Add(request);
  }

  std::string Answers(Database& database) {
    std::string answers;
    for (const char* query : {"alpha beta", "\"memory thread\"", "+search -vector", "\xE6\xBC\xA2",
                              "return", "odd name"}) {
      for (const SearchMode mode :
           {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
        SearchRequest request;
        request.text = query;
        request.mode = mode;
        request.k = 50;
        const auto response = database.Search(request);
        EXPECT_TRUE(response.has_value()) << response.error().ToString();
        for (const SearchHit& hit : response->hits) {
          answers += std::to_string(hit.score) + " " + hit.doc.id + " " + hit.chunk.id + " " +
                     hit.doc.path + " " + hit.doc.mtime + " " + hit.doc.meta_json.value_or("-") +
                     std::to_string(hit.chunk.start_line) + hit.chunk.heading + hit.chunk.text +
                     "\n";
        }
      }
    }
    return answers;
  }
};

TEST_F(RoundTripTest, ExportImportExportGivesTheSameBytesAndAnswers) {
  WriteMixedFiles(TestSeed(1), 60);
  AddAll();
  const std::string exported = Export();
  const std::string answers = Answers(*database_);
  auto copy = NewDatabase("copy.db");
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*copy, exported));
  EXPECT_EQ(report.added, 67);
  EXPECT_EQ(report.vectors_taken, report.chunks);
  EXPECT_EQ(report.vectors_rebuilt, 0);
  EXPECT_EQ(report.warnings, std::vector<std::string>());
  EXPECT_EQ(Export(*copy), exported);
  EXPECT_EQ(Answers(*copy), answers);
  copy.reset();
  CheckStore(OtherPath("copy.db"));
}

TEST_F(RoundTripTest, TheOrderOfAddingDoesNotShow) {
  WriteMixedFiles(TestSeed(2), 20);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_.path())) {
    const bool ours = entry.path().filename().string().starts_with("recall.db");
    if (entry.is_regular_file() && !ours) names.push_back(entry.path().string());
  }
  std::mt19937_64 random(TestSeed(2));
  std::string first;
  for (int round = 0; round < 3; ++round) {
    std::shuffle(names.begin(), names.end(), random);
    Create(Hashed());
    for (const std::string& name : names) {
      AddRequest request;
      request.paths = {name};
      Add(request);
    }
    // A document that was removed and added again does not differ in the export, either.
    RemoveRequest remove;
    remove.targets = {names.front()};
    ASSERT_OK(database_->Remove(remove));
    AddRequest again;
    again.paths = {names.front()};
    Add(again);
    const std::string exported = Export();
    if (first.empty()) first = exported;
    EXPECT_EQ(exported, first) << "round " << round;
  }
}

TEST_F(RoundTripTest, CompressedFilesTooAndTheSameEachTime) {
  WriteMixedFiles(TestSeed(3), 30);
  AddAll();
  const std::string exported = Export();
  std::string compressed;
  for (const std::string name : {"plain.jsonl", "packed.jsonl.zst", "again.jsonl.zst"}) {
    ExportRequest request;
    request.out_path = OtherPath(name);
    ASSERT_OK_AND_ASSIGN(const ExportReport report, database_->Export(request));
    EXPECT_EQ(report.docs, 37);
    EXPECT_EQ(report.lines, static_cast<int64_t>(Lines(exported).size()));
    EXPECT_EQ(report.bytes, static_cast<int64_t>(ReadWhole(request.out_path).size()));
    auto copy = NewDatabase(name + ".db");
    ImportRequest import;
    import.path = request.out_path;
    ASSERT_OK(copy->Import(import));
    EXPECT_EQ(Export(*copy), exported) << name;
  }
  EXPECT_EQ(ReadWhole(OtherPath("plain.jsonl")), exported);
  EXPECT_EQ(ReadWhole(OtherPath("packed.jsonl.zst")), ReadWhole(OtherPath("again.jsonl.zst")));
  EXPECT_LT(ReadWhole(OtherPath("packed.jsonl.zst")).size(), exported.size() / 2);
}

TEST_F(RoundTripTest, ImportingTwiceChangesNothing) {
  WriteMixedFiles(TestSeed(4), 10);
  AddAll();
  const std::string exported = Export();
  const std::string snapshot = Search("alpha").store.snapshot;
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*database_, exported));
  EXPECT_EQ(report.unchanged, 17);
  EXPECT_EQ(report.added + report.updated + report.refreshed + report.chunks, 0);
  EXPECT_EQ(Search("alpha").store.snapshot, snapshot);
  // The documents still match their files.
  AddRequest request;
  request.extract_meta = true;
  EXPECT_EQ(Add(request).unchanged, 17);
}

// Only where they come from is new.
TEST_F(RoundTripTest, FilesAddedAfterAnImportAreTheSameDocuments) {
  WriteMixedFiles(TestSeed(5), 10);
  AddAll();
  const std::string exported = Export();
  Create(Hashed());
  ASSERT_OK(Import(*database_, exported));
  AddRequest request;
  request.extract_meta = true;
  EXPECT_EQ(Add(request).refreshed, 17);
  EXPECT_EQ(Export(), exported);
  EXPECT_EQ(Add(request).unchanged, 17);
}

// The importing store trains its model again on the same texts.
TEST_F(RoundTripTest, AStoreWithAModelIsExportedWithoutItsVectors) {
  Create({});
  WriteMixedFiles(TestSeed(3), 40);
  AddAll();
  const std::string exported = Export();
  EXPECT_EQ(exported.find("\"vector\""), std::string::npos);
  const std::string answers = Answers(*database_);
  auto copy = NewDatabase("copy.db", {});
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*copy, exported));
  EXPECT_EQ(report.vectors_taken, 0);
  EXPECT_EQ(report.warnings, std::vector<std::string>());
  EXPECT_EQ(Export(*copy), exported);
  EXPECT_EQ(Answers(*copy), answers);
  copy.reset();
  CheckStore(OtherPath("copy.db"));
  auto hashed = NewDatabase("hashed.db");
  ASSERT_OK(Import(*hashed, exported));
  hashed.reset();
  CheckStore(OtherPath("hashed.db"));
}

// A store may contain bytes that `add` would reject: texts and names that are not UTF-8.
TEST_F(RoundTripTest, BytesThatAreNotTextSurvive) {
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto space, OpenSpace(*store, nullptr));
    TermBuilder terms(space, kTokenizerVersion);
    LocalStore writable(store.get(), space);
    std::vector<PreparedDocument> batch;
    const std::string texts[] = {std::string("nul \0 inside", 12), "latin \xE9t\xE9 words",
                                 "\xFF\xFE\xFD"};
    for (const std::string& text : texts) {
      PreparedDocument prepared;
      prepared.outcome = PreparedDocument::Outcome::kAdded;
      prepared.doc.path = "p\xE9th" + std::to_string(batch.size());
      prepared.doc.tag = "t\xE9g";
      prepared.doc.hash = Sha256(text);
      prepared.doc.id = MakeDocId(prepared.doc.path, prepared.doc.hash);
      prepared.doc.size = static_cast<int64_t>(text.size());
      prepared.doc.parser = "plain";
      prepared.doc.mtime = -1;  // before 1970, by a nanosecond
      prepared.text_blocks = CompressText(text);
      prepared.spans = ChunkText(text, Parser::kPlain, {});
      ASSERT_OK_AND_ASSIGN(prepared.terms, terms.Build(prepared.doc, text, prepared.spans, 0,
                                                       prepared.spans.size()));
      batch.push_back(std::move(prepared));
    }
    ASSERT_OK_AND_ASSIGN(const auto writing, writable.BeginBatch());
    for (const PreparedDocument& document : batch) ASSERT_OK(writing->Put(document));
    ASSERT_OK(writing->Commit());
  }
  Reopen();
  const std::string exported = Export();
  EXPECT_NE(exported.find("\"path_base64\""), std::string::npos);
  EXPECT_NE(exported.find("\"text_base64\""), std::string::npos);
  EXPECT_NE(exported.find("\\u0000"), std::string::npos);
  EXPECT_NE(exported.find("1969-12-31T23:59:59.999999999Z"), std::string::npos);
  auto copy = NewDatabase("copy.db");
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*copy, exported));
  EXPECT_EQ(report.added, 3);
  EXPECT_EQ(Export(*copy), exported);
  copy.reset();
  CheckStore(OtherPath("copy.db"));
}

TEST_F(RoundTripTest, DocumentsAboveTheWritersPieceSurvive) {
  std::mt19937_64 random(TestSeed(6));
  std::string text;
  while (text.size() <= kLargeDocumentBytes) text += RandomText(random, 5000);
  WriteFile("large.txt", text);
  WriteFile("small.txt", "small");
  Add();
  const std::string exported = Export();
  auto copy = NewDatabase("copy.db");
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*copy, exported));
  EXPECT_EQ(report.vectors_taken, report.chunks);
  EXPECT_EQ(Export(*copy), exported);
  copy.reset();
  CheckStore(OtherPath("copy.db"));
}

TEST_F(RoundTripTest, AnEmptyStoreIsOneLine) {
  const std::string exported = Export();
  EXPECT_EQ(Lines(exported).size(), 1u);
  auto copy = NewDatabase("copy.db");
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*copy, exported));
  EXPECT_EQ(report.added, 0);
  EXPECT_EQ(Export(*copy), exported);
  EXPECT_EQ(Export(ExportLayout::kRecall01), "");
}

TEST_F(RoundTripTest, AStoreOfAnotherSpaceMakesItsOwnVectors) {
  WriteMixedFiles(TestSeed(7), 10);
  AddAll();
  CreateOptions other = Hashed();
  other.ann_seed = 7;
  CreateOptions smaller = Hashed();
  smaller.dim = 64;
  for (const CreateOptions& options : {other, smaller}) {
    auto copy = NewDatabase("copy" + std::to_string(options.dim) + ".db", options);
    ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*copy, Export()));
    EXPECT_EQ(report.vectors_taken, 0);
    EXPECT_EQ(report.vectors_rebuilt, report.chunks);
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_NE(report.warnings[0].find("vector space"), std::string::npos);
    // The vectors are those of a store that added the files.
    const std::string imported = Export(*copy);
    copy.reset();
    Create(options);
    AddAll();
    EXPECT_EQ(imported, Export());
    Create(Hashed());
    AddAll();
  }
}

}  // namespace
}  // namespace recall
