// Records uses and reviews, and lists what is due or stale.
//
// Lists read the facts of all notes in one scan, keep those that satisfy the request and its
// filter, and read the rows of the documents on the page only. Equal documents are in the order of
// their paths, so where several are equal at the end of the page, all of them are read; more than
// kMostReadSingly are ordered by a scan of the index on paths.
//
// Cost: about a microsecond for each note.

#include "query/memory/notes/reviews.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "index/source/note/consolidation.h"
#include "index/write/local/local_store.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/views.h"
#include "query/memory/notes/spaced_repetition.h"

namespace recall {
namespace {

constexpr size_t kMostReadSingly = 2000;
constexpr UnixNanos kEnd = std::numeric_limits<UnixNanos>::max();

// A document of a list: smaller keys first, then paths.
struct Ranked {
  int64_t key = 0;
  NoteFacts facts;
};

// The first `limit` documents of a list. Keeps no more than these, their equals, and a few.
class RankedDocuments final {
 public:
  explicit RankedDocuments(size_t limit) : limit_(limit), most_kept_(2 * limit + 1000) {}

  void Add(int64_t key, const NoteFacts& facts) {
    ++size_;
    if (limit_ == 0 || key > greatest_) return;
    kept_.push_back({key, facts});
    if (kept_.size() < most_kept_) return;
    DropLast();
    most_kept_ = std::max(most_kept_, 2 * kept_.size());  // equals stay
  }
  // The number of all documents.
  size_t size() const { return size_; }

  // Calls take(facts, row) for the first `most`, in order. Requires: most <= limit.
  template <typename Take>
  Status Read(const TextsAndFacts& texts, size_t most, const Take& take) {
    if (most == 0) return Status::Ok();
    DropLast();
    RECALL_TRY(SortByPath(texts));
    std::ranges::stable_sort(kept_, {}, &Ranked::key);
    for (const Ranked& ranked : std::span(kept_).first(std::min(most, kept_.size()))) {
      RECALL_ASSIGN(const DocRow row, texts.ReadDoc(ranked.facts.doc_row));
      take(ranked.facts, row);
    }
    return Status::Ok();
  }

 private:
  // Leaves the first `limit_`, and those with the key of the last of them.
  void DropLast() {
    if (kept_.size() <= limit_) return;
    const auto last = kept_.begin() + static_cast<ptrdiff_t>(limit_ - 1);
    std::ranges::nth_element(kept_, last, {}, &Ranked::key);
    greatest_ = last->key;
    std::erase_if(kept_, [this](const Ranked& ranked) { return ranked.key > greatest_; });
  }

  Status SortByPath(const TextsAndFacts& texts) {
    if (kept_.size() <= kMostReadSingly) {
      std::unordered_map<int64_t, std::string> paths;
      for (const Ranked& ranked : kept_) {
        RECALL_ASSIGN(DocRow row, texts.ReadDoc(ranked.facts.doc_row));
        paths[ranked.facts.doc_row] = std::move(row.path);
      }
      std::ranges::sort(kept_, {}, [&](const Ranked& ranked) -> const std::string& {
        return paths[ranked.facts.doc_row];
      });
      return Status::Ok();
    }
    std::unordered_map<int64_t, size_t> places;
    for (size_t i = 0; i < kept_.size(); ++i) places.emplace(kept_[i].facts.doc_row, i);
    std::vector<Ranked> sorted;
    RECALL_TRY(texts.ScanPaths(false, [&](const PathEntry& entry) {
      const auto found = places.find(entry.doc_row);
      if (found != places.end()) sorted.push_back(kept_[found->second]);
      return sorted.size() < kept_.size();
    }));
    kept_ = std::move(sorted);
    return Status::Ok();
  }

  const size_t limit_;
  size_t most_kept_;
  size_t size_ = 0;
  int64_t greatest_ = std::numeric_limits<int64_t>::max();  // keys after it are not of the list
  std::vector<Ranked> kept_;
};

// Visits the facts of the documents that satisfy a scope.
Status ScanWithin(const Snapshot& snapshot, const ResolvedScope& scope, UnixNanos as_of,
                  const std::function<void(const NoteFacts&)>& visit) {
  return snapshot.notes().ScanFacts(as_of, [&](const NoteFacts& facts) {
    const bool within = !scope.set || (facts.doc_row <= std::numeric_limits<uint32_t>::max() &&
                                       scope.set->Contains(static_cast<uint32_t>(facts.doc_row)));
    if (within) visit(facts);
  });
}

// Resolves the scope of a list, whose moment is the present unless the scope names one. The moment
// is stored in *as_of.
Result<ResolvedScope> ResolveAsOf(const Snapshot& snapshot, Scope scope,
                                  const std::string& commit_token, UnixNanos* as_of) {
  *as_of = scope.as_of.value_or(WallClockNanos());
  scope.as_of = *as_of;
  return ResolveScope(snapshot.filters(), scope, commit_token, FilterDomain::kDocs);
}

bool IsObsolete(const NoteFacts& facts) { return facts.is_note && facts.card.obsolete; }

int64_t WholeDays(UnixNanos from, UnixNanos to) {
  return to <= from ? 0 : (to / 1'000'000'000 - from / 1'000'000'000) / 86'400;
}

}  // namespace

Result<UseReport> RunUse(const NoteDependencies& deps, const UseRequest& request) {
  LocalStore store(deps.store);
  RECALL_ASSIGN(const auto batch, NoteBatch::Begin(store, deps));
  UseReport report;
  const UnixNanos at = request.at.value_or(WallClockNanos());
  for (const std::string& target : request.targets) {
    RECALL_ASSIGN(const DocRow doc, FindTarget(batch->visible().texts(), target, deps.root));
    UseRow use;
    use.at = at;
    use.how = request.how;
    RECALL_TRY((*batch)->PutUse(doc.path, std::move(use)));
    RECALL_ASSIGN(const auto facts, (*batch)->view().notes().FindFacts(doc.row, kEnd));
    report.used.emplace_back(doc.path, facts ? facts->activity.uses : 0);
  }
  if (!report.used.empty()) RECALL_TRY(batch->Commit());
  return report;
}

Result<ReviewReport> RunReview(const NoteDependencies& deps, const ReviewRequest& request) {
  if (request.quality < 0 || request.quality > 5) {
    return Fail(Status::InvalidArgument("a rating is a whole number from 0 to 5",
                                        "0: forgotten, 3: recalled with effort, 5: at once"));
  }
  LocalStore store(deps.store);
  RECALL_ASSIGN(const auto batch, NoteBatch::Begin(store, deps));
  RECALL_ASSIGN(const DocRow doc, FindTarget(batch->visible().texts(), request.target, deps.root));
  RECALL_ASSIGN(const auto facts, (*batch)->view().notes().FindFacts(doc.row, kEnd));
  const Activity before = facts ? facts->activity : Activity();
  // An appointment alone says nothing of the easiness, unless an import brought another one.
  const bool has_easiness = before.due && (before.reviews > 0 || before.easiness != 250);
  const ReviewState state{
      before.repetitions, before.interval_days,
      has_easiness ? before.easiness : std::max(request.first_easiness, kLeastEasiness)};
  const ReviewState after = AfterReview(state, request.quality, request.algorithm);
  ReviewRow review;
  review.at = request.at.value_or(WallClockNanos());
  review.quality = request.quality;
  review.algorithm = NameOf(request.algorithm);
  review.repetitions = after.repetitions;
  review.interval_days = after.interval_days;
  review.easiness = after.easiness;
  review.due = AddTime(review.at, after.interval_days * kNanosPerDay);
  ReviewReport report{.doc = MakeDocView(doc),
                      .quality = request.quality,
                      .interval_days = after.interval_days,
                      .easiness = after.easiness,
                      .repetitions = after.repetitions,
                      .reviews = before.reviews + 1,
                      .due = review.due};
  RECALL_TRY((*batch)->PutReview(doc.path, std::move(review)));
  RECALL_TRY(batch->Commit());
  return report;
}

Result<DueReport> RunDue(const Snapshot& snapshot, const DueRequest& request,
                         const std::string& commit_token) {
  DueReport report;
  RECALL_ASSIGN(const ResolvedScope within,
                ResolveAsOf(snapshot, request.scope, commit_token, &report.as_of));
  report.filter = within.filter;
  RankedDocuments due(request.limit);
  RankedDocuments never(std::min(request.fresh, request.limit));
  RECALL_TRY(ScanWithin(snapshot, within, report.as_of, [&](const NoteFacts& facts) {
    const Activity& activity = facts.activity;
    if (IsObsolete(facts)) return;
    if (!activity.due) {
      if (facts.is_note) never.Add(0, facts);
      return;
    }
    if (*activity.due > report.as_of) return;
    // The published urgency, days overdue + (3 - easiness), in hundredths; the greatest first.
    const int64_t urgency =
        100 * WholeDays(*activity.due, report.as_of) + (300 - activity.easiness);
    due.Add(-urgency, facts);
  }));
  report.total = static_cast<int64_t>(due.size());
  const auto take = [&](const NoteFacts& facts, const DocRow& row) {
    const Activity& activity = facts.activity;
    report.documents.push_back(
        {.doc = MakeDocView(row),
         .due = activity.due,
         .overdue_days = activity.due ? WholeDays(*activity.due, report.as_of) : 0,
         .interval_days = activity.interval_days,
         .easiness = activity.easiness,
         .reviews = activity.reviews});
  };
  RECALL_TRY(due.Read(snapshot.texts(), request.limit, take));
  const size_t room = request.limit - std::min(request.limit, report.documents.size());
  RECALL_TRY(never.Read(snapshot.texts(), std::min(request.fresh, room), take));
  return report;
}

Result<StaleReport> RunStale(const Snapshot& snapshot, const StaleRequest& request,
                             const std::string& commit_token) {
  StaleReport report;
  RECALL_ASSIGN(const ResolvedScope within,
                ResolveAsOf(snapshot, request.scope, commit_token, &report.as_of));
  report.filter = within.filter;
  const auto touched = [](const NoteFacts& facts) {
    return std::max(facts.card.touched, facts.activity.reviewed_at);
  };
  const auto consolidation = [&](const NoteFacts& facts) {
    return Consolidation(facts.activity.uses, facts.activity.used_at, facts.card.created,
                         report.as_of);
  };
  RankedDocuments stale(request.limit);
  RECALL_TRY(ScanWithin(snapshot, within, report.as_of, [&](const NoteFacts& facts) {
    const bool is_conflict = facts.is_note && facts.card.status == kConflictStatus;
    if (!facts.is_note || (IsObsolete(facts) && !is_conflict)) return;
    const std::optional<UnixNanos> last = std::max(touched(facts), facts.activity.used_at);
    bool is_stale = is_conflict;
    if (is_conflict) {
      if (request.days || request.at_risk) return;  // these ask for something else
    } else if (request.days || request.at_risk) {
      const bool unused = !request.days || !last || WholeDays(*last, report.as_of) >= *request.days;
      const bool at_risk = !request.at_risk || consolidation(facts).value_or(0) < *request.at_risk;
      is_stale = unused && at_risk;
    } else {
      const auto state = facts.LifecycleAt(report.as_of);
      is_stale = state == Lifecycle::kStale || state == Lifecycle::kExpired;
    }
    if (is_stale) stale.Add(last.value_or(std::numeric_limits<int64_t>::min()), facts);
  }));
  report.total = static_cast<int64_t>(stale.size());
  RECALL_TRY(
      stale.Read(snapshot.texts(), request.limit, [&](const NoteFacts& facts, const DocRow& row) {
        report.documents.push_back(
            {.doc = MakeDocView(row),
             .state = facts.LifecycleAt(report.as_of).value_or(Lifecycle::kFresh),
             .conflict = facts.card.status == kConflictStatus,
             .touched = touched(facts),
             .used_at = facts.activity.used_at,
             .consolidation = consolidation(facts)});
      }));
  return report;
}

Result<StatesReport> RunStates(const Snapshot& snapshot, const StatesRequest& request) {
  const UnixNanos as_of = request.as_of.value_or(WallClockNanos());
  StatesReport report;
  for (const std::string& path : request.paths) {
    RECALL_ASSIGN(const auto doc, snapshot.texts().FindDoc(path));
    std::optional<Lifecycle>& state = report.states.emplace_back();
    if (!doc) continue;
    RECALL_ASSIGN(const auto facts, snapshot.notes().FindFacts(doc->row, as_of));
    if (facts) state = facts->LifecycleAt(as_of);
  }
  return report;
}

}  // namespace recall
