#include "cli/server/tools/allowed_paths.h"

#include <filesystem>
#include <utility>

namespace recall {

namespace fs = std::filesystem;

tl::expected<std::vector<std::string>, ToolFault> PathsBelow(const std::string& root,
                                                             std::vector<std::string> paths) {
  std::error_code error;
  const fs::path base = fs::weakly_canonical(root, error);
  for (std::string& path : paths) {
    if (path.empty()) return tl::unexpected(InvalidToolArgument("a path is empty", "'.' is all"));
    // What is checked is what is added: in "link/../x" the name of the link is removed, wherever it
    // leads.
    const fs::path added = (base / path).lexically_normal();
    const fs::path real = fs::weakly_canonical(added, error);
    const fs::path inside = real.lexically_relative(base);
    if (error || inside.empty() || *inside.begin() == "..") {
      return tl::unexpected(
          InvalidToolArgument("'" + path + "' is not below " + base.string(),
                              "this server reads files below that directory only; --root "
                              "names another one"));
    }
    path = added.string();
  }
  return paths;
}

}  // namespace recall
