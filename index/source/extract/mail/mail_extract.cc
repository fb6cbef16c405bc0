#include "index/source/extract/mail/mail_extract.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/charset/text_bytes.h"
#include "index/source/extract/mail/mail_addresses.h"
#include "index/source/extract/mail/mail_date.h"
#include "index/source/extract/mail/mail_header.h"
#include "index/source/extract/mail/mail_parameters.h"
#include "index/source/extract/mail/mail_parts.h"
#include "index/source/extract/mail/mail_text.h"
#include "index/source/extract/mail/mail_transfer.h"
#include "index/source/extract/mail/mail_value.h"
#include "index/source/extract/mail/mail_words.h"
#include "index/source/extract/mail/rtf_text.h"
#include "index/source/extract/mail/tnef_reader.h"

namespace recall {
namespace {

constexpr size_t kMostMailReferences = 1000;

bool IsBlankMail(std::string_view text) { return TrimMail(text).empty(); }

// How well a part represents the message among alternatives.
enum class MailTextRank { kNone, kHtml, kPlain };

bool IsShownMailText(const MailPart& part) {
  if (part.is_attachment) return false;
  if (part.type == "text/plain" || part.type == "text/html") return true;
  if (part.type == "message/delivery-status" || part.type == "message/disposition-notification" ||
      part.type == "text/rfc822-headers") {
    return true;
  }
  static constexpr std::string_view kFiles[] = {
      "text/calendar", "text/rtf",       "text/richtext", "text/enriched",   "text/vcard",
      "text/x-vcard",  "text/directory", "text/css",      "text/x-amp-html", "text/watch-html"};
  return part.type.starts_with("text/") && part.name.empty() &&
         std::find(std::begin(kFiles), std::end(kFiles), part.type) == std::end(kFiles);
}

MailTextRank RankOfMailPart(const MailPart& part) {
  if (part.message != nullptr) return MailTextRank::kPlain;
  MailTextRank rank = MailTextRank::kNone;
  for (const MailPart& child : part.children) rank = std::max(rank, RankOfMailPart(child));
  if (part.children.empty() && IsShownMailText(part) && !IsBlankMail(part.body)) {
    rank = part.type == "text/html" ? MailTextRank::kHtml : MailTextRank::kPlain;
  }
  return rank;
}

bool IsSmimeMail(const MailPart& part) {
  return part.type == "application/pkcs7-mime" || part.type == "application/x-pkcs7-mime";
}

bool IsMailSignature(const MailPart& part) {
  return part.type == "application/pgp-signature" || part.type == "application/pkcs7-signature" ||
         part.type == "application/x-pkcs7-signature";
}

bool IsShownMailImage(const MailPart& part, bool related) {
  return part.type.starts_with("image/") && !part.is_attachment &&
         (part.is_inline || part.has_content_id || related);
}

std::string NameOfMailFile(const MailPart& part) {
  if (!part.name.empty()) return part.name;
  static constexpr std::pair<std::string_view, std::string_view> kEndings[] = {
      {"text/plain", ".txt"},        {"text/html", ".html"},      {"text/calendar", ".ics"},
      {"text/csv", ".csv"},          {"message/rfc822", ".eml"},  {"message/global", ".eml"},
      {"application/pdf", ".pdf"},   {"image/png", ".png"},       {"image/jpeg", ".jpg"},
      {"application/json", ".json"}, {"text/vcard", ".vcf"},      {"text/x-vcard", ".vcf"},
      {"text/rtf", ".rtf"},          {"application/rtf", ".rtf"}, {"application/zip", ".zip"}};
  std::string name = "part-" + part.number;
  for (const auto& [type, ending] : kEndings) {
    if (part.type == type) return name.append(ending);
  }
  return name + ".bin";
}

class MailWriter {
 public:
  MailWriter(const ExtractLimits& limits, MailHtmlFunction html, const MailNotes& notes,
             const MailShape& shape)
      : limits_(limits), html_(html), notes_(notes), shape_(shape), unpacked_(shape.unpacked) {}

  Extraction Write(const MailMessage& message) && {
    WriteMeta(message.header);
    WriteMessage(message, 1);
    return Finish();
  }

  Extraction WriteTnefAlone(const TnefMessage& message) && {
    const auto people = [](std::string_view names) {
      std::vector<std::string> list;
      while (!names.empty()) {
        const size_t end = std::min(names.find(';'), names.size());
        list.push_back(CleanMailLine(names.substr(0, end)));
        names.remove_prefix(std::min(end + 1, names.size()));
      }
      return list;
    };
    id_ = message.message_id;
    SetMeta("from", {message.from});
    SetMeta("to", people(message.to));
    SetMeta("cc", people(message.cc));
    SetMeta("date", {message.date});
    SetMeta("subject", {message.subject});
    SetMeta("thread", {id_});
    SetMeta("message_id", {id_});
    std::string lines = message.subject.empty() ? "" : "# " + message.subject + "\n\n";
    const std::pair<const char*, const std::string*> fields[] = {{"From: ", &message.from},
                                                                 {"To: ", &message.to},
                                                                 {"Cc: ", &message.cc},
                                                                 {"Date: ", &message.date}};
    for (const auto& [name, value] : fields) {
      if (!value->empty()) lines += name + *value + "\n";
    }
    WriteHeaderLines(std::move(lines));
    WriteTnef(message, "1", true);
    return Finish();
  }

 private:
  Extraction Finish() {
    Extraction& out = out_;
    if (too_large_) {
      return FailedExtraction(
          ExtractOutcome::kTooLarge,
          "its text exceeds the limit of " + std::to_string(limits_.max_text_bytes) + " bytes");
    }
    if (encrypted_ != nullptr && !has_text_ && out.files.empty()) {
      Extraction failed = FailedExtraction(
          ExtractOutcome::kEncrypted, std::string("the message is encrypted (") + encrypted_ + ")");
      failed.meta = std::move(out.meta);
      return failed;
    }
    const auto warn = [&](bool is_so, const char* code) {
      if (is_so) out.warnings.emplace_back(code);
    };
    warn(notes_.unknown_charset, "charset_unknown");
    warn(notes_.wrong_charset, "charset_wrong");
    warn(encrypted_ != nullptr, "encrypted_part");
    warn(files_left_out_, "files_left_out");
    warn(notes_.cut_header, "header_cut");
    warn(shape_.without_boundary, "parts_broken");
    warn(shape_.unclosed || tnef_cut_, "parts_unclosed");
    warn(signed_opaque_, "signed_opaque");
    if (out.text.empty()) {
      out.outcome = ExtractOutcome::kNoText;
      out.reason = "the message has no text";
    }
    return std::move(out);
  }

  void SetMeta(const char* key, std::vector<std::string> values) {
    std::erase(values, "");
    if (!values.empty()) out_.meta[key] = std::move(values);
  }

  void WriteMeta(const MailHeader& header) {
    charset_ = ReadMailParameters(header[MailField::kContentType], &notes_)["charset"];
    const auto addresses = [&](MailField field) {
      return DecodeMailAddresses(header[field], charset_, &notes_);
    };
    const auto one = [](const std::vector<std::string>& ids) {
      return ids.empty() ? std::string() : ids.front();
    };
    SetMeta("from", addresses(MailField::kFrom));
    SetMeta("to", addresses(MailField::kTo));
    SetMeta("cc", addresses(MailField::kCc));
    SetMeta("date", {MailDateInUtc(header[MailField::kDate])});
    SetMeta("subject", {DecodeMailValue(header[MailField::kSubject], charset_, &notes_)});
    id_ = one(MailIds(header[MailField::kMessageId], 1));
    const std::string answered = one(MailIds(header[MailField::kInReplyTo], 1));
    std::vector<std::string> references =
        MailIds(header[MailField::kReferences], kMostMailReferences);
    SetMeta("thread", {!references.empty() ? references.front()
                       : !answered.empty() ? answered
                                           : id_});
    SetMeta("message_id", {id_});
    SetMeta("in_reply_to", {answered});
    SetMeta("references", std::move(references));
    const std::string list = DecodeMailValue(header[MailField::kListId], charset_, &notes_);
    const std::string list_id = one(MailIds(list, 1));
    SetMeta("list_id", {list.find('<') == list.npos ? list : list_id});
  }

  // Starts a block after an empty line.
  size_t StartBlock() {
    if (!out_.text.empty()) out_.text += '\n';
    return out_.text.size();
  }
  void EndBlock(size_t start, std::string range) {
    if (out_.text.size() > limits_.max_text_bytes) too_large_ = true;
    if (out_.text.size() == start) return;
    out_.spans.push_back(
        {start, out_.text.size(), {LocatorKind::kMessage, 0, id_, std::move(range)}});
  }

  void WriteMessage(const MailMessage& message, int level) {
    const MailHeader& header = message.header;
    const std::string charset(
        ReadMailParameters(header[MailField::kContentType], &notes_)["charset"]);
    std::string lines;
    const std::string subject = DecodeMailValue(header[MailField::kSubject], charset, &notes_);
    if (!subject.empty()) {
      lines = std::string(static_cast<size_t>(std::min(level, 6)), '#') + " " + subject + "\n\n";
    }
    const auto addresses = [&](const char* name, MailField field) {
      std::string line;
      for (const std::string& address : DecodeMailAddresses(header[field], charset, &notes_)) {
        line += (line.empty() ? "" : ", ") + address;
      }
      if (!line.empty()) lines += name + line + "\n";
    };
    addresses("From: ", MailField::kFrom);
    addresses("To: ", MailField::kTo);
    addresses("Cc: ", MailField::kCc);
    const std::string date = DecodeMailValue(header[MailField::kDate], charset, &notes_);
    if (!date.empty()) lines += "Date: " + date + "\n";
    WriteHeaderLines(std::move(lines));
    WritePart(message.root, level, false, true);
  }

  void WriteHeaderLines(std::string lines) {
    while (lines.ends_with("\n\n")) lines.pop_back();
    if (lines.empty()) return;
    const size_t start = StartBlock();
    out_.text += lines;
    // The number of the message is that of its root without the last "1" of a single part.
    EndBlock(start, level_number_.empty() ? "header" : level_number_ + ".header");
  }

  // `shown`: its text is wanted; else its files alone.
  void WritePart(const MailPart& part, int level, bool related, bool shown) {
    if (too_large_) return;
    if (part.message != nullptr) {
      if (!shown) return;
      std::string outer = std::exchange(level_number_, part.number);
      WriteMessage(*part.message, level + 1);
      level_number_ = std::move(outer);
      return;
    }
    if (part.type == "multipart/encrypted") {
      encrypted_ = part.protocol.find("pgp") == std::string::npos ? "MIME" : "OpenPGP";
      return;
    }
    if (!part.children.empty()) {
      WriteChildren(part, level, shown);
      return;
    }
    if (part.type.starts_with("multipart/") || IsMailSignature(part)) return;
    if (IsSmimeMail(part)) {
      signed_opaque_ = signed_opaque_ || part.smime_type == "signed-data";
      if (part.smime_type != "signed-data" && part.smime_type != "compressed-data" &&
          part.smime_type != "certs-only") {
        encrypted_ = "S/MIME";
        return;
      }
    }
    if (IsShownMailText(part)) {
      if (shown) WriteText(part);
      return;
    }
    if (IsShownMailImage(part, related)) return;
    std::string storage;
    const std::string_view bytes = DecodeMailTransfer(part.body, part.encoding, &storage);
    if (const auto tnef = ReadTnef(bytes)) {
      WriteTnef(*tnef, part.number, shown);
    } else {
      AddFile(NameOfMailFile(part), bytes);
    }
  }

  void WriteTnef(const TnefMessage& message, const std::string& number, bool shown) {
    tnef_cut_ = tnef_cut_ || message.is_cut;
    for (size_t i = 0; i < message.files.size(); ++i) {
      const TnefMessage::File& file = message.files[i];
      AddFile(
          file.name.empty() ? "part-" + number + "." + std::to_string(i + 1) + ".bin" : file.name,
          file.bytes);
    }
    if (!shown || too_large_) return;
    const std::string text = CleanMailText(TnefText(message));
    // Mostly it is what the message says, too.
    if (text.empty() || (has_text_ && !IsMailStub(out_.text, text))) return;
    AddText(text, number);
  }

  std::string TnefText(const TnefMessage& message) {
    const uint64_t most = 2 * limits_.max_text_bytes;
    if (!IsBlankMail(message.plain)) return message.plain;
    if (!message.html.empty()) {
      const CharsetChoice choice = ReconcileCharset(message.html, message.html_charset);
      std::string html;
      NoteCharsetFit(AppendInCharset(message.html, choice.charset, &html, most), &notes_);
      return html_(html, most);
    }
    const auto rtf = UnpackRtf(message.rtf, limits_.max_unpacked_bytes);
    if (!rtf) {
      tnef_cut_ = tnef_cut_ || !message.rtf.empty();
      return "";
    }
    const RtfText read = ReadRtf(*rtf, most);
    return read.is_html ? html_(read.text, most) : read.text;
  }

  void WriteChildren(const MailPart& part, int level, bool shown) {
    const bool related = part.type == "multipart/related";
    const MailPart* chosen = nullptr;  // among alternatives
    if (part.type == "multipart/alternative" && shown) {
      MailTextRank best = MailTextRank::kNone;
      const MailPart* html = nullptr;  // the last one is the best (RFC 2046, section 5.1.4)
      for (const MailPart& child : part.children) {
        const MailTextRank rank = RankOfMailPart(child);
        if (chosen == nullptr || rank > best) {
          chosen = &child;
          best = rank;
        }
        if (rank == MailTextRank::kHtml) html = &child;
      }
      if (best == MailTextRank::kPlain && html != nullptr && IsStubOf(*chosen, *html)) {
        chosen = html;
      }
    }
    for (const MailPart& child : part.children) {
      const bool wanted = shown && (chosen == nullptr || chosen == &child);
      WritePart(child, level, related, wanted);
    }
  }

  // Sets *text to the text of a part in UTF-8. Returns: false if it is too large.
  bool DecodeText(const MailPart& part, bool take_files, std::string* text) {
    {
      std::string storage;
      std::string_view bytes = DecodeMailTransfer(part.body, part.encoding, &storage);
      std::string rest;
      if (take_files && part.type != "text/html" && TakeUuFiles(part, bytes, &rest)) bytes = rest;
      AppendDecoded(part, bytes, text);
    }
    // Cleaning makes a text no more than twice as short: it removes carriage returns. HTML is not
    // read beyond that either.
    const uint64_t most = 2 * limits_.max_text_bytes;
    if (text->size() <= most && part.type == "text/html") *text = html_(*text, most);
    if (IsMailWord(TrimMail(part.encoding), "base64")) {
      const std::string_view footer = part.body.substr(MailBase64End(part.body));
      if (!text->empty() && !text->ends_with('\n') && !footer.empty()) *text += '\n';
      AppendDecoded(part, footer, text);
    }
    return text->size() <= most;
  }

  void AppendDecoded(const MailPart& part, std::string_view bytes, std::string* text) {
    const CharsetChoice choice = ReconcileCharset(bytes, part.charset);
    if (choice.contradicts) notes_.wrong_charset = true;
    NoteCharsetFit(AppendInCharset(bytes, choice.charset, text, 2 * limits_.max_text_bytes),
                   &notes_);
  }

  // Adds the texts of one type among the parts of an alternative. What is in messages or in other
  // alternatives is not looked at, so that each text is decoded twice at most.
  void CollectTexts(const MailPart& part, bool html, std::string* text) {
    if (part.message != nullptr || part.type == "multipart/alternative") return;
    for (const MailPart& child : part.children) CollectTexts(child, html, text);
    if (!part.children.empty() || !IsShownMailText(part) || (part.type == "text/html") != html) {
      return;
    }
    std::string one;
    if (DecodeText(part, false, &one)) *text += one + "\n";
  }

  // Whether the plain text is no more than a remark that there is HTML, or its beginning.
  bool IsStubOf(const MailPart& plain, const MailPart& html) {
    const MailNotes before = notes_;
    std::string plain_text, html_text;
    CollectTexts(plain, false, &plain_text);
    CollectTexts(html, true, &html_text);
    notes_ = before;  // of these texts one is not shown
    return IsMailStub(plain_text, html_text);
  }

  void WriteText(const MailPart& part) {
    std::string text;
    if (!DecodeText(part, true, &text)) {
      too_large_ = true;
      return;
    }
    text = CleanMailText(text);
    if (part.flowed) text = JoinFlowedMail(text, part.delete_space);
    if (text.empty()) return;
    if (text.starts_with("-----BEGIN PGP MESSAGE-----")) {
      encrypted_ = "OpenPGP";
      return;
    }
    AddText(text, part.number);
  }

  void AddText(const std::string& text, const std::string& number) {
    has_text_ = true;
    if (text.size() > limits_.max_text_bytes) {
      too_large_ = true;
      return;
    }
    const size_t start = StartBlock();
    out_.text += text;
    EndBlock(start, number);
  }

  // Takes the files in uuencode out of a text. Returns: false if there is none; else true, and
  // *rest is the text without them.
  bool TakeUuFiles(const MailPart& part, std::string_view text, std::string* rest) {
    size_t kept = 0;  // what comes before is in `rest` or in a file
    for (size_t at = 0; at < text.size();) {
      if (!text.substr(at).starts_with("begin ")) {
        const size_t next = text.find("\nbegin ", at);
        if (next == text.npos) break;
        at = next + 1;
      }
      const size_t start = at;
      UuFile file;
      if (!ReadUuFile(text, &at, &file)) continue;
      *rest += text.substr(kept, start - kept);
      kept = at;
      std::string name;
      AppendInCharset(file.name, part.charset, &name);
      AddFile(CleanFileName(name), file.bytes);
    }
    if (kept > 0) *rest += text.substr(kept);
    return kept > 0;
  }

  static std::string CleanFileName(std::string_view name) {
    MailNotes ignored;
    return DecodeMailValue(name, "", &ignored);
  }

  void AddFile(std::string name, std::string_view bytes) {
    unpacked_ += bytes.size();
    if (static_cast<int64_t>(out_.files.size()) >= limits_.max_files ||
        unpacked_ > limits_.max_unpacked_bytes) {
      files_left_out_ = true;
      return;
    }
    out_.files.push_back({std::move(name), std::string(bytes)});
  }

  const ExtractLimits& limits_;
  const MailHtmlFunction html_;
  MailNotes notes_;
  const MailShape& shape_;
  Extraction out_;
  std::string id_;
  std::string charset_;
  std::string level_number_;         // the number of the message that is written; "": the outermost
  const char* encrypted_ = nullptr;  // the kind of encryption of some part; null: none is encrypted
  bool has_text_ = false;
  bool too_large_ = false;
  bool files_left_out_ = false;
  bool signed_opaque_ = false;
  bool tnef_cut_ = false;
  uint64_t unpacked_;
};

// Reads what begins with no header as the text that it is.
Extraction ExtractHeaderlessMail(std::string_view bytes, const ExtractLimits& limits) {
  if (TrimMail(bytes).empty() || bytes.find('\0') != bytes.npos) {
    return FailedExtraction(ExtractOutcome::kDamaged,
                            "it does not begin with the header of a message");
  }
  Extraction out;
  std::string text;
  const CharsetFit fit = AppendInCharset(bytes, "", &text, 2 * limits.max_text_bytes);
  if (text.size() <= 2 * limits.max_text_bytes) text = CleanMailText(text);
  if (text.size() > limits.max_text_bytes) {
    return FailedExtraction(
        ExtractOutcome::kTooLarge,
        "its text exceeds the limit of " + std::to_string(limits.max_text_bytes) + " bytes");
  }
  if (fit != CharsetFit::kGood) out.warnings.emplace_back("charset_unknown");
  out.warnings.emplace_back("header_missing");
  out.text = std::move(text);
  if (out.text.empty()) {
    out.outcome = ExtractOutcome::kNoText;
    out.reason = "the message has no text";
  } else {
    out.spans.push_back({0, out.text.size(), {LocatorKind::kMessage, 0, "", "1"}});
  }
  return out;
}

// Returns the message in a file of Apple Mail (.emlx): its first line is the number of its bytes,
// and a property list follows. Other bytes are returned as they are.
std::string_view WithoutEmlxFrame(std::string_view bytes) {
  constexpr size_t kMostDigits = 12;
  const size_t digits = bytes.find_first_not_of("0123456789");
  if (digits == bytes.npos || digits == 0 || digits > kMostDigits) return bytes;
  const size_t start = bytes.find_first_not_of(" \r", digits);
  if (start == bytes.npos || bytes[start] != '\n') return bytes;
  uint64_t size = 0;
  for (const char c : bytes.substr(0, digits)) size = size * 10 + static_cast<uint64_t>(c - '0');
  return bytes.substr(start + 1, size);
}

}  // namespace

Extraction ExtractMail(std::string_view bytes, const ExtractLimits& limits, MailHtmlFunction html) {
  bytes = WithoutEmlxFrame(bytes);
  MailNotes notes;
  MailShape shape;
  if (const auto tnef = ReadTnef(bytes)) {
    return MailWriter(limits, html, notes, shape).WriteTnefAlone(*tnef);
  }
  const std::unique_ptr<MailMessage> message = ReadMailParts(bytes, limits, &notes, &shape);
  if (shape.outcome != ExtractOutcome::kText) return FailedExtraction(shape.outcome, shape.reason);
  const MailHeader& header = message->header;
  if (std::find(header.present.begin(), header.present.end(), true) == header.present.end()) {
    return ExtractHeaderlessMail(bytes, limits);
  }
  return MailWriter(limits, html, notes, shape).Write(*message);
}

std::string MailMessageId(std::string_view message) {
  std::vector<std::string> ids = MailIds(ReadMailHeader(message)[MailField::kMessageId], 1);
  return ids.empty() ? "" : std::move(ids.front());
}

}  // namespace recall
