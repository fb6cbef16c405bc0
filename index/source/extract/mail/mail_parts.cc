// Problem. A message is a tree: a multipart names a boundary, and lines of that boundary separate
// its children, which may be multiparts. A line of an outer boundary also ends all inner parts.
//
// Idea. One cursor goes over the bytes. For each line that begins with "--" it asks whether it is a
// boundary of an open multipart, the innermost first; a match for an outer one ends the inner ones.
//
// Invariants. The cursor never goes back, so that each byte is looked at once (and once more as
// part of a header). Open boundaries are at most kMostMailDepth, which also bounds the recursion.
//
// Cost. Linear in the bytes; a line "--" costs a look-up among the open boundaries.

#include "index/source/extract/mail/mail_parts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "index/source/extract/mail/mail_parameters.h"
#include "index/source/extract/mail/mail_transfer.h"
#include "index/source/extract/mail/mail_words.h"

namespace recall {
namespace {

constexpr int kNoMailBoundary = -1;
constexpr size_t kLongestMailBoundary = 1000;  // RFC 2046 allows 70

// A line of a boundary; the end of the bytes is one of level kNoMailBoundary.
struct MailBoundaryLine {
  int level = kNoMailBoundary;  // the index of its multipart among the open ones
  bool closes = false;
  size_t start = 0;
  size_t next = 0;  // the start of the line after it
};

class MailPartReader {
 public:
  // `open` is how many multiparts are open outside of these bytes, `nesting` how many messages.
  MailPartReader(std::string_view bytes, size_t open, int nesting, int64_t* parts,
                 const ExtractLimits& limits, MailNotes* notes, MailShape* shape)
      : bytes_(bytes),
        outside_(open),
        nesting_(nesting),
        parts_(*parts),
        limits_(limits),
        notes_(*notes),
        shape_(*shape) {}

  std::unique_ptr<MailMessage> Read() {
    auto message = std::make_unique<MailMessage>();
    ReadMessage(0, "", message.get());
    return message;
  }

 private:
  bool Stop(std::string reason) {
    if (shape_.outcome == ExtractOutcome::kText) shape_.reason = std::move(reason);
    shape_.outcome = ExtractOutcome::kTooLarge;
    return false;
  }
  bool stopped() const { return shape_.outcome != ExtractOutcome::kText; }

  // Returns: the next line of an open boundary at or after `from`, a start of a line.
  MailBoundaryLine NextBoundary(size_t from) const {
    if (!boundaries_.empty()) {
      for (size_t at = from; at < bytes_.size();) {
        const size_t end = std::min(bytes_.find('\n', at), bytes_.size());
        if (bytes_.substr(at, 2) == "--") {
          MailBoundaryLine found;
          if (Matches(bytes_.substr(at + 2, end - at - 2), &found)) {
            found.start = at;
            found.next = std::min(end + 1, bytes_.size());
            return found;
          }
        }
        // The next line that begins with "--".
        const size_t dashes = bytes_.find("\n--", end);
        at = dashes == bytes_.npos ? bytes_.size() : dashes + 1;
      }
    }
    return {kNoMailBoundary, true, bytes_.size(), bytes_.size()};
  }

  // Whether the rest of a line after "--" is an open boundary, perhaps with "--" after it. Where
  // two are, the inner one counts.
  bool Matches(std::string_view line, MailBoundaryLine* found) const {
    if (line.size() > kLongestMailBoundary + 80) return false;
    while (!line.empty() && IsMailSpace(line.back())) line.remove_suffix(1);
    const auto level = [this](std::string_view boundary) {
      const auto at = levels_.find(boundary);
      return at == levels_.end() ? kNoMailBoundary : at->second.back();
    };
    found->level = level(line);
    if (line.ends_with("--")) {
      const int closed = level(line.substr(0, line.size() - 2));
      found->closes = closed > found->level;
      found->level = std::max(found->level, closed);
    }
    return found->level != kNoMailBoundary;
  }

  void Open(const std::string& boundary) {
    levels_[boundary].push_back(static_cast<int>(boundaries_.size()));
    boundaries_.push_back(boundary);
  }
  void Close() {
    const auto at = levels_.find(boundaries_.back());
    at->second.pop_back();
    if (at->second.empty()) levels_.erase(at);
    boundaries_.pop_back();
  }

  // The bytes from `from` to a boundary, without the line end that belongs to the boundary.
  std::string_view Until(size_t from, const MailBoundaryLine& line) const {
    size_t end = std::max(line.start, from);
    if (line.level != kNoMailBoundary && end > from && bytes_[end - 1] == '\n') {
      --end;
      if (end > from && bytes_[end - 1] == '\r') --end;
    }
    return bytes_.substr(from, end - from);
  }

  // Reads the message at `start`. Returns: the boundary that ends it.
  MailBoundaryLine ReadMessage(size_t start, const std::string& number, MailMessage* message) {
    message->header = ReadMailHeader(bytes_.substr(start));
    MailPart& root = message->root;
    Describe(message->header, "text/plain", &root);
    // The parts of a message are numbered below it; a message without parts has one, "1".
    root.number = root.type.starts_with("multipart/") ? number
                  : number.empty()                    ? "1"
                                                      : number + ".1";
    return ReadContent(start + message->header.body, &root);
  }

  MailBoundaryLine ReadChild(size_t start, const std::string& number, std::string_view default_type,
                             MailPart* part) {
    const MailHeader header = ReadMailHeader(bytes_.substr(start));
    Describe(header, default_type, part);
    part->number = number;
    return ReadContent(start + header.body, part);
  }

  // Fills the fields of a part that are in its header.
  void Describe(const MailHeader& header, std::string_view default_type, MailPart* part) {
    MailParameters type = ReadMailParameters(header[MailField::kContentType], &notes_);
    const MailParameters disposition = ReadMailParameters(header[MailField::kDisposition], &notes_);
    if (type.value.find('/') == std::string::npos) {
      type.value = type.value == "text" ? "text/plain" : default_type;
    }
    part->charset = type["charset"];
    part->protocol = LowerMail(type["protocol"]);
    part->smime_type = LowerMail(type["smime-type"]);
    part->encoding = TrimMail(header[MailField::kTransferEncoding].substr(0, 100));
    part->name = disposition["filename"];
    if (part->name.empty()) part->name = type["name"];
    part->flowed = type.value == "text/plain" && IsMailWord(type["format"], "flowed");
    part->delete_space = part->flowed && IsMailWord(type["delsp"], "yes");
    part->is_attachment = disposition.value == "attachment";
    part->is_inline = disposition.value == "inline";
    part->has_content_id = header.Has(MailField::kContentId);
    boundary_ = TrimMail(type["boundary"]);
    part->type = std::move(type.value);
  }

  MailBoundaryLine ReadContent(size_t body, MailPart* part) {
    if (++parts_ > limits_.max_members) {
      Stop("it has more than " + std::to_string(limits_.max_members) + " parts");
    }
    if (stopped()) return {kNoMailBoundary, true, bytes_.size(), bytes_.size()};
    if (part->type.starts_with("multipart/")) {
      const std::string boundary = std::exchange(boundary_, "");
      return ReadMultipart(body, boundary, part);
    }
    const bool is_message = part->type == "message/rfc822" || part->type == "message/global" ||
                            part->type == "message/news";
    if (!is_message || nesting_ >= limits_.max_nesting || part->is_attachment) {
      const MailBoundaryLine end = NextBoundary(body);
      part->body = Until(body, end);
      return end;
    }
    const std::string encoding = LowerMail(part->encoding);
    part->message = std::make_unique<MailMessage>();
    if (encoding != "base64" && encoding != "quoted-printable") {
      ++nesting_;
      const MailBoundaryLine end = ReadMessage(body, part->number, part->message.get());
      --nesting_;
      return end;
    }
    const MailBoundaryLine end = NextBoundary(body);
    std::string decoded;
    DecodeMailTransfer(Until(body, end), encoding, &decoded);
    shape_.unpacked += decoded.size();
    if (shape_.unpacked > limits_.max_unpacked_bytes) {
      Stop("its parts exceed the limit of " + std::to_string(limits_.max_unpacked_bytes) +
           " bytes");
      return end;
    }
    part->message->decoded = std::move(decoded);
    MailPartReader inner(part->message->decoded, outside_ + boundaries_.size(), nesting_ + 1,
                         &parts_, limits_, &notes_, &shape_);
    inner.ReadMessage(0, part->number, part->message.get());
    return end;
  }

  MailBoundaryLine ReadMultipart(size_t body, const std::string& boundary, MailPart* part) {
    const int level = static_cast<int>(boundaries_.size());
    if (outside_ + boundaries_.size() >= static_cast<size_t>(kMostMailDepth)) {
      Stop("its parts are nested deeper than " + std::to_string(kMostMailDepth) + " levels");
      return {kNoMailBoundary, true, bytes_.size(), bytes_.size()};
    }
    MailBoundaryLine line;
    if (!boundary.empty() && boundary.size() <= kLongestMailBoundary) {
      Open(boundary);
      line = NextBoundary(body);
      if (line.level != level) Close();
    } else {
      line = NextBoundary(body);
    }
    if (line.level != level) {
      shape_.without_boundary = true;
      part->type = "text/plain";
      if (part->number.empty()) part->number = "1";
      part->body = Until(body, line);
      return line;
    }
    const std::string_view child_type =
        part->type == "multipart/digest" ? "message/rfc822" : "text/plain";
    while (line.level == level && !line.closes && !stopped()) {
      const std::string number = (part->number.empty() ? "" : part->number + ".") +
                                 std::to_string(part->children.size() + 1);
      MailPart& child = part->children.emplace_back();
      line = ReadChild(line.next, number, child_type, &child);
    }
    Close();
    if (line.level != level) {
      shape_.unclosed = true;
      return line;
    }
    return NextBoundary(line.next);  // the text after the last part belongs to no part
  }

  const std::string_view bytes_;
  const size_t outside_;
  int nesting_;
  int64_t& parts_;
  const ExtractLimits& limits_;
  MailNotes& notes_;
  MailShape& shape_;
  std::vector<std::string> boundaries_;  // of the open multiparts, the outermost first
  std::map<std::string, std::vector<int>, std::less<>> levels_;  // the places in it of each
  std::string boundary_;  // of the part that was described last
};

}  // namespace

std::unique_ptr<MailMessage> ReadMailParts(std::string_view bytes, const ExtractLimits& limits,
                                           MailNotes* notes, MailShape* shape) {
  int64_t parts = 0;
  return MailPartReader(bytes, 0, 0, &parts, limits, notes, shape).Read();
}

}  // namespace recall
