// Evaluates one predicate on a chunk field within a given set of chunk rowids, which the cheaper
// predicates of an AND have already reduced. There are few indexes on chunk fields, so rows must be
// read, but only those of the set:
//
//   within    { 3 4 7 9        900 901         40000 }
//   ranges    [3 ........ 9]  [900 901]        [40000]
//
// A range costs one b-tree descent and then sequential reads. A gap of up to kWorthSkipping rows is
// cheaper to read than to skip, so it does not end a range.
//
// Equality of chunk.id is the exception: chunk ids are hashes of document id and position, and the
// store can look them up. MethodOf() names the method for `explain` and estimates its cost, from 0
// for a look-up of an id to 9 for reading every text; filter.cc evaluates the children of an AND in
// that order.
//
// Invariant: every chunk has a value for each stored field, so IS NULL matches no chunk and a
// negated predicate is the complement within the set. The fields of turns are read from the
// headings of sessions; other chunks have none of them, and satisfy neither a predicate nor its
// negation.
//
// A chunk may have several symbols, and several places in a file that its text was extracted from.
// It satisfies a predicate if one value does, and a negation if it has values and none does. So
// these scans collect two sets, the chunks with values and the chunks with a value that matches.
// The beginning of the name of a symbol is looked up in an index. Stores without such rows answer
// at once.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "index/base/text/turn_heading.h"
#include "index/search/filter/part_value.h"
#include "index/search/filter/predicate_scan.h"
#include "index/source/extract/types/locator_record.h"
#include "storage/documents/chunk_scan.h"
#include "storage/documents/document_store.h"
#include "storage/tables/extraction_table.h"
#include "storage/tables/symbol_table.h"

namespace recall {
namespace {

using Op = FilterOp;

// A gap of up to this many rows between two members is read and not skipped: a new look-up would
// cost more.
constexpr uint32_t kWorthSkipping = 32;

ChunkNumber NumberColumn(Field field) {
  switch (field) {
    case Field::kChunkTokens:
      return ChunkNumber::kTokens;
    case Field::kChunkStartByte:
      return ChunkNumber::kStartByte;
    case Field::kChunkEndByte:
      return ChunkNumber::kEndByte;
    case Field::kChunkStartLine:
      return ChunkNumber::kStartLine;
    case Field::kChunkEndLine:
      return ChunkNumber::kEndLine;
    default:
      return ChunkNumber::kOffset;
  }
}

bool IsEquality(const CompiledPredicate& predicate) {
  return !predicate.negated && (predicate.op == Op::kEqual || predicate.op == Op::kIn);
}

// Whether the index on names of symbols has what satisfies the predicate in few ranges.
bool IsByName(const CompiledPredicate& predicate) {
  if (predicate.field.field != Field::kChunkSymbol) return false;
  const bool has_prefix =
      !predicate.negated && predicate.is_pattern() && !predicate.PatternRange().low.empty();
  return IsEquality(predicate) || has_prefix;
}

class ChunkPredicateScan final {
 public:
  ChunkPredicateScan(const ReadTransaction& transaction, const CompiledPredicate& predicate,
                     const Bitmap& within)
      : transaction_(transaction),
        predicate_(predicate),
        within_(within),
        matcher_(predicate),
        reader_(transaction) {}

  Result<Bitmap> Run() {
    if (InfoOf(predicate_.field.field).source == FieldSource::kSession) return Turns();
    if (InfoOf(predicate_.field.field).source == FieldSource::kSymbol) return Symbols();
    if (InfoOf(predicate_.field.field).source == FieldSource::kPlace) return Places();
    // Every chunk has a value for each of these fields.
    if (predicate_.op == Op::kIsNull) return predicate_.negated ? within_ : Bitmap();
    const bool by_id = predicate_.field.field == Field::kChunkId && IsEquality(predicate_);
    if (by_id) {
      RECALL_TRY(LookUpIds());
    } else {
      RECALL_TRY(ScanMembers());
    }
    return std::move(found_);
  }

 private:
  Status LookUpIds() {
    for (const Operand& operand : predicate_.operands) {
      if (operand.text.size() != kIdDigits) continue;
      RECALL_ASSIGN(const auto chunks, FindLiveChunksById(transaction_, operand.text, 2));
      for (const ChunkRow& chunk : chunks) {
        RECALL_TRY(reader_.ScanIds(chunk.row, chunk.row, Texts()));
      }
    }
    return Status::Ok();
  }

  // ---- Fields with several values

  Result<Bitmap> Symbols() {
    Connection& connection = transaction_.connection();
    RECALL_ASSIGN(const bool has_symbols, HasSymbols(connection));
    if (!has_symbols) return Answer();
    const auto take = [&](uint32_t row, std::string_view text) {
      if (!Wanted(row)) return;
      TakeValue(row, !asks_null() && matcher_.Text(text));
    };
    if (IsByName(predicate_)) {
      RECALL_TRY(ScanNamesOf(connection, take));
    } else {
      const SymbolText text = TextOfSymbols(predicate_.field.field);
      RECALL_TRY(ScanMembers(within_, [&](uint32_t first, uint32_t last) {
        return ScanSymbolTexts(connection, text, first, last, take);
      }));
    }
    return Answer();
  }

  Status ScanNamesOf(Connection& connection, const SymbolTextVisitor& take) {
    if (predicate_.is_pattern()) {
      TextInterval range = predicate_.PatternRange();
      return ScanSymbolNames(connection, {std::move(range.low), std::move(range.high)}, take);
    }
    for (const Operand& operand : predicate_.operands) {
      RECALL_TRY(ScanSymbolNames(connection, ExactSymbolName(operand.text), take));
    }
    return Status::Ok();
  }

  Result<Bitmap> Places() {
    Connection& connection = transaction_.connection();
    RECALL_ASSIGN(const bool has_extractions, HasExtractions(connection));
    if (!has_extractions) return Answer();
    std::vector<uint32_t> rows;
    const auto wants = [&](uint32_t first, uint32_t count) {
      if (count == 0) return false;
      rows = within_.ValuesIn(first, first + (count - 1));
      return !rows.empty();
    };
    RECALL_TRY(ScanExtractionPlaces(connection, wants, [&](const ExtractionPlaces& places) {
      return TakePlaces(places, rows);
    }));
    return Answer();
  }

  // Of chunks of one document.
  Status TakePlaces(const ExtractionPlaces& places, const std::vector<uint32_t>& rows) {
    const auto spans = DecodeLocatorSpans(places.spans, places.size);
    if (!spans) {
      return Status::Corruption("the record of the places of document row " +
                                    std::to_string(places.doc_row) + " is damaged",
                                "run `recall doctor`, or add the file again");
    }
    const Field field = predicate_.field.field;
    const bool any = std::ranges::any_of(*spans, [&](const LocatorSpan& span) {
      return ValueOfPlace(field, span.locator).has_value();
    });
    if (!any) return Status::Ok();
    RECALL_ASSIGN(const std::vector<int64_t> starts, NumbersOf(ChunkNumber::kStartByte, rows));
    RECALL_ASSIGN(const std::vector<int64_t> ends, NumbersOf(ChunkNumber::kEndByte, rows));
    for (size_t i = 0; i < rows.size(); ++i) {
      for (const LocatorSpan& span :
           SpansWithin(*spans, static_cast<uint64_t>(starts[i]), static_cast<uint64_t>(ends[i]))) {
        const auto value = ValueOfPlace(field, span.locator);
        if (value) TakeValue(rows[i], !asks_null() && Matches(*value));
      }
    }
    return Status::Ok();
  }

  // A number of each of `rows`, which ascend; 0 where a row is missing.
  Result<std::vector<int64_t>> NumbersOf(ChunkNumber column, const std::vector<uint32_t>& rows) {
    std::vector<int64_t> numbers(rows.size());
    size_t at = 0;
    RECALL_TRY(ScanChunkNumbers(transaction_, column, rows.front(), rows.back(),
                                [&](uint32_t row, int64_t value) {
                                  while (at < rows.size() && rows[at] < row) ++at;
                                  if (at < rows.size() && rows[at] == row) numbers[at] = value;
                                }));
    return numbers;
  }

  bool asks_null() const { return predicate_.op == Op::kIsNull; }
  bool Matches(const SortValue& value) {
    return value.kind == SortValue::Kind::kText ? matcher_.Text(value.text)
                                                : matcher_.Integer(value.integer);
  }

  // The values of a chunk mostly come one after the other, and adding to a set costs more than
  // this.
  void TakeValue(uint32_t row, bool matches) {
    if (known_.empty() || known_.back() != row) known_.push_back(row);
    if (matches && (matching_.empty() || matching_.back() != row)) matching_.push_back(row);
  }

  // Of the values that were taken.
  Bitmap Answer() {
    const auto set_of = [](std::vector<uint32_t>& rows) {
      if (!std::ranges::is_sorted(rows)) std::ranges::sort(rows);
      const auto repeated = std::ranges::unique(rows);
      rows.erase(repeated.begin(), repeated.end());
      return Bitmap::Of(rows);
    };
    const Bitmap known = set_of(known_);
    if (asks_null()) return predicate_.negated ? known : within_.AndNot(known);
    const Bitmap matching = set_of(matching_);
    return predicate_.negated ? known.AndNot(matching) : matching;
  }

  // ---- Sessions

  Result<Bitmap> Turns() {
    RECALL_ASSIGN(const Bitmap sessions, AllSessions(transaction_, RowUnit::kChunks));
    const Bitmap within = sessions.And(within_);
    const bool asks_null = predicate_.op == Op::kIsNull;
    Bitmap known;
    RECALL_TRY(ScanMembers(within, [&](uint32_t first, uint32_t last) {
      return ScanChunkHeadings(transaction_, first, last, [&](uint32_t row, std::string_view text) {
        if (!within.Contains(row)) return;
        const auto matches = TurnMatches(text);
        if (!matches) return;
        if (asks_null) {
          known.Add(row);
        } else {
          Take(row, *matches);
        }
      });
    }));
    if (!asks_null) return std::move(found_);
    return predicate_.negated ? std::move(known) : within_.AndNot(known);
  }

  // Whether the turn with this heading satisfies the predicate; nothing if it has no value.
  std::optional<bool> TurnMatches(std::string_view heading) {
    const auto turn = ParseTurnHeading(heading);
    if (!turn) return std::nullopt;
    const bool asks_null = predicate_.op == Op::kIsNull;
    if (predicate_.field.field == Field::kChunkRole) {
      return !asks_null && matcher_.Text(turn->role);
    }
    if (predicate_.field.field == Field::kChunkTurn) {
      return !asks_null && matcher_.Integer(turn->turn);
    }
    const auto at = ParseRfc3339(turn->at);
    if (!at) return std::nullopt;
    return !asks_null && matcher_.Time(*at);
  }

  Status ScanMembers() {
    return ScanMembers(within_,
                       [this](uint32_t first, uint32_t last) { return ScanRange(first, last); });
  }

  template <typename Scan>
  Status ScanMembers(const Bitmap& members, const Scan& scan) {
    const std::vector<uint32_t> rows = members.Values();
    for (size_t i = 0; i < rows.size();) {
      size_t last = i;
      while (last + 1 < rows.size() && rows[last + 1] - rows[last] <= kWorthSkipping) ++last;
      RECALL_TRY(scan(rows[i], rows[last]));
      i = last + 1;
    }
    return Status::Ok();
  }

  Status ScanRange(uint32_t first, uint32_t last) {
    switch (predicate_.field.field) {
      case Field::kChunkId:
        return reader_.ScanIds(first, last, Texts());
      case Field::kChunkDocId:
        return reader_.ScanDocIds(first, last, Texts());
      case Field::kChunkText:
        return reader_.ScanTexts(first, last, Texts());
      case Field::kChunkHeading:
        return ScanChunkHeadings(transaction_, first, last, Texts());
      default:
        return ScanChunkNumbers(transaction_, NumberColumn(predicate_.field.field), first, last,
                                [this](uint32_t row, int64_t value) {
                                  if (Wanted(row)) Take(row, matcher_.Integer(value));
                                });
    }
  }

  ChunkTextVisitor Texts() {
    return [this](uint32_t row, std::string_view text) {
      if (Wanted(row)) Take(row, matcher_.Text(text));
    };
  }

  bool Wanted(uint32_t row) const { return within_.Contains(row); }
  void Take(uint32_t row, bool matches) {
    if (matches != predicate_.negated) found_.Add(row);
  }

  const ReadTransaction& transaction_;
  const CompiledPredicate& predicate_;
  const Bitmap& within_;
  PredicateMatcher matcher_;
  ChunkReader reader_;
  Bitmap found_;
  std::vector<uint32_t> known_;     // chunks with values
  std::vector<uint32_t> matching_;  // chunks with a value that satisfies the predicate
};

}  // namespace

bool IsOnChunks(const CompiledPredicate& predicate) {
  return InfoOf(predicate.field.field).table == FieldTable::kChunk;
}

Result<Bitmap> ScanChunkPredicate(const ReadTransaction& transaction,
                                  const CompiledPredicate& predicate, const Bitmap& within) {
  return ChunkPredicateScan(transaction, predicate, within).Run();
}

// The methods, in order of cost from a look-up to reading every text.
ScanMethod MethodOf(const CompiledPredicate& predicate) {
  const bool equality = IsEquality(predicate);
  // Negations and IS NULL must read every value, and so must patterns without a literal prefix.
  const bool sees_all = predicate.negated || predicate.op == Op::kIsNull ||
                        (predicate.is_pattern() && predicate.PatternRange().low.empty());
  const auto by_index = [&](std::string_view index, int cost, std::string_view scan) {
    return sees_all ? ScanMethod{scan, 3} : ScanMethod{index, cost};
  };
  switch (predicate.field.field) {
    case Field::kDocId:
      return equality ? ScanMethod{"id look-up", 0} : ScanMethod{"scan of documents", 5};
    case Field::kChunkId:
      return equality ? ScanMethod{"id look-up", 0} : ScanMethod{"scan of chunk ids", 7};
    case Field::kDocTag:
      return by_index("index on tag", 1, "scan of tags");
    case Field::kDocSource:
      return by_index("index on source", 1, "scan of sources");
    case Field::kDocPath:
      return by_index("index on path", 1, "scan of paths");
    case Field::kDocMtime: {
      // Documents without a time are adjacent in the index; a list or a pattern is not a range of
      // times.
      const bool is_range = !predicate.is_pattern() && predicate.op != Op::kIn;
      return is_range && !predicate.negated ? ScanMethod{"index on mtime", 2}
                                            : ScanMethod{"scan of mtimes", 3};
    }
    case Field::kDocMetaKey:
      if (predicate.field.meta_path.size() != 1) return {"scan of metadata", 5};
      return by_index("index on metadata", 2, "scan of one metadata key");
    case Field::kDocKind:
      return {"sets of notes and sessions", 1};
    case Field::kDocSession:
      if (predicate.field.meta_path.size() != 1) return {"scan of metadata", 5};
      return by_index("index on metadata of sessions", 2, "scan of one key of sessions");
    case Field::kChunkTurn:
    case Field::kChunkRole:
    case Field::kChunkAt:
      return {"scan of headings of turns", 6};
    case Field::kChunkSymbol:
      return IsByName(predicate) ? ScanMethod{"index on symbols", 1}
                                 : ScanMethod{"scan of symbols", 4};
    case Field::kChunkKind:
      return {"scan of symbols", 4};
    case Field::kChunkPage:
    case Field::kChunkSlide:
    case Field::kChunkSheet:
    case Field::kChunkCell:
      return {"places of extracted texts", 4};
    case Field::kDocStatus:
    case Field::kDocLifecycle:
      return {"cards of notes", 4};
    case Field::kDocLink:
    case Field::kDocBacklink:
    case Field::kDocLinks:
    case Field::kDocBacklinks:
      return {"links", 4};
    case Field::kDocUses:
    case Field::kDocUsedAt:
    case Field::kDocConsolidation:
    case Field::kDocDue:
    case Field::kDocInterval:
    case Field::kDocEasiness:
    case Field::kDocReviews:
      return {"uses and reviews", 4};
    case Field::kChunkText:
      return {"scan of chunk texts", 9};
    case Field::kChunkDocId:
      return {"scan of chunk ids", 7};
    case Field::kChunkHeading:
      return {"scan of chunk headings", 6};
    default:
      return IsOnChunks(predicate) ? ScanMethod{"scan of chunks", 6}
                                   : ScanMethod{"scan of documents", 5};
  }
}

}  // namespace recall
