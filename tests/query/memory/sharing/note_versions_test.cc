#include "query/memory/sharing/note_versions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/test_util.h"

namespace recall {
namespace {

const std::string kPath = "notes/a.md";

// A note that says `words` and was last changed on a day of March.
std::string Note(const std::string& words, int day) {
  const std::string digits = (day < 10 ? "0" : "") + std::to_string(day);
  return "---\ntype: lesson\ntitle: A\nupdated: 2026-03-" + digits + "\n---\n\n" + words + "\n";
}

SharedNoteVersion Version(const std::string& words, int day, std::vector<Digest> replaces = {}) {
  return NoteVersion(kPath, Note(words, day), UnixNanos{0}, std::move(replaces));
}

LocalNote Local(const std::string& words, int day) {
  const SharedNoteVersion version = Version(words, day);
  return {version.hash, version.changed};
}

NoteVersions HistoryOf(const std::vector<SharedNoteVersion>& versions) {
  NoteVersions history;
  for (const SharedNoteVersion& version : versions) history.Add(version);
  return history;
}

SharedNote KnownOf(const SharedNoteVersion& version) {
  SharedNote known;
  if (!version.is_removal) known.text = version.hash;
  known.pulled = {version.Id()};
  return known;
}

bool NeverHad(const Digest&) { return false; }

using Kind = NoteDecision::Kind;

TEST(NoteVersionsTest, AVersionReplacesThoseItWasMadeOf) {
  const SharedNoteVersion first = Version("one", 1);
  const SharedNoteVersion second = Version("two", 2, {first.Id()});
  const SharedNoteVersion third = Version("three", 3, {second.Id()});
  std::vector<SharedNoteVersion> versions = {first, second, third, second};
  std::mt19937 random(static_cast<uint32_t>(TestSeed(7)));
  for (int i = 0; i < 20; ++i) {
    std::ranges::shuffle(versions, random);
    const NoteVersions history = HistoryOf(versions);
    const auto heads = history.Heads();
    ASSERT_EQ(heads.size(), 1U);
    EXPECT_EQ(heads[0].id, third.Id());
    EXPECT_EQ(heads[0].version->text, third.text);
  }
}

TEST(NoteVersionsTest, ANewNoteIsTaken) {
  const SharedNoteVersion first = Version("one", 1);
  const NoteVersions history = HistoryOf({first});
  const NoteDecision decision = DecideNote(history, {}, {}, NeverHad);
  EXPECT_EQ(decision.kind, Kind::kTake);
  EXPECT_EQ(decision.taken->text, first.text);
  ASSERT_TRUE(decision.known.has_value());
  EXPECT_EQ(decision.known->text, first.hash);
  EXPECT_TRUE(decision.known->Knows(first.Id()));
  // And not again.
  const NoteDecision again = DecideNote(history, Local("one", 1), *decision.known, NeverHad);
  EXPECT_EQ(again.kind, Kind::kKeep);
  EXPECT_FALSE(again.known.has_value());
}

TEST(NoteVersionsTest, AnEditOfAnotherMachineReplacesWhatWasNotEditedHere) {
  const SharedNoteVersion first = Version("one", 1);
  const SharedNoteVersion second = Version("two", 2, {first.Id()});
  for (const auto& history : {HistoryOf({first, second}), HistoryOf({second})}) {
    const NoteDecision decision = DecideNote(history, Local("one", 1), KnownOf(first), NeverHad);
    EXPECT_EQ(decision.kind, Kind::kTake);
    EXPECT_EQ(decision.taken->text, second.text);
    EXPECT_TRUE(decision.copies.empty());
    EXPECT_FALSE(decision.copies_local);
  }
}

TEST(NoteVersionsTest, AnEditOfThisStoreStandsUntilAnotherMachineKnowsIt) {
  const SharedNoteVersion first = Version("one", 1);
  const NoteDecision decision =
      DecideNote(HistoryOf({first}), Local("two", 2), KnownOf(first), NeverHad);
  EXPECT_EQ(decision.kind, Kind::kKeep);
  EXPECT_TRUE(decision.copies.empty());
}

// The same two edits, whoever pulls: the later text stands, and the other is kept.
TEST(NoteVersionsTest, OfTwoEditsTheLaterStandsAndTheOtherIsKept) {
  const SharedNoteVersion first = Version("one", 1);
  const SharedNoteVersion early = Version("early", 2, {first.Id()});
  const SharedNoteVersion late = Version("late", 3, {first.Id()});

  const NoteVersions with_late = HistoryOf({first, late});
  const NoteDecision here_early =
      DecideNote(with_late, Local("early", 2), KnownOf(first), NeverHad);
  EXPECT_EQ(here_early.kind, Kind::kTake);
  EXPECT_EQ(here_early.taken->text, late.text);
  EXPECT_TRUE(here_early.copies_local);

  const NoteVersions with_early = HistoryOf({first, early});
  const NoteDecision here_late = DecideNote(with_early, Local("late", 3), KnownOf(first), NeverHad);
  EXPECT_EQ(here_late.kind, Kind::kKeep);
  ASSERT_EQ(here_late.copies.size(), 1U);
  EXPECT_EQ(here_late.copies[0]->text, early.text);

  // Both were pushed without a pull in between; a third machine has the old text.
  const NoteVersions with_both = HistoryOf({late, first, early});
  const NoteDecision third = DecideNote(with_both, Local("one", 1), KnownOf(first), NeverHad);
  EXPECT_EQ(third.kind, Kind::kTake);
  EXPECT_EQ(third.taken->text, late.text);
  ASSERT_EQ(third.copies.size(), 1U);
  EXPECT_EQ(third.copies[0]->text, early.text);
  EXPECT_FALSE(third.copies_local);
}

TEST(NoteVersionsTest, EqualTimesAreDecidedByTheHash) {
  const SharedNoteVersion a = Version("a", 2);
  const SharedNoteVersion b = Version("b", 2);
  const NoteVersions one = HistoryOf({a, b});
  const NoteVersions other = HistoryOf({b, a});
  const NoteDecision first = DecideNote(one, {}, {}, NeverHad);
  const NoteDecision second = DecideNote(other, {}, {}, NeverHad);
  EXPECT_EQ(first.taken->hash, std::max(a.hash, b.hash));
  EXPECT_EQ(second.taken->hash, std::max(a.hash, b.hash));
  ASSERT_EQ(first.copies.size(), 1U);
  EXPECT_EQ(first.copies[0]->hash, std::min(a.hash, b.hash));
}

TEST(NoteVersionsTest, TheSameTextOfTwoMachinesIsNoConflict) {
  const SharedNoteVersion here = Version("one", 1);
  const NoteDecision decision = DecideNote(HistoryOf({here}), Local("one", 1), {}, NeverHad);
  EXPECT_EQ(decision.kind, Kind::kKeep);
  EXPECT_TRUE(decision.copies.empty());
  EXPECT_FALSE(decision.copies_local);
  EXPECT_TRUE(decision.known->Knows(here.Id()));
}

TEST(NoteVersionsTest, ARemovalRemovesWhatWasNotEdited) {
  const SharedNoteVersion first = Version("one", 1);
  const SharedNoteVersion removal = NoteRemoval(kPath, {first.Id()});
  const NoteVersions history = HistoryOf({first, removal});
  EXPECT_EQ(DecideNote(history, Local("one", 1), KnownOf(first), NeverHad).kind, Kind::kRemove);
  const NoteDecision edited = DecideNote(history, Local("two", 2), KnownOf(first), NeverHad);
  EXPECT_EQ(edited.kind, Kind::kKeep);
  EXPECT_TRUE(edited.edit_beats_removal);
  // A store that never had the note has nothing to remove.
  const NoteDecision fresh = DecideNote(history, {}, {}, NeverHad);
  EXPECT_EQ(fresh.kind, Kind::kKeep);
  EXPECT_TRUE(fresh.known->Knows(removal.Id()));
}

TEST(NoteVersionsTest, ANoteThatWasRemovedHereComesBackOnlyIfItWasEdited) {
  const SharedNoteVersion first = Version("one", 1);
  EXPECT_EQ(DecideNote(HistoryOf({first}), {}, KnownOf(first), NeverHad).kind, Kind::kKeep);
  const NoteVersions edited = HistoryOf({first, Version("two", 2, {first.Id()})});
  EXPECT_EQ(DecideNote(edited, {}, KnownOf(first), NeverHad).kind, Kind::kTake);
}

// A remote that nobody has pushed to for long, or that was restored from a backup.
TEST(NoteVersionsTest, AnOldBranchBringsNothingBack) {
  const SharedNoteVersion old = Version("old", 1);
  const SharedNoteVersion now = Version("now", 5, {old.Id()});
  const auto had_old = [&](const Digest& text) { return text == old.hash; };
  const NoteVersions branch = HistoryOf({old});
  const NoteDecision decision = DecideNote(branch, Local("now", 5), KnownOf(now), had_old);
  EXPECT_EQ(decision.kind, Kind::kKeep);
  EXPECT_TRUE(decision.copies.empty());
  // What was known before stays known.
  EXPECT_TRUE(decision.known->Knows(now.Id()));
  EXPECT_TRUE(decision.known->Knows(old.Id()));
}

TEST(NoteVersionsTest, AnEditBackToAnOldTextIsAnEdit) {
  const SharedNoteVersion a = Version("a", 1);
  const SharedNoteVersion b = Version("b", 2, {a.Id()});
  const SharedNoteVersion c = Version("c", 3, {b.Id()});
  // The store knows b, and was edited back to a.
  const NoteVersions history = HistoryOf({a, b, c});
  const NoteDecision decision = DecideNote(history, Local("a", 1), KnownOf(b), NeverHad);
  EXPECT_EQ(decision.kind, Kind::kTake);
  EXPECT_TRUE(decision.copies_local);
}

TEST(NoteVersionsTest, ACopySaysWhichNoteStands) {
  const SharedNoteVersion loser = Version("early", 2);
  const std::string path = ConflictPathOf(kPath, loser.hash);
  EXPECT_EQ(path, "notes/a.conflict-" + ToHex(loser.hash).substr(0, 12) + ".md");
  EXPECT_TRUE(IsSharedNotePath(path));
  const std::string text = ConflictTextOf(kPath, loser.text);
  EXPECT_NE(text.find("status: conflict\n"), std::string::npos) << text;
  EXPECT_NE(text.find("superseded_by: \"notes/a.md\"\n"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("early\n")) << text;
}

// Three stores edit, remove, push and pull one note in any order. The branch is a list of versions.
// When all have exchanged what they have, all have the same note.
class Machine {
 public:
  explicit Machine(std::mt19937* random) : random_(random) {}

  void Edit(int day) {
    note_ = Version("edit " + std::to_string((*random_)()), day);
    past_.push_back(note_->hash);
  }
  void Remove() { note_.reset(); }

  void Pull(const NoteVersions& branch) {
    if (branch.Heads().empty()) return;
    std::optional<LocalNote> local;
    if (note_) local = LocalNote{note_->hash, note_->changed};
    const NoteDecision decision = DecideNote(branch, local, known_, [&](const Digest& text) {
      return std::ranges::find(past_, text) != past_.end() && (!note_ || note_->hash != text);
    });
    for (const SharedNoteVersion* const copy : decision.copies) copies_.insert(copy->hash);
    if (decision.copies_local) copies_.insert(note_->hash);
    if (decision.kind == Kind::kTake) {
      note_ = *decision.taken;
      past_.push_back(note_->hash);
    }
    if (decision.kind == Kind::kRemove) note_.reset();
    if (decision.known) known_ = *decision.known;
  }

  // As PlanNotes does it.
  void Push(NoteVersions* branch) {
    const auto heads = branch->Heads();
    std::vector<Digest> replaces;
    bool knows_all = true;
    for (const auto& head : heads) {
      if (known_.Knows(head.id)) replaces.push_back(head.id);
      knows_all &= known_.Knows(head.id);
    }
    const bool is_head = note_ && heads.size() == 1 && !heads[0].version->is_removal &&
                         heads[0].version->hash == note_->hash;
    if (is_head) known_.Write(heads[0].id);
    const bool removes =
        !note_ && !heads.empty() && knows_all &&
        !std::ranges::all_of(heads, [](const auto& h) { return h.version->is_removal; });
    if (is_head || (!note_ && !removes)) return;
    const SharedNoteVersion version =
        note_ ? NoteVersion(kPath, note_->text, note_->mtime, std::move(replaces))
              : NoteRemoval(kPath, std::move(replaces));
    known_.Write(version.Id());
    branch->Add(version);
  }

  std::optional<Digest> text() const { return note_ ? std::optional(note_->hash) : std::nullopt; }
  const std::set<Digest>& copies() const { return copies_; }

 private:
  std::mt19937* random_;
  std::optional<SharedNoteVersion> note_;
  std::vector<Digest> past_;
  std::set<Digest> copies_;
  SharedNote known_;
};

TEST(NoteVersionsTest, MachinesThatExchangeInAnyOrderConverge) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(23)));
  for (int trial = 0; trial < 300; ++trial) {
    NoteVersions branch;
    std::vector<Machine> machines(3, Machine(&random));
    for (int step = 0; step < 30; ++step) {
      Machine& machine = machines[random() % machines.size()];
      const auto action = random() % 8;
      if (action < 2) machine.Edit(static_cast<int>(1 + random() % 28));
      if (action == 2 && random() % 4 == 0) machine.Remove();
      if (action >= 3 && action < 6) machine.Pull(branch);
      if (action >= 6) machine.Push(&branch);
    }
    for (int round = 0; round < 3; ++round) {
      for (Machine& machine : machines) {
        machine.Pull(branch);
        machine.Push(&branch);
      }
    }
    for (Machine& machine : machines) machine.Pull(branch);
    EXPECT_EQ(machines[1].text(), machines[0].text()) << trial;
    EXPECT_EQ(machines[2].text(), machines[0].text()) << trial;
    EXPECT_LE(branch.Heads().size(), 1U) << trial;
    // A further round changes nothing.
    const auto before = branch.Heads();
    const auto text = machines[0].text();
    for (Machine& machine : machines) {
      machine.Push(&branch);
      machine.Pull(branch);
    }
    ASSERT_EQ(branch.Heads().size(), before.size());
    for (size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(branch.Heads()[i].id, before[i].id) << trial;
    }
    EXPECT_EQ(machines[2].text(), text) << trial;
  }
}

}  // namespace
}  // namespace recall
