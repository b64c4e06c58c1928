#include "process/info.hpp"

#include <array>

#include "process/error.hpp"
#include "process/raw_call_scope.hpp"

namespace ep {

std::optional<std::string> find_hint(MPI_Info info, const char* key) {
  if (info == MPI_INFO_NULL) return std::nullopt;
  const RawCallScope ours;
  std::array<char, MPI_MAX_INFO_VAL + 1> value{};
  int found = 0;
  check_mpi(MPI_Info_get(info, key, MPI_MAX_INFO_VAL, value.data(), &found), "MPI_Info_get");
  return found != 0 ? std::optional<std::string>(value.data()) : std::nullopt;
}

std::map<std::string, std::string> hints_of(MPI_Info info) {
  std::map<std::string, std::string> hints;
  if (info == MPI_INFO_NULL) return hints;
  int count = 0;
  const RawCallScope ours;
  check_mpi(MPI_Info_get_nkeys(info, &count), "MPI_Info_get_nkeys");
  for (int i = 0; i < count; ++i) {
    std::array<char, MPI_MAX_INFO_KEY + 1> key{};
    check_mpi(MPI_Info_get_nthkey(info, i, key.data()), "MPI_Info_get_nthkey");
    if (const auto value = find_hint(info, key.data())) hints[key.data()] = *value;
  }
  return hints;
}

MPI_Info info_of(const std::map<std::string, std::string>& hints) {
  MPI_Info info = MPI_INFO_NULL;
  check_mpi(MPI_Info_create(&info), "MPI_Info_create");
  for (const auto& [key, value] : hints) {
    check_mpi(MPI_Info_set(info, key.c_str(), value.c_str()), "MPI_Info_set");
  }
  return info;
}

}  // namespace ep
