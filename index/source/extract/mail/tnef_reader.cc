#include "index/source/extract/mail/tnef_reader.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "index/source/extract/charset/charset_decoder.h"
#include "index/source/extract/mail/mail_value.h"
#include "index/source/extract/mail/mail_words.h"
#include "index/source/extract/mail/rtf_text.h"
#include "storage/base/byte_cursor.h"

// TNEF is a list of attributes: a level (1: of the message, 2: of an attachment), an id, a size,
// bytes, a sum of the bytes. Older mail has a fact as an attribute of its own; newer mail has all
// as the properties in one attribute, which count more. An attribute "render data" begins the next
// attachment. A property has a type and an id, and sizes of its own; a type that is not known ends
// the list, because nothing says how long its value is.

namespace recall {
namespace {

constexpr std::string_view kTnefStart = "\x78\x9F\x3E\x22";
constexpr size_t kTnefHead = 6;                            // the start and a key
constexpr std::string_view kTnefVersion = "\x06\x90\x08";  // of the attribute that comes first

struct TnefAttribute {
  enum : uint64_t {
    kFrom = 0x00008000,
    kSubject = 0x00018004,
    kDateSent = 0x00038005,
    kMessageId = 0x00018009,
    kAttachTitle = 0x00018010,
    kBody = 0x0002800C,
    kAttachData = 0x0006800F,
    kRenderData = 0x00069002,
    kMessageProperties = 0x00069003,
    kAttachProperties = 0x00069005,
    kCodePage = 0x00069007,
  };
};

struct TnefType {
  enum : uint64_t {
    kShort = 2,
    kLong = 3,
    kFloat = 4,
    kDouble = 5,
    kCurrency = 6,
    kAppTime = 7,
    kError = 10,
    kBoolean = 11,
    kObject = 13,
    kLongLong = 20,
    kString8 = 0x1E,
    kUnicode = 0x1F,
    kSystemTime = 0x40,
    kClassId = 0x48,
    kBinary = 0x102,
    kMany = 0x1000,  // with another one: several values
  };
};

struct TnefProperty {
  enum : uint64_t {
    kSubject = 0x0037,
    kSubmitTime = 0x0039,
    kSentForName = 0x0042,
    kSenderName = 0x0C1A,
    kSenderAddress = 0x0C1F,
    kSenderSmtp = 0x5D01,
    kDisplayCc = 0x0E03,
    kDisplayTo = 0x0E04,
    kBody = 0x1000,
    kRtf = 0x1009,
    kHtml = 0x1013,
    kMessageId = 0x1035,
    kDisplayName = 0x3001,
    kAttachData = 0x3701,
    kAttachName = 0x3704,
    kAttachLongName = 0x3707,
    kInternetCodePage = 0x3FDE,
  };
};

// The bytes of a value of fixed size; 0 for other types.
uint64_t FixedSize(uint64_t type) {
  switch (type) {
    case TnefType::kShort:
    case TnefType::kLong:
    case TnefType::kFloat:
    case TnefType::kError:
    case TnefType::kBoolean:
      return 4;
    case TnefType::kDouble:
    case TnefType::kCurrency:
    case TnefType::kAppTime:
    case TnefType::kLongLong:
    case TnefType::kSystemTime:
      return 8;
    case TnefType::kClassId:
      return 16;
    default:
      return 0;
  }
}

bool IsSized(uint64_t type) {
  return type == TnefType::kObject || type == TnefType::kString8 || type == TnefType::kUnicode ||
         type == TnefType::kBinary;
}

struct TnefValue {
  uint64_t type = 0;
  bool is_many = false;    // there are several
  uint64_t number = 0;     // of a type of fixed size, its first 8 bytes
  std::string_view bytes;  // of other types; the first one of several
};

std::string_view SizedText(ByteCursor* cursor) {
  const uint64_t size = cursor->Fixed(4);
  const std::string_view bytes = cursor->Text(size);
  if (!cursor->broken()) cursor->Text(std::min<uint64_t>((4 - size % 4) % 4, cursor->left()));
  return bytes;
}

// Reads the next property. Returns its id; nothing if it is none.
std::optional<uint64_t> TakeProperty(ByteCursor* cursor, TnefValue* value) {
  const uint64_t type = cursor->Fixed(2);
  value->is_many = (type & TnefType::kMany) != 0;
  value->type = type & ~uint64_t{TnefType::kMany};
  const uint64_t id = cursor->Fixed(2);
  if (id >= 0x8000) {  // one with a name
    cursor->Text(16);
    if (cursor->Fixed(4) == 0) {
      cursor->Fixed(4);
    } else {
      SizedText(cursor);
    }
  }
  return cursor->broken() ? std::nullopt : std::optional(id);
}

// Reads the value, or the values, of a property. Returns false if the type is not known.
bool TakeValues(ByteCursor* cursor, TnefValue* value) {
  value->bytes = {};
  value->number = 0;
  const uint64_t fixed = FixedSize(value->type);
  if (fixed == 0 && !IsSized(value->type)) return false;
  const uint64_t count = value->is_many || fixed == 0 ? cursor->Fixed(4) : 1;
  for (uint64_t i = 0; i < count && !cursor->broken(); ++i) {
    if (fixed == 0) {
      const std::string_view bytes = SizedText(cursor);
      if (i == 0) value->bytes = bytes;
      continue;
    }
    const uint64_t number = cursor->Fixed(static_cast<int>(std::min<uint64_t>(fixed, 8)));
    if (fixed > 8) cursor->Text(fixed - 8);
    if (i == 0) value->number = number;
  }
  return !cursor->broken();
}

// "2026-11-27T08:41:18Z" of the days and seconds since 1601.
std::string DateOfFileTime(uint64_t ticks) {
  constexpr uint64_t kTicksOfSecond = 10'000'000, kDay = 86'400;
  const uint64_t seconds = ticks / kTicksOfSecond;
  // Howard Hinnant's algorithm, with eras of 400 years from 1600-03-01.
  const int64_t days = static_cast<int64_t>(seconds / kDay) + 306;
  if (ticks == 0 || days > 3'000'000) return "";
  const int64_t era = days / 146'097, day_of_era = days % 146'097;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t month_from_march = (5 * day_of_year + 2) / 153;
  const auto day = static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1);
  const auto month =
      static_cast<int>(month_from_march < 10 ? month_from_march + 3 : month_from_march - 9);
  const auto year = static_cast<int>(1600 + era * 400 + year_of_era + (month <= 2 ? 1 : 0));
  const auto rest = static_cast<int>(seconds % kDay);
  char text[40];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", year, month, day, rest / 3600,
                rest / 60 % 60, rest % 60);
  return text;
}

// Seven numbers of 16 bits: year, month, day, hour, minute, second, day of the week.
std::string DateOfNumbers(std::string_view bytes) {
  ByteCursor cursor(bytes);
  int numbers[6];
  for (int& number : numbers) number = static_cast<int>(cursor.Fixed(2));
  constexpr int kMost[6] = {9999, 12, 31, 23, 59, 60};
  for (int i = 0; i < 6; ++i) {
    if (cursor.broken() || numbers[i] > kMost[i] || (i < 3 && numbers[i] == 0)) return "";
  }
  char text[80];
  std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02dZ", numbers[0], numbers[1],
                numbers[2], numbers[3], numbers[4], numbers[5]);
  return text;
}

class TnefReader final {
 public:
  explicit TnefReader(std::string_view bytes) : cursor_(bytes.substr(kTnefHead)) {}

  TnefMessage Run() {
    while (!cursor_.at_end()) {
      cursor_.Byte();  // the level: ids are of one level only
      const uint64_t id = cursor_.Fixed(4);
      const uint64_t size = cursor_.Fixed(4);
      const bool is_cut = size > cursor_.left();
      // Of an attribute that is cut off there is still the beginning.
      const std::string_view value = cursor_.Text(std::min<uint64_t>(size, cursor_.left()));
      if (cursor_.broken()) break;
      AddAttribute(id, value);
      cursor_.Fixed(2);  // a sum, which is not compared
      if (is_cut) break;
    }
    message_.is_cut = message_.is_cut || cursor_.broken();
    EndFile();
    if (message_.plain.empty()) message_.plain = std::move(body_);
    if (message_.subject.empty()) message_.subject = std::move(subject_);
    if (message_.date.empty()) message_.date = std::move(date_);
    if (!address_.empty()) {
      message_.from += message_.from.empty() ? address_ : " <" + address_ + ">";
    }
    return std::move(message_);
  }

 private:
  // A text of the code page, without the NUL at its end.
  std::string Decoded(std::string_view bytes) const {
    std::string text;
    AppendInCharset(bytes.substr(0, bytes.find('\0')), charset_, &text);
    return text;
  }
  std::string DecodedLine(std::string_view bytes) const { return CleanMailLine(Decoded(bytes)); }

  std::string TextOf(const TnefValue& value) const {
    if (value.type != TnefType::kUnicode) return Decoded(value.bytes);
    std::string text;
    AppendInCharset(value.bytes, "utf-16le", &text);
    return text.substr(0, text.find('\0'));
  }

  void AddAttribute(uint64_t id, std::string_view value) {
    switch (id) {
      case TnefAttribute::kCodePage:
        charset_ = CharsetOfCodePage(static_cast<int64_t>(ByteCursor(value).Fixed(4)));
        break;
      case TnefAttribute::kSubject:
        subject_ = DecodedLine(value);
        break;
      case TnefAttribute::kBody:
        body_ = Decoded(value);
        break;
      case TnefAttribute::kDateSent:
        date_ = DateOfNumbers(value);
        break;
      case TnefAttribute::kRenderData:
        EndFile();
        has_file_ = true;
        break;
      case TnefAttribute::kAttachTitle:
        if (file_.name.empty()) file_.name = DecodedLine(value);
        break;
      case TnefAttribute::kAttachData:
        if (file_.bytes.empty()) file_.bytes = value;
        break;
      case TnefAttribute::kMessageProperties:
      case TnefAttribute::kAttachProperties:
        AddProperties(value, id == TnefAttribute::kAttachProperties);
        break;
      default:
        break;
    }
  }

  void AddProperties(std::string_view bytes, bool of_file) {
    ByteCursor cursor(bytes);
    const uint64_t count = cursor.Fixed(4);
    for (uint64_t i = 0; i < count && !cursor.broken(); ++i) {
      TnefValue value;
      const auto id = TakeProperty(&cursor, &value);
      if (!id || !TakeValues(&cursor, &value)) {
        message_.is_cut = true;
        return;
      }
      if (of_file) {
        AddFileProperty(*id, value);
      } else {
        AddMessageProperty(*id, value);
      }
    }
  }

  void AddMessageProperty(uint64_t id, const TnefValue& value) {
    const auto set = [&](std::string* text) { *text = CleanMailLine(TextOf(value)); };
    switch (id) {
      case TnefProperty::kSubject:
        set(&message_.subject);
        break;
      case TnefProperty::kSubmitTime:
        if (value.type == TnefType::kSystemTime) message_.date = DateOfFileTime(value.number);
        break;
      case TnefProperty::kSentForName:
        if (message_.from.empty()) set(&message_.from);
        break;
      case TnefProperty::kSenderName:
        set(&message_.from);
        break;
      case TnefProperty::kSenderAddress:
      case TnefProperty::kSenderSmtp: {
        const std::string address = CleanMailLine(TextOf(value));
        if (address.find('@') != address.npos) address_ = address;
        break;
      }
      case TnefProperty::kDisplayTo:
        set(&message_.to);
        break;
      case TnefProperty::kDisplayCc:
        set(&message_.cc);
        break;
      case TnefProperty::kMessageId: {
        const auto ids = MailIds(TextOf(value), 1);
        if (!ids.empty()) message_.message_id = ids[0];
        break;
      }
      case TnefProperty::kBody:
        message_.plain = TextOf(value);
        break;
      case TnefProperty::kRtf:
        message_.rtf = value.bytes;
        break;
      case TnefProperty::kHtml:
        message_.html = value.bytes;
        if (value.type == TnefType::kUnicode) message_.html_charset = "utf-16le";
        break;
      case TnefProperty::kInternetCodePage:
        if (message_.html_charset.empty()) {
          message_.html_charset = CharsetOfCodePage(static_cast<int64_t>(value.number));
        }
        break;
      default:
        break;
    }
  }

  void AddFileProperty(uint64_t id, const TnefValue& value) {
    constexpr size_t kInterfaceId = 16;  // the id of what the object is precedes it
    if (id == TnefProperty::kAttachLongName ||
        (id == TnefProperty::kAttachName && long_name_.empty())) {
      long_name_ = CleanMailLine(TextOf(value));
    } else if (id == TnefProperty::kDisplayName) {
      display_name_ = CleanMailLine(TextOf(value));
    } else if (id == TnefProperty::kAttachData) {
      file_.bytes = value.bytes;
      is_message_ = value.type == TnefType::kObject && value.bytes.size() > kInterfaceId &&
                    IsTnef(value.bytes.substr(kInterfaceId));
      if (is_message_) file_.bytes.remove_prefix(kInterfaceId);
    }
  }

  void EndFile() {
    if (!long_name_.empty()) file_.name = std::move(long_name_);
    if (file_.name.empty()) file_.name = std::move(display_name_);
    if (is_message_ && !LowerMail(file_.name).ends_with(".tnef")) file_.name += ".tnef";
    if (has_file_ && !file_.bytes.empty()) message_.files.push_back(std::move(file_));
    file_ = {};
    long_name_.clear();
    display_name_.clear();
    is_message_ = false;
  }

  ByteCursor cursor_;
  TnefMessage message_;
  std::string charset_ = "windows-1252";
  std::string subject_, body_, date_;  // as attributes say, which count less than properties
  std::string address_;
  bool has_file_ = false;  // an attachment has begun
  TnefMessage::File file_;
  std::string long_name_, display_name_;
  bool is_message_ = false;
};

}  // namespace

bool IsTnef(std::string_view bytes) {
  return bytes.starts_with(kTnefStart) && bytes.size() > kTnefHead + 4 && bytes[kTnefHead] == 1 &&
         bytes.substr(kTnefHead + 1).starts_with(kTnefVersion);
}

std::optional<TnefMessage> ReadTnef(std::string_view bytes) {
  if (!IsTnef(bytes)) return std::nullopt;
  return TnefReader(bytes).Run();
}

}  // namespace recall
