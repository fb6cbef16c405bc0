// Evaluates one predicate on a computed field of documents: what is known of notes, links, uses and
// reviews, as of the reference time of the query. The result is a set of document rows or chunk
// rowids, as in doc_predicate_scan.cc.
//
//   kind                  the set of notes (a bitmap), the rows of sessions, and all live rows
//   lifecycle             that set less the obsolete notes, where only these make the difference;
//                         otherwise the cards
//   status                the cards of notes
//   uses, due, ...        the cards and activities of notes and of documents that were used
//   link.R, links, ...    the links, and the documents at their ends
//
// Three-valued logic: a document without a value satisfies neither a predicate nor its negation.
// Counts are an exception: a document that is in no table has 0 uses, reviews and links. Such a
// field is evaluated on the documents with rows, and on 0 once for all others.
//
// Cost: the set of notes takes microseconds. The others scan tables of notes, half a microsecond
// for each note or link.

#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>

#include "index/search/bitmap/tombstones.h"
#include "index/search/filter/computed_value.h"
#include "index/search/filter/predicate_scan.h"
#include "index/search/filter/row_span_set.h"
#include "storage/base/bytes.h"
#include "storage/notes/card_table.h"
#include "storage/notes/link_table.h"
#include "storage/notes/name_table.h"
#include "storage/notes/note_facts.h"
#include "storage/notes/note_set.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

using Op = FilterOp;

class NotePredicateScan final {
 public:
  NotePredicateScan(const ReadTransaction& transaction, const CompiledPredicate& predicate,
                    RowUnit unit, const Bitmap* linkable)
      : transaction_(transaction),
        connection_(transaction.connection()),
        predicate_(predicate),
        type_(InfoOf(predicate.field.field).type),
        unit_(unit),
        linkable_(linkable),
        matcher_(predicate) {}

  Result<Bitmap> Run(const ComputedColumn& column) {
    RECALL_ASSIGN(has_notes_, HasNoteTables(connection_));
    return std::visit([this](const auto& values) { return Scan(values); }, column.values);
  }

 private:
  bool asks_null() const { return predicate_.op == Op::kIsNull; }
  bool Passes(bool matches) const { return matches != predicate_.negated; }
  // Whether a document with a value is wanted that satisfies (or not) the predicate.
  bool Wants(bool matches) const { return asks_null() ? predicate_.negated : Passes(matches); }
  // Whether a document without a value is wanted.
  bool WantsMissing() const { return asks_null() && !predicate_.negated; }
  bool Text(std::string_view value) { return !asks_null() && matcher_.Text(value); }

  // A function for each type of ComputedColumn::values.
  Result<Bitmap> Scan(DocumentKind) { return Kind(); }
  Result<Bitmap> Scan(const NoteFact& fact) {
    const bool is_lifecycle = predicate_.field.field == Field::kDocLifecycle;
    return is_lifecycle && OnlyObsoleteDiffers() ? ObsoleteOrNot() : Facts(fact);
  }
  Result<Bitmap> Scan(LinksOfDocument links) { return Links(links); }

  Result<RowSpan> SpanOf(int64_t doc_row, uint32_t first_chunk, uint32_t chunk_count) const {
    if (unit_ == RowUnit::kChunks) return RowSpan{first_chunk, chunk_count};
    if (doc_row >= 0 && doc_row <= std::numeric_limits<uint32_t>::max()) {
      return RowSpan{static_cast<uint32_t>(doc_row), 1};
    }
    return Fail(Status::LimitExceeded("a document row exceeds 32 bits"));
  }

  // The live rows of notes.
  Result<Bitmap> Notes() {
    if (!has_notes_) return Bitmap();
    if (unit_ == RowUnit::kDocs) {
      return CardsWhere([](const CardRow& card) { return card.is_note; });
    }
    RECALL_ASSIGN(const std::string bytes, ReadNoteSet(connection_));
    auto all = Bitmap::Parse(AsBytes(bytes));
    if (!all) return Fail(all.error().WithContext("read the set of notes"));
    RECALL_ASSIGN(const Bitmap removed, ReadTombstones(transaction_));
    return all->AndNot(removed);
  }

  template <typename Test>
  Result<Bitmap> CardsWhere(const Test& test) {
    SpanSet found;
    Status status;
    RECALL_TRY(ScanCards(connection_, [&](const CardRow& card) {
      if (!status.ok() || !test(card)) return;
      const auto span = SpanOf(card.doc_row, card.first_chunk, card.chunk_count);
      span ? found.Add(*span) : void(status = span.error());
    }));
    if (!status.ok()) return Fail(status);
    return found.Build();
  }

  Result<Bitmap> Kind() {
    const bool wants_notes = Test(SortValue::Text(std::string(KindOfParser(kNoteParser))));
    const bool wants_sessions = Test(SortValue::Text(std::string(KindOfParser(kSessionParser))));
    const bool wants_files = Test(SortValue::Text(std::string(KindOfParser(""))));
    Bitmap notes;
    Bitmap sessions;
    if (wants_notes != wants_files) {
      RECALL_ASSIGN(notes, Notes());
    }
    if (wants_sessions != wants_files) {
      RECALL_ASSIGN(sessions, AllSessions(transaction_, unit_));
    }
    const Bitmap others = notes.Or(sessions);  // than files, treated in another way
    if (!wants_files) return others;
    RECALL_ASSIGN(const Bitmap all, AllLive(transaction_, unit_));
    return all.AndNot(others);
  }

  // ---- Lifecycle

  bool WantsState(Lifecycle state) { return Wants(Text(LifecycleName(state))); }

  bool OnlyObsoleteDiffers() {
    const bool fresh = WantsState(Lifecycle::kFresh);
    return !WantsMissing() && fresh == WantsState(Lifecycle::kAging) &&
           fresh == WantsState(Lifecycle::kStale) && fresh == WantsState(Lifecycle::kExpired);
  }

  Result<Bitmap> ObsoleteOrNot() {
    const bool wants_obsolete = WantsState(Lifecycle::kObsolete);
    const bool wants_others = WantsState(Lifecycle::kFresh);
    if (!wants_obsolete && !wants_others) return Bitmap();
    Bitmap obsolete;
    if (has_notes_ && wants_obsolete != wants_others) {
      RECALL_ASSIGN(obsolete, Obsolete());
      if (wants_obsolete) return obsolete;
    }
    RECALL_ASSIGN(const Bitmap notes, Notes());
    return notes.AndNot(obsolete);
  }

  Result<Bitmap> Obsolete() {
    SpanSet found;
    RECALL_ASSIGN(Statement select, connection_.Prepare("SELECT doc, first_chunk, chunk_count "
                                                        "FROM card WHERE obsolete = 1"));
    for (;;) {
      RECALL_ASSIGN(const bool row, select.Step());
      if (!row) return found.Build();
      RECALL_ASSIGN(const RowSpan span,
                    SpanOf(select.ColumnInt(0), static_cast<uint32_t>(select.ColumnInt(1)),
                           static_cast<uint32_t>(select.ColumnInt(2))));
      found.Add(span);
    }
  }

  // ---- Cards and activities

  // Whether a document with this value, or without one, is wanted.
  bool Test(const SortValue& value) {
    if (value.kind == SortValue::Kind::kMissing) return WantsMissing();
    return Wants(!asks_null() && Matches(value));
  }
  bool Matches(const SortValue& value) {
    switch (type_) {
      case FieldType::kInteger:
        return matcher_.Integer(value.integer);
      case FieldType::kTime:
        return matcher_.Time(value.integer);
      case FieldType::kReal:
        return matcher_.Real(value.real);
      case FieldType::kText:
      case FieldType::kDynamic:
        return matcher_.Text(value.text);
    }
    return false;
  }

  // Documents that satisfy the predicate: those of which facts are known, and if a document without
  // facts satisfies it, all others.
  Result<Bitmap> Facts(const NoteFact& fact) {
    const auto passes = [&](const NoteFacts& facts) {
      return Test(fact.value(facts, predicate_.now));
    };
    const bool others = passes(NoteFacts());
    SpanSet passed;
    SpanSet known;
    Status status;
    if (has_notes_) {
      RECALL_TRY(ScanNoteFacts(connection_, predicate_.now, [&](const NoteFacts& facts) {
        if (!status.ok()) return;
        const auto span = SpanOf(facts.doc_row, facts.first_chunk, facts.chunk_count);
        if (!span) {
          status = span.error();
          return;
        }
        if (passes(facts)) passed.Add(*span);
        if (others) known.Add(*span);
      }));
    }
    if (!status.ok()) return Fail(status);
    return WithOthers(passed, known, others);
  }

  Result<Bitmap> WithOthers(SpanSet& passed, SpanSet& known, bool others) {
    if (!others) return passed.Build();
    RECALL_ASSIGN(const Bitmap all, AllLive(transaction_, unit_));
    return all.AndNot(known.Build()).Or(passed.Build());
  }

  // ---- Links

  bool Count(int64_t links) { return Test(SortValue::Integer(links)); }

  // What is known of the links of one name.
  struct Linked {
    int64_t links = 0;
    bool matches = false;  // a path at the other end satisfies the predicate, without its negation
  };

  // The documents with links.
  Result<Bitmap> Links(LinksOfDocument links) {
    std::map<int64_t, Linked> linked;  // by name
    if (has_notes_) RECALL_TRY(CollectLinks(links, &linked));
    SpanSet passed;
    SpanSet known;
    const bool others = links.counted ? Count(0) : WantsMissing();
    for (const auto& [name, of_name] : linked) {
      RECALL_ASSIGN(const auto card, FindCardOfName(connection_, name));
      if (!card) continue;
      RECALL_ASSIGN(const RowSpan span,
                    SpanOf(card->doc_row, card->first_chunk, card->chunk_count));
      const bool passes = links.counted ? Count(of_name.links) : Wants(of_name.matches);
      if (passes) passed.Add(span);
      if (others) known.Add(span);
    }
    return WithOthers(passed, known, others);
  }

  // Whether links may lead to a name: that of a linkable document, or of none.
  Result<bool> IsLinkable(int64_t name) {
    if (!linkable_) return true;
    const auto found = is_linkable_.find(name);
    if (found != is_linkable_.end()) return found->second;
    RECALL_ASSIGN(const auto card, FindCardOfName(connection_, name));
    const bool linkable = !card || linkable_->Contains(static_cast<uint32_t>(card->doc_row));
    return is_linkable_[name] = linkable;
  }

  Status CollectLinks(LinksOfDocument links, std::map<int64_t, Linked>* linked) {
    std::unordered_map<int64_t, bool> other_matches;  // whether the path of a name matches
    Status status;
    const auto matches = [&](int64_t name) -> Result<bool> {
      if (asks_null()) return false;
      const auto found = other_matches.find(name);
      if (found != other_matches.end()) return found->second;
      RECALL_ASSIGN(const std::string path, PathOfName(connection_, name));
      return other_matches[name] = matcher_.Text(path);
    };
    RECALL_TRY(ScanLinks(connection_, [&](const LinkRow& link) {
      if (!status.ok()) return;
      const bool leaves = links.end == LinkEnd::kSource;
      const int64_t name = leaves ? link.source : link.target;
      const int64_t other = leaves ? link.target : link.source;
      if (!HasRelation(predicate_.field, link.relation)) return;
      const auto linkable = IsLinkable(other);
      if (!linkable) status = linkable.error();
      if (!linkable || !*linkable) return;
      Linked& entry = (*linked)[name];
      ++entry.links;
      if (links.counted || entry.matches) return;
      const auto match = matches(other);
      match ? void(entry.matches = *match) : void(status = match.error());
    }));
    return status;
  }

  const ReadTransaction& transaction_;
  Connection& connection_;
  const CompiledPredicate& predicate_;
  const FieldType type_;
  const RowUnit unit_;
  const Bitmap* const linkable_;
  PredicateMatcher matcher_;
  bool has_notes_ = false;
  std::unordered_map<int64_t, bool> is_linkable_;  // by name
};

}  // namespace

Result<Bitmap> ScanNotePredicate(const ReadTransaction& transaction,
                                 const CompiledPredicate& predicate, const ComputedColumn& column,
                                 RowUnit unit, const Bitmap* linkable) {
  return NotePredicateScan(transaction, predicate, unit, linkable).Run(column);
}

}  // namespace recall
