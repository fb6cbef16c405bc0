// The writer queue. Each descriptor stands for a process, because locks of open file descriptions
// belong to descriptors.

#include "storage/sqlite/writer_queue.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <memory>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

class WriterQueueTest : public ::testing::Test {
 protected:
  // A writer with a descriptor of its own.
  struct Writer {
    explicit Writer(const std::string& path)
        : descriptor(::open(path.c_str(), O_RDWR)), queue(descriptor) {
      EXPECT_GE(descriptor, 0);
    }
    ~Writer() {
      queue.Leave();
      ::close(descriptor);
    }
    int descriptor;
    WriterQueue queue;
  };

  void SetUp() override { std::ofstream(Path()) << "a store"; }
  std::string Path() const { return dir_ / "recall.db"; }

  std::vector<std::unique_ptr<Writer>> Writers(int count) {
    std::vector<std::unique_ptr<Writer>> writers;
    for (int i = 0; i < count; ++i) writers.push_back(std::make_unique<Writer>(Path()));
    return writers;
  }

  TempDir dir_;
};

TEST_F(WriterQueueTest, TurnsComeInTheOrderOfArrival) {
  const auto writers = Writers(5);
  for (const auto& writer : writers) writer->queue.Enter();
  for (int round = 0; round < 3; ++round) {
    for (const auto& writer : writers) {
      for (const auto& other : writers) {
        EXPECT_EQ(other->queue.IsOurTurn(), other == writer);
      }
      writer->queue.Enter();  // wants to write again: joins at the end of the queue
    }
  }
}

TEST_F(WriterQueueTest, ThreadsOfAProcessTakeTurnsWithOtherProcesses) {
  Writer process(Path());
  Writer other(Path());
  WriterQueue& first = process.queue;
  WriterQueue second(process.descriptor);
  first.Enter();
  second.Enter();
  other.queue.Enter();
  EXPECT_TRUE(first.IsOurTurn());
  EXPECT_FALSE(second.IsOurTurn());
  first.Leave();
  // Only the first thread had a place in the queue, so the other process precedes the second
  // thread.
  EXPECT_FALSE(second.IsOurTurn());
  EXPECT_TRUE(other.queue.IsOurTurn());
  other.queue.Leave();
  EXPECT_TRUE(second.IsOurTurn());
  first.Enter();
  EXPECT_FALSE(first.IsOurTurn());
  second.Leave();
  EXPECT_TRUE(first.IsOurTurn());
}

TEST_F(WriterQueueTest, WhoGivesUpOrDiesIsNotWaitedFor) {
  auto writers = Writers(4);
  for (const auto& writer : writers) writer->queue.Enter();
  writers[1]->queue.Leave();
  EXPECT_FALSE(writers[2]->queue.IsOurTurn());
  ::close(writers[0]->descriptor);  // like the death of a process
  EXPECT_TRUE(writers[2]->queue.IsOurTurn());
  EXPECT_FALSE(writers[3]->queue.IsOurTurn());
  writers[2]->queue.Leave();
  EXPECT_TRUE(writers[3]->queue.IsOurTurn());
  writers[0]->descriptor = -1;
}

TEST_F(WriterQueueTest, AQueueThatCannotBeKeptLetsEverybodyPass) {
  WriterQueue none(-1);
  none.Enter();
  EXPECT_TRUE(none.IsOurTurn());

  Writer first(Path());
  first.queue.Enter();
  const int descriptor = ::open(Path().c_str(), O_RDONLY);  // read-only: no such locks
  WriterQueue reader(descriptor);
  reader.Enter();
  EXPECT_TRUE(reader.IsOurTurn());
  ::close(descriptor);
}

TEST_F(WriterQueueTest, ATurnIsTriedOnlyWhereNobodyElseHasOrAwaitsIt) {
  Writer first(Path());
  Writer second(Path());
  WriterQueue thread(first.descriptor);
  ASSERT_TRUE(first.queue.TryTurn());
  EXPECT_FALSE(second.queue.TryTurn());
  EXPECT_FALSE(thread.TryTurn());
  EXPECT_TRUE(first.queue.IsOurTurn()) << "who tried in vain is in nobody's way";
  second.queue.Enter();
  EXPECT_FALSE(second.queue.IsOurTurn());
  first.queue.Leave();
  EXPECT_TRUE(second.queue.IsOurTurn());
  EXPECT_FALSE(first.queue.TryTurn());
  second.queue.Leave();
  EXPECT_TRUE(thread.TryTurn());

  // Without locks a turn cannot be guaranteed.
  EXPECT_FALSE(WriterQueue(-1).TryTurn());
  const int descriptor = ::open(Path().c_str(), O_RDONLY);
  thread.Leave();
  EXPECT_FALSE(WriterQueue(descriptor).TryTurn());
  ::close(descriptor);
}

TEST_F(WriterQueueTest, PlacesAreNotInTheFile) {
  Writer writer(Path());
  writer.queue.Enter();
  EXPECT_EQ(std::filesystem::file_size(Path()), 7u);
}

}  // namespace
}  // namespace recall
