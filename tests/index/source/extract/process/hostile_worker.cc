// An extraction process that does what the file says, as one that a file has taken over could. It
// is in the sandbox of all extraction processes.

#include <fcntl.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "index/source/extract/worker/extract_worker.h"

namespace recall {
namespace {

constexpr int kSocket = 3;

Extraction Said(std::string text) {
  Extraction extraction;
  extraction.text = std::move(text);
  return extraction;
}

void SendRaw(std::string_view bytes) {
  if (::send(kSocket, bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) ::_exit(1);
}

// An answer of this size, all of it zeros.
void SendSized(uint64_t size) {
  std::string bytes(sizeof(size), '\0');
  std::memcpy(bytes.data(), &size, sizeof(size));
  SendRaw(bytes + std::string(1000, '\0'));
}

Extraction Obey(DocumentFormat, bool, std::string_view bytes, const ExtractLimits&) {
  const std::string order(bytes);
  if (order == "open") {
    return Said(::open("/etc/passwd", O_RDONLY) < 0 ? std::strerror(errno) : "opened");
  }
  if (order == "create") {
    return Said(::open("/tmp/recall-hostile", O_WRONLY | O_CREAT, 0600) < 0 ? std::strerror(errno)
                                                                            : "created");
  }
  if (order == "socket") ::socket(AF_INET, SOCK_STREAM, 0);
  if (order == "execve") ::execl("/bin/true", "true", nullptr);
  if (order == "fork") ::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr);
  if (order == "ptrace") ::ptrace(PTRACE_ATTACH, ::getppid(), nullptr, nullptr);
  if (order == "kill") ::syscall(SYS_kill, ::syscall(SYS_getppid), SIGKILL);
  if (order == "memory") {
    std::vector<char> much(size_t{2} << 30, 'x');
    return Said(std::to_string(much[much.size() / 2]));
  }
  // Some 300 MiB, less than the most that is allowed.
  if (order == "much memory") {
    std::vector<char> much(size_t{300} << 20, 'x');
    return Said(std::to_string(much[much.size() / 2]));
  }
  if (order == "abort") std::abort();
  if (order == "exit") ::_exit(7);
  if (order == "loop") {
    volatile int zero = 0;
    while (zero == 0) continue;
  }
  if (order == "silence") ::close(kSocket);
  if (order == "garbage") SendSized(1000);
  if (order == "huge") SendSized(uint64_t{1} << 62);
  if (order == "half") SendSized(1 << 20);
  if (order == "nul") return Said(std::string("a\0b", 3));
  if (order == "latin1") return Said("caf\xE9");
  if (order == "spans") {
    Extraction extraction = Said("ab");
    extraction.spans.push_back({0, 9, {}});
    return extraction;
  }
  return Said("obeyed " + order);
}

// Orders in the place of source code. What is none is parsed.
std::optional<CodeOutline> ObeyOutline(std::string_view grammar, std::string_view text) {
  constexpr std::string_view kOrder = "order ";
  if (!text.starts_with(kOrder)) return ParseOutline(grammar, text);
  const std::string_view order = text.substr(kOrder.size());
  if (order == "socket") ::socket(AF_INET, SOCK_STREAM, 0);
  if (order == "abort") std::abort();
  if (order == "garbage") SendSized(1000);
  if (order == "huge") SendSized(uint64_t{1} << 62);
  if (order == "loop") {
    volatile int zero = 0;
    while (zero == 0) continue;
  }
  if (order == "none") return std::nullopt;
  CodeOutline outline;
  outline.definitions = {{0, 6, 0, SymbolKind::kClass, std::string(grammar), -1}};
  if (order == "unsound") outline.definitions[0].end_byte = 1000;
  return outline;
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  const recall::WorkerOptions options = recall::ReadWorkerArguments({argv + 1, argv + argc});
  return recall::RunExtractWorker(recall::kSocket, options, &recall::Obey, &recall::ObeyOutline);
}
