#include "cli/show/browse/search_worker.h"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <new>
#include <utility>

#include "storage/base/clock.h"
#include "storage/base/thread_start.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

// A section of the first screen: the newest documents that satisfy a filter.
struct NewestDocuments {
  std::string_view title;
  std::string_view filter;
  size_t most;
};
constexpr NewestDocuments kNewestDocuments[] = {
    {"Notes", "doc.parser = 'note'", 6},
    {"Documents", "doc.parser <> 'note' AND doc.parser <> 'session'", 8},
    {"Sessions", "doc.parser = 'session'", 6},
};
constexpr size_t kMostDueShown = 4;

// A whole document as a hit: without a last line and a score.
SearchHit WholeDocument(DocView doc) {
  SearchHit hit;
  hit.doc = std::move(doc);
  hit.chunk.start_line = 1;
  return hit;
}

}  // namespace

std::string BothFilters(const std::string& a, const std::string& b) {
  if (a.empty() || b.empty()) return a + b;
  return "(" + a + ") AND (" + b + ")";
}

SearchWorker::SearchWorker(Open open, std::vector<SearchPreset> presets,
                           std::function<void()> on_answer)
    : open_(std::move(open)), presets_(std::move(presets)), on_answer_(std::move(on_answer)) {}

Result<std::unique_ptr<SearchWorker>> SearchWorker::Start(Open open,
                                                          std::vector<SearchPreset> presets,
                                                          std::function<void()> on_answer) {
  std::unique_ptr<SearchWorker> worker(
      new SearchWorker(std::move(open), std::move(presets), std::move(on_answer)));
  // Signals are handled by the thread that waits for keys.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  worker->thread_ = StartThread([self = worker.get()] { self->Run(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!worker->thread_) {
    return Fail(Status::LimitExceeded("the system does not start a thread for searching"));
  }
  return worker;
}

SearchWorker::~SearchWorker() {
  if (!thread_) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    CancelRunning();
  }
  changed_.notify_one();
  thread_->join();
}

void SearchWorker::CancelRunning() {
  if (running_ == nullptr) return;
  cancelled_ = true;
  running_->Cancel();
}

void SearchWorker::Ask(BrowseQuestion question) {
  {
    const std::lock_guard lock(mutex_);
    waiting_ = std::move(question);
    CancelRunning();
  }
  changed_.notify_one();
}

void SearchWorker::Cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  CancelRunning();
}

std::optional<BrowseAnswer> SearchWorker::Take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answer_, std::nullopt);
}

BrowseAnswer SearchWorker::Answer(const BrowseQuestion& question) {
  BrowseAnswer answer{.number = question.number, .status = {}, .found = nullptr};
  const Result<SearchRequest>& like = presets_[question.preset].like;
  if (!like) {
    answer.status = like.error();
    return answer;
  }
  SearchRequest request = *like;
  request.text = Trim(question.text);
  request.scope.filter = BothFilters(like->scope.filter, question.filter);
  answer.listed = request.text.empty();
  const int64_t start = SteadyMicros();
  try {
    Result<SearchResponse> found = !answer.listed ? database_->Search(request)
                                   : presets_[question.preset].view.empty()
                                       ? FirstScreen(request, &answer)
                                       : List(request);
    answer.micros = SteadyMicros() - start;
    if (found) {
      answer.states = StatesOf(*found, request.scope.as_of);
      answer.found = std::make_shared<const SearchResponse>(*std::move(found));
    } else {
      answer.status = found.error();
    }
  } catch (const std::bad_alloc&) {
    answer.status = Status::NotEnoughMemory();
  }
  return answer;
}

Result<SearchResponse> SearchWorker::List(const SearchRequest& request) {
  const std::string& filter = request.scope.filter;
  QueryRequest query;
  query.rql = "SELECT doc.path FROM doc" + (filter.empty() ? "" : " FILTER " + filter) +
              " ORDER BY doc.mtime DESC, doc.path LIMIT " + std::to_string(request.k);
  query.snapshot = request.scope.snapshot;
  query.as_of = request.scope.as_of;
  RECALL_ASSIGN(QueryResponse listed, database_->Query(query));
  SearchResponse found;
  found.store = listed.store;
  found.total_hits = static_cast<int64_t>(listed.rows.size());
  found.total_hits_is_lower_bound = listed.rows.size() == request.k;
  for (QueryRow& row : listed.rows) found.hits.push_back(WholeDocument(std::move(row.doc)));
  return found;
}

Result<SearchResponse> SearchWorker::FirstScreen(const SearchRequest& request,
                                                 BrowseAnswer* answer) {
  DueRequest due_request;
  due_request.scope = request.scope;
  due_request.limit = kMostDueShown;
  RECALL_ASSIGN(DueReport due, database_->Due(due_request));
  answer->due = due.total;
  SearchResponse found;
  found.store = due.store;
  if (!due.documents.empty()) answer->sections.push_back({"Due for review", 0});
  for (DueDocument& document : due.documents) {
    found.hits.push_back(WholeDocument(std::move(document.doc)));
  }
  for (const NewestDocuments& newest : kNewestDocuments) {
    SearchRequest of_section = request;
    of_section.scope.filter = BothFilters(request.scope.filter, std::string(newest.filter));
    of_section.k = newest.most;
    RECALL_ASSIGN(SearchResponse listed, List(of_section));
    if (listed.hits.empty()) continue;
    answer->sections.push_back({std::string(newest.title), found.hits.size()});
    std::ranges::move(listed.hits, std::back_inserter(found.hits));
  }
  found.total_hits = static_cast<int64_t>(found.hits.size());
  return found;
}

NoteStates SearchWorker::StatesOf(const SearchResponse& found,
                                  const std::optional<UnixNanos>& as_of) {
  StatesRequest request{.snapshot = found.store.snapshot, .as_of = as_of};
  for (const SearchHit& hit : found.hits) request.paths.push_back(hit.doc.path);
  Result<StatesReport> report = database_->States(request);
  return report ? std::move(report->states) : NoteStates();
}

Status SearchWorker::OpenDatabase() {
  try {
    RECALL_ASSIGN(database_, open_());
    return {};
  } catch (const std::bad_alloc&) {
    return Status::NotEnoughMemory();
  }
}

void SearchWorker::Run() {
  std::unique_lock lock(mutex_);
  while (!ends_) {
    // Before a question is there, so that it need not wait for it.
    lock.unlock();
    const Status opened = database_ ? Status() : OpenDatabase();
    lock.lock();
    changed_.wait(lock, [this] { return waiting_ || ends_; });
    if (ends_) break;
    const BrowseQuestion question = *std::exchange(waiting_, std::nullopt);
    running_ = database_.get();
    cancelled_ = false;
    lock.unlock();
    BrowseAnswer answer = database_ ? Answer(question) : BrowseAnswer{question.number, opened, {}};
    lock.lock();
    running_ = nullptr;
    if (!cancelled_) {
      answer_ = std::move(answer);
      on_answer_();
      continue;
    }
    lock.unlock();
    database_.reset();  // it stays cancelled; closing takes its time
    lock.lock();
  }
}

}  // namespace recall
