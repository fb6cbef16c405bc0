#include "query/memory/sharing/shared_text.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

const std::string kKey = std::string("AKIA") + "Q3EGRTUVPLMNWX7Z";

TEST(SharedTextTest, SecretsAreReplacedInTheTextAndOnTheCard) {
  const Redactor redactor = Must(Redactor::Make({}));
  const std::string text =
      "---\ntitle: Keys\nrecall_when:\n  - akiaq3egrtuvplmnwx7z\n  - deploy\n---\n\nIt is " + kKey +
      ".\n";
  std::map<std::string, int64_t> counts;
  const std::string shared = SharedNoteText(redactor, text, &counts);
  EXPECT_EQ(shared.find(kKey), std::string::npos) << shared;
  EXPECT_EQ(shared.find("akiaq3egrtuvplmnwx7z"), std::string::npos) << shared;
  EXPECT_NE(shared.find("  - redacted\n  - deploy\n"), std::string::npos) << shared;
  EXPECT_EQ(counts.size(), 1U);
  // What is on a branch is not changed again.
  EXPECT_EQ(SharedNoteText(redactor, shared, nullptr), shared);
}

TEST(SharedTextTest, OtherTextsStayByteForByte) {
  const Redactor redactor = Must(Redactor::Make({}));
  for (const std::string& text :
       {std::string(), std::string("no card\n"), std::string("---\ntitle: A\n---\n\r\n\xC3\xBC"),
        std::string("---\nrecall_when: [akia, key]\n---\nkeys\n")}) {
    EXPECT_EQ(SharedNoteText(redactor, text, nullptr), text);
  }
}

}  // namespace
}  // namespace recall
