#include "query/ask/rows/scoped_snapshot.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "storage/notes/note_card.h"

namespace recall {
namespace {

// More ids than can share a prefix that users type.
constexpr size_t kMostWithOnePrefix = 1 << 16;

bool Holds(const Bitmap& set, int64_t row) {
  return row >= 0 && row <= std::numeric_limits<uint32_t>::max() &&
         set.Contains(static_cast<uint32_t>(row));
}

bool IsPrivateNote(const DocRow& doc) {
  return doc.parser == kNoteParser && IsPrivateCard(doc.meta.value_or(""));
}

}  // namespace

Result<ScopeSets> ScopeSets::Of(const Snapshot& snapshot, const FilterExpr& scope) {
  const FilterSets& filters = snapshot.filters();
  const auto compiled = CompiledFilter::Compile(scope, WallClockNanos());
  if (!compiled) return Fail(Status::InvalidArgument("the scope: " + compiled.error().message));
  RECALL_ASSIGN(FilterOutcome chunks, filters.Evaluate(*compiled, FilterDomain::kChunks));
  RECALL_ASSIGN(FilterOutcome docs, filters.Evaluate(*compiled, FilterDomain::kDocs));
  const StoreCounts& all = snapshot.counts();
  VisiblePart part{Bitmap(), all};
  if (static_cast<int64_t>(docs.set.Count()) != all.docs ||
      static_cast<int64_t>(chunks.set.Count()) != all.chunks) {
    RECALL_ASSIGN(part, snapshot.PartOf({docs.set, chunks.set}));
  }
  return ScopeSets{std::move(chunks.set), std::move(docs.set), std::move(part),
                   compiled->depends_on_now()};
}

bool ScopedSnapshot::Texts::Shows(const DocRow& doc) const { return Holds(sets_.docs, doc.row); }

Result<std::optional<DocRow>> ScopedSnapshot::Texts::FindDoc(std::string_view path) const {
  RECALL_ASSIGN(auto doc, all_.FindDoc(path));
  if (doc && !Shows(*doc)) return std::nullopt;
  return doc;
}

Result<std::vector<DocRow>> ScopedSnapshot::Texts::FindRemovedVersions(
    std::string_view path) const {
  if (!sets_.hides_private_notes_only) return std::vector<DocRow>();
  RECALL_ASSIGN(const auto live, all_.FindDoc(path));
  if (live && !Shows(*live)) return std::vector<DocRow>();
  RECALL_ASSIGN(auto versions, all_.FindRemovedVersions(path));
  if (std::ranges::any_of(versions, IsPrivateNote)) versions.clear();
  return versions;
}

Result<std::vector<DocRow>> ScopedSnapshot::Texts::FindDocsUnder(std::string_view directory) const {
  RECALL_ASSIGN(auto docs, all_.FindDocsUnder(directory));
  std::erase_if(docs, [&](const DocRow& doc) { return !Shows(doc); });
  return docs;
}

Result<std::vector<DocRow>> ScopedSnapshot::Texts::FindDocsById(std::string_view hex_prefix,
                                                                size_t limit) const {
  RECALL_ASSIGN(auto docs, all_.FindDocsById(hex_prefix, kMostWithOnePrefix));
  std::erase_if(docs, [&](const DocRow& doc) { return !Shows(doc); });
  docs.resize(std::min(docs.size(), limit));
  return docs;
}

Result<std::vector<ChunkRow>> ScopedSnapshot::Texts::FindChunksById(std::string_view hex_prefix,
                                                                    size_t limit) const {
  RECALL_ASSIGN(auto chunks, all_.FindChunksById(hex_prefix, kMostWithOnePrefix));
  std::erase_if(chunks, [&](const ChunkRow& chunk) { return !Holds(sets_.chunks, chunk.row); });
  if (chunks.size() > limit)
    chunks.erase(chunks.begin() + static_cast<ptrdiff_t>(limit), chunks.end());
  return chunks;
}

bool ScopedSnapshot::Texts::ShowsPartOf(RowSpan span) const {
  if (span.count == 0) return false;
  return sets_.chunks.Contains(span.first) ||
         !sets_.chunks.ValuesIn(span.first, span.first + span.count - 1).empty();
}

Status ScopedSnapshot::Texts::ScanLiveChunks(const SpanVisitor& visit) const {
  // A document is one span, also if only some of its chunks satisfy the scope.
  return all_.ScanLiveChunks([&](RowSpan span) {
    if (ShowsPartOf(span)) visit(span);
  });
}

Status ScopedSnapshot::Texts::ScanMetadata(std::string_view key, const TextVisitor& visit) const {
  return all_.ScanMetadata(key, [&](std::string_view text, RowSpan span) {
    if (ShowsPartOf(span)) visit(text, span);
  });
}

Status ScopedSnapshot::Texts::ScanPaths(bool descending,
                                        const std::function<bool(const PathEntry&)>& visit) const {
  return all_.ScanPaths(descending, [&](const PathEntry& entry) {
    return Holds(sets_.docs, entry.doc_row) ? visit(entry) : true;
  });
}

Result<FilterOutcome> ScopedSnapshot::Filters::Evaluate(const CompiledFilter& filter,
                                                        FilterDomain domain,
                                                        const VisibleRows*) const {
  const VisibleRows visible{sets_.docs, sets_.chunks};
  RECALL_ASSIGN(FilterOutcome outcome, all_.Evaluate(filter, domain, &visible));
  outcome.warnings.clear();  // they say which keys of metadata no document has
  return outcome;
}

Result<std::optional<Bitmap>> ScopedSnapshot::Filters::Visible(FilterDomain domain) const {
  return domain == FilterDomain::kChunks ? sets_.chunks : sets_.docs;
}

bool ScopedSnapshot::Notes::Shows(int64_t doc_row) const { return Holds(sets_.docs, doc_row); }

template <typename Link>
bool ScopedSnapshot::Notes::ShowsEndsOf(const Link& link) const {
  return (!link.source_row || Shows(*link.source_row)) &&
         (!link.target_row || Shows(*link.target_row));
}

Result<std::vector<LinkRecord>> ScopedSnapshot::Notes::LinksAt(LinkEnd end,
                                                               std::string_view path) const {
  RECALL_ASSIGN(auto links, all_.LinksAt(end, path));
  std::erase_if(links, [&](const LinkRecord& link) { return !ShowsEndsOf(link); });
  return links;
}

Result<DocumentRecords> ScopedSnapshot::Notes::RecordsOf(std::string_view path) const {
  RECALL_ASSIGN(DocumentRecords history, all_.RecordsOf(path));
  std::erase_if(history.links, [&](const LinkRecord& link) { return !ShowsEndsOf(link); });
  return history;
}

Result<std::optional<NoteFacts>> ScopedSnapshot::Notes::FindFacts(int64_t doc_row,
                                                                  UnixNanos as_of) const {
  if (!Shows(doc_row)) return std::nullopt;
  return all_.FindFacts(doc_row, as_of);
}

Result<std::optional<NoteState>> ScopedSnapshot::Notes::FindState(int64_t doc_row,
                                                                  UnixNanos as_of) const {
  if (!Shows(doc_row)) return std::nullopt;
  return all_.FindState(doc_row, as_of);
}

Status ScopedSnapshot::Notes::ScanFacts(UnixNanos as_of,
                                        const std::function<void(const NoteFacts&)>& visit) const {
  return all_.ScanFacts(as_of, [&](const NoteFacts& facts) {
    if (Shows(facts.doc_row)) visit(facts);
  });
}

Status ScopedSnapshot::Notes::ScanLinks(const std::function<void(const NamedLink&)>& visit) const {
  return all_.ScanLinks([&](const NamedLink& link) {
    if (ShowsEndsOf(link)) visit(link);
  });
}

}  // namespace recall
