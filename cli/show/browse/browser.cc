#include "cli/show/browse/browser.h"

#include <algorithm>
#include <utility>

#include "cli/show/browse/browsed_store.h"
#include "cli/show/browse/hit_text.h"
#include "cli/show/browse/note_editing.h"
#include "cli/show/browse/outside_programs.h"
#include "cli/show/browse/question_history.h"
#include "cli/show/output/text_output.h"
#include "storage/base/clock.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr int64_t kMostPreviewed = 4'000'000;  // bytes, which take some milliseconds to read

// What the renderer made of the view belongs to the screen that is shown.
void KeepView(BrowseState& state, const ListView& view) {
  if (state.helps) {
    state.help_view = view;
  } else if (state.review) {
    state.review->view = view;
  } else if (!state.places.empty()) {
    state.places.back().view = view;
  } else if (!state.links.empty()) {
    state.links.back().view = view;
  } else {
    state.view = view;
  }
}

class Browser final {
 public:
  Browser(BrowseState state, const BrowserOptions& options)
      : state_(std::move(state)), options_(options), store_(options) {}

  Result<BrowserEnd> Run() {
    if (!options_.history_path.empty()) state_.history = ReadHistory(options_.history_path);
    if (state_.only_reviews) RECALL_TRY(BeginReview());
    RECALL_ASSIGN(screen_, TerminalScreen::Open(options_.terminal));
    RECALL_ASSIGN(worker_, SearchWorker::Start(options_.open, options_.presets,
                                               [screen = screen_.get()] { screen->Wake(); }));
    // The question of the command line is asked at once; so is what the first screen shows.
    if (!state_.only_reviews) state_.ask_at = SteadyMicros();
    while (!end_) {
      Do(OnTime(state_, SteadyMicros()));
      ReadDocument();
      const Screen shown = Draw(state_, screen_->size(), options_.style);
      KeepView(state_, shown.view);
      screen_->Show(shown);
      TakeEvents();
    }
    Remember();
    worker_.reset();  // it wakes the screen
    screen_.reset();
    return *std::move(end_);
  }

 private:
  // Waits for an event, and takes all that have happened meanwhile.
  void TakeEvents() {
    std::optional<int64_t> wait;
    if (const auto next = NextTime(state_)) wait = std::max<int64_t>(*next - SteadyMicros(), 0);
    while (!end_) {
      const std::optional<TerminalEvent> event = screen_->Wait(wait);
      if (auto answer = worker_->Take()) OnAnswer(state_, *std::move(answer));
      if (!event) return;
      if (std::holds_alternative<Ended>(*event)) {
        end_.emplace().interrupted = true;
      } else if (const auto* press = std::get_if<KeyPress>(&*event)) {
        Do(OnKey(state_, *press, SteadyMicros()));
      }
      wait = 0;
    }
  }

  // The preview has the lines around the hit, too, unless the document is long.
  void ReadDocument() {
    if (!state_.places.empty()) return ReadLinked(state_.places.back().row().path);
    if (!state_.links.empty()) {
      const LinkedDocument& chosen = state_.links.back().row().document;
      if (!chosen.missing) ReadLinked(chosen.path);
      return;
    }
    const SearchHit* hit = state_.hit();
    if (!hit || hit->doc.hash == read_hash_ || hit->doc.size > kMostPreviewed) return;
    read_hash_ = hit->doc.hash;
    KeepDocument(DocumentOf(*hit));
  }

  void KeepDocument(Result<GetResponse> document) {
    if (document) state_.document = std::make_shared<const GetResponse>(*std::move(document));
  }

  // That of the chosen link or place.
  void ReadLinked(const std::string& path) {
    if (state_.linked && state_.linked->doc.path == path) return;
    if (Result<GetResponse> document = store_.Document(path)) {
      state_.linked = std::make_shared<const GetResponse>(*std::move(document));
    } else {
      SetError(document.error());
    }
  }

  Result<GetResponse> DocumentOf(const SearchHit& hit) const {
    return store_.DocumentOf(hit, state_.found->store.snapshot);
  }

  void Do(const BrowseActions& actions) {
    if (actions.cancel) worker_->Cancel();
    if (actions.ask) worker_->Ask(*actions.ask);
    if (actions.turn) {  // of a session that is too long to be read for each hit
      KeepDocument(DocumentOf(*state_.hit()));
      MoveToTurn(state_, *actions.turn);
    }
    if (actions.links) Push(store_.Links(*actions.links), state_.links);
    if (actions.places) Push(store_.Places(*actions.places), state_.places);
    if (actions.begin_review) Check(BeginReview());
    if (actions.show_text) {
      OnReviewText(*state_.review, store_.Document(state_.review->document()->doc.path));
    }
    if (actions.rate) {
      OnReviewed(*state_.review, store_.Rate(state_.review->document()->doc.path, *actions.rate));
    }
    DoOutside(actions);
    if (!actions.end) return;
    end_.emplace();
    if (actions.end == BrowseEnd::kCite) end_->cited = ChosenCitations(state_);
  }

  // What other programs do.
  void DoOutside(const BrowseActions& actions) {
    OutsidePrograms outside(*screen_, options_);
    if (actions.open) {
      Remember();
      const SearchHit& hit = *state_.hit();
      Check(outside.Open(hit.doc.path, BestLine(hit), [&] { return DocumentOf(hit); }));
    }
    if (actions.open_linked) {
      const std::string path = state_.links.back().row().document.path;
      Check(outside.Open(path, 1, [&] { return store_.Document(path); }));
    }
    if (actions.open_place) {
      const PlaceItem& place = state_.places.back().row();
      Check(
          outside.Open(place.path, place.first_line, [&] { return store_.Document(place.path); }));
    }
    if (actions.open_all) OpenAll(outside);
    if (actions.copy) CopyTo(outside);
    if (actions.note) WriteNote(*actions.note, outside);
  }

  void OpenAll(OutsidePrograms& outside) {
    Remember();
    if (const Result<size_t> without = outside.OpenAll(state_.marks); !without) {
      SetError(without.error());
    } else if (*without > 0) {
      Say(std::to_string(*without) + " of the marked documents have no file");
    }
  }

  void CopyTo(OutsidePrograms& outside) {
    const std::vector<std::string> citations = ChosenCitations(state_);
    std::string text;
    for (const std::string& citation : citations) {
      text += (text.empty() ? "" : "\n") + citation;
    }
    outside.Copy(text);
    Say("copied " + (citations.size() == 1
                         ? text
                         : Plural(static_cast<int64_t>(citations.size()), "citation")));
  }

  void WriteNote(NoteWish wish, OutsidePrograms& outside) {
    if (const Status writable = store_.CheckWritable("notes"); !writable.ok()) {
      return SetError(writable);
    }
    EditedNote note = NewNote();
    if (wish == NoteWish::kEdit) {
      const Result<GetResponse> document = store_.Document(state_.hit()->doc.path);
      if (!document) return SetError(document.error());
      note = NoteToEdit(*document);
    }
    const NoteOutcome outcome = EditNote(
        note,
        {.drafts_directory = options_.drafts_directory,
         .store_directory = options_.store_directory,
         .like = options_.saving,
         .edit = [&](const std::string& file, uint32_t line) { return outside.Edit(file, line); },
         .save = [&](const SaveRequest& request) { return store_.Save(request); }});
    OnNoteEdited(state_, outcome, SteadyMicros());
    read_hash_.clear();
    state_.linked.reset();
  }

  void Say(std::string text) {
    (state_.places.empty() ? state_.said : state_.places.back().said) = std::move(text);
  }

  void Check(const Status& status) {
    if (!status.ok()) SetError(status);
  }

  // Of the screen that is shown.
  void SetError(const Status& status) {
    const bool of_places = !state_.places.empty();
    const bool of_links = !of_places && !state_.links.empty();
    (of_places  ? state_.places.back().error
     : of_links ? state_.links.back().error
                : state_.error) = status.message();
    (of_places  ? state_.places.back().hint
     : of_links ? state_.links.back().hint
                : state_.hint) = status.hint();
  }

  template <typename Page>
  void Push(Result<Page> page, std::vector<Page>& pages) {
    if (!page) return SetError(page.error());
    pages.push_back(*std::move(page));
  }

  // Shows what is due, within the scope of the questions.
  Status BeginReview() {
    RECALL_ASSIGN(std::vector<DueDocument> due, store_.Due(state_.preset, state_.applied_filter));
    state_.review.emplace().due = std::move(due);
    return {};
  }

  // Adds the question to the history, if it found something.
  void Remember() {
    const std::string question(Trim(state_.question.text));
    const bool found = state_.found && !state_.found->hits.empty();
    if (options_.history_path.empty() || question.empty() || !found) return;
    std::erase(state_.history, question);
    state_.history.push_back(question);
    state_.recalled.reset();
    const Status written = AddToHistory(options_.history_path, question);
    if (end_) end_->history = written;
  }

  BrowseState state_;
  std::string read_hash_;  // of the document that was read last, or could not be read
  const BrowserOptions& options_;
  BrowsedStore store_;
  std::unique_ptr<TerminalScreen> screen_;
  std::unique_ptr<SearchWorker> worker_;
  std::optional<BrowserEnd> end_;
};

}  // namespace

Result<BrowserEnd> Browse(BrowseState state, const BrowserOptions& options) {
  return Browser(std::move(state), options).Run();
}

}  // namespace recall
