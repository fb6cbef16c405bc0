// Sessions in a store: captured from transcripts, united with what was there, ranked, forgotten.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "index/base/text/turn_heading.h"
#include "index/source/session/session_meta.h"
#include "index/source/session/session_text.h"
#include "storage/schema/schema.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using nlohmann::json;

constexpr double kScoreError = 5e-6;

// A line of the plain format.
struct PlainTurn {
  std::string session;
  std::string role;
  std::string text;
  std::string at;
  std::string tool = {};
  std::string path = {};
};

std::string LineOf(const PlainTurn& turn) {
  json line = {{"session", turn.session}, {"role", turn.role}, {"text", turn.text}};
  if (!turn.at.empty()) line["at"] = turn.at;
  if (!turn.tool.empty()) line["tool"] = turn.tool;
  if (!turn.path.empty()) line["path"] = turn.path;
  return line.dump() + "\n";
}

std::string TimeOfMinute(size_t minute) {
  char text[32];
  std::snprintf(text, sizeof(text), "2026-02-%02zuT%02zu:%02zu:00Z", 1 + minute / 1440 % 28,
                minute / 60 % 24, minute % 60);
  return text;
}

class SessionsTest : public QueryFixture {
 protected:
  void WriteTranscript(const std::string& name, const std::string& lines) {
    WriteFile("transcripts/" + name, lines);
  }

  CaptureRequest Request(const std::string& name = "") {
    CaptureRequest request;
    request.paths = {dir_ / ("transcripts" + (name.empty() ? "" : "/" + name))};
    request.agents = {"jsonl"};
    request.project = dir_.path();
    return request;
  }

  CaptureReport Capture(const CaptureRequest& request) {
    auto report = database_->Capture(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : CaptureReport();
  }
  CaptureReport Capture() { return Capture(Request()); }

  GetResponse Get(const std::string& target) {
    auto found = database_->Get({.target = target});
    EXPECT_TRUE(found.has_value()) << found.error().ToString();
    return found ? *found : GetResponse();
  }

  SearchRequest Grouped(const std::string& text, const std::string& filter = "") {
    SearchRequest request;
    request.text = text;
    request.newest = text.empty();
    request.scope.filter = filter;
    request.ranking.fusion = FusionMethod::kGrouped;
    request.ranking.parts = {0.4, 0.6, 0};
    request.expand_words = false;
    request.explain = !text.empty();
    request.k = 10'000;
    return request;
  }

  static std::string PathOf(const std::string& session) { return "sessions/jsonl/" + session; }
};

TEST_F(SessionsTest, ASessionIsADocumentAndATurnAChunk) {
  WriteTranscript(
      "a.jsonl",
      LineOf({"s1", "human", "Why does the login fail?", "2026-02-25T10:00:00Z"}) +
          LineOf({"s1", "assistant", "The token expired.", "2026-02-25T10:00:08.5Z"}) +
          LineOf({"s1", "assistant", "Edited.", "2026-02-25T10:01:00Z", "Edit", "src/auth.go"}));
  const CaptureReport report = Capture();
  EXPECT_EQ(report.captured, 1);
  EXPECT_EQ(report.turns, 3);
  EXPECT_TRUE(report.unknown.empty());
  const GetResponse found = Get(PathOf("s1"));
  EXPECT_EQ(found.doc.parser, "session");
  EXPECT_EQ(found.doc.origin, "capture");
  EXPECT_EQ(found.doc.mtime, "2026-02-25T10:01:00Z");
  EXPECT_EQ(found.doc.chunks, 3u);
  const SessionMeta meta = ReadSessionMeta(found.doc.meta_json.value_or(""));
  EXPECT_EQ(meta.id, "s1");
  EXPECT_EQ(meta.turns, 3);
  EXPECT_EQ(meta.files, std::vector<std::string>{"src/auth.go"});
  EXPECT_EQ(meta.tools, std::vector<std::string>{"Edit"});
  ExpectHealthy();
}

TEST_F(SessionsTest, NothingNewWritesNothing) {
  WriteTranscript("a.jsonl", LineOf({"s1", "human", "words", TimeOfMinute(0)}));
  Capture();
  ASSERT_OK_AND_ASSIGN(const std::string before, database_->CommitToken());
  const CaptureReport again = Capture();
  EXPECT_EQ(again.found, 1);
  EXPECT_EQ(again.read, 0);
  CaptureRequest reading = Request();
  reading.again = true;
  reading.dry_run = true;
  EXPECT_EQ(Capture(reading).unchanged, 1);
  ASSERT_OK_AND_ASSIGN(const std::string after, database_->CommitToken());
  EXPECT_EQ(before, after);
}

TEST_F(SessionsTest, ARuleOfTheUserThatIsNewAppliesToWhatIsThere) {
  WriteTranscript("a.jsonl", LineOf({"s1", "human", "the codename is bluebird7", TimeOfMinute(0)}));
  Capture();
  CaptureRequest request = Request();
  request.secret_settings.rules = {{"codename", "bluebird[0-9]", {}}};
  const CaptureReport report = Capture(request);
  EXPECT_EQ(report.read, 1);
  EXPECT_EQ(report.redacted.at("codename"), 1);
  const std::string text = Get(PathOf("s1")).chunk.text;
  EXPECT_EQ(text.find("bluebird7"), text.npos) << text;
  EXPECT_EQ(Capture(request).read, 0) << "with the same rules nothing is read";
}

TEST_F(SessionsTest, WithoutTranscriptsThoseOfBeforeAreDeleted) {
  const auto transcripts = [&] {
    const auto connection = OpenStoreConnection(StorePath(), {});
    EXPECT_TRUE(connection.has_value());
    return (*connection)->QueryInt("SELECT count(*) FROM transcript").value_or(-1);
  };
  WriteTranscript("a.jsonl", LineOf({"s1", "human", "one", TimeOfMinute(0)}));
  Capture();
  EXPECT_EQ(transcripts(), 1);
  WriteTranscript("a.jsonl", LineOf({"s1", "human", "one", TimeOfMinute(0)}) +
                                 LineOf({"s1", "human", "two", TimeOfMinute(1)}));
  CaptureRequest request = Request();
  request.keep_transcripts = false;
  Capture(request);
  EXPECT_EQ(transcripts(), 0);
}

// However a transcript grows, and wherever its last line is torn, the store holds what one reading
// of the whole holds.
TEST_F(SessionsTest, GrowingStepByStepGivesWhatReadingItWholeGives) {
  std::mt19937_64 random(3);
  std::string lines;
  for (size_t i = 0; i < 60; ++i) {
    lines += LineOf({"s" + std::to_string(i % 3), i % 2 == 0 ? "human" : "assistant",
                     RandomText(random, 3 + random() % 12), TimeOfMinute(i),
                     i % 5 == 0 ? "Edit" : "", i % 5 == 0 ? "f" + std::to_string(i) + ".cc" : ""});
  }
  for (size_t end = 1 + random() % 200; end < lines.size(); end += 1 + random() % 700) {
    WriteTranscript("a.jsonl", lines.substr(0, end));
    const CaptureReport report = Capture();
    ASSERT_TRUE(report.failed.empty());
    ASSERT_TRUE(report.unknown.empty()) << report.unknown.begin()->first;
  }
  WriteTranscript("a.jsonl", lines);
  Capture();
  std::map<std::string, std::pair<std::string, std::string>> grown;
  for (const char* id : {"s0", "s1", "s2"}) {
    const GetResponse found = Get(PathOf(id));
    grown[id] = {found.chunk.text, found.doc.meta_json.value_or("")};
  }
  ExpectHealthy();
  Create({});
  Capture();
  for (const char* id : {"s0", "s1", "s2"}) {
    const GetResponse found = Get(PathOf(id));
    EXPECT_EQ(grown[id].first, found.chunk.text);
    EXPECT_EQ(grown[id].second, found.doc.meta_json.value_or(""));
  }
}

TEST_F(SessionsTest, WhatVanishesFromTheTranscriptStays) {
  const std::string first = LineOf({"s1", "human", "the first question", TimeOfMinute(0)});
  const std::string second = LineOf({"s1", "assistant", "the second", TimeOfMinute(1)});
  const std::string third = LineOf({"s1", "human", "the third", TimeOfMinute(2)});
  WriteTranscript("a.jsonl", first + second);
  Capture();
  WriteTranscript("a.jsonl", second + third);
  EXPECT_EQ(Capture().turns, 1);
  const std::string text = Get(PathOf("s1")).chunk.text;
  EXPECT_LT(text.find("first question"), text.find("the second"));
  EXPECT_LT(text.find("the second"), text.find("the third"));
  std::filesystem::remove_all(dir_ / "transcripts");
  std::filesystem::create_directories(dir_ / "transcripts");
  EXPECT_EQ(Capture().found, 0);
  AddRequest sync;
  sync.sync = true;
  EXPECT_EQ(Add(sync).removed, 0);
  EXPECT_EQ(Get(PathOf("s1")).chunk.text, text);
}

TEST_F(SessionsTest, OneSessionInTwoTranscriptsIsOneDocument) {
  WriteTranscript("a.jsonl", LineOf({"s1", "human", "one", TimeOfMinute(0)}));
  WriteTranscript("b.jsonl", LineOf({"s1", "human", "one", TimeOfMinute(0)}) +
                                 LineOf({"s1", "assistant", "two", TimeOfMinute(1)}));
  EXPECT_EQ(Capture().captured, 1);
  EXPECT_EQ(Get(PathOf("s1")).doc.chunks, 2u);
}

TEST_F(SessionsTest, ForgottenSessionsStayAway) {
  const std::string secret = "zebraunicornmarmalade";
  WriteTranscript("a.jsonl", LineOf({"s1first", "human", secret, TimeOfMinute(0)}));
  WriteTranscript("b.jsonl", LineOf({"s2first", "human", "other words", TimeOfMinute(0)}));
  Capture();
  EXPECT_FALSE(database_->Forget({.targets = {"s9"}}).has_value());
  WriteFile("sessions/file.txt", "no session");
  AddRequest one;
  one.paths = {dir_ / "sessions/file.txt"};  // the transcripts beside it have the secret
  Add(one);
  EXPECT_FALSE(database_->Forget({.targets = {"sessions/file.txt"}}).has_value());
  ASSERT_OK_AND_ASSIGN(const ForgetReport tried,
                       database_->Forget({.targets = {"s1fi"}, .dry_run = true}));
  EXPECT_EQ(tried.forgotten, std::vector<std::string>{PathOf("s1first")});
  EXPECT_EQ(Get("s1first").doc.path, PathOf("s1first"));
  ASSERT_OK_AND_ASSIGN(const ForgetReport forgotten, database_->Forget({.targets = {"s1fi"}}));
  EXPECT_EQ(forgotten.forgotten, tried.forgotten);
  EXPECT_FALSE(database_->Get({.target = PathOf("s1first")}).has_value());
  WriteTranscript("a.jsonl", LineOf({"s1first", "human", secret, TimeOfMinute(0)}) +
                                 LineOf({"s1first", "human", "more", TimeOfMinute(1)}));
  const CaptureReport again = Capture();
  EXPECT_EQ(again.forgotten, 1);
  EXPECT_EQ(again.captured, 0);
  EXPECT_FALSE(database_->Get({.target = PathOf("s1first")}).has_value());
  ASSERT_OK_AND_ASSIGN(const ForgetReport others,
                       database_->Forget({.filters = {"doc.session.id GLOB 's2*'"}}));
  EXPECT_EQ(others.forgotten, std::vector<std::string>{PathOf("s2first")});
  database_.reset();
  for (const auto& file : std::filesystem::directory_iterator(dir_.path())) {
    if (!file.path().filename().string().starts_with("recall.db")) continue;
    EXPECT_EQ(ReadWhole(file.path()).find(secret), std::string::npos) << file.path();
  }
  Reopen();
  ExpectHealthy();
}

// An agent copies what was said when it goes on with a session: the words are in both transcripts.
TEST_F(SessionsTest, ForgettingDeletesEveryTranscriptThatNamesTheSession) {
  const std::string secret = "zebraunicornmarmalade";
  const std::string first = LineOf({"s1first", "human", secret, TimeOfMinute(0)});
  WriteTranscript("a.jsonl", first);
  WriteTranscript("b.jsonl", first + LineOf({"s2next", "human", "goes on", TimeOfMinute(1)}));
  WriteTranscript("c.jsonl", LineOf({"s3other", "human", "other words", TimeOfMinute(1)}));
  Capture();
  EXPECT_EQ(Number("SELECT count(*) FROM transcript"), 3);
  ASSERT_OK(database_->Forget({.targets = {"s1first"}}));
  EXPECT_EQ(Number("SELECT count(*) FROM transcript"), 1);
  GetRequest request{.target = PathOf("s3other")};
  request.transcript = true;
  ASSERT_OK_AND_ASSIGN(const GetResponse other, database_->Get(request));
  EXPECT_NE(other.transcript->find("other words"), std::string::npos);
  request.target = PathOf("s2next");
  EXPECT_FALSE(database_->Get(request).has_value());
  EXPECT_EQ(Get(PathOf("s2next")).doc.chunks, 1u);
}

// The beginning of an id is enough to read a session, not to remove it, and names no session where
// there is a directory of that name.
TEST_F(SessionsTest, OnlyWhatIsNamedInFullIsRemoved) {
  WriteTranscript("a.jsonl", LineOf({"docs-session", "human", "words", TimeOfMinute(0)}));
  Capture();
  const auto removed = [&](const std::string& target) {
    RemoveRequest request;
    request.targets = {target};
    request.dry_run = true;
    auto report = database_->Remove(request);
    EXPECT_TRUE(report.has_value());
    std::vector<std::string> paths;
    for (const auto& item : report->removed) paths.push_back(item.path);
    return paths;
  };
  EXPECT_EQ(Get("docs").doc.path, PathOf("docs-session"));
  EXPECT_TRUE(removed("docs").empty());
  EXPECT_EQ(removed("docs-session"), std::vector<std::string>{PathOf("docs-session")});
  EXPECT_EQ(removed(PathOf("docs-session")), std::vector<std::string>{PathOf("docs-session")});
  WriteFile("docs/a.txt", "text");
  AddRequest add;
  add.paths = {dir_ / "docs"};
  Add(add);
  EXPECT_EQ(removed(dir_ / "docs"), std::vector<std::string>{"docs/a.txt"});
  EXPECT_FALSE(database_->Get({.target = "docs"}).has_value());
}

TEST_F(SessionsTest, TurnsAreReadByOffsetAndRole) {
  std::string lines;
  for (size_t i = 0; i < 10; ++i) {
    lines += LineOf({"s1", i % 2 == 0 ? "human" : "assistant", "turn " + std::to_string(i),
                     TimeOfMinute(i), i == 5 ? "Edit" : "", i == 5 ? "a.cc" : ""});
  }
  WriteTranscript("a.jsonl", lines);
  Capture();
  const auto turns = [&](int64_t offset, int64_t count, std::optional<TurnRole> role) {
    GetRequest request{.target = PathOf("s1")};
    request.turns = {.offset = offset, .count = count, .role = role};
    auto found = database_->Get(request);
    EXPECT_TRUE(found.has_value());
    return found ? *found->turns : TurnsView();
  };
  const TurnsView some = turns(4, 3, std::nullopt);
  EXPECT_EQ(some.total, 10);
  EXPECT_TRUE(some.has_more);
  ASSERT_EQ(some.turns.size(), 3u);
  EXPECT_EQ(some.turns[0].first, 4u);
  EXPECT_EQ(some.turns[0].second.text, "turn 4");
  ASSERT_EQ(some.tool_calls.size(), 1u);
  EXPECT_EQ(some.tool_calls[0].path, "a.cc");
  const TurnsView humans = turns(3, 9, TurnRole::kHuman);
  EXPECT_EQ(humans.total, 5);
  EXPECT_FALSE(humans.has_more);
  ASSERT_EQ(humans.turns.size(), 2u);
  EXPECT_EQ(humans.turns[1].first, 8u);
  EXPECT_TRUE(turns(10, 5, std::nullopt).turns.empty());
  EXPECT_FALSE(turns(10, 5, std::nullopt).has_more);
  WriteFile("a.txt", "no session");
  Add();
  GetRequest other{.target = "a.txt"};
  other.turns = {.offset = 0, .count = 1};
  EXPECT_FALSE(database_->Get(other).has_value());
}

// ---- Ranking ----------------------------------------------------------------------------------

// What the oracle knows of a session.
struct ModelSession {
  std::string id;
  std::string mtime;
  std::string file;
  std::string tool;
  std::map<uint32_t, std::string> roles;  // by turn
  std::map<uint32_t, double> words;       // BM25 by turn, of those that match
  double meaning = 0;
};

class SessionRankingTest : public SessionsTest {
 protected:
  void FillSessions(size_t count) {
    Create({.embedder = "hash", .dim = 64});
    std::mt19937_64 random(11);
    std::string lines;
    for (size_t i = 0; i < count; ++i) {
      ModelSession session;
      session.id = "id" + std::to_string(1000 + i);
      session.file = "src/d" + std::to_string(random() % 5) + "/f.cc";
      session.tool = random() % 2 == 0 ? "Edit" : "Read";
      const size_t turns = 1 + random() % 7;
      for (size_t t = 0; t < turns; ++t) {
        const std::string role = random() % 2 == 0 ? "human" : "assistant";
        session.roles[static_cast<uint32_t>(t)] = role;
        session.mtime = TimeOfMinute(i * 3 + t);
        lines += LineOf({session.id, role, RandomText(random, 4 + random() % 10), session.mtime,
                         t == 0 ? session.tool : "", t == 0 ? session.file : ""});
      }
      model_[PathOf(session.id)] = session;
    }
    WriteTranscript("all.jsonl", lines);
    ASSERT_EQ(Capture().captured, static_cast<int64_t>(count));
  }

  // Reads BM25 of all turns, and the cosines of all sessions, without any filter.
  void Measure(const std::string& query) {
    for (auto& [path, session] : model_) {
      session.words.clear();
      session.meaning = 0;
    }
    SearchRequest words = Grouped(query);
    words.mode = SearchMode::kLexical;
    words.ranking = {};
    words.identical = IdenticalChunks::kKeep;
    for (const SearchHit& hit : Search(words).hits) {
      const auto turn = ParseTurnHeading(hit.chunk.heading);
      model_.at(hit.doc.path).words[turn->turn] = *hit.explain->lexical;
    }
    for (const SearchHit& hit : Search(Grouped(query)).hits) {
      model_.at(hit.doc.path).meaning = hit.explain->semantic.value_or(0);
    }
  }

  struct Expected {
    std::string path;
    double score;
    uint32_t turn;
  };
  std::vector<Expected> Rank(const std::set<std::string>& paths, const std::string& role) const {
    double most_words = 0;
    double most_meaning = 0;
    std::map<std::string, std::pair<double, uint32_t>> best;
    for (const std::string& path : paths) {
      const ModelSession& session = model_.at(path);
      std::optional<std::pair<double, uint32_t>> of_session;
      for (const auto& [turn, said_by] : session.roles) {
        if (!role.empty() && said_by != role) continue;
        const auto found = session.words.find(turn);
        const double words = found == session.words.end() ? 0 : found->second;
        if (!of_session || words > of_session->first) of_session = {words, turn};
      }
      if (!of_session) continue;
      best[path] = *of_session;
      most_words = std::max(most_words, of_session->first);
      most_meaning = std::max(most_meaning, session.meaning);
    }
    std::vector<Expected> ranking;
    for (const auto& [path, words] : best) {
      const double meaning = model_.at(path).meaning;
      const double score = (most_words > 0 ? .4 * words.first / most_words : 0) +
                           (most_meaning > 0 ? .6 * meaning / most_meaning : 0);
      if (score > 0) ranking.push_back({path, score, words.second});
    }
    std::ranges::sort(ranking, [&](const Expected& a, const Expected& b) {
      if (std::abs(a.score - b.score) > 1e-12) return a.score > b.score;
      return std::pair(model_.at(b.path).mtime, a.path) <
             std::pair(model_.at(a.path).mtime, b.path);
    });
    return ranking;
  }

  std::map<std::string, ModelSession> model_;  // by path
};

TEST_F(SessionRankingTest, IsThePublishedFormulaUnderAnyFilter) {
  FillSessions(150);  // fewer than the 200 with the best words
  std::mt19937_64 random(12);
  const char* const kQueries[] = {"alpha memory index", "vector", "budget chunk thread",
                                  "omega pi"};
  for (int round = 0; round < 1000; ++round) {
    if (round % 250 == 0) Measure(kQueries[round / 250]);
    const std::string query = kQueries[round / 250];
    std::set<std::string> paths;
    std::string filter = "doc.kind = 'session'";
    const uint64_t conditions = random();
    const std::string file = "^src/d" + std::to_string(random() % 5) + "/";
    const std::string tool = random() % 2 == 0 ? "Edit" : "Read";
    const std::string since = TimeOfMinute(random() % 450);
    const std::string digit = std::to_string(random() % 10);
    const std::string role = random() % 2 == 0 ? "human" : "assistant";
    if (conditions & 1) filter += " AND doc.session.files REGEXP '" + file + "'";
    if (conditions & 2) filter += " AND doc.session.tools = '" + tool + "'";
    if (conditions & 4) filter += " AND doc.mtime >= '" + since + "'";
    if (conditions & 8) filter += " AND NOT doc.session.id GLOB '*" + digit + "'";
    if (conditions & 16) filter += " AND chunk.role = '" + role + "'";
    for (const auto& [path, session] : model_) {
      if ((conditions & 1) && !session.file.starts_with(file.substr(1))) continue;
      if ((conditions & 2) && session.tool != tool) continue;
      if ((conditions & 4) && session.mtime < since) continue;
      if ((conditions & 8) && session.id.ends_with(digit)) continue;
      paths.insert(path);
    }
    const SearchResponse found = Search(Grouped(query, filter));
    const std::vector<Expected> expected = Rank(paths, conditions & 16 ? role : "");
    ASSERT_EQ(found.hits.size(), expected.size()) << query << " " << filter;
    for (size_t i = 0; i < expected.size(); ++i) {
      ASSERT_NEAR(found.hits[i].score, expected[i].score, kScoreError) << filter << " " << i;
      ASSERT_EQ(found.hits[i].doc.path, expected[i].path) << filter << " " << i;
      const auto turn = ParseTurnHeading(found.hits[i].chunk.heading);
      ASSERT_EQ(turn->turn, expected[i].turn) << filter << " " << expected[i].path;
    }
  }
}

TEST_F(SessionRankingTest, APageIsAPartOfTheWholeRanking) {
  FillSessions(40);
  const SearchResponse all = Search(Grouped("alpha memory index"));
  SearchRequest page = Grouped("alpha memory index");
  page.k = 7;
  for (page.offset = 0; page.offset < all.hits.size(); page.offset += 7) {
    const SearchResponse part = Search(page);
    for (size_t i = 0; i < part.hits.size(); ++i) {
      EXPECT_EQ(part.hits[i].doc.path, all.hits[page.offset + i].doc.path);
    }
    EXPECT_EQ(part.next_offset.has_value(), page.offset + 7 < all.hits.size());
  }
}

// The vector of a session is the sum of those of its chunks: with cosines a, b of two turns and c
// between them, (a + b) / sqrt(2 + 2c).
TEST_F(SessionRankingTest, TheVectorOfASessionIsThatOfAllItsTurns) {
  Create({.embedder = "hash", .dim = 64});
  WriteTranscript("a.jsonl", LineOf({"s1", "human", "alpha memory words", TimeOfMinute(0)}) +
                                 LineOf({"s1", "human", "vector index words", TimeOfMinute(1)}) +
                                 LineOf({"s2", "human", "alpha memory words", TimeOfMinute(0)}));
  Capture();
  SearchRequest semantic = Grouped("alpha vector");
  semantic.mode = SearchMode::kSemantic;
  semantic.ranking = {};
  semantic.identical = IdenticalChunks::kKeep;
  double sum = 0;
  std::string chunk;
  for (const SearchHit& hit : Search(semantic).hits) {
    if (hit.doc.path != PathOf("s1")) continue;
    sum += *hit.explain->semantic;
    chunk = hit.chunk.id;
  }
  SimilarRequest similar{.target = chunk, .search = semantic};
  ASSERT_OK_AND_ASSIGN(const SimilarResponse near, database_->Similar(similar));
  double between = 0;
  for (const SearchHit& hit : near.hits) {
    if (hit.doc.path == PathOf("s1")) between = *hit.explain->semantic;
  }
  for (const SearchHit& hit : Search(Grouped("alpha vector")).hits) {
    if (hit.doc.path != PathOf("s1")) continue;
    EXPECT_NEAR(*hit.explain->semantic, sum / std::sqrt(2 + 2 * between), 0.02);
    return;
  }
  ADD_FAILURE() << "the session was not found";
}

TEST_F(SessionRankingTest, ManyMatchesElsewhereHideNoSession) {
  Create({.embedder = "hash", .dim = 64});
  std::string lines;
  for (size_t i = 0; i < 300; ++i) {
    lines += LineOf({"long", "human", "alpha alpha " + std::to_string(i), TimeOfMinute(i)});
    lines += LineOf({"other" + std::to_string(i), "human", "alpha alpha alpha", TimeOfMinute(i)});
  }
  lines += LineOf({"wanted", "human", "alpha among many further words of little meaning here",
                   TimeOfMinute(9), "Edit", "only.cc"});
  WriteTranscript("a.jsonl", lines);
  Capture();
  const SearchResponse filtered = Search(Grouped("alpha", "doc.session.files REGEXP 'only'"));
  ASSERT_EQ(filtered.hits.size(), 1u);
  EXPECT_EQ(filtered.hits[0].doc.path, PathOf("wanted"));
  EXPECT_NEAR(filtered.hits[0].score, 1, kScoreError);
  const SearchResponse all = Search(Grouped("alpha"));
  std::set<std::string> paths;
  for (const SearchHit& hit : all.hits) EXPECT_TRUE(paths.insert(hit.doc.path).second);
  EXPECT_TRUE(paths.contains(PathOf("long")));
}

TEST_F(SessionRankingTest, WithoutAQuestionTheNewestComeFirst) {
  FillSessions(30);
  const SearchResponse found = Search(Grouped("", "doc.session.tools = 'Edit'"));
  std::vector<std::pair<std::string, std::string>> expected;
  for (const auto& [path, session] : model_) {
    if (session.tool == "Edit") expected.emplace_back(session.mtime, path);
  }
  std::ranges::sort(expected, std::greater<>());
  ASSERT_EQ(found.hits.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(found.hits[i].doc.path, expected[i].second);
    EXPECT_EQ(found.hits[i].score, 0);
    EXPECT_EQ(ParseTurnHeading(found.hits[i].chunk.heading)->turn, 0u);
  }
  EXPECT_EQ(found.total_hits, static_cast<int64_t>(expected.size()));
}

TEST_F(SessionRankingTest, WordsAloneAnswerWhereNoVectorKnowsThem) {
  Create({});  // an untrained model: no vectors
  WriteTranscript("a.jsonl", LineOf({"s1", "human", "quixotic words", TimeOfMinute(0)}));
  Capture();
  const SearchResponse found = Search(Grouped("quixotic"));
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_TRUE(Search(Grouped("unheard")).hits.empty());
}

// What is no session has no field of sessions, even if its metadata have the key.
TEST_F(SessionRankingTest, FieldsOfSessionsAreThoseOfSessions) {
  FillSessions(5);
  WriteFile("note.md", "---\ntools: Edit\nagent: jsonl\n---\n## 0 human -\n\ntext\n");
  AddRequest add;
  add.extract_meta = true;
  add.globs = {"note.md"};
  Add(add);
  const auto count = [&](const std::string& rql) {
    QueryRequest request;
    request.rql = rql;
    auto found = database_->Query(request);
    EXPECT_TRUE(found.has_value()) << found.error().ToString();
    return found ? found->rows.size() : 0;
  };
  EXPECT_EQ(count("FROM doc FILTER doc.session.agent = 'jsonl' SELECT doc.path"), 5u);
  EXPECT_EQ(count("FROM doc FILTER doc.meta.agent = 'jsonl' SELECT doc.path"), 6u);
  EXPECT_EQ(count("FROM doc FILTER doc.session.agent IS NULL SELECT doc.path"), 1u);
  EXPECT_EQ(count("FROM doc FILTER NOT doc.session.agent = 'codex' SELECT doc.path"), 5u);
  EXPECT_EQ(count("FROM doc FILTER doc.kind = 'session' SELECT doc.path"), 5u);
  EXPECT_EQ(count("FROM doc FILTER doc.kind != 'session' SELECT doc.path"), 1u);
  EXPECT_EQ(count("FROM doc FILTER doc.kind IN ('file', 'session') SELECT doc.path"), 6u);
  EXPECT_EQ(count("FROM chunk FILTER chunk.turn = 0 SELECT chunk.id"), 5u);
  EXPECT_EQ(count("FROM chunk FILTER chunk.role IS NULL SELECT chunk.id"), 2u);
}

// Sessions about two things, enough for a model of the texts.
class MissingVectorsTest : public SessionsTest {
 protected:
  void CaptureTopics() {
    std::string lines;
    for (size_t i = 0; i < 24; ++i) {
      const bool about_login = i % 2 == 0;
      const std::string session = (about_login ? "login" : "cache") + std::to_string(i);
      const std::string word = about_login ? "token expires after login" : "cache entry evicted";
      lines += LineOf({session, "human", word + " number " + std::to_string(i), TimeOfMinute(i)});
      lines += LineOf({session, "assistant", word + " is handled", TimeOfMinute(i)});
    }
    WriteTranscript("a.jsonl", lines);
    Capture();
  }

  static std::string Describe(const SearchResponse& found) {
    std::string text;
    for (const SearchHit& hit : found.hits) {
      text += hit.doc.path + " " + std::to_string(hit.score) + "\n";
    }
    return text;
  }

  void Damage(const std::string& sql) {
    database_.reset();
    ASSERT_OK_AND_ASSIGN(const auto connection,
                         OpenStoreConnection(StorePath(), {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(connection->Execute(sql));
  }

  SearchRequest Question() { return Grouped("login token"); }
};

TEST_F(MissingVectorsTest, AreMadeBeforeTheAnswer) {
  CaptureTopics();
  const std::string expected = Describe(Search(Question()));
  for (const char* sql : {"DELETE FROM vec_tail WHERE chunk % 2 = 0", "DELETE FROM vec_tail"}) {
    Damage(sql);
    for (const bool read_only : {true, false}) {
      Reopen({.read_only = read_only});
      const SearchResponse found = Search(Question());
      EXPECT_EQ(Describe(found), expected) << sql;
      EXPECT_EQ(found.rebuilt.has_value(), read_only) << "they are made once";
      if (!found.rebuilt) continue;
      EXPECT_EQ(found.rebuilt->vectors, 48);
      EXPECT_FALSE(found.rebuilt->model);
      EXPECT_FALSE(found.warnings.empty());
    }
    ExpectHealthy();
  }
}

TEST_F(MissingVectorsTest, WordsAloneRankWhereTheyCannotBeMade) {
  CaptureTopics();
  SearchRequest words = Question();
  words.mode = SearchMode::kLexical;
  Damage("DELETE FROM vec_tail WHERE chunk = 3");
  // Another process holds the write lock.
  ASSERT_OK_AND_ASSIGN(const auto other,
                       OpenStoreConnection(StorePath(), {.mode = ConnectionMode::kReadWrite}));
  ASSERT_OK(other->BeginImmediate());
  Reopen({.read_only = true});
  const SearchResponse found = Search(Question());
  EXPECT_FALSE(found.rebuilt);
  EXPECT_EQ(found.chunks_without_vector, 1);
  ASSERT_FALSE(found.warnings.empty());
  EXPECT_NE(found.warnings.back().find("words alone"), std::string::npos);
  ASSERT_EQ(found.hits.size(), 12u);
  EXPECT_NEAR(found.hits.front().score, 0.4, kScoreError);
}

// An earlier commit is shown as it is.
TEST_F(MissingVectorsTest, ASearchOfASnapshotWritesNothing) {
  CaptureTopics();
  ASSERT_OK_AND_ASSIGN(const std::string token, database_->CommitToken());
  Damage("DELETE FROM vec_tail WHERE chunk = 3");
  Reopen();
  SearchRequest request = Question();
  request.scope.snapshot = token;
  const SearchResponse found = Search(request);
  EXPECT_FALSE(found.rebuilt);
  EXPECT_GT(found.chunks_without_vector, 0);
  ASSERT_OK_AND_ASSIGN(const std::string after, database_->CommitToken());
  EXPECT_EQ(after, token);
}

TEST_F(MissingVectorsTest, AModelThatAnInterruptedCaptureDidNotTrainIsTrained) {
  CaptureTopics();
  const std::string expected = Describe(Search(Question()));
  Damage(
      "DELETE FROM model; DELETE FROM model_part; DELETE FROM space WHERE id > 1; "
      "DELETE FROM vec_tail WHERE space > 1; DELETE FROM meta WHERE key = 'content_sizes'");
  Reopen({.read_only = true});
  const SearchResponse found = Search(Question());
  ASSERT_TRUE(found.rebuilt);
  EXPECT_TRUE(found.rebuilt->model);
  EXPECT_EQ(Describe(found), expected);
  ExpectHealthy();
}

// ---- Merging ----

// Stores that have captured parts of the same conversations.
class MergedSessionsTest : public SessionsTest {
 protected:
  // Makes a store of these turns of the session s1, and returns its path.
  std::string MakeStore(const std::string& name, const std::vector<size_t>& minutes) {
    std::string lines;
    for (const size_t minute : minutes) {
      lines += LineOf({"s1", "human", "turn " + std::to_string(minute), TimeOfMinute(minute)});
    }
    WriteTranscript(name + ".jsonl", lines);
    const std::string path = dir_ / (name + ".db");
    auto store = Database::Create(path, {});
    EXPECT_TRUE(store.has_value());
    EXPECT_TRUE((*store)->Capture(Request(name + ".jsonl")).has_value());
    return path;
  }

  std::vector<std::string> Turns() {
    std::vector<std::string> texts;
    for (const Turn& turn : ReadSessionText(Get(PathOf("s1")).chunk.text).turns) {
      texts.push_back(turn.text);
    }
    return texts;
  }

  MergeReport Merge(const std::vector<std::string>& paths, bool dry_run = false) {
    auto report = database_->Merge({.paths = paths, .dry_run = dry_run});
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : MergeReport();
  }
};

TEST_F(MergedSessionsTest, HaveTheTurnsOfAllStores) {
  const std::string a = MakeStore("a", {1, 2, 5});
  const std::string b = MakeStore("b", {2, 3});
  const std::string c = MakeStore("c", {1, 4});
  const std::vector<std::string> all = {"turn 1", "turn 2", "turn 3", "turn 4", "turn 5"};
  std::string first;
  for (std::vector<std::string> order :
       {std::vector{a, b, c}, std::vector{c, b, a}, std::vector{b, a, c}}) {
    Create({});
    EXPECT_EQ(Merge(order).import.added, 1);
    EXPECT_EQ(Turns(), all);
    const GetResponse together = Get(PathOf("s1"));
    if (first.empty()) first = together.doc.hash;
    EXPECT_EQ(together.doc.hash, first);
    // One after the other.
    Create({});
    for (const std::string& path : order) Merge({path});
    EXPECT_EQ(Turns(), all);
    EXPECT_EQ(Get(PathOf("s1")).doc.hash, first);
    EXPECT_EQ(Get(PathOf("s1")).doc.meta_json, together.doc.meta_json);
    EXPECT_EQ(Merge(order).import.unchanged, 1) << "nothing is new";
    ExpectHealthy();
  }
}

TEST_F(MergedSessionsTest, AnImportUnitesThem) {
  const std::string a = MakeStore("a", {1, 2});
  const std::string b = MakeStore("b", {2, 3});
  const std::string file = dir_ / "a.export";
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Database::Open(a));
    std::ofstream out(file, std::ios::binary);
    ASSERT_OK(store->Export({}, [&](std::string_view bytes) {
      out << bytes;
      return Status::Ok();
    }));
  }
  Merge({b});
  ASSERT_OK_AND_ASSIGN(const ImportReport would,
                       database_->Import({.path = file, .dry_run = true}));
  EXPECT_EQ(would.updated, 1);
  ASSERT_OK_AND_ASSIGN(const ImportReport report, database_->Import({.path = file}));
  EXPECT_EQ(report.updated, 1);
  EXPECT_EQ(Turns(), (std::vector<std::string>{"turn 1", "turn 2", "turn 3"}));
  ASSERT_OK_AND_ASSIGN(const ImportReport again, database_->Import({.path = file}));
  EXPECT_EQ(again.unchanged, 1);
  ExpectHealthy();
}

TEST_F(MergedSessionsTest, DoNotBringBackWhatWasForgotten) {
  const std::string a = MakeStore("a", {1, 2});
  Merge({a});
  ASSERT_OK(database_->Forget({.targets = {PathOf("s1")}}));
  const MergeReport report = Merge({a});
  EXPECT_EQ(report.import.added, 0);
  ASSERT_EQ(report.import.warnings.size(), 1u);
  EXPECT_NE(report.import.warnings[0].find("recall forget"), std::string::npos);
  EXPECT_FALSE(database_->Get({.target = PathOf("s1")}).has_value());
}

// Turns that follow each other are one stretch of text, with headings that are in no chunk.
TEST_F(SessionsTest, ContextsHaveTheAnswersToQuestions) {
  std::string lines =
      LineOf({"s1", "human", "Why does the login fail after an hour?", TimeOfMinute(0)}) +
      LineOf({"s1", "assistant", "The token has expired. I renew it before each request.",
              TimeOfMinute(1), "Edit", "auth.go"}) +
      LineOf({"s1", "human", "Good, and how do I start the server?", TimeOfMinute(2)}) +
      LineOf({"s1", "assistant", "Run make serve, then open port 8080.", TimeOfMinute(3)});
  for (int i = 0; i < 20; ++i) {
    lines +=
        LineOf({"s2", i % 2 == 0 ? "human" : "assistant",
                "The weather of day " + std::to_string(i) + " was fine.", TimeOfMinute(10 + i)});
  }
  WriteTranscript("a.jsonl", lines);
  Capture();
  const auto context_of = [&](const std::string& text, int64_t budget, int64_t expand = 0) {
    ContextRequest request;
    request.search.text = text;
    request.budget_tokens = budget;
    request.expand = expand;
    const auto context = database_->Context(request);
    EXPECT_TRUE(context.has_value());
    EXPECT_LE(context->used_tokens, budget);
    return context->text;
  };
  // The answer has no word of the question.
  EXPECT_NE(context_of("why does the login fail", 100).find("The token has expired."),
            std::string::npos);
  EXPECT_NE(context_of("how do I start the server", 100).find("Run make serve"), std::string::npos);
  // Without room for it the question stays.
  const std::string narrow = context_of("why does the login fail", 40);
  EXPECT_NE(narrow.find("Why does the login fail"), std::string::npos);
  EXPECT_EQ(narrow.find("The token"), std::string::npos);
  // Any selection and neighbours of turns.
  for (int64_t budget = 10; budget < 400; budget += 13) {
    context_of("login server token weather day", budget, budget % 3);
  }
}

}  // namespace
}  // namespace recall
