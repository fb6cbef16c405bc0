// What matters when a session begins: what was decided and learnt, and the last sessions here.
//
// Nothing is asked yet, so nothing can be ranked by words. Notes are taken by kind and by time, the
// newest first: preferences, decisions, then lessons and the like, a few of each. A note with a
// scope that names another project comes behind all others. Between them stand the last sessions of
// the directory, those on its branch first, each with what was asked for, when, and the last words
// of the assistant.
//
// Cost: two scans of the documents by filter, and the rows of what is chosen.

#include <algorithm>
#include <array>
#include <span>

#include "index/base/text/turn_heading.h"
#include "index/source/session/session_meta.h"
#include "query/ask/answer/search.h"
#include "query/ask/rows/views.h"
#include "query/memory/hints/hint_of_document.h"
#include "query/memory/hints/hint_sources.h"
#include "query/memory/notes/reviews.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr size_t kNotesRead = 100;
constexpr size_t kSessionsRead = 64;
constexpr size_t kMostSessions = 3;
constexpr uint32_t kLastChunksRead = 8;
constexpr size_t kMostTitle = 120;
constexpr size_t kMostEnding = 200;

// Kinds of notes that hold without a question, in the order in which they are told.
struct NoteGroup {
  std::array<std::string_view, 5> types;
  size_t most;
};
constexpr NoteGroup kPreferences = {{"preference", "user-preference", "meta-working"}, 4};
constexpr NoteGroup kDecisions = {{"decision"}, 5};
constexpr NoteGroup kLessons = {{"lesson", "pitfall", "bug", "project-fact", "workflow"}, 5};

bool IsOfGroup(const NoteGroup& group, std::string_view type) {
  return !type.empty() && std::ranges::find(group.types, type) != group.types.end();
}

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToAsciiLower(c);
  return lower;
}

// Whether the scope of a note is that of another project. A scope that is no project's, such as
// "global", is not.
bool IsOfAnotherProject(std::string_view scope, std::string_view directory) {
  constexpr std::string_view kProject = "project:";
  if (!scope.starts_with(kProject)) return false;
  // A session may be held in a directory of the project.
  const std::string name = "/" + LowerCase(scope.substr(kProject.size())) + "/";
  return (LowerCase(directory) + "/").find(name) == std::string::npos;
}

// Whether one directory is the other, or below it.
bool AreRelated(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return !a.empty() && b.starts_with(a) &&
         (a.size() == b.size() || a.back() == '/' || b[a.size()] == '/');
}

// A session of the directory.
struct PastSession {
  const SearchHit* hit;
  SessionMeta meta;
};

class BeginningOffers final {
 public:
  BeginningOffers(const HintTools& tools, const HintRequest& request, HintPacker& packer)
      : tools_(tools), request_(request), packer_(packer) {}

  Status Offer() {
    RECALL_TRY(ReadNotes());
    OfferNotes(kPreferences);
    OfferNotes(kDecisions);
    RECALL_TRY(OfferSessions());
    OfferNotes(kLessons);
    return AddReviews();
  }

 private:
  Result<SearchResponse> Newest(const std::string& filter, size_t most) const {
    SearchRequest newest;
    newest.newest = true;
    newest.k = most;
    newest.scope.filter = filter;
    newest.scope.as_of = request_.as_of;
    return RunSearch(tools_.snapshot, tools_.deps, newest, tools_.commit_token);
  }

  Status ReadNotes() {
    std::string types;
    for (const NoteGroup& group : {kPreferences, kDecisions, kLessons}) {
      for (const std::string_view type : group.types) {
        if (!type.empty()) types += (types.empty() ? "'" : ", '") + std::string(type) + "'";
      }
    }
    const std::string filter = std::string(kTellableNote) + " AND doc.type IN (" + types + ")";
    RECALL_ASSIGN(SearchResponse found, Newest(filter, kNotesRead));
    notes_ = std::move(found.hits);
    std::ranges::stable_partition(notes_, [&](const SearchHit& hit) {
      return !IsOfAnotherProject(CardText(hit.doc, "scope"), request_.directory);
    });
    return {};
  }

  void OfferNotes(const NoteGroup& group) {
    size_t offered = 0;
    for (const SearchHit& hit : notes_) {
      if (offered == group.most) break;
      if (!IsOfGroup(group, CardText(hit.doc, "type"))) continue;
      offered += packer_.Offer(HintOfNote(hit.doc, hit.chunk.text)) ? 1 : 0;
    }
  }

  Status OfferSessions() {
    if (request_.directory.empty()) return {};
    RECALL_ASSIGN(const SearchResponse found,
                  Newest("doc.kind = 'session' AND doc.session.actor = 'human'", kSessionsRead));
    std::vector<PastSession> past;
    for (const SearchHit& hit : found.hits) {
      SessionMeta meta = ReadSessionMeta(hit.doc.meta_json.value_or(""));
      if (!request_.session_id.empty() && meta.id == request_.session_id) continue;
      if (AreRelated(meta.cwd, request_.directory)) past.push_back({&hit, std::move(meta)});
    }
    std::ranges::stable_partition(past, [&](const PastSession& session) {
      return !request_.branch.empty() && session.meta.branch == request_.branch;
    });
    past.resize(std::min(past.size(), kMostSessions));
    for (const PastSession& session : past) {
      RECALL_ASSIGN(Hint hint, HintOfSession(session));
      packer_.Offer(std::move(hint));
    }
    return {};
  }

  Result<Hint> HintOfSession(const PastSession& session) const {
    constexpr size_t kDateSize = 10;
    constexpr size_t kShortCommit = 10;
    const SessionMeta& meta = session.meta;
    Hint hint;
    hint.path = session.hit->doc.path;
    hint.citation = HintCitation(hint.path, 0, 0);
    if (meta.captured_at) hint.head = FormatRfc3339(*meta.captured_at).substr(0, kDateSize) + " ";
    if (!meta.branch.empty()) hint.head += "on " + HintLine(meta.branch, kMostTitle) + " ";
    hint.head += "(" + std::to_string(meta.turns) + " turns): " + HintLine(meta.title, kMostTitle);
    RECALL_ASSIGN(const std::string ending, LastWordsOf(session.hit->doc.path));
    if (!ending.empty()) hint.words = "ended: " + ending;
    if (!meta.commit.empty()) {
      hint.words += (hint.words.empty() ? "led to commit " : "; commit ") +
                    HintLine(std::string_view(meta.commit).substr(0, kShortCommit), kShortCommit);
    }
    return hint;
  }

  // The beginning of what the assistant said last; "" if the end of the session has nothing.
  Result<std::string> LastWordsOf(const std::string& path) const {
    const TextsAndFacts& texts = tools_.snapshot.texts();
    RECALL_ASSIGN(const auto doc, texts.FindDoc(path));
    if (!doc) return "";
    const uint32_t end = doc->first_chunk + doc->chunk_count;
    const uint32_t first = end - std::min(doc->chunk_count, kLastChunksRead);
    std::vector<uint32_t> wanted;
    for (uint32_t chunk = first; chunk < end; ++chunk) wanted.push_back(chunk);
    RECALL_ASSIGN(const std::vector<ChunkRow> chunks, texts.ReadChunks(wanted));
    const ChunkRow* last = nullptr;
    uint32_t turn = 0;
    for (const ChunkRow& chunk : chunks) {
      const auto heading = ParseTurnHeading(chunk.heading);
      if (!heading || heading->role != "assistant") continue;
      if (last == nullptr || heading->turn != turn) last = &chunk;  // the first of its turn
      turn = heading->turn;
    }
    if (last == nullptr) return "";
    RECALL_ASSIGN(const std::string text, texts.ReadText(*doc, last->start_byte, last->end_byte));
    return HintLine(text, kMostEnding);
  }

  Status AddReviews() {
    DueRequest due;
    due.scope.as_of = request_.as_of;
    due.limit = 1;
    RECALL_ASSIGN(const DueReport report, RunDue(tools_.snapshot, due, tools_.commit_token));
    if (report.total > 0) {
      packer_.AddRemark("Notes due for review by the user: " + std::to_string(report.total) +
                        " (`recall review`).");
    }
    return {};
  }

  const HintTools& tools_;
  const HintRequest& request_;
  HintPacker& packer_;
  std::vector<SearchHit> notes_;  // own and general ones first, each the newest first
};

}  // namespace

Result<std::string> OfferBeginning(const HintTools& tools, const HintRequest& request,
                                   HintPacker& packer) {
  RECALL_TRY(BeginningOffers(tools, request, packer).Offer());
  return packer.hints().empty() ? "no notes that always hold, and no sessions of this directory"
                                : "";
}

}  // namespace recall
