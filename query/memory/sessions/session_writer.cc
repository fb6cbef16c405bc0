#include "query/memory/sessions/session_writer.h"

#include <memory>
#include <utility>

#include "index/write/local/local_store.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

// Documents that are ready to be written, in order.
class SessionSource final : public IngestSource {
 public:
  SessionSource(std::vector<ProvidedDocument> documents, const BuildOptions* options)
      : documents_(std::move(documents)), options_(options) {}

  Result<std::optional<Item>> Next() override {
    if (next_ == documents_.size()) return std::nullopt;
    auto document = std::make_shared<ProvidedDocument>(std::move(documents_[next_++]));
    Item item;
    item.path = document->path;
    item.bytes = static_cast<int64_t>(document->text.size());
    item.make = [document, options = options_](const std::optional<DocRow>& live,
                                               TermBuilder& terms) {
      return PrepareDocument(std::move(*document), live, *options, terms);
    };
    return item;
  }
  bool repeats_paths() const override { return false; }

 private:
  std::vector<ProvidedDocument> documents_;
  const BuildOptions* options_;
  size_t next_ = 0;
};

}  // namespace

Result<std::optional<StoredSession>> ReadStoredSession(const SessionDependencies& deps,
                                                       const std::string& path) {
  RECALL_ASSIGN(const auto present, deps.store->BeginRead());
  RECALL_ASSIGN(const auto doc, FindLiveDoc(*present, path));
  if (!doc || doc->parser != kSessionParser) return std::nullopt;
  StoredSession stored{.text = {}, .meta = doc->meta.value_or(""), .origin = doc->origin};
  RECALL_ASSIGN(stored.text, ReadText(*present, *doc, 0, static_cast<uint64_t>(doc->size)));
  return stored;
}

Result<IngestCounts> WriteSessions(const SessionDependencies& deps,
                                   std::vector<ProvidedDocument> documents, bool dry_run) {
  IngestCounts counts;
  if (documents.empty()) return counts;
  const StoreSettings& settings = deps.store->settings();
  BuildOptions options;
  options.store_root = deps.root;
  options.parser = Parser::kSession;
  options.chunking = {settings.chunk_tokens, settings.overlap_tokens};
  options.dry_run = dry_run;
  options.secrets = SecretPolicy::kKeep;
  options.embedders = deps.embedders;
  RECALL_ASSIGN(const auto space, OpenSpace(*deps.store, deps.embedders));
  LocalStore store(deps.store, space);
  SessionSource source(std::move(documents), &options);
  RECALL_TRY(IngestDocuments(store, space, source, options, {.threads = deps.threads}, *deps.cancel,
                             {}, &counts));
  return counts;
}

}  // namespace recall
