#pragma once

// Random filters, and documents with matching and other metadata.

#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace recall {

class FilterWriter final {
 public:
  explicit FilterWriter(uint64_t seed) : random_(seed) {}

  std::string Write(int depth) {
    if (depth > 0 && Chance(4)) return "NOT (" + Write(depth - 1) + ")";
    if (depth > 0 && Chance(2)) {
      const char* const word = Chance(2) ? ") AND (" : ") OR (";
      std::string text = "(" + Write(depth - 1) + word;
      return text + Write(depth - 1) + ")";
    }
    return WritePredicate();
  }

 private:
  bool Chance(uint64_t n) { return random_() % n == 0; }
  std::string Pick(std::vector<std::string> choices) { return choices[random_() % choices.size()]; }

  std::string WritePredicate() {
    switch (random_() % 4) {
      case 0:
        return Finish(
            Pick({"doc.path", "doc.tag", "doc.source", "doc.parser", "doc.origin", "chunk.text",
                  "chunk.heading", "doc.meta", "chunk.symbol", "chunk.symbol", "chunk.kind",
                  "chunk.sheet"}),
            {"'t1'", "'t2'", "'src'", "'d1/f5.md'", "'markdown'", "'line'", "'Title'", "7", "''"},
            /*patterns=*/true);
      case 1:
        return Finish(
            Pick({"doc.size", "doc.tokens", "doc.chunks", "chunk.tokens", "chunk.offset",
                  "chunk.start_byte", "chunk.end_line", "chunk.page", "chunk.slide", "chunk.cell"}),
            {"0", "1", "'12'", "30", "60.5", "200", "-3", "1e3"}, /*patterns=*/false);
      case 2:
        return Finish("doc.mtime",
                      {"'2026-02-04'", "'2026-02'", "'2026-02-04T09:30:00Z'",
                       "'2025-12-31T23:00:00-02:00'", "'2030-01-01'"},
                      Chance(4));
      default:
        return Finish(
            Pick({"doc.meta.year", "doc.meta.draft", "doc.meta.labels", "doc.meta.due",
                  "doc.meta.author.name", "doc.meta.none", "doc.meta.author", "doc.meta.odd"}),
            {"2024", "2025.5", "'2024'", "TRUE", "FALSE", "'true'", "'bug'", "'ui'", "'2026-03-01'",
             "'2026-03-01T00:00:00+00:00'", "'ann'", "'x'"},
            Chance(3));
    }
  }

  std::string Finish(const std::string& field, const std::vector<std::string>& values,
                     bool patterns) {
    const std::string no = Chance(3) ? " NOT" : "";
    if (Chance(8)) return field + " IS" + no + " NULL";
    if (patterns && Chance(2)) {
      const std::string op = Pick({"LIKE", "ILIKE", "GLOB", "REGEXP"});
      const std::string pattern = op == "GLOB"     ? Pick({"d1/**", "**/*.md", "*", "t?", "**"})
                                  : op == "REGEXP" ? Pick({"^d[12]/", "[0-9]", "u$", "a.*a"})
                                                   : Pick({"d1/%", "%A%", "t_", "%", "2026%"});
      return field + no + " " + op + " '" + pattern + "'";
    }
    if (Chance(6)) return field + no + " IN (" + Pick(values) + ", " + Pick(values) + ")";
    if (Chance(6)) return field + no + " BETWEEN " + Pick(values) + " AND " + Pick(values);
    return field + " " + Pick({"=", "!=", "<", "<=", ">", ">="}) + " " + Pick(values);
  }

  std::mt19937_64 random_;
};

// Random front matter for document number `i`, or "".
inline std::string RandomFrontMatter(std::mt19937_64& random, int i) {
  if (random() % 4 == 0) return "";
  static const char* const kOdd[] = {"x", "null", "{a: 1}", "[]", "[1, x, true]", "1e2", "''"};
  return "---\nyear: " + std::to_string(2023 + i % 4) + "\ndraft: " + (i % 2 ? "true" : "false") +
         "\nlabels: [bug, " + (i % 3 ? "ui" : "docs") + "]\ndue: 2026-0" +
         std::to_string(1 + i % 5) + "-01\nauthor: {name: " + (i % 2 ? "ann" : "bob") +
         "}\nodd: " + kOdd[random() % std::size(kOdd)] + "\n---\n";
}

}  // namespace recall
