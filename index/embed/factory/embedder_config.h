#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

enum class EmbedderKind : uint8_t { kModel2Vec, kCommand, kOpenAi, kOllama };

// One embedder as its user describes it (docs/embedders.md). Stores record its name, never how it
// is reached: opening a stranger's store starts no program and asks no server.
struct EmbedderConfig {
  std::string name;  // what stores call it; not one of the program's own
  EmbedderKind kind = EmbedderKind::kModel2Vec;
  std::string path;                  // model2vec: a directory
  std::vector<std::string> command;  // command: program and arguments
  std::string url;                   // openai, ollama
  std::string model;                 // all but model2vec: part of the version
  std::string key_variable;          // openai, ollama: the environment variable with the key
  uint32_t dim = 0;                  // 0: what the embedder has
};

// The names of kinds as configurations write them.
std::string_view EmbedderKindName(EmbedderKind kind);

}  // namespace recall
