#include "tests/stress/crowd_stress.h"

#include <memory>
#include <vector>

#include "storage/base/clock.h"
#include "tests/fault/store_check.h"
#include "tests/stress/stress_board.h"
#include "tests/stress/stress_history.h"

namespace recall {
namespace {

class CrowdStress {
 public:
  explicit CrowdStress(const CrowdStressOptions& options) : options_(options) {
    for (int i = 0; i < options.writers; ++i) {
      histories_.emplace_back(options.seed, "w" + std::to_string(i));
      positions_.push_back(std::make_unique<StressBoard>());
    }
  }

  CrowdStressReport Run() {
    Await(StressProcess([&] { Note(CreateStressStore(Store(), options_.journal)); }));
    std::vector<std::unique_ptr<StressProcess>> readers;
    for (int i = 0; i < options_.readers; ++i) {
      readers.push_back(std::make_unique<StressProcess>([&, i] { Note(ReadUntilStopped(i)); }));
    }
    std::vector<std::unique_ptr<StressProcess>> writers;
    for (size_t i = 0; i < histories_.size(); ++i) {
      writers.push_back(std::make_unique<StressProcess>([&, i] { Note(Write(i)); }));
    }
    for (const auto& writer : writers) Await(*writer);
    board_.facts().stop = true;
    for (const auto& reader : readers) Await(*reader);
    Await(StressProcess([&] { Note(CheckAtTheEnd()); }));
    return Report();
  }

 private:
  std::string Store() const { return options_.directory + "/recall.db"; }

  void Note(const Status& status) {
    if (!status.ok()) board_.Report(status.ToString());
  }

  void Await(StressProcess&& process) { Await(process); }
  void Await(StressProcess& process) {
    const std::string end = process.Wait();
    if (!end.empty()) board_.Report("a process ended with " + end);
  }

  Status Write(size_t number) {
    StressHistory& history = histories_[number];
    const int64_t began = SteadyMicros();
    RECALL_ASSIGN(const auto database, Database::Open(Store(), StressOptions()));
    while (!board_.faulty() && (history.position() < options_.steps ||
                                SteadyMicros() - began < options_.seconds * 1'000'000)) {
      const int64_t wanted = SteadyMicros();
      RECALL_TRY(TakeStep(*database, history, history.Next(), options_.directory));
      RaiseTo(board_.facts().write_max_micros, SteadyMicros() - wanted);
      history.Advance();
      positions_[number]->facts().acknowledged = history.position();
    }
    return Status::Ok();
  }

  // Readers with an odd number open the store for each read, as a command does.
  Status ReadUntilStopped(int number) {
    std::unique_ptr<Database> database;
    SearchRequest request;
    request.text = "alpha memory";
    while (!board_.facts().stop && !board_.faulty()) {
      const int64_t wanted = SteadyMicros();
      if (!database || number % 2 == 1) {
        RECALL_ASSIGN(database, Database::Open(Store(), {.read_only = true}));
      }
      RECALL_TRY(internal::ToStatus(database->Search(request)));
      RECALL_TRY(Follow());
      RaiseTo(board_.facts().read_max_micros, SteadyMicros() - wanted);
      ++board_.facts().reads;
    }
    return Status::Ok();
  }

  // Checks in one transaction that it contains whole steps of every writer, and no fewer than
  // before.
  Status Follow() {
    RECALL_ASSIGN(const auto store, recall::Store::Open(Store(), {.read_only = true}));
    RECALL_ASSIGN(const auto transaction, store->BeginRead());
    for (StressHistory& history : histories_) RECALL_TRY(FollowStore(*transaction, history));
    return Status::Ok();
  }

  Status CheckAtTheEnd() {
    const StoreCheckReport checked = CheckStore(Store());
    if (!checked.faults.empty()) return Status::Corruption(JoinFaults(checked.faults));
    RECALL_ASSIGN(const auto store, recall::Store::Open(Store(), {.read_only = true}));
    RECALL_ASSIGN(const auto transaction, store->BeginRead());
    for (size_t i = 0; i < histories_.size(); ++i) {
      histories_[i].AdvanceTo(positions_[i]->facts().acknowledged);
      RECALL_ASSIGN(const StressDocuments found, ReadDocuments(*transaction, histories_[i]));
      if (found != histories_[i].documents()) {
        return Status::Corruption("writer " + std::to_string(i) + " lost something");
      }
    }
    return Status::Ok();
  }

  CrowdStressReport Report() {
    const StressBoard::Facts& facts = board_.facts();
    CrowdStressReport report;
    report.fault = board_.fault();
    for (const auto& position : positions_) report.steps += position->facts().acknowledged;
    report.reads = facts.reads;
    report.longest_read_ms = static_cast<double>(facts.read_max_micros) / 1000;
    report.longest_write_ms = static_cast<double>(facts.write_max_micros) / 1000;
    return report;
  }

  CrowdStressOptions options_;
  std::vector<StressHistory> histories_;                 // one for each writer
  std::vector<std::unique_ptr<StressBoard>> positions_;  // acknowledged steps of each writer
  StressBoard board_;
};

}  // namespace

CrowdStressReport RunCrowdStress(const CrowdStressOptions& options) {
  return CrowdStress(options).Run();
}

}  // namespace recall
