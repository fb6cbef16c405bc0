// What an answer says of a session beside its best turn: what was answered, and which sessions are
// copies of it.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "query/types/search_types.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// Sessions of two roles, in the plain format.
class SessionAnswersTest : public QueryFixture {
 protected:
  void SetUp() override { Create({.embedder = "hash", .dim = 64}); }

  // Adds a session to the transcript. The first turn is of the person, the next of the assistant,
  // and so on.
  void Converse(const std::string& session, const std::vector<std::string>& turns,
                const std::string& day = "2026-02-25") {
    for (size_t i = 0; i < turns.size(); ++i) {
      const std::string at = day + "T10:" + std::to_string(10 + i) + ":00Z";
      const nlohmann::json line = {{"session", session},
                                   {"role", i % 2 == 0 ? "human" : "assistant"},
                                   {"text", turns[i]},
                                   {"at", at}};
      transcript_ += line.dump() + "\n";
    }
  }

  void CaptureAll() {
    WriteFile("transcripts/all.jsonl", transcript_);
    CaptureRequest request;
    request.paths = {dir_ / "transcripts"};
    request.agents = {"jsonl"};
    request.project = dir_.path();
    ASSERT_OK(database_->Capture(request));
  }

  static SearchRequest Question(const std::string& text, const std::string& filter = "") {
    SearchRequest request;
    request.text = text;
    request.newest = text.empty();
    request.scope.filter = filter;
    request.ranking.fusion = FusionMethod::kGrouped;
    request.ranking.parts = {0.4, 0.6, 0};
    request.expand_words = false;
    request.snippet_bytes = 240;
    request.k = 100;
    return request;
  }

  static std::string PathOf(const std::string& session) { return "sessions/jsonl/" + session; }

  std::string transcript_;
};

TEST_F(SessionAnswersTest, AQuestionHasTheBeginningOfItsAnswer) {
  Converse("s1", {"Why is the gateway slow?", "The cache key has the time.\n\nI take it out.",
                  "Thanks.", "The budget is met."});
  CaptureAll();
  const SearchResponse asked = Search(Question("gateway slow"));
  ASSERT_EQ(asked.hits.size(), 1u);
  ASSERT_TRUE(asked.hits[0].reply);
  const TurnReply& reply = *asked.hits[0].reply;
  EXPECT_EQ(reply.turn, 1u);
  EXPECT_EQ(reply.text, "The cache key has the time.\n\nI take it out.");
  EXPECT_EQ(reply.end_line, reply.start_line + 2);
  // The lines are those of the document.
  GetRequest lines{.target = PathOf("s1") + ":" + std::to_string(reply.start_line) + "-" +
                             std::to_string(reply.end_line)};
  ASSERT_OK_AND_ASSIGN(const GetResponse cited, database_->Get(lines));
  EXPECT_TRUE(cited.chunk.text.starts_with(reply.text)) << cited.chunk.text;
  EXPECT_LE(cited.chunk.text.size(), reply.text.size() + 1);
  // What the assistant said is no question, and without excerpts there is no answer.
  const SearchResponse said = Search(Question("cache key"));
  ASSERT_EQ(said.hits.size(), 1u);
  EXPECT_FALSE(said.hits[0].reply);
  SearchRequest bare = Question("gateway slow");
  bare.snippet_bytes = 0;
  EXPECT_FALSE(Search(bare).hits[0].reply);
  // The list of the latest has them, and so has a search of what the person said.
  EXPECT_TRUE(Search(Question("")).hits[0].reply);
  EXPECT_TRUE(Search(Question("gateway", "chunk.role = 'human'")).hits[0].reply);
}

TEST_F(SessionAnswersTest, AnAnswerIsCutAndMayBeMissing) {
  std::string words;
  for (int i = 0; i < 100; ++i) words += "äöü" + std::to_string(i) + " ";
  Converse("long", {"Which letters?", words});
  Converse("open", {"Which numbers?"});
  CaptureAll();
  const SearchResponse letters = Search(Question("letters"));
  ASSERT_TRUE(letters.hits[0].reply);
  const std::string& text = letters.hits[0].reply->text;
  EXPECT_LE(text.size(), kMostReplyBytes);
  EXPECT_GT(text.size(), kMostReplyBytes - 8);
  EXPECT_TRUE(words.starts_with(text));
  for (const SearchHit& hit : Search(Question("numbers")).hits) {
    EXPECT_EQ(hit.reply.has_value(), hit.doc.path == PathOf("long"));
  }
}

// What a server hides is no answer either.
TEST_F(SessionAnswersTest, AHiddenAnswerIsNotShown) {
  Converse("s1", {"Why is the gateway slow?", "The cache key has the time."});
  CaptureAll();
  Reopen({.scope = "chunk.role = 'human'"});
  const SearchResponse asked = Search(Question("gateway slow"));
  ASSERT_EQ(asked.hits.size(), 1u);
  EXPECT_FALSE(asked.hits[0].reply);
}

class SessionCopiesTest : public SessionAnswersTest {
 protected:
  static std::vector<std::string> Beginning() {
    return {"Why does the login fail?", "The token has expired.", "And the gateway?"};
  }
  static std::vector<std::string> BeginningAnd(const std::vector<std::string>& more) {
    std::vector<std::string> turns = Beginning();
    turns.insert(turns.end(), more.begin(), more.end());
    return turns;
  }
};

TEST_F(SessionCopiesTest, SessionsWithTheSameTurnsAreOneResult) {
  Converse("first", Beginning());
  Converse("copy", Beginning(), "2026-02-26");
  Converse("resumed", BeginningAnd({"It is slow.", "Then cache."}), "2026-02-27");
  Converse("other", {"Does the login page fail?", "No, it loads."});
  CaptureAll();
  SearchRequest request = Question("login fail");
  request.identical = IdenticalChunks::kKeep;
  const SearchResponse each = Search(request);
  EXPECT_EQ(each.hits.size(), 4u);
  request.identical = IdenticalChunks::kList;
  const SearchResponse folded = Search(request);
  ASSERT_EQ(folded.hits.size(), 2u);
  EXPECT_EQ(folded.total_hits, 4) << "the total counts sessions";
  // The first of each group stands where it stood.
  EXPECT_EQ(folded.hits[0].doc.path, each.hits[0].doc.path);
  for (const SearchHit& hit : folded.hits) {
    if (hit.doc.path == PathOf("other")) {
      EXPECT_EQ(hit.identical, 0);
      continue;
    }
    EXPECT_EQ(hit.identical, 2);
    EXPECT_TRUE(hit.identical_sessions);
    ASSERT_EQ(hit.identical_chunks.size(), 2u);
    std::set<std::string> paths = {hit.doc.path};
    for (const StandsFor& other : hit.identical_chunks) {
      paths.insert(other.path);
      EXPECT_EQ(other.start_line, hit.chunk.start_line) << "the same turn";
    }
    EXPECT_EQ(paths, (std::set{PathOf("copy"), PathOf("first"), PathOf("resumed")}));
    const bool shows_longest = hit.doc.path == PathOf("resumed");
    EXPECT_EQ(hit.continued_by, shows_longest ? "" : PathOf("resumed"));
  }
  // The latest are listed each.
  EXPECT_EQ(Search(Question("")).hits.size(), 4u);
}

TEST_F(SessionCopiesTest, WhatOneSaysAloneIsAResult) {
  Converse("first", Beginning());
  Converse("resumed", BeginningAnd({"The unicorn is slow."}));
  CaptureAll();
  const SearchResponse found = Search(Question("gateway unicorn"));
  EXPECT_EQ(found.hits.size(), 2u) << "their best turns differ";
}

TEST_F(SessionCopiesTest, OtherSessionsThatBeginAlikeAreNoCopies) {
  // One question alone, which others ask, too; and texts of the same size.
  Converse("asked", {"Run the daily check."});
  Converse("monday", {"Run the daily check.", "All is well.", "Good."});
  Converse("tuesday", {"Run the daily check.", "One failed.", "Which?"});
  Converse("wednesday", {"Run the daily check.", "All is fine.", "Good."});
  CaptureAll();
  EXPECT_EQ(Search(Question("daily check")).hits.size(), 4u);
}

TEST_F(SessionCopiesTest, ALongerLastTurnIsAnotherOne) {
  std::string text = "The token";
  for (int i = 0; i < 900; ++i) text += " word" + std::to_string(i);
  Converse("first", {"Why does the login fail?", text});
  Converse("second", {"Why does the login fail?", text + " and one more", "Thanks."});
  CaptureAll();
  EXPECT_EQ(Search(Question("login fail")).hits.size(), 2u);
}

TEST_F(SessionCopiesTest, PagesOfFoldedResultsAreThoseOfTheWhole) {
  for (int i = 0; i < 30; ++i) {
    const std::string word = "topic" + std::to_string(i % 10);
    Converse("s" + std::to_string(100 + i),
             {"What of the login, " + word + "?", "It is " + word + ".", "Good " + word},
             "2026-02-" + std::to_string(10 + i / 10));
  }
  CaptureAll();
  const SearchResponse all = Search(Question("login"));
  ASSERT_EQ(all.hits.size(), 10u);
  for (const SearchHit& hit : all.hits) EXPECT_EQ(hit.identical, 2);
  SearchRequest page = Question("login");
  page.k = 4;
  for (page.offset = 0; page.offset < all.hits.size(); page.offset += page.k) {
    const SearchResponse part = Search(page);
    for (size_t i = 0; i < part.hits.size(); ++i) {
      EXPECT_EQ(part.hits[i].doc.path, all.hits[page.offset + i].doc.path);
      EXPECT_EQ(part.hits[i].identical, 2);
    }
    EXPECT_EQ(part.next_offset.has_value(), page.offset + page.k < all.hits.size());
  }
}

}  // namespace
}  // namespace recall
