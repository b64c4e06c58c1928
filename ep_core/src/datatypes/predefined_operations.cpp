#include "datatypes/predefined_operations.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <array>

#include "datatypes/datatype.hpp"
#include "datatypes/reducer.hpp"
#include "datatypes/signature.hpp"
#include "process/error.hpp"
#include "process/raw_call_scope.hpp"

namespace ep {

namespace {

struct Named {
  MPI_Op op;
  const char* name;
};

// A function, as MPI's handles need not be constants.
const auto& predefined() {
  static const std::array all{Named{MPI_SUM, "MPI_SUM"},         Named{MPI_PROD, "MPI_PROD"},
                              Named{MPI_MAX, "MPI_MAX"},         Named{MPI_MIN, "MPI_MIN"},
                              Named{MPI_LAND, "MPI_LAND"},       Named{MPI_LOR, "MPI_LOR"},
                              Named{MPI_LXOR, "MPI_LXOR"},       Named{MPI_BAND, "MPI_BAND"},
                              Named{MPI_BOR, "MPI_BOR"},         Named{MPI_BXOR, "MPI_BXOR"},
                              Named{MPI_MAXLOC, "MPI_MAXLOC"},   Named{MPI_MINLOC, "MPI_MINLOC"},
                              Named{MPI_REPLACE, "MPI_REPLACE"}, Named{MPI_NO_OP, "MPI_NO_OP"}};
  return all;
}

template <class Handle, std::size_t n>
bool is_one_of(Handle handle, const std::array<Handle, n>& all) {
  return std::find(all.begin(), all.end(), handle) != all.end();
}

int combiner_of(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = MPI_COMBINER_NAMED;
  const RawCallScope ours;
  check_mpi(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner),
            "MPI_Type_get_envelope");
  return combiner;
}

// True for an operation without a kernel of ours that MPI supports.
bool is_left_to_mpi(MPI_Op op, MPI_Datatype type) {
  const bool is_arithmetic = is_one_of(op, std::array{MPI_SUM, MPI_PROD, MPI_MAX, MPI_MIN});
  const bool is_logical = is_one_of(op, std::array{MPI_LAND, MPI_LOR, MPI_LXOR});
  const bool is_bitwise = is_one_of(op, std::array{MPI_BAND, MPI_BOR, MPI_BXOR});
  if (type == MPI_CHAR || type == MPI_CHARACTER) return is_arithmetic || is_logical || is_bitwise;
  if (type == MPI_REAL16) return is_arithmetic;
  switch (combiner_of(type)) {
    case MPI_COMBINER_F90_INTEGER:
      return is_arithmetic || is_logical || is_bitwise;
    case MPI_COMBINER_F90_REAL:
      return is_arithmetic;
    case MPI_COMBINER_F90_COMPLEX:
      return op == MPI_SUM || op == MPI_PROD;
    default:
      return false;
  }
}

}  // namespace

void check_operation(MPI_Op op, MPI_Datatype type) {
  if (op == MPI_OP_NULL) fail(EP_ERR_OP, "the operation is MPI_OP_NULL.");
  const TypeFacts facts = type_facts(type);
  if (kernel_of(op, type) != nullptr) return;
  const auto& all = predefined();
  const auto found =
      std::find_if(all.begin(), all.end(), [op](const Named& n) { return n.op == op; });
  if (found == all.end() || is_left_to_mpi(op, type)) return;
  if (op == MPI_REPLACE || op == MPI_NO_OP) {
    fail(EP_ERR_OP, found->name, " in a reduction (it is for accumulates only).");
  }
  if (!facts.named) {
    fail(EP_ERR_OP, found->name,
         " of a derived datatype (MPI's own operations are for predefined ones). An operation of "
         "your own?");
  }
  fail(EP_ERR_OP, found->name, " of ", basic_name(basic_number(type)), " (not defined).");
}

}  // namespace ep
