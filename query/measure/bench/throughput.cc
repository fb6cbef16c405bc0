// Measures throughput: several workers, threads of one process or processes, ask the same questions
// at the same time.
//
// Each worker opens the store and asks one question, so that neither opening nor cold caches are
// measured. Then all wait for each other, on a latch or at a StartGate, and each asks all
// questions, starting at a different one, so that they do not ask the same question at once. The
// measured time is that from the first start to the last end. It includes the end phase in which
// only some workers are still busy, so the throughput is slightly too low.

#include <algorithm>
#include <latch>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "query/measure/bench/latency.h"
#include "query/measure/bench/measuring_child.h"
#include "query/measure/bench/wire.h"
#include "storage/base/clock.h"
#include "storage/base/thread_failure.h"
#include "storage/base/thread_start.h"

namespace recall {
namespace {

// The time from the first to the last query of one worker.
struct Stretch {
  int64_t begin = std::numeric_limits<int64_t>::max();
  int64_t end = 0;
};

// Asks all questions once, in circular order from question `first`.
Result<Stretch> AskAround(Asker& asker, size_t first) {
  Stretch stretch;
  stretch.begin = SteadyMicros();
  for (size_t i = 0; i < asker.size(); ++i) {
    RECALL_ASSIGN([[maybe_unused]] const int64_t found, asker.Ask((first + i) % asker.size()));
  }
  stretch.end = SteadyMicros();
  return stretch;
}

// Opens the store and asks the first question of the worker, so that neither is measured. Then
// calls `wait`, even after an error, because the others wait for this worker.
template <typename Wait>
Result<Stretch> Work(const BenchRequest& request, const Questions& questions, BenchKind kind,
                     size_t worker, size_t workers, Wait wait) {
  const size_t first = questions.Of(kind).size() * worker / workers;
  const auto open = [&]() -> Result<std::unique_ptr<Asker>> {
    RECALL_ASSIGN(auto asker, Asker::Open(request, questions, kind));
    RECALL_TRY(asker->Ask(first));
    return asker;
  };
  ThreadFailure failure;
  Result<std::unique_ptr<Asker>> asker;
  failure.Guard([&] { asker = open(); });
  wait();
  failure.Rethrow();
  if (!asker) return Fail(asker.error());
  return AskAround(**asker, first);
}

Result<std::string> AskInThreads(const BenchRequest& request, const Questions& questions,
                                 BenchKind kind, size_t workers) {
  std::latch all_ready(static_cast<ptrdiff_t>(workers));
  std::vector<Result<Stretch>> stretches(workers);
  ThreadFailure failure;
  const auto work = [&](size_t worker) {
    failure.Guard([&] {
      stretches[worker] = Work(request, questions, kind, worker, workers,
                               [&all_ready] { all_ready.arrive_and_wait(); });
    });
  };
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (size_t worker = 0; worker < workers; ++worker) {
    auto thread = StartThread([&work, worker] { work(worker); });
    if (!thread) break;
    threads.push_back(*std::move(thread));
  }
  const size_t missing = workers - threads.size();
  if (missing > 0) all_ready.count_down(static_cast<ptrdiff_t>(missing));
  for (std::thread& thread : threads) thread.join();
  failure.Rethrow();
  // Fewer workers would measure something else.
  if (missing > 0) {
    return Fail(Status::IoError("cannot start " + std::to_string(workers) + " threads",
                                "raise the limit of processes, or lower --threads"));
  }
  Stretch whole;
  for (const Result<Stretch>& stretch : stretches) {
    RECALL_TRY(stretch ? Status() : stretch.error());
    whole.begin = std::min(whole.begin, stretch->begin);
    whole.end = std::max(whole.end, stretch->end);
  }
  WireWriter out;
  out.Put(whole.begin);
  out.Put(whole.end);
  return out.Take();
}

void Include(const std::string& bytes, Stretch* whole) {
  WireReader in(bytes);
  whole->begin = std::min(whole->begin, in.Next());
  whole->end = std::max(whole->end, in.Next());
}

// The times of all processes are comparable, because SteadyMicros is a system-wide clock.
Result<Stretch> AskInProcesses(const BenchRequest& request, const Questions& questions,
                               BenchKind kind, size_t workers, const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto gate, StartGate::Create());
  std::vector<std::unique_ptr<MeasuringChild>> children;
  for (size_t worker = 0; worker < workers; ++worker) {
    const auto work = [&, worker]() -> Result<std::string> {
      RECALL_ASSIGN(const Stretch stretch,
                    Work(request, questions, kind, worker, workers, [&gate] { gate->Pass(); }));
      WireWriter out;
      out.Put(stretch.begin);
      out.Put(stretch.end);
      return out.Take();
    };
    RECALL_ASSIGN(auto child, MeasuringChild::Start(work, gate.get()));
    children.push_back(std::move(child));
  }
  RECALL_TRY(MeasuringChild::OpenGate(gate.get(), children, cancel));
  Stretch whole;
  for (const auto& child : children) {
    RECALL_ASSIGN(const auto outcome, child->Finish(cancel));
    Include(outcome.bytes, &whole);
  }
  return whole;
}

}  // namespace

Result<BenchThroughput> MeasureThroughput(const BenchRequest& request, const Questions& questions,
                                          BenchKind kind, bool processes, size_t workers,
                                          const std::atomic<bool>& cancel) {
  Stretch whole;
  if (processes) {
    RECALL_ASSIGN(whole, AskInProcesses(request, questions, kind, workers, cancel));
  } else {
    RECALL_ASSIGN(const auto outcome,
                  MeasuringChild::Run(
                      [&] { return AskInThreads(request, questions, kind, workers); }, cancel));
    Include(outcome.bytes, &whole);
  }
  BenchThroughput throughput;
  throughput.kind = kind;
  throughput.processes = processes;
  throughput.workers = static_cast<int64_t>(workers);
  throughput.asked = static_cast<int64_t>(questions.Of(kind).size() * workers);
  throughput.micros = std::max<int64_t>(whole.end - whole.begin, 1);
  return throughput;
}

}  // namespace recall
