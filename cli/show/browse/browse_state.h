#pragma once

// The state of `recall browse` and how events change it. Nothing here knows a terminal, a store or
// a clock.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/show/browse/edit_line.h"
#include "cli/show/browse/key_press.h"
#include "cli/show/browse/links_state.h"
#include "cli/show/browse/list_view.h"
#include "cli/show/browse/marks.h"
#include "cli/show/browse/note_editing.h"
#include "cli/show/browse/places_state.h"
#include "cli/show/browse/review_state.h"
#include "query/types/search_types.h"
#include "storage/base/status.h"

namespace recall {

// A question to ask. Of two questions the later one has the higher number.
struct BrowseQuestion {
  uint64_t number = 0;
  std::string text;
  std::string filter;
  size_t preset = 0;  // of those of the worker

  bool operator==(const BrowseQuestion&) const = default;
};

// Hits of a list below a heading: those from `first` on, up to the next section.
struct ListSection {
  std::string title;
  size_t first = 0;

  bool operator==(const ListSection&) const = default;
};

struct BrowseAnswer {
  uint64_t number = 0;  // of the question
  Status status;        // if not OK, there is no `found`
  std::shared_ptr<const SearchResponse> found;
  NoteStates states = {};  // of the documents of the hits; empty if they are not known
  // The question had no words: the newest documents of its view. Without a view the hits are those
  // of the first screen, in sections.
  bool listed = false;
  int64_t micros = 0;
  std::vector<ListSection> sections = {};
  int64_t due = 0;  // of the first screen: documents whose review is due
};

struct BrowseState {
  EditLine question;
  EditLine filter;  // as it is edited
  std::string applied_filter;
  bool edits_filter = false;
  std::vector<std::string> views = {""};  // the names of the presets; "" is none
  size_t preset = 0;                      // of the questions
  bool explains = false;
  bool helps = false;
  ListView help_view;
  // Enter chooses the citation that is printed, instead of opening the document.
  bool prints = false;

  uint64_t asked = 0;                           // the number of the last question
  bool waits = false;                           // for its answer
  int64_t slow_at = 0;                          // when the screen will say that it waits
  bool slow = false;                            // it says so
  std::optional<int64_t> ask_at;                // when the question as it is now will be asked
  std::shared_ptr<const SearchResponse> found;  // null: nothing was asked
  NoteStates states;                            // of the documents of the hits
  bool listed = false;                          // as in BrowseAnswer
  std::vector<ListSection> sections;            // as in BrowseAnswer
  int64_t due = 0;                              // as in BrowseAnswer
  std::string store_name;                       // what the first screen calls the store
  int64_t micros = 0;                           // that the answer took
  size_t chosen = 0;                            // index of a hit
  std::string awaited;                          // the path that the next answer chooses; "": none
  std::vector<MarkedPlace> marks;               // in the order in which they were marked
  ListView view;
  // Of a session: the turn at this byte is the first one of the preview. Unset: that of the hit.
  std::optional<size_t> turn_at;
  // The document of the chosen hit, whole; null, or another one, if it is not known.
  std::shared_ptr<const GetResponse> document;
  std::string error;  // of the last question, the filter or the last action; "" if none
  std::string hint;
  std::string said;  // of the last action, if it has succeeded

  std::vector<LinksPage> links;    // the screen of the last one is shown
  std::vector<PlacesPage> places;  // the same
  // The chosen document there; null, or another one, if it is not known.
  std::shared_ptr<const GetResponse> linked;
  std::optional<ReviewRound> review;  // its screen is shown
  bool only_reviews = false;          // leaving that screen leaves the program

  std::vector<std::string> history;  // the newest last
  std::optional<size_t> recalled;    // the question is this one of the history
  std::string draft;                 // the question before the history was looked at

  const SearchHit* hit() const {
    return found && chosen < found->hits.size() ? &found->hits[chosen] : nullptr;
  }
  std::optional<Lifecycle> state_of(size_t hit) const {
    return hit < states.size() ? states[hit] : std::nullopt;
  }
};

enum class BrowseEnd { kLeave, kCite };
enum class TurnStep { kNext, kPrevious };
enum class NoteWish { kNew, kEdit };

// What an event asks the shell to do.
struct BrowseActions {
  bool cancel = false;  // the question that is being answered
  std::optional<BrowseQuestion> ask = {};
  bool open = false;                      // the document of the chosen hit
  std::optional<TurnStep> turn = {};      // read that document, and MoveToTurn
  std::optional<std::string> links = {};  // show the links of the document at this path
  bool open_linked = false;               // open the document that is chosen among links
  bool open_all = false;                  // open the marked documents
  bool open_place = false;                // open the place that is chosen among places
  bool copy = false;                      // copy ChosenCitations
  std::optional<PlacesWish> places = {};  // show these places
  std::optional<NoteWish> note = {};      // write a note, or edit that of the chosen hit
  bool begin_review = false;              // find what is due
  bool show_text = false;                 // read the text of the document that is reviewed
  std::optional<int64_t> rate = {};       // record this rating of it
  std::optional<BrowseEnd> end = {};

  bool operator==(const BrowseActions&) const = default;
};

// A question is asked when no key was pressed for so long.
inline constexpr int64_t kQuietMicros = 80'000;

// Only then does the screen say that it waits; a word that flickers with each key tells nothing.
inline constexpr int64_t kSlowMicros = 200'000;

// What is printed and copied: the place that is chosen on a screen of places, else what is marked,
// else the chosen hit.
std::vector<std::string> ChosenCitations(const BrowseState& state);

// Times are in microseconds since any moment.
BrowseActions OnKey(BrowseState& state, const KeyPress& press, int64_t now);
BrowseActions OnTime(BrowseState& state, int64_t now);
// When OnTime must be called next, if no key and no answer comes before.
std::optional<int64_t> NextTime(const BrowseState& state);
// Moves the preview of a session to its next or previous turn. Returns: false if the document must
// be read before.
bool MoveToTurn(BrowseState& state, TurnStep step);
// Answers to other questions than the last are ignored.
void OnAnswer(BrowseState& state, BrowseAnswer answer);
// A note was edited. If it is saved, the question is asked again, and its answer chooses the note
// if it has it.
void OnNoteEdited(BrowseState& state, const NoteOutcome& outcome, int64_t now);

}  // namespace recall
