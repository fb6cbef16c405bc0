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
// Invariant. Both ways, and filters, take the value from the function in the table of fields
// (index/search/filter/field_table.cc), or from the same links.
//
// Cost: for an order one scan of the tables and 16 bytes for each value that is not the default;
// for a page a look-up by key for each document.

#include "query/ask/rows/computed_fields.h"

#include <algorithm>
#include <bit>

#include "index/search/filter/computed_value.h"
#include "storage/base/json_writer.h"
#include "storage/base/overloaded.h"

namespace recall {
namespace {

using Kind = SortValue::Kind;

bool IsComputed(const FieldRef& field) { return InfoOf(field.field).computed(); }

const ComputedColumn& ComputedColumnOf(const FieldRef& field) {
  return std::get<ComputedColumn>(FieldColumnOf(field.field));
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
    case Kind::kText:
      json.String(value.text);
      break;
    case Kind::kBoolean:  // no computed field has such values
      json.Bool(value.integer != 0);
  }
  return text;
}

}  // namespace

Status ComputedFields::Load(const std::vector<FieldRef>& fields) {
  columns_.clear();
  bool has_facts = false;
  bool has_links = false;
  for (const FieldRef& field : ComputedAmong(fields)) {
    std::visit(Overloaded{[](DocumentKind) {},  // is in the row of the document
                          [&](const NoteFact& fact) {
                            columns_.push_back({field, fact, {}, {}, {}});
                            has_facts = true;
                          },
                          [&](LinksOfDocument links) {
                            columns_.push_back({field, links, {}, {}, {}});
                            has_links = true;
                          }},
               ComputedColumnOf(field).values);
  }
  if (has_facts) RECALL_TRY(LoadFacts());
  if (has_links) RECALL_TRY(LoadLinks());
  for (Column& column : columns_) {
    column.place_of.clear();
    std::ranges::sort(column.entries, {},
                      [](const Entry& entry) { return std::pair(entry.doc_row, entry.bits); });
  }
  return Status::Ok();
}

Status ComputedFields::LoadFacts() {
  struct Loaded {
    Column* column;
    const NoteFact* fact;
    SortValue without_facts;  // the value of documents of which nothing is known
  };
  std::vector<Loaded> loaded;
  for (Column& column : columns_) {
    const auto* fact = std::get_if<NoteFact>(&column.values);
    if (fact) loaded.push_back({&column, fact, fact->value(NoteFacts(), as_of_)});
  }
  return notes_.ScanFacts(as_of_, [&](const NoteFacts& facts) {
    for (const Loaded& each : loaded) {
      SortValue value = each.fact->value(facts, as_of_);
      if (value == each.without_facts) continue;
      each.column->entries.push_back({facts.doc_row, BitsOf(std::move(value), *each.column)});
    }
  });
}

Status ComputedFields::LoadLinks() {
  return notes_.ScanLinks([&](const NamedLink& link) {
    for (Column& column : columns_) {
      const auto* links = std::get_if<LinksOfDocument>(&column.values);
      if (!links || !HasRelation(column.field, link.relation)) continue;
      const bool leaves = links->end == LinkEnd::kSource;
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
    case FieldType::kInteger:
    case FieldType::kTime:
      return SortValue::Integer(bits);
    case FieldType::kDynamic:
      break;  // no computed field has this type
  }
  return {};
}

const ComputedFields::Column* ComputedFields::Find(const FieldRef& field) const {
  const auto found = std::ranges::find(columns_, field, &Column::field);
  return found == columns_.end() ? nullptr : &*found;
}

Result<SortValue> ComputedFields::ReadColumn(const Column& column, int64_t doc_row) const {
  const auto found = std::ranges::equal_range(column.entries, doc_row, {}, &Entry::doc_row);
  if (const auto* fact = std::get_if<NoteFact>(&column.values)) {
    if (found.empty()) return fact->value(NoteFacts(), as_of_);
    return ValueOf(column, found.front().bits);
  }
  if (std::get<LinksOfDocument>(column.values).counted) {
    return SortValue::Integer(static_cast<int64_t>(found.size()));
  }
  std::vector<std::string> paths;
  for (const Entry& entry : found) {
    RECALL_ASSIGN(std::string path, notes_.PathOf(entry.bits));
    paths.push_back(std::move(path));
  }
  return ListOfPaths(std::move(paths));
}

Result<SortValue> ComputedFields::LookUpLinks(const FieldRef& field, LinksOfDocument links,
                                              const std::string& path) const {
  RECALL_ASSIGN(std::vector<LinkRecord> records, notes_.LinksAt(links.end, path));
  if (links.counted) return SortValue::Integer(static_cast<int64_t>(records.size()));
  std::vector<std::string> paths;
  for (LinkRecord& link : records) {
    if (!HasRelation(field, link.relation)) continue;
    paths.push_back(std::move(links.end == LinkEnd::kSource ? link.target : link.source));
  }
  return ListOfPaths(std::move(paths));
}

Result<const NoteFacts*> ComputedFields::FactsOf(int64_t doc_row) {
  if (!last_ || last_->first != doc_row) {
    RECALL_ASSIGN(auto facts, notes_.FindFacts(doc_row, as_of_));
    last_.emplace(doc_row, facts ? *std::move(facts) : NoteFacts());
  }
  return &last_->second;
}

Result<SortValue> ComputedFields::Read(const FieldRef& field, const DocRow& doc) {
  if (const Column* column = Find(field)) return ReadColumn(*column, doc.row);
  const auto look_up =
      Overloaded{[&](DocumentKind) -> Result<SortValue> {
                   return SortValue::Text(std::string(KindOfParser(doc.parser)));
                 },
                 [&](const NoteFact& fact) -> Result<SortValue> {
                   RECALL_ASSIGN(const NoteFacts* facts, FactsOf(doc.row));
                   return fact.value(*facts, as_of_);
                 },
                 [&](LinksOfDocument links) { return LookUpLinks(field, links, doc.path); }};
  return std::visit(look_up, ComputedColumnOf(field).values);
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
  return std::ranges::any_of(
      fields, [](const FieldRef& field) { return InfoOf(field.field).depends_on_time; });
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
