#include "bench/micro/made_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "bench/micro/micro.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFileBytes = 4'000'000;

std::vector<fs::path> GivenPaths() {
  std::vector<fs::path> paths;
  for (const std::string& root : Options().file_roots) {
    Check(fs::is_directory(root), "--files=" + root + ": no such directory");
    const auto options = fs::directory_options::skip_permission_denied;
    for (const auto& entry : fs::recursive_directory_iterator(root, options)) {
      if (entry.is_regular_file() && !entry.is_symlink()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string BytesOfFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string MakeWord(uint64_t number) {
  static constexpr std::string_view kSyllables[] = {"an",  "be", "ti",  "on", "re", "st",
                                                    "ing", "er", "al",  "co", "de", "is",
                                                    "mo",  "ne", "pro", "ly"};
  std::string word;
  for (uint64_t left = number + 16; left > 0; left /= 16) word += kSyllables[left % 16];
  return word;
}

std::string MakeSentence(SplitMix64* random, size_t words) {
  std::string text;
  for (size_t i = 0; i < words; ++i) {
    const uint64_t scale = uint64_t{1} << (random->Next() % 17);
    text += MakeWord(scale - 1 + random->Next() % scale);
    text += i + 1 == words ? ". " : i % 12 == 11 ? ", " : " ";
  }
  if (!text.empty()) text[0] = static_cast<char>(text[0] - ('a' - 'A'));
  return text;
}

std::string MakeDocument(uint64_t number) {
  SplitMix64 random(number + 1);
  std::string text = "# " + MakeSentence(&random, 4) + "\n\n";
  while (text.size() < 4'000) {
    text += "## " + MakeSentence(&random, 3) + "\n\n";
    for (int paragraph = 0; paragraph < 3; ++paragraph) {
      for (int sentence = 0; sentence < 4; ++sentence) text += MakeSentence(&random, 14);
      text += "\n\n";
    }
  }
  return text;
}

void ForEachText(const std::function<bool(std::string text)>& take) {
  if (Options().file_roots.empty()) {
    for (uint64_t number = 0; take(MakeDocument(number)); ++number) {
    }
    return;
  }
  std::vector<fs::path> paths = GivenPaths();
  std::shuffle(paths.begin(), paths.end(), std::mt19937_64(1));
  for (const fs::path& path : paths) {
    std::string text = BytesOfFile(path);
    if (text.size() > kMostFileBytes || text.find('\0') < text.size() || !IsValidUtf8(text)) {
      continue;
    }
    if (!take(std::move(text))) return;
  }
}

const std::vector<std::string>& SampleTexts() {
  static const std::vector<std::string> texts = [] {
    const size_t most = Options().small ? 200'000 : 4'000'000;
    std::vector<std::string> taken;
    size_t bytes = 0;
    ForEachText([&](std::string text) {
      bytes += text.size();
      taken.push_back(std::move(text));
      return bytes < most;
    });
    Check(!taken.empty(), "--files: no texts");
    return taken;
  }();
  return texts;
}

size_t BytesOf(const std::vector<std::string>& texts) {
  size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return bytes;
}

std::vector<std::string> GivenFiles(std::initializer_list<std::string_view> endings) {
  std::vector<std::string> files;
  for (const fs::path& path : GivenPaths()) {
    const std::string name = path.filename();
    if (std::ranges::any_of(endings, [&](std::string_view e) { return name.ends_with(e); })) {
      files.push_back(BytesOfFile(path));
    }
  }
  return files;
}

}  // namespace recall
