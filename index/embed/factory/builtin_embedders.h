#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "index/embed/embedder/embedder.h"
#include "storage/base/result.h"

namespace recall {

// Checks that a store can be created with the embedder of this name and this number of dimensions
// (for trained embedders: the maximum). Errors: InvalidArgument, with the known names.
Status CheckEmbedder(std::string_view name, uint32_t dim);

// Makes a built-in embedder that needs only its name and dimension: "hash" or "given". Errors:
// InvalidArgument for other names.
Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view name, uint32_t dim);

}  // namespace recall
