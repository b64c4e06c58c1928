/// @file
/// What a unit test says to libepios_mock, which a model is linked with instead of libepios_client
/// (Fortran: libepios_fortran_mock instead of libepios_fortran): the same interfaces without
/// servers, MPI and files. The XML is read where there is an entry file, definitions are what XML
/// and model make of them; what would be sent is kept for the test, what would be received the test
/// gives. Any thread.
#ifndef EPIOS_MOCK_H
#define EPIOS_MOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Forgets calls, arrays, answers, failures, sessions and contexts: their handles are void.
void epios_mock_reset(void);

/// Calls of the interface since the start or the last reset.
int epios_mock_call_count(void);
/// Call `index` (from 0), in the order of the calls: "epios_send_double('ocean', 'sst', [1, 2,
/// 3])", of module xios "xios_send_field('sst', [1, 2, 3])". Of arrays the first 8 values and how
/// many there are. NULL beyond the last. Valid until the next reset.
const char* epios_mock_call(int index);

/// Array `index` (from 0) that was sent for a field, in all contexts: copies at most `capacity`
/// values, and tells how many there are; -1 when fewer arrays were sent.
int64_t epios_mock_sent(const char* field, int index, double* values, int64_t capacity);

/// The next array that is received for a field. Answers are given in order, each once; without one,
/// or with one of another size, receiving is EPIOS_ERR_ARGUMENT.
void epios_mock_answer(const char* field, const double* values, int64_t count);

/// The `calls`-th call from now (1: the next) fails with a code of <epios/epios.h> and this text.
void epios_mock_fail(int calls, int code, const char* text);

/// Whether a field is active from now on; as long as nothing is said, every field is.
void epios_mock_set_active(const char* field, int active);

/// What a file that is read would say of an element (tag "domain", attribute "ni_glo", text as in
/// XML): set when a definition is closed, in all contexts that have the element and no value of
/// their own.
void epios_mock_set_in_file(const char* tag, const char* id, const char* attribute,
                            const char* text);

#ifdef __cplusplus
}
#endif

#endif
