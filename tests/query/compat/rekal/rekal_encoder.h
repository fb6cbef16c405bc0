#pragma once

// Writes what rekal publishes, for tests: the layout of its frames and of its table of strings,
// without anything of the readers.

#include <zdict.h>
#include <zstd.h>

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace recall {

struct EncodedTurn {
  int role = 0;  // 1: the agent
  uint64_t seconds = 0;
  std::string text;
};

struct EncodedCall {
  int tool = 0xFF;
  std::string path;
  std::string command;
};

struct EncodedSession {
  std::string id = {};
  std::string email = "ada@example.com";
  std::string branch = "main";
  uint32_t read_at = 1'772'013'600;  // 2026-02-25T10:00:00Z
  std::vector<EncodedTurn> turns = {};
  std::vector<EncodedCall> calls = {};
  std::string parent = {};       // version 2
  std::string description = {};  // version 2
  bool is_agent = false;
};

struct EncodedCheckpoint {
  std::string id = {};
  std::string sha = {};
  uint32_t at = 1'772'013'600;
  std::vector<std::string> sessions = {};
  std::vector<std::pair<std::string, char>> files = {};  // path and kind of change
};

// A branch under way. Strings get their numbers as they come.
class RekalEncoder final {
 public:
  // With the bytes of a dictionary of zstd, or without one.
  explicit RekalEncoder(std::string dictionary = {}) : dictionary_(std::move(dictionary)) {
    body_ = std::string("RKLBODY\x01\x01", 9);
  }

  const std::string& body() const { return body_; }
  // The number of strings that a table of version 1 counts in eight bits may be any.
  std::string strings(int version = 1) const {
    std::string bytes = "RKDICT";
    bytes += static_cast<char>(version);
    bytes += static_cast<char>(version == 1 ? emails_.size() & 0xFF : 0);
    if (version == 1) {
      bytes += Fixed(sessions_.size(), 2) + Fixed(branches_.size(), 2);
    } else {
      for (const auto* list : {&sessions_, &branches_, &emails_, &paths_}) {
        bytes += Number(list->size());
      }
    }
    for (std::string id : sessions_) {
      id.resize(26, '\0');
      bytes += id;
    }
    for (const auto* list : {&branches_, &emails_, &paths_}) {
      for (const std::string& text : *list) {
        const int size = list == &paths_ ? 2 : 1;
        bytes += (version == 1 ? Fixed(text.size(), size) : Number(text.size())) + text;
      }
    }
    return bytes;
  }

  std::string Payload(const EncodedSession& session, int version = 1) {
    std::string bytes = "RKLS";
    bytes += static_cast<char>(version);
    bytes += '\x01';
    bytes += Count(session.turns.size(), version) + Count(session.calls.size(), version);
    bytes += Number(At(&sessions_, session.id)) + Fixed(session.read_at, 4) +
             Number(At(&emails_, session.email));
    bytes += session.is_agent ? '\x01' : '\x00';
    if (session.is_agent) bytes += Number(At(&emails_, "agent-1"));
    if (version == 2) {
      bytes += static_cast<char>((session.parent.empty() ? 0 : 1) |
                                 (session.description.empty() ? 0 : 16) | 2 | 32);
      if (!session.parent.empty()) bytes += Number(At(&sessions_, session.parent));
      bytes += Text("the team");
      if (!session.description.empty()) bytes += Text(session.description);
      bytes += Number(1);
    }
    for (const EncodedTurn& turn : session.turns) {
      bytes += static_cast<char>(turn.role);
      bytes += Number(turn.seconds) + Number(At(&branches_, session.branch)) + Text(turn.text);
    }
    for (const EncodedCall& call : session.calls) {
      bytes += static_cast<char>(call.tool);
      bytes += call.path.empty() ? '\x02' : '\x00';
      if (!call.path.empty()) bytes += Number(At(&paths_, call.path));
      bytes += Text(call.command);
    }
    return bytes;
  }

  // `version` 0: as the first versions of rekal wrote it, without a number of its own.
  std::string Payload(const EncodedCheckpoint& checkpoint, int version = 1) {
    std::string bytes = "RKLC";
    bytes += static_cast<char>(version == 0 ? 1 : version);
    bytes += Count(checkpoint.files.size(), version);
    if (version > 0) bytes += Number(At(&sessions_, checkpoint.id));
    std::string sha = checkpoint.sha;
    sha.resize(40, '\0');
    bytes += sha + Number(At(&branches_, "main")) + Number(At(&emails_, "ada@example.com")) +
             Fixed(checkpoint.at, 4) + '\0' + Number(checkpoint.sessions.size());
    for (const std::string& id : checkpoint.sessions) bytes += Number(At(&sessions_, id));
    for (const auto& [path, change] : checkpoint.files) {
      bytes += Number(At(&paths_, path)) + change;
    }
    return bytes;
  }

  std::string MetaPayload() { return "RKLM\x01\x01" + std::string(60, '0'); }

  // One part of a batch.
  std::string Part(int type, const std::string& payload) {
    return static_cast<char>(type) + Text(payload);
  }

  RekalEncoder& Add(const EncodedSession& session, int version = 1) {
    return AddFrame(version == 1 ? 1 : 4, Payload(session, version));
  }
  RekalEncoder& Add(const EncodedCheckpoint& checkpoint, int version = 1) {
    return AddFrame(version == 2 ? 5 : 2, Payload(checkpoint, version));
  }
  RekalEncoder& AddFrame(int type, const std::string& payload) {
    const std::string data = Compress(payload);
    body_ += static_cast<char>(type);
    body_ += Fixed(data.size(), 3) + Fixed(payload.size() & 0xFFFF, 2) + data;
    return *this;
  }
  void AddBytes(const std::string& bytes) { body_ += bytes; }

  static std::string Number(uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(0x80 | (value & 0x7F));
    return bytes + static_cast<char>(value);
  }
  static std::string Fixed(uint64_t value, int size) {
    std::string bytes;
    for (int i = 0; i < size; ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFF);
    return bytes;
  }
  static std::string Text(const std::string& text) { return Number(text.size()) + text; }

 private:
  static std::string Count(size_t count, int version) {
    return version == 2 ? Number(count) : Fixed(count & 0xFF, 1);
  }
  static uint64_t At(std::vector<std::string>* strings, const std::string& text) {
    for (size_t i = 0; i < strings->size(); ++i) {
      if ((*strings)[i] == text) return i;
    }
    strings->push_back(text);
    return strings->size() - 1;
  }

  std::string Compress(const std::string& payload) const {
    const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
    if (!dictionary_.empty()) {
      ZSTD_CCtx_loadDictionary(context.get(), dictionary_.data(), dictionary_.size());
    }
    std::string data(ZSTD_compressBound(payload.size()), '\0');
    data.resize(
        ZSTD_compress2(context.get(), data.data(), data.size(), payload.data(), payload.size()));
    return data;
  }

  std::string dictionary_;
  std::string body_;
  std::vector<std::string> sessions_;
  std::vector<std::string> branches_;
  std::vector<std::string> emails_;
  std::vector<std::string> paths_;
};

// A dictionary of the size of that in rekal.
inline std::string DictionaryForTests() {
  std::mt19937 random(7);
  std::string content;
  while (content.size() < 40'000) {
    content += "word" + std::to_string(random() % 1000) + " of a conversation, ";
  }
  std::vector<size_t> sizes(40, 1000);
  std::string dictionary(16384, '\0');
  ZDICT_params_t params{};
  params.dictID = 4711;
  const size_t size = ZDICT_finalizeDictionary(dictionary.data(), dictionary.size(), content.data(),
                                               16384, content.data(), sizes.data(), 40, params);
  dictionary.resize(ZDICT_isError(size) ? 0 : size);
  return dictionary;
}

}  // namespace recall
