// Exports in the published layout of recall 0.1: reading them without loss, and writing them.

#include <algorithm>
#include <functional>

#include "tests/query/compat/recall01/recall01_export.h"

namespace recall {
namespace {

using OrderedJson = nlohmann::ordered_json;

class PublishedTest : public TransferFixture {
 protected:
  std::vector<OldDocument> RandomDocuments(uint64_t seed, int count) {
    std::mt19937_64 random(seed);
    std::vector<OldDocument> docs;
    for (int i = 0; i < count; ++i) {
      OldDocument doc = MakeOldDocument("d/" + std::to_string(i) + ".txt",
                                        RandomText(random, 1 + random() % 900), 40, random() % 39);
      if (i % 3 == 0) doc.tag = "tag" + std::to_string(i);
      if (i % 4 == 0) doc.source = "import";
      if (i % 5 == 0) doc.meta = R"({"author":"A \"B\"","n":"5"})";
      docs.push_back(std::move(doc));
    }
    return docs;
  }

  ImportReport ImportOk(const std::string& lines) {
    auto report = Import(*database_, lines);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : ImportReport();
  }

  // The warning of a report that starts with `beginning`; fails the test if there is none.
  static std::string WarningOf(const ImportReport& report, const std::string& beginning) {
    for (const std::string& warning : report.warnings) {
      if (warning.starts_with(beginning)) return warning;
    }
    ADD_FAILURE() << "no warning \"" << beginning << "\" among "
                  << ::testing::PrintToString(report.warnings);
    return "";
  }
};

TEST_F(PublishedTest, ImportsLoseNothing) {
  const auto docs = RandomDocuments(TestSeed(41), 40);
  const ImportReport report = ImportOk(OldExport(docs));
  EXPECT_EQ(report.added, 40);
  EXPECT_EQ(report.vectors_taken, report.chunks);
  EXPECT_EQ(report.vectors_rebuilt, 0);
  ASSERT_EQ(report.warnings.size(), 1u) << ::testing::PrintToString(report.warnings);
  WarningOf(report, "documents whose text was assembled from chunks: ");
  ExpectHolds(*database_, docs);
  database_.reset();
  CheckStore(StorePath());
}

TEST_F(PublishedTest, LinesMayComeInAnyOrder) {
  const auto docs = RandomDocuments(TestSeed(42), 15);
  ImportOk(OldExport(docs));
  const std::string exported = Export();
  std::vector<std::string> lines = Lines(OldExport(docs));
  std::mt19937_64 random(TestSeed(42));
  std::shuffle(lines.begin(), lines.end(), random);
  std::string shuffled;
  for (const std::string& line : lines) shuffled += line + "\n";
  Create(Hashed());
  ImportOk(shuffled);
  EXPECT_EQ(Export(), exported);
}

// Documents of a recall 0.1 export survive an export and import in our own layout.
TEST_F(PublishedTest, RebuiltTextsSurviveOurOwnLayout) {
  const auto docs = RandomDocuments(TestSeed(43), 10);
  ImportOk(OldExport(docs));
  const std::string exported = Export();
  auto copy = NewDatabase("copy.db");
  ASSERT_OK(Import(*copy, exported));
  EXPECT_EQ(Export(*copy), exported);
  ExpectHolds(*copy, docs);
}

TEST_F(PublishedTest, WritesWhatRecall01Reads) {
  const auto docs = RandomDocuments(TestSeed(44), 12);
  ImportOk(OldExport(docs));
  const auto lines = Lines(Export(ExportLayout::kRecall01));
  std::map<std::string, OrderedJson> by_id;
  bool chunks_began = false;
  for (const std::string& line : lines) {
    const OrderedJson json = OrderedJson::parse(line);
    // Documents precede chunks, and every field exists with the type that recall 0.1 requires.
    const bool is_chunk = json["type"] == "chunk";
    EXPECT_TRUE(is_chunk || !chunks_began);
    chunks_began = is_chunk;
    for (const char* field : {"id", is_chunk ? "doc_id" : "path", is_chunk ? "text" : "mtime",
                              is_chunk ? "embedding" : "hash"}) {
      ASSERT_TRUE(json[field].is_string()) << line;
    }
    for (const char* field : {is_chunk ? "offset" : "size", is_chunk ? "tokens" : "size"}) {
      ASSERT_TRUE(json[field].is_number_integer()) << line;
    }
    ASSERT_TRUE(is_chunk || json["meta"].is_string() || json["meta"].is_null());
    by_id[json["id"]] = json;
  }
  for (const OldDocument& doc : docs) {
    OrderedJson expected = OrderedJson::parse(OldDocLine(doc));
    OrderedJson found = by_id[doc.id];
    // Only the size of the original file is lost.
    expected.erase("size");
    found.erase("size");
    EXPECT_EQ(found, expected);
    for (const OldChunk& chunk : doc.chunks) {
      EXPECT_EQ(by_id[chunk.id], OrderedJson::parse(OldChunkLine(chunk)));
    }
  }
}

TEST_F(PublishedTest, OurOwnExportsInThatLayoutComeBackWithTheirIds) {
  std::mt19937_64 random(TestSeed(45));
  std::string cjk;
  for (int i = 0; i < 5000; ++i) cjk += i % 3 == 0 ? "\xE6\xBC\xA2" : "\xE5\xAD\x97";
  WriteFile("cjk.txt", cjk);  // chunks that start inside a word
  WriteFile("empty.txt", "");
  WriteFile("code.cc", "int f() {\n    return 1;\n}\n\n  int g() {\n\treturn 2;\n}\n");
  for (int i = 0; i < 10; ++i) WriteFile(std::to_string(i) + ".md", RandomText(random, 900));
  Add();
  const std::string published = Export(ExportLayout::kRecall01);
  std::map<std::string, std::string> texts;
  for (const std::string& line : Lines(published)) {
    const OrderedJson json = OrderedJson::parse(line);
    if (json["type"] == "chunk") texts[json["id"]] = json["text"];
  }
  Create(Hashed());
  const ImportReport report = ImportOk(published);
  EXPECT_EQ(report.chunks, static_cast<int64_t>(texts.size()));
  for (const auto& [id, text] : texts) {
    ASSERT_OK_AND_ASSIGN(const GetResponse found, database_->Get({.target = id, .verify = false}));
    EXPECT_EQ(found.chunk.id, id);
    EXPECT_EQ(found.chunk.text, text);
  }
  // Everything except the size of the original, which becomes that of the rebuilt text.
  const auto without_size = [](const std::string& lines) {
    std::string text;
    for (const std::string& line : Lines(lines)) {
      OrderedJson json = OrderedJson::parse(line);
      json.erase("size");
      text += json.dump() + "\n";
    }
    return text;
  };
  EXPECT_EQ(without_size(Export(ExportLayout::kRecall01)), without_size(published));
}

TEST_F(PublishedTest, AddingTheFilesBringsTheOriginalTextBack) {
  const std::string text = "first  line\n\tindented   words\n\n\nlast\n";
  WriteFile("a.txt", text);
  const OldDocument doc = MakeOldDocument("a.txt", text, 256, 32);
  ImportOk(OldExport({doc}));
  ASSERT_OK_AND_ASSIGN(const GetResponse rebuilt,
                       database_->Get({.target = "a.txt", .verify = true}));
  EXPECT_EQ(rebuilt.chunk.text, "first line indented words\nlast");
  EXPECT_EQ(rebuilt.verify, VerifyOutcome::kSame);  // the file is the one that was added
  EXPECT_EQ(Add().updated, 1);
  ASSERT_OK_AND_ASSIGN(const GetResponse whole,
                       database_->Get({.target = "a.txt", .verify = true}));
  EXPECT_EQ(whole.chunk.text, text);
  EXPECT_EQ(whole.doc.id, doc.id);
  EXPECT_EQ(whole.verify, VerifyOutcome::kSame);
  // Importing the old export again does not replace the document by the rebuilt text.
  const ImportReport again = ImportOk(OldExport({doc}));
  EXPECT_EQ(again.updated, 0);
  EXPECT_EQ(database_->Get({.target = "a.txt", .verify = false})->chunk.text, text);
  WriteFile("a.txt", text + "more");
  EXPECT_EQ(database_->Get({.target = "a.txt", .verify = true})->verify, VerifyOutcome::kChanged);
}

TEST_F(PublishedTest, VerifyOfARebuiltTextLooksAtTheHashOfTheFile) {
  const std::string text = "one  two\nthree\n";
  WriteFile("a.txt", text);
  const OldDocument doc = MakeOldDocument("a.txt", text, 2, 0);
  ImportOk(OldExport({doc}));
  EXPECT_EQ(database_->Get({.target = doc.chunks[0].id, .verify = true})->verify,
            VerifyOutcome::kSame);
  WriteFile("a.txt", text + "four");
  EXPECT_EQ(database_->Get({.target = "a.txt", .verify = true})->verify, VerifyOutcome::kChanged);
  EXPECT_EQ(database_->Get({.target = doc.chunks[0].id, .verify = true})->verify,
            VerifyOutcome::kChanged);
  std::filesystem::remove(dir_ / "a.txt");
  EXPECT_EQ(database_->Get({.target = "a.txt", .verify = true})->verify, VerifyOutcome::kNoFile);
}

TEST_F(PublishedTest, IdsThatBreakTheRuleAreComputedAnew) {
  OldDocument doc = MakeOldDocument("a.txt", "one two three four", 2, 0);
  const OldDocument right = doc;
  doc.id = "doc-1";
  doc.chunks[0].id = "chunk-1";
  for (OldChunk& chunk : doc.chunks) chunk.doc_id = doc.id;
  const ImportReport report = ImportOk(OldExport({doc}));
  EXPECT_EQ(WarningOf(report, "document ids that do not match path and hash: 1 (first: 'a.txt')"),
            "document ids that do not match path and hash: 1 (first: 'a.txt'); computed anew");
  WarningOf(report, "chunk ids that do not match document id and offset: 1 (first: line 2)");
  ExpectHolds(*database_, {right});
}

TEST_F(PublishedTest, PathsThatAreNotNormalisedStay) {
  std::vector<OldDocument> docs;
  for (const char* path : {"./a.txt", "b//c.txt", "../d.txt", "/abs/e.txt"}) {
    docs.push_back(MakeOldDocument(path, std::string("words of ") + path, 10, 0));
  }
  const ImportReport report = ImportOk(OldExport(docs));
  WarningOf(report, "paths that are not normalised: 3 (first: '../d.txt')");
  ExpectHolds(*database_, docs);
}

TEST_F(PublishedTest, LoneChunksAndBareDocumentsAreTold) {
  OldDocument full = MakeOldDocument("a.txt", "one two three", 10, 0);
  OldDocument bare = MakeOldDocument("b.txt", "four five", 10, 0);
  const OldDocument empty = MakeOldDocument("empty.txt", "", 10, 0);
  OldChunk lone = bare.chunks[0];
  lone.doc_id = std::string(64, 'f');
  bare.chunks.clear();
  const ImportReport report = ImportOk(OldExport({full, bare, empty}) + OldChunkLine(lone));
  EXPECT_EQ(report.added, 3);
  EXPECT_EQ(report.chunks, 3) << "one of each without text, for its name";
  EXPECT_EQ(report.warnings.size(), 2u) << ::testing::PrintToString(report.warnings);
  WarningOf(report, "documents without chunks: 1 (first: 'b.txt')");
  WarningOf(report, "chunks without a document: 1 (first: line 5)");
  ExpectHolds(*database_, {full, bare, empty});
}

TEST_F(PublishedTest, TheLastOfRepeatedLinesCounts) {
  OldDocument doc = MakeOldDocument("a.txt", "one two three four", 2, 0);
  OldDocument tagged = doc;
  tagged.tag = "later";
  OldChunk changed = doc.chunks[1];
  changed.text = "drei vier";
  changed.embedding = OldEmbedding(changed.text);
  const ImportReport report = ImportOk(OldExport({doc, tagged}) + OldChunkLine(changed));
  WarningOf(report, "documents that occur more than once: 1 (first: line 1)");
  // Each document's chunks were written, so the second pair repeats the first.
  WarningOf(report, "chunks that occur more than once: 3");
  tagged.chunks[1] = changed;
  ExpectHolds(*database_, {tagged});
}

TEST_F(PublishedTest, TwoVersionsOfOnePathLeaveTheLastOne) {
  const OldDocument older = MakeOldDocument("a.txt", "the older text", 10, 0);
  const OldDocument newer = MakeOldDocument("a.txt", "the newer text", 10, 0);
  const ImportReport report = ImportOk(OldExport({older, newer}));
  EXPECT_EQ(report.added, 1);
  WarningOf(report, "documents that occur more than once: 1");
  WarningOf(report, "chunks without a document: 1");
  ExpectHolds(*database_, {newer});
}

TEST_F(PublishedTest, VectorsOfAnotherEmbedderAreMadeAnew) {
  OldDocument foreign = MakeOldDocument("a.txt", "one two three", 10, 0);
  foreign.chunks[0].embedding = OldEmbedding("something else entirely");
  OldDocument small = MakeOldDocument("b.txt", "four five six", 10, 0, 64);
  OldDocument odd = MakeOldDocument("c.txt", "seven eight", 10, 0);
  odd.chunks[0].embedding = "abc";
  OldDocument none = MakeOldDocument("d.txt", "nine ten", 10, 0);
  none.chunks[0].embedding = "";
  const ImportReport report = ImportOk(OldExport({foreign, small, odd, none}));
  EXPECT_EQ(report.vectors_taken, 0);
  EXPECT_EQ(report.vectors_rebuilt, 4);
  WarningOf(report, "vectors that do not match the text: 1");
  WarningOf(report, "vectors of another dimension: 2");
  for (const char* query : {"one two three", "four five six", "seven eight", "nine ten"}) {
    const SearchResponse response = Search(query, SearchMode::kSemantic, 1);
    ASSERT_EQ(response.hits.size(), 1u);
    EXPECT_GT(response.hits[0].score, 0.99);
  }
}

TEST_F(PublishedTest, OddMetadataTimesAndHashesAreKeptAsWellAsCanBe) {
  OldDocument doc = MakeOldDocument("a.txt", "one two", 10, 0);
  doc.meta = "not { json";
  doc.mtime = "yesterday";
  OldDocument list = MakeOldDocument("b.txt", "three", 10, 0);
  list.meta = "[1]";
  list.mtime = "";
  OldDocument hashless = MakeOldDocument("c.txt", "four", 10, 0);
  hashless.hash = "none";
  const ImportReport report = ImportOk(OldExport({doc, list, hashless}));
  WarningOf(report, "metadata that is not a JSON object: 2 (first: 'a.txt')");
  WarningOf(report, "times that cannot be read: 1 (first: 'a.txt')");
  WarningOf(report, "hashes that are not SHA-256: 1 (first: 'c.txt')");
  EXPECT_EQ(database_->Get({.target = "a.txt", .verify = false})->doc.meta_json,
            R"({"meta":"not { json"})");
  EXPECT_EQ(database_->Get({.target = "b.txt", .verify = false})->doc.meta_json,
            R"({"meta":"[1]"})");
  EXPECT_EQ(database_->Get({.target = "a.txt", .verify = false})->doc.mtime, "");
  EXPECT_EQ(database_->Get({.target = "c.txt", .verify = false})->doc.hash,
            ToHex(Sha256(std::string_view("four"))));
}

TEST_F(PublishedTest, FaultsAreErrorsWithTheirLine) {
  const OldDocument doc = MakeOldDocument("a.txt", "one two three four", 2, 0);
  const std::string good = OldExport({doc});
  struct Case {
    size_t line;
    std::function<void(OrderedJson&)> edit;
    std::string message;
  };
  const Case cases[] = {
      {1, [](OrderedJson& line) { line.erase("path"); }, "\"path\" is missing"},
      {1, [](OrderedJson& line) { line["path"] = ""; }, "\"path\" is empty"},
      {1, [](OrderedJson& line) { line["hash"] = 5; }, "\"hash\" is not a string"},
      {1, [](OrderedJson& line) { line["meta"] = 5; }, "\"meta\" is not an object"},
      {2, [](OrderedJson& line) { line["offset"] = -1; }, "\"offset\" must be between 0 and"},
      {2, [](OrderedJson& line) { line["offset"] = "2"; }, "\"offset\" is not a whole number"},
      {2, [](OrderedJson& line) { line["tokens"] = 2.5; }, "\"tokens\" is not a whole number"},
      {3, [](OrderedJson& line) { line.erase("text"); }, "\"text\" is missing"},
      {3, [](OrderedJson& line) { line["embedding"] = "*"; }, "\"embedding\" is not base64"},
      {3, [](OrderedJson& line) { line["type"] = "blob"; }, "unknown line type 'blob'"},
  };
  for (const Case& each : cases) {
    std::string text;
    const auto lines = Lines(good);
    for (size_t i = 0; i < lines.size(); ++i) {
      OrderedJson json = OrderedJson::parse(lines[i]);
      if (i + 1 == each.line) each.edit(json);
      text += json.dump() + "\n";
    }
    const auto report = Import(*database_, text);
    ASSERT_FALSE(report.has_value()) << each.message;
    EXPECT_EQ(report.error().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(report.error().message().find(each.message), std::string_view::npos)
        << report.error().ToString();
    ASSERT_NE(report.error().position(), nullptr);
    EXPECT_EQ(report.error().position()->line, static_cast<int64_t>(each.line));
    EXPECT_EQ(database_->Stats()->store.docs, 0);
  }
}

TEST_F(PublishedTest, DocumentsThatAreTooLargeAreRefused) {
  std::mt19937_64 random(TestSeed(46));
  const OldDocument doc = MakeOldDocument("a.txt", RandomText(random, 5000), 40, 0);
  ImportRequest request;
  request.max_document_bytes = 50'000;
  const auto report = Import(*database_, OldExport({doc}), request);
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code(), StatusCode::kLimitExceeded);
  EXPECT_EQ(report.error().position()->line, 1);
}

TEST_F(PublishedTest, NamesThatAreNotUtf8AreWrittenReadably) {
  // As recall 0.1 stored such files; our `add` skips them.
  const std::string path = OtherPath("latin.jsonl");
  std::ofstream(path) << OldExport({MakeOldDocument("a.txt", "words", 10, 0)});
  ImportRequest request;
  request.path = path;
  ASSERT_OK(database_->Import(request));
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto write, store->BeginWrite());
    ASSERT_OK(write->connection().Execute(
        "UPDATE doc SET path = CAST(x'66E97465' AS TEXT), meta = 'no json'"));
    ASSERT_OK(write->Commit());
  }
  Reopen();
  ExportRequest to_text;
  to_text.layout = ExportLayout::kRecall01;
  std::string lines;
  ASSERT_OK_AND_ASSIGN(const ExportReport report,
                       database_->Export(to_text, [&](std::string_view piece) {
                         lines += piece;
                         return Status::Ok();
                       }));
  EXPECT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(OrderedJson::parse(Lines(lines)[0])["path"], "f\xEF\xBF\xBDte");
  to_text.layout = ExportLayout::kRecall;
  ASSERT_OK_AND_ASSIGN(const ExportReport own,
                       database_->Export(to_text, [](std::string_view) { return Status::Ok(); }));
  EXPECT_EQ(own.warnings.size(), 1u);  // the metadata
}

}  // namespace
}  // namespace recall
