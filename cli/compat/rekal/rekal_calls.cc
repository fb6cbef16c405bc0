#include "cli/compat/rekal/rekal_calls.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

using Args = std::vector<std::string>;

}  // namespace

bool IsRekal(std::string_view program) {
  const size_t slash = program.rfind('/');
  return program.substr(slash == program.npos ? 0 : slash + 1) == "rekal";
}

std::vector<Args> CallsOfRekal(Args args) {
  const auto verb = std::ranges::find_if(args, [](const std::string& arg) {
    const bool is_flag = arg.size() > 1 && arg[0] == '-' && arg != "--";
    return !is_flag;
  });
  if (verb == args.end()) return {std::move(args)};
  if (*verb == "init") return {std::move(args), {"install", "git"}};
  if (*verb == "checkpoint") {
    *verb = "capture";
  } else if (*verb == "sync") {
    *verb = "pull";
  } else if (*verb == "clean") {
    *verb = "uninstall";
    args.insert(verb + 1, "git");
  }
  return {std::move(args)};
}

}  // namespace recall
