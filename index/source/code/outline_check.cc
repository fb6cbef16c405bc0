#include "index/source/code/outline_check.h"

#include <algorithm>
#include <vector>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

bool IsCleanName(std::string_view name) {
  return !name.empty() && name.size() <= kMostSymbolName && IsValidUtf8(name) &&
         std::none_of(name.begin(), name.end(), IsControl);
}

bool AreSoundDefinitions(const std::vector<Definition>& definitions, uint64_t text_bytes) {
  uint64_t last_start = 0;
  // The first byte where the next child of each definition, and of the file, may begin.
  std::vector<uint64_t> free_from;
  uint64_t free_in_file = 0;
  for (size_t i = 0; i < definitions.size(); ++i) {
    const Definition& definition = definitions[i];
    if (definition.start_byte < last_start || definition.start_byte > definition.code_byte ||
        definition.code_byte >= definition.end_byte || definition.end_byte > text_bytes ||
        definition.parent < -1 || definition.parent >= static_cast<int64_t>(i) ||
        definition.kind > SymbolKind::kVariable || !IsCleanName(definition.name)) {
      return false;
    }
    last_start = definition.start_byte;
    uint64_t* from = &free_in_file;
    if (definition.parent >= 0) {
      const auto parent = static_cast<size_t>(definition.parent);
      if (definition.end_byte > definitions[parent].end_byte) return false;
      from = &free_from[parent];
    }
    if (definition.start_byte < *from) return false;
    *from = definition.end_byte;
    free_from.push_back(definition.code_byte);
  }
  return true;
}

}  // namespace

uint64_t MostOutlineEntries(uint64_t text_bytes) { return text_bytes / 8 + 1; }

std::string CleanSymbolName(std::string_view name) {
  std::string clean;
  AppendRepairedUtf8(
      name.substr(0, FloorToCharacter(name, std::min(name.size(), 4 * kMostSymbolName))), &clean);
  std::string result;
  for (const char c : clean) {
    const bool space = c == ' ' || IsControl(c);
    if (!space) {
      result.push_back(c);
    } else if (!result.empty() && result.back() != ' ') {
      result.push_back(' ');
    }
  }
  result.resize(FloorToCharacter(result, std::min(result.size(), kMostSymbolName)));
  while (result.ends_with(' ')) result.pop_back();
  return result;
}

bool IsSoundOutline(const CodeOutline& outline, uint64_t text_bytes) {
  const uint64_t most = MostOutlineEntries(text_bytes);
  if (outline.definitions.size() > most || outline.cuts.size() > most) return false;
  if (!AreSoundDefinitions(outline.definitions, text_bytes)) return false;
  for (size_t i = 0; i < outline.cuts.size(); ++i) {
    if (outline.cuts[i].byte >= text_bytes) return false;
    if (i > 0 && outline.cuts[i].byte <= outline.cuts[i - 1].byte) return false;
  }
  return true;
}

}  // namespace recall
