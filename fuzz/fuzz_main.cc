// The main program of a fuzz target without libFuzzer: runs the corpus, then mutations of it.
//
//   fuzz_x                      the checked-in corpus, then 4000 mutations of it
//   fuzz_x FILE_OR_DIR...       the same from these inputs
//   fuzz_x --runs=N --seed=N    N mutations from another seed; --runs=0 only runs the inputs
//                               (to repeat a crash)
//
// An input that crashes, or runs for 20 seconds, is saved as ./<target>.crash.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "fuzz/fuzz_target.h"
#include "fuzz/mutator.h"

// Non-null if a sanitizer is linked in. Sanitizers end the program without a signal that we could
// catch.
extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kMaxSecondsPerInput = 20;

struct Options {
  std::vector<fs::path> inputs;
  uint64_t runs = 4000;
  uint64_t seed = 1;
};

// What the crash handler saves. It may not allocate, so both are set beforehand.
ByteSpan current_input;
std::string crash_path;

void SaveCurrentInput() {
  const int file = ::open(crash_path.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (file < 0) return;
  const ssize_t written = ::write(file, current_input.data(), current_input.size());
  const char note[] = "fuzz: input saved as ";
  if (written >= 0 && ::write(2, note, sizeof(note) - 1) > 0 &&
      ::write(2, crash_path.data(), crash_path.size()) > 0 && ::write(2, "\n", 1) > 0) {
  }
  ::close(file);
}

void OnSignal(int number) {
  SaveCurrentInput();
  ::signal(number, SIG_DFL);
  ::raise(number);
}

// The handler runs on its own stack, because endless recursion exhausts the usual one.
void CatchCrashes() {
  static char stack_memory[1 << 16];
  const stack_t stack = {.ss_sp = stack_memory, .ss_flags = 0, .ss_size = sizeof(stack_memory)};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_ONSTACK;
  for (const int number : {SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL}) {
    ::sigaction(number, &action, nullptr);
  }
  if (__sanitizer_set_death_callback) {
    __sanitizer_set_death_callback(SaveCurrentInput);
  } else {
    ::sigaction(SIGSEGV, &action, nullptr);
  }
}

void RunOne(const FuzzBytes& input) {
  // An exact copy on the heap, so that sanitizers detect a read past its end.
  const FuzzBytes copy(input);
  current_input = copy;
  ::alarm(kMaxSecondsPerInput);
  FuzzOne(copy);
  ::alarm(0);
}

std::optional<uint64_t> NumberFlag(std::string_view argument, std::string_view name) {
  if (!argument.starts_with(name)) return std::nullopt;
  argument.remove_prefix(name.size());
  uint64_t value = 0;
  const auto end = argument.data() + argument.size();
  const auto parsed = std::from_chars(argument.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

std::optional<Options> ParseArguments(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (const auto runs = NumberFlag(argument, "--runs=")) {
      options.runs = *runs;
    } else if (const auto seed = NumberFlag(argument, "--seed=")) {
      options.seed = *seed;
    } else if (fs::exists(argument)) {
      options.inputs.emplace_back(argument);
    } else {
      std::fprintf(stderr, "usage: %s [--runs=N] [--seed=N] [file or directory]...\n", argv[0]);
      return std::nullopt;
    }
  }
  if (options.inputs.empty()) {
    const std::string program = fs::path(argv[0]).filename().string();
    options.inputs.push_back(fs::path(RECALL_FUZZ_CORPUS) / program.substr(program.find('_') + 1));
  }
  return options;
}

// Sorted by path, so that a seed gives the same mutations on every machine.
std::vector<FuzzBytes> ReadInputs(const std::vector<fs::path>& inputs) {
  std::vector<fs::path> files;
  for (const fs::path& input : inputs) {
    if (!fs::is_directory(input)) {
      files.push_back(input);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(input)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<FuzzBytes> corpus;
  for (const fs::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return corpus;
}

int Main(int argc, char** argv) {
  const std::optional<Options> options = ParseArguments(argc, argv);
  if (!options) return 2;
  crash_path = fs::path(argv[0]).filename().string() + ".crash";
  CatchCrashes();
  const std::vector<FuzzBytes> corpus = ReadInputs(options->inputs);
  RunOne({});
  for (const FuzzBytes& input : corpus) RunOne(input);
  Mutator mutator(corpus, options->seed);
  for (uint64_t run = 0; run < options->runs; ++run) RunOne(mutator.Next());
  std::printf("%zu corpus inputs and %llu mutations passed\n", corpus.size(),
              static_cast<unsigned long long>(options->runs));
  return 0;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) { return recall::Main(argc, argv); }
