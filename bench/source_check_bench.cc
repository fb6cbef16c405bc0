// source_check_bench [--small] [--repeats N]
//
// What does it cost to compare the documents of an answer with their files
// (docs/decisions/0061-freshness.md)? Makes a store of files of 20 kB, and looks at eight of them
// in one read transaction, as a search does for its results: unchanged files, files whose time or
// inode has changed, so that they are read, edited and deleted ones, and the documents of a copy of
// the store without files. Median of warm runs, in microseconds for all eight.

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "bench/bench_util.h"
#include "index/write/local/local_snapshot.h"
#include "query/ask/sources/source_checker.h"
#include "query/database/database.h"
#include "storage/store/store.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHits = 8;
constexpr size_t kFileBytes = 20'000;

std::string NameOf(size_t number) { return "docs/f" + std::to_string(number) + ".md"; }

void WriteText(const std::string& path, size_t number) {
  std::string text = "# Document " + std::to_string(number) + "\n\n";
  while (text.size() < kFileBytes) {
    text += "Line " + std::to_string(text.size() % 97) + " of document " + std::to_string(number) +
            " with some words.\n";
  }
  std::ofstream(path, std::ios::binary) << text;
}

// The microseconds that looking at the first eight documents takes.
double Measure(const std::string& store_path, int runs, const std::vector<std::string>& names,
               SourceState right) {
  auto store = Store::Open(store_path, {});
  if (!store) Die(store.error().ToString());
  const auto transaction = (*store)->BeginRead();
  if (!transaction) Die(transaction.error().ToString());
  const LocalSnapshot snapshot(**transaction);
  std::vector<DocRow> docs;
  for (const std::string& name : names) docs.push_back(*snapshot.texts().FindDoc(name).value());
  const SourceCheck check = {.on = true};
  const std::string root = fs::path(store_path).parent_path();
  std::vector<double> times;
  for (int run = 0; run < runs; ++run) {
    const double start = Now();
    SourceChecker sources(snapshot.texts(), root);
    for (const DocRow& doc : docs) {
      if (sources.StateOf(doc, check).value() != right) Die("a wrong state of " + doc.path);
    }
    times.push_back((Now() - start) * 1e6);
  }
  return Median(times);
}

int Run(const BenchArgs& args) {
  const size_t files = args.small ? 32 : 2000;
  const int runs = args.small ? 3 : 2000 * args.repeats;
  const ScratchDir scratch;
  const std::string root = scratch.path() + "/tree";
  fs::create_directories(root + "/docs");
  for (size_t i = 0; i < files; ++i) WriteText(root + "/" + NameOf(i), i);
  // As if they had been written long before.
  const auto set_time = [&](const std::string& name, int64_t seconds) {
    const timespec times[] = {{seconds, 0}, {seconds, 0}};
    if (::utimensat(AT_FDCWD, (root + "/" + name).c_str(), times, 0) != 0) Die("utimensat");
  };
  const std::string store = root + "/recall.db";
  {
    CreateOptions options;
    options.embedder = "hash";
    auto database = Database::Create(store, options);
    if (!database) Die(database.error().ToString());
    // A second later, so that no inode is of the second before the commit.
    const double written = Now();
    while (!args.small && Now() - written < 1.1) {
    }
    AddRequest request;
    request.paths = {root + "/docs"};
    if (const auto added = (*database)->Add(request); !added) Die(added.error().ToString());
  }
  const auto eight = [&](size_t group) {
    std::vector<std::string> names;
    for (size_t i = 0; i < kHits; ++i) names.push_back(NameOf((group * kHits + i) % files));
    return names;
  };
  for (const std::string& name : eight(1)) set_time(name, 1'700'000'000);
  for (const std::string& name : eight(2)) std::ofstream(root + "/" + name) << "edited";
  for (const std::string& name : eight(3)) fs::remove(root + "/" + name);
  const auto show = [](const char* what, double micros) {
    std::printf("%-44s %8.1f us\n", what, micros);
  };
  show("8 unchanged files", Measure(store, runs, eight(0), SourceState::kCurrent));
  show("8 touched files of 20 kB, read", Measure(store, runs, eight(1), SourceState::kCurrent));
  show("8 edited files", Measure(store, runs, eight(2), SourceState::kChanged));
  show("8 deleted files", Measure(store, runs, eight(3), SourceState::kDeleted));
  const std::string copy = scratch.path() + "/copy";
  fs::create_directories(copy);
  fs::copy_file(store, copy + "/recall.db");
  show("8 files of a copy of the store alone",
       Measure(copy + "/recall.db", std::max(1, runs / 10), eight(0), SourceState::kCurrent));
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Run(recall::ParseBenchArgs(argc, argv)); }
