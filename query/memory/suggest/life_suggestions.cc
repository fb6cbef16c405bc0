// Notes that should be retired or reviewed.
//
// To be retired is a note that is still active, although
//
//   superseded    a link says so
//   contradicted  a newer note says another thing about the same subject, or a link says so
//   expired       it is no longer valid; or it is too old by its window, and nobody uses it
//
// For a note, only the first of these that was not rejected is offered. To be reviewed is one that
// should not be retired, and was
//
//   due         reviewed before, and its next review is due
//   unreviewed  used kMuchUsed times, never reviewed, and not changed for kOldDays
//   stale       used within kRecentDays, although it is stale or expired by its window
//
// What is due for the first time is due a day after it was saved, so that alone says nothing.
//
// Cost: contradictions compare the titles of notes that have two stems of them in common.

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/memory/suggest/suggestion_sources.h"
#include "storage/notes/note_card.h"

namespace recall {
namespace {

constexpr int64_t kMuchUsed = 3;
constexpr int64_t kOldDays = 30;
constexpr int64_t kRecentDays = 90;
// A stem in more titles than this says nothing of the subject of a note.
constexpr size_t kMostTitles = 1000;

bool IsWithinDays(std::optional<UnixNanos> time, UnixNanos now, int64_t days) {
  return time && *time > now - days * kNanosPerDay;
}

std::string DayOf(UnixNanos time) {
  constexpr size_t kDay = 10;  // of "2026-01-01T00:00:00Z"
  return FormatRfc3339(time).substr(0, kDay);
}

// The pairs of notes whose titles are the same but for numbers, or have two stems in common.
std::set<SuggestableNotes::Pair> PairsOfTitles(const std::vector<StatedNote>& stated) {
  std::unordered_map<std::string, std::vector<size_t>> by_stem;
  std::unordered_map<std::string, std::vector<size_t>> by_title;
  for (size_t i = 0; i < stated.size(); ++i) {
    for (const std::string& stem : stated[i].subject()) by_stem[stem].push_back(i);
    if (!stated[i].bare_title().empty()) by_title[stated[i].bare_title()].push_back(i);
  }
  std::set<SuggestableNotes::Pair> pairs;
  std::unordered_map<size_t, size_t> common;
  for (size_t i = 0; i < stated.size(); ++i) {
    common.clear();
    for (const std::string& stem : stated[i].subject()) {
      const std::vector<size_t>& with = by_stem[stem];
      if (with.size() > kMostTitles) continue;
      for (const size_t other : with) {
        if (other > i && ++common[other] == 2) pairs.insert({i, other});
      }
    }
    const std::vector<size_t>& same = by_title[stated[i].bare_title()];
    for (const size_t other : same) {
      if (other > i && same.size() <= kMostTitles) pairs.insert({i, other});
    }
  }
  return pairs;
}

class Retirements final {
 public:
  Retirements(const SuggestableNotes& all, SuggestionList& list)
      : all_(all), list_(list), offered_(all.notes.size()) {}

  // `by`: the index of the successor; the size of the notes if there is none.
  void Offer(size_t note, size_t by, const char* cause, std::string reason,
             const StatedDifference* difference = nullptr) {
    if (offered_[note]) return;
    const SuggestedNote& shown = all_.notes[note].shown;
    Suggestion suggestion{.kind = SuggestionKind::kRetire, .cause = cause};
    suggestion.reason = std::move(reason);
    suggestion.notes = {shown};
    suggestion.command = {"recall", "retire", shown.path};
    std::vector<std::string> about = {shown.path};
    if (by < all_.notes.size()) {
      const SuggestedNote& successor = all_.notes[by].shown;
      suggestion.notes.push_back(successor);
      suggestion.command.insert(suggestion.command.end(), {"--by", successor.path});
      about.push_back(successor.path);
    }
    if (difference != nullptr) {
      suggestion.old_text = difference->before;
      suggestion.new_text = difference->after;
    }
    suggestion.id = SuggestionId(suggestion.kind, cause, about);
    offered_[note] = list_.Add(std::move(suggestion));
  }

 private:
  const SuggestableNotes& all_;
  SuggestionList& list_;
  std::vector<bool> offered_;
};

// Whether a note has expired by its window, and is used nevertheless.
bool IsOldAndUsed(const SuggestableNote& note, UnixNanos as_of) {
  const auto state = note.facts.LifecycleAt(as_of);
  const bool ended = note.facts.card.valid_until && *note.facts.card.valid_until <= as_of;
  return !ended && (state == Lifecycle::kStale || state == Lifecycle::kExpired) &&
         IsWithinDays(note.facts.activity.used_at, as_of, kRecentDays);
}

bool HasExpired(const SuggestableNote& note, UnixNanos as_of) {
  return note.facts.LifecycleAt(as_of) == Lifecycle::kExpired && !IsOldAndUsed(note, as_of);
}

// Why a note should be reviewed: a cause and a reason; "" if it need not be.
std::pair<const char*, std::string> ReasonToReview(const SuggestableNote& note, UnixNanos as_of) {
  const Activity& activity = note.facts.activity;
  const std::string used = "used " + CountedTimes(activity.uses);
  if (activity.reviews > 0 && activity.due && *activity.due <= as_of) {
    return {"due", "its review has been due since " + DayOf(*activity.due)};
  }
  const std::optional<UnixNanos> changed = note.ChangedAt();
  const bool old = changed && !IsWithinDays(changed, as_of, kOldDays);
  if (activity.reviews == 0 && activity.uses >= kMuchUsed && old) {
    return {"unreviewed", used + ", never reviewed, not changed since " + DayOf(*changed)};
  }
  if (IsOldAndUsed(note, as_of)) return {"stale", used + ", although it is out of date"};
  return {"", ""};
}

}  // namespace

Contradictions FindContradictions(const SuggestableNotes& all) {
  std::vector<StatedNote> stated;
  stated.reserve(all.notes.size());
  for (const SuggestableNote& note : all.notes) stated.emplace_back(note.text);
  Contradictions found;
  for (auto [older, newer] : PairsOfTitles(stated)) {
    const auto a = all.notes[older].ChangedAt();
    const auto b = all.notes[newer].ChangedAt();
    if (!a || !b || *a == *b) continue;  // nobody knows which one is right
    if (*a > *b) std::swap(older, newer);
    auto difference = FindContradiction(stated[older], stated[newer]);
    if (difference) found.emplace(std::pair(older, newer), *std::move(difference));
  }
  return found;
}

void OfferRetirements(const SuggestableNotes& all, const Contradictions& contradictions,
                      UnixNanos as_of, SuggestionList& list) {
  Retirements retirements(all, list);
  const auto path = [&](size_t note) { return all.notes[note].shown.path; };
  for (const auto& [source, target] : all.superseding) {
    if (all.superseding.contains({target, source})) continue;
    retirements.Offer(target, source, "superseded", "superseded by " + path(source));
  }
  for (const auto& [pair, difference] : contradictions) {
    retirements.Offer(pair.first, pair.second, "contradicted",
                      "contradicted by " + path(pair.second) + ": '" + difference.before +
                          "' -> '" + difference.after + "'",
                      &difference);
  }
  for (const auto& [source, target] : all.contradicting) {
    if (all.notes[source].ChangedAt() <= all.notes[target].ChangedAt()) continue;
    retirements.Offer(target, source, "contradicted",
                      "contradicted by " + path(source) + ", as a link says");
  }
  for (size_t note = 0; note < all.notes.size(); ++note) {
    if (!HasExpired(all.notes[note], as_of)) continue;
    const auto& until = all.notes[note].facts.card.valid_until;
    retirements.Offer(
        note, all.notes.size(), "expired",
        until ? "it was valid until " + DayOf(*until) : "expired by its age, and not used lately");
  }
}

void OfferReviews(const SuggestableNotes& all, UnixNanos as_of, SuggestionList& list) {
  std::vector<size_t> notes(all.notes.size());
  for (size_t i = 0; i < notes.size(); ++i) notes[i] = i;
  std::ranges::stable_sort(notes, std::ranges::greater(),
                           [&](size_t note) { return all.notes[note].facts.activity.uses; });
  for (const size_t note : notes) {
    if (HasExpired(all.notes[note], as_of)) continue;
    auto [cause, reason] = ReasonToReview(all.notes[note], as_of);
    if (reason.empty()) continue;
    const SuggestedNote& shown = all.notes[note].shown;
    Suggestion suggestion{.kind = SuggestionKind::kReview, .cause = cause};
    suggestion.id = SuggestionId(suggestion.kind, cause, {shown.path});
    suggestion.reason = std::move(reason);
    suggestion.notes = {shown};
    suggestion.command = {"recall", "review", shown.path};
    list.Add(std::move(suggestion));
  }
}

}  // namespace recall
