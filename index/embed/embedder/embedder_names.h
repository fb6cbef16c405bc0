#pragma once

#include <cstdint>
#include <string_view>

namespace recall {

// The names of the built-in embedders, as stores record them.

// LSA vectors (index/embed/lsa), of a model trained on the texts of the store.
inline constexpr std::string_view kLsaEmbedder = "lsa";
// Fewer chunks share too few terms for LSA; until a store has more, its vectors are hashed.
inline constexpr int64_t kFewestLsaChunks = 16;
inline constexpr std::string_view kHashEmbedder = "hash";
// User-supplied embeddings: vectors come with the documents and with each query, and texts are not
// embedded.
inline constexpr std::string_view kUserSuppliedEmbedder = "given";

}  // namespace recall
