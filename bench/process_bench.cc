// process_bench RECALL [--repeats N] DIR...
//
// The latency of a search as a script sees it: start the process, open the store, search, print,
// exit. Indexes DIR... (should be about 100,000 chunks) and a subset of it (about 1,000), then
// times the RECALL binary on both, the cheapest process there is (`true`), and the cheapest of
// RECALL (`recall version`).

#include <cstdio>
#include <string>
#include <vector>

#include "bench/bench_util.h"
#include "bench/timed_process.h"
#include "index/base/paths/doc_path.h"
#include "index/write/ingest/walker.h"
#include "query/database/database.h"

namespace recall {
namespace {

int64_t BuildStore(const std::string& path, const std::vector<std::string>& roots) {
  auto database = Database::Create(path, {});
  if (!database) Die(database.error().ToString());
  AddRequest request;
  request.paths = roots;
  request.ignore_files = false;
  const auto report = (*database)->Add(request);
  if (!report) Die(report.error().ToString());
  return report->chunks;
}

// Takes files until there are enough for about `chunks` chunks of 1.2 KB.
std::vector<std::string> Slice(const std::vector<std::string>& roots, int64_t chunks) {
  std::vector<std::string> paths;
  int64_t bytes = 0;
  for (const FoundFile& file : FindFiles(roots, "/", {}).files) {
    if (bytes > chunks * 1200) break;
    if (file.size > 200'000) continue;
    bytes += file.size;
    paths.push_back(FilePathOf(file.doc_path, "/"));
  }
  return paths;
}

void TimeQueries(const std::string& recall, const std::string& store, int64_t chunks, int repeats) {
  const char* const queries[] = {"thread safe memory allocation", "copyright notice",
                                 "how do I report a bug in this package", "EINVAL invalid argument",
                                 "\"permission is hereby granted\" -warranty"};
  std::vector<double> all;
  for (const char* query : queries) {
    std::vector<double> times;
    const std::vector<std::string> command = {recall, "search", query, "--store", store, "--json"};
    TimeProcess(command);
    for (int i = 0; i < repeats; ++i) times.push_back(TimeProcess(command));
    std::printf("  %8lld chunks  %-44s median %6.2f ms  best %6.2f ms\n",
                static_cast<long long>(chunks), query, Median(times) * 1e3,
                *std::min_element(times.begin(), times.end()) * 1e3);
    all.insert(all.end(), times.begin(), times.end());
  }
  std::printf("  %8lld chunks  %-44s median %6.2f ms\n", static_cast<long long>(chunks), "all",
              Median(all) * 1e3);
}

// A rare word, a filter by a pattern that no index answers, and a similar document, each as a ratio
// to the start of the program, in turns.
void TimeCommands(const std::string& recall, const std::string& store, const std::string& document,
                  int repeats) {
  const struct {
    const char* what;
    std::vector<std::string> words;
  } kCommands[] = {
      {"--bm25, one rare word", {"search", "--bm25", "unwieldiness"}},
      {"--bm25", {"search", "--bm25", "copyright"}},
      {"--bm25 and GLOB",
       {"search", "--bm25", "copyright", "--filter", "doc.path GLOB '**/doc*/**'"}},
      {"--bm25 and REGEXP",
       {"search", "--bm25", "copyright", "--filter", "doc.path REGEXP '/doc'"}},
      {"similar", {"similar", document}},
  };
  for (const auto& [what, words] : kCommands) {
    std::vector<std::string> command = {recall};
    command.insert(command.end(), words.begin(), words.end());
    command.insert(command.end(), {"--store", store, "--json"});
    TimeProcess(command);
    std::vector<double> times;
    std::vector<double> ratios;
    for (int i = 0; i < repeats; ++i) {
      const double start_up = TimeProcess({recall, "version"});
      times.push_back(TimeProcess(command));
      ratios.push_back(times.back() / start_up);
    }
    std::printf("  %-24s median %6.2f ms, %6.2f of `recall version`\n", what, Median(times) * 1e3,
                Median(ratios));
  }
}

int Main(BenchArgs args) {
  if (args.rest.size() < 2) Die("usage: process_bench RECALL [--repeats N] DIR...");
  const std::string recall = args.rest[0];
  const std::vector<std::string> roots(args.rest.begin() + 1, args.rest.end());
  const int repeats = args.small ? 3 : std::max(args.repeats, 15);
  const ScratchDir scratch;
  std::vector<double> floor;
  for (int i = 0; i < repeats; ++i) floor.push_back(TimeProcess({"true"}));
  std::printf("process floor (true): median %.2f ms\n", Median(floor) * 1e3);
  const std::string few = scratch.path() + "/few.db";
  TimeQueries(recall, few, BuildStore(few, Slice(roots, 1000)), repeats);
  const std::string many = scratch.path() + "/many.db";
  TimeQueries(recall, many, BuildStore(many, roots), repeats);
  const auto files = FindFiles(roots, "/", {}).files;
  if (!files.empty()) TimeCommands(recall, many, FilePathOf(files.front().doc_path, "/"), repeats);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(recall::ParseBenchArgs(argc, argv)); }
