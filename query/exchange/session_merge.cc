#include "query/exchange/session_merge.h"

#include "index/source/chunk/chunker.h"
#include "index/source/session/session_version.h"
#include "storage/base/ids.h"
#include "storage/documents/document_store.h"

namespace recall {

bool IsSessionDocument(const DocRow& doc) { return doc.parser == kSessionParser; }

void UniteWith(std::string_view text, std::string_view meta, const ChunkOptions& chunking,
               ImportedDocument* imported) {
  DocRow& doc = imported->doc;
  const SessionVersion united = UniteVersions(
      ReadSessionVersion(imported->text, doc.meta.value_or("")), ReadSessionVersion(text, meta));
  std::string united_text = WriteSessionText(united.turns.turns, united.turns.tool_calls);
  doc.meta = WriteSessionMeta(united.meta);
  doc.mtime = united.meta.captured_at;
  if (united_text == imported->text) return;
  imported->text = std::move(united_text);
  doc.hash = Sha256(imported->text);
  doc.id = MakeDocId(doc.path, doc.hash);
  doc.size = static_cast<int64_t>(imported->text.size());
  imported->spans = ChunkText(imported->text, Parser::kSession, chunking);
  imported->text_blocks.clear();
  imported->vectors.clear();
  imported->embeddings.clear();
}

}  // namespace recall
