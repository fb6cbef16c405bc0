#include "cli/show/browse/browse_state.h"

#include <algorithm>
#include <span>
#include <utility>

#include "cli/show/browse/hit_text.h"
#include "query/database/database.h"
#include "query/memory/sessions/session_view.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

void ClearError(BrowseState& state) {
  state.error.clear();
  state.hint.clear();
  state.said.clear();
}

// Asks the question again once no key was pressed for a while, because it or the filter has
// changed.
BrowseActions AskLater(BrowseState& state, int64_t now) {
  BrowseActions actions;
  actions.cancel = std::exchange(state.waits, false);
  state.slow = false;
  ++state.asked;  // the answer to the question before will be ignored
  ClearError(state);
  state.awaited.clear();
  // The first screen has nothing in common with the hits of a question.
  if (Trim(state.question.text).empty() && !state.listed) {
    state.found.reset();
    state.chosen = 0;
  }
  state.ask_at = now + kQuietMicros;
  return actions;
}

BrowseActions Ask(BrowseState& state, int64_t now) {
  state.ask_at.reset();
  state.waits = true;
  state.slow_at = now + kSlowMicros;
  ++state.asked;
  return {.ask =
              BrowseQuestion{state.asked, state.question.text, state.applied_filter, state.preset}};
}

// Shows the chosen hit in the preview, from its beginning.
void BeginPreview(BrowseState& state) {
  state.view.preview_offset = 0;
  state.turn_at.reset();
}

void Choose(BrowseState& state, ptrdiff_t by) {
  if (!state.found || state.found->hits.empty()) return;
  const auto last = static_cast<ptrdiff_t>(state.found->hits.size()) - 1;
  state.chosen = static_cast<size_t>(
      std::clamp<ptrdiff_t>(static_cast<ptrdiff_t>(state.chosen) + by, 0, last));
  BeginPreview(state);
  ClearError(state);
}

// Recalls the next older question of the history; after the oldest, the question that was typed.
BrowseActions RecallOlder(BrowseState& state, int64_t now) {
  if (state.history.empty()) return {};
  if (!state.recalled) {
    state.draft = state.question.text;
    state.recalled = state.history.size();
  }
  if (*state.recalled == 0) {
    state.recalled.reset();
    state.question = LineOf(state.draft);
  } else {
    state.recalled = *state.recalled - 1;
    state.question = LineOf(state.history[*state.recalled]);
  }
  return AskLater(state, now);
}

// The line after a key that edits it; nothing for other keys.
std::optional<EditLine> Edited(const EditLine& line, const KeyPress& press) {
  switch (press.key) {
    case Key::kText:
      return Insert(line, press.text);
    case Key::kBackspace:
      return DeleteBefore(line);
    case Key::kDelete:
      return DeleteAfter(line);
    case Key::kDeleteWord:
      return DeleteWordBefore(line);
    case Key::kDeleteToStart:
      return DeleteToStart(line);
    case Key::kDeleteToEnd:
      return DeleteToEnd(line);
    case Key::kLeft:
      return MoveLeft(line);
    case Key::kRight:
      return MoveRight(line);
    case Key::kHome:
      return MoveToStart(line);
    case Key::kEnd:
      return MoveToEnd(line);
    default:
      return std::nullopt;
  }
}

BrowseActions ApplyFilter(BrowseState& state, int64_t now) {
  const std::string filter(Trim(state.filter.text));
  if (const Status status = filter.empty() ? Status() : CheckFilter(filter); !status.ok()) {
    state.error = "filter: " + std::string(status.message());
    state.hint = status.hint();
    return {};
  }
  state.edits_filter = false;
  if (filter == state.applied_filter) return {};
  state.applied_filter = filter;
  return AskLater(state, now);
}

BrowseActions OnFilterKey(BrowseState& state, const KeyPress& press, int64_t now) {
  if (press.key == Key::kEnter) return ApplyFilter(state, now);
  if (press.key == Key::kEscape || press.key == Key::kFilter) {
    state.edits_filter = false;
    ClearError(state);
  } else if (auto line = Edited(state.filter, press)) {
    if (line->text != state.filter.text) ClearError(state);
    state.filter = *std::move(line);
  }
  return {};
}

BrowseActions OnQuestionKey(BrowseState& state, const KeyPress& press, int64_t now) {
  auto line = Edited(state.question, press);
  if (!line) return {};
  const bool changed = line->text != state.question.text;
  state.question = *std::move(line);
  state.recalled.reset();
  return changed ? AskLater(state, now) : BrowseActions{};
}

BrowseActions OnKeyInLinks(BrowseState& state, const KeyPress& press) {
  const LinksActions asked = OnLinksKey(state.links.back(), press);
  if (asked.go) return {.links = state.links.back().row().document.path};
  if (asked.back) state.links.pop_back();
  if (asked.leave) state.links.clear();
  return {.open_linked = asked.open};
}

BrowseActions OnKeyInPlaces(BrowseState& state, const KeyPress& press) {
  const PlacesActions asked = OnPlacesKey(state.places.back(), press);
  if (asked.back) state.places.pop_back();
  if (asked.leave) state.places.clear();
  if (asked.cite || (asked.open && state.prints)) return {.end = BrowseEnd::kCite};
  return {.open_place = asked.open, .copy = asked.copy, .places = asked.show};
}

BrowseActions OnKeyInHelp(BrowseState& state, const KeyPress& press) {
  const auto page = static_cast<ptrdiff_t>(std::max<size_t>(state.help_view.rows, 2)) - 1;
  switch (press.key) {
    case Key::kUp:
    case Key::kPreviousHit:
    case Key::kPreviewUp:
      --state.help_view.preview_offset;
      break;
    case Key::kDown:
    case Key::kNextHit:
    case Key::kPreviewDown:
      ++state.help_view.preview_offset;
      break;
    case Key::kPageUp:
      state.help_view.preview_offset -= page;
      break;
    case Key::kPageDown:
      state.help_view.preview_offset += page;
      break;
    default:
      state.helps = false;
  }
  return {};
}

BrowseActions OnKeyInReview(BrowseState& state, const KeyPress& press) {
  const ReviewActions asked = OnReviewKey(*state.review, press);
  if (!asked.leave) return {.show_text = asked.show, .rate = asked.rate};
  if (state.only_reviews) return {.end = BrowseEnd::kLeave};
  state.review.reset();
  return {};
}

// The hits on the screen belong to another question until its answer is there.
bool HasChosenHit(const BrowseState& state) { return !state.waits && state.hit() != nullptr; }

BrowseActions StepTurn(BrowseState& state, TurnStep step) {
  return MoveToTurn(state, step) ? BrowseActions() : BrowseActions{.turn = step};
}

BrowseActions StepHit(BrowseState& state, ptrdiff_t by) {
  Choose(state, by);
  return {};
}

// After this, Up goes to the hit above and no longer through the history.
BrowseActions LeaveHistory(BrowseState& state, ptrdiff_t by) {
  Choose(state, by);
  state.recalled.reset();
  return {};
}

ptrdiff_t RowsOfPage(const BrowseState& state) {
  return static_cast<ptrdiff_t>(std::max<size_t>(state.view.rows, 2)) - 1;
}

BrowseActions Up(BrowseState& state, int64_t now) {
  const bool nothing_above = state.question.text.empty() && state.chosen == 0;
  if (!state.edits_filter && (nothing_above || state.recalled)) return RecallOlder(state, now);
  return StepHit(state, -1);
}

BrowseActions TakeHit(BrowseState& state, int64_t now, bool cites) {
  if (!state.marks.empty()) return {.end = BrowseEnd::kCite};
  if (state.ask_at) return Ask(state, now);
  if (!HasChosenHit(state)) return {};
  if (cites || state.prints) return {.end = BrowseEnd::kCite};
  return {.open = true};
}

BrowseActions ShowLinks(BrowseState& state, int64_t now) {
  if (state.ask_at) return Ask(state, now);
  if (!HasChosenHit(state)) return {};
  return {.links = state.hit()->doc.path};
}

BrowseActions ShowOutline(BrowseState& state, int64_t now) {
  if (state.ask_at) return Ask(state, now);
  if (!HasChosenHit(state)) return {};
  const SearchHit& hit = *state.hit();
  return {.places = PlacesWish{PlacesOf::kDefinitions, hit.doc.path, hit.doc.id, BestLine(hit)}};
}

BrowseActions MarkHit(BrowseState& state, ptrdiff_t by) {
  if (!HasChosenHit(state)) return {};
  ToggleMark(state.marks, *state.hit());
  Choose(state, by);
  ClearError(state);
  return {};
}

BrowseActions MarkHits(BrowseState& state, int64_t) {
  if (HasChosenHit(state)) ToggleMarks(state.marks, state.found->hits);
  return {};
}

BrowseActions OpenMarked(BrowseState& state, int64_t) {
  if (!state.marks.empty()) return {.open_all = true};
  return {.open = HasChosenHit(state)};
}

BrowseActions CopyCitations(BrowseState& state, int64_t) {
  return {.copy = !state.marks.empty() || HasChosenHit(state)};
}

BrowseActions EditChosenNote(BrowseState& state, int64_t now) {
  if (state.ask_at) return Ask(state, now);
  if (!HasChosenHit(state)) return {};
  if (state.hit()->doc.parser == "note") return {.note = NoteWish::kEdit};
  state.error = "this is not a note";
  state.hint = "Enter opens the document";
  return {};
}

BrowseActions WriteNewNote(BrowseState& state, int64_t) {
  ClearError(state);
  return {.note = NoteWish::kNew};
}

BrowseActions EditFilter(BrowseState& state, int64_t) {
  state.edits_filter = true;
  state.filter = LineOf(state.applied_filter);
  ClearError(state);
  return {};
}

BrowseActions BeginReview(BrowseState& state, int64_t) {
  ClearError(state);
  return {.begin_review = true};
}

BrowseActions NextView(BrowseState& state, int64_t now) {
  state.preset = (state.preset + 1) % state.views.size();
  return AskLater(state, now);
}

BrowseActions ToggleExplanation(BrowseState& state, int64_t) {
  state.explains = !state.explains;
  state.view.preview_offset = 0;
  return {};
}

BrowseActions ScrollPreview(BrowseState& state, int by) {
  state.view.preview_offset += by;
  return {};
}

struct KeyRow {
  Key key;
  BrowseActions (*act)(BrowseState& state, int64_t now);
};

using State = BrowseState;

// Keys that move about, also while the filter is edited.
constexpr KeyRow kMovingKeys[] = {
    {Key::kExplain, ToggleExplanation},
    {Key::kPreviewUp, [](State& state, int64_t) { return ScrollPreview(state, -1); }},
    {Key::kPreviewDown, [](State& state, int64_t) { return ScrollPreview(state, 1); }},
    {Key::kPreviousTurn,
     [](State& state, int64_t) { return StepTurn(state, TurnStep::kPrevious); }},
    {Key::kNextTurn, [](State& state, int64_t) { return StepTurn(state, TurnStep::kNext); }},
    {Key::kPageUp, [](State& state, int64_t) { return LeaveHistory(state, -RowsOfPage(state)); }},
    {Key::kPageDown, [](State& state, int64_t) { return LeaveHistory(state, RowsOfPage(state)); }},
    {Key::kPreviousHit, [](State& state, int64_t) { return StepHit(state, -1); }},
    {Key::kDown, [](State& state, int64_t) { return LeaveHistory(state, 1); }},
    {Key::kNextHit, [](State& state, int64_t) { return LeaveHistory(state, 1); }},
    {Key::kUp, Up},
};

// Keys that act while the question is edited.
constexpr KeyRow kActingKeys[] = {
    {Key::kEscape, [](State&, int64_t) { return BrowseActions{.end = BrowseEnd::kLeave}; }},
    {Key::kEnter, [](State& state, int64_t now) { return TakeHit(state, now, false); }},
    {Key::kCite, [](State& state, int64_t now) { return TakeHit(state, now, true); }},
    {Key::kFilter, EditFilter},
    {Key::kHistory, RecallOlder},
    {Key::kLinks, ShowLinks},
    {Key::kView, NextView},
    {Key::kReview, BeginReview},
    {Key::kOutline, ShowOutline},
    {Key::kMark, [](State& state, int64_t) { return MarkHit(state, 1); }},
    {Key::kMarkUp, [](State& state, int64_t) { return MarkHit(state, -1); }},
    {Key::kMarkAll, MarkHits},
    {Key::kOpenAll, OpenMarked},
    {Key::kCopy, CopyCitations},
    {Key::kEditNote, EditChosenNote},
    {Key::kNewNote, WriteNewNote},
};

// The row of a key; null if the table has none.
const KeyRow* FindKey(std::span<const KeyRow> rows, Key key) {
  const auto row = std::ranges::find(rows, key, &KeyRow::key);
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

std::vector<std::string> ChosenCitations(const BrowseState& state) {
  if (!state.places.empty()) return {CitationOf(state.places.back().row())};
  std::vector<std::string> citations;
  for (const MarkedPlace& mark : state.marks) citations.push_back(mark.citation);
  if (citations.empty() && state.hit()) citations.push_back(CitationOf(*state.hit()));
  return citations;
}

BrowseActions OnKey(BrowseState& state, const KeyPress& press, int64_t now) {
  if (press.key == Key::kLeave) return {.end = BrowseEnd::kLeave};
  if (state.helps) return OnKeyInHelp(state, press);
  if (press.key == Key::kHelp) {
    state.helps = true;
    state.help_view = {};
    return {};
  }
  if (state.review) return OnKeyInReview(state, press);
  if (!state.places.empty()) return OnKeyInPlaces(state, press);
  if (!state.links.empty()) return OnKeyInLinks(state, press);
  if (const KeyRow* row = FindKey(kMovingKeys, press.key)) return row->act(state, now);
  if (state.edits_filter) return OnFilterKey(state, press, now);
  if (const KeyRow* row = FindKey(kActingKeys, press.key)) return row->act(state, now);
  return OnQuestionKey(state, press, now);
}

BrowseActions OnTime(BrowseState& state, int64_t now) {
  if (state.ask_at && now >= *state.ask_at) return Ask(state, now);
  state.slow = state.waits && now >= state.slow_at;
  return {};
}

std::optional<int64_t> NextTime(const BrowseState& state) {
  if (state.ask_at) return state.ask_at;
  return state.waits && !state.slow ? std::optional(state.slow_at) : std::nullopt;
}

bool MoveToTurn(BrowseState& state, TurnStep step) {
  const SearchHit* hit = state.hit();
  if (!hit || !IsSession(hit->doc)) return true;
  if (!state.document || state.document->doc.hash != hit->doc.hash) return false;
  const std::string& text = state.document->chunk.text;
  const size_t from = state.view.top_byte;
  const auto turn = step == TurnStep::kNext ? TurnAfter(text, from) : TurnBefore(text, from);
  if (!turn) return true;
  state.turn_at = turn;
  state.view.preview_offset = 0;
  state.view.top_byte = *turn;  // for a key that is pressed before it is drawn
  return true;
}

void OnAnswer(BrowseState& state, BrowseAnswer answer) {
  if (answer.number != state.asked || !state.waits) return;
  state.waits = false;
  state.slow = false;
  if (!answer.status.ok()) {
    state.error = answer.status.message();
    state.hint = answer.status.hint();
    return;
  }
  state.found = std::move(answer.found);
  state.states = std::move(answer.states);
  state.listed = answer.listed;
  state.sections = std::move(answer.sections);
  state.due = answer.due;
  state.micros = answer.micros;
  state.chosen = 0;
  state.view.first_row = 0;
  BeginPreview(state);
  const std::string awaited = std::exchange(state.awaited, "");
  if (awaited.empty() || !state.found) return;
  const auto& hits = state.found->hits;
  const auto hit = std::ranges::find(hits, awaited, [](const auto& h) { return h.doc.path; });
  if (hit != hits.end()) state.chosen = static_cast<size_t>(hit - hits.begin());
}

void OnNoteEdited(BrowseState& state, const NoteOutcome& outcome, int64_t now) {
  ClearError(state);
  if (!outcome.failure.ok()) {
    state.error = outcome.failure.message();
    state.hint = outcome.failure.hint();
    if (outcome.kept.empty()) return;
    state.hint += (state.hint.empty() ? "" : "; ") +
                  ("the text is kept in " + outcome.kept + ": the same key goes on with it");
    return;
  }
  if (!outcome.saved) {
    state.said = "nothing was changed";
    return;
  }
  const SaveReport& report = *outcome.saved;
  state.said = (report.unchanged  ? "unchanged "
                : report.replaced ? "changed "
                                  : "saved ") +
               report.doc.path;
  for (const std::string& warning : report.warnings) state.said += "; " + warning;
  state.awaited = report.doc.path;
  state.ask_at = now;
}

}  // namespace recall
