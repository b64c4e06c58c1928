#include "process/mpi_library.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using namespace ep;

constexpr int mpi_3_1 = 301;
constexpr int mpi_4_0 = 400;

const MpiLibrary mpich =
    described_library("MPICH Version:\t4.0.2\nMPICH Release date:\tThu", mpi_4_0);
const MpiLibrary open_mpi =
    described_library("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", mpi_3_1);

TEST(MpiLibraries, are_known_by_what_they_say_of_themselves) {
  EXPECT_EQ(mpich.kind, MpiKind::mpich);
  EXPECT_EQ(mpich.name, "MPICH Version: 4.0.2");
  EXPECT_EQ(open_mpi.kind, MpiKind::open_mpi);
  EXPECT_EQ(open_mpi.name, "Open MPI v4.1.4");
  EXPECT_EQ(described_library("Intel(R) MPI Library 2021.9 for Linux* OS\n", mpi_3_1).kind,
            MpiKind::mpich);
  EXPECT_EQ(described_library("MPI VERSION    : CRAY MPICH version 8.1.25.17\n", mpi_3_1).kind,
            MpiKind::mpich);
  EXPECT_EQ(described_library("MVAPICH2 Version      :\t2.3.7\n", mpi_3_1).kind, MpiKind::mpich);
  EXPECT_EQ(described_library("Something else 1.0", mpi_4_0).kind, MpiKind::other);
}

TEST(MpiLibraries, of_one_kind_replace_each_other) {
  EXPECT_EQ(mismatch(mpich, mpich), "");
  EXPECT_EQ(mismatch(open_mpi, open_mpi), "");
  const MpiLibrary intel =
      described_library("Intel(R) MPI Library 2021.13 for Linux* OS\n", mpi_4_0);
  EXPECT_EQ(mismatch(mpich, intel), "");
  const MpiLibrary later = described_library("Open MPI v5.0.3, package: x", mpi_4_0);
  EXPECT_EQ(mismatch(open_mpi, later), "");
}

TEST(MpiLibraries, another_kind_is_named_with_what_to_do) {
  const std::string why = mismatch(mpich, open_mpi);
  EXPECT_NE(why.find("runs with 'Open MPI v4.1.4'"), std::string::npos) << why;
  EXPECT_NE(why.find("built with 'MPICH Version: 4.0.2'"), std::string::npos) << why;
  EXPECT_NE(why.find("wrappers"), std::string::npos) << why;
  EXPECT_NE(mismatch(open_mpi, mpich), "");
}

TEST(MpiLibraries, an_older_one_of_the_kind_is_named) {
  const MpiLibrary old = described_library("MPICH Version:\t3.4.1\n", mpi_3_1);
  const std::string why = mismatch(mpich, old);
  EXPECT_NE(why.find("version 3.1 of the standard"), std::string::npos) << why;
  EXPECT_EQ(mismatch(old, mpich), "");
}

// This very program.
TEST(MpiLibraries, the_one_of_the_build_is_the_one_that_runs) {
  EXPECT_NE(library_of_build().kind, MpiKind::other);
  EXPECT_NO_THROW(check_mpi_library());
}

}  // namespace
