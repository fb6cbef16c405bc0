// Imports into a store that already has documents, and rejected imports.

#include <sys/stat.h>
#include <nlohmann/json.hpp>

#include <functional>

#include "tests/query/exchange/transfer_fixture.h"

namespace recall {
namespace {

using OrderedJson = nlohmann::ordered_json;

class ImportTest : public TransferFixture {
 protected:
  void SetUp() override {
    TransferFixture::SetUp();
    WriteFile("a.md", "---\ntitle: A\n---\n# One\n\nalpha beta\n\n# Two\n\ngamma delta\n");
    WriteFile("b.txt", "epsilon zeta eta\n");
    WriteFile("c/d.txt", std::string(3000, 'x') + " end\n");
    AddRequest request;
    request.extract_meta = true;
    Add(request);
    exported_ = Export();
  }

  // The export with its lines changed as JSON.
  std::string Edited(const std::function<void(std::vector<OrderedJson>&)>& edit) {
    std::vector<OrderedJson> lines;
    for (const std::string& line : Lines(exported_)) lines.push_back(OrderedJson::parse(line));
    edit(lines);
    std::string text;
    for (const OrderedJson& line : lines) text += line.dump() + "\n";
    return text;
  }

  // The line numbers, from 1, of all lines of a type.
  std::vector<size_t> LinesOfType(const std::string& type) {
    std::vector<size_t> numbers;
    const auto lines = Lines(exported_);
    for (size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].starts_with("{\"type\":\"" + type + "\"")) numbers.push_back(i + 1);
    }
    return numbers;
  }

  // Imports into a new store with one document, which must not change.
  void ExpectRefused(const std::string& lines, int64_t line, const std::string& message,
                     StatusCode code = StatusCode::kInvalidArgument) {
    SCOPED_TRACE(message);
    const std::string name = "refuses" + std::to_string(++refused_) + ".db";
    auto database = NewDatabase(name);
    WriteFile("own.txt", "the store's own document");
    AddRequest own;
    own.paths = {dir_ / "own.txt"};
    ASSERT_OK(database->Add(own));
    const std::string before = Export(*database);
    ASSERT_OK_AND_ASSIGN(const StatsReport stats, database->Stats());
    for (const bool dry_run : {true, false}) {
      ImportRequest request;
      request.dry_run = dry_run;
      const auto report = Import(*database, lines, request);
      ASSERT_FALSE(report.has_value());
      const Status& error = report.error();
      EXPECT_EQ(error.code(), code) << error.ToString();
      EXPECT_NE(error.message().find(message), std::string_view::npos) << error.ToString();
      ASSERT_NE(error.position(), nullptr) << error.ToString();
      EXPECT_EQ(error.position()->line, line) << error.ToString();
      EXPECT_LT(error.position()->excerpt.size(), 1000u);
      EXPECT_LT(error.message().size(), 1000u);
      EXPECT_TRUE(error.message().starts_with(OtherPath("import.jsonl: "))) << error.ToString();
    }
    EXPECT_EQ(Export(*database), before);
    EXPECT_EQ(database->Stats()->store.snapshot, stats.store.snapshot);
  }

  void ExpectRefusedAt(size_t line, const std::function<void(OrderedJson&)>& edit,
                       const std::string& message) {
    ExpectRefused(Edited([&](auto& lines) { edit(lines[line - 1]); }), static_cast<int64_t>(line),
                  message);
  }

  std::string exported_;
  int refused_ = 0;
};

TEST_F(ImportTest, EveryFieldOfADocumentIsHeldToItsText) {
  const size_t doc = LinesOfType("doc")[1];
  const auto refuse = [&](const char* field, const OrderedJson& value, const std::string& message) {
    ExpectRefusedAt(
        doc, [&](OrderedJson& line) { line[field] = value; }, message);
  };
  refuse("id", std::string(64, 'a'), "\"id\" does not match path and hash");
  refuse("id", "short", "\"id\" is not 64 hexadecimal digits");
  refuse("id", 7, "\"id\" is not a string");
  refuse("path", "", "\"path\" is empty or contains a NUL");
  refuse("path", std::string("a\0b", 3), "\"path\" is empty or contains a NUL");
  refuse("path", "other.txt", "\"id\" does not match path and hash");
  refuse("mtime", "yesterday", "\"mtime\" is not an RFC 3339 time");
  refuse("size", 3, "\"size\" is 3, but the text has 17 bytes");
  refuse("size", -1, "\"size\" must be between 0 and");
  refuse("size", 1.5, "\"size\" is not a whole number");
  refuse("hash", std::string(64, 'b'), "\"hash\" is not the SHA-256 of the text");
  refuse("tag", OrderedJson::array(), "\"tag\" is not a string");
  refuse("meta", "{}", "\"meta\" is not an object");
  refuse("meta", OrderedJson::array(), "\"meta\" is not an object");
  refuse("parser", "auto", "\"parser\" is not the name of a parser");
  refuse("chunks", 2, "\"chunks\" is 2, but 1 chunk lines follow");
  refuse("text", "epsilon zeta eta?", "\"hash\" is not the SHA-256 of the text");
  for (const char* field : {"id", "path", "size", "hash", "parser", "chunks", "text"}) {
    ExpectRefusedAt(
        doc, [&](OrderedJson& line) { line.erase(field); },
        "\"" + std::string(field) + "\" is missing");
  }
}

TEST_F(ImportTest, EveryFieldOfAChunkIsHeldToItsText) {
  const size_t chunk = LinesOfType("chunk")[1];
  const auto refuse = [&](const char* field, const OrderedJson& value, const std::string& message) {
    ExpectRefusedAt(
        chunk, [&](OrderedJson& line) { line[field] = value; }, message);
  };
  refuse("id", std::string(64, 'a'), "\"id\" does not match document id and offset");
  refuse("doc_id", std::string(64, 'a'), "\"doc_id\" is not the id of the document above");
  refuse("offset", 1, "\"id\" does not match document id and offset");
  refuse("byte_in_token", 1, "\"id\" does not match document id and offset");
  refuse("tokens", 1, "tokens is 1, but the number of words in the chunk is");
  refuse("start_byte", 1 << 20, "the chunk has no bytes");
  refuse("end_byte", 1 << 20, "end_byte is 1048576, but the text ends at");
  refuse("start_line", 1, "start_line is 1, but the chunk starts in line");
  refuse("end_line", 99, "end_line is 99, but the chunk ends in line");
  refuse("heading", nullptr, "\"heading\" is not a string");
  refuse("scale", 1, "\"scale\" is not 1 / length of the vector");
  refuse("scale", -0.5, "\"scale\" is not 1 / length of the vector");
  refuse("vector", "AAAA", "\"vector\" has 3 components, expected 256");
  refuse("vector", "AAA", "\"vector\" is not base64");
  for (const char* field : {"id", "doc_id", "offset", "tokens", "start_byte", "heading"}) {
    ExpectRefusedAt(
        chunk, [&](OrderedJson& line) { line.erase(field); },
        "\"" + std::string(field) + "\" is missing");
  }
}

TEST_F(ImportTest, AnOffsetThatFitsItsIdMustFitTheTextToo) {
  const size_t chunk = LinesOfType("chunk")[1];
  const std::string text = Edited([&](auto& lines) {
    OrderedJson& line = lines[chunk - 1];
    const auto bytes = FromHex(line["doc_id"].template get<std::string>());
    Digest doc_id;
    std::copy(bytes->begin(), bytes->end(), doc_id.begin());
    line["offset"] = 99;
    line["id"] = ToHex(MakeChunkId(doc_id, 99));
  });
  ExpectRefused(text, static_cast<int64_t>(chunk), "offset is 99, but the chunk starts in word");
}

TEST_F(ImportTest, WhatIsNoExportIsRefusedAtItsFirstLine) {
  ExpectRefused("hello world\n", 1, "invalid JSON");
  ExpectRefused("[1, 2]\n", 1, "not a JSON object");
  ExpectRefused("\n\n{}\n", 3, "\"type\" is missing");
  ExpectRefused("{\"type\": \"letter\"}\n", 1, "unknown line type 'letter'");
  ExpectRefused("{\"type\": \"" + std::string(100'000, 'x') + "\"}\n", 1,
                "unknown line type 'xxxx");
  ExpectRefused(std::string(100'000, '[') + "\n", 1, "not a JSON object");
}

TEST_F(ImportTest, LinesAreRefusedWhereTheyStand) {
  const auto with_line = [&](size_t number, const std::string& line) {
    auto lines = Lines(exported_);
    lines.insert(lines.begin() + static_cast<ptrdiff_t>(number) - 1, line);
    std::string text;
    for (const std::string& each : lines) text += each + "\n";
    return text;
  };
  const size_t doc = LinesOfType("doc")[2];
  const auto number = static_cast<int64_t>(doc);
  ExpectRefused(with_line(doc, "{\"type\":\"doc\""), number, "invalid JSON");
  ExpectRefused(with_line(doc, "{\"type\":\"doc\",\"path\":\"\xFF\"}"), number, "invalid JSON");
  ExpectRefused(with_line(doc, "{\"type\":\"doc\",\"path\":\"a\",\"path\":\"b\"}"), number,
                "\"path\" occurs twice");
  ExpectRefused(with_line(doc, "{\"type\":\"surprise\"}"), number, "unknown line type 'surprise'");
  ExpectRefused(with_line(doc, Lines(exported_)[0]), number, "unknown line type 'recall_export'");
  ExpectRefused(with_line(2, Lines(exported_)[LinesOfType("chunk")[0] - 1]), 2,
                "a chunk without a preceding document");
  // The column points into the line.
  auto database = NewDatabase("column.db");
  const auto report = Import(*database, with_line(doc, "{\"type\": nonsense}"));
  EXPECT_EQ(report.error().position()->column, 11);
  EXPECT_NE(report.error().position()->excerpt.find("nonsense"), std::string::npos);
}

TEST_F(ImportTest, ACutFileIsNotTakenForAWholeOne) {
  const auto lines = Lines(exported_);
  for (size_t count = 1; count < lines.size(); ++count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += lines[i] + "\n";
    auto database = NewDatabase("cut" + std::to_string(count) + ".db");
    const auto report = Import(*database, text);
    ASSERT_FALSE(report.has_value()) << count << " lines";
    EXPECT_EQ(report.error().code(), StatusCode::kInvalidArgument);
    ASSERT_NE(report.error().position(), nullptr);
    EXPECT_LE(report.error().position()->line, static_cast<int64_t>(count));
    EXPECT_EQ(database->Stats()->store.docs, 0);
  }
}

TEST_F(ImportTest, DocumentsComeSortedAndOnce) {
  const size_t first = LinesOfType("doc")[0];
  const size_t second = LinesOfType("doc")[1];
  const std::string twice = Edited([&](auto& lines) {
    const std::vector<OrderedJson> again(lines.begin() + static_cast<ptrdiff_t>(first) - 1,
                                         lines.begin() + static_cast<ptrdiff_t>(second) - 1);
    lines.insert(lines.end(), again.begin(), again.end());
    lines[0].erase("docs");
    lines[0].erase("chunks");
  });
  ExpectRefused(twice, static_cast<int64_t>(Lines(exported_).size() + 1),
                "the document 'a.md' does not sort after the preceding document 'c/d.txt'");
}

TEST_F(ImportTest, TheFirstErrorOfTheFileIsTheOneReported) {
  const auto docs = LinesOfType("doc");
  const std::string text = Edited([&](auto& lines) {
    lines[docs[0] - 1]["size"] = 1;
    lines[docs[2] - 1]["type"] = "broken";
  });
  ExpectRefused(text, static_cast<int64_t>(docs[0]), "\"size\" is 1");
}

TEST_F(ImportTest, NewerExportsAreRefusedInWords) {
  auto database = NewDatabase("newer.db");
  const auto report = Import(*database, Edited([](auto& lines) { lines[0]["version"] = 2; }));
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code(), StatusCode::kUnsupported);
  EXPECT_EQ(report.error().hint(), "use a newer version of recall");
}

TEST_F(ImportTest, FieldsOfLaterVersionsAreIgnoredHoweverTheyNest) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  std::string text;
  for (const std::string& line : Lines(exported_)) {
    text +=
        line.substr(0, line.size() - 1) + ",\"later\":{\"type\":\"doc\",\"x\":" + deep + "}}\r\n";
  }
  auto database = NewDatabase("later.db");
  ASSERT_OK(Import(*database, text));
  EXPECT_EQ(Export(*database), exported_);
}

TEST_F(ImportTest, OtherSpellingsOfTheSameJsonMeanTheSame) {
  std::string text = "\n";
  for (const std::string& line : Lines(exported_)) {
    // Changes the order of the keys, so that `type` is last, and adds white space.
    const auto fields = nlohmann::json::parse(line);
    text += " \t" + fields.dump(-1, ' ', /*ensure_ascii=*/true) + " \n\n";
  }
  auto database = NewDatabase("spelling.db");
  ASSERT_OK(Import(*database, text));
  EXPECT_EQ(Export(*database), exported_);
}

TEST_F(ImportTest, LimitsHoldForOneDocumentWithItsChunks) {
  const auto docs = LinesOfType("doc");
  const auto lines = Lines(exported_);
  const uint64_t doc_line = lines[docs[2] - 1].size();
  const uint64_t chunk_line = lines[docs[2]].size();
  auto database = NewDatabase("limit.db");
  const auto import = [&](uint64_t limit) {
    ImportRequest request;
    request.max_document_bytes = limit;
    return Import(*database, exported_, request);
  };
  for (const uint64_t limit : {doc_line - 1, doc_line, doc_line + chunk_line - 1}) {
    const auto report = import(limit);
    ASSERT_FALSE(report.has_value()) << limit;
    EXPECT_EQ(report.error().code(), StatusCode::kLimitExceeded);
    ASSERT_NE(report.error().position(), nullptr);
    EXPECT_EQ(report.error().position()->line,
              static_cast<int64_t>(limit < doc_line ? docs[2] : docs[2] + 1));
    EXPECT_EQ(database->Stats()->store.docs, 0);
  }
  ASSERT_OK(import(doc_line + chunk_line + 100));
}

// Chunks of a few bytes that each span the whole text would take gigabytes to index.
TEST_F(ImportTest, ChunksThatRepeatTheTextTooOftenAreRefused) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "w" + std::to_string(i) + " ";
  const Digest hash = Sha256(text);
  const Digest id = MakeDocId("x", hash);
  std::string lines = "{\"type\":\"recall_export\",\"version\":1}\n";
  lines += OrderedJson({{"type", "doc"},
                        {"id", ToHex(id)},
                        {"path", "x"},
                        {"size", text.size()},
                        {"hash", ToHex(hash)},
                        {"parser", "plain"},
                        {"chunks", 900},
                        {"text", text}})
               .dump() +
           "\n";
  size_t start = 0;
  for (int i = 0; i < 900; ++i) {
    lines += OrderedJson({{"type", "chunk"},
                          {"id", ToHex(MakeChunkId(id, static_cast<uint64_t>(i)))},
                          {"doc_id", ToHex(id)},
                          {"offset", i},
                          {"byte_in_token", 0},
                          {"tokens", 1000 - i},
                          {"start_byte", start},
                          {"end_byte", text.size()},
                          {"start_line", 1},
                          {"end_line", 1},
                          {"heading", ""}})
                 .dump() +
             "\n";
    start = text.find(' ', start) + 1;
  }
  const auto report = Import(*database_, lines);
  ASSERT_FALSE(report.has_value());
  EXPECT_NE(report.error().message().find("the chunks overlap too much"), std::string_view::npos)
      << report.error().ToString();
}

TEST_F(ImportTest, LiveDocumentsAreReplacedRefreshedOrLeft) {
  auto database = NewDatabase("target.db");
  const auto put = [&](const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(OtherPath(name)).parent_path());
    std::ofstream(OtherPath(name)) << text;
  };
  put("b.txt", "an older text about walruses\n");
  put("c/d.txt", std::string(3000, 'x') + " end\n");
  put("z.txt", "only here");
  AddRequest request;
  request.paths = {OtherPath("b.txt"), OtherPath("c"), OtherPath("z.txt")};
  request.tag = "old tag";
  ASSERT_OK(database->Add(request));
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*database, exported_));
  EXPECT_EQ(report.added, 1);
  EXPECT_EQ(report.updated, 1);
  EXPECT_EQ(report.refreshed, 1);  // removes the tag and adds the time
  EXPECT_EQ(report.unchanged, 0);
  const auto paths = [&](const std::string& query) {
    SearchRequest search;
    search.text = query;
    search.mode = SearchMode::kLexical;
    const auto response = database->Search(search);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    return Paths(*response);
  };
  EXPECT_EQ(paths("walruses"), std::vector<std::string>());
  EXPECT_EQ(paths("epsilon"), std::vector<std::string>{"b.txt"});
  EXPECT_EQ(paths("only"), std::vector<std::string>{"z.txt"});
  // All documents of the export are unchanged, next to those that only the store had.
  const auto lines = Lines(Export(*database));
  const auto before = Lines(exported_);
  for (size_t i = 1; i < before.size(); ++i) EXPECT_EQ(lines[i], before[i]);
  EXPECT_EQ(lines.size(), before.size() + 2);
  RemoveRequest purge;
  purge.purge = true;
  ASSERT_OK(database->Remove(purge));
  database.reset();
  CheckStore(OtherPath("target.db"));
}

TEST_F(ImportTest, DryRunSaysWhatWouldHappen) {
  auto database = NewDatabase("dry.db");
  ImportRequest request;
  request.dry_run = true;
  ASSERT_OK_AND_ASSIGN(const ImportReport planned, Import(*database, exported_, request));
  EXPECT_EQ(database->Stats()->store.docs, 0);
  ASSERT_OK_AND_ASSIGN(const ImportReport done, Import(*database, exported_));
  EXPECT_EQ(planned.added, done.added);
  EXPECT_EQ(planned.chunks, done.chunks);
  EXPECT_EQ(planned.vectors_taken, done.vectors_taken);
  EXPECT_EQ(planned.lines, done.lines);
}

TEST_F(ImportTest, BatchesStayAndTheNextRunGoesOn) {
  std::mt19937_64 random(TestSeed(31));
  for (int i = 0; i < 50; ++i) WriteFile("n/" + std::to_string(i), RandomText(random, 50));
  Add();
  exported_ = Export();
  const auto docs = LinesOfType("doc");
  ASSERT_EQ(docs.size(), 53u);
  // The 40th document is invalid, so three batches of 10 are committed.
  const std::string broken =
      Edited([&](auto& lines) { lines[docs[39] - 1]["hash"] = std::string(64, '0'); });
  auto database = NewDatabase("batches.db");
  ImportRequest request;
  request.batch_docs = 10;
  const auto failed = Import(*database, broken, request);
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().position()->line, static_cast<int64_t>(docs[39]));
  EXPECT_EQ(database->Stats()->store.docs, 30);
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*database, exported_, request));
  EXPECT_EQ(report.unchanged, 30);
  EXPECT_EQ(report.added, 23);
  EXPECT_EQ(Export(*database), exported_);
  database.reset();
  CheckStore(OtherPath("batches.db"));
}

TEST_F(ImportTest, CancelLeavesTheStoreAsItWas) {
  auto database = NewDatabase("cancelled.db");
  database->Cancel();
  ASSERT_OK_AND_ASSIGN(const ImportReport report, Import(*database, exported_));
  EXPECT_TRUE(report.cancelled);
  EXPECT_EQ(report.added, 0);
  database = OpenOther("cancelled.db");
  EXPECT_EQ(database->Stats()->store.docs, 0);
}

TEST_F(ImportTest, TheStoreItselfIsNeitherReadNorOverwritten) {
  ASSERT_EQ(::link(StorePath().c_str(), (dir_ / "hard-link").c_str()), 0);
  std::filesystem::create_symlink("recall.db", dir_ / "soft-link");
  for (const std::string name : {"recall.db", "hard-link", "soft-link", "./recall.db"}) {
    ImportRequest import;
    import.path = dir_ / name;
    const auto imported = database_->Import(import);
    ASSERT_FALSE(imported.has_value()) << name;
    EXPECT_EQ(imported.error().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(imported.error().message().find("is the store itself"), std::string_view::npos);
  }
  for (const std::string name : {"recall.db", "soft-link", "recall.db-wal", "recall.db-shm"}) {
    ExportRequest request;
    request.out_path = dir_ / name;
    const auto report = database_->Export(request);
    ASSERT_FALSE(report.has_value()) << name;
    EXPECT_EQ(report.error().code(), StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(Export(), exported_);
  std::filesystem::remove(dir_ / "hard-link");
}

TEST_F(ImportTest, WhatIsNotThereIsNotFound) {
  ImportRequest request;
  request.path = dir_ / "no-such-file";
  EXPECT_EQ(database_->Import(request).error().code(), StatusCode::kNotFound);
  request.path = dir_.path();
  EXPECT_EQ(database_->Import(request).error().code(), StatusCode::kInvalidArgument);
}

// If bytes are lost or changed, the import fails with a position, or gives the same store.
TEST_F(ImportTest, DamageIsNeverTakenSilently) {
  std::mt19937_64 random(TestSeed(32));
  auto database = NewDatabase("damage.db");
  for (int run = 0; run < 300; ++run) {
    std::string damaged = exported_;
    const size_t at = random() % damaged.size();
    switch (random() % 3) {
      case 0:
        damaged[at] = static_cast<char>(random());
        break;
      case 1:
        damaged.erase(at, 1 + random() % 20);
        break;
      default:
        damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 50));
    }
    ImportRequest request;
    request.dry_run = true;
    const auto report = Import(*database, damaged, request);
    if (report) continue;  // labels, times, metadata and headings have no checksum
    ASSERT_NE(report.error().code(), StatusCode::kInternal) << report.error().ToString();
    ASSERT_NE(report.error().position(), nullptr) << report.error().ToString();
    ASSERT_GE(report.error().position()->line, 1);
  }
}

}  // namespace
}  // namespace recall
