// `recall suggest` by the command line and over HTTP: what it prints, that its answers satisfy
// their schema, and that decisions are kept.

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;
using Args = std::vector<std::string>;

class SuggestProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Save("API port", "The API listens on port 8080.", "2026-05-01");
    Save("Port of the API", "The API listens on port 9090.", "2026-05-20");
    Save("Bread", "Knead for ten minutes.", "2026-05-01");
  }
  void Save(const std::string& title, const std::string& text, const std::string& at) {
    const RunResult saved = Run({"save", "project-fact", title, "--text", text, "--at", at});
    ASSERT_EQ(saved.exit, 0) << saved;
  }
  RunResult Suggest(Args more = {}) {
    Args args = {"suggest", "--as-of", "2026-06-01"};
    args.insert(args.end(), more.begin(), more.end());
    return Run(args);
  }
  Json Asked(Args more = {}) {
    more.push_back("--json");
    const RunResult result = Suggest(more);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["suggest"];
  }
  std::string IdOfRetirement() {
    const Json found = Asked({"--kind", "retire"})["suggestions"];
    EXPECT_EQ(found.size(), 1u) << found;
    return found.empty() ? "" : found[0]["id"].get<std::string>();
  }
};

TEST_F(SuggestProcessTest, SaysWhatWhyAndHow) {
  const Json found = Asked({"--kind", "retire"});
  ASSERT_EQ(found["suggestions"].size(), 1u) << found;
  const Json& suggestion = found["suggestions"][0];
  EXPECT_EQ(suggestion["kind"], "retire");
  EXPECT_EQ(suggestion["cause"], "contradicted");
  EXPECT_EQ(suggestion["old"], "port 8080");
  EXPECT_EQ(suggestion["new"], "port 9090");
  EXPECT_EQ(suggestion["command"],
            (Json{"recall", "retire", "notes/api-port.md", "--by", "notes/port-of-the-api.md"}));
  EXPECT_EQ(found["as_of"], "2026-06-01T00:00:00Z");
  const std::string id = suggestion["id"];
  EXPECT_EQ(Suggest({"--kind", "retire"}).out,
            id + "  retire  notes/api-port.md  API port\n"
                 "    notes/port-of-the-api.md  Port of the API\n"
                 "    contradicted by notes/port-of-the-api.md: 'port 8080' -> 'port 9090'\n");
  EXPECT_EQ(Asked({"--stable"}), found);
  const RunResult now = Run({"suggest", "--json", "--stable"});
  EXPECT_FALSE(now.Json()["suggest"].contains("as_of")) << now;
}

TEST_F(SuggestProcessTest, AcceptedItIsDone) {
  const std::string id = IdOfRetirement();
  const std::string command = "recall retire notes/api-port.md --by notes/port-of-the-api.md\n";
  EXPECT_EQ(Suggest({"--accept", id, "--dry-run"}).out, command);
  EXPECT_EQ(IdOfRetirement(), id);
  EXPECT_EQ(Suggest({"--accept", id, "--at", "2026-06-01"}).out, "done: " + command);
  EXPECT_NE(Run({"get", "api-port"}).out.find("status: obsolete"), std::string::npos);
  const RunResult empty = Suggest({"--kind", "retire"});
  EXPECT_EQ(empty.out, "");
  EXPECT_NE(empty.err.find("nothing is suggested"), std::string::npos) << empty;
  const RunResult again = Suggest({"--accept", id, "--json"});
  EXPECT_EQ(again.exit, 1) << again;
  EXPECT_EQ(again.Json()["error"]["code"], "not_found");
}

TEST_F(SuggestProcessTest, RejectedItIsNotSaidAgain) {
  const std::string id = IdOfRetirement();
  EXPECT_EQ(Suggest({"--reject", id}).out, "rejected " + id + "\n");
  EXPECT_EQ(Suggest({"--reject", id}).out, "already rejected " + id + "\n");
  const Json left = Asked({"--kind", "retire"});
  EXPECT_TRUE(left["suggestions"].empty());
  EXPECT_EQ(left["rejected"], 1);
  EXPECT_NE(Suggest({"--kind", "retire"}).err.find("--rejected"), std::string::npos);
  const Json all = Asked({"--kind", "retire", "--rejected"})["suggestions"];
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0]["rejected"], true);
  const Json accepted = Asked({"--accept", id});
  EXPECT_EQ(accepted["done"], true);
  EXPECT_EQ(accepted["suggestion"]["id"], id);
}

TEST_F(SuggestProcessTest, WhatSomebodyHasToDoIsACommandLine) {
  ASSERT_EQ(Run({"used", "bread", "bread", "bread", "--at", "2026-05-02"}).exit, 0);
  const Json reviews = Asked({"--kind", "review"})["suggestions"];
  ASSERT_EQ(reviews.size(), 1u) << reviews;
  const std::string id = reviews[0]["id"];
  EXPECT_EQ(Suggest({"--accept", id}).out, "recall review notes/bread.md\n");
  EXPECT_EQ(Asked({"--accept", id})["done"], false);
  EXPECT_EQ(Asked({"--kind", "review"})["suggestions"], reviews);
}

TEST_F(SuggestProcessTest, OptionsThatDoNotFitAreErrors) {
  for (const Args& wrong :
       {Args{"--accept", "0123456789ab", "--reject", "0123456789ab"}, Args{"--kind", "merge"},
        Args{"--accept", "0123456789ab", "--kind", "link"}, Args{"--dry-run"},
        Args{"--at", "2026-06-01"}, Args{"--filter", "doc.typ ="}}) {
    EXPECT_EQ(Suggest(wrong).exit, 2) << wrong[0];
  }
  EXPECT_EQ(Suggest({"--reject", "0123456789ab"}).exit, 1);
}

}  // namespace
}  // namespace recall
