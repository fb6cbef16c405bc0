// The payloads of frames. Numbers are LEB128 unless a type is given; a text has its size before it.
//
//   session      "RKLS" 1 flags u8 | turns u8 | calls u8 | CORE | TURN... | CALL...
//                "RKLS" 2 flags u8 | turns | calls | CORE | MORE | TURN... | CALL...
//     CORE       session | read at u32, seconds since 1970 | e-mail | actor u8 [| agent, if 1]
//     MORE       bits u8, then what they announce: 1 parent, 2 team, 4 workflow, 8 kind,
//                16 description, 32 depth
//     TURN       role u8 | seconds | branch | text
//     CALL       tool u8 | path u8: 0 by number, 1 as text, 2 none [| path] | command
//   checkpoint   "RKLC" 1 | files u8 | CHECK | FILE...
//                "RKLC" 2 | files | CHECK | FILE...
//     CHECK      checkpoint | commit, 40 letters | branch | e-mail | at u32 | actor u8
//                [| agent, if 1] | sessions | session...; the oldest lack the first number
//     FILE       path | change u8
//   batch        type u8 | payload, as a text; ...
//
// Problem. Version 1 writes counts as u8, so those of a long session have wrapped around at 256,
// and rekal reads such a session wrongly.
//
// Idea. The counts are right that are the same modulo 256 and with which the records fill the
// payload. A turn can be read as a call and the other way round, so each record must also be one
// that rekal writes: no turn is empty, no command is long, and strings exist. If several counts
// remain, the frame is damaged.
//
// Cost: linear in the payload; for wrapped counts, at most eight times that.

#include "query/compat/rekal/rekal_payload.h"

#include <algorithm>
#include <array>
#include <utility>

#include "storage/base/byte_cursor.h"

namespace recall {
namespace {

constexpr UnixNanos kRekalSecond = 1'000'000'000;
constexpr uint8_t kAgentActor = 1;
constexpr uint8_t kMostRole = 3;  // human, assistant, human while the agent worked, summary
constexpr size_t kMostCommandBytes = 400;  // 100 characters
// Of turns, calls, files, sessions: they bound the memory that a small frame can ask for.
constexpr size_t kMostRecords = 1'000'000;
constexpr int64_t kMostBatchParts = 100'000;
// How rekal writes an unknown time: the first second of the year 1, modulo 2^32.
constexpr uint64_t kNoRekalTime = 2'288'912'640;
// Changes of a checkpoint's files: 'T' was named by a tool and is not in the commit.
constexpr uint8_t kOnlyNamed = 'T';

Status DamagedPayload() { return Status::Corruption("is damaged"); }
Status UnknownVersion() { return Status::Unsupported("has a version that is not known"); }

std::string KnownString(const std::vector<std::string_view>& strings, uint64_t number) {
  return std::string(StringAt(strings, number).value_or(""));
}

std::optional<UnixNanos> RekalTimeOf(uint64_t seconds) {
  if (seconds == 0 || seconds == kNoRekalTime) return std::nullopt;
  return static_cast<UnixNanos>(seconds) * kRekalSecond;
}

std::string ToolName(uint8_t code) {
  constexpr std::array<const char*, 7> kNames = {"Write", "Read", "Bash", "Edit",
                                                 "Glob",  "Grep", "Task"};
  return code < kNames.size() ? kNames[code] : "Unknown";
}

class PayloadReader final {
 public:
  PayloadReader(const RekalStrings& strings, RekalFrameContents* contents)
      : strings_(strings), contents_(contents) {}

  Status Read(RekalFrameType type, std::string_view payload) {
    switch (type) {
      case RekalFrameType::kSession:
      case RekalFrameType::kSession2:
        return ReadSession(payload);
      case RekalFrameType::kCheckpoint:
      case RekalFrameType::kCheckpoint2:
        return ReadCheckpoint(payload);
      case RekalFrameType::kBatch:
        return ReadBatch(payload);
      case RekalFrameType::kMeta:  // numbers of frames and strings
        return payload.starts_with("RKLM") ? Status::Ok() : DamagedPayload();
    }
    ++contents_->unknown;
    return {};
  }

 private:
  // ---- Sessions

  struct Records {
    std::vector<RekalTurn> turns;
    std::vector<RekalCall> calls;
    std::string branch;
  };

  Status ReadSession(std::string_view payload) {
    ByteCursor cursor(payload);
    const bool known = cursor.Text(4) == "RKLS";
    const uint8_t version = cursor.Byte();
    cursor.Byte();  // flags
    if (!known || cursor.broken()) return DamagedPayload();
    if (version != 1 && version != 2) return UnknownVersion();
    const uint64_t turns = version == 1 ? cursor.Byte() : cursor.Number();
    const uint64_t calls = version == 1 ? cursor.Byte() : cursor.Number();
    RekalSession session;
    const uint64_t id = cursor.Number();
    session.parsed_at = RekalTimeOf(cursor.Fixed(4));
    session.author = KnownString(strings_.emails, cursor.Number());
    session.is_agent = cursor.Byte() == kAgentActor;
    if (session.is_agent) cursor.Number();
    if (version == 2) ReadMore(&cursor, &session);
    session.id = KnownString(strings_.sessions, id);
    if (cursor.broken() || session.id.empty()) return DamagedPayload();
    std::optional<Records> records = ReadRecords(cursor, turns, calls);
    if (!records && version == 1) {
      records = RecordsOfWrappedCounts(cursor, turns, calls);
      contents_->counts_repaired += records ? 1 : 0;
    }
    if (!records) return DamagedPayload();
    session.turns = std::move(records->turns);
    session.calls = std::move(records->calls);
    session.branch = std::move(records->branch);
    contents_->sessions.push_back(std::move(session));
    return {};
  }

  void ReadMore(ByteCursor* cursor, RekalSession* session) const {
    const uint8_t bits = cursor->Byte();
    if ((bits & 1) != 0) session->parent = KnownString(strings_.sessions, cursor->Number());
    for (const int bit : {2, 4, 8, 16}) {
      if ((bits & bit) == 0) continue;
      const std::string_view text = cursor->Text(cursor->Number());
      if (bit == 16) session->description = text;
    }
    if ((bits & 32) != 0) cursor->Number();
    if ((bits & 0xC0) != 0) cursor->Break();
  }

  std::optional<Records> ReadRecords(ByteCursor cursor, uint64_t turns, uint64_t calls) const {
    Records records;
    for (uint64_t i = 0; i < turns && !cursor.broken(); ++i) ReadTurn(&cursor, &records);
    for (uint64_t i = 0; i < calls && !cursor.broken(); ++i) ReadCall(&cursor, &records.calls);
    if (!cursor.finished()) return std::nullopt;
    return records;
  }

  // Whether it is one that rekal writes.
  bool ReadTurn(ByteCursor* cursor, Records* records) const {
    const uint8_t role = cursor->Byte();
    RekalTurn turn;
    turn.role = role == 1 ? TurnRole::kAssistant : TurnRole::kHuman;
    turn.is_summary = role == 3;
    turn.seconds = cursor->Number();
    const uint64_t branch = cursor->Number();
    turn.text = cursor->Text(cursor->Number());
    if (records->turns.size() == kMostRecords) cursor->Break();
    if (cursor->broken()) return false;
    if (records->turns.empty()) records->branch = KnownString(strings_.branches, branch);
    const bool plausible = role <= kMostRole && !turn.text.empty() &&
                           (branch == 0 || branch < strings_.branches.size());
    records->turns.push_back(std::move(turn));
    return plausible;
  }

  bool ReadCall(ByteCursor* cursor, std::vector<RekalCall>* calls) const {
    const uint8_t tool = cursor->Byte();
    const uint8_t path = cursor->Byte();
    RekalCall call;
    call.tool = ToolName(tool);
    bool plausible = path <= 2;
    if (path == 0) {
      const auto known = StringAt(strings_.paths, cursor->Number());
      plausible = known.has_value();
      call.path = known.value_or("");
    } else if (path == 1) {
      call.path = cursor->Text(cursor->Number());
    }
    call.command = cursor->Text(cursor->Number());
    if (calls->size() == kMostRecords) cursor->Break();
    if (cursor->broken()) return false;
    plausible = plausible && call.command.size() <= kMostCommandBytes;
    calls->push_back(std::move(call));
    return plausible;
  }

  std::optional<Records> RecordsOfWrappedCounts(ByteCursor cursor, uint64_t turns,
                                                uint64_t calls) const {
    size_t work = cursor.left() * 8 + 65536;  // bytes; bounds the time on a frame made on purpose
    Records turns_so_far;
    std::optional<Records> found;
    for (;;) {
      if (turns_so_far.turns.size() % 256 == turns) {
        std::vector<RekalCall> rest;
        ByteCursor ahead = cursor;
        while (!ahead.at_end() && ReadCall(&ahead, &rest)) {
        }
        const size_t seen = cursor.left() - ahead.left();
        if (seen > work) return std::nullopt;
        work -= seen;
        if (ahead.finished() && rest.size() % 256 == calls) {
          if (found) return std::nullopt;
          found = {turns_so_far.turns, std::move(rest), turns_so_far.branch};
        }
      }
      if (cursor.at_end() || !ReadTurn(&cursor, &turns_so_far)) return found;
    }
  }

  // ---- Checkpoints

  Status ReadCheckpoint(std::string_view payload) {
    ByteCursor cursor(payload);
    const bool known = cursor.Text(4) == "RKLC";
    const uint8_t version = cursor.Byte();
    if (!known || cursor.broken()) return DamagedPayload();
    if (version != 1 && version != 2) return UnknownVersion();
    const uint64_t files = version == 1 ? cursor.Byte() : cursor.Number();
    const uint64_t modulus = version == 1 ? 256 : 0;
    for (const bool has_number : {true, false}) {
      auto checkpoint = ReadCheck(cursor, has_number, files, modulus);
      if (!checkpoint) continue;
      contents_->checkpoints.push_back(*std::move(checkpoint));
      return {};
    }
    return DamagedPayload();
  }

  // `modulus`: if not 0, only the number of files modulo this is known.
  std::optional<RekalCheckpoint> ReadCheck(ByteCursor cursor, bool has_number, uint64_t files,
                                           uint64_t modulus) const {
    if (has_number) cursor.Number();
    RekalCheckpoint checkpoint;
    const std::string_view sha = cursor.Text(40);
    const size_t size = std::min(sha.find('\0'), sha.size());
    if (sha.find_first_not_of("0123456789abcdef") < size) return std::nullopt;
    if (sha.find_first_not_of('0') < size) checkpoint.sha = sha.substr(0, size);
    cursor.Number();  // branch
    cursor.Number();  // e-mail
    checkpoint.at = RekalTimeOf(cursor.Fixed(4));
    if (cursor.Byte() == kAgentActor) cursor.Number();
    const uint64_t sessions = cursor.Number();
    if (sessions > kMostRecords) cursor.Break();
    for (uint64_t i = 0; i < sessions && !cursor.broken(); ++i) {
      checkpoint.sessions.push_back(KnownString(strings_.sessions, cursor.Number()));
    }
    uint64_t seen = 0;
    for (; !cursor.at_end() && !cursor.broken(); ++seen) {
      const std::string_view path = StringAt(strings_.paths, cursor.Number()).value_or("");
      const uint8_t change = cursor.Byte();
      if (seen == kMostRecords) cursor.Break();
      // A file that was renamed: "old TAB new".
      const std::string_view name = path.substr(path.rfind('\t') + 1);
      if (change != kOnlyNamed && !name.empty()) checkpoint.files.emplace_back(name);
    }
    const bool right = modulus == 0 ? seen == files : seen % modulus == files;
    if (!cursor.finished() || !right) return std::nullopt;
    return checkpoint;
  }

  // ---- Batches

  Status ReadBatch(std::string_view payload) {
    ByteCursor cursor(payload);
    for (int64_t parts = 0; !cursor.at_end() && !cursor.broken(); ++parts) {
      if (parts == kMostBatchParts) cursor.Break();
      const auto type = static_cast<RekalFrameType>(cursor.Byte());
      const std::string_view part = cursor.Text(cursor.Number());
      if (cursor.broken()) break;
      const bool nested = type == RekalFrameType::kBatch;
      if (nested || !Read(type, part).ok()) ++contents_->damaged;
    }
    if (cursor.broken()) ++contents_->damaged;
    return {};
  }

  const RekalStrings& strings_;
  RekalFrameContents* contents_;
};

}  // namespace

Result<RekalFrameContents> ReadRekalPayload(RekalFrameType type, std::string_view payload,
                                            const RekalStrings& strings) {
  RekalFrameContents contents;
  RECALL_TRY(PayloadReader(strings, &contents).Read(type, payload));
  return contents;
}

}  // namespace recall
