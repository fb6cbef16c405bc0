#include "index/source/session/session_version.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

constexpr UnixNanos kMinute = 60'000'000'000;

// What a store would write for a version.
std::string DocumentOf(const SessionVersion& version) {
  return WriteSessionText(version.turns.turns, version.turns.tool_calls) + "\n---\n" +
         WriteSessionMeta(version.meta);
}

// A reading of a session: some of its turns, and metadata as another machine may see it.
SessionVersion SomeVersion(std::mt19937& random) {
  const auto some = [&](const std::vector<std::string>& all) {
    std::vector<std::string> chosen;
    for (const std::string& item : all) {
      if (random() % 2 == 0) chosen.push_back(item);
    }
    return chosen;
  };
  SessionVersion version;
  for (uint32_t i = 0; i < 6; ++i) {
    if (random() % 3 == 0) continue;
    Turn turn;
    turn.role = i % 2 == 0 ? TurnRole::kHuman : TurnRole::kAssistant;
    turn.at = (1000 + i) * kMinute;
    turn.line = 1 + i;
    turn.text = "turn " + std::to_string(i) + (random() % 4 == 0 ? " redacted" : "");
    version.turns.turns.push_back(turn);
    if (random() % 3 == 0) {
      version.turns.tool_calls.push_back(
          {static_cast<uint32_t>(version.turns.turns.size() - 1), "Edit", "a.go", ""});
    }
  }
  SessionMeta& meta = version.meta;
  meta.agent = "a";
  meta.id = "b";
  meta.branch = random() % 2 == 0 ? "main" : "side";
  meta.model = random() % 2 == 0 ? "" : "m" + std::to_string(random() % 3);
  if (!version.turns.turns.empty()) {
    meta.started_at = version.turns.turns.front().at;
    meta.captured_at = version.turns.turns.back().at;
  }
  meta.turns = static_cast<int64_t>(version.turns.turns.size());
  meta.tool_calls = static_cast<int64_t>(version.turns.tool_calls.size());
  meta.files = some({"a.go", "b.go", "c.go"});
  const char* grades[] = {"explicit", "trailer", "inferred"};
  for (const std::string& sha : some({"aa", "bb", "cc"})) {
    meta.commits[sha] = grades[random() % 3];
    meta.commit = sha;
  }
  meta.redacted["aws"] = static_cast<int64_t>(random() % 3);
  meta.changed_files = some({"a.go", "b.go"});
  meta.offered_paths = some({"docs/a.md", "notes/n.md"});
  meta.followed_paths = some(meta.offered_paths);
  return version;
}

TEST(UnitedVersionTest, TheOrderDoesNotMatter) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(21)));
  for (int i = 0; i < 2000; ++i) {
    const SessionVersion a = SomeVersion(random);
    const SessionVersion b = SomeVersion(random);
    EXPECT_EQ(DocumentOf(UniteVersions(a, b)), DocumentOf(UniteVersions(b, a)));
  }
}

TEST(UnitedVersionTest, WhatWasUnitedChangesNothingMore) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(22)));
  for (int i = 0; i < 2000; ++i) {
    const SessionVersion a = SomeVersion(random);
    const SessionVersion b = SomeVersion(random);
    const SessionVersion c = SomeVersion(random);
    const SessionVersion all = UniteVersions(UniteVersions(a, b), c);
    for (const SessionVersion& part : {a, b, c}) {
      EXPECT_EQ(DocumentOf(UniteVersions(all, part)), DocumentOf(all));
    }
    EXPECT_EQ(DocumentOf(UniteVersions(all, all)), DocumentOf(all));
    // Stores that united in other orders come to the same when they exchange the outcomes.
    const SessionVersion other = UniteVersions(a, UniteVersions(c, b));
    EXPECT_EQ(DocumentOf(UniteVersions(all, other)), DocumentOf(UniteVersions(other, all)));
  }
}

TEST(UnitedVersionTest, AllTurnsAreThere) {
  SessionVersion a;
  a.turns.turns = {{TurnRole::kHuman, kMinute, 1, "one"},
                   {TurnRole::kHuman, 3 * kMinute, 2, "three"}};
  SessionVersion b;
  b.turns.turns = {{TurnRole::kHuman, kMinute, 1, "one"},
                   {TurnRole::kHuman, 2 * kMinute, 2, "two"}};
  const SessionVersion united = UniteVersions(a, b);
  std::vector<std::string> texts;
  for (const Turn& turn : united.turns.turns) texts.push_back(turn.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(united.meta.turns, 3);
}

}  // namespace
}  // namespace recall
