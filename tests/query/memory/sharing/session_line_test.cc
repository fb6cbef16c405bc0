#include "query/memory/sharing/session_line.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

Result<SharedSession> ReadLine(const std::string& line) {
  return ReadSessionLine({"recall.body", 1, line});
}

TEST(SessionLineTest, IsReadAsItWasWritten) {
  const SharedSession session{"sessions/a/b", "## 0 human - line 1\n\nü \"x\"\n",
                              R"({"agent":"a","id":"b","turns":1})"};
  const std::string line = WriteSessionLine(session);
  EXPECT_EQ(line, WriteSessionLine(session));
  ASSERT_OK_AND_ASSIGN(const SharedSession read, ReadLine(line));
  EXPECT_EQ(read.path, session.path);
  EXPECT_EQ(read.text, session.text);
  EXPECT_EQ(read.meta, session.meta);
}

TEST(SessionLineTest, WhatIsNotWhatItSaysIsRefused) {
  const SharedSession session{"sessions/a/b", "text", R"({"agent":"a","id":"b"})"};
  const std::string line = WriteSessionLine(session);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = line;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };
  for (const std::string& bad :
       {with("\"text\":\"text\"", "\"text\":\"other\""), with("sessions/a/b", "notes/a"),
        with("sessions/a/b", "sessions/a/c"), with("\"parser\":\"session\"", "\"parser\":\"note\""),
        with("\"type\":\"doc\"", "\"type\":\"chunk\""), with("\"agent\":\"a\",", ""),
        std::string("{"), std::string("[]"), std::string()}) {
    EXPECT_FALSE(ReadLine(bad).has_value()) << bad;
  }
}

}  // namespace
}  // namespace recall
