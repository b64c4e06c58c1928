// Which operations MPI has for which datatypes (MPI-3.1, 5.9.2): what it has not is an error at
// every endpoint, before anything is sent.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::operation_type_test {
namespace {

struct Op {
  MPI_Op op;
  const char* name;
  char kind;  // arithmetic: a sum, m maximum; l logical, b bitwise, p place; - none
};

std::vector<Op> all_ops() {
  return {{MPI_SUM, "MPI_SUM", 'a'},         {MPI_PROD, "MPI_PROD", 'a'},
          {MPI_MAX, "MPI_MAX", 'm'},         {MPI_MIN, "MPI_MIN", 'm'},
          {MPI_LAND, "MPI_LAND", 'l'},       {MPI_LOR, "MPI_LOR", 'l'},
          {MPI_LXOR, "MPI_LXOR", 'l'},       {MPI_BAND, "MPI_BAND", 'b'},
          {MPI_BOR, "MPI_BOR", 'b'},         {MPI_BXOR, "MPI_BXOR", 'b'},
          {MPI_MAXLOC, "MPI_MAXLOC", 'p'},   {MPI_MINLOC, "MPI_MINLOC", 'p'},
          {MPI_REPLACE, "MPI_REPLACE", '-'}, {MPI_NO_OP, "MPI_NO_OP", '-'}};
}

struct Type {
  MPI_Datatype type;
  const char* name;
  std::string kinds;  // of operations that it has
};

// MPI-3.1's groups, and what other MPIs take beside: characters are numbers, Fortran's integers
// have logical operations.
std::vector<Type> all_types() {
  std::vector<Type> out;
  const auto add = [&out](const std::string& kinds,
                          std::initializer_list<std::pair<MPI_Datatype, const char*>> types) {
    for (const auto& [type, name] : types) out.push_back({type, name, kinds});
  };
  add("amlb", {{MPI_CHAR, "char"},
               {MPI_SIGNED_CHAR, "signed char"},
               {MPI_UNSIGNED_CHAR, "unsigned char"},
               {MPI_CHARACTER, "character"},
               {MPI_SHORT, "short"},
               {MPI_UNSIGNED_SHORT, "unsigned short"},
               {MPI_INT, "int"},
               {MPI_UNSIGNED, "unsigned"},
               {MPI_LONG, "long"},
               {MPI_UNSIGNED_LONG, "unsigned long"},
               {MPI_LONG_LONG, "long long"},
               {MPI_UNSIGNED_LONG_LONG, "unsigned long long"},
               {MPI_INT8_T, "int8"},
               {MPI_UINT16_T, "uint16"},
               {MPI_INT64_T, "int64"},
               {MPI_AINT, "aint"},
               {MPI_OFFSET, "offset"},
               {MPI_COUNT, "count"},
               {MPI_INTEGER, "integer"},
               {MPI_INTEGER2, "integer2"},
               {MPI_INTEGER8, "integer8"}});
  add("am", {{MPI_FLOAT, "float"},
             {MPI_DOUBLE, "double"},
             {MPI_LONG_DOUBLE, "long double"},
             {MPI_REAL, "real"},
             {MPI_DOUBLE_PRECISION, "double precision"},
             {MPI_REAL8, "real8"}});
  add("l", {{MPI_C_BOOL, "bool"}, {MPI_CXX_BOOL, "C++ bool"}, {MPI_LOGICAL, "logical"}});
  add("a", {{MPI_C_FLOAT_COMPLEX, "float complex"},
            {MPI_C_DOUBLE_COMPLEX, "double complex"},
            {MPI_COMPLEX, "complex"},
            {MPI_DOUBLE_COMPLEX, "Fortran's double complex"}});
  add("b", {{MPI_BYTE, "byte"}});
  add("p", {{MPI_2INT, "two ints"},
            {MPI_FLOAT_INT, "float and int"},
            {MPI_DOUBLE_INT, "double and int"},
            {MPI_LONG_INT, "long and int"},
            {MPI_SHORT_INT, "short and int"},
            {MPI_LONG_DOUBLE_INT, "long double and int"},
            {MPI_2INTEGER, "two integers"},
            {MPI_2REAL, "two reals"},
            {MPI_2DOUBLE_PRECISION, "two double precisions"}});
  add("", {{MPI_WCHAR, "wchar"}, {MPI_PACKED, "packed"}});
  return out;
}

using Memory = std::array<std::max_align_t, 8>;

TEST(OperationsOfTypes, are_those_of_the_standard) {
  for (const Type& type : all_types()) {
    for (const Op& op : all_ops()) {
      Memory left{};
      Memory right{};
      const bool has = type.kinds.find(op.kind) != std::string::npos;
      EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 1, type.type, op.op),
                has ? EP_SUCCESS : EP_ERR_OP)
          << type.name << ", " << op.name;
      EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 0, type.type, op.op),
                has ? EP_SUCCESS : EP_ERR_OP)
          << "none, " << type.name << ", " << op.name;
    }
  }
}

TEST(OperationsOfTypes, know_types_of_a_kind_that_fortran_asks_for) {
  MPI_Datatype integer = MPI_DATATYPE_NULL;
  MPI_Datatype real = MPI_DATATYPE_NULL;
  check(MPI_Type_create_f90_integer(9, &integer));
  check(MPI_Type_create_f90_real(15, 307, &real));
  Memory left{};
  Memory right{};
  for (const MPI_Op op : {MPI_SUM, MPI_MAX}) {
    for (const MPI_Datatype type : {integer, real}) {
      EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 1, type, op), EP_SUCCESS);
    }
  }
  EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 1, integer, MPI_BAND), EP_SUCCESS);
  EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 1, real, MPI_BAND), EP_ERR_OP);
  EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 1, integer, MPI_MAXLOC), EP_ERR_OP);
}

void add_pairs(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  for (int i = 0; i < 2 * *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

TEST(OperationsOfTypes, of_programs_take_any_type) {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  check(MPI_Op_create(add_pairs, 1, &op));
  check(MPI_Type_contiguous(2, MPI_INT, &pair));
  check(MPI_Type_commit(&pair));
  std::array<int, 2> left{1, 2};
  std::array<int, 2> right{3, 4};
  check(EP_Reduce_local(left.data(), right.data(), 1, pair, op));
  EXPECT_EQ(right, (std::array<int, 2>{4, 6}));
  EXPECT_EQ(EP_Reduce_local(left.data(), right.data(), 1, pair, MPI_SUM), EP_ERR_OP);
  EXPECT_EQ(std::string(EP_Last_error()),
            "MPI_SUM of a derived datatype (MPI's own operations are for predefined ones). An "
            "operation of your own?");
  check(MPI_Type_free(&pair));
  check(MPI_Op_free(&op));
}

struct Wrong {
  MPI_Datatype type;
  MPI_Op op;
};

class WrongOperations : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, WrongOperations, testing::Values(1, 3, 4));

void expect_errors(const Comm& comm, const Wrong& wrong, int count) {
  const EP_Comm c = comm.get();
  Memory in{};
  std::vector<std::max_align_t> out(static_cast<std::size_t>(4 * comm.size()));
  const std::vector<int> counts(static_cast<std::size_t>(comm.size()), count);
  EP_Request request = EP_REQUEST_NULL;
  const auto [type, op] = wrong;
  const int root = comm.size() - 1;
  const std::vector<int> codes{
      EP_Reduce(in.data(), out.data(), count, type, op, root, c),
      EP_Ireduce(in.data(), out.data(), count, type, op, root, c, &request),
      EP_Allreduce(in.data(), out.data(), count, type, op, c),
      EP_Iallreduce(in.data(), out.data(), count, type, op, c, &request),
      EP_Allreduce(EP_IN_PLACE, out.data(), count, type, op, c),
      EP_Reduce_scatter(in.data(), out.data(), counts.data(), type, op, c),
      EP_Ireduce_scatter(in.data(), out.data(), counts.data(), type, op, c, &request),
      EP_Reduce_scatter_block(in.data(), out.data(), count, type, op, c),
      EP_Ireduce_scatter_block(in.data(), out.data(), count, type, op, c, &request),
      EP_Scan(in.data(), out.data(), count, type, op, c),
      EP_Iscan(in.data(), out.data(), count, type, op, c, &request),
      EP_Exscan(in.data(), out.data(), count, type, op, c),
      EP_Iexscan(in.data(), out.data(), count, type, op, c, &request)};
  for (std::size_t i = 0; i < codes.size(); ++i) EXPECT_EQ(codes[i], EP_ERR_OP) << "call " << i;
}

TEST_P(WrongOperations, are_errors_at_all_endpoints_and_leave_the_communicator_whole) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const Wrong all[] = {{MPI_BYTE, MPI_MAX},    {MPI_CHAR, MPI_MAXLOC}, {MPI_DOUBLE, MPI_LAND},
                         {MPI_FLOAT, MPI_BAND},  {MPI_2INT, MPI_SUM},    {MPI_C_BOOL, MPI_SUM},
                         {MPI_INT, MPI_REPLACE}, {MPI_INT, MPI_NO_OP},   {MPI_INT, MPI_OP_NULL}};
    for (const Wrong& wrong : all) {
      for (const int count : {0, 1, 3}) expect_errors(comm, wrong, count);
    }
    int one = 1;
    int sum = 0;
    check(EP_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm.get()));
    EXPECT_EQ(sum, comm.size());
  });
}

TEST_P(WrongOperations, of_accumulates_are_errors_of_the_origin) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    Memory memory{};
    Memory in{};
    Memory out{};
    EP_Win win = EP_WIN_NULL;
    check(EP_Win_create(memory.data(), sizeof memory, 1, MPI_INFO_NULL, comm.get(), &win));
    check(EP_Win_set_errhandler(win, EP_ERRORS_RETURN));
    check(EP_Win_lock_all(0, win));
    const int to = (comm.rank() + 1) % comm.size();
    const Wrong all[] = {{MPI_BYTE, MPI_MAX}, {MPI_DOUBLE, MPI_LAND}, {MPI_C_BOOL, MPI_SUM}};
    for (const auto& [type, op] : all) {
      EXPECT_EQ(EP_Accumulate(in.data(), 1, type, to, 0, 1, type, op, win), EP_ERR_OP);
      EXPECT_EQ(EP_Fetch_and_op(in.data(), out.data(), type, to, 0, op, win), EP_ERR_OP);
      EXPECT_EQ(EP_Get_accumulate(in.data(), 1, type, out.data(), 1, type, to, 0, 1, type, op, win),
                EP_ERR_OP);
    }
    check(EP_Win_unlock_all(win));
    check(EP_Win_free(&win));
  });
}

}  // namespace
}  // namespace ep::test::operation_type_test
