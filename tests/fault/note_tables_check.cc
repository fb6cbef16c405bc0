#include "tests/fault/note_tables_check.h"

#include <set>

#include "index/search/bitmap/bitmap.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

// An invariant as an SQL query that must return no rows.
struct NoteRule {
  const char* broken;
  const char* sql;
};

constexpr NoteRule kNoteRules[] = {
    {"a link has an end without a name",
     "SELECT id FROM link WHERE source NOT IN (SELECT id FROM name) "
     "OR target NOT IN (SELECT id FROM name)"},
    {"a link is there twice",
     "SELECT max(id) FROM link WHERE removed_seq IS NULL "
     "GROUP BY source, target, relation, origin HAVING count(*) > 1"},
    {"a link is newer than the last commit",
     "SELECT id FROM link WHERE max(added_seq, coalesce(removed_seq, 0)) > "
     "(SELECT value FROM meta WHERE key = 'commit_sequence')"},
    {"a use or a review has no name",
     "SELECT name FROM (SELECT name FROM use_log UNION SELECT name FROM review_log) "
     "WHERE name NOT IN (SELECT id FROM name)"},
    {"a use or a review is newer than the last commit",
     "SELECT name FROM (SELECT name, seq FROM use_log UNION SELECT name, seq FROM review_log) "
     "WHERE seq > (SELECT value FROM meta WHERE key = 'commit_sequence')"},
    {"a card is not that of a live document",
     "SELECT card.doc FROM card LEFT JOIN doc ON doc.id = card.doc LEFT JOIN name "
     "ON name.id = card.name WHERE doc.removed_seq IS NOT NULL OR doc.path IS NOT name.path "
     "OR doc.first_chunk <> card.first_chunk OR doc.chunk_count <> card.chunk_count "
     "OR card.is_note <> (doc.parser = 'note')"},
    {"a card says something else than its note",
     "SELECT card.doc FROM card JOIN doc ON doc.id = card.doc WHERE is_note AND "
     "card.status <> coalesce(json_extract(doc.meta, '$.status'), 'active')"},
    {"a document lacks a card",
     "SELECT id FROM doc WHERE removed_seq IS NULL AND id NOT IN (SELECT doc FROM card) "
     "AND (parser = 'note' OR path IN (SELECT path FROM name))"},
    {"the sums of a name are not those of its uses",
     "SELECT n.id FROM name AS n LEFT JOIN activity AS a ON a.name = n.id WHERE "
     "coalesce(a.uses, 0) <> (SELECT total(count) FROM use_log WHERE name = n.id) OR "
     "a.used_at IS NOT (SELECT max(at) FROM use_log WHERE name = n.id)"},
    {"the sums of a name are not those of its reviews",
     "SELECT n.id FROM name AS n LEFT JOIN activity AS a ON a.name = n.id WHERE "
     "coalesce(a.reviews, 0) <> "
     "(SELECT count(*) FROM review_log WHERE name = n.id AND quality IS NOT NULL) OR "
     "a.due IS NOT (SELECT due FROM review_log WHERE name = n.id ORDER BY at DESC LIMIT 1)"},
    {"there are sums of no name",
     "SELECT name FROM activity WHERE name NOT IN (SELECT id FROM name)"},
};

// The set of notes has all chunks of notes, and no chunk of another live document.
Status CheckNoteSet(PlainSql& sql, std::vector<std::string>* faults) {
  RECALL_ASSIGN(const std::string bytes, sql.Value("SELECT bitmap FROM note_set"));
  Bitmap notes;
  if (!bytes.empty()) {
    RECALL_ASSIGN(notes, Bitmap::Parse(AsBytes(bytes)));
  }
  RECALL_ASSIGN(const auto docs, sql.Rows("SELECT parser = 'note', first_chunk, chunk_count, path "
                                          "FROM doc WHERE chunk_count > 0"));
  for (const PlainSql::Row& doc : docs) {
    const auto first = static_cast<uint32_t>(std::stoul(doc[1]));
    const auto count = static_cast<uint32_t>(std::stoul(doc[2]));
    const uint64_t expected = doc[0] == "1" ? count : 0;
    if (notes.CountRange(first, first + count - 1) != expected) {
      faults->push_back("the set of notes is wrong for " + doc[3]);
    }
  }
  return Status::Ok();
}

}  // namespace

Result<std::vector<std::string>> FaultyNotes(PlainSql& sql) {
  std::vector<std::string> faults;
  RECALL_ASSIGN(const std::string version, sql.Value("PRAGMA user_version"));
  if (std::stoi(version) < 13) return faults;
  for (const NoteRule& rule : kNoteRules) {
    RECALL_ASSIGN(const std::string found, sql.Value(rule.sql));
    if (!found.empty()) faults.push_back(std::string(rule.broken) + ": " + found);
  }
  RECALL_TRY(CheckNoteSet(sql, &faults));
  return faults;
}

}  // namespace recall
