#include "cli/output/volatile_fields.h"

#include <string>

namespace recall {
namespace {

constexpr std::string_view kVolatileFields[] = {
    "/query/as_of",
    "/explain/filter/steps/*/ms",
    "/stats/took_ms",
    "/stats/db_size_bytes",
    "/compact/bytes_before",
    "/compact/bytes_after",
    "/stats/timings",
    "/stats/memory",
    "/rm/as_of",
    "/export/as_of",
    "/store/mapped_segments",
    "/store/wal_bytes",
    "/doctor/pages",
    "/backup/bytes",
    "/inspect/bytes",
    "/inspect/pages",
    "/inspect/free_pages",
    "/inspect/wal_bytes",
    "/doctor/free_pages",
    "/doctor/wal_bytes",
    "/bench/latencies/*/ms",
    "/bench/kept_share",
    "/bench/throughputs/*/ms",
    "/bench/throughputs/*/per_second",
    "/bench/ingest/ms",
    "/bench/ingest/mb_per_second",
    "/bench/ingest/files_per_second",
    "/bench/ingest/again_ms",
    "/bench/ingest/again_files_per_second",
    "/bench/ingest/store_bytes",
    "/bench/ingest/peak_memory_bytes",
};

void RemoveAt(Json* json, std::string_view path) {
  const size_t end = path.find('/', 1);
  const std::string_view name = path.substr(1, end == path.npos ? path.npos : end - 1);
  if (name == "*") {
    if (!json->is_array()) return;
    for (Json& element : *json) RemoveAt(&element, path.substr(end));
    return;
  }
  if (!json->is_object()) return;
  const auto member = json->find(std::string(name));
  if (member == json->end()) return;
  if (end == path.npos) {
    json->erase(member);
  } else {
    RemoveAt(&*member, path.substr(end));
  }
}

}  // namespace

std::span<const std::string_view> VolatileFields() { return kVolatileFields; }

void RemoveVolatile(Json* top) {
  for (const std::string_view path : kVolatileFields) RemoveAt(top, path);
}

}  // namespace recall
