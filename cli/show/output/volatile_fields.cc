#include "cli/show/output/volatile_fields.h"

namespace recall {
namespace {

constexpr size_t kTimes = 7;  // as_of of each command, at the beginning
constexpr std::string_view kVolatileFields[] = {
    "/query/as_of",
    "/rm/as_of",
    "/links/as_of",
    "/review/as_of",
    "/stale/as_of",
    "/suggest/as_of",
    "/export/as_of",
    "/explain/filter/steps/*/ms",
    "/stats/took_ms",
    "/stats/db_size_bytes",
    "/compact/bytes_before",
    "/compact/bytes_after",
    "/stats/timings",
    "/stats/memory",
    "/store/mapped_segments",
    "/store/wal_bytes",
    "/store/sizes",
    "/doctor/pages",
    "/backup/bytes",
    "/inspect/bytes",
    "/inspect/pages",
    "/inspect/free_pages",
    "/inspect/owners",
    "/inspect/wal_bytes",
    "/doctor/free_pages",
    "/doctor/wal_bytes",
    "/watch/time",
    "/run/began_at",
    "/run/took_ms",
    "/run/jobs/*/took_ms",
    "/results/*/began_at",
    "/results/*/took_ms",
    "/results/*/jobs/*/took_ms",
    "/bench/latencies/*/ms",
    "/bench/latencies/*/query_ms",
    "/bench/against/latencies",
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

}  // namespace

std::span<const std::string_view> VolatileFields() { return kVolatileFields; }

std::span<const std::string_view> VolatileFieldsOfGivenTime() {
  return VolatileFields().subspan(kTimes);
}

}  // namespace recall
