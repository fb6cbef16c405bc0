// Suggestions: what is suggested, why, and what comes of it when it is accepted or rejected.

#include <algorithm>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

UnixNanos DayTime(const std::string& day) {
  const auto time = ParseRfc3339Date(day);
  EXPECT_TRUE(time.has_value()) << day;
  return time.value_or(0);
}

constexpr char kToday[] = "2026-06-01";

class SuggestTest : public QueryFixture {
 protected:
  // Returns: the path.
  std::string Save(const std::string& type, const std::string& title, const std::string& text,
                   const std::string& at = "2026-05-01", std::vector<std::string> tags = {}) {
    SaveRequest request;
    request.note.type = type;
    request.note.title = title;
    request.note.text = text;
    request.note.tags = std::move(tags);
    request.at = DayTime(at);
    const auto report = database_->Save(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? report->doc.path : "";
  }

  SuggestRequest Request(std::vector<SuggestionKind> kinds = {}) {
    SuggestRequest request;
    request.kinds = std::move(kinds);
    request.scope.as_of = DayTime(kToday);
    return request;
  }
  SuggestReport Suggest(const SuggestRequest& request) {
    auto report = database_->Suggest(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *std::move(report) : SuggestReport();
  }
  std::vector<Suggestion> Suggested(SuggestionKind kind) {
    return Suggest(Request({kind})).suggestions;
  }
  Result<SettleReport> Settle(const std::string& id, bool accept, bool dry_run = false) {
    SettleRequest request;
    request.id = id;
    request.accept = accept;
    request.at = DayTime(kToday);
    request.dry_run = dry_run;
    return database_->Settle(request);
  }
  std::vector<LinkRecord> LinksFrom(const std::string& path) {
    LinksRequest request;
    request.target = path;
    request.direction = LinkDirection::kOut;
    const auto report = database_->Links(request);
    EXPECT_TRUE(report.has_value());
    return report ? report->links : std::vector<LinkRecord>();
  }
  void SaveThreeBugs() {
    const std::vector<std::string> tags = {"cors", "http"};
    Save("bug", "CORS header missing on error pages",
         "The browser hides the failure: the proxy sends error pages without the CORS header.",
         "2026-05-01", tags);
    Save("bug", "CORS header lost behind the proxy",
         "The proxy drops the CORS header of the service, and the browser reports a failure.",
         "2026-05-02", tags);
    Save("lesson", "Two CORS headers are none",
         "The browser refuses two CORS headers, one of the proxy and one of the service.",
         "2026-05-03", tags);
  }
  void SaveOthers() {
    Save("recipe", "Bread", "Knead for ten minutes and let it rest for an hour.");
    Save("preference", "Window seats", "On trains, book a seat at the window.");
    Save("bug", "Boiler pressure", "The heating stops below one bar; refill it in the cellar.");
    Save("lesson", "Snapshots of whole pages", "Nobody reads a difference of thousands of lines.");
    Save("decision", "One repository", "All services live in one repository with one lock file.");
  }
};

using NotePathList = std::vector<std::string>;

NotePathList NotePathsOf(const Suggestion& suggestion) {
  NotePathList paths;
  for (const SuggestedNote& note : suggestion.notes) paths.push_back(note.path);
  return paths;
}

TEST_F(SuggestTest, ThreeBugsOfOneSubjectMayHaveAPattern) {
  SaveThreeBugs();
  SaveOthers();
  const std::vector<Suggestion> patterns = Suggested(SuggestionKind::kPattern);
  ASSERT_EQ(patterns.size(), 1u);
  const Suggestion& pattern = patterns[0];
  EXPECT_EQ(NotePathsOf(pattern), (NotePathList{"notes/cors-header-lost-behind-the-proxy.md",
                                                "notes/cors-header-missing-on-error-pages.md",
                                                "notes/two-cors-headers-are-none.md"}));
  EXPECT_NE(std::ranges::find(pattern.shared, "cors"), pattern.shared.end());
  EXPECT_GE(pattern.likeness.value_or(0), 0.08);
  EXPECT_EQ(pattern.id.size(), 12u);

  // Accepting it writes nothing that nobody has written, but tells how.
  const std::string before = database_->CommitToken().value_or("");
  ASSERT_OK_AND_ASSIGN(const SettleReport settled, Settle(pattern.id, true));
  EXPECT_FALSE(settled.done);
  EXPECT_EQ(database_->CommitToken().value_or(""), before);
  const std::vector<std::string>& command = settled.suggestion.command;
  ASSERT_GT(command.size(), 4u);
  EXPECT_EQ((NotePathList{command.begin(), command.begin() + 3}),
            (NotePathList{"recall", "save", "pattern"}));

  // Another bug of the subject makes no new suggestion; a pattern ends it.
  const std::vector<std::string> tags = {"cors", "http"};
  Save("bug", "CORS header with a wildcard",
       "The browser refuses the wildcard that the proxy puts into the CORS header.", "2026-05-04",
       tags);
  const auto four = Suggested(SuggestionKind::kPattern);
  ASSERT_EQ(four.size(), 1u);
  EXPECT_EQ(four[0].notes.size(), 4u);
  SaveRequest request;
  request.note.type = "pattern";
  request.note.title = "The proxy owns all CORS headers";
  request.at = DayTime("2026-05-05");
  for (const std::string& path : NotePathsOf(four[0]))
    request.links.emplace_back("derived_from", path);
  ASSERT_OK(database_->Save(request));
  EXPECT_TRUE(Suggested(SuggestionKind::kPattern).empty());
  ASSERT_OK(database_->Retire({.target = "the-proxy-owns-all-cors-headers"}));
  EXPECT_EQ(Suggested(SuggestionKind::kPattern).size(), 1u) << "an obsolete pattern is none";
}

TEST_F(SuggestTest, NotesOfOneSubjectCanBeLinked) {
  SaveThreeBugs();
  SaveOthers();
  std::vector<Suggestion> links = Suggested(SuggestionKind::kLink);
  ASSERT_FALSE(links.empty());
  for (const Suggestion& link : links) {
    ASSERT_EQ(link.notes.size(), 2u);
    for (const SuggestedNote& note : link.notes) {
      EXPECT_NE(note.path.find("cors"), std::string::npos) << note.path;
    }
    EXPECT_GE(link.shared.size(), 4u);
    EXPECT_TRUE(link.likeness && link.cosine) << "two kinds of evidence";
  }
  const Suggestion accepted = links[0];
  ASSERT_OK_AND_ASSIGN(const SettleReport dry, Settle(accepted.id, true, true));
  EXPECT_TRUE(dry.done);
  EXPECT_TRUE(LinksFrom(accepted.notes[0].path).empty());
  ASSERT_OK_AND_ASSIGN(const SettleReport settled, Settle(accepted.id, true));
  EXPECT_TRUE(settled.done);
  const auto made = LinksFrom(accepted.notes[0].path);
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].target, accepted.notes[1].path);
  EXPECT_EQ(made[0].reason.value_or(""), accepted.reason);
  const auto after = Suggested(SuggestionKind::kLink);
  EXPECT_EQ(after.size(), links.size() - 1);
  EXPECT_EQ(Settle(accepted.id, true).error().code(), StatusCode::kNotFound);
}

TEST_F(SuggestTest, WhatIsNoLongerTrueIsToBeRetired) {
  const std::string old_port = Save("project-fact", "API port", "The API listens on port 8080.");
  const std::string new_port =
      Save("project-fact", "API port", "The API listens on port 9090.", "2026-05-20");
  const std::string first = Save("decision", "Queues", "Jobs run in cron.");
  const std::string second = Save("decision", "Job runner", "A queue of its own runs what waits.");
  LinkRequest link;
  link.source = second;
  link.target = first;
  link.relation = "supersedes";
  ASSERT_OK(database_->Link(link));
  SaveRequest until;
  until.note.type = "preference";
  until.note.title = "Summer house";
  until.note.text = "The key is under the third pot.";
  until.note.valid_until = DayTime("2026-05-15");
  until.at = DayTime("2026-05-01");
  ASSERT_OK(database_->Save(until));

  const std::vector<Suggestion> retire = Suggested(SuggestionKind::kRetire);
  ASSERT_EQ(retire.size(), 3u);
  EXPECT_EQ(retire[0].cause, "superseded");
  EXPECT_EQ(NotePathsOf(retire[0]), (NotePathList{first, second}));
  EXPECT_EQ(retire[1].cause, "contradicted");
  EXPECT_EQ(NotePathsOf(retire[1]), (NotePathList{old_port, new_port}));
  EXPECT_EQ(retire[1].old_text.value_or(""), "port 8080");
  EXPECT_EQ(retire[1].new_text.value_or(""), "port 9090");
  EXPECT_EQ(retire[2].cause, "expired");
  EXPECT_EQ(NotePathsOf(retire[2]), (NotePathList{"notes/summer-house.md"}));

  for (const Suggestion& suggestion : retire) {
    ASSERT_OK_AND_ASSIGN(const SettleReport settled, Settle(suggestion.id, true));
    EXPECT_TRUE(settled.done) << suggestion.cause;
  }
  EXPECT_TRUE(Suggested(SuggestionKind::kRetire).empty());
  const auto links = LinksFrom(new_port);
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(links[0].relation, "supersedes");
  EXPECT_EQ(links[0].target, old_port);
  ExpectHealthy();
}

TEST_F(SuggestTest, WhatIsUsedAndWasNeverReviewedIsToBeReviewed) {
  const std::string used = Save("preference", "Tabs", "Two spaces, never tabs.", "2026-04-01");
  Save("preference", "Editor", "Helix without autosave.", "2026-04-01");
  const std::string due = Save("preference", "Bread", "Rye with caraway seeds.", "2026-04-01");
  UseRequest use;
  use.targets = {used, used, used};
  use.at = DayTime("2026-05-01");
  ASSERT_OK(database_->Use(use));
  ReviewRequest review;
  review.target = due;
  review.quality = 4;
  review.at = DayTime("2026-05-01");
  ASSERT_OK(database_->Review(review));
  const std::vector<Suggestion> suggested = Suggested(SuggestionKind::kReview);
  ASSERT_EQ(suggested.size(), 2u);
  EXPECT_EQ(NotePathsOf(suggested[0]), NotePathList{used});
  EXPECT_EQ(suggested[0].cause, "unreviewed");
  EXPECT_EQ(suggested[0].command, (NotePathList{"recall", "review", used}));
  EXPECT_EQ(NotePathsOf(suggested[1]), NotePathList{due});
  EXPECT_EQ(suggested[1].cause, "due");
  SuggestRequest earlier = Request({SuggestionKind::kReview});
  earlier.scope.as_of = DayTime("2026-04-15");
  EXPECT_TRUE(Suggest(earlier).suggestions.empty()) << "nothing was used or reviewed by then";
  review.target = used;
  review.at = DayTime(kToday);
  ASSERT_OK(database_->Review(review));
  EXPECT_EQ(Suggested(SuggestionKind::kReview).size(), 1u);
}

TEST_F(SuggestTest, WhatIsRejectedIsNotSuggestedAgain) {
  SaveThreeBugs();
  SaveOthers();
  const Suggestion pattern = Suggested(SuggestionKind::kPattern).at(0);
  ASSERT_OK_AND_ASSIGN(const SettleReport dry, Settle(pattern.id, false, true));
  EXPECT_TRUE(dry.done);
  EXPECT_EQ(Suggested(SuggestionKind::kPattern).size(), 1u);
  ASSERT_OK_AND_ASSIGN(const SettleReport rejected, Settle(pattern.id, false));
  EXPECT_TRUE(rejected.done);
  ASSERT_OK_AND_ASSIGN(const SettleReport again, Settle(pattern.id, false));
  EXPECT_FALSE(again.done);

  // The store remembers it.
  Reopen();
  ASSERT_OK(database_->Compact({}));
  ExpectHealthy();
  SuggestReport report = Suggest(Request({SuggestionKind::kPattern}));
  EXPECT_TRUE(report.suggestions.empty());
  EXPECT_EQ(report.rejected, 1);
  SuggestRequest all = Request({SuggestionKind::kPattern});
  all.with_rejected = true;
  report = Suggest(all);
  ASSERT_EQ(report.suggestions.size(), 1u);
  EXPECT_TRUE(report.suggestions[0].rejected);
  EXPECT_EQ(report.suggestions[0].id, pattern.id);

  // Whoever accepts it has changed their mind.
  ASSERT_OK(Settle(pattern.id, true));
  EXPECT_EQ(Suggested(SuggestionKind::kPattern).size(), 1u);
}

TEST_F(SuggestTest, OfSeveralCausesTheFirstThatWasNotRejectedIsGiven) {
  const std::string old_port = Save("project-fact", "API port", "The API listens on port 8080.");
  Save("project-fact", "API port", "The API listens on port 9090.", "2026-05-20");
  Save("project-fact", "API port", "The API listens on port 7070.", "2026-05-21");
  const auto of_old = [&] {
    std::vector<std::string> by;
    for (const Suggestion& suggestion : Suggested(SuggestionKind::kRetire)) {
      if (suggestion.notes[0].path == old_port) by.push_back(suggestion.notes[1].path);
    }
    return by;
  };
  ASSERT_EQ(of_old(), NotePathList{"notes/api-port-2.md"});
  for (const Suggestion& suggestion : Suggested(SuggestionKind::kRetire)) {
    if (suggestion.notes[0].path == old_port) {
      ASSERT_OK(Settle(suggestion.id, false));
    }
  }
  EXPECT_EQ(of_old(), NotePathList{"notes/api-port-3.md"});
}

TEST_F(SuggestTest, TheSameNotesGiveTheSameSuggestions) {
  const auto make = [&] {
    Create({});
    SaveThreeBugs();
    SaveOthers();
    std::vector<std::string> found;
    for (const Suggestion& each : Suggest(Request()).suggestions) {
      found.push_back(each.id + " " + each.reason);
    }
    return found;
  };
  const auto once = make();
  EXPECT_FALSE(once.empty());
  EXPECT_EQ(make(), once);
  // Of each kind, as many as were asked for; and of the notes that a filter selects.
  SuggestRequest few = Request();
  few.limit = 1;
  for (const Suggestion& each : Suggest(few).suggestions) {
    EXPECT_NE(std::ranges::find(once, each.id + " " + each.reason), once.end());
  }
  EXPECT_LT(Suggest(few).suggestions.size(), once.size());
  SuggestRequest bugs = Request({SuggestionKind::kPattern});
  bugs.scope.filter = "doc.type = 'bug'";
  EXPECT_TRUE(Suggest(bugs).suggestions.empty()) << "two of the three are bugs";
  bugs.scope.filter = "doc.typ = 'bug' AND";
  EXPECT_EQ(database_->Suggest(bugs).error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(Settle("0123456789ab", true).error().code(), StatusCode::kNotFound);
  EXPECT_EQ(Settle("", true).error().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace recall
