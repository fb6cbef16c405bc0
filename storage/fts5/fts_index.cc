#include "storage/fts5/fts_index.h"

#include <algorithm>
#include <span>
#include <utility>

#include "storage/fts5/fts_collector.h"
#include "storage/fts5/fts_words.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Searches read single words from FTS5's pages without FTS5 (fts_words.h) and leave all else to it:
// phrases, prefixes, and words whose pages cannot be read. FTS5 evaluates up to 64 of them in one
// statement. MATCH "a b" OR "c" is evaluated for its first row only; there recall_collect
// (fts_collector.h) asks FTS5 for all postings of each phrase.

// FTS5 allows expressions of depth 256 and opens the iterators of all phrases at once. This limit
// stays well below both.
constexpr size_t kPhrasesPerStatement = 64;

// Whether FTS5's `ascii` tokenizer makes the byte part of a token; it drops all others.
bool IsTokenByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

std::string ToLower(std::string_view token) {
  std::string lower(token);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// True if the phrase has no token: no row contains it, and it must not be part of a MATCH
// expression.
bool IsVoid(const FtsPhrase& phrase) {
  return std::none_of(phrase.tokens.begin(), phrase.tokens.end(), [](const std::string& token) {
    return std::any_of(token.begin(), token.end(), IsTokenByte);
  });
}

bool IsWord(const FtsPhrase& phrase) {
  return phrase.tokens.size() == 1 && !phrase.prefix &&
         phrase.tokens[0].size() <= FtsWords::kMaxTokenBytes &&
         std::ranges::all_of(phrase.tokens[0], IsTokenByte);
}

// Cancellation is reported at once. After any other error FTS5 evaluates the phrase and reports its
// own error, if any.
bool IsLeftToFts(const Status& status) { return status.code() != StatusCode::kCancelled; }

// Reads the phrases of `searched` that are single words. Returns the others, which FTS5 must
// evaluate.
Result<std::vector<size_t>> ReadWords(Connection& connection, const std::vector<FtsPhrase>& phrases,
                                      const std::vector<size_t>& searched,
                                      std::vector<PostingList>* postings) {
  auto words = FtsWords::Open(connection);
  if (!words && !IsLeftToFts(words.error())) return Fail(words.error());
  if (!words || !*words) return searched;
  std::vector<size_t> left;
  for (const size_t i : searched) {
    if (!IsWord(phrases[i])) {
      left.push_back(i);
      continue;
    }
    auto list = (*words)->Read(ToLower(phrases[i].tokens[0]), phrases[i].first_row);
    if (!list && !IsLeftToFts(list.error())) return Fail(list.error());
    if (list && *list) {
      (*postings)[i] = std::move(**list);
    } else {
      left.push_back(i);
    }
  }
  return left;
}

// Appends the phrase as an FTS5 string, "first second". Bytes that separate tokens become spaces.
// These include the quote, which would end the string, and NUL, which would end the expression.
void AppendQuoted(const FtsPhrase& phrase, std::string* expression) {
  *expression += '"';
  for (const std::string& token : phrase.tokens) {
    if (expression->back() != '"') *expression += ' ';
    for (char c : token) *expression += IsTokenByte(c) ? c : ' ';
  }
  *expression += phrase.prefix ? "\" *" : "\"";
}

std::string MatchExpression(const std::vector<FtsPhrase>& phrases, std::span<const size_t> chosen) {
  std::string expression;
  for (size_t index : chosen) {
    if (!expression.empty()) expression += " OR ";
    AppendQuoted(phrases[index], &expression);
  }
  return expression;
}

// Collects the postings of the phrases of `expression`, in their order, with one statement.
Result<std::vector<PostingList>> CollectBatch(Connection& connection, const std::string& expression,
                                              size_t phrases) {
  RECALL_TRY(connection.InstallOnce(&RegisterFtsCollector));
  PostingSink sink;
  sink.lists.resize(phrases);
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT recall_collect(lexicon, ?2) FROM lexicon "
                                  "WHERE lexicon MATCH ?1 LIMIT 1"));
  const StatementScope collect(cached);
  collect->BindText(1, expression);
  collect->BindPointer(2, &sink, kPostingSinkType);
  // No row means that no phrase occurs anywhere, and that the function was not called.
  RECALL_TRY(collect->Step());
  return std::move(sink.lists);
}

}  // namespace

Status InsertFtsRow(Connection& connection, uint32_t row, std::string_view body,
                    std::string_view compound) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO lexicon(rowid, body, compound) VALUES(?1, ?2, ?3)"));
  insert->BindInt(1, row);
  insert->BindText(2, body);
  insert->BindText(3, compound);
  return insert->Run();
}

Status DeleteFtsRow(Connection& connection, uint32_t row, std::string_view body,
                    std::string_view compound) {
  RECALL_ASSIGN(Statement * remove,
                connection.Cached("INSERT INTO lexicon(lexicon, rowid, body, compound) "
                                  "VALUES('delete', ?1, ?2, ?3)"));
  remove->BindInt(1, row);
  remove->BindText(2, body);
  remove->BindText(3, compound);
  return remove->Run();
}

Result<std::vector<PostingList>> ReadPostings(Connection& connection,
                                              const std::vector<FtsPhrase>& phrases) {
  std::vector<PostingList> postings(phrases.size());
  std::vector<size_t> searchable;
  for (size_t i = 0; i < phrases.size(); ++i) {
    if (!IsVoid(phrases[i])) searchable.push_back(i);
  }
  RECALL_ASSIGN(searchable, ReadWords(connection, phrases, searchable, &postings));
  for (size_t first = 0; first < searchable.size(); first += kPhrasesPerStatement) {
    const auto batch =
        std::span(searchable)
            .subspan(first, std::min(kPhrasesPerStatement, searchable.size() - first));
    const std::string expression = MatchExpression(phrases, batch);
    RECALL_ASSIGN(std::vector<PostingList> lists,
                  CollectBatch(connection, expression, batch.size()));
    for (size_t i = 0; i < batch.size(); ++i) {
      if (const uint32_t wanted = phrases[batch[i]].first_row; wanted > 0) {
        std::erase_if(lists[i], [&](const Posting& posting) { return posting.row < wanted; });
      }
      postings[batch[i]] = std::move(lists[i]);
    }
  }
  return postings;
}

}  // namespace recall
