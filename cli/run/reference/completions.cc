#include "cli/run/reference/completions.h"

#include <algorithm>

namespace recall {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)(const ProgramReference&);
};

constexpr Shell kShells[] = {
    {"bash", internal::BashCompletions},
    {"fish", internal::FishCompletions},
    {"zsh", internal::ZshCompletions},
};

}  // namespace

std::vector<std::string> CompletionShells() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  return names;
}

std::string CompletionScript(std::string_view shell, const ProgramReference& program) {
  return std::ranges::find(kShells, shell, &Shell::name)->script(program);
}

}  // namespace recall
