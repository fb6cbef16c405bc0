#pragma once

// What became better or worse since an earlier run of `recall bench` or `recall eval`. Both runs
// are given as the JSON that the commands print, so they are compared as they were recorded.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/measure/eval/eval_types.h"
#include "storage/base/json_writer.h"
#include "storage/base/result.h"

namespace recall {

// A setting, or a property of the store, that differs between the runs. Values are JSON; "" is
// absent.
struct SettingChange {
  std::string name;
  std::string before;
  std::string after;
};

enum class Verdict {
  kBetter,
  kWorse,
  kSame,     // equal for every query
  kUnclear,  // the interval contains no difference
  kUnknown,  // there is no interval
};

// ---- bench ------------------------------------------------------------------------------------

// The latency of one kind of query in both runs, in milliseconds.
struct BenchChange {
  std::string what;   // "search"
  std::string cache;  // "warm", "cold"
  double p50_before = 0;
  double p50_after = 0;
  double p99_before = 0;
  double p99_after = 0;
  // The time of a query divided by its time in the earlier run: the geometric mean and its 95 %
  // interval by the bootstrap over the queries. Unset unless both runs asked the same queries.
  struct Ratio {
    double mean = 1;
    double low = 1;
    double high = 1;
  };
  std::optional<Ratio> ratio;
  Verdict verdict = Verdict::kUnknown;
  std::vector<double> query_ms_before;  // empty if the earlier run did not record them
};

struct BenchComparison {
  std::string file;  // of the earlier run
  std::vector<SettingChange> settings;
  std::vector<BenchChange> changes;  // of what both runs measured, in the order of the new run
  bool same_queries = false;
  bool recorded = true;  // false: the earlier run is of a version that did not record its queries
};

// ---- eval -------------------------------------------------------------------------------------

struct EvalChange {
  std::string group;    // a collection or a set of questions; "average"
  std::string what;     // "hybrid"; of spans "800 tokens"
  std::string measure;  // "nDCG@10", "token recall", "precision"
  double before = 0;
  double after = 0;
  // New minus earlier, over the queries that both runs have. Unset if one of them did not record
  // its queries, or they have none in common.
  std::optional<PairedDifference> difference;
  int64_t queries = 0;  // that were compared
  Verdict verdict = Verdict::kUnknown;
};

struct EvalComparison {
  std::string file;
  std::vector<SettingChange> settings;
  std::vector<EvalChange> changes;  // of what both runs measured, in the order of the new run
};

struct RunDocument;  // JSON

// The member `bench` or `eval` of an answer. Immutable.
class RecordedRun final {
 public:
  // Reads the answer of an earlier run. `command`: "bench" or "eval". Errors: those of InputFile;
  // InvalidArgument if the file is not an answer of this command.
  static Result<RecordedRun> Read(const std::string& path, std::string_view command,
                                  const std::atomic<bool>& cancel);
  // Requires: `json` is an object, as the command writes it.
  static RecordedRun Of(std::string_view json);
  // As above; `write` writes the members of the object.
  static RecordedRun OfFields(const std::function<void(JsonWriter&)>& write);

  const RunDocument& document() const { return *document_; }

 private:
  explicit RecordedRun(std::shared_ptr<const RunDocument> document)
      : document_(std::move(document)) {}
  std::shared_ptr<const RunDocument> document_;
};

// Compare two runs of a command. Members of another type than the command writes count as absent.
// `file`: of the earlier run.
BenchComparison CompareBench(const RecordedRun& before, const RecordedRun& after, std::string file);
EvalComparison CompareEval(const RecordedRun& before, const RecordedRun& after, std::string file);

}  // namespace recall
