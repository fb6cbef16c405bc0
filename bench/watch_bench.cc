// watch_bench RECALL [--small] [--repeats N] [FILES]
//
// How long does it take from saving a file to finding it, with `recall watch` on a tree? Makes a
// tree of FILES files (50,000) in directories of 100, starts `recall watch` on it, and then saves a
// file with a word that no other has, N times (20), asking `recall search` for it until it answers
// with the file. A search that finds nothing takes some milliseconds, which are part of the time.
// Beside it: what `recall add --sync` takes on the unchanged tree, without a watcher.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "bench/bench_util.h"

extern char** environ;

namespace recall {
namespace {

constexpr double kLimitSeconds = 60;

pid_t StartProgram(const std::vector<std::string>& command, const std::string& out) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0) Die(argv[0]);
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

int EndOf(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string WholeFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void MakeTree(const std::string& tree, int files) {
  std::mt19937 random(1);
  for (int i = 0; i < files; ++i) {
    const std::string directory =
        tree + "/d" + std::to_string(i / 2000) + "/e" + std::to_string(i / 100);
    if (i % 100 == 0) std::filesystem::create_directories(directory);
    std::ofstream file(directory + "/f" + std::to_string(i) + ".md");
    file << "# Title " << i << "\n\n";
    for (int word = 0; word < 60; ++word) file << "w" << random() % 8000 << ' ';
    file << '\n';
  }
}

int Run(const std::string& program, int files, int repeats) {
  const ScratchDir scratch;
  const std::string tree = scratch.path() + "/tree";
  const std::string store = scratch.path() + "/recall.db";
  const std::string out = scratch.path() + "/out";
  MakeTree(tree, files);
  const auto run = [&](std::vector<std::string> words) {
    words.insert(words.begin(), program);
    words.insert(words.end(), {"--store", store});
    return EndOf(StartProgram(words, out));
  };
  if (run({"init"}) != 0) Die("cannot create the store");
  if (run({"add", tree}) != 0) Die("cannot add the tree");
  double start = Now();
  if (run({"add", "--sync", tree}) != 0) Die("cannot add the tree again");
  const double again = Now() - start;

  const std::string log = scratch.path() + "/log";
  start = Now();
  const pid_t watcher = StartProgram({program, "watch", tree, "--store", store}, log);
  while (WholeFile(log).find("watching") == std::string::npos) {
    if (Now() - start > kLimitSeconds) Die("the watcher does not become ready");
    ::usleep(1000);
  }
  const double ready = Now() - start;
  std::vector<double> found;
  std::mt19937 random(2);
  for (int i = 0; i < repeats; ++i) {
    const std::string word = "unheard" + std::to_string(i);
    const int place = static_cast<int>(random() % static_cast<uint32_t>(files));
    const std::string saved = tree + "/d" + std::to_string(place / 2000) + "/e" +
                              std::to_string(place / 100) + "/f" + std::to_string(place) + ".md";
    start = Now();
    std::ofstream(saved) << "# Saved\n\nThe word is " << word << ".\n";
    do {
      if (Now() - start > kLimitSeconds) Die(saved + " is not found");
      run({"search", word, "--bm25", "--no-expand", "--quiet", "-k", "1"});
    } while (WholeFile(out).find(word) == std::string::npos);
    found.push_back(Now() - start);
  }
  ::kill(watcher, SIGINT);
  if (EndOf(watcher) != 0) Die("the watcher failed");
  std::printf(
      "| files | `add --sync`, unchanged | until watched | saved to found: median | maximum of %d "
      "|\n"
      "| --- | --- | --- | --- | --- |\n"
      "| %d | %.0f ms | %.0f ms | %.0f ms | %.0f ms |\n",
      repeats, files, again * 1e3, ready * 1e3, Median(found) * 1e3,
      *std::max_element(found.begin(), found.end()) * 1e3);
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  const recall::BenchArgs args = recall::ParseBenchArgs(argc, argv);
  if (args.rest.empty()) recall::Die("the program RECALL is missing");
  const int files =
      args.rest.size() > 1 ? std::atoi(args.rest[1].c_str()) : (args.small ? 2000 : 50'000);
  return recall::Run(args.rest[0], files, args.small ? 2 : std::max(args.repeats, 20));
}
