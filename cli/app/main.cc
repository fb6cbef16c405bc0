#include <string_view>

#include "cli/app/app.h"
#include "index/source/extract/worker/extract_worker.h"
#include "storage/base/own_process.h"

int main(int argc, char** argv) {
  recall::RememberProgram(argc > 0 ? argv[0] : nullptr);
  // A process of its own for each thread that reads documents of other formats. It is not a command
  // for users, and it must not do anything else first.
  if (argc > 1 && std::string_view(argv[1]) == recall::kExtractWorkerCommand) {
    return recall::RunExtractWorkerCommand({argv + 2, argv + argc});
  }
  return recall::RunApp({argv + (argc > 0), argv + argc}, argc > 0 ? argv[0] : "recall");
}
