#include "tests/stress/note_history.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "index/write/local/local_store.h"
#include "tests/fault/random_words.h"

namespace recall {
namespace {

constexpr int kNotes = 24;
constexpr UnixNanos kStart = 1'767'225'600'000'000'000;  // 2026-01-01
constexpr UnixNanos kHour = 3'600'000'000'000;
constexpr UnixNanos kDay = 24 * kHour;
constexpr const char* kRelations[] = {"related", "derived_from", "supersedes"};

uint64_t Draw(uint64_t seed, uint64_t number) {
  std::mt19937_64 random(seed * 1'000'003 + number);
  return random();
}

UnixNanos TimeOf(int64_t step) { return kStart + step * kHour; }
std::string IdOf(int note) { return "n" + std::to_string(note); }
int MentionedBy(int note, int64_t step) {
  return static_cast<int>(Draw(static_cast<uint64_t>(note), static_cast<uint64_t>(step)) % kNotes);
}

std::string TextOf(int note, int64_t step) {
  std::string text = "This is " + MarkOf(step) + ".\n\n";
  const int mentioned = MentionedBy(note, step);
  if (mentioned != note) text += "See [[" + IdOf(mentioned) + "]].\n\n";
  return text + RandomWords(static_cast<uint64_t>(step), static_cast<size_t>(step % 40));
}

SaveRequest SaveOf(const NoteStep& step) {
  SaveRequest request;
  request.note.type = step.number % 2 == 0 ? "lesson" : "decision";
  request.note.title = "Step " + std::to_string(step.number);
  request.note.text = TextOf(step.note, step.number);
  request.id = IdOf(step.note);
  request.replace = step.action == NoteAction::kReplace;
  request.at = TimeOf(step.number);
  return request;
}

Status Take(Database& database, const NoteStep& step) {
  const UnixNanos at = TimeOf(step.number);
  switch (step.action) {
    case NoteAction::kSave:
    case NoteAction::kReplace:
      return internal::ToStatus(database.Save(SaveOf(step)));
    case NoteAction::kLink: {
      LinkRequest request{.source = IdOf(step.note),
                          .target = NotePath(step.other),
                          .relation = step.relation,
                          .weight = step.weight,
                          .reason = {},
                          .at = at};
      return internal::ToStatus(database.Link(request));
    }
    case NoteAction::kUnlink: {
      UnlinkRequest request{
          .source = IdOf(step.note), .target = NotePath(step.other), .relation = step.relation};
      return internal::ToStatus(database.Unlink(request));
    }
    case NoteAction::kUse:
      return internal::ToStatus(
          database.Use({.targets = {IdOf(step.note), IdOf(step.other)}, .at = at}));
    case NoteAction::kReview:
      return internal::ToStatus(
          database.Review({.target = IdOf(step.note), .quality = step.quality, .at = at}));
    case NoteAction::kRetire: {
      RetireRequest request{.target = IdOf(step.note), .by = IdOf(step.other), .at = at};
      return internal::ToStatus(database.Retire(request));
    }
    case NoteAction::kRemove: {
      RemoveRequest request;
      request.targets = {NotePath(step.note)};
      return internal::ToStatus(database.Remove(request));
    }
    case NoteAction::kCompact:
      return internal::ToStatus(database.Compact(CompactRequest()));
  }
  return Status::Internal("unknown action");
}

std::string LineOf(const std::string& path, int64_t version, bool obsolete,
                   const Activity& activity) {
  const auto time = [](const std::optional<UnixNanos>& at) {
    return at ? std::to_string(*at) : std::string("never");
  };
  return path + " step " + std::to_string(version) + (obsolete ? " obsolete" : "") + ", uses " +
         std::to_string(activity.uses) + " at " + time(activity.used_at) + ", reviews " +
         std::to_string(activity.reviews) + " in a row " + std::to_string(activity.repetitions) +
         " interval " + std::to_string(activity.interval_days) + " easiness " +
         std::to_string(activity.easiness) + " due " + time(activity.due) + "\n";
}

std::string LineOf(const std::string& source, const std::string& target,
                   const std::string& relation, const std::string& origin, double weight) {
  return source + " -" + relation + "-> " + target + ", " + origin + " " + std::to_string(weight) +
         "\n";
}

// "This is mark12."
Result<int64_t> VersionOf(const std::string& path, const std::string& text) {
  constexpr std::string_view kMark = "This is mark";
  const size_t at = text.find(kMark);
  int64_t version = 0;
  if (at != std::string::npos) {
    std::from_chars(text.data() + at + kMark.size(), text.data() + text.size(), version);
  }
  if (version == 0) return Fail(Status::Corruption(path + " has no version: " + text));
  return version;
}

std::string Join(const std::set<std::string>& paths) {
  std::string joined;
  for (const std::string& path : paths) joined += " " + path;
  return joined;
}

// The notes that satisfy a filter, and those that should.
Result<std::string> CompareFilter(Database& database, const std::string& token,
                                  const std::string& filter, const std::set<std::string>& wanted) {
  QueryRequest request;
  request.rql = "FROM doc FILTER " + filter + " SELECT doc.path";
  request.snapshot = token;
  RECALL_ASSIGN(const QueryResponse response, database.Query(request));
  std::set<std::string> found;
  for (const QueryRow& row : response.rows) found.insert(row.doc.path);
  if (found == wanted) return std::string();
  return filter + " at '" + token + "':" + Join(found) + "; not:" + Join(wanted);
}

}  // namespace

std::string NotePath(int note) { return "notes/" + IdOf(note) + ".md"; }
std::string MarkOf(int64_t version) { return "mark" + std::to_string(version); }

bool NoteWorld::IsThere(int note) const {
  const auto found = notes.find(note);
  return found != notes.end() && found->second.version > 0;
}

NoteStep NoteHistory::Next() const {
  const int64_t number = position_ + 1;
  std::mt19937_64 random(Draw(seed_, static_cast<uint64_t>(number)));
  constexpr NoteAction kActions[] = {
      NoteAction::kSave,   NoteAction::kSave,   NoteAction::kReplace, NoteAction::kReplace,
      NoteAction::kLink,   NoteAction::kLink,   NoteAction::kLink,    NoteAction::kUnlink,
      NoteAction::kUnlink, NoteAction::kUse,    NoteAction::kUse,     NoteAction::kReview,
      NoteAction::kReview, NoteAction::kRetire, NoteAction::kRemove};
  NoteStep step;
  step.number = number;
  step.action =
      random() % 40 == 0 ? NoteAction::kCompact : kActions[random() % std::size(kActions)];
  step.note = static_cast<int>(random() % kNotes);
  step.other = static_cast<int>(random() % kNotes);
  step.relation = kRelations[random() % std::size(kRelations)];
  step.weight = static_cast<double>(random() % 5) / 4;
  step.quality = static_cast<int64_t>(random() % 6);
  if (step.action == NoteAction::kUnlink && !world_.links.empty() && random() % 4 != 0) {
    // A link that exists, in most cases.
    auto link = world_.links.begin();
    std::advance(link, static_cast<int64_t>(random() % world_.links.size()));
    step.note = std::get<0>(link->first);
    step.other = std::get<1>(link->first);
    step.relation = std::get<2>(link->first);
  }
  return step;
}

StatusCode NoteHistory::OutcomeOf(const NoteStep& step) const {
  const bool note = world_.IsThere(step.note);
  const bool both = note && world_.IsThere(step.other);
  switch (step.action) {
    case NoteAction::kSave:
      return note ? StatusCode::kNoteExists : StatusCode::kOk;
    case NoteAction::kReplace:
    case NoteAction::kRemove:
    case NoteAction::kCompact:
      return StatusCode::kOk;
    case NoteAction::kUse:
      return both ? StatusCode::kOk : StatusCode::kNotFound;
    case NoteAction::kReview:
      return note ? StatusCode::kOk : StatusCode::kNotFound;
    case NoteAction::kLink:
    case NoteAction::kRetire:
      if (!both) return StatusCode::kNotFound;
      return step.note == step.other ? StatusCode::kInvalidArgument : StatusCode::kOk;
    case NoteAction::kUnlink: {
      const bool linked = std::ranges::any_of(world_.links, [&](const auto& link) {
        return std::get<0>(link.first) == step.note && std::get<1>(link.first) == step.other;
      });
      return both || (note && linked) ? StatusCode::kOk : StatusCode::kNotFound;
    }
  }
  return StatusCode::kOk;
}

void NoteHistory::Write(int note, int64_t step) {
  NoteLife& life = world_.notes[note];
  life.version = step;
  life.obsolete = false;
  life.mentioned = MentionedBy(note, step);
  std::erase_if(world_.links, [note](const auto& link) {
    return std::get<0>(link.first) == note && std::get<3>(link.first) == "text";
  });
  if (life.mentioned != note) world_.links[{note, life.mentioned, "related", "text"}] = 1;
  if (!life.due) {
    life.due = TimeOf(step) + kDay;
    life.interval_days = 1;
  }
}

// SM-2, with the numbers of its publication.
void NoteHistory::Review(const NoteStep& step) {
  NoteLife& life = world_.notes[step.note];
  const double lack = static_cast<double>(5 - step.quality);
  const double easiness =
      static_cast<double>(life.easiness) / 100 + 0.1 - lack * (0.08 + lack * 0.02);
  life.easiness = std::max<int64_t>(130, std::llround(easiness * 100));
  if (step.quality < 3) {
    life.repetitions = 0;
    life.interval_days = 1;
  } else {
    ++life.repetitions;
    const int64_t longer = (life.interval_days * life.easiness + 99) / 100;
    life.interval_days = life.repetitions == 1 ? 1 : life.repetitions == 2 ? 6 : longer;
  }
  ++life.reviews;
  life.due = TimeOf(step.number) + life.interval_days * kDay;
}

void NoteHistory::Advance() {
  const NoteStep step = Next();
  position_ = step.number;
  if (OutcomeOf(step) != StatusCode::kOk) return;
  switch (step.action) {
    case NoteAction::kSave:
    case NoteAction::kReplace:
      return Write(step.note, step.number);
    case NoteAction::kLink:
      world_.links[{step.note, step.other, step.relation, "user"}] = step.weight;
      return;
    case NoteAction::kUnlink:
      world_.links.erase({step.note, step.other, step.relation, "user"});
      return;
    case NoteAction::kUse:
      for (const int note : {step.note, step.other}) {
        NoteLife& life = world_.notes[note];
        ++life.uses;
        // A second use at the same time gets the next nanosecond.
        life.used_at = std::max(life.used_at + 1, TimeOf(step.number));
      }
      return;
    case NoteAction::kReview:
      return Review(step);
    case NoteAction::kRetire:
      world_.notes[step.note].obsolete = true;
      world_.links[{step.other, step.note, "supersedes", "user"}] = 1;
      return;
    case NoteAction::kRemove: {
      if (!world_.IsThere(step.note)) return;
      world_.notes[step.note].version = 0;
      std::erase_if(world_.links, [&](const auto& link) {
        return std::get<0>(link.first) == step.note && std::get<3>(link.first) == "text";
      });
      return;
    }
    case NoteAction::kCompact:
      return;
  }
}

void NoteHistory::AdvanceTo(int64_t position) {
  while (position_ < position) Advance();
}

Status TakeNoteStep(Database& database, const NoteHistory& history) {
  const NoteStep step = history.Next();
  const Status taken = Take(database, step);
  const StatusCode wanted = history.OutcomeOf(step);
  if (taken.code() == wanted) return Status::Ok();
  if (wanted == StatusCode::kOk) return taken;
  return Status::Internal("step " + std::to_string(step.number) + " ended with '" +
                          taken.ToString() + "' instead of " + std::string(StatusCodeName(wanted)));
}

std::string DescribeWorld(const NoteWorld& world) {
  std::set<std::string> lines;
  for (const auto& [note, life] : world.notes) {
    if (life.version == 0) continue;
    Activity activity;
    activity.uses = life.uses;
    if (life.uses > 0) activity.used_at = life.used_at;
    activity.reviews = life.reviews;
    activity.repetitions = life.repetitions;
    activity.interval_days = life.interval_days;
    activity.easiness = life.easiness;
    activity.due = life.due;
    lines.insert(LineOf(NotePath(note), life.version, life.obsolete, activity));
  }
  for (const auto& [link, weight] : world.links) {
    const auto& [source, target, relation, origin] = link;
    lines.insert(LineOf(NotePath(source), NotePath(target), relation, origin, weight));
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

Result<std::string> DescribeNotes(Store& store) {
  LocalStore local(&store);
  RECALL_ASSIGN(const auto snapshot, local.BeginRead());
  std::vector<NoteFacts> all;
  RECALL_TRY(snapshot->notes().ScanFacts(std::numeric_limits<UnixNanos>::max(),
                                         [&](const NoteFacts& facts) { all.push_back(facts); }));
  std::set<std::string> lines;
  for (const NoteFacts& facts : all) {
    RECALL_ASSIGN(const DocRow doc, snapshot->texts().ReadDoc(facts.doc_row));
    RECALL_ASSIGN(const std::string text,
                  snapshot->texts().ReadText(doc, 0, static_cast<uint64_t>(doc.size)));
    RECALL_ASSIGN(const int64_t version, VersionOf(doc.path, text));
    lines.insert(LineOf(doc.path, version, facts.card.obsolete, facts.activity));
  }
  // All links, those of removed notes as well.
  std::set<std::string> sources;
  for (int note = 0; note < kNotes; ++note) sources.insert(NotePath(note));
  for (const std::string& source : sources) {
    RECALL_ASSIGN(const auto links, snapshot->notes().LinksAt(LinkEnd::kSource, source));
    for (const LinkRecord& link : links) {
      lines.insert(LineOf(link.source, link.target, link.relation, link.origin, link.weight));
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

Result<std::string> CompareAnswers(Database& database, const std::string& token,
                                   const NoteWorld& world) {
  const auto where = [&world](const auto& is_wanted) {
    std::set<std::string> paths;
    for (const auto& [note, life] : world.notes) {
      if (life.version > 0 && is_wanted(note, life)) paths.insert(NotePath(note));
    }
    return paths;
  };
  const auto links_to = [&world](int source, int target, const std::string& relation) {
    return std::ranges::any_of(world.links, [&](const auto& link) {
      return std::get<0>(link.first) == source && std::get<1>(link.first) == target &&
             (relation.empty() || std::get<2>(link.first) == relation);
    });
  };
  std::vector<std::pair<std::string, std::set<std::string>>> filters = {
      {"doc.kind = 'note'", where([](int, const NoteLife&) { return true; })},
      {"doc.status = 'obsolete'", where([](int, const NoteLife& life) { return life.obsolete; })},
      {"doc.lifecycle != 'obsolete'",
       where([](int, const NoteLife& life) { return !life.obsolete; })},
      {"doc.uses >= 2", where([](int, const NoteLife& life) { return life.uses >= 2; })},
      {"doc.reviews = 1", where([](int, const NoteLife& life) { return life.reviews == 1; })},
      {"doc.interval > 5", where([](int, const NoteLife& life) { return life.interval_days > 5; })},
      {"doc.easiness < 2.5", where([](int, const NoteLife& life) { return life.easiness < 250; })}};
  for (int target = 0; target < kNotes; target += 5) {
    for (const std::string relation : {"related", "any"}) {
      const std::string name = relation == "any" ? "" : relation;
      filters.emplace_back(
          "doc.link." + relation + " = '" + NotePath(target) + "'",
          where([&](int note, const NoteLife&) { return links_to(note, target, name); }));
    }
  }
  for (const auto& [filter, wanted] : filters) {
    RECALL_ASSIGN(const std::string wrong, CompareFilter(database, token, filter, wanted));
    if (!wrong.empty()) return wrong;
  }
  for (const auto& [note, life] : world.notes) {
    if (life.version == 0) continue;
    LinksRequest request{.target = NotePath(note),
                         .direction = LinkDirection::kOut,
                         .relation = {},
                         .snapshot = token,
                         .as_of = {}};
    RECALL_ASSIGN(const LinksReport links, database.Links(request));
    std::set<std::string> found;
    std::set<std::string> wanted;
    for (const LinkRecord& link : links.links) {
      if (link.source != NotePath(note)) continue;  // it also shows those among the others
      found.insert(LineOf(link.source, link.target, link.relation, link.origin, link.weight));
    }
    for (const auto& [link, weight] : world.links) {
      const auto& [source, target, relation, origin] = link;
      if (source != note) continue;
      wanted.insert(LineOf(NotePath(source), NotePath(target), relation, origin, weight));
    }
    if (found != wanted)
      return "links at '" + token + "':\n" + Join(found) + "not:\n" + Join(wanted);
    SearchRequest search;
    search.text = MarkOf(life.version);
    search.mode = SearchMode::kLexical;
    search.scope.snapshot = token;
    RECALL_ASSIGN(const SearchResponse response, database.Search(search));
    if (response.hits.empty() || response.hits[0].doc.path != NotePath(note)) {
      return "the search for " + search.text + " at '" + token + "' does not find " +
             NotePath(note);
    }
  }
  return std::string();
}

}  // namespace recall
