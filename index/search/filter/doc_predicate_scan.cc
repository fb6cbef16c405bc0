// Evaluates one predicate on a document field. The result is a set of document rows, or of the
// chunk rowids of these documents: a document's chunks are consecutive, so a document is a span of
// rowids.
//
// Each field uses the narrowest index that can answer the predicate:
//
//   path, tag, source    index; a text interval [low, high) per operand or pattern
//   mtime                index; an interval of times
//   meta.key             metadata index (key, kind, value): numbers, texts and dates separately
//   session.key          the same, of sessions
//   id = ...             look-up
//   kind, lifecycle, ... note_predicate_scan.cc
//   other fields         scan of the table of documents
//
// An interval is an over-approximation: for a pattern it is the range of its literal prefix. Each
// value in it is therefore still tested with PredicateMatcher, which also decides between equal
// operands.
//
// Three-valued logic: a missing value satisfies neither a predicate nor its negation. A negated
// predicate therefore scans the values that exist. For metadata, where a key may have several
// values (a list), the negation is "has the key, and no value matches".
//
// Spans are collected in the order of the index. Sorting them, or marking their rows, puts them
// into the order in which the bitmap is built.

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "index/search/filter/predicate_scan.h"
#include "index/search/filter/row_span_set.h"
#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "storage/documents/document_store.h"
#include "storage/metadata/metadata_index.h"

namespace recall {
namespace {

using Op = FilterOp;

constexpr int64_t kLeastInteger = std::numeric_limits<int64_t>::min();
constexpr int64_t kMostInteger = std::numeric_limits<int64_t>::max();

TextInterval From(std::string low) { return {std::move(low), std::nullopt}; }
TextInterval UpTo(std::string high) { return {"", std::move(high)}; }
// The smallest text greater than `text`.
std::string After(std::string text) { return std::move(text) + '\0'; }

// Intervals that contain all texts that satisfy the predicate.
std::vector<TextInterval> TextRanges(const CompiledPredicate& predicate) {
  const auto& operands = predicate.operands;
  switch (predicate.op) {
    case Op::kLess:
      return {UpTo(operands[0].text)};
    case Op::kLessEqual:
      return {UpTo(After(operands[0].text))};
    case Op::kGreater:
      return {From(After(operands[0].text))};
    case Op::kGreaterEqual:
      return {From(operands[0].text)};
    case Op::kBetween:
      return {{operands[0].text, After(operands[1].text)}};
    case Op::kEqual:
    case Op::kIn: {
      std::vector<TextInterval> ranges;
      for (const Operand& operand : operands) {
        const TextInterval range{operand.text, After(operand.text)};
        if (std::ranges::find(ranges, range) == ranges.end()) ranges.push_back(range);
      }
      return ranges;
    }
    default:
      return {predicate.PatternRange()};
  }
}

class DocPredicateScan final {
 public:
  DocPredicateScan(const ReadTransaction& transaction, const CompiledPredicate& predicate,
                   RowUnit unit)
      : transaction_(transaction), predicate_(predicate), unit_(unit), matcher_(predicate) {}

  Result<Bitmap> Run(const DocColumn& column) {
    return std::visit([this](const auto& values) { return Scan(values); }, column.values);
  }

 private:
  bool asks_null() const { return predicate_.op == Op::kIsNull; }
  bool Passes(bool matches) const { return matches != predicate_.negated; }

  // A function for each type of DocColumn::values.
  Result<Bitmap> Scan(DocIds) {
    return predicate_.is_equality() ? LookUpIds() : Column(DocText::kId);
  }
  Result<Bitmap> Scan(Mtimes) { return Mtime(); }
  Result<Bitmap> Scan(const IndexedTexts& texts) { return Text(texts.index); }
  Result<Bitmap> Scan(MetadataValues values) {
    return values.of_sessions ? SessionValue() : Metadata();
  }
  Result<Bitmap> Scan(DocText column) { return Column(column); }
  Result<Bitmap> Scan(DocNumber column) { return Column(column); }

  // The rows with a value, or for IS NULL the rows without one.
  Result<Bitmap> Presence(Bitmap present) {
    if (predicate_.negated) return present;
    RECALL_ASSIGN(const Bitmap all, AllLive(transaction_, unit_));
    return all.AndNot(present);
  }

  Result<Bitmap> Text(IndexedText column) {
    SpanSet found;
    if (asks_null()) {
      RECALL_TRY(ScanIndexedText(transaction_, column, unit_, {},
                                 [&](std::string_view, RowSpan span) { found.Add(span); }));
      return Presence(found.Build());
    }
    const std::vector<TextInterval> ranges =
        predicate_.negated ? std::vector<TextInterval>{{}} : TextRanges(predicate_);
    for (const TextInterval& range : ranges) {
      RECALL_ASSIGN(const bool scanned, TextPages(column, range, &found));
      if (scanned) continue;
      RECALL_TRY(ScanIndexedText(transaction_, column, unit_, range,
                                 [&](std::string_view text, RowSpan span) {
                                   if (Passes(matcher_.Text(text))) found.Add(span);
                                 }));
    }
    return found.Build();
  }

  // Reads the pages of the index, unless SQLite finds a few equal texts sooner. Returns false if
  // that was not possible, and adds nothing.
  Result<bool> TextPages(IndexedText column, const TextInterval& range, SpanSet* found) {
    if (predicate_.is_equality()) return false;
    TextTest test;
    test.passes = [&](std::string_view text) { return Passes(matcher_.Text(text)); };
    const std::string_view literal = predicate_.RequiredBytes();
    if (literal.size() > 1) {
      test.find = [literal](ByteSpan bytes, size_t from) {
        const size_t at = FindBytes(bytes.subspan(from), AsBytes(literal));
        return at == std::string_view::npos ? at : from + at;
      };
    }
    SpanSet scanned;
    RECALL_ASSIGN(const bool complete, ScanTextIndex(transaction_, column, unit_, range, test,
                                                     [&](RowSpan span) { scanned.Add(span); }));
    if (complete) found->Add(scanned);
    return complete;
  }

  Result<Bitmap> Mtime() {
    if (asks_null() && !predicate_.negated) {
      SpanSet missing;
      RECALL_TRY(ScanWithoutMtime(transaction_, unit_, [&](RowSpan span) { missing.Add(span); }));
      return missing.Build();
    }
    int64_t low = kLeastInteger;
    int64_t high = kMostInteger;
    if (!predicate_.negated && !predicate_.operands.empty() && predicate_.op != Op::kIn) {
      const int64_t time = *predicate_.operands.front().time;
      const bool bounded_below = predicate_.op != Op::kLess && predicate_.op != Op::kLessEqual;
      const bool bounded_above =
          predicate_.op != Op::kGreater && predicate_.op != Op::kGreaterEqual;
      if (bounded_below) low = time;
      if (bounded_above) high = *predicate_.operands.back().time;
    }
    SpanSet found;
    RECALL_TRY(ScanMtimes(transaction_, unit_, low, high, [&](int64_t time, RowSpan span) {
      if (asks_null() || Passes(matcher_.Time(time))) found.Add(span);
    }));
    return asks_null() ? Presence(found.Build()) : found.Build();
  }

  template <typename ColumnKind>
  Result<Bitmap> Column(ColumnKind column) {
    SpanSet found;
    const auto take = [&](const auto& value, RowSpan span) {
      if (asks_null() || Passes(Test(value))) found.Add(span);
    };
    if constexpr (std::is_same_v<ColumnKind, DocText>) {
      RECALL_TRY(ScanDocTexts(transaction_, column, unit_, take));
    } else {
      RECALL_TRY(ScanDocNumbers(transaction_, column, unit_, take));
    }
    return asks_null() ? Presence(found.Build()) : found.Build();
  }
  bool Test(std::string_view text) { return matcher_.Text(text); }
  bool Test(int64_t number) { return matcher_.Integer(number); }

  // ---- Ids

  Result<Bitmap> LookUpIds() {
    SpanSet found;
    for (const Operand& operand : predicate_.operands) {
      if (operand.text.size() != kIdDigits) continue;
      RECALL_ASSIGN(const auto docs, FindLiveDocsById(transaction_, operand.text, 1));
      for (const DocRow& doc : docs) {
        if (ToHex(doc.id) != operand.text) continue;
        if (unit_ == RowUnit::kChunks) {
          found.Add({doc.first_chunk, doc.chunk_count});
        } else if (doc.row <= std::numeric_limits<uint32_t>::max()) {
          found.Add({static_cast<uint32_t>(doc.row), 1});
        } else {
          return Fail(Status::LimitExceeded("a document row exceeds 32 bits"));
        }
      }
    }
    return found.Build();
  }

  // ---- Metadata

  // What a document that is no session has under the key is no value of a session.
  Result<Bitmap> SessionValue() {
    RECALL_ASSIGN(const Bitmap sessions, AllSessions(transaction_, unit_));
    if (!asks_null() || predicate_.negated) {
      RECALL_ASSIGN(const Bitmap found, Metadata());
      return found.And(sessions);
    }
    RECALL_ASSIGN(const Bitmap missing, Metadata());
    RECALL_ASSIGN(const Bitmap all, AllLive(transaction_, unit_));
    return all.AndNot(sessions).Or(missing);
  }

  Result<Bitmap> Metadata() {
    RECALL_ASSIGN(const bool indexed, HasMetadataIndex(transaction_));
    if (!indexed || predicate_.field.meta_path.size() != 1) return MetadataByDocs();
    const std::string& key = predicate_.field.meta_path[0];
    SpanSet found;
    if (asks_null() || predicate_.negated) {
      RECALL_TRY(ScanMetadataKey(transaction_, key, unit_, [&](RowSpan span) { found.Add(span); }));
      if (asks_null()) return Presence(found.Build());
    }
    RECALL_ASSIGN(const Bitmap matches, MetadataMatches(key));
    return predicate_.negated ? found.Build().AndNot(matches) : matches;
  }

  // Documents with a value that satisfies the predicate without its negation.
  Result<Bitmap> MetadataMatches(const std::string& key) {
    SpanSet found;
    RECALL_TRY(ScanNumbers(key, &found));
    const auto take = [&](MetaScalar::Kind kind) {
      return [&, kind](std::string_view text, RowSpan span) {
        MetaScalar scalar;
        scalar.kind = kind;
        scalar.text = text;
        if (kind == MetaScalar::Kind::kDate) scalar.instant = ReadInstant(text).value_or(0);
        if (matcher_.Metadata(scalar)) found.Add(span);
      };
    };
    for (const TextInterval& range : TextRanges(predicate_)) {
      RECALL_TRY(ScanMetadataTexts(transaction_, key, kMetaText, unit_, range,
                                   take(MetaScalar::Kind::kText)));
    }
    // The order of dates is that of their texts only if none has a UTC offset.
    const TextInterval dates = predicate_.is_pattern() ? predicate_.PatternRange() : TextInterval();
    RECALL_TRY(ScanMetadataTexts(transaction_, key, kMetaDate, unit_, dates,
                                 take(MetaScalar::Kind::kDate)));
    return found.Build();
  }

  Status ScanNumbers(const std::string& key, SpanSet* found) {
    if (predicate_.is_pattern()) return Status::Ok();
    const Number least = Number::Real(-std::numeric_limits<double>::infinity());
    const Number most = Number::Real(std::numeric_limits<double>::infinity());
    const auto take = [&](Number number, RowSpan span) {
      MetaScalar scalar;
      scalar.kind = MetaScalar::Kind::kNumber;
      scalar.number = number;
      if (matcher_.Metadata(scalar)) found->Add(span);
    };
    const bool is_equality = predicate_.op == Op::kEqual || predicate_.op == Op::kIn;
    if (!is_equality) {
      return ScanMetadataNumbers(transaction_, key, kMetaNumber, unit_, least, most, take);
    }
    for (const Operand& operand : predicate_.operands) {
      if (!operand.number) continue;
      RECALL_TRY(ScanMetadataNumbers(transaction_, key, kMetaNumber, unit_, *operand.number,
                                     *operand.number, take));
    }
    return Status::Ok();
  }

  Result<Bitmap> MetadataByDocs() {
    SpanSet found;
    RECALL_TRY(
        ScanDocTexts(transaction_, DocText::kMeta, unit_, [&](std::string_view json, RowSpan span) {
          const auto scalars = MetadataAt(json, predicate_.field.meta_path);
          if (!scalars) return;
          const bool matches = !asks_null() && std::ranges::any_of(*scalars, [&](const auto& s) {
            return matcher_.Metadata(s);
          });
          if (asks_null() || Passes(matches)) found.Add(span);
        }));
    return asks_null() ? Presence(found.Build()) : found.Build();
  }

  const ReadTransaction& transaction_;
  const CompiledPredicate& predicate_;
  const RowUnit unit_;
  PredicateMatcher matcher_;
};

}  // namespace

Result<Bitmap> ScanDocPredicate(const ReadTransaction& transaction,
                                const CompiledPredicate& predicate, const DocColumn& column,
                                RowUnit unit) {
  return DocPredicateScan(transaction, predicate, unit).Run(column);
}

Result<Bitmap> AllSessions(const ReadTransaction& transaction, RowUnit unit) {
  SpanSet sessions;
  RECALL_TRY(ScanSessions(transaction, unit, [&](RowSpan span) { sessions.Add(span); }));
  return sessions.Build();
}

Result<Bitmap> AllLive(const ReadTransaction& transaction, RowUnit unit) {
  SpanSet all;
  RECALL_TRY(ScanLiveDocs(transaction, unit, [&](RowSpan span) { all.Add(span); }));
  return all.Build();
}

}  // namespace recall
