#include <cerrno>

#include "cli/setup/watch/directory_events.h"

namespace recall::posix_form {
namespace {

class NoDirectoryEvents final : public DirectoryEvents {
 public:
  int descriptor() const override { return -1; }
  int Add(const std::string&) override { return -EOPNOTSUPP; }
  void Remove(int) override {}
  std::vector<DirectoryEvent> Read() override { return {}; }
  std::string_view missing() const override {
    return "this program has no events of files for this system";
  }
};

}  // namespace

std::unique_ptr<DirectoryEvents> OpenDirectoryEvents() {
  return std::make_unique<NoDirectoryEvents>();
}

bool ChangesWithoutEvents(const std::string&) { return true; }

// As nothing else notices a change. A listing of 1,000 directories takes some milliseconds.
int64_t DefaultPollMicros() { return 5'000'000; }

}  // namespace recall::posix_form
