#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "index/embed/embedder/embedder_source.h"
#include "index/embed/factory/embedder_config.h"

namespace recall {

// Opens each configured embedder on first use and keeps it. Thread-safe.
class ConfiguredEmbedders final : public EmbedderProvider {
 public:
  // Once *cancel, if given, is true, commands and servers are no longer waited for: opening and
  // embedding end with Cancelled. It must outlive the embedders.
  explicit ConfiguredEmbedders(std::vector<EmbedderConfig> configs,
                               const std::atomic<bool>* cancel = nullptr)
      : configs_(std::move(configs)), cancel_(cancel) {}

  // Identity of a source: {the configured name, kind and version ("model2vec 1-..."), dim}. Errors:
  // NotFound, with the known names; InvalidArgument for fewer than 8 or more than 4096 dimensions;
  // those of Model2VecModel, CommandEmbedder and HttpEmbedder.
  Result<std::shared_ptr<const EmbedderSource>> Find(std::string_view name,
                                                     uint32_t dim) const override;

 private:
  std::vector<EmbedderConfig> configs_;
  const std::atomic<bool>* cancel_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const EmbedderSource>, std::less<>> open_;
};

}  // namespace recall
