#include "index/ingest/ingest_source.h"

namespace recall {

IngestSource::Item FileItem(const FoundFile& file, const BuildOptions& options) {
  IngestSource::Item item;
  item.path = file.doc_path;
  item.bytes = file.size;
  item.make = [&file, &options](const std::optional<DocRow>& live, TermBuilder& terms) {
    return BuildDocument(file, live, options, terms);
  };
  return item;
}

Result<std::optional<IngestSource::Item>> FileSource::Next() {
  if (next_ == files_->size()) return std::nullopt;
  return FileItem((*files_)[next_++], *options_);
}

}  // namespace recall
