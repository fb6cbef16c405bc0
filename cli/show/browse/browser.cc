#include "cli/show/browse/browser.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <utility>

#include "cli/show/browse/editor.h"
#include "cli/show/browse/question_history.h"
#include "cli/show/terminal/pager.h"
#include "storage/base/clock.h"
#include "storage/base/trim.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostReviewed = 1000;         // of a round
constexpr int64_t kMostPreviewed = 4'000'000;  // bytes, which take some milliseconds to read

// What the renderer made of the view belongs to the screen that is shown.
void KeepView(BrowseState& state, const ListView& view) {
  if (state.review) {
    state.review->view = view;
  } else if (!state.links.empty()) {
    state.links.back().view = view;
  } else {
    state.view = view;
  }
}

class Browser final {
 public:
  Browser(BrowseState state, const BrowserOptions& options)
      : state_(std::move(state)), options_(options) {}

  Result<BrowserEnd> Run() {
    if (!options_.history_path.empty()) state_.history = ReadHistory(options_.history_path);
    if (state_.only_reviews) RECALL_TRY(BeginReview());
    RECALL_ASSIGN(screen_, TerminalScreen::Open(options_.terminal));
    RECALL_ASSIGN(worker_, SearchWorker::Start(options_.open, options_.presets,
                                               [screen = screen_.get()] { screen->Wake(); }));
    // The question of the command line is asked at once; without one a view lists its documents.
    const bool asks = !state_.question.text.empty() || !state_.views[state_.preset].empty();
    if (asks && !state_.only_reviews) state_.ask_at = SteadyMicros();
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
    if (!state_.links.empty()) return ReadLinked();
    const SearchHit* hit = state_.hit();
    if (!hit || hit->doc.hash == read_hash_ || hit->doc.size > kMostPreviewed) return;
    read_hash_ = hit->doc.hash;
    KeepDocument(Get(*hit));
  }

  void KeepDocument(Result<GetResponse> document) {
    if (document) state_.document = std::make_shared<const GetResponse>(*std::move(document));
  }

  // That of the chosen link.
  void ReadLinked() {
    const LinkedDocument& chosen = state_.links.back().row().document;
    if (chosen.missing || (state_.linked && state_.linked->doc.path == chosen.path)) return;
    if (Result<GetResponse> document = GetPath(chosen.path)) {
      state_.linked = std::make_shared<const GetResponse>(*std::move(document));
    } else {
      SetError(document.error());
    }
  }

  Result<GetResponse> GetPath(const std::string& path) const {
    GetRequest request;
    request.target = path;
    request.snapshot = options_.snapshot;
    return options_.documents->Get(request);
  }

  // The document of the hit, as of the answer.
  Result<GetResponse> Get(const SearchHit& hit) const {
    GetRequest request;
    request.target = hit.doc.id;
    request.snapshot = state_.found->store.snapshot;
    return options_.documents->Get(request);
  }

  void Do(const BrowseActions& actions) {
    if (actions.cancel) worker_->Cancel();
    if (actions.ask) worker_->Ask(*actions.ask);
    if (actions.open) OpenHit(*state_.hit());
    if (actions.turn) {  // of a session that is too long to be read for each hit
      KeepDocument(Get(*state_.hit()));
      MoveToTurn(state_, *actions.turn);
    }
    if (actions.links) ShowLinks(*actions.links);
    if (actions.open_linked) {
      const std::string path = state_.links.back().row().document.path;
      OpenDocument(path, 1, [&] { return GetPath(path); });
    }
    if (actions.begin_review) {
      if (const Status status = BeginReview(); !status.ok()) SetError(status);
    }
    if (actions.show_text) {
      OnReviewText(*state_.review, GetPath(state_.review->document()->doc.path));
    }
    if (actions.rate) OnReviewed(*state_.review, Rate(*actions.rate));
    if (!actions.end) return;
    end_.emplace();
    if (actions.end == BrowseEnd::kCite) end_->cited = *state_.hit();
  }

  void SetError(const Status& status) {
    const bool of_links = !state_.links.empty();
    (of_links ? state_.links.back().error : state_.error) = status.message();
    (of_links ? state_.links.back().hint : state_.hint) = status.hint();
  }

  void ShowLinks(const std::string& path) {
    if (const Result<LinksPage> page = ReadLinks(path)) {
      state_.links.push_back(*page);
    } else {
      SetError(page.error());
    }
  }

  Result<LinksPage> ReadLinks(const std::string& path) const {
    LinksRequest request;
    request.target = path;
    request.snapshot = options_.snapshot;
    request.as_of = options_.as_of;
    RECALL_ASSIGN(const LinksReport report, options_.documents->Links(request));
    return PageOf(report);
  }

  // Shows what is due, within the scope of the questions.
  Status BeginReview() {
    const Result<SearchRequest>& like = options_.presets[state_.preset].like;
    if (!like) return like.error();
    DueRequest request;
    request.scope = like->scope;
    request.scope.filter = BothFilters(like->scope.filter, state_.applied_filter);
    request.limit = kMostReviewed;
    RECALL_ASSIGN(DueReport report, options_.documents->Due(request));
    state_.review.emplace().due = std::move(report.documents);
    return {};
  }

  Result<ReviewReport> Rate(int64_t quality) {
    if (!options_.snapshot.empty()) {
      return Fail(Status::InvalidArgument("a snapshot is read; it takes no reviews",
                                          "leave out --snapshot"));
    }
    if (!writer_) {
      RECALL_ASSIGN(writer_, options_.open_for_writing());
    }
    ReviewRequest request = options_.rating;
    request.target = state_.review->document()->doc.path;
    request.quality = quality;
    return writer_->Review(request);
  }

  void OpenHit(const SearchHit& hit) {
    Remember();
    OpenDocument(hit.doc.path, BestLine(hit), [&] { return Get(hit); });
  }

  // Shows a document at a line: its file in the editor, else the text that `read` returns.
  void OpenDocument(const std::string& path, uint32_t line,
                    const std::function<Result<GetResponse>()>& read) {
    const std::string editor = EditorCommand();
    const fs::path file = fs::path(options_.store_directory) / path;
    std::error_code error;
    const Result<int> ended = editor.empty() || !fs::is_regular_file(file, error)
                                  ? Page(line, read)
                                  : Edit(editor, file, line);
    if (!ended) {
      SetError(ended.error());
    } else if (*ended == 126 || *ended == 127) {  // of the shell
      SetError(Status::NotFound("cannot run '" + (editor.empty() ? Pager::Command() : editor) + "'",
                                "set VISUAL or EDITOR to an editor"));
    }
  }

  Result<int> Edit(const std::string& editor, const std::string& file, uint32_t line) {
    return screen_->RunOutside([&] {
      return RunOnTerminal(editor, EditorArguments(editor, file, line), options_.terminal.input,
                           options_.terminal.output);
    });
  }

  // Shows the text that the store has of the document.
  Result<int> Page(uint32_t line, const std::function<Result<GetResponse>()>& read) {
    const std::string pager = Pager::Command();
    if (pager.empty()) {
      return Fail(Status::NotFound("there is neither an editor nor a pager to show the document",
                                   "set VISUAL or EDITOR, or install less"));
    }
    RECALL_ASSIGN(const GetResponse found, read());
    RECALL_ASSIGN(const int descriptor, TextDescriptor(EscapeControls(found.chunk.text)));
    const FileDescriptor text(descriptor);
    // Pager::Start makes less quit if one screen is enough; here the screen would vanish at once.
    const std::string command = "LESS=R " + pager;
    return screen_->RunOutside([&] {
      return RunOnTerminal(command, PagerArguments(pager, line), text.get(),
                           options_.terminal.output);
    });
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
  std::unique_ptr<TerminalScreen> screen_;
  std::unique_ptr<SearchWorker> worker_;
  std::unique_ptr<Database> writer_;  // opened by the first rating
  std::optional<BrowserEnd> end_;
};

}  // namespace

Result<BrowserEnd> Browse(BrowseState state, const BrowserOptions& options) {
  return Browser(std::move(state), options).Run();
}

}  // namespace recall
