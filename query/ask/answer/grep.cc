// Finds the lines of documents that match a pattern.
//
// Documents whose trigrams show that they have no match are left out (index/search/lines). The
// others within the scope are visited by path. The thread of the snapshot reads their
// compressed texts; other threads decompress and match them; the answers are taken in the order of
// the paths:
//
//   ScanPaths -> entries -> [blocks] -> decompress, match -> [lines] -> page, totals
//                 snapshot's thread      other threads        snapshot's thread
//
// A filter may select some chunks of a document alone. A line then counts if its first match begins
// in one of them.
//
// Invariants: the rows are ordered by path and line, and are the same for any number of threads.
// Memory is bounded by the documents in flight and the rows of the page.
//
// Cost: a scan of the trigrams, 4 % of the source code; decompression of the texts that may match,
// and the match.

#include "query/ask/answer/grep.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "index/search/lines/line_pattern.h"
#include "query/ask/answer/list.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/scope.h"
#include "query/ask/rows/text_candidates.h"
#include "query/ask/rows/text_pipeline.h"
#include "query/ask/rows/views.h"

namespace recall {
namespace {

// What is matched with the pattern by another thread.
struct GrepJob {
  DocRow doc;
  std::vector<std::string> blocks;
  AllowedParts allowed;   // in which lines count
  size_t most_lines = 0;  // to keep, the first ones
};

struct GrepOutput {
  Status status;
  DocRow doc;
  int64_t lines = 0;
  std::vector<GrepLine> kept;
};

std::string_view WithoutLineEnd(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The lines of `text` that end at the newline before `begin`, at most `most`.
std::vector<std::string> LinesBefore(std::string_view text, size_t begin, uint32_t most) {
  std::vector<std::string> lines;
  while (lines.size() < most && begin > 0) {
    const size_t end = begin - 1;
    const size_t newline = end == 0 ? text.npos : text.rfind('\n', end - 1);
    begin = newline == text.npos ? 0 : newline + 1;
    lines.emplace_back(WithoutLineEnd(text.substr(begin, end - begin)));
  }
  std::ranges::reverse(lines);
  return lines;
}

// The lines of `text` behind the one that ends at `end`, at most `most`.
std::vector<std::string> LinesAfter(std::string_view text, size_t end, uint32_t most) {
  std::vector<std::string> lines;
  while (lines.size() < most && end + 1 < text.size()) {
    const size_t begin = end + 1;
    end = std::min(text.find('\n', begin), text.size());
    lines.emplace_back(WithoutLineEnd(text.substr(begin, end - begin)));
  }
  return lines;
}

// The part of a long line that is shown: whole characters around its first match.
TextRange ShownPart(std::string_view line, TextRange match) {
  if (line.size() <= kMostGrepLineBytes) return {0, line.size()};
  const size_t room = kMostGrepLineBytes - std::min(match.end - match.begin, kMostGrepLineBytes);
  size_t begin = match.begin - std::min(match.begin, room / 2);
  begin = std::min(begin, line.size() - kMostGrepLineBytes);
  size_t end = begin + kMostGrepLineBytes;
  const auto is_inside = [&](size_t at) { return at < line.size() && (line[at] & 0xC0) == 0x80; };
  while (begin > 0 && is_inside(begin)) --begin;
  while (is_inside(end)) --end;
  return {begin, end};
}

GrepLine MakeGrepLine(std::string_view text, const MatchedLine& found, const GrepRequest& request) {
  GrepLine row;
  row.number = found.number;
  const std::string_view line =
      WithoutLineEnd(text.substr(found.line.begin, found.line.end - found.line.begin));
  TextRange first = found.matches.front();
  first = {first.begin - found.line.begin, first.end - found.line.begin};
  row.column = static_cast<uint32_t>(first.begin + 1);
  const TextRange shown = ShownPart(line, first);
  row.text = line.substr(shown.begin, shown.end - shown.begin);
  row.is_cut = row.text.size() < line.size();
  for (const TextRange& match : found.matches) {
    const size_t begin = std::max(match.begin - found.line.begin, shown.begin);
    const size_t end = std::min(match.end - found.line.begin, shown.end);
    if (begin < end) row.matches.push_back({begin - shown.begin, end - shown.begin});
  }
  row.before = LinesBefore(text, found.line.begin, request.lines_before);
  row.after = LinesAfter(text, found.line.end, request.lines_after);
  return row;
}

GrepOutput MatchLines(const LinePattern& pattern, const GrepRequest& request, GrepJob job) {
  GrepOutput output;
  if (const auto text = DecompressText(job.doc, job.blocks)) {
    pattern.ForEachLine(*text, [&](MatchedLine&& found) {
      if (!job.allowed.Contains(found.matches.front().begin)) return true;
      if (output.kept.size() < job.most_lines) {
        output.kept.push_back(MakeGrepLine(*text, found, request));
      }
      ++output.lines;
      return true;
    });
  } else {
    output.status = text.error();
  }
  output.doc = std::move(job.doc);
  return output;
}

class LineSearch final {
 public:
  LineSearch(const Snapshot& snapshot, const GrepRequest& request, const std::string& store_root)
      : texts_(snapshot.texts()), snapshot_(snapshot), request_(request), store_root_(store_root) {}

  Result<GrepResponse> Run(const std::string& commit_token) {
    RECALL_ASSIGN(const LinePattern pattern,
                  LinePattern::Compile(request_.pattern, {.is_literal = request_.is_literal,
                                                          .ignore_case = request_.ignore_case,
                                                          .whole_words = request_.whole_words}));
    RECALL_ASSIGN(ResolvedScope scope, ResolveWithPaths(false, commit_token));
    RECALL_ASSIGN(TextCandidates found,
                  ListTextCandidates(texts_, scope.allowed(), pattern.grams()));
    if (!found.scope_has_documents && !request_.paths.empty()) {
      RECALL_ASSIGN(scope, ResolveWithPaths(true, commit_token));
      RECALL_ASSIGN(found, ListTextCandidates(texts_, scope.allowed(), pattern.grams()));
      if (!found.scope_has_documents) RECALL_TRY(CheckPaths());
    }
    ReportScope(scope, false, response_);
    RECALL_TRY(MatchAll(pattern, scope, found.documents));
    Finish();
    return std::move(response_);
  }

 private:
  Result<ResolvedScope> ResolveWithPaths(bool ignore_case, const std::string& commit_token) const {
    Scope scope = request_.scope;
    RECALL_ASSIGN(scope.filter,
                  FilterWithPaths(request_.paths, scope.filter, store_root_, ignore_case));
    return ResolveScope(snapshot_.filters(), scope, commit_token, FilterDomain::kChunks);
  }

  Status CheckPaths() const {
    ListRequest named;
    named.paths = request_.paths;
    named.scope = request_.scope;
    if (!NamesDocuments(named)) return Status::Ok();
    return NoDocumentAt(request_.paths.front());
  }

  // The lines that a document can still add to the page.
  size_t MostLines() const {
    if (request_.rows == GrepRows::kDocuments) return 0;
    if (!request_.limit) return SIZE_MAX;
    const size_t end = request_.offset + std::min(*request_.limit, SIZE_MAX - request_.offset);
    return end - std::min(end, static_cast<size_t>(response_.total_lines));
  }

  Status MatchAll(const LinePattern& pattern, const ResolvedScope& scope,
                  const std::vector<TextCandidate>& documents) {
    const auto match = [&](GrepJob job) { return MatchLines(pattern, request_, std::move(job)); };
    TextPipeline<GrepJob, GrepOutput> matching(
        request_.threads, [&] { return match; },
        [&](GrepOutput output) { return Add(std::move(output)); });
    for (const TextCandidate& candidate : documents) {
      GrepJob job;
      RECALL_ASSIGN(job.doc, texts_.ReadDoc(candidate.doc_row));
      RECALL_ASSIGN(job.allowed, AllowedParts::Read(texts_, job.doc, candidate, scope.allowed()));
      RECALL_ASSIGN(job.blocks, texts_.ReadTextBlocks(job.doc));
      job.most_lines = MostLines();
      const auto size = static_cast<size_t>(job.doc.size);
      RECALL_TRY(matching.Submit(std::move(job), size));
    }
    return matching.Finish();
  }

  Status Add(GrepOutput output) {
    RECALL_TRY(output.status);
    if (output.lines == 0) return Status::Ok();
    const int64_t before = Rows();
    response_.total_lines += output.lines;
    ++response_.total_documents;
    const auto offset = static_cast<int64_t>(request_.offset);
    const int64_t end = request_.limit ? offset + static_cast<int64_t>(*request_.limit) : INT64_MAX;
    if (before >= end || Rows() <= offset) return Status::Ok();
    GrepDocument& row = response_.documents.emplace_back();
    row.doc = MakeDocView(output.doc);
    row.lines = output.lines;
    const auto kept = static_cast<int64_t>(output.kept.size());
    const int64_t first = std::clamp<int64_t>(offset - before, 0, kept);
    const int64_t last = std::clamp<int64_t>(end - before, first, kept);
    row.shown.assign(std::make_move_iterator(output.kept.begin() + first),
                     std::make_move_iterator(output.kept.begin() + last));
    return Status::Ok();
  }

  int64_t Rows() const {
    return request_.rows == GrepRows::kLines ? response_.total_lines : response_.total_documents;
  }

  void Finish() {
    response_.total_hits = Rows();
    if (!request_.limit) return;
    const auto end = static_cast<int64_t>(request_.offset + *request_.limit);
    if (end < Rows() && *request_.limit > 0) response_.next_offset = end;
  }

  const TextsAndFacts& texts_;
  const Snapshot& snapshot_;
  const GrepRequest& request_;
  const std::string& store_root_;
  GrepResponse response_;
};

}  // namespace

Result<GrepResponse> FindLines(const Snapshot& snapshot, const GrepRequest& request,
                               const std::string& store_root, const std::string& commit_token) {
  return LineSearch(snapshot, request, store_root).Run(commit_token);
}

}  // namespace recall
