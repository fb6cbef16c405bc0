#include "storage/base/signal_name.h"

#include <csignal>
#include <string_view>

namespace recall {
namespace {

struct NamedSignal {
  int signal;
  std::string_view name;
};

// sigabbrev_np is in the GNU C library alone, from 2.32 on.
constexpr NamedSignal kNamedSignals[] = {
    {SIGABRT, "SIGABRT"}, {SIGALRM, "SIGALRM"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGHUP, "SIGHUP"},   {SIGILL, "SIGILL"},   {SIGINT, "SIGINT"},   {SIGKILL, "SIGKILL"},
    {SIGPIPE, "SIGPIPE"}, {SIGQUIT, "SIGQUIT"}, {SIGSEGV, "SIGSEGV"}, {SIGSYS, "SIGSYS"},
    {SIGTERM, "SIGTERM"}, {SIGTRAP, "SIGTRAP"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"},
    {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"},
};

}  // namespace

std::string SignalName(int signal) {
  for (const NamedSignal& named : kNamedSignals) {
    if (named.signal == signal) return std::string(named.name);
  }
  return std::to_string(signal);
}

}  // namespace recall
