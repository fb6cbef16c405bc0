// SELECT and ORDER BY of computed fields, compared with a model in memory: random writes to notes
// and files; then every field is selected, sorted by and filtered by, as of random times, in old
// snapshots, too.

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "query/memory/notes/spaced_repetition.h"
#include "storage/base/json_writer.h"
#include "storage/notes/note_card.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Strings = std::vector<std::string>;

constexpr UnixNanos kStart = 20'000 * kNanosPerDay;

// A value as ORDER BY compares it: first by kind, then as a number or a text.
struct Value {
  enum class Kind { kMissing, kNumber, kText, kList };
  Kind kind = Kind::kMissing;
  double number = 0;
  std::string text;  // of a list: its JSON
  std::string json = "null";

  static Value Number(double number, const std::string& json) {
    return {Kind::kNumber, number, "", json};
  }
  static Value Count(size_t count) {
    return Number(static_cast<double>(count), std::to_string(count));
  }
  static Value Real(double number) {
    std::string json;
    AppendJsonNumber(number, &json);
    return Number(number, json);
  }
  static Value Time(UnixNanos time) {
    return Number(static_cast<double>(time), '"' + FormatRfc3339(time) + '"');
  }
  static Value Text(const std::string& text) { return {Kind::kText, 0, text, '"' + text + '"'}; }
  static Value List(const std::set<std::string>& paths) {
    if (paths.empty()) return {};
    std::string json;
    JsonWriter(&json).Value(Strings(paths.begin(), paths.end()));
    return {Kind::kList, 0, json, json};
  }
  bool operator<(const Value& other) const {
    return std::tie(kind, number, text) < std::tie(other.kind, other.number, other.text);
  }
  bool operator==(const Value& other) const { return json == other.json; }
};

struct ModelReview {
  UnixNanos at;
  int64_t quality;
};

// What was recorded of a path.
struct ModelActivity {
  std::vector<UnixNanos> uses;
  std::vector<ModelReview> reviews;
  std::optional<UnixNanos> scheduled;  // the first review, when the note was saved
};

struct Model {
  std::set<std::string> files;
  std::map<std::string, UnixNanos> notes;  // by path, with their creation; each is a lesson
  std::set<std::string> obsolete;
  std::map<std::string, ModelActivity> activity;
  std::set<std::tuple<std::string, std::string, std::string>> links;

  Strings Paths() const {
    Strings paths(files.begin(), files.end());
    for (const auto& [path, created] : notes) paths.push_back(path);
    std::ranges::sort(paths);
    return paths;
  }
  bool IsNote(const std::string& path) const { return notes.contains(path); }

  Value Of(const std::string& field, const std::string& path, UnixNanos as_of) const {
    if (field == "doc.kind") return Value::Text(IsNote(path) ? "note" : "file");
    if (field == "doc.status") {
      return IsNote(path) ? Value::Text(obsolete.contains(path) ? "obsolete" : "active") : Value();
    }
    if (field == "doc.lifecycle") return IsNote(path) ? Value::Text(State(path, as_of)) : Value();
    if (field.starts_with("doc.link") || field.starts_with("doc.backlink")) {
      return OfLinks(field, path);
    }
    return OfActivity(field, path, as_of);
  }

 private:
  const ModelActivity& ActivityOf(const std::string& path) const {
    static const ModelActivity kNone;
    const auto found = activity.find(path);
    return found == activity.end() ? kNone : found->second;
  }

  // A lesson has 180 days.
  std::string State(const std::string& path, UnixNanos as_of) const {
    if (obsolete.contains(path)) return "obsolete";
    UnixNanos touched = notes.at(path);
    for (const ModelReview& review : ActivityOf(path).reviews) {
      if (review.at <= as_of) touched = std::max(touched, review.at);
    }
    const double days = static_cast<double>(as_of - touched) / kNanosPerDay;
    return days < 135 ? "fresh" : days < 180 ? "aging" : days < 270 ? "stale" : "expired";
  }

  Value OfLinks(const std::string& field, const std::string& path) const {
    const bool leaves = field.starts_with("doc.link");
    const size_t dot = field.find('.', 4);
    const std::string relation = dot == field.npos ? "any" : field.substr(dot + 1);
    size_t count = 0;
    std::set<std::string> others;
    for (const auto& [source, name, target] : links) {
      if ((leaves ? source : target) != path || (relation != "any" && relation != name)) continue;
      ++count;
      others.insert(leaves ? target : source);
    }
    return dot == field.npos ? Value::Count(count) : Value::List(others);
  }

  Value OfActivity(const std::string& field, const std::string& path, UnixNanos as_of) const {
    const ModelActivity& all = ActivityOf(path);
    size_t uses = 0;
    std::optional<UnixNanos> used_at;
    for (const UnixNanos at : all.uses) {
      if (at > as_of) continue;
      ++uses;
      used_at = std::max(used_at.value_or(at), at);
    }
    if (field == "doc.uses") return Value::Count(uses);
    if (field == "doc.used_at") return used_at ? Value::Time(*used_at) : Value();
    if (field == "doc.consolidation") {
      std::optional<UnixNanos> since = used_at;
      if (!since && IsNote(path)) since = notes.at(path);
      if (!since) return {};
      const double days =
          std::max(0.0, std::floor(static_cast<double>(as_of - *since) / kNanosPerDay));
      return Value::Real(0.6 * std::min(1.0, std::log(static_cast<double>(uses) + 1) / 5) +
                         0.4 * std::exp(-days / 30));
    }
    std::optional<UnixNanos> due;
    ReviewState state;
    size_t reviews = 0;
    if (all.scheduled && *all.scheduled <= as_of) {
      due = *all.scheduled + kNanosPerDay;
      state.interval_days = 1;
    }
    ReviewState rated;
    for (const ModelReview& review : all.reviews) {
      if (review.at > as_of) continue;
      ++reviews;
      state = rated = AfterReview(rated, review.quality, ReviewAlgorithm::kSm2);
      due = review.at + state.interval_days * kNanosPerDay;
    }
    if (field == "doc.reviews") return Value::Count(reviews);
    if (!due) return {};
    if (field == "doc.due") return Value::Time(*due);
    if (field == "doc.interval") return Value::Count(static_cast<size_t>(state.interval_days));
    return Value::Real(static_cast<double>(state.easiness) / 100);  // doc.easiness
  }
};

// A commit, a time, and what there was.
struct Moment {
  std::string token;
  UnixNanos as_of;
  Model model;
};

class ComputedFieldsTest : public QueryFixture {
 protected:
  QueryResponse Query(const std::string& rql, const Moment& moment) {
    QueryRequest request;
    request.rql = rql;
    request.snapshot = moment.token;
    request.as_of = moment.as_of;
    auto found = database_->Query(request);
    EXPECT_TRUE(found.has_value()) << rql << ": " << found.error().ToString();
    return found ? *std::move(found) : QueryResponse();
  }

  static Strings PathsOf(const QueryResponse& found) {
    Strings paths;
    for (const QueryRow& row : found.rows) paths.push_back(row.doc.path);
    return paths;
  }

  // Compares a selected value. Floating point numbers of the model are those of libm.
  static void ExpectValue(const QueryRow& row, const std::string& field, const Value& expected) {
    ASSERT_EQ(row.doc.computed.size(), 1u);
    const std::string& json = row.doc.computed[0].json;
    if (field == "doc.consolidation" && expected.kind == Value::Kind::kNumber) {
      EXPECT_NEAR(std::stod(json), expected.number, 1e-12) << row.doc.path;
    } else {
      EXPECT_EQ(json, expected.json) << field << " of " << row.doc.path;
    }
  }

  void WriteRandomly(std::mt19937_64& random, int steps);
  void ExpectField(const std::string& field, const Moment& moment);

  Model model_;
  std::vector<Moment> moments_;
};

void ComputedFieldsTest::WriteRandomly(std::mt19937_64& random, int steps) {
  for (const char* file : {"f0.txt", "f1.txt", "f2.txt"}) {
    WriteFile(file, "alpha beta");
    model_.files.insert(file);
  }
  Add();
  const auto pick = [&] {
    const Strings paths = model_.Paths();
    return paths[random() % paths.size()];
  };
  UnixNanos now = kStart;
  for (int step = 0; step < steps; ++step) {
    now += static_cast<UnixNanos>(random() % (20 * kNanosPerDay));
    const auto action = model_.notes.size() < 5 ? 0 : random() % 10;
    if (action <= 1) {
      SaveRequest save;
      save.note.type = "lesson";
      save.note.title = "N" + std::to_string(step);
      save.note.text = "alpha gamma";
      save.at = now;
      ASSERT_OK_AND_ASSIGN(const SaveReport saved, database_->Save(save));
      model_.notes[saved.doc.path] = now;
      model_.activity[saved.doc.path].scheduled = now;
    } else if (action <= 3) {
      const std::string path = pick();
      ASSERT_TRUE(database_->Use({.targets = {path}, .at = now}).has_value());
      model_.activity[path].uses.push_back(now);
    } else if (action == 4) {
      const std::string path = pick();
      const auto quality = static_cast<int64_t>(random() % 6);
      ASSERT_TRUE(database_->Review({.target = path, .quality = quality, .at = now}).has_value());
      model_.activity[path].reviews.push_back({now, quality});
    } else if (action == 5) {
      auto note = model_.notes.begin();
      std::advance(note, random() % model_.notes.size());
      ASSERT_TRUE(database_->Retire({.target = note->first, .at = now}).has_value());
      model_.obsolete.insert(note->first);
    } else if (action <= 7) {
      const std::string source = pick(), target = pick();
      if (source == target) continue;
      const std::string relation = random() % 2 == 0 ? "supports" : "related";
      LinkRequest link{.source = source, .target = target, .relation = relation, .at = now};
      ASSERT_TRUE(database_->Link(link).has_value());
      model_.links.insert({source, relation, target});
    } else if (action == 8 && !model_.links.empty()) {
      auto link = model_.links.begin();
      std::advance(link, random() % model_.links.size());
      const auto [source, relation, target] = *link;
      const Strings paths = model_.Paths();
      if (!std::ranges::binary_search(paths, source)) continue;
      if (!std::ranges::binary_search(paths, target)) continue;
      ASSERT_TRUE(database_->Unlink({.source = source, .target = target, .relation = relation})
                      .has_value());
      model_.links.erase(link);
    } else if (action == 9) {
      auto note = model_.notes.begin();
      std::advance(note, random() % model_.notes.size());
      RemoveRequest remove;
      remove.targets = {note->first};
      ASSERT_TRUE(database_->Remove(remove).has_value());
      model_.notes.erase(note);  // its links and what was recorded of it stay
    }
    if (step % 80 != 79) continue;
    ASSERT_OK_AND_ASSIGN(const std::string token, database_->CommitToken());
    for (const UnixNanos as_of : {now, now + 200 * kNanosPerDay, kStart + (now - kStart) / 2}) {
      moments_.push_back({token, as_of, model_});
    }
  }
  for (size_t i = moments_.size() - 3; i < moments_.size(); ++i) moments_[i].token = "";
}

// SELECT, ORDER BY in both directions, pages, ranked and unranked rows, and filters of the value.
void ComputedFieldsTest::ExpectField(const std::string& field, const Moment& moment) {
  const auto value_of = [&](const std::string& path) {
    return moment.model.Of(field, path, moment.as_of);
  };
  Strings paths = moment.model.Paths();
  const std::string select = "SELECT doc.path, " + field + " FROM doc ";
  const QueryResponse all = Query(select, moment);
  ASSERT_EQ(PathsOf(all), paths);
  // Two consolidations that differ in the last bit only, here or in the model, may change places.
  std::map<std::string, Value> values;
  for (const QueryRow& row : all.rows) {
    Value value = value_of(row.doc.path);
    ExpectValue(row, field, value);
    if (value.kind == Value::Kind::kNumber && field == "doc.consolidation") {
      value = Value::Real(std::stod(row.doc.computed[0].json));
    }
    values[row.doc.path] = value;
  }
  const auto before = [&](const std::string& a, const std::string& b) {
    return values[a] < values[b];
  };
  std::ranges::stable_sort(paths, before);
  const Strings ascending = paths;
  std::ranges::sort(paths);
  std::ranges::stable_sort(paths, [&](const auto& a, const auto& b) { return before(b, a); });
  const std::string order = "ORDER BY " + field;
  for (const std::string rows : {"FROM doc ", "FROM doc USING lexical('alpha') ", "FROM chunk ",
                                 "FROM chunk USING lexical('alpha') "}) {
    EXPECT_EQ(PathsOf(Query("SELECT doc.path " + rows + order + " ASC", moment)), ascending)
        << rows << order;
    EXPECT_EQ(PathsOf(Query("SELECT doc.path " + rows + order, moment)), paths) << rows << order;
  }
  const QueryResponse page = Query(select + order + " ASC LIMIT 4 OFFSET 2", moment);
  EXPECT_EQ(PathsOf(page), Strings(ascending.begin() + 2, ascending.begin() + 6));
  for (const QueryRow& row : page.rows) ExpectValue(row, field, values[row.doc.path]);

  Strings missing;
  for (const auto& [path, value] : values) {
    if (value.kind == Value::Kind::kMissing) missing.push_back(path);
  }
  EXPECT_EQ(PathsOf(Query("SELECT doc.path FROM doc FILTER " + field + " IS NULL", moment)),
            missing);
  const Value& some = std::next(values.begin(), static_cast<ptrdiff_t>(values.size() / 2))->second;
  if (some.kind == Value::Kind::kMissing || some.kind == Value::Kind::kList) return;
  Strings equal;
  for (const auto& [path, value] : values) {
    if (value == some) equal.push_back(path);
  }
  std::string literal = some.json;
  std::ranges::replace(literal, '"', '\'');
  EXPECT_EQ(PathsOf(Query("SELECT doc.path FROM doc FILTER " + field + " = " + literal, moment)),
            equal)
      << field << " = " << literal;
}

TEST_F(ComputedFieldsTest, AreThoseOfAModelInEverySnapshot) {
  std::mt19937_64 random(11);
  WriteRandomly(random, 400);
  if (HasFatalFailure()) return;
  for (const Moment& moment : moments_) {
    for (const char* field :
         {"doc.kind", "doc.status", "doc.lifecycle", "doc.uses", "doc.used_at", "doc.consolidation",
          "doc.due", "doc.interval", "doc.easiness", "doc.reviews", "doc.links", "doc.backlinks",
          "doc.link.supports", "doc.backlink.supports", "doc.link.any", "doc.backlink.any",
          "doc.link.nothing"}) {
      ExpectField(field, moment);
      if (HasFatalFailure()) FAIL() << field << " as of " << FormatRfc3339(moment.as_of);
    }
  }
}

TEST_F(ComputedFieldsTest, OfManyRowsAreThoseOfFew) {
  std::string lines;
  for (int i = 0; i < 600; ++i) {
    lines += "{\"path\":\"d" + std::to_string(1000 + i) + "\",\"text\":\"alpha\"}\n";
  }
  WriteFile("lines.jsonl", lines);
  AddRequest add;
  add.jsonl = dir_ / "lines.jsonl";
  ASSERT_TRUE(database_->Add(add).has_value());
  ASSERT_TRUE(database_->Use({.targets = {"d1003"}, .at = kStart}).has_value());
  ASSERT_TRUE(
      database_->Link({.source = "d1003", .target = "d1599", .relation = "supports"}).has_value());
  const Moment now{"", kStart + kNanosPerDay, {}};
  const std::string select = "SELECT doc.path, doc.uses, doc.backlink.supports, doc.kind FROM doc ";
  const QueryResponse many = Query(select, now);
  ASSERT_EQ(many.rows.size(), 600u);
  for (size_t offset : {0, 599}) {
    const QueryResponse few = Query(select + "LIMIT 4 OFFSET " + std::to_string(offset), now);
    for (size_t i = 0; i < few.rows.size(); ++i) {
      for (size_t field = 0; field < 3; ++field) {
        EXPECT_EQ(few.rows[i].doc.computed[field].json,
                  many.rows[offset + i].doc.computed[field].json);
      }
    }
  }
  EXPECT_EQ(many.rows[3].doc.computed[0].json, "1");
  EXPECT_EQ(many.rows[599].doc.computed[1].json, "[\"d1003\"]");
}

TEST_F(ComputedFieldsTest, TheAnswerSaysAsOfWhichTime) {
  WriteFile("a.txt", "alpha");
  Add();
  const auto as_of = [&](const std::string& rql) {
    QueryRequest request;
    request.rql = rql;
    auto found = database_->Query(request);
    EXPECT_TRUE(found.has_value()) << found.error().ToString();
    return found->as_of.has_value();
  };
  EXPECT_TRUE(as_of("SELECT doc.uses FROM doc"));
  EXPECT_TRUE(as_of("SELECT doc.path FROM doc ORDER BY doc.consolidation"));
  EXPECT_FALSE(as_of("SELECT doc.kind, doc.link.any FROM doc"));
  EXPECT_FALSE(as_of("SELECT * FROM doc"));
}

TEST_F(ComputedFieldsTest, AreNoPartOfAllFields) {
  WriteFile("a.txt", "alpha");
  Add();
  const QueryResponse all = Query("SELECT * FROM doc", {"", kStart, {}});
  for (const QueryColumn& column : all.columns) {
    EXPECT_FALSE(InfoOf(column.field.field).computed()) << column.name;
  }
  EXPECT_TRUE(all.rows.at(0).doc.computed.empty());
}

// Links to documents outside of the scope are not told.
TEST_F(ComputedFieldsTest, DoNotTellOfDocumentsOutsideOfAScope) {
  for (const char* file : {"a.txt", "b.txt", "secret.txt"}) WriteFile(file, "alpha");
  Add();
  ASSERT_TRUE(database_->Link({.source = "a.txt", .target = "secret.txt"}).has_value());
  ASSERT_TRUE(database_->Link({.source = "a.txt", .target = "b.txt"}).has_value());
  OpenOptions options;
  options.scope = "doc.path != 'secret.txt'";
  Reopen(options);
  for (const char* order : {"", " ORDER BY doc.links, doc.link.any"}) {
    const QueryResponse found = Query(
        "SELECT doc.links, doc.link.any FROM doc FILTER doc.path = 'a.txt'" + std::string(order),
        {"", kStart, {}});
    ASSERT_EQ(found.rows.size(), 1u);
    EXPECT_EQ(found.rows[0].doc.computed[0].json, "1");
    EXPECT_EQ(found.rows[0].doc.computed[1].json, "[\"b.txt\"]");
  }
  // Nor can they be guessed by a filter, or by what is said of it.
  for (const auto& [filter, paths] :
       std::vector<std::pair<std::string, Strings>>{{"doc.links = 1", {"a.txt"}},
                                                    {"doc.links = 2", {}},
                                                    {"doc.link.any GLOB 'secret*'", {}},
                                                    {"doc.link.any = 'b.txt'", {"a.txt"}},
                                                    {"doc.backlinks = 0", {"a.txt"}},
                                                    {"doc.backlink.any IS NULL", {"a.txt"}}}) {
    EXPECT_EQ(PathsOf(Query("SELECT doc.path FROM doc FILTER " + filter, {"", kStart, {}})), paths)
        << filter;
  }
  QueryRequest request;
  request.rql = "SELECT doc.path FROM doc FILTER doc.path GLOB '*.txt' AND doc.size > 0";
  request.explain = true;
  ASSERT_OK_AND_ASSIGN(const QueryResponse explained, database_->Query(request));
  ASSERT_EQ(explained.explain->filter->steps.size(), 2u);
  for (const auto& step : explained.explain->filter->steps) EXPECT_EQ(step.matches, 2);
}

TEST_F(ComputedFieldsTest, ResultsOfSearchesHaveThemWhenAsked) {
  WriteFile("a.txt", "alpha beta");
  WriteFile("b.txt", "alpha gamma");
  Add();
  ASSERT_TRUE(database_->Use({.targets = {"a.txt"}}).has_value());
  const std::vector<FieldRef> fields = {{Field::kDocUses, {}}, {Field::kDocKind, {}}};
  SearchRequest search;
  search.text = "beta";
  search.mode = SearchMode::kLexical;
  search.computed_fields = fields;
  const SearchResponse found = Search(search);
  ASSERT_EQ(found.hits.size(), 1u);
  ASSERT_EQ(found.hits[0].doc.computed.size(), 2u);
  EXPECT_EQ(found.hits[0].doc.computed[0].json, "1");
  EXPECT_EQ(found.hits[0].doc.computed[1].json, "\"file\"");
  EXPECT_TRUE(found.as_of.has_value());
  GetRequest get;
  get.target = "b.txt";
  get.computed_fields = fields;
  ASSERT_OK_AND_ASSIGN(const GetResponse got, database_->Get(get));
  EXPECT_EQ(got.doc.computed.at(0).json, "0");
  SimilarRequest similar{.target = "a.txt", .search = search};
  ASSERT_OK_AND_ASSIGN(const SimilarResponse alike, database_->Similar(similar));
  ASSERT_EQ(alike.hits.size(), 1u);
  EXPECT_EQ(alike.hits[0].doc.computed.at(0).json, "0");
  ContextRequest context;
  context.search = search;
  ASSERT_OK_AND_ASSIGN(const ContextResponse pieces, database_->Context(context));
  ASSERT_EQ(pieces.pieces.size(), 1u);
  EXPECT_EQ(pieces.pieces[0].doc.computed.at(0).json, "1");
}

}  // namespace
}  // namespace recall
