#include "query/measure/eval/collection_memory.h"

namespace recall {
namespace {

// What strings, and nodes of maps, use in addition to their characters.
constexpr uint64_t kEntryBytes = 128;

}  // namespace

Status CollectionMemory::Add(uint64_t bytes) {
  bytes_ += bytes + kEntryBytes;
  if (bytes_ <= max_bytes_) return Status::Ok();
  return Status::LimitExceeded("the collection " + directory_ + " needs more than " +
                                   std::to_string(max_bytes_ >> 20) + " MiB of memory",
                               "evaluate a smaller collection, or divide it into several");
}

}  // namespace recall
