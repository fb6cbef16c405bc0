#include "index/ingest/ingest_source.h"

namespace recall {

Result<std::optional<IngestSource::Item>> FileSource::Next() {
  if (next_ == files_->size()) return std::nullopt;
  const FoundFile* const file = &(*files_)[next_++];
  Item item;
  item.path = file->doc_path;
  item.bytes = file->size;
  item.make = [file, this](const std::optional<DocRow>& live, TermBuilder& terms) {
    return BuildDocument(*file, live, *options_, terms);
  };
  return item;
}

}  // namespace recall
