#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

struct LanguageReader {
  std::string_view language;
  OwnDefinitions* read = nullptr;
};
constexpr LanguageReader kLanguageReaders[] = {
    {"elixir", &ElixirDefinition}, {"haskell", &HaskellDefinition}, {"kotlin", &KotlinDefinition},
    {"lua", &LuaDefinition},       {"scala", &ScalaDefinition},     {"swift", &SwiftDefinition},
    {"zig", &ZigDefinition}};

}  // namespace

OwnDefinitions* OwnDefinitionsOf(std::string_view language) {
  for (const LanguageReader& known : kLanguageReaders) {
    if (known.language == language) return known.read;
  }
  return nullptr;
}

}  // namespace recall
