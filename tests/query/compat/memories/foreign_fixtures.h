#pragma once

// Memories in the layouts that other programs publish, written by these functions.

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/test_util.h"

namespace recall {

// A zlib stream without compression.
inline std::string StoredZlib(std::string_view text) {
  std::string out = "\x78\x01";
  for (size_t at = 0; at == 0 || at < text.size(); at += 0xFFFF) {
    const std::string_view part = text.substr(at, 0xFFFF);
    const bool last = at + part.size() == text.size();
    out += last ? '\1' : '\0';
    for (const size_t size : {part.size(), ~part.size()}) {
      out += static_cast<char>(size & 0xFF);
      out += static_cast<char>(size >> 8 & 0xFF);
    }
    out += part;
  }
  uint32_t a = 1;
  uint32_t b = 0;
  for (const char c : text) {
    a = (a + static_cast<uint8_t>(c)) % 65521;
    b = (b + a) % 65521;
  }
  for (const uint32_t sum : {b, a}) {
    out += static_cast<char>(sum >> 8);
    out += static_cast<char>(sum & 0xFF);
  }
  return out;
}

inline void WriteTextFile(const std::string& path, std::string_view text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// A database of Rekall, with the tables of its newest schema.
class RekallDatabase final {
 public:
  explicit RekallDatabase(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
    Run("PRAGMA synchronous = OFF");
    Run("PRAGMA journal_mode = MEMORY");
    Run("CREATE TABLE entries (id TEXT PRIMARY KEY, title TEXT NOT NULL, content TEXT,"
        " type TEXT NOT NULL, project TEXT, confidence INTEGER DEFAULT 2,"
        " status TEXT DEFAULT 'active', superseded_by TEXT, created_at TEXT NOT NULL,"
        " updated_at TEXT NOT NULL, memory_type TEXT DEFAULT 'episodic', last_accessed TEXT,"
        " access_count INTEGER DEFAULT 0, consolidation_score REAL DEFAULT 0.0,"
        " next_review TEXT, review_interval INTEGER DEFAULT 1, ease_factor REAL DEFAULT 2.5,"
        " context_compressed BLOB, context_structured TEXT, context_blob BLOB,"
        " centrality_score REAL DEFAULT 0.0)");
    Run("CREATE TABLE tags (entry_id TEXT NOT NULL, tag TEXT NOT NULL,"
        " PRIMARY KEY (entry_id, tag))");
    Run("CREATE TABLE links (id TEXT PRIMARY KEY, source_id TEXT NOT NULL,"
        " target_id TEXT NOT NULL, relation_type TEXT NOT NULL, created_at TEXT NOT NULL,"
        " reason TEXT, UNIQUE(source_id, target_id, relation_type))");
    Run("CREATE TABLE context_keywords (entry_id TEXT NOT NULL, keyword TEXT NOT NULL,"
        " PRIMARY KEY (entry_id, keyword))");
    Run("CREATE TABLE embeddings (id TEXT PRIMARY KEY, entry_id TEXT NOT NULL,"
        " embedding_type TEXT NOT NULL, vector BLOB NOT NULL, dimensions INTEGER NOT NULL,"
        " model_name TEXT NOT NULL, created_at TEXT NOT NULL)");
    Run("CREATE TABLE entry_sources (id TEXT PRIMARY KEY, entry_id TEXT NOT NULL, source_id TEXT,"
        " source_type TEXT NOT NULL, source_ref TEXT NOT NULL, note TEXT,"
        " created_at TEXT NOT NULL)");
    Run("CREATE TABLE suggestions (id TEXT PRIMARY KEY, suggestion_type TEXT NOT NULL)");
    Run("CREATE VIRTUAL TABLE entries_fts USING fts5(id UNINDEXED, title, content, tags)");
  }
  ~RekallDatabase() { sqlite3_close(handle_); }
  RekallDatabase(const RekallDatabase&) = delete;
  RekallDatabase& operator=(const RekallDatabase&) = delete;

  void Run(const std::string& sql) {
    char* error = nullptr;
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
        << sql << ": " << (error ? error : "");
    sqlite3_free(error);
  }

  void Entry(const std::string& id, const std::string& type, const std::string& title,
             const std::string& content) {
    Run("INSERT INTO entries(id, type, title, content, created_at, updated_at) VALUES ('" + id +
        "', '" + type + "', '" + title + "', '" + content +
        "', '2025-12-01T10:00:00.5', '2025-12-02T10:00:00')");
  }

  void Blob(const std::string& id, const std::string& column, std::string_view bytes) {
    sqlite3_stmt* statement = nullptr;
    const std::string sql = "UPDATE entries SET " + column + " = ?1 WHERE id = '" + id + "'";
    EXPECT_EQ(sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr), SQLITE_OK);
    sqlite3_bind_blob(statement, 1, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
    EXPECT_EQ(sqlite3_step(statement), SQLITE_DONE);
    sqlite3_finalize(statement);
  }

 private:
  sqlite3* handle_ = nullptr;
};

// Five entries: links, contexts, uses, reviews, an obsolete one.
inline void WriteRekallDatabase(const std::string& path) {
  RekallDatabase database(path);
  database.Entry("01A", "bug", "CORS Safari", "Safari sends no preflight.");
  database.Entry("01B", "bug", "API timeout", "The API times out under load.");
  database.Entry("01C", "pattern", "Retry with backoff", "Wait longer after each failure.");
  database.Entry("01D", "decision", "JWT for auth", "Short-lived tokens.");
  database.Entry("01E", "bug", "CORS Safari", "The same title again.");
  database.Run("INSERT INTO tags VALUES ('01A', 'web'), ('01A', 'cors'), ('01C', 'network')");
  database.Run("INSERT INTO context_keywords VALUES ('01A', 'cors'), ('01A', 'safari')");
  database.Blob(
      "01A", "context_blob",
      StoredZlib(R"({"situation": "CORS fails in Safari", "solution": "send it twice",)"
                 R"( "trigger_keywords": ["cors", "safari"], "what_failed": null,)"
                 R"( "conversation_excerpt": "user: it fails", "files_modified": ["a.ts"],)"
                 R"( "error_messages": ["blocked by CORS"], "time_of_day": "morning",)"
                 R"( "extraction_method": "manual"})"));
  database.Blob("01B", "context_compressed", StoredZlib("We saw it on Monday."));
  database.Run(
      "UPDATE entries SET access_count = 10, last_accessed = '2025-12-05T08:00:00',"
      " consolidation_score = 0.7 WHERE id = '01A'");
  database.Run(
      "UPDATE entries SET next_review = '2026-01-15', review_interval = 13,"
      " ease_factor = 2.6 WHERE id = '01A'");
  database.Run("UPDATE entries SET next_review = '2026-01-02', ease_factor = 1.3 WHERE id = '01B'");
  database.Run(
      "UPDATE entries SET status = 'obsolete', superseded_by = '01C', project = 'shop',"
      " confidence = 5, memory_type = 'semantic' WHERE id = '01D'");
  database.Run(
      "INSERT INTO links VALUES"
      " ('l1', '01A', '01B', 'related', '2025-12-03T00:00:00', NULL),"
      " ('l2', '01B', '01C', 'derived_from', '2025-12-03T00:00:00', 'seen twice'),"
      " ('l3', '01C', '01D', 'supersedes', '2025-12-03T00:00:00', NULL)");
  database.Run("INSERT INTO embeddings VALUES ('e1', '01A', 'summary', x'00', 384, 'm', 'now')");
  database.Run(
      "INSERT INTO entry_sources VALUES"
      " ('s1', '01C', NULL, 'url', 'https://example.org/retry', 'section 2', 'now')");
  database.Run("INSERT INTO suggestions VALUES ('g1', 'link')");
}

// The entries of a database as `rekall export` writes them.
inline constexpr std::string_view kRekallExport = R"([
  {
    "id": "01A",
    "title": "CORS Safari",
    "type": "bug",
    "content": "Safari sends no preflight.",
    "project": null,
    "tags": ["web", "cors"],
    "confidence": 2,
    "status": "active",
    "superseded_by": null,
    "created_at": "2025-12-01T10:00:00.500000",
    "updated_at": "2025-12-02T10:00:00",
    "memory_type": "episodic",
    "last_accessed": "2025-12-05T08:00:00",
    "access_count": 10,
    "consolidation_score": 0.7,
    "next_review": null
  }
])";

// A vault of bastra-recall: memories in folders, another note, a template, hidden files.
inline void WriteBastraVault(const std::string& directory) {
  WriteTextFile(directory + "/memories/all-projects/css-input-focus.md",
                R"(---
id: css-input-focus
title: "Don't stack focus styles on inputs"
type: lesson
summary: "Stacking ring and outline causes double focus rings."
topic_path: [css, input, focus]
tags: [css, input, ui-bug]
scope: all-projects
recall_when:
  - creating new input component
  - writing input or form css
related: [css-effects]
related_via:
  - id: css-effects
    reason: "cosine 0.812"
    score: 0.812
sensitivity: team
source: "carnexus, recurring lesson"
confidence: 0.95
created: 2026-04-15
updated: 2026-05-01
salience: 0.7
# checked by hand
---

Use one :focus-visible style. See [[css-effects]].

## Auto-Related <!-- bastra:auto-related:start -->

- [[css-effects]] (cosine 0.81)

<!-- bastra:auto-related:end -->
)");
  WriteTextFile(directory + "/memories/css-effects.md",
                R"(---
id: css-effects
title: Effects do not stack
type: decision
summary: One effect for each state.
topic_path: [css]
tags: [css]
scope: all-projects
recall_when: [adding an effect]
replaces: old-effects
valid_until: 2027-01-01
created: 2026-01-01
updated: 2026-01-02
---

One effect.
)");
  WriteTextFile(directory + "/plain.md", "# A note of another kind\n");
  WriteTextFile(directory + "/templates/new.md", "---\ntitle: {{title}}: {{x\n---\n");
  WriteTextFile(directory + "/.bastra/trash/gone.md", "---\nid: gone\ntype: lesson\n---\n");
}

inline constexpr std::string_view kMemoryGraph =
    R"({"type":"entity","name":"Ada Lovelace","entityType":"person","observations":["wrote the first program","born in 1815\nin London"]}
{"type":"entity","name":"Analytical Engine","entityType":"machine","observations":[]}

{"type":"relation","from":"Ada Lovelace","to":"Analytical Engine","relationType":"programmed for"}
{"type":"relation","from":"Ada Lovelace","to":"Charles Babbage","relationType":"knew"}
)";

inline void WriteBasicMemory(const std::string& directory) {
  WriteTextFile(directory + "/Coffee/Brewing Methods.md",
                R"(---
title: Coffee Brewing Methods
type: note
tags: [coffee, brewing]
permalink: coffee/brewing-methods
rating: 5
---

# Coffee Brewing Methods

## Observations
- [method] Pour over is clear #clarity
- [technique] 96 degrees #brewing #heat (measured)
- [ ] buy beans #task

## Relations
- relates_to [[Coffee Bean Origins]]
- "based on" [[Tea Notes]] (an older note)
)");
  WriteTextFile(directory + "/Coffee/Origins.md",
                "---\ntitle: Coffee Bean Origins\ntags: coffee, beans\ncreated: 2025-10-24\n"
                "modified: 2025-10-25T08:00:00\n---\n\nEthiopia.\n");
  WriteTextFile(directory + "/Tea Notes.md", "Green and black.\n");
}

}  // namespace recall
