#pragma once

#include "collectives/collective_calls.hpp"
#include "process/counts.hpp"

/// Defines the three forms of one collective: EP_<Name>, EP_<Iname> and EP_<Name>_init, with counts
/// of either size. `parameters` stands in brackets; what follows makes the call from them,
/// `endpoint` and `what`.
#define EP_COLLECTIVE(name, iname, parameters, ...)                                            \
  int EP_COUNTED(name)(EP_LIST parameters, EP_Comm comm) {                                     \
    constexpr const char* what = "EP_" #name;                                                  \
    return ep::blocking(comm, [&](ep::Endpoint& endpoint) { return __VA_ARGS__; });            \
  }                                                                                            \
  int EP_COUNTED(iname)(EP_LIST parameters, EP_Comm comm, EP_Request * request) {              \
    constexpr const char* what = "EP_" #iname;                                                 \
    return ep::immediate(comm, request, [&](ep::Endpoint& endpoint) { return __VA_ARGS__; });  \
  }                                                                                            \
  int EP_COUNTED(name##_init)(EP_LIST parameters, EP_Comm comm, MPI_Info /*no hints*/,         \
                              EP_Request * request) {                                          \
    constexpr const char* what = "EP_" #name "_init";                                          \
    return ep::persistent(comm, request, [&](ep::Endpoint& endpoint) { return __VA_ARGS__; }); \
  }
#define EP_LIST(...) __VA_ARGS__
