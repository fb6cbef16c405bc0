#include "index/source/extract/mail/mail_addresses.h"

#include <utility>

namespace recall {
namespace {

constexpr size_t kMostMailAddresses = 1000;

// Divides a list of addresses (RFC 5322, section 3.4) character by character, and accepts what
// programs write instead.
class MailAddressList final {
 public:
  MailAddressList(std::string_view charset, MailNotes* notes) : charset_(charset), notes_(notes) {}

  void Read(std::string_view value) {
    for (size_t i = 0; i < value.size() && !IsFull(); ++i) {
      if ((quoted_ || comments_ > 0) && value[i] == '\\' && i + 1 < value.size()) {
        Text().push_back(value[++i]);
      } else if (quoted_) {
        ReadQuoted(value[i]);
      } else if (comments_ > 0 || value[i] == '(') {
        ReadComment(value[i]);
      } else {
        ReadPlain(value[i]);
      }
    }
    if (IsFull()) {
      notes_->cut_header = true;
    } else {
      EndAddress();
    }
  }

  std::vector<std::string> Take() { return std::move(addresses_); }

 private:
  bool IsFull() const { return addresses_.size() >= kMostMailAddresses; }
  std::string& Text() { return comments_ > 0 ? comment_ : in_angle_ ? address_ : words_; }

  void ReadQuoted(char c) {
    if (c == '"') quoted_ = false;
    if (c != '"' || in_angle_) Text().push_back(c);
  }

  // The outer parentheses of a comment are not part of it.
  void ReadComment(char c) {
    if (c == '(' && comments_++ == 0) return;
    if (c == ')' && --comments_ == 0) return;
    Text().push_back(c);
  }

  void ReadPlain(char c) {
    if (c == '"') {
      quoted_ = true;
      if (in_angle_) address_.push_back(c);
    } else if (c == '<') {
      in_angle_ = had_angle_ = true;
    } else if (c == '>') {
      in_angle_ = false;
    } else if (in_angle_) {
      address_.push_back(c);
    } else if (c == ',' || c == ';') {
      EndAddress();
    } else if (c == ':' && words_.find('@') == words_.npos && words_.find("=?") == words_.npos) {
      words_.clear();  // the name of a group
    } else {
      words_.push_back(c);
    }
  }

  // Without "<", the words are the address, and a comment is the name.
  void EndAddress() {
    std::string name = DecodeMailValue(words_, charset_, notes_);
    std::string address = DecodeMailValue(address_, charset_, notes_);
    if (!had_angle_) {
      address = std::exchange(name, DecodeMailValue(comment_, charset_, notes_));
    }
    // A name that only repeats the address says nothing.
    if (name == address) name.clear();
    if (!name.empty() && !address.empty()) {
      addresses_.push_back(name + " <" + address + ">");
    } else if (!name.empty() || !address.empty()) {
      addresses_.push_back(name + address);
    }
    words_.clear();
    address_.clear();
    comment_.clear();
    in_angle_ = had_angle_ = false;
  }

  const std::string_view charset_;
  MailNotes* notes_;
  std::vector<std::string> addresses_;
  std::string words_;    // outside of "<" and ">"
  std::string address_;  // between "<" and ">"
  std::string comment_;
  bool quoted_ = false;
  bool in_angle_ = false;
  bool had_angle_ = false;
  int comments_ = 0;  // open parentheses
};

}  // namespace

std::vector<std::string> DecodeMailAddresses(std::string_view raw, std::string_view charset,
                                             MailNotes* notes) {
  MailAddressList list(charset, notes);
  list.Read(UnfoldMailValue(raw, notes));
  return list.Take();
}

}  // namespace recall
