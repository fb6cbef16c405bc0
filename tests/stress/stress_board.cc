#include "tests/stress/stress_board.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace recall {

struct StressBoard::Memory {
  Facts facts;
  std::atomic<int> faults = 0;        // the first to increase it may write
  std::atomic<bool> written = false;  // the text is complete
  char text[1000] = {};
};

StressBoard::StressBoard() {
  void* const shared =
      ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) std::abort();
  memory_ = new (shared) Memory;
  facts_ = &memory_->facts;
}

StressBoard::~StressBoard() { ::munmap(memory_, sizeof(Memory)); }

void StressBoard::Report(const std::string& fault) {
  if (memory_->faults.fetch_add(1) != 0) return;
  std::memcpy(memory_->text, fault.data(), std::min(fault.size(), sizeof memory_->text - 1));
  memory_->written = true;
}

bool StressBoard::faulty() const { return memory_->faults > 0; }

std::string StressBoard::fault() const {
  return memory_->written ? memory_->text : faulty() ? "a fault that was not written down" : "";
}

StressProcess::StressProcess(const std::function<void()>& work) : pid_(::fork()) {
  if (pid_ < 0) std::abort();
  if (pid_ != 0) return;
  work();
  ::_exit(0);
}

std::string StressProcess::Kill() {
  if (pid_ == 0) return "";
  ::kill(pid_, SIGKILL);
  const std::string end = Wait();
  return end == "signal 9" ? "" : end.empty() ? "it ended" : end;
}

std::string StressProcess::Wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = 0;
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "" : "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace recall
