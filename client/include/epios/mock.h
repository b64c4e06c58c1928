/// @file
/// How a unit test controls libepios_mock. A model is linked with it instead of libepios_client (in
/// Fortran with libepios_fortran_mock instead of libepios_fortran): the same interfaces without
/// servers, MPI and files. The mock reads the XML if there is an entry file, and builds the
/// definitions from XML and model. It records what the model sends, and the test provides what the
/// model receives. Any thread may call these functions.
#ifndef EPIOS_MOCK_H
#define EPIOS_MOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Forgets calls, arrays, answers, failures, sessions and contexts. Handles to them become void.
void epios_mock_reset(void);

/// Returns the number of calls of the interface since the start or the last reset.
int epios_mock_call_count(void);
/// Returns call `index` (from 0) in the order of the calls, such as "epios_send_double('ocean',
/// 'sst', [1, 2, 3])" or, in module xios, "xios_send_field('sst', [1, 2, 3])". Of an array it shows
/// the first 8 values and the number of values. Returns NULL beyond the last call. The text is
/// valid until the next reset.
const char* epios_mock_call(int index);

/// Copies at most `capacity` values of array `index` (from 0) among those sent for a field in all
/// contexts. Returns the number of values of that array, or -1 if fewer arrays were sent.
int64_t epios_mock_sent(const char* field, int index, double* values, int64_t capacity);

/// Provides the next array to be received for a field; `values` are copied. Answers are used once
/// each, in the order given. Receiving returns EPIOS_ERR_ARGUMENT without an answer, or if its size
/// differs.
void epios_mock_answer(const char* field, const double* values, int64_t count);

/// Makes the `calls`-th call from now (1 is the next) fail with a code of <epios/epios.h> and this
/// text.
void epios_mock_fail(int calls, int code, const char* text);

/// Sets whether a field is active from now on. Every field is active by default.
void epios_mock_set_active(const char* field, int active);

/// Provides what a file that is read would say about an element (tag "domain", attribute "ni_glo",
/// text in XML syntax). Closing a definition sets it in all contexts that have the element and no
/// value of their own.
void epios_mock_set_in_file(const char* tag, const char* id, const char* attribute,
                            const char* text);

#ifdef __cplusplus
}
#endif

#endif
