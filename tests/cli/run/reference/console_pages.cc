#include "tests/cli/run/reference/console_pages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/cli/run/reference/guide_examples.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

std::vector<FencedBlock> BlocksOf(const std::string& page) {
  std::ifstream file(fs::path(SourceDir()) / page);
  EXPECT_TRUE(file) << page;
  return FencedBlocks(std::string(std::istreambuf_iterator<char>(file), {}));
}

bool HasConsole(const std::string& page) {
  return std::ranges::any_of(BlocksOf(page), [](const FencedBlock& block) {
    return block.language.starts_with("console");
  });
}

}  // namespace

std::vector<std::string> ConsolePages() {
  const fs::path root = SourceDir();
  std::vector<std::string> pages;
  if (HasConsole("README.md")) pages.emplace_back("README.md");
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs")) {
    const std::string page = entry.path().lexically_relative(root).generic_string();
    if (entry.path().extension() != ".md" || page == "docs/guide.md") continue;
    if (HasConsole(page)) pages.push_back(page);
  }
  std::ranges::sort(pages);
  return pages;
}

std::vector<std::string> ConsolePagesOfCode() {
  return {"docs/howto/source-code.md", "docs/tutorial.md"};
}

void RunConsolePage(const std::string& page, const std::string& home) {
  // The program takes no new files of the home directory itself when it runs unattended.
  const fs::path directory = fs::path(home) / "work";
  fs::create_directories(directory);
  EXPECT_GE(RunConsole(page, BlocksOf(page), directory, home), 3u) << page;
}

}  // namespace recall
