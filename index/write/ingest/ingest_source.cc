#include "index/write/ingest/ingest_source.h"

#include <memory>
#include <utility>

#include "index/source/archive/archive_names.h"

namespace recall {

IngestSource::Item FileItem(const FoundFile& file, const BuildOptions& options) {
  IngestSource::Item item;
  item.path = file.doc_path;
  item.bytes = file.size;
  if (IsCompressedName(file.doc_path)) {
    const auto content = std::make_shared<Result<FileContent>>(ReadContent(file, options));
    item.bytes = *content ? static_cast<int64_t>((*content)->bytes.size()) : 0;
    item.source_bytes = file.size;
    item.make = [&file, &options, content](const std::optional<DocRow>& live, TermBuilder& terms) {
      return BuildDocument(file, std::move(*content), live, options, terms);
    };
    return item;
  }
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
