#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "index/embed/interface/embedder.h"
#include "storage/base/result.h"

namespace recall {

// Whether a store may have the embedder of this name, with vectors of so many dimensions (learnt
// ones: at most). InvalidArgument, with the known names, otherwise.
Status CheckEmbedder(std::string_view name, uint32_t dim);

// The embedders of this program that need nothing but their name and dimension: "hash", "given".
// InvalidArgument for others.
Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view name, uint32_t dim);

}  // namespace recall
