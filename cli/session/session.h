#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/flags/global_flags.h"
#include "cli/output/stdout_stream.h"
#include "cli/settings/config.h"
#include "cli/settings/store_locator.h"
#include "cli/terminal/exit_code.h"
#include "cli/terminal/terminal.h"
#include "query/database.h"

namespace recall {

struct JsonResponse;

// What a running command works with: its settings, its store, and where its words go.
struct Session {
  GlobalFlags flags;
  LocateRequest locate;                // how this run finds its store; `init` plans one with it
  Config config;                       // settled, once the store is located
  std::string store_path;              // unless the command asked for no store
  std::unique_ptr<Database> database;  // open, where the command asked for that
  StdoutStream* out = nullptr;
  TextStyle out_style;
  TextStyle error_style;
  std::vector<std::string> warnings;  // shown with the answer

  bool json() const { return flags.mode() != OutputMode::kText; }
  // A JSON answer, with the session's warnings before the response's own.
  void Send(JsonResponse response);
  // Text answers: the warnings on stderr, unless --quiet.
  void PrintWarnings(const std::vector<std::string>& more = {});
  int busy_timeout_ms() const { return static_cast<int>(config.busy_timeout_ms); }
  // That another process writes, which this one waits for; unless --quiet, on stderr.
  void ShowWait() const;
  // A remark for a person at a terminal, on stderr.
  void Remark(const std::string& line) const;
};

// Prints why a command failed: JSON on stdout or a sentence on stderr.
void PrintFailure(const Failure& failure, OutputMode mode, const TextStyle& error_style,
                  const std::vector<std::string>& warnings, StdoutStream* out);

}  // namespace recall
