#include "tests/stress/kill_stress.h"

#include <unistd.h>

#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "storage/base/clock.h"
#include "tests/fault/store_check.h"
#include "tests/stress/stress_history.h"

namespace recall {
namespace {

constexpr int64_t kFirstSteps = 20;  // before the first kill

class KillStress {
 public:
  explicit KillStress(const KillStressOptions& options)
      : options_(options), random_(options.seed), history_(options.seed) {}

  KillStressReport Run() {
    InChild([&] { return Begin(); });
    history_.AdvanceTo(kFirstSteps);
    while (!board_.faulty() && report_.kills < options_.kills) {
      if (readers_.empty()) StartReaders();
      KillAWriter();
      if (options_.control == StressControl::kLoseJournal) LoseJournal();
      InChild([&] { return CheckAfterKill(); });
      const int64_t found = found_->facts().acknowledged;
      report_.kills_inside += found > board_.facts().acknowledged ? 1 : 0;
      history_.AdvanceTo(found);
      if (++report_.kills % options_.readers_live == 0) StopReaders();
    }
    StopReaders();
    return Report();
  }

 private:
  std::string Store() const { return options_.directory + "/recall.db"; }

  void Note(const Status& status) {
    if (!status.ok()) board_.Report(status.ToString());
  }

  // The parent must not use SQLite, because it cannot be used across a fork.
  void InChild(const std::function<Status()>& work) {
    StressProcess child([&] { Note(work()); });
    const std::string end = child.Wait();
    if (!end.empty()) board_.Report("the check ended with " + end);
  }

  // Creates a store with some segments.
  Status Begin() {
    RECALL_TRY(CreateStressStore(Store(), options_.journal));
    RECALL_ASSIGN(const auto database, Database::Open(Store(), StressOptions()));
    while (history_.position() < kFirstSteps) {
      RECALL_TRY(TakeStep(*database, history_, history_.Next(), options_.directory));
      history_.Advance();
    }
    return Status::Ok();
  }

  // ---- The writer -------------------------------------------------------------------------------

  void KillAWriter() {
    board_.facts().acknowledged = history_.position();
    board_.facts().writing = false;
    StressProcess writer([&] { Note(WriteForEver()); });
    // One writer in eight may be killed at any time, even while it opens the store; the others are
    // killed during their first steps, however slow the machine is.
    if (random_() % 8 != 0) AwaitSteps(static_cast<int64_t>(random_() % 3));
    ::usleep(static_cast<useconds_t>(random_() % static_cast<uint64_t>(options_.most_micros)));
    const std::string end = writer.Kill();
    if (!end.empty()) board_.Report("the writer failed by itself: " + end);
  }

  void AwaitSteps(int64_t steps) {
    const StressBoard::Facts& facts = board_.facts();
    while (!board_.faulty() &&
           !(facts.writing && facts.acknowledged >= history_.position() + steps)) {
      ::usleep(200);
    }
  }

  Status WriteForEver() {
    RECALL_ASSIGN(const auto database, Database::Open(Store(), StressOptions()));
    StressBoard::Facts& facts = board_.facts();
    facts.writing = true;
    for (;;) {
      const StressStep step = history_.Next();
      if (options_.control == StressControl::kAcknowledgeEarly) facts.acknowledged = step.number;
      RECALL_TRY(TakeStep(*database, history_, step, options_.directory,
                          options_.control == StressControl::kSplitCommits));
      facts.acknowledged = step.number;
      history_.Advance();
    }
  }

  void LoseJournal() {
    for (const char* suffix : {"-wal", "-shm", "-journal"}) ::unlink((Store() + suffix).c_str());
  }

  // ---- The check --------------------------------------------------------------------------------

  Status CheckAfterKill() {
    const StoreCheckReport checked = CheckStore(Store());
    if (!checked.faults.empty()) return Status::Corruption(JoinFaults(checked.faults));
    const int64_t commit = checked.commit_sequence;
    if (commit < found_->facts().acknowledged_commit) {
      return Status::Corruption("commits are gone: the last is now " + std::to_string(commit));
    }
    found_->facts().acknowledged_commit = commit;
    RECALL_ASSIGN(const auto store, recall::Store::Open(Store(), {.read_only = true}));
    RECALL_ASSIGN(const auto transaction, store->BeginRead());
    RECALL_ASSIGN(const StressDocuments documents, ReadDocuments(*transaction, history_));
    history_.AdvanceTo(board_.facts().acknowledged);
    if (documents != history_.documents()) {
      history_.Advance();
      if (documents != history_.documents()) {
        return Status::Corruption("after step " + std::to_string(history_.position() - 1) +
                                  " the store is neither as that left it nor as the next does");
      }
    }
    found_->facts().acknowledged = history_.position();
    return Status::Ok();
  }

  // ---- Readers ----------------------------------------------------------------------------------

  void StartReaders() {
    for (int i = 0; i < options_.readers; ++i) {
      readers_.push_back(std::make_unique<StressProcess>([&] { Note(ReadForEver()); }));
    }
  }

  void StopReaders() {
    for (const auto& reader : readers_) {
      const std::string end = reader->Kill();
      if (!end.empty()) board_.Report("a reader failed by itself: " + end);
    }
    readers_.clear();
  }

  Status ReadForEver() {
    const BrokenRule rule =
        options_.control == StressControl::kReadUncertified  ? BrokenRule::kCertificate
        : options_.control == StressControl::kReadAfterwards ? BrokenRule::kTransaction
                                                             : BrokenRule::kNone;
    RECALL_ASSIGN(const auto watch, SegmentWatch::Open(Store(), rule));
    RECALL_ASSIGN(const auto store, recall::Store::Open(Store(), {.read_only = true}));
    for (;;) {
      RECALL_TRY(watch->Look(board_.facts()));
      RECALL_ASSIGN(const auto transaction, store->BeginRead());
      RECALL_TRY(FollowStore(*transaction, history_));
      ++board_.facts().reads;
      ::usleep(static_cast<useconds_t>(random_() % 16'000));  // leaves the processor to the writer
    }
  }

  KillStressReport Report() {
    const StressBoard::Facts& facts = board_.facts();
    report_.fault = board_.fault();
    report_.steps = history_.position() - kFirstSteps;
    report_.reads = facts.reads;
    report_.mapped = facts.mapped;
    report_.copied = facts.copied;
    report_.raw_pages = facts.raw_pages;
    return report_;
  }

  KillStressOptions options_;
  std::mt19937_64 random_;
  StressHistory history_;  // in the parent: at the last step found in the store
  StressBoard board_;
  // The last state that a check found.
  std::unique_ptr<StressBoard> found_ = std::make_unique<StressBoard>();
  std::vector<std::unique_ptr<StressProcess>> readers_;
  KillStressReport report_;
};

}  // namespace

KillStressReport RunKillStress(const KillStressOptions& options) {
  return KillStress(options).Run();
}

}  // namespace recall
