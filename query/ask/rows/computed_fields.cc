// Reads computed fields for ORDER BY and SELECT.
//
// Problem. An order needs a value of every document of a filter, perhaps of a million; a page needs
// those of ten. The tables of notes are keyed by path, not by document.
//
// Idea. For an order the tables are read once, into a column for each field: an array of numbers
// sorted by document, in which a row finds its value by binary search. Texts are kept once each;
// there are few different ones (states, kinds). A list of paths is kept as the names of its links,
// and becomes text when a row asks for it. Without a column, values are looked up by document.
//
// Invariant. Both ways, and filters, take the value from ValueOfFacts, or from the same links.
//
// Cost: for an order one scan of the tables and 16 bytes for each value that is not the default;
// for a page a look-up by key for each document.

#include "query/ask/rows/computed_fields.h"

#include <algorithm>
#include <bit>

#include "index/search/filter/computed_value.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

using Kind = SortValue::Kind;

bool IsComputed(const FieldRef& field) { return InfoOf(field.field).computed(); }

// The paths of links, each once.
SortValue ListOf(std::vector<std::string> paths) {
  if (paths.empty()) return {};
  std::ranges::sort(paths);
  const auto repeated = std::ranges::unique(paths);
  paths.erase(repeated.begin(), repeated.end());
  SortValue list;
  list.kind = Kind::kCompound;
  JsonWriter(&list.text).Value(paths);
  return list;
}

std::string JsonOf(const FieldRef& field, const SortValue& value) {
  std::string text;
  JsonWriter json(&text);
  switch (value.kind) {
    case Kind::kMissing:
      json.Null();
      break;
    case Kind::kInteger:
      if (InfoOf(field.field).type == FieldType::kTime) {
        json.String(FormatRfc3339(value.integer));
      } else {
        json.Int(value.integer);
      }
      break;
    case Kind::kReal:
      json.Double(value.real);
      break;
    case Kind::kCompound:
      return value.text;
    default:
      json.String(value.text);
  }
  return text;
}

}  // namespace

Status ComputedFields::Load(const std::vector<FieldRef>& fields) {
  columns_.clear();
  for (const FieldRef& field : ComputedAmong(fields)) {
    if (field.field != Field::kDocKind) columns_.push_back({field, {}, {}, {}});
  }
  const auto of_links = [](const Column& column) { return IsOfLinks(column.field.field); };
  if (!std::ranges::all_of(columns_, of_links)) RECALL_TRY(LoadFacts());
  if (std::ranges::any_of(columns_, of_links)) RECALL_TRY(LoadLinks());
  for (Column& column : columns_) {
    column.place_of.clear();
    std::ranges::sort(column.entries, {},
                      [](const Entry& entry) { return std::pair(entry.doc_row, entry.bits); });
  }
  return Status::Ok();
}

Status ComputedFields::LoadFacts() {
  std::vector<SortValue> defaults;  // of documents without facts, by column
  for (const Column& column : columns_) {
    defaults.push_back(ValueOfFacts(column.field.field, NoteFacts(), as_of_));
  }
  return notes_.ScanFacts(as_of_, [&](const NoteFacts& facts) {
    for (size_t i = 0; i < columns_.size(); ++i) {
      Column& column = columns_[i];
      if (IsOfLinks(column.field.field)) continue;
      SortValue value = ValueOfFacts(column.field.field, facts, as_of_);
      if (value == defaults[i]) continue;
      column.entries.push_back({facts.doc_row, BitsOf(std::move(value), column)});
    }
  });
}

Status ComputedFields::LoadLinks() {
  return notes_.ScanLinks([&](const NamedLink& link) {
    for (Column& column : columns_) {
      const Field field = column.field.field;
      if (!IsOfLinks(field) || !HasRelation(column.field, link.relation)) continue;
      const bool leaves = EndOf(field) == LinkEnd::kSource;
      const auto& doc_row = leaves ? link.source_row : link.target_row;
      if (doc_row) column.entries.push_back({*doc_row, leaves ? link.target : link.source});
    }
  });
}

int64_t ComputedFields::BitsOf(SortValue value, Column& column) {
  if (value.kind == Kind::kInteger) return value.integer;
  if (value.kind == Kind::kReal) return std::bit_cast<int64_t>(value.real);
  const auto place = static_cast<int64_t>(column.texts.size());
  const auto [found, is_new] = column.place_of.emplace(value.text, place);
  if (is_new) column.texts.push_back(std::move(value.text));
  return found->second;
}

SortValue ComputedFields::ValueOf(const Column& column, int64_t bits) {
  switch (InfoOf(column.field.field).type) {
    case FieldType::kText:
      return SortValue::Text(column.texts[static_cast<size_t>(bits)]);
    case FieldType::kReal:
      return SortValue::Real(std::bit_cast<double>(bits));
    default:
      return SortValue::Integer(bits);
  }
}

const ComputedFields::Column* ComputedFields::Find(const FieldRef& field) const {
  const auto found = std::ranges::find(columns_, field, &Column::field);
  return found == columns_.end() ? nullptr : &*found;
}

Result<SortValue> ComputedFields::ReadColumn(const Column& column, int64_t doc_row) const {
  const Field field = column.field.field;
  const auto found = std::ranges::equal_range(column.entries, doc_row, {}, &Entry::doc_row);
  if (IsLinkCount(field)) return SortValue::Integer(static_cast<int64_t>(found.size()));
  if (IsOfLinks(field)) {
    std::vector<std::string> paths;
    for (const Entry& entry : found) {
      RECALL_ASSIGN(std::string path, notes_.PathOf(entry.bits));
      paths.push_back(std::move(path));
    }
    return ListOf(std::move(paths));
  }
  if (found.empty()) return ValueOfFacts(field, NoteFacts(), as_of_);
  return ValueOf(column, found.front().bits);
}

Result<SortValue> ComputedFields::ReadLinks(const FieldRef& field, const std::string& path) const {
  const LinkEnd end = EndOf(field.field);
  RECALL_ASSIGN(std::vector<LinkRecord> links, notes_.LinksAt(end, path));
  if (IsLinkCount(field.field)) return SortValue::Integer(static_cast<int64_t>(links.size()));
  std::vector<std::string> paths;
  for (LinkRecord& link : links) {
    if (!HasRelation(field, link.relation)) continue;
    paths.push_back(std::move(end == LinkEnd::kSource ? link.target : link.source));
  }
  return ListOf(std::move(paths));
}

Result<const NoteFacts*> ComputedFields::FactsOf(int64_t doc_row) {
  if (!last_ || last_->first != doc_row) {
    RECALL_ASSIGN(auto facts, notes_.FindFacts(doc_row, as_of_));
    last_.emplace(doc_row, facts ? *std::move(facts) : NoteFacts());
  }
  return &last_->second;
}

Result<SortValue> ComputedFields::Read(const FieldRef& field, const DocRow& doc) {
  if (field.field == Field::kDocKind) {
    return SortValue::Text(std::string(KindOfParser(doc.parser)));
  }
  if (const Column* column = Find(field)) return ReadColumn(*column, doc.row);
  if (IsOfLinks(field.field)) return ReadLinks(field, doc.path);
  RECALL_ASSIGN(const NoteFacts* facts, FactsOf(doc.row));
  return ValueOfFacts(field.field, *facts, as_of_);
}

Status ComputedFields::AddTo(DocView& view, const std::vector<FieldRef>& fields,
                             const DocRow& doc) {
  for (const FieldRef& field : fields) {
    if (!IsComputed(field)) continue;
    RECALL_ASSIGN(const SortValue value, Read(field, doc));
    view.computed.push_back({field, JsonOf(field, value)});
  }
  return Status::Ok();
}

std::vector<FieldRef> ComputedAmong(const std::vector<FieldRef>& fields) {
  std::vector<FieldRef> computed;
  std::ranges::copy_if(fields, std::back_inserter(computed), IsComputed);
  return computed;
}

bool AnyDependsOnTime(const std::vector<FieldRef>& fields) {
  return std::ranges::any_of(fields, DependsOnTime, &FieldRef::field);
}

Status AddParts(const Snapshot& snapshot, const std::vector<FieldRef>& fields, PartFields& parts,
                const DocView& doc, ChunkView& chunk) {
  if (!AnyOfParts(fields)) return Status::Ok();
  RECALL_ASSIGN(const auto live, snapshot.texts().FindDoc(doc.path));
  if (!live || ToHex(live->id) != doc.id) return Status::Ok();
  return parts.AddTo(chunk, fields, *live);
}

Status AddComputed(const Snapshot& snapshot, const std::vector<FieldRef>& fields,
                   ComputedFields& computed, DocView& doc) {
  RECALL_ASSIGN(const auto live, snapshot.texts().FindDoc(doc.path));
  if (!live || ToHex(live->id) != doc.id) return Status::Ok();
  return computed.AddTo(doc, fields, *live);
}

}  // namespace recall
