#include "tests/stress/segment_watch.h"

#include <unistd.h>

#include <cstring>
#include <utility>
#include <vector>

#include "storage/base/bytes.h"
#include "storage/overflow/checkpointed_snapshot.h"
#include "storage/overflow/file_mapping.h"
#include "storage/overflow/page_map.h"
#include "tests/fault/segment_compare.h"

namespace recall {
namespace {

// A row of vec_data as SQLite reads it, and the pages of the file that should contain it.
struct Row {
  int64_t id;
  std::string data;
  PageMap pages;
};

Status CompareInPlace(const Row& row, const FilePages& file) {
  const uint32_t bytes = file.layout.chain_bytes();
  size_t at = file.layout.PrefixBytes(row.data.size());
  for (const uint32_t number : row.pages) {
    const uint8_t* const page = file.page(number);
    if (page == nullptr || at + bytes > row.data.size() ||
        std::memcmp(page + PageLayout::kPointerBytes, row.data.data() + at, bytes) != 0) {
      return OtherBytesInPlace(row.id);
    }
    at += bytes;
  }
  return at == row.data.size() ? Status::Ok() : OtherBytesInPlace(row.id);
}

Result<std::vector<Row>> ReadRows(Connection& connection, const FilePages& file) {
  RECALL_ASSIGN(const int64_t root,
                connection.QueryInt("SELECT rootpage FROM sqlite_schema WHERE name='vec_data'"));
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT id, data FROM vec_data"));
  std::vector<Row> rows;
  for (;;) {
    RECALL_ASSIGN(const bool more, select.Step());
    if (!more) return rows;
    Row row{select.ColumnInt(0), std::string(AsText(select.ColumnBlob(1))), {}};
    RECALL_ASSIGN(row.pages, FindChain(file, static_cast<uint32_t>(root), row.id, row.data.size()));
    rows.push_back(std::move(row));
  }
}

}  // namespace

Result<std::unique_ptr<SegmentWatch>> SegmentWatch::Open(const std::string& path, BrokenRule rule) {
  std::unique_ptr<SegmentWatch> watch(new SegmentWatch);
  watch->path_ = path;
  watch->rule_ = rule;
  RECALL_ASSIGN(watch->mapping_, SegmentCatalog::Open(path, true));
  RECALL_ASSIGN(watch->copying_, SegmentCatalog::Open(path, false));
  RECALL_ASSIGN(watch->connection_, Connection::Open(path, {}));
  return watch;
}

Status SegmentWatch::Look(StressBoard::Facts& facts) {
  if (rule_ == BrokenRule::kNone) RECALL_TRY(LookThroughCatalog(facts));
  return LookByHand(facts);
}

Status SegmentWatch::LookThroughCatalog(StressBoard::Facts& facts) {
  RECALL_TRY(mapping_->BeginRead(*connection_));
  const Status compared = [&]() -> Status {
    RECALL_ASSIGN(const auto mapped, mapping_->OpenSegments(*connection_));
    RECALL_ASSIGN(const auto copied, copying_->OpenSegments(*connection_));
    for (size_t i = 0; i < mapped.size(); ++i) {
      ++(mapped[i]->mapped() ? facts.mapped : facts.copied);
      RECALL_TRY(CompareSegment(*mapped[i], *copied.at(i)));
    }
    if (mapping_->counters().page_mismatches == 0) return Status::Ok();
    return Status::Corruption("a page is not what the page map says");
  }();
  const Status ended = connection_->Execute("COMMIT");
  RECALL_TRY(compared);
  return ended;
}

// Applies (or breaks) the rules without the catalog.
Status SegmentWatch::LookByHand(StressBoard::Facts& facts) {
  const auto begun =
      rule_ == BrokenRule::kCertificate
          ? BeginSnapshot(*connection_)
          : BeginCheckpointedSnapshot(*connection_, FileMapping::DescriptorOf(path_));
  RECALL_ASSIGN(const SnapshotHome home, begun);
  const bool certified = home == SnapshotHome::kMainFile || rule_ == BrokenRule::kCertificate;
  const Status compared = [&]() -> Status {
    if (!certified) return Status::Ok();
    RECALL_ASSIGN(FileMapping* const mapping, FileMapping::ForFile(path_));
    RECALL_ASSIGN(const PageLayout layout, ReadPageLayout(*connection_));
    RECALL_ASSIGN(const ByteSpan bytes, mapping->Bytes());
    const FilePages file{bytes, layout};
    RECALL_ASSIGN(const std::vector<Row> rows, ReadRows(*connection_, file));
    if (rule_ == BrokenRule::kTransaction) {
      RECALL_TRY(connection_->Execute("COMMIT"));
      ::usleep(30'000);  // long enough for a writer to reuse the pages
    }
    for (const Row& row : rows) {
      RECALL_TRY(CompareInPlace(row, file));
      facts.raw_pages += static_cast<int64_t>(row.pages.size());
    }
    return Status::Ok();
  }();
  const Status ended = connection_->InTransaction() ? connection_->Execute("COMMIT") : Status::Ok();
  RECALL_TRY(compared);
  return ended;
}

}  // namespace recall
