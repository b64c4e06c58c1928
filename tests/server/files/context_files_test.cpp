#include "files/context_files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "../file/scratch.hpp"
#include "config/model.hpp"

namespace epios::server::context_files_test {
namespace {

namespace fs = std::filesystem;

/// One server that owns one file with one scalar field, a record every hour.
class ContextFilesTest : public ::testing::Test {
 protected:
  ContextFilesTest() : folder_(fs::temp_directory_path() / folder_name()) {
    fs::create_directories(folder_);
    model_.calendar_type = config::CalendarType::no_leap;
    model_.timestep = {.hour = 1};
    model_.start_date = model_.calendar().instant({2000, 1, 1});
    model_.time_origin = model_.start_date;
    model_.grids.push_back({"one", {}});
    config::File& file = model_.files.emplace_back();
    file.id = "out";
    file.path = folder_ / "out.nc";
    file.streams = {config::StreamId(0)};
    config::Stream& stream = model_.streams.emplace_back();
    stream.id = stream.name = "tos";
    stream.sampling = {config::Operation::instant, {.hour = 1}, {}, {.hour = 1}};
    stream.attributes.operation = "instant";
    stream.attributes.prec = 8;
    prepare();
  }
  ~ContextFilesTest() override { fs::remove_all(folder_); }
  ContextFilesTest(const ContextFilesTest&) = delete;
  ContextFilesTest(ContextFilesTest&&) = delete;
  ContextFilesTest& operator=(const ContextFilesTest&) = delete;
  ContextFilesTest& operator=(ContextFilesTest&&) = delete;

  static std::string folder_name() { return "epios-context-files-" + std::to_string(::getpid()); }
  /// From the model as it is now.
  void prepare() {
    placements_ = io::place_files(model_, 1, 1'000'000);
    pieces_ = io::pieces_of(model_, placements_, 1)[0];
    const io::LocalParts local(model_);
    std::vector<io::OpeningPart> parts = {io::opening_part(
        model_, local, pieces_, io::local_holders(model_, local, io::local_forms(model_), 0), 0)};
    pieces_shared_ = assign_pieces(pieces_, parts);
    shares_ = assign_streams(model_, pieces_, pieces_shared_);
  }
  /// A second field of the file, which is written once.
  void add_once() {
    config::Stream once = model_.streams[0];
    once.id = once.name = "area";
    once.sampling = {config::Operation::once, {.hour = 1}, {}, {.hour = 1}};
    once.attributes.operation = "once";
    model_.streams.push_back(once);
    model_.files[0].streams.push_back(config::StreamId(1));
    prepare();
  }
  void open(const std::string& refusal = "") {
    files_.open({model_, placements_, pieces_, shares_, forms_, {}}, refusal);
    wait();
  }
  ContextFiles context() {
    return ContextFiles(
        {0, 7, nullptr, &thread_, nullptr, nullptr, nullptr, &written_, component_});
  }
  void wait() const {
    while (!files_.are_idle()) std::this_thread::yield();
  }
  void write(std::int64_t record, int stream = 0) {
    const StreamAssignment& share = shares_[static_cast<std::size_t>(stream)];
    files_.request_room(share, record);
    files_.at(0).write(stream, record, share.piece->slab, std::as_bytes(std::span(value_)));
    wait();
  }
  std::string dump(const std::string& name) const {
    return io::test::ncdump("", (folder_ / name).string());
  }

  fs::path folder_;
  config::Model model_;
  std::vector<io::FilePlacement> placements_;
  io::Pieces pieces_;
  io::CoordinateForms forms_;
  std::vector<PieceAssignment> pieces_shared_;
  std::vector<StreamAssignment> shares_;
  std::array<double, 1> value_ = {20.5};
  io::FileThread thread_{nullptr};
  WrittenFiles written_;
  std::string component_ = "toy_001";
  ContextFiles files_ = context();
};

// As when what a client says cannot be understood.
TEST_F(ContextFilesTest, AreRefusedWithoutKnowingWhatIsWritten) {
  shares_.clear();
  open("the part of client 0 cannot be read");
  EXPECT_EQ(files_.first_error(), "the part of client 0 cannot be read");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ContextFilesTest, AreClosedWhenAllAreFinished) {
  open();
  EXPECT_EQ(files_.first_error(), "");
  EXPECT_TRUE(files_.is_writer(0));
  EXPECT_FALSE(files_.is_writer(1));
  EXPECT_FALSE(files_.is_writer(-1));
  write(0);
  write(1);
  EXPECT_FALSE(files_.are_closed());
  files_.close();
  wait();
  EXPECT_TRUE(files_.are_closed());
  EXPECT_TRUE(fs::exists(folder_ / "out.nc"));
  const auto account = files_.account();
  ASSERT_EQ(account.size(), 1U);
  EXPECT_EQ(account[0].records_written(), 2);
  EXPECT_EQ(account[0].records_lost(), 0);
  EXPECT_EQ(account[0].bytes, static_cast<std::int64_t>(fs::file_size(folder_ / "out.nc")));
  EXPECT_TRUE(files_.newly_failed().empty());
}

// Whoever commands it: this server, or the leader of a shared file.
TEST_F(ContextFilesTest, RoomComesByACommand) {
  open();
  EXPECT_TRUE(files_.can_take(shares_[0], 0));
  EXPECT_FALSE(files_.at(0).has_room(0, 0));
  Command command;
  command.kind = Command::Kind::reserve;
  command.file = 0;
  command.stream = 0;
  command.records = 1;
  files_.apply(command);
  EXPECT_TRUE(files_.at(0).has_room(0, 0));
  EXPECT_FALSE(files_.at(0).has_room(0, 1));
  files_.request_room(shares_[0], 1);
  EXPECT_TRUE(files_.at(0).has_room(0, 1));
  command.file = 1;  // of another server
  files_.apply(command);
  wait();
  EXPECT_EQ(files_.first_error(), "");
}

TEST_F(ContextFilesTest, ASyncPointIsInTheJournal) {
  open();
  write(0);
  EXPECT_TRUE(files_.begins_sync(0));
  files_.sync(0, 3);
  wait();
  EXPECT_EQ(files_.first_error(), "");
  EXPECT_GT(fs::file_size(folder_ / "out.nc.part.records"), 0U);
}

// Of a context that is not opened after all, nothing is left for `epios recover` to find.
TEST_F(ContextFilesTest, AreDiscardedWithTheirJournals) {
  open();
  EXPECT_TRUE(fs::exists(folder_ / "out.nc.part.records"));
  files_.discard("its clients could not open the context");
  wait();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ContextFilesTest, AFailureIsToldOnceAndLosesWhatFollows) {
  open();
  write(0);
  files_.fail("the clients disagree");
  wait();
  write(1);
  const auto failed = files_.newly_failed();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_NE(failed[0].error.find("not finished (the clients disagree)"), std::string::npos);
  EXPECT_EQ(io::losses_text(failed[0]), "tos 1");
  EXPECT_TRUE(files_.newly_failed().empty());
  files_.close();
  wait();
  EXPECT_FALSE(fs::exists(folder_ / "out.nc"));
}

TEST_F(ContextFilesTest, ASplitFileIsSeveral) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  open();
  EXPECT_TRUE(fs::exists(folder_ / "out_2000010100-2000010101.nc.part"));
  for (int record = 0; record < 3; ++record) write(record);
  EXPECT_EQ(files_.at(0).part_of(0, 1), 0);
  EXPECT_EQ(files_.at(0).part_of(0, 2), 1);
  EXPECT_EQ(files_.at(0).number_in_part(0, 2), 0);
  EXPECT_FALSE(fs::exists(folder_ / "out_2000010100-2000010101.nc"));
  files_.end_parts(0, 1, 9);
  wait();
  EXPECT_TRUE(fs::exists(folder_ / "out_2000010100-2000010101.nc"));
  EXPECT_FALSE(fs::exists(folder_ / "out_2000010102-2000010103.nc"));
  write(6);  // nothing came for the part before
  files_.close();
  wait();
  const auto account = files_.account();
  ASSERT_EQ(account.size(), 3U);
  EXPECT_EQ(account[0].records_written(), 2);
  EXPECT_EQ(account[1].records_written(), 1);
  EXPECT_EQ(account[2].path, (folder_ / "out_2000010106-2000010107.nc").string());
  EXPECT_EQ(account[2].file, 0);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 3);
}

TEST_F(ContextFilesTest, WhatIsWrittenOnceIsInEveryPart) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  add_once();
  open();
  write(0, 1);
  for (int record = 0; record < 4; ++record) write(record);
  files_.close();
  wait();
  for (const char* part : {"out_2000010100-2000010101.nc", "out_2000010102-2000010103.nc"}) {
    EXPECT_NE(dump(part).find(" area = 20.5"), std::string::npos) << dump(part);
  }
  const auto account = files_.account();
  ASSERT_EQ(account.size(), 2U);
  EXPECT_EQ(account[0].records_written(), 3);
  EXPECT_EQ(account[1].records_written(), 3);
  EXPECT_TRUE(files_.warnings().empty());
}

TEST_F(ContextFilesTest, APartThatIsClosedStaysWhenSomethingIsWrittenOnceLater) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  add_once();
  open();
  write(0);
  write(1);
  files_.end_parts(0, 1, 9);
  wait();
  write(0, 1);  // after the first part, before the first record of the second
  write(2);
  files_.close();
  wait();
  EXPECT_NE(dump("out_2000010100-2000010101.nc").find("tos = 20.5, 20.5"), std::string::npos);
  EXPECT_NE(dump("out_2000010102-2000010103.nc").find(" area = 20.5"), std::string::npos);
  const auto account = files_.account();
  ASSERT_EQ(account.size(), 2U);
  EXPECT_EQ(account[0].records_written(), 2);
  EXPECT_EQ(account[1].records_written(), 2);
  EXPECT_EQ(account[0].records_lost() + account[1].records_lost(), 0);
  EXPECT_EQ(files_.first_error(), "");
  ASSERT_EQ(files_.warnings().size(), 1U);
  EXPECT_NE(files_.warnings()[0].find(
                "out_2000010100-2000010101.nc' has no values of field 'area', which is written "
                "once (they came after the end of the part). Send it before?"),
            std::string::npos)
      << files_.warnings()[0];
}

TEST_F(ContextFilesTest, WhatIsWrittenOnceIsInAPartWithoutRecords) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  add_once();
  open();
  write(0, 1);
  files_.close();
  wait();
  EXPECT_NE(dump("out_2000010100-2000010101.nc").find(" area = 20.5"), std::string::npos);
  EXPECT_EQ(files_.account()[0].records_written(), 1);
}

TEST_F(ContextFilesTest, WhatIsWrittenOnceAndFindsNoPartIsLost) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  add_once();
  open();
  write(0);
  files_.end_parts(0, 1, 9);
  wait();
  write(0, 1);
  files_.close();
  wait();
  const auto account = files_.account();
  ASSERT_EQ(account.size(), 1U);
  EXPECT_EQ(account[0].records_written(), 1);
  EXPECT_EQ(io::losses_text(account[0]), "area 1");
}

TEST_F(ContextFilesTest, NoPartReplacesAnother) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 12};
  model_.files[0].attributes.split_freq_format = "%h";
  open();
  write(0);
  files_.end_parts(0, 1, 9);
  write(12);
  files_.end_parts(0, 2, 10);
  write(24);
  const auto failed = files_.newly_failed();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_NE(failed[0].error.find("out_00-11.nc': part 3 would replace part 1 of this run (both are "
                                 "called so). Set split_freq_format to dates that do not come "
                                 "again?"),
            std::string::npos)
      << failed[0].error;
  EXPECT_EQ(io::losses_text(failed[0]), "tos 1");
  files_.close();
  wait();
  EXPECT_NE(dump("out_00-11.nc").find("time_instant = 3600"), std::string::npos)
      << dump("out_00-11.nc");
}

TEST_F(ContextFilesTest, RecordsThatAPartLeavesOutNeedNoRoom) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  model_.files[0].attributes.record_offset = -1;
  open();
  EXPECT_FALSE(files_.at(0).has_room(0, 1));
  // Of a part that nobody has made yet: who only applies commands would wait for ever.
  EXPECT_TRUE(files_.at(0).has_room(0, 2));
  EXPECT_FALSE(files_.at(0).has_room(0, 3));
}

TEST_F(ContextFilesTest, APartThatIsFinishedTakesNoMore) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  open();
  for (int record = 0; record < 3; ++record) write(record);
  files_.end_parts(0, 1, 9);
  wait();
  write(1);
  const auto failed = files_.newly_failed();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_NE(failed[0].error.find("out_2000010100-2000010101.nc': record 2 of field 'tos' comes "
                                 "after the file was finished"),
            std::string::npos)
      << failed[0].error;
  files_.at(0).lose(0, 0);
  write(3);
  files_.close();
  wait();
  EXPECT_TRUE(fs::exists(folder_ / "out_2000010102-2000010103.nc")) << "the others go on";
}

TEST_F(ContextFilesTest, PartsThatFailedFailAlone) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 1};
  fs::create_directory(folder_ / "out_2000010101-2000010101.nc");
  open();
  for (int record = 0; record < 3; ++record) write(record);
  const auto failed = files_.newly_failed();
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_NE(failed[0].error.find("a folder is in its place"), std::string::npos) << failed[0].error;
  EXPECT_EQ(io::losses_text(failed[0]), "tos 1");
  files_.close();
  wait();
  EXPECT_TRUE(fs::is_regular_file(folder_ / "out_2000010100-2000010100.nc"));
  EXPECT_TRUE(fs::is_regular_file(folder_ / "out_2000010102-2000010102.nc"));
}

TEST_F(ContextFilesTest, AContextThatFailedMakesNoMoreParts) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 1};
  open();
  write(0);
  files_.fail("the clients disagree");
  files_.at(0).lose(0, 1);
  files_.at(0).lose(0, 2);
  files_.close();
  wait();
  const auto account = files_.account();
  ASSERT_EQ(account.size(), 3U);
  EXPECT_EQ(account[2].records_lost(), 1);
  for (const auto& entry : fs::directory_iterator(folder_)) {
    EXPECT_NE(entry.path().string().find("2000010100-2000010100.nc.part"), std::string::npos);
  }
}

TEST_F(ContextFilesTest, AnOffsetShiftsRecordsInEachFile) {
  model_.files[0].attributes.record_offset = -1;
  open();
  write(0);
  write(1);
  files_.close();
  wait();
  EXPECT_EQ(files_.account()[0].records_written(), 1);
}

// Would have found that the room of each part but the first one got the dates of the part before.
TEST_F(ContextFilesTest, TheRoomOfAnOffsetHasNoDatesInAnyPart) {
  model_.files[0].attributes.split_freq = config::Duration{.hour = 2};
  model_.files[0].attributes.record_offset = 1;
  open();
  for (int record = 0; record < 4; ++record) write(record);
  files_.close();
  wait();
  const std::string first = dump("out_2000010100-2000010101.nc");
  const std::string second = dump("out_2000010102-2000010103.nc");
  EXPECT_NE(first.find("time_instant = NaN, 3600, 7200 ;"), std::string::npos) << first;
  EXPECT_NE(second.find("time_instant = NaN, 10800, 14400 ;"), std::string::npos) << second;
}

TEST_F(ContextFilesTest, AFileThatHasNoMemoryIsRefused) {
  pieces_shared_[0].in_place = false;
  pieces_shared_[0].slab = {{0}, {std::int64_t{1} << 60}};  // more than any vector may be asked for
  EXPECT_THROW(open(), Error);
  wait();
  EXPECT_EQ(files_.first_error().find("file '" + model_.files[0].path + "': cannot be prepared ("),
            0U)
      << files_.first_error();
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ContextFilesTest, WhatAnotherContextHasWrittenIsNotReplaced) {
  model_.context_id = "atmosphere";
  open();
  write(0);
  files_.close();
  wait();
  files_ = context();
  model_.context_id = "ocean";
  model_.files[0].id = "again";
  model_.files[0].path = folder_ / "." / "out.nc";
  open();
  EXPECT_EQ(files_.first_error(),
            "file '" + model_.files[0].path +
                "' of context 'ocean': it would replace that of file 'out' "
                "of context 'atmosphere', which this run has written. Give "
                "one of them another name, members of an ensemble by %member%?");
  EXPECT_NE(dump("out.nc").find("tos = 20.5"), std::string::npos);
  // From the working directory: would have found it replaced without a word.
  model_.files[0].path = fs::relative(folder_ / "out.nc");
  files_ = context();
  open();
  EXPECT_NE(files_.first_error().find("it would replace that of file 'out'"), std::string::npos)
      << files_.first_error();
  // Of another server.
  model_.files[0].path = folder_ / "third.nc";
  files_ = context();
  written_.note(model_.files[0].path, {"file 'x' of context 'y'", "toy_002"});
  open();
  EXPECT_NE(files_.first_error().find("third.nc' of context 'ocean' of component 'toy_001': it "
                                      "would replace that of file 'x' of context 'y' of component "
                                      "'toy_002', which"),
            std::string::npos)
      << files_.first_error();
  // To go on with a file is not to replace it.
  model_.files[0].attributes.append = true;
  files_ = context();
  open();
  EXPECT_EQ(files_.first_error(), "");
}

TEST_F(ContextFilesTest, WhatMembersOfAnEnsembleReplaceOfEachOtherIsSaid) {
  model_.statistics.path = model_.files[0].path;
  for (const char* const member : {"toy_001", "toy_001", "toy_002"}) {
    component_ = member;
    files_ = context();
    open();
    EXPECT_EQ(files_.first_error(), "");
    write(0);
    files_.close();
    wait();
  }
  const std::vector<std::string> warnings = files_.warnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0],
            "file '" + model_.files[0].path +
                "' of context '' of component 'toy_002': it replaces that of file 'out' of context "
                "'' of component 'toy_001', which this run has written. Give one of them another "
                "name, members of an ensemble by %member%?");
  model_.statistics.path.clear();
  model_.files[0].attributes.append = true;
  component_ = "toy_003";
  files_ = context();
  open();
  EXPECT_EQ(files_.first_error(), "");
  ASSERT_FALSE(files_.warnings().empty());
  EXPECT_NE(files_.warnings()[0].find("it goes on with that of file 'out' of context '' of "
                                      "component 'toy_002'"),
            std::string::npos)
      << files_.warnings()[0];
}

TEST_F(ContextFilesTest, ARefusalOpensNothing) {
  open("no memory for channels");
  EXPECT_EQ(files_.first_error(), "no memory for channels");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(ContextFilesTest, WithoutFilesEverythingIsDone) {
  EXPECT_TRUE(files_.are_idle());
  files_.close();
  EXPECT_TRUE(files_.are_closed());
  EXPECT_TRUE(files_.account().empty());
}

constexpr const char* old_references = R"({"version":1,"refs":{"old":["out.nc",0,8]}})";

// They would lead readers to other bytes of the new file.
TEST_F(ContextFilesTest, WarnOfReferencesToTheFileThatWasThereBefore) {
  std::ofstream(folder_ / "out.nc.json") << old_references;
  open();
  write(0);
  files_.close();
  wait();
  ASSERT_EQ(files_.warnings().size(), 1U);
  EXPECT_NE(files_.warnings()[0].find("out.nc.json' refers to the file that was there before"),
            std::string::npos);
}

TEST_F(ContextFilesTest, ReplaceReferencesToTheFileThatWasThereBefore) {
  std::ofstream(folder_ / "out.nc.json") << old_references;
  model_.files[0].attributes.references = "kerchunk";
  open();
  write(0);
  files_.close();
  wait();
  EXPECT_EQ(files_.warnings(), std::vector<std::string>());
  std::ifstream document(folder_ / "out.nc.json");
  const std::string text{std::istreambuf_iterator<char>(document), {}};
  EXPECT_EQ(text.find("old"), std::string::npos);
  EXPECT_NE(text.find("tos/.zarray"), std::string::npos);
}

// Another server of the job gives the file up a moment later.
TEST_F(ContextFilesTest, OfAContextThatIsOpenedAgainWaitForThoseOfTheAttemptBefore) {
  const int other = ::open((folder_ / "out.nc.part").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(::flock(other, LOCK_EX), 0);
  open();
  EXPECT_NE(files_.first_error().find("it is locked"), std::string::npos);
  ContextFiles again(
      {0, 8, nullptr, &thread_, nullptr, nullptr, nullptr, &written_, component_, nullptr, true});
  std::thread gives_up([other] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    ::close(other);
  });
  again.open({model_, placements_, pieces_, shares_, forms_, {}}, "");
  while (!again.are_idle()) std::this_thread::yield();
  gives_up.join();
  EXPECT_EQ(again.first_error(), "");
}

}  // namespace
}  // namespace epios::server::context_files_test
