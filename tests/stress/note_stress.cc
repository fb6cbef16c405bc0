#include "tests/stress/note_stress.h"

#include <unistd.h>

#include <functional>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "storage/store/store.h"
#include "tests/fault/child_process.h"
#include "tests/fault/store_check.h"
#include "tests/stress/note_history.h"
#include "tests/stress/stress_board.h"
#include "tests/stress/stress_history.h"

namespace recall {
namespace {

constexpr uint64_t kMostStepsOfAWriter = 50;
constexpr int kComparedSnapshots = 3;  // after each kill

class NoteStress final {
 public:
  explicit NoteStress(const NoteStressOptions& options)
      : options_(options), random_(options.seed), history_(options.seed) {}

  NoteStressReport Run() {
    Follow(RunInChild([&] {
      const Status created = CreateStressStore(Store(), "WAL");
      return created.ok() ? std::string() : "fault " + created.ToString();
    }));
    while (report_.fault.empty() && history_.position() < options_.steps) {
      KillAWriter();
      if (board_.faulty()) report_.fault = board_.fault();
      if (report_.fault.empty()) Follow(RunInChild([&] { return CheckAfterKill(); }));
    }
    report_.steps = history_.position();
    return report_;
  }

 private:
  std::string Store() const { return options_.directory + "/recall.db"; }

  void KillAWriter() {
    StressBoard::Facts& facts = board_.facts();
    facts.acknowledged = history_.position();
    facts.writing = false;
    StressProcess writer([&] {
      const Status wrote = WriteForEver();
      if (!wrote.ok()) board_.Report(wrote.ToString());
    });
    const int64_t until =
        history_.position() + static_cast<int64_t>(random_() % kMostStepsOfAWriter);
    while (!board_.faulty() && !(facts.writing && facts.acknowledged >= until)) ::usleep(200);
    ::usleep(static_cast<useconds_t>(random_() % 6000));
    const std::string end = writer.Kill();
    if (!end.empty()) board_.Report("the writer failed by itself: " + end);
    ++report_.kills;
  }

  Status WriteForEver() {
    RECALL_ASSIGN(const auto database, Database::Open(Store(), StressOptions()));
    NoteHistory history = history_;
    StressBoard::Facts& facts = board_.facts();
    facts.writing = true;
    for (;;) {
      const int64_t number = history.position() + 1;
      if (options_.acknowledge_early) facts.acknowledged = number;
      RECALL_TRY(TakeNoteStep(*database, history));
      history.Advance();
      facts.acknowledged = number;
    }
  }

  // Returns: "at POSITION TOKEN" or "fault TEXT".
  std::string CheckAfterKill() {
    auto checked = Check();
    return checked ? "at " + *checked : "fault " + checked.error().ToString();
  }

  Result<std::string> Check() {
    const StoreCheckReport sound = CheckStore(Store(), {.full = false});
    if (!sound.faults.empty()) return Fail(Status::Corruption(JoinFaults(sound.faults)));
    std::string present;
    {
      RECALL_ASSIGN(const auto store, recall::Store::Open(Store(), {.read_only = true}));
      RECALL_ASSIGN(present, DescribeNotes(*store));
    }
    NoteHistory history = history_;
    history.AdvanceTo(board_.facts().acknowledged);
    const std::string wanted = DescribeWorld(history.world());
    if (present != wanted) {
      history.Advance();
      if (present != DescribeWorld(history.world())) {
        return Fail(Status::Corruption("after step " + std::to_string(history.position() - 1) +
                                       " the store has\n" + present + "instead of\n" + wanted));
      }
    }
    RECALL_ASSIGN(const auto database, Database::Open(Store(), StressOptions()));
    RECALL_TRY(Compare(*database, "", history.world()));
    for (int i = 0; i < kComparedSnapshots && !snapshots_.empty(); ++i) {
      const auto& [position, token] = snapshots_[random_() % snapshots_.size()];
      NoteHistory then(options_.seed);
      then.AdvanceTo(position);
      RECALL_TRY(Compare(*database, token, then.world()));
    }
    RECALL_ASSIGN(const std::string token, database->CommitToken());
    return std::to_string(history.position()) + " " + token;
  }

  static Status Compare(Database& database, const std::string& token, const NoteWorld& world) {
    RECALL_ASSIGN(const std::string wrong, CompareAnswers(database, token, world));
    return wrong.empty() ? Status::Ok() : Status::Corruption(wrong);
  }

  // Takes what a child has found.
  void Follow(const ChildOutcome& outcome) {
    if (outcome.exit_code != 0) {
      report_.fault = "the check ended with " + Describe(outcome);
      return;
    }
    std::istringstream found(outcome.output);
    std::string word, token;
    int64_t position = 0;
    if (!(found >> word)) return;
    if (word == "fault") {
      report_.fault = outcome.output;
      return;
    }
    found >> position >> token;
    report_.kills_inside += position > board_.facts().acknowledged ? 1 : 0;
    report_.snapshots += snapshots_.empty() ? 0 : kComparedSnapshots;
    history_.AdvanceTo(position);
    snapshots_.emplace_back(position, token);
    random_.discard(kComparedSnapshots);  // as the child did
  }

  const NoteStressOptions options_;
  std::mt19937_64 random_;
  NoteHistory history_;
  StressBoard board_;
  std::vector<std::pair<int64_t, std::string>> snapshots_;  // positions and tokens
  NoteStressReport report_;
};

}  // namespace

NoteStressReport RunNoteStress(const NoteStressOptions& options) {
  return NoteStress(options).Run();
}

}  // namespace recall
