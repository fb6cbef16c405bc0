#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

enum class EmbedderKind : uint8_t { kModel2Vec, kCommand, kOpenAi, kOllama };

// The configuration of one embedder (docs/embedders.md). A store records only the name of its
// embedder, never its path, command or URL: opening an untrusted store starts no program and sends
// no request.
struct EmbedderConfig {
  std::string name;  // as stores record it; not a built-in name
  EmbedderKind kind = EmbedderKind::kModel2Vec;
  std::string path;                  // model2vec: a directory
  std::vector<std::string> command;  // command: program and arguments
  std::string url;                   // openai, ollama
  std::string model;                 // all but model2vec: part of the version
  std::string key_variable;          // openai, ollama: the environment variable with the key
  uint32_t dim = 0;                  // 0: the dimension of the embedder's own vectors
};

// The name of a kind in configurations.
std::string_view EmbedderKindName(EmbedderKind kind);

}  // namespace recall
