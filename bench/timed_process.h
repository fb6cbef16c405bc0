#pragma once

// Times whole processes.

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "bench/bench_util.h"

extern char** environ;

namespace recall {

// Runs a program without its output. Returns: the seconds from start to exit. Ends the benchmark if
// the program fails.
inline double TimeProcess(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  const double start = Now();
  pid_t child = 0;
  if (posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ) != 0) Die(argv[0]);
  int status = 0;
  waitpid(child, &status, 0);
  const double seconds = Now() - start;
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) Die(command[0] + " failed");
  return seconds;
}

}  // namespace recall
