#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/flags/global_flags.h"
#include "cli/options/settings/config.h"
#include "cli/options/settings/store_locator.h"
#include "cli/show/output/stdout_stream.h"
#include "cli/show/terminal/exit_code.h"
#include "cli/show/terminal/terminal.h"
#include "query/database/database.h"
#include "storage/base/json_writer.h"
#include "storage/base/own_process.h"

namespace recall {

// As in cli/show/output/response.h.
struct JsonResponse;
using JsonFields = std::function<void(JsonWriter& json)>;
using JsonRows =
    std::function<Status(const std::function<Status(const JsonFields& write)>& object)>;

// The bytes of a JSON answer that are held back before any is printed: an error among its rows is
// then the whole answer.
inline constexpr size_t kHeldAnswerBytes = size_t{1} << 20;

// Whether RECALL_JSON asks for indented JSON in pipes, too.
bool PrettyJsonByEnvironment();

// The environment of a running command: its settings, its store and its output.
struct CommandContext {
  GlobalFlags flags;
  LocateRequest locate;          // how the store is located; `init` plans a new one with it
  Config config;                 // complete once the store is located
  std::string store_path;        // empty if the command uses no store
  Database* database = nullptr;  // open if the command requires it, else null
  StdoutStream* out = nullptr;
  TextStyle out_style;
  TextStyle error_style;
  std::vector<std::string> warnings;  // shown with the answer
  // The copy of the store that was made before its format changed; "": none.
  std::string backup;
  bool pretty_json = PrettyJsonByEnvironment();
  // Whether a server has the answer of this question in its cache: "hit", "miss", "none" without
  // a cache.
  std::string_view query_cache = "none";
  std::vector<std::string> check_within = {};  // as SourceCheck::within, for clients of a server
  AddProgressFn on_progress = {};              // of `add`, for the clients of a server
  // The program that extracts, as ExtractSettings::program.
  std::string program = PathOfProgram();
  // The lines of `add --jsonl`, instead of a file, for programs that have them in memory.
  std::optional<std::string_view> lines = {};
  std::optional<Failure> failure = {};  // that an answer was sent with
  // Set when the call is to end, for commands that have no database; null: Ctrl-C says so.
  const std::atomic<bool>* cancelled = nullptr;
  // Takes the answer of `search`, which then prints none.
  std::function<void(SearchResponse)> take_hits = {};

  // On a terminal, documents are printed as they are named from the working directory, and link to
  // their files. Call it once the store is located.
  void ShowPathsFromHere();
  // True if the answer is JSON of any form.
  bool json() const { return flags.mode() != OutputMode::kText; }
  bool lean() const { return flags.mode() == OutputMode::kLean; }
  // Prints a JSON answer, with the warnings of the session before those of the response.
  void Send(JsonResponse response);
  // Prints a JSON answer with `rows` instead of response.results, while they are read. An answer of
  // up to kHeldAnswerBytes is printed whole or not at all. Of a longer one, the rows before an
  // error are printed, and then the error. Returns: the exit code. Errors: those of the rows, if
  // nothing was printed.
  Result<ExitCode> Send(JsonResponse response, const JsonRows& rows);
  // The same for text that `write` appends, which calls part_ends() where it can be taken.
  using PartsWriter =
      std::function<Status(std::string* text, const std::function<void()>& part_ends)>;
  Result<ExitCode> SendParts(const PartsWriter& write);
  // Prints an object that is not in the form of an answer.
  void SendObject(const std::function<void(JsonWriter&)>& write);
  // For text answers: prints the warnings on stderr, unless --quiet.
  void PrintWarnings(const std::vector<std::string>& more = {}, bool all = false);
  int busy_timeout_ms() const { return static_cast<int>(config.busy_timeout_ms); }
  // Reports on stderr, unless --quiet, that this process is waiting for another writing process.
  void ShowWait() const;
  // Prints a remark on stderr, unless --quiet, if the answer is printed on a terminal.
  void Remark(const std::string& line) const;

 private:
  void Complete(JsonResponse* response);
};

// Prints the error of a command: JSON on stdout, or an error message and a hint on stderr.
void PrintFailure(const Failure& failure, OutputMode mode, const TextStyle& error_style,
                  const std::vector<std::string>& warnings, StdoutStream* out,
                  bool pretty_json = PrettyJsonByEnvironment());

}  // namespace recall
