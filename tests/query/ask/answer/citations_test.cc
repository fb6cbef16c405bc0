// Exact citations: the text that was cited, or word that it has changed or is gone; never another
// text.

#include <algorithm>
#include <map>
#include <random>

#include "query/ask/answer/cited_text.h"
#include "query/ask/answer/text_reference.h"
#include "query/ask/rows/whole_lines.h"
#include "tests/query/ask/retrieval/fake_snapshot.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class CitationsTest : public QueryFixture {
 protected:
  GetResponse Get(const std::string& target, bool verify = false) {
    auto response = database_->Get({.target = target, .verify = verify, .cite = true});
    EXPECT_TRUE(response.has_value()) << target << ": " << response.error().ToString();
    return response ? *response : GetResponse();
  }

  Status ErrorOf(const std::string& target) {
    auto response = database_->Get({.target = target});
    EXPECT_FALSE(response.has_value()) << target << ": " << response->chunk.text;
    return response ? Status::Ok() : response.error();
  }

  // The exact citation of a target, as `get --cite` prints it.
  std::string Cite(const std::string& target) {
    const GetResponse found = Get(target);
    if (found.whole_doc) return ExactCitation(found.doc.path, found.doc.hash, std::nullopt);
    return ExactCitation(found.doc.path, found.chunk.lines_hash,
                         LineRange{found.chunk.start_line, found.chunk.end_line});
  }

  void AddFile(const std::string& path) {
    AddRequest request;
    request.paths = {dir_ / path};
    Add(request);
  }

  void Sync() {
    AddRequest request;
    request.sync = true;
    Add(request);
  }

  void Purge() {
    RemoveRequest request;
    request.purge = true;
    ASSERT_TRUE(database_->Remove(request).has_value());
  }

  void Remove(const std::string& path, bool purge = false) {
    RemoveRequest request;
    request.targets = {path};
    request.purge = purge;
    ASSERT_OK_AND_ASSIGN(const RemoveReport report, database_->Remove(request));
    ASSERT_EQ(report.removed.size(), 1u) << path;
  }
};

TEST_F(CitationsTest, LinesAreReadAsTheyArePrinted) {
  WriteFile("d/a.txt", "one\ntwo\nthree\nfour\n");
  WriteFile("d/odd:2-3.txt", "odd\n");
  Add();
  EXPECT_EQ(Get("d/a.txt:2-3").chunk.text, "two\nthree\n");
  EXPECT_EQ(Get("[d/a.txt:2-3]").chunk.text, "two\nthree\n");
  EXPECT_EQ(Get("[d/a.txt:2-3] Guide > [Install] now").chunk.text, "two\nthree\n");
  EXPECT_EQ(Get("d/a.txt:2").chunk.text, "two\n");
  EXPECT_EQ(Get("d/a.txt:3-").chunk.text, "three\nfour\n");
  EXPECT_EQ(Get("d/a.txt:2:2").chunk.text, "two\nthree\n");  // from:count
  EXPECT_EQ(Get("d/a.txt:3-99").chunk.text, "three\nfour\n");
  EXPECT_EQ(Get("d/odd:2-3.txt").chunk.text, "odd\n");
  for (const char* target : {"d/a.txt:0", "d/a.txt:0-2", "d/a.txt:3-2", "d/a.txt:2:0"}) {
    const Status error = ErrorOf(target);
    EXPECT_EQ(error.code(), StatusCode::kNotFound) << target;
    EXPECT_TRUE(error.hint().starts_with("lines count from 1")) << error.ToString();
  }
}

TEST_F(CitationsTest, AnEditElsewhereDoesNotChangeACitation) {
  WriteFile("a.txt", "one\ntwo\nthree");
  Add();
  const std::string cited = Cite("a.txt:2-3");
  WriteFile("a.txt", "ONE\ntwo\nthree\nfour\n");
  Add();
  const GetResponse same = Get(cited);
  EXPECT_EQ(same.citation, CitationOutcome::kSame);
  EXPECT_EQ(same.chunk.text, "two\nthree\n");
  EXPECT_EQ(same.now, "");
}

TEST_F(CitationsTest, MovedTextIsFound) {
  WriteFile("a.txt", "one\ntwo\nthree\n");
  Add();
  const std::string cited = Cite("a.txt:2-3");
  WriteFile("a.txt", "new\nlines\none\ntwo\nthree\n");
  Add();
  const GetResponse moved = Get(cited);
  EXPECT_EQ(moved.citation, CitationOutcome::kMoved);
  EXPECT_EQ(moved.chunk.text, "two\nthree\n");
  EXPECT_EQ(moved.chunk.start_line, 4u);
  EXPECT_EQ(moved.now, Cite("a.txt:4-5"));
  // Lines that were not cited exactly are those of the present text.
  EXPECT_EQ(Get("a.txt:2-3").chunk.text, "lines\none\n");
}

TEST_F(CitationsTest, ReplacedTextIsReadFromTheOldVersion) {
  WriteFile("a.txt", "one\ntwo\nthree\n");
  Add();
  const std::string lines = Cite("a.txt:2");
  const std::string whole = Cite("a.txt");
  WriteFile("a.txt", "one\n2\nthree\n");
  Add();
  for (const auto& [target, text] : {std::pair(lines, "two\n"), {whole, "one\ntwo\nthree\n"}}) {
    const GetResponse old = Get(target);
    EXPECT_EQ(old.citation, CitationOutcome::kReplaced) << target;
    EXPECT_EQ(old.chunk.text, text);
    EXPECT_EQ(old.now, "");
  }
  // A removed document is still in the snapshots before its removal.
  Remove("a.txt");
  EXPECT_EQ(Get(lines).chunk.text, "two\n");
}

TEST_F(CitationsTest, ARenamedDocumentIsFoundByItsText) {
  const std::string text = "The gateway retries twice.\nThen it gives up.\n";
  WriteFile("old.txt", text);
  WriteFile("other.txt", "The gateway retries twice, or not.\n");
  Add();
  const std::string cited = Cite("old.txt:1-2");
  std::filesystem::rename(dir_ / "old.txt", dir_ / "new.txt");
  Sync();
  const GetResponse found = Get(cited);
  EXPECT_EQ(found.citation, CitationOutcome::kReplaced);
  EXPECT_EQ(found.chunk.text, text);
  EXPECT_EQ(found.now, Cite("new.txt:1-2"));
}

TEST_F(CitationsTest, ADocumentInARenamedDirectoryIsFoundWithoutItsHistory) {
  WriteFile("old/a.txt", "one\ntwo\nthree\n");
  Add();
  const std::string cited = Cite("old/a.txt:2-3");
  std::filesystem::rename(dir_ / "old", dir_ / "new");
  Sync();
  Purge();
  const GetResponse found = Get(cited);
  EXPECT_EQ(found.citation, CitationOutcome::kMoved);
  EXPECT_EQ(found.doc.path, "new/a.txt");
  EXPECT_EQ(found.now, Cite("new/a.txt:2-3"));
}

// After a compaction only the hash is left of the cited text.
TEST_F(CitationsTest, TextThatMovedToAnotherDocumentIsFoundWithoutItsHistory) {
  WriteFile("a.txt", "zero\none\ntwo\nthree\n");
  WriteFile("gone.txt", "four\nfive\n");
  WriteFile("z.txt", "six\n");
  Add();
  const std::string edited = Cite("a.txt:2-3");
  const std::string removed = Cite("gone.txt:1-2");
  const std::string whole = Cite("gone.txt");
  WriteFile("a.txt", "zero\nthree\n");
  WriteFile("new/place.txt", "six\none\ntwo\n");
  std::filesystem::rename(dir_ / "gone.txt", dir_ / "renamed.txt");
  Sync();
  Purge();
  GetResponse found = Get(edited);
  EXPECT_EQ(found.citation, CitationOutcome::kMoved);
  EXPECT_EQ(found.chunk.text, "one\ntwo\n");
  EXPECT_EQ(found.now, Cite("new/place.txt:2-3"));
  found = Get(removed);
  EXPECT_EQ(found.citation, CitationOutcome::kMoved);
  EXPECT_EQ(found.now, Cite("renamed.txt:1-2"));
  found = Get(whole);
  EXPECT_EQ(found.citation, CitationOutcome::kMoved);
  EXPECT_EQ(found.now, Cite("renamed.txt"));
}

// A thousand documents of one size, and how much of them was read.
class ManyTexts final : public FakeTexts {
 public:
  ManyTexts(const FakeChunks& chunks, int64_t size) : FakeTexts(chunks), size_(size) {}

  Result<DocRow> ReadDoc(int64_t row) const override {
    DocRow doc;
    doc.row = row;
    doc.path = "d" + std::to_string(row);
    doc.size = size_;
    return doc;
  }
  Result<std::optional<DocRow>> FindDoc(std::string_view) const override {
    return std::optional<DocRow>();
  }
  Result<std::vector<DocRow>> FindRemovedVersions(std::string_view) const override {
    return std::vector<DocRow>();
  }
  Status ScanPaths(bool, const std::function<bool(const PathEntry&)>& visit) const override {
    for (int64_t row = 1; row <= 1000; ++row) {
      PathEntry entry;
      const std::string path = "d" + std::to_string(row);
      entry.path = path;
      entry.doc_row = row;
      if (!visit(entry)) break;
    }
    return {};
  }
  Result<std::string> ReadText(const DocRow& doc, uint64_t, uint64_t) const override {
    bytes_read += static_cast<uint64_t>(doc.size);
    return std::string(static_cast<size_t>(doc.size), 'x');
  }

  mutable uint64_t bytes_read = 0;

 private:
  const int64_t size_;
};

// A citation that nobody printed must not make a server read its whole store.
TEST(CitationsOfNothingTest, AreNotLookedForInAllOfALargeStore) {
  const FakeChunks chunks;
  for (const uint64_t lines : {1, 3, 1'000'000}) {
    for (const int64_t size : {int64_t{100}, int64_t{1} << 20}) {
      const ManyTexts texts(chunks, size);
      const TextReference cited{"gone.txt", "0123456789ab", LineRange{1, lines}};
      const auto found = FindCitedText(texts, "gone.txt", cited, nullptr);
      ASSERT_FALSE(found.has_value());
      EXPECT_EQ(found.error().code(), StatusCode::kCitationGone);
      EXPECT_LE(texts.bytes_read, kMostHashedBytes);
      if (lines > static_cast<uint64_t>(size) + 1) {
        EXPECT_EQ(texts.bytes_read, 0u) << lines;
      }
    }
  }
}

TEST_F(CitationsTest, WithoutTheTextItIsChangedOrGone) {
  WriteFile("a.txt", "one\ntwo\n");
  WriteFile("b.txt", "three\n");
  Add();
  const std::string a = Cite("a.txt:2");
  const std::string b = Cite("b.txt:1");
  WriteFile("a.txt", "one\n2\n");
  Add();
  Remove("b.txt", /*purge=*/true);
  EXPECT_EQ(ErrorOf(a).code(), StatusCode::kCitationChanged);
  EXPECT_EQ(ErrorOf(b).code(), StatusCode::kCitationGone);
}

TEST_F(CitationsTest, VerifySaysWhatDiffers) {
  WriteFile("a.txt", "one\ntwo\n");
  Add();
  const std::string cited = Cite("a.txt:2");
  EXPECT_EQ(Get(cited, true).verify, VerifyOutcome::kSame);
  WriteFile("a.txt", "one\n2\n");
  const GetResponse edited = Get(cited, true);  // the store does not know yet
  EXPECT_EQ(edited.citation, CitationOutcome::kSame);
  EXPECT_EQ(edited.verify, VerifyOutcome::kChanged);
  Add();
  const GetResponse added = Get(cited, true);
  EXPECT_EQ(added.citation, CitationOutcome::kReplaced);
  EXPECT_EQ(added.verify, VerifyOutcome::kSame);  // the file is the live version
}

TEST_F(CitationsTest, ASnapshotHasTheTextOfItsCommit) {
  WriteFile("a.txt", "one\n");
  Add();
  const std::string token = Search("one").store.snapshot;
  WriteFile("a.txt", "two\n");
  Add();
  EXPECT_EQ(Get("a.txt:1").chunk.text, "two\n");
  auto old = database_->Get({.target = "a.txt:1", .snapshot = token});
  ASSERT_TRUE(old.has_value());
  EXPECT_EQ(old->chunk.text, "one\n");
  EXPECT_EQ(database_->Get({.target = "a.txt", .snapshot = "2026-01-01"}).error().code(),
            StatusCode::kInvalidArgument);
}

TEST_F(CitationsTest, AnEmptyDocumentHasNoLines) {
  WriteFile("empty.txt", "");
  Add();
  const GetResponse whole = Get("empty.txt");
  EXPECT_EQ(whole.chunk.start_line, 0u);
  EXPECT_EQ(whole.chunk.end_line, 0u);
  EXPECT_EQ(Get(ExactCitation("empty.txt", whole.doc.hash, {})).citation, CitationOutcome::kSame);
}

TEST_F(CitationsTest, WhatIsMissingIsHinted) {
  WriteFile("deep/down/zebra.h", "one\n");
  Add();
  EXPECT_EQ(ErrorOf("zebra.h").hint(), "did you mean deep/down/zebra.h?");
  EXPECT_EQ(ErrorOf("zebra.h:1-2").hint(), "did you mean deep/down/zebra.h?");
  EXPECT_TRUE(ErrorOf("id:caf").hint().starts_with("after id: at least 4"))
      << ErrorOf("id:caf").hint();
  EXPECT_EQ(ErrorOf("cafe").hint(), "if it is the start of an id, write id:cafe");
  EXPECT_TRUE(ErrorOf("deep").hint().starts_with("it is a directory with 1 document"));
}

// Hits have the hash of the whole lines that they are printed with, also where a chunk ends within
// a line.
TEST_F(CitationsTest, EveryHitCanBeCited) {
  std::string long_line;
  for (int i = 0; i < 900; ++i) long_line += "word" + std::to_string(i) + " ";
  WriteFile("long.txt", "first\n" + long_line + "\nlast\n");
  WriteFile("short.txt", "word1 alone");
  Add();
  SearchRequest request;
  request.text = "word1 word400 word899";
  request.cite = true;
  const SearchResponse found = Search(request);
  ASSERT_GE(found.hits.size(), 3u);
  for (const SearchHit& hit : found.hits) {
    const std::string citation = ExactCitation(hit.doc.path, hit.chunk.lines_hash,
                                               LineRange{hit.chunk.start_line, hit.chunk.end_line});
    const GetResponse cited = Get(citation);
    EXPECT_EQ(cited.citation, CitationOutcome::kSame) << citation;
    EXPECT_NE(cited.chunk.text.find(hit.chunk.text), std::string::npos) << citation;
  }
}

// A random history of edits, renames, removals and purges, against a model that knows every text.
TEST_F(CitationsTest, ARandomHistoryNeverGivesAnotherText) {
  struct Citation {
    std::string target;
    std::string lines;  // without the newline at the end
    bool kept = true;  // a version of the document that was live since the last purge has the lines
  };
  std::mt19937_64 random(30);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  std::map<std::string, std::vector<std::string>> files;
  std::vector<Citation> citations;
  int next_word = 0;
  const auto new_line = [&] {
    // Few different lines, so that equal ones stand at several places.
    return below(3) == 0 ? "common " + std::to_string(below(5))
                         : "line " + std::to_string(next_word++) + " of the history";
  };
  const auto text_of = [](const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  };
  const auto live_has = [&](const Citation& citation) {
    const auto file = files.find(citation.target.substr(0, citation.target.rfind('@')));
    return file != files.end() &&
           ("\n" + text_of(file->second)).find("\n" + citation.lines + "\n") != std::string::npos;
  };
  const auto any_file = [&] {
    return std::next(files.begin(), static_cast<ptrdiff_t>(below(files.size())));
  };
  int outcomes[3] = {};  // text, changed, gone
  for (int step = 0; step < 1000; ++step) {
    const size_t dice = below(20);
    if (files.size() < 4 || dice == 0) {
      const std::string path =
          "d" + std::to_string(below(3)) + "/f" + std::to_string(step) + ".txt";
      for (size_t i = 0; i < 3 + below(8); ++i) files[path].push_back(new_line());
      WriteFile(path, text_of(files[path]));
      AddFile(path);
    } else if (dice < 14) {
      auto& [path, lines] = *any_file();
      const auto at = lines.begin() + static_cast<ptrdiff_t>(below(lines.size()));
      if (below(3) == 0) {
        lines.insert(at, new_line());
      } else if (below(2) == 0 && lines.size() > 1) {
        lines.erase(at);
      } else {
        *at = new_line();
      }
      WriteFile(path, text_of(lines));
      AddFile(path);
    } else if (dice < 16) {
      const auto from = any_file();
      const std::string path =
          "moved" + std::to_string(step) + "/" + from->first.substr(from->first.rfind('/') + 1);
      files[path] = from->second;
      Remove(from->first);
      std::filesystem::remove(dir_ / from->first);
      files.erase(from->first);
      WriteFile(path, text_of(files[path]));
      AddFile(path);
    } else {
      const auto gone = any_file();
      if (below(3) == 0) {
        Remove(gone->first);
        std::filesystem::remove(dir_ / gone->first);
        files.erase(gone);
      }
    }
    if (step % 200 == 199) {
      Purge();
      for (Citation& citation : citations) citation.kept = citation.kept && live_has(citation);
    }
    if (!files.empty()) {
      const auto& [path, lines] = *any_file();
      const size_t first = below(lines.size());
      const size_t last = first + below(std::min<size_t>(3, lines.size() - first));
      std::string wanted = text_of({lines.begin() + static_cast<ptrdiff_t>(first),
                                    lines.begin() + static_cast<ptrdiff_t>(last + 1)});
      wanted.pop_back();
      const std::string target =
          path + ":" + std::to_string(first + 1) + "-" + std::to_string(last + 1);
      const std::string cited = Cite(target);
      ASSERT_EQ(cited, ExactCitation(path, HashOfLines(wanted), LineRange{first + 1, last + 1}));
      citations.push_back({cited, wanted});
    }
    // Recent citations more often than old ones.
    const Citation& asked = citations[std::max(below(citations.size()), below(citations.size()))];
    const auto found = database_->Get({.target = asked.target});
    if (found) {
      std::string text = found->chunk.text;
      if (text.ends_with('\n')) text.pop_back();
      ASSERT_EQ(text, asked.lines) << step << " " << asked.target;
      ++outcomes[0];
      if (!found->now.empty()) {
        const GetResponse now = Get(found->now);
        EXPECT_EQ(now.citation, CitationOutcome::kSame) << found->now;
      }
      continue;
    }
    const StatusCode code = found.error().code();
    ASSERT_TRUE(code == StatusCode::kCitationChanged || code == StatusCode::kCitationGone)
        << found.error().ToString();
    ++outcomes[code == StatusCode::kCitationChanged ? 1 : 2];
    const auto asked_path = asked.target.substr(0, asked.target.rfind('@'));
    EXPECT_EQ(code == StatusCode::kCitationChanged, files.contains(asked_path)) << asked.target;
    EXPECT_FALSE(asked.kept) << step << " " << asked.target;
  }
  // The history has all three.
  EXPECT_GT(outcomes[0], 500) << outcomes[1] << " " << outcomes[2];
  EXPECT_GT(outcomes[1], 5);
  EXPECT_GT(outcomes[2], 5);
}

}  // namespace
}  // namespace recall
