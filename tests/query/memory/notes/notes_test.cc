// Notes: what they say is found, linked, used, reviewed and forgotten as the documentation says, as
// of any time and in any snapshot.

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "index/source/note/triggers.h"
#include "query/memory/notes/context_json.h"
#include "query/memory/notes/spaced_repetition.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

UnixNanos Time(const std::string& text) {
  const auto time = text.size() == 10 ? ParseRfc3339Date(text) : ParseRfc3339(text);
  EXPECT_TRUE(time.has_value()) << text;
  return time.value_or(0);
}

Scope AsOf(const std::string& time) {
  Scope scope;
  scope.as_of = Time(time);
  return scope;
}

class NotesTest : public QueryFixture {
 protected:
  SaveReport Save(SaveRequest request) {
    auto report = database_->Save(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : SaveReport();
  }
  SaveReport Save(const std::string& type, const std::string& title, const std::string& at = "",
                  const std::string& text = "") {
    SaveRequest request;
    request.note.type = type;
    request.note.title = title;
    request.note.text = text;
    if (!at.empty()) request.at = Time(at);
    return Save(request);
  }

  // The ids of the notes that satisfy a filter, as of a time, in the order of paths.
  std::vector<std::string> Ids(const std::string& filter, const std::string& as_of = "",
                               const std::string& snapshot = "") {
    QueryRequest request;
    request.rql = "SELECT doc.path FROM doc FILTER " + filter;
    request.snapshot = snapshot;
    if (!as_of.empty()) request.as_of = Time(as_of);
    auto found = database_->Query(request);
    EXPECT_TRUE(found.has_value()) << filter << ": " << found.error().ToString();
    std::vector<std::string> ids;
    if (!found) return ids;
    for (const QueryRow& row : found->rows) ids.push_back(IdOf(row.doc.path));
    return ids;
  }
  static std::string IdOf(std::string path) {
    if (path.starts_with("notes/")) path = path.substr(6);
    return path.ends_with(".md") ? path.substr(0, path.size() - 3) : path;
  }

  std::string StateOf(const std::string& id, const std::string& as_of) {
    for (const char* state : {"fresh", "aging", "stale", "expired", "obsolete"}) {
      const auto ids = Ids("doc.lifecycle = '" + std::string(state) + "'", as_of);
      if (std::ranges::find(ids, id) != ids.end()) return state;
    }
    return "none";
  }

  std::string Token() { return database_->CommitToken().value_or(""); }

  void Link(const std::string& source, const std::string& target, const std::string& relation) {
    LinkRequest request;
    request.source = source;
    request.target = target;
    request.relation = relation;
    auto report = database_->Link(request);
    ASSERT_TRUE(report.has_value()) << report.error().ToString();
  }
};

using Strings = std::vector<std::string>;

TEST_F(NotesTest, ASavedNoteIsADocumentThatSearchesFind) {
  SaveRequest request;
  request.note.type = "lesson";
  request.note.title = "Don't stack focus styles";
  request.note.recall_when = {"creating a new input component"};
  request.note.text = "One outline for each component.";
  const SaveReport report = Save(request);
  EXPECT_EQ(report.doc.path, "notes/dont-stack-focus-styles.md");
  SearchRequest search;
  search.text = "new input component";
  ASSERT_OK_AND_ASSIGN(const SearchResponse found, database_->Search(search));
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_EQ(found.hits[0].doc.path, report.doc.path);
  EXPECT_EQ(found.hits[0].doc.origin, "saved");
  // The id alone names it.
  ASSERT_OK_AND_ASSIGN(const GetResponse got, database_->Get({.target = report.id}));
  EXPECT_NE(got.chunk.text.find("One outline"), std::string::npos);
}

// A note as somebody has edited it, with its card.
SaveRequest Edited(const GetResponse& note, std::string text) {
  SaveRequest request;
  request.rewrite = note.doc.path;
  request.rewrites_card = true;
  request.based_on = note.doc.hash;
  request.note.text = std::move(text);
  request.at = Time("2026-02-01");
  return request;
}

TEST_F(NotesTest, AnEditedNoteKeepsWhatWasNotEdited) {
  Save("lesson", "Focus", "2026-01-01", "one");
  ASSERT_OK_AND_ASSIGN(const GetResponse before, database_->Get({.target = "focus"}));
  std::string text = before.chunk.text;
  text.replace(text.find("title: Focus"), 12, "title: Two outlines\nown_key: [a, {b: 1}] # mine");
  const SaveReport report = Save(Edited(before, text));
  EXPECT_EQ(report.doc.path, "notes/focus.md") << "the path is not that of the new title";
  EXPECT_TRUE(report.replaced);
  ASSERT_OK_AND_ASSIGN(const GetResponse after, database_->Get({.target = "focus"}));
  EXPECT_NE(after.chunk.text.find("title: Two outlines\nown_key: [a, {b: 1}] # mine\n"),
            std::string::npos)
      << after.chunk.text;
  EXPECT_NE(after.chunk.text.find("created: 2026-01-01\n"), std::string::npos);
  EXPECT_NE(after.chunk.text.find("updated: 2026-02-01"), std::string::npos);
  EXPECT_TRUE(Save(Edited(after, after.chunk.text)).unchanged);
}

TEST_F(NotesTest, AnEditDoesNotReplaceAnotherOne) {
  Save("lesson", "Focus", "2026-01-01", "one");
  ASSERT_OK_AND_ASSIGN(const GetResponse before, database_->Get({.target = "focus"}));
  Save(Edited(before, before.chunk.text + "first\n"));
  const auto second = database_->Save(Edited(before, before.chunk.text + "second\n"));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), StatusCode::kNoteExists);
  ASSERT_OK_AND_ASSIGN(const GetResponse after, database_->Get({.target = "focus"}));
  EXPECT_NE(after.chunk.text.find("first"), std::string::npos);
  EXPECT_EQ(after.chunk.text.find("second"), std::string::npos);
}

TEST_F(NotesTest, AnEditedNoteStillHasACard) {
  Save("lesson", "Focus", "2026-01-01", "one");
  ASSERT_OK_AND_ASSIGN(const GetResponse before, database_->Get({.target = "focus"}));
  for (const char* text : {"", "only text\n", "---\ntype: lesson\n---\ntext\n",
                           "---\ntitle: a\n---\ntext\n", "---\ntype: lesson\ntitle: \n---\n"}) {
    const auto report = database_->Save(Edited(before, text));
    ASSERT_FALSE(report) << text;
    EXPECT_EQ(report.error().code(), StatusCode::kInvalidArgument) << text;
  }
  ASSERT_OK_AND_ASSIGN(const GetResponse after, database_->Get({.target = "focus"}));
  EXPECT_EQ(after.chunk.text, before.chunk.text);
}

TEST_F(NotesTest, ATakenIdIsRefusedUnlessANewVersionIsAskedFor) {
  Save("lesson", "Focus", "2026-01-01", "one");
  EXPECT_EQ(Save("lesson", "Focus", "2026-01-02", "two").id, "focus-2");
  SaveRequest request;
  request.note.type = "lesson";
  request.note.title = "Other";
  request.id = "focus";
  EXPECT_EQ(database_->Save(request).error().code(), StatusCode::kNoteExists);
  request.replace = true;
  request.at = Time("2026-02-01");
  const SaveReport replaced = Save(request);
  EXPECT_TRUE(replaced.replaced);
  EXPECT_FALSE(replaced.due.has_value());  // the first review is scheduled already
  EXPECT_EQ(Ids("doc.title = 'Other' AND doc.meta.created = '2026-01-01'"), Strings{"focus"});
  // Saved again, it is not new, whatever the time is.
  const std::string before = Token();
  for (const char* at : {"2026-02-01", "2026-03-01"}) {
    request.at = Time(at);
    EXPECT_TRUE(Save(request).unchanged);
    EXPECT_EQ(Token(), before);
  }
  request.note.text = "changed";
  EXPECT_FALSE(Save(request).unchanged);
  EXPECT_EQ(Ids("doc.meta.updated = '2026-03-01'"), Strings{"focus"});
}

TEST_F(NotesTest, IncompleteNotesAreRefusedAndNothingIsWritten) {
  const std::string before = Token();
  SaveRequest request;
  request.note.type = "bug";
  request.note.title = "CORS";
  request.note.context = NoteContext{.situation = "Safari"};
  EXPECT_EQ(database_->Save(request).error().code(), StatusCode::kInvalidArgument);
  request.note.context.reset();
  for (const char* title : {"", " ", "two\nlines", "\xff"}) {
    request.note.title = title;
    EXPECT_EQ(database_->Save(request).error().code(), StatusCode::kInvalidArgument) << title;
  }
  request.note.title = "CORS";
  for (const char* id : {"a/b", "../x", ".hidden", ""}) {
    request.id = id;
    EXPECT_EQ(database_->Save(request).error().code(), StatusCode::kInvalidArgument) << id;
  }
  request.id.reset();
  request.links = {{"supports", "nothing"}};
  EXPECT_EQ(database_->Save(request).error().code(), StatusCode::kNotFound);
  EXPECT_EQ(Token(), before);
  EXPECT_EQ(ParseNoteContext("{\"situation\": 1}").error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ParseNoteContext("{\"situatoin\": \"x\"}").error().code(),
            StatusCode::kInvalidArgument);
}

TEST_F(NotesTest, TheSameTextIsNearAndCanBeRefused) {
  Save("lesson", "Focus styles", "", "Use one outline for each component.");
  Save("recipe", "Bread", "", "Knead for ten minutes and wait for an hour.");
  const std::string before = Token();
  SaveRequest again;
  again.note.type = "lesson";
  again.note.title = "Focus styles";
  again.note.text = "Use one outline for each component.";
  again.unless_near = 0.9;
  EXPECT_EQ(database_->Save(again).error().code(), StatusCode::kNearDuplicate);
  EXPECT_EQ(Token(), before);
  again.unless_near.reset();
  const SaveReport saved = Save(again);
  ASSERT_FALSE(saved.near.empty());
  EXPECT_EQ(saved.near[0].doc.path, "notes/focus-styles.md");
  EXPECT_GE(saved.near[0].score, 0.9);
}

TEST_F(NotesTest, ANoteThatSaysAnotherThingSaysWhichOneItContradicts) {
  Save("project-fact", "API port", "2026-01-01", "The API listens on port 8080.");
  Save("recipe", "Bread", "2026-01-01", "Knead for 10 minutes.");
  SaveRequest request;
  request.note.type = "project-fact";
  request.note.title = "Port of the API";
  request.note.text = "The API listens on port 9090.";
  request.dry_run = true;
  SaveReport report = Save(request);
  ASSERT_EQ(report.contradicts.size(), 1u);
  EXPECT_EQ(report.contradicts[0].doc.path, "notes/api-port.md");
  EXPECT_EQ(report.contradicts[0].old_text, "port 8080");
  EXPECT_EQ(report.contradicts[0].new_text, "port 9090");
  // What it supersedes it contradicts on purpose.
  request.supersedes = "api-port";
  EXPECT_TRUE(Save(request).contradicts.empty());
  // So does a new version of a note, and what is obsolete claims nothing.
  request.supersedes.reset();
  request.id = "api-port";
  request.replace = true;
  EXPECT_TRUE(Save(request).contradicts.empty());
  request.id.reset();
  request.replace = false;
  ASSERT_OK(database_->Retire({.target = "api-port"}));
  EXPECT_TRUE(Save(request).contradicts.empty());
}

TEST_F(NotesTest, ALongSummaryIsCutAtACharacter) {
  SaveRequest request;
  request.note.type = "lesson";
  request.note.title = "Long";
  std::string summary;
  for (int i = 0; i < 500; ++i) summary += i == 159 ? "\xF0\x9F\x98\x80" : "a";
  request.note.summary = summary;
  const SaveReport report = Save(request);
  EXPECT_TRUE(report.summary_cut);
  EXPECT_EQ(Ids("doc.summary = '" + summary.substr(0, 403) + "'"), Strings{"long"});
}

TEST_F(NotesTest, TriggersAreExtractedByThePublishedRule) {
  // The title counts three times and doubles; a digit doubles, '_' gives half as much again.
  const auto triggers =
      ExtractTriggers(RedactedText(nullptr, "CORS on Safari", nullptr),
                      RedactedText(nullptr, "fetch_all fails with error 403 and cors", nullptr));
  ASSERT_GE(triggers.size(), 5u);
  EXPECT_EQ(triggers[0], "cors");    // (3 + 1) * 2 = 8
  EXPECT_EQ(triggers[1], "safari");  // 3 * 2 = 6
  EXPECT_EQ(triggers[2], "403");     // 2
  EXPECT_EQ(triggers[3], "fetch_all");
}

TEST_F(NotesTest, NotesAgeByTheirTypeAndTheirDates) {
  Save("lesson", "Lesson", "2026-01-01");
  Save("preference", "Preference", "2026-01-01");
  SaveRequest until;
  until.note.type = "preference";
  until.note.title = "Until";
  until.note.valid_until = Time("2026-03-01");
  until.at = Time("2026-01-01");
  Save(until);
  const std::pair<const char*, const char*> states[] = {
      {"2026-01-01", "fresh"},   {"2026-05-15", "fresh"}, {"2026-05-16", "aging"},
      {"2026-06-29", "aging"},   {"2026-06-30", "stale"}, {"2026-09-27", "stale"},
      {"2026-09-28", "expired"},
  };
  for (const auto& [day, state] : states) {
    EXPECT_EQ(StateOf("lesson", day), state) << day;
    // The states that are listed are those of filters.
    StatesRequest request{.paths = {"notes/none.md", "notes/lesson.md", "notes/until.md"}};
    request.as_of = Time(day);
    ASSERT_OK_AND_ASSIGN(const StatesReport report, database_->States(request));
    ASSERT_EQ(report.states.size(), 3u);
    EXPECT_EQ(report.states[0], std::nullopt);
    EXPECT_EQ(LifecycleName(report.states[1].value()), state);
    EXPECT_EQ(LifecycleName(report.states[2].value()), StateOf("until", day));
    LinksRequest around;
    around.target = "lesson";
    around.as_of = Time(day);
    ASSERT_OK_AND_ASSIGN(const LinksReport links, database_->Links(around));
    EXPECT_EQ(LifecycleName(links.documents[0].state.value()), state);
  }
  EXPECT_EQ(StateOf("preference", "2036-01-01"), "fresh");
  EXPECT_EQ(StateOf("until", "2026-02-28"), "aging");
  EXPECT_EQ(StateOf("until", "2026-03-01"), "expired");
  EXPECT_EQ(Ids("doc.lifecycle != 'fresh'", "2026-07-01"), (Strings{"lesson", "until"}));
  ASSERT_OK_AND_ASSIGN(const StaleReport stale, database_->Stale({.scope = AsOf("2026-07-01")}));
  ASSERT_EQ(stale.documents.size(), 2u);
}

TEST_F(NotesTest, AReviewMakesANoteFreshAgain) {
  Save("lesson", "Lesson", "2026-01-01");
  ReviewRequest review;
  review.target = "lesson";
  review.quality = 4;
  review.at = Time("2026-06-30");
  ASSERT_TRUE(database_->Review(review).has_value());
  EXPECT_EQ(StateOf("lesson", "2026-07-01"), "fresh");
  // As of an earlier time there was no review.
  EXPECT_EQ(StateOf("lesson", "2026-06-29"), "aging");
}

TEST_F(NotesTest, SearchingIsNoUse) {
  Save("lesson", "Focus", "2026-01-01");
  const std::string before = Token();
  for (int i = 0; i < 10; ++i) {
    SearchRequest search;
    search.text = "focus";
    ASSERT_TRUE(database_->Search(search).has_value());
  }
  EXPECT_EQ(Token(), before);
  EXPECT_EQ(Ids("doc.uses = 0"), Strings{"focus"});
  ASSERT_TRUE(database_->Use({.targets = {"focus"}, .at = Time("2026-01-02")}).has_value());
  EXPECT_EQ(Ids("doc.uses = 1"), Strings{"focus"});
  EXPECT_EQ(Ids("doc.uses = 0", "2026-01-01"), Strings{"focus"});
  // A use of what does not exist is an error, and nothing is recorded.
  EXPECT_FALSE(database_->Use({.targets = {"focus", "nothing"}}).has_value());
  EXPECT_EQ(Ids("doc.uses = 1"), Strings{"focus"});
}

TEST_F(NotesTest, ConsolidationIsComputedAsOfATime) {
  Save("lesson", "Focus", "2026-01-01");
  const auto between = [&](double low, double high, const std::string& as_of) {
    return Ids("doc.consolidation BETWEEN " + std::to_string(low) + " AND " + std::to_string(high),
               as_of) == Strings{"focus"};
  };
  ASSERT_TRUE(database_->Use({.targets = {"focus"}, .at = Time("2026-01-10")}).has_value());
  EXPECT_TRUE(between(0.483177, 0.483179, "2026-01-10"));
  for (int i = 0; i < 9; ++i) {
    ASSERT_TRUE(database_->Use({.targets = {"focus"}, .at = Time("2026-01-10")}).has_value());
  }
  EXPECT_TRUE(between(0.434898, 0.434900, "2026-02-09"));
  EXPECT_EQ(Ids("doc.uses = 10"), Strings{"focus"});
  // Before the first use the age counts from the creation.
  EXPECT_TRUE(between(0.4, 0.4, "2026-01-01"));
}

TEST(ReviewIntervals, AreThePublishedOnes) {
  const auto run = [](ReviewAlgorithm algorithm, std::vector<int64_t> ratings) {
    ReviewState state;
    std::vector<int64_t> intervals;
    for (const int64_t rating : ratings) {
      state = AfterReview(state, rating, algorithm);
      intervals.push_back(state.interval_days);
    }
    intervals.push_back(state.easiness);
    return intervals;
  };
  using Values = std::vector<int64_t>;
  EXPECT_EQ(run(ReviewAlgorithm::kSm2, {4, 4, 4}), (Values{1, 6, 15, 250}));
  EXPECT_EQ(run(ReviewAlgorithm::kSm2, {5, 5, 5}), (Values{1, 6, 17, 280}));
  EXPECT_EQ(run(ReviewAlgorithm::kSm2, {5, 5, 5, 2}), (Values{1, 6, 17, 1, 248}));
  EXPECT_EQ(run(ReviewAlgorithm::kGeometric, {4, 4, 4}), (Values{2, 5, 13, 250}));
  const int64_t easiness[] = {170, 196, 218, 236, 250, 260};
  for (int64_t quality = 0; quality <= 5; ++quality) {
    EXPECT_EQ(AfterReview({}, quality, ReviewAlgorithm::kSm2).easiness, easiness[quality]);
  }
  // Never below 1.3, and never beyond what days can count.
  ReviewState state;
  for (int i = 0; i < 50; ++i) state = AfterReview(state, 0, ReviewAlgorithm::kSm2);
  EXPECT_EQ(state.easiness, kLeastEasiness);
  for (int i = 0; i < 500; ++i) state = AfterReview(state, 5, ReviewAlgorithm::kSm2);
  EXPECT_EQ(state.interval_days, kLongestIntervalDays);
}

TEST_F(NotesTest, DueNotesComeByUrgencyThenPath) {
  Save("lesson", "B", "2026-01-01");
  Save("lesson", "A", "2026-01-01");
  Save("lesson", "C", "2026-01-05");
  const auto due = [&](const std::string& as_of) {
    auto report = database_->Due({.scope = AsOf(as_of)});
    Strings ids;
    for (const DueDocument& document : report->documents) ids.push_back(IdOf(document.doc.path));
    return ids;
  };
  EXPECT_EQ(due("2026-01-01"), Strings());
  EXPECT_EQ(due("2026-01-02"), (Strings{"a", "b"}));
  EXPECT_EQ(due("2026-01-07"), (Strings{"a", "b", "c"}));
  // A harder one is more urgent: rated 0, due on the next day again.
  ReviewRequest review{.target = "b", .quality = 0, .at = Time("2026-01-02")};
  ASSERT_TRUE(database_->Review(review).has_value());
  EXPECT_EQ(due("2026-01-02"), Strings{"a"});
  // On 01-04: a is 2 days over (2 + .5), b one day (1 + 1.3).
  EXPECT_EQ(due("2026-01-04"), (Strings{"a", "b"}));
  review = {.target = "a", .quality = 3, .at = Time("2026-01-04")};
  ASSERT_TRUE(database_->Review(review).has_value());
  EXPECT_EQ(due("2026-01-05"), (Strings{"b", "a"}));
  EXPECT_EQ(Ids("doc.due <= '2026-01-05' AND doc.reviews = 1", "2026-01-06"), (Strings{"a", "b"}));
}

TEST_F(NotesTest, LinksAreMadeOnceAndShownFromBothEnds) {
  for (const char* title : {"P1", "P2", "P3"}) Save("pattern", title);
  Link("p1", "p2", "supports");
  Link("p2", "p3", "derived_from");
  const std::string before = Token();
  Link("p1", "p2", "supports");
  EXPECT_EQ(Token(), before);
  LinkRequest self{.source = "p1", .target = "p1"};
  EXPECT_EQ(database_->Link(self).error().code(), StatusCode::kInvalidArgument);
  LinkRequest bad{.source = "p1", .target = "p2", .relation = "not a name"};
  EXPECT_EQ(database_->Link(bad).error().code(), StatusCode::kInvalidArgument);
  ASSERT_OK_AND_ASSIGN(const LinksReport one, database_->Links({.target = "p1"}));
  EXPECT_EQ(one.documents.size(), 2u);
  ASSERT_OK_AND_ASSIGN(const LinksReport two, database_->Links({.target = "p1", .depth = 2}));
  ASSERT_EQ(two.documents.size(), 3u);
  EXPECT_EQ(two.links.size(), 2u);
  EXPECT_EQ(two.centrality, 6);  // 2 (2 * 1 + 1)
  ASSERT_OK_AND_ASSIGN(const LinksReport in,
                       database_->Links({.target = "p3", .direction = LinkDirection::kIn}));
  EXPECT_EQ(in.documents.size(), 2u);
}

TEST_F(NotesTest, ALinkThatEndedIsFoundInAnOlderSnapshot) {
  Save("pattern", "P1");
  Save("pattern", "P2");
  Link("p2", "p1", "derived_from");
  const std::string linked = Token();
  ASSERT_TRUE(database_->Unlink({.source = "p2", .target = "p1"}).has_value());
  const std::string filter = "doc.link.derived_from = 'notes/p1.md'";
  EXPECT_EQ(Ids(filter), Strings());
  EXPECT_EQ(Ids(filter, "", linked), Strings{"p2"});
  EXPECT_EQ(Ids("doc.backlinks = 1", "", linked), Strings{"p1"});
}

TEST_F(NotesTest, TheTextOfANoteMakesLinksThatFollowItsVersions) {
  Save("pattern", "Target");
  SaveRequest request;
  request.note.type = "pattern";
  request.note.title = "Source";
  request.note.text = "See [[Target]] and\n- supports [[later]]\n`[[code]]`\n";
  Save(request);
  EXPECT_EQ(Ids("doc.link.related = 'notes/target.md'"), Strings{"source"});
  EXPECT_EQ(Ids("doc.link.supports = 'notes/later.md'"), Strings{"source"});
  EXPECT_EQ(Ids("doc.links = 2"), Strings{"source"});
  // The missing end appears.
  Save("pattern", "Later");
  EXPECT_EQ(Ids("doc.backlink.supports IS NOT NULL"), Strings{"later"});
  request.note.text = "See [[Target]].\n";
  request.replace = true;
  request.id = "source";
  Save(request);
  EXPECT_EQ(Ids("doc.links = 1"), Strings{"source"});
  // A link of the text stays when unlink is asked to remove it.
  ASSERT_OK_AND_ASSIGN(const UnlinkReport kept,
                       database_->Unlink({.source = "source", .target = "target"}));
  EXPECT_TRUE(kept.links.empty());
  EXPECT_EQ(kept.in_texts.size(), 1u);
}

TEST_F(NotesTest, AnImportedNoteHasTheLinksOfItsText) {
  Save("pattern", "Target", "2026-01-01");
  Save("pattern", "Source", "2026-01-01", "- supports [[target]]");
  const std::string file = dir_ / "all.jsonl";
  ExportRequest out;
  out.out_path = file;
  ASSERT_TRUE(database_->Export(out).has_value());
  Create({});
  ImportRequest in;
  in.path = file;
  ASSERT_TRUE(database_->Import(in).has_value());
  EXPECT_EQ(Ids("doc.link.supports = 'notes/target.md'"), Strings{"source"});
  ExpectHealthy();
}

TEST_F(NotesTest, ExportsAndImportsKeepLinksUsesAndReviews) {
  Save("pattern", "A", "2026-01-01");
  Save("pattern", "B", "2026-01-01");
  Link("a", "b", "supports");
  ASSERT_TRUE(database_->Use({.targets = {"a"}, .at = Time("2026-01-02")}).has_value());
  ASSERT_TRUE(
      database_->Review({.target = "a", .quality = 5, .at = Time("2026-01-03")}).has_value());
  const auto save_to = [&](const std::string& name) {
    ExportRequest out;
    out.out_path = dir_ / name;
    EXPECT_TRUE(database_->Export(out).has_value());
    return ReadWhole(dir_ / name);
  };
  const std::string first = save_to("first.jsonl");
  Create({});
  ImportRequest in;
  in.path = dir_ / "first.jsonl";
  ASSERT_TRUE(database_->Import(in).has_value());
  EXPECT_EQ(Ids("doc.uses = 1 AND doc.reviews = 1 AND doc.link.supports IS NOT NULL"),
            Strings{"a"});
  EXPECT_EQ(save_to("second.jsonl"), first);
  const std::string before = Token();
  ASSERT_TRUE(database_->Import(in).has_value());
  EXPECT_EQ(Token(), before);
  // Values that no store has are refused, and nothing is imported.
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"weight\":1", "\"weight\":2"},
           {"\"relation\":\"supports\"", "\"relation\":\"no name\""},
           {"\"count\":1", "\"count\":0"},
           {"\"quality\":5", "\"quality\":6"}}) {
    std::string bad = first;
    ASSERT_NE(bad.find(from), std::string::npos) << from;
    bad.replace(bad.find(from), from.size(), to);
    WriteFile("bad.jsonl", bad);
    in.path = dir_ / "bad.jsonl";
    EXPECT_EQ(database_->Import(in).error().code(), StatusCode::kInvalidArgument) << to;
  }
  EXPECT_EQ(Token(), before);
}

TEST_F(NotesTest, MergesInEitherOrderGiveTheSameStore) {
  const std::string exported = dir_ / "merged.jsonl";
  const auto make = [&](const std::string& name, const std::string& used, double weight) {
    Create({});
    Save("pattern", "A", "2026-01-01");
    Save("pattern", "B", "2026-01-01");
    LinkRequest link{.source = "a", .target = "b", .at = Time("2026-01-02")};
    link.weight = weight;
    EXPECT_TRUE(database_->Link(link).has_value());
    EXPECT_TRUE(database_->Use({.targets = {"a"}, .at = Time(used)}).has_value());
    EXPECT_TRUE(database_->Review({.target = "b", .quality = 4, .at = Time(used)}).has_value());
    database_.reset();
    std::filesystem::rename(StorePath(), dir_ / name);
  };
  make("one.db", "2026-01-03", 0.5);
  make("two.db", "2026-01-04", 0.75);
  const auto merged = [&](std::vector<std::string> names) {
    Create({});
    for (const std::string& name : names) {
      MergeRequest request;
      request.paths = {dir_ / name};
      EXPECT_TRUE(database_->Merge(request).has_value()) << name;
    }
    EXPECT_EQ(Ids("doc.uses = 2"), Strings{"a"});
    EXPECT_EQ(Ids("doc.reviews = 2"), Strings{"b"});
    ExpectHealthy();
    ExportRequest out;
    out.out_path = exported;
    EXPECT_TRUE(database_->Export(out).has_value());
    return ReadWhole(exported);
  };
  const std::string one_two = merged({"one.db", "two.db"});
  EXPECT_NE(one_two.find("\"weight\":0.75"), std::string::npos);
  EXPECT_EQ(merged({"two.db", "one.db"}), one_two);
  EXPECT_EQ(merged({"one.db", "two.db", "one.db", "two.db"}), one_two);
}

TEST_F(NotesTest, ARetiredNoteIsObsoleteAndLinkedToItsSuccessor) {
  Save("decision", "A", "2026-01-01", "alpha");
  Save("decision", "B", "2026-01-02", "beta");
  ASSERT_TRUE(database_->Retire({.target = "a", .by = "b", .at = Time("2026-02-01")}).has_value());
  EXPECT_EQ(Ids("doc.lifecycle = 'obsolete' AND doc.status = 'obsolete'"), Strings{"a"});
  EXPECT_EQ(Ids("doc.kind = 'note' AND doc.lifecycle != 'obsolete'"), Strings{"b"});
  EXPECT_EQ(Ids("doc.link.supersedes = 'notes/a.md'"), Strings{"b"});
  SearchRequest search;
  search.text = "alpha";
  ASSERT_OK_AND_ASSIGN(const SearchResponse found, database_->Search(search));
  ASSERT_EQ(found.hits.size(), 1u);  // a plain search shows it
  const std::string before = Token();
  ASSERT_OK_AND_ASSIGN(const RetireReport again, database_->Retire({.target = "a", .by = "b"}));
  EXPECT_TRUE(again.unchanged);
  EXPECT_EQ(Token(), before);
}

TEST_F(NotesTest, ANoteOfAFileIsChangedInItsFile) {
  WriteFile("vault/a.md", "---\ntitle: A\nstatus: active\n---\nalpha\n");
  AddRequest add;
  add.paths = {dir_ / "vault"};
  add.parser = Parser::kNote;
  Add(add);
  EXPECT_EQ(Ids("doc.kind = 'note'"), Strings{"vault/a"});
  ASSERT_TRUE(database_->Retire({.target = "vault/a.md"}).has_value());
  EXPECT_NE(ReadWhole(dir_ / "vault/a.md").find("status: obsolete"), std::string::npos);
  // The next add finds what is there already, and the document stays a note.
  add.parser = Parser::kAuto;
  const std::string before = Token();
  Add(add);
  EXPECT_EQ(Token(), before);
  EXPECT_EQ(Ids("doc.lifecycle = 'obsolete'"), Strings{"vault/a"});
}

TEST_F(NotesTest, AFileThatWasEditedSinceIsNotOverwritten) {
  WriteFile("vault/a.md", "---\ntitle: A\n---\nalpha\n");
  AddRequest add;
  add.paths = {dir_ / "vault"};
  add.parser = Parser::kNote;
  Add(add);
  const std::string edited = "---\ntitle: A\n---\nalpha, and what I wrote since\n";
  WriteFile("vault/a.md", edited);
  const std::string before = Token();
  const auto refused = database_->Retire({.target = "vault/a.md"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadWhole(dir_ / "vault/a.md"), edited);
  EXPECT_EQ(Token(), before);
}

TEST_F(NotesTest, AFileIsAsBeforeIfTheNoteCannotBeSaved) {
  const std::string text = "---\ntitle: A\n---\nalpha\n";
  WriteFile("notes/a.md", text);
  AddRequest add;
  add.paths = {dir_ / "notes"};
  add.parser = Parser::kNote;
  Add(add);
  SaveRequest request;
  request.note.type = "lesson";
  request.note.title = "A";
  request.note.text = std::string("token ghp") + "_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5";
  request.id = "a";
  request.replace = true;
  request.secrets = SecretPolicy::kSkip;
  EXPECT_FALSE(database_->Save(request).has_value());
  EXPECT_EQ(ReadWhole(dir_ / "notes/a.md"), text);
  request.note.text = "beta";
  EXPECT_TRUE(Save(request).replaced);
  EXPECT_NE(ReadWhole(dir_ / "notes/a.md").find("beta"), std::string::npos);
}

TEST_F(NotesTest, TimesAtTheEndOfTheRangeStayInIt) {
  const std::string last = "2262-04-11T23:47:16.854775807Z";
  Save("lesson", "Late", last);
  ASSERT_TRUE(database_->Review({.target = "late", .quality = 5, .at = Time(last)}).has_value());
  EXPECT_EQ(Ids("doc.reviews = 1 AND doc.due = '" + last + "'", last), Strings{"late"});
}

TEST_F(NotesTest, SyncLeavesNotesWithoutFilesAlone) {
  WriteFile("a.txt", "text");
  Save("lesson", "Focus");
  AddRequest add;
  add.sync = true;
  Add(add);
  std::filesystem::remove(dir_ / "a.txt");
  Add(add);
  EXPECT_EQ(Ids("doc.kind = 'note'"), Strings{"focus"});
  EXPECT_EQ(Ids("doc.kind = 'file'"), Strings());
}

// Random writes; every filter gives what a model gives, now and in every snapshot.
TEST_F(NotesTest, FiltersAreThoseOfAModelInEverySnapshot) {
  std::mt19937_64 random(7);
  struct Model {
    std::set<std::string> notes;
    std::map<std::string, int64_t> uses;
    std::map<std::string, int64_t> reviews;
    std::set<std::string> obsolete;
    std::set<std::tuple<std::string, std::string, std::string>> links;
  };
  Model model;
  std::vector<std::pair<std::string, Model>> moments;
  const auto pick = [&] {
    auto note = model.notes.begin();
    std::advance(note, random() % model.notes.size());
    return *note;
  };
  for (int step = 0; step < 300; ++step) {
    const auto action = model.notes.size() < 3 ? 0 : random() % 8;
    if (action == 0) {
      model.notes.insert(Save("lesson", "N" + std::to_string(step), "2026-01-01").id);
    } else if (action <= 2) {
      const std::string note = pick();
      ASSERT_TRUE(database_->Use({.targets = {note}}).has_value());
      ++model.uses[note];
    } else if (action == 3) {
      const std::string note = pick();
      ASSERT_TRUE(database_->Review({.target = note, .quality = 4}).has_value());
      ++model.reviews[note];
    } else if (action == 4) {
      const std::string note = pick();
      ASSERT_TRUE(database_->Retire({.target = note}).has_value());
      model.obsolete.insert(note);
    } else if (action == 5) {
      const std::string a = pick(), b = pick();
      if (a == b) continue;
      const std::string relation = random() % 2 == 0 ? "supports" : "related";
      Link(a, b, relation);
      model.links.insert({a, relation, b});
    } else if (action == 6 && !model.links.empty()) {
      auto link = model.links.begin();
      std::advance(link, random() % model.links.size());
      const auto [a, relation, b] = *link;
      if (!model.notes.contains(a) || !model.notes.contains(b)) continue;
      ASSERT_TRUE(database_->Unlink({.source = a, .target = b, .relation = relation}).has_value());
      model.links.erase(link);
    } else if (action == 7) {
      const std::string note = pick();
      RemoveRequest remove;
      remove.targets = {"notes/" + note + ".md"};
      ASSERT_TRUE(database_->Remove(remove).has_value());
      model.notes.erase(note);
    }
    if (step % 10 == 0) moments.emplace_back(Token(), model);
  }
  moments.emplace_back("", model);
  for (const auto& [snapshot, at] : moments) {
    const auto expect = [&](const std::string& filter, const auto& test) {
      Strings expected;
      for (const std::string& note : at.notes) {
        if (test(note)) expected.push_back(note);
      }
      EXPECT_EQ(Ids(filter, "", snapshot), expected) << filter << " at " << snapshot;
    };
    const auto count = [](const std::map<std::string, int64_t>& counts, const std::string& note) {
      const auto found = counts.find(note);
      return found == counts.end() ? 0 : found->second;
    };
    expect("doc.kind = 'note'", [](const auto&) { return true; });
    expect("doc.uses > 1", [&](const auto& note) { return count(at.uses, note) > 1; });
    expect("NOT doc.uses > 1", [&](const auto& note) { return count(at.uses, note) <= 1; });
    expect("doc.reviews = 0", [&](const auto& note) { return count(at.reviews, note) == 0; });
    expect("doc.lifecycle = 'obsolete'",
           [&](const auto& note) { return at.obsolete.contains(note); });
    expect("doc.link.supports IS NOT NULL", [&](const auto& note) {
      return std::ranges::any_of(at.links, [&](const auto& link) {
        return std::get<0>(link) == note && std::get<1>(link) == "supports";
      });
    });
    expect("doc.backlinks = 0", [&](const auto& note) {
      return std::ranges::none_of(at.links,
                                  [&](const auto& link) { return std::get<2>(link) == note; });
    });
  }
}

}  // namespace
}  // namespace recall
