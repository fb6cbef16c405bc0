#include "storage/replica/page_source.h"

#include <atomic>
#include <map>
#include <mutex>

namespace recall {
namespace {

struct SourceRegistry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<PageSource>, std::less<>> sources;
  std::atomic<bool> any = false;
};

SourceRegistry& Registry() {
  static SourceRegistry* const registry =
      new SourceRegistry;  // never freed: threads use it until the process ends
  return *registry;
}

}  // namespace

PageSource* FindPageSource(std::string_view path) {
  SourceRegistry& registry = Registry();
  if (!registry.any.load(std::memory_order_acquire)) return nullptr;
  const std::lock_guard<std::mutex> lock(registry.mutex);
  const auto found = registry.sources.find(path);
  return found == registry.sources.end() ? nullptr : found->second.get();
}

void AddPageSource(const std::string& path, std::unique_ptr<PageSource> source) {
  SourceRegistry& registry = Registry();
  const std::lock_guard<std::mutex> lock(registry.mutex);
  registry.sources.emplace(path, std::move(source));
  registry.any.store(true, std::memory_order_release);
}

}  // namespace recall
