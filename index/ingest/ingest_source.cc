#include "index/ingest/ingest_source.h"

#include <memory>
#include <utility>

#include "index/archive/archive_names.h"
#include "index/ingest/extract.h"

namespace recall {

IngestSource::Item FileItem(const FoundFile& file, const BuildOptions& options) {
  IngestSource::Item item;
  item.path = file.doc_path;
  item.bytes = file.size;
  if (IsCompressedName(file.doc_path)) {
    std::string remark;
    const auto text = std::make_shared<Result<std::string>>(
        ReadTextFile(FilePathOf(file, options.store_root), options.max_file_bytes, &remark));
    item.bytes = *text ? static_cast<int64_t>((*text)->size()) : 0;
    item.source_bytes = file.size;
    item.make = [&file, &options, text, remark](const std::optional<DocRow>& live,
                                                TermBuilder& terms) {
      PreparedDocument prepared = BuildDocument(file, std::move(*text), live, options, terms);
      if (!remark.empty()) prepared.remarks.push_back({file.doc_path, remark});
      return prepared;
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
