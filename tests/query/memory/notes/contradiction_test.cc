// Whether a note is said to contradict another one when it does, and never when it does not.

#include "query/memory/notes/contradiction.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "tests/query/query_fixture.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

struct StatedText {
  std::string title;
  std::string text;
};

ComparedNote ComparedOf(const StatedText& note) {
  return ComparedPartOf(note.title, "", note.text);
}

// "before -> after", or "".
std::string DifferenceOfNotes(const ComparedNote& older, const ComparedNote& newer) {
  const auto found = FindContradiction(StatedNote(older), StatedNote(newer));
  return found ? found->before + " -> " + found->after : "";
}

std::string DifferenceOf(const StatedText& older, const StatedText& newer) {
  return DifferenceOfNotes(ComparedOf(older), ComparedOf(newer));
}

TEST(ContradictionTest, OneValueInASentenceIsAnotherOne) {
  const struct {
    const char* title;
    const char* before;
    const char* after;
    const char* shown;
  } kPairs[] = {
      {"API port", "The API listens on port 8080.", "The API listens on port `9090`",
       "port 8080 -> port `9090`"},
      {"Retries", "Three times. The timeout is 30 seconds.", "The timeout is 2 minutes. See below.",
       "timeout is 30 seconds -> timeout is 2 minutes"},
      {"Database", "We run Postgres 14 in production.", "We run Postgres 16 in production.",
       "run Postgres 14 -> run Postgres 16"},
      {"Main store", "The main database is Postgres.", "The main database is MySQL.",
       "database is Postgres -> database is MySQL"},
      {"Owner of deploys", "Owner: Anna", "Owner: Ben", "Owner: Anna -> Owner: Ben"},
      {"Configuration", "It lives in /etc/app/a.toml", "It lives in /srv/app/a.toml",
       "lives in /etc/app/a.toml -> lives in /srv/app/a.toml"},
      {"Default branch", "The default branch is called `master`.",
       "The default branch is called \"main\".", "called `master` -> called \"main\""},
      {"Release", "The release is due on 2026-05-01.", "The release is due on 2026-06-01.",
       "due on 2026-05-01 -> due on 2026-06-01"},
      {"Settings", "```\nport = 8080\nhost = x\n```", "```\nport = 9090\nhost = x\n```",
       "port = 8080 -> port = 9090"},
      {"Wrapped", "The API of the ledger listens\non port 8080 in tests.",
       "The API of the ledger listens on port 9090 in tests.", "port 8080 -> port 9090"},
      {"K\u00f6ln", "Der Port ist 8080 im Test.", "Der Port ist 9090 im Test.",
       "ist 8080 -> ist 9090"},
  };
  for (const auto& pair : kPairs) {
    EXPECT_EQ(DifferenceOf({pair.title, pair.before}, {pair.title, pair.after}), pair.shown)
        << pair.title;
  }
}

TEST(ContradictionTest, ASentenceIsDeniedOrTurnedRound) {
  const struct {
    const char* before;
    const char* after;
    const char* shown;
  } kPairs[] = {
      {"The tool supports YAML anchors.", "The tool does not support YAML anchors.",
       "tool supports -> tool does not support"},
      {"The tool supports YAML anchors.", "The tool no longer supports YAML anchors.",
       "tool supports -> tool no longer supports"},
      {"Squash merges before release.", "Don't squash merges before release.", nullptr},
      {"The cache can be cleared.", "The cache can't be cleared.", nullptr},
      {"Enable the cache in production.", "Disable the cache in production.",
       "Enable the cache -> Disable the cache"},
      {"Always clear the cache on deploy.", "Never clear the cache on deploy.",
       "Always clear -> Never clear"},
      {"Wir nutzen den Proxy im Test.", "Wir nutzen den Proxy nicht im Test.", nullptr},
  };
  for (const auto& pair : kPairs) {
    const std::string there = DifferenceOf({"Rule", pair.before}, {"Rule", pair.after});
    EXPECT_NE(there, "") << pair.after;
    EXPECT_NE(DifferenceOf({"Rule", pair.after}, {"Rule", pair.before}), "") << pair.after;
    if (pair.shown != nullptr) {
      EXPECT_EQ(there, pair.shown);
    }
  }
}

TEST(ContradictionTest, TheTitleIsTheSubjectAndMayBeTheSentence) {
  EXPECT_NE(DifferenceOf({"API port is 8080", ""}, {"API port is 9090", ""}), "");
  EXPECT_NE(DifferenceOf({"API port is 8080", ""}, {"API port", "The API port is 9090."}), "");
  EXPECT_NE(DifferenceOf({"API port", "The API port is 9090."}, {"API port is 8080", ""}), "");
  EXPECT_NE(DifferenceOf({"Use port 8080 for the API", ""}, {"Use port 9090 for the API", ""}), "");
  EXPECT_NE(DifferenceOf({"API port", "The API listens on port 8080."},
                         {"Port of the API", "The API listens on port 9090."}),
            "");
  // Other subjects.
  EXPECT_EQ(DifferenceOf({"CORS", "Safari caches it for 600 seconds."},
                         {"Focus rings", "Safari caches it for 5 seconds."}),
            "");
  EXPECT_EQ(DifferenceOf({"Harbour API limit", "The limit is 100 per minute."},
                         {"Tidepool API limit", "The limit is 300 per minute."}),
            "");
  EXPECT_EQ(DifferenceOf({"Sprint 12", "Velocity was 30 points."},
                         {"Sprint 13", "Velocity was 35 points."}),
            "");
  EXPECT_EQ(DifferenceOf({"Standup 2026-01-01", ""}, {"Standup 2026-01-08", ""}), "");
  ComparedNote harbour = ComparedOf({"Port", "The API listens on port 8080."});
  ComparedNote tidepool = ComparedOf({"Port", "The API listens on port 9090."});
  harbour.scope = "harbour";
  EXPECT_NE(DifferenceOfNotes(harbour, tidepool), "");
  tidepool.scope = "tidepool";
  EXPECT_EQ(DifferenceOfNotes(harbour, tidepool), "") << "each scope has its own port";
}

TEST(ContradictionTest, WhatMayBothBeTrueIsNone) {
  const struct {
    const char* before;
    const char* after;
  } kPairs[] = {
      {"The timeout is 30s.", "The timeout is 30 s."},
      {"The limit is 1,000 rows.", "The limit is `1000` rows."},
      {"We run Postgres 14 in production.", "We run Postgres 14.2 in production."},
      {"The parser supports YAML.", "The parser supports JSON."},
      {"- Node 1 is 10.0.0.1\n- Node 2 is 10.0.0.2\n", "- Node 3 is 10.0.0.3\n"},
      {"Step 1: run make install", "Step 2: run make install"},
      {"See ticket 1234 for details.", "See ticket 1240 for details."},
      {"The port is 8080.", "The port is 8080. The port is 9090 in tests."},
      {"The port of the API is 8080.", "The port of the API is 8080. The port of the API is 9090."},
      {"Restarted the server on 2026-05-01.", "Restarted the server on 2026-06-01."},
      {"It works on Linux.", "It is slow on Linux."},
      {"Use it only in tests.", "Use it not only in tests."},
      {"", "The port is 8080."},
      {"", ""},
  };
  for (const auto& pair : kPairs) {
    EXPECT_EQ(DifferenceOf({"Same title", pair.before}, {"Same title", pair.after}), "")
        << pair.after;
    EXPECT_EQ(DifferenceOf({"Same title", pair.after}, {"Same title", pair.before}), "")
        << pair.before;
  }
}

std::string LineOnCard(const std::string& note, const std::string& key) {
  const size_t begin = note.find("\n" + key + ": ");
  if (begin == std::string::npos) return "";
  std::string line = note.substr(begin + key.size() + 3);
  line.resize(line.find('\n'));
  return line.starts_with('"') ? line.substr(1, line.size() - 2) : line;
}

// None of the notes of tests/memory_questions contradicts another one, and most say another thing
// with another number in them.
TEST(ContradictionTest, NotesThatContradictNothingRaiseNoAlarm) {
  std::vector<ComparedNote> notes;
  for (const auto& file :
       std::filesystem::directory_iterator(SourceDir() + "/tests/memory_questions/notes")) {
    const std::string text = ReadWhole(file.path());
    notes.push_back(ComparedPartOf(LineOnCard(text, "title"), LineOnCard(text, "summary"), text));
    notes.back().scope = LineOnCard(text, "scope");
  }
  ASSERT_GT(notes.size(), 250u);
  std::vector<StatedNote> stated(notes.begin(), notes.end());
  size_t alarms = 0;
  for (const StatedNote& older : stated) {
    for (const StatedNote& newer : stated) {
      if (&older != &newer && FindContradiction(older, newer)) ++alarms;
    }
  }
  EXPECT_EQ(alarms, 0u);

  size_t changed = 0;
  size_t found = 0;
  for (const ComparedNote& note : notes) {
    const std::string& text = note.text;
    size_t at = 1;
    const auto digit = [&](size_t i) {
      return i < text.size() && text[i] >= '0' && text[i] <= '9';
    };
    while (at < text.size() && !(text[at - 1] == ' ' && digit(at))) ++at;
    size_t end = at;
    while (digit(end)) ++end;
    if (end >= text.size() || std::string(" .,").find(text[end]) == std::string::npos) continue;
    ComparedNote other = note;
    other.text.replace(at, end - at, std::to_string(std::stol(text.substr(at, end - at)) + 7));
    ++changed;
    if (FindContradiction(StatedNote(note), StatedNote(other))) ++found;
  }
  EXPECT_GT(changed, 80u);
  EXPECT_GE(found, changed * 3 / 4) << "of " << changed;
}

}  // namespace
}  // namespace recall
