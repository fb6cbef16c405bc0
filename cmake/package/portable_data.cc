// Data of the C library that the portable librecall has of its own.
//
// Debian's archives are made for programs: code in them reads the variables below at a distance
// from itself that is known when it is linked (R_X86_64_PC32), which a shared library cannot do
// with variables of another one. So the library has variables of these names, hidden, with the
// values of the C library's, which are set before any other constructor of the library runs.
// __libc_single_threaded, which is read in the same way, is in portable_glibc.cc.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

// Defines recall_NAME, which is NAME for the linker. (The headers of glibc declare NAME visible.)
#define RECALL_STREAM(name)                                                             \
  extern "C" __attribute__((visibility("hidden"))) std::FILE* recall_##name asm(#name); \
  std::FILE* recall_##name = nullptr

RECALL_STREAM(stdin);
RECALL_STREAM(stdout);
RECALL_STREAM(stderr);

namespace {

std::FILE* StreamOfProcess(const char* name) {
  void* const variable = ::dlsym(RTLD_DEFAULT, name);
  if (variable == nullptr) std::abort();
  return *static_cast<std::FILE**>(variable);
}

// 101 is the first priority that is not the compiler's own.
[[gnu::constructor(101)]] void SetStreams() {
  recall_stdin = StreamOfProcess("stdin");
  recall_stdout = StreamOfProcess("stdout");
  recall_stderr = StreamOfProcess("stderr");
}

}  // namespace
