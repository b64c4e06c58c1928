/// @file
/// The definitions of a context seen from the model: elements found once by their id and used by
/// handle, children of every kind that the XML allows, attributes of every type set and read back.
/// Part of <epios/epios.h>.
///
/// All functions are local. They may be called from the opening of a context on; what changes
/// something until epios_close_definition, what asks until the client is closed. Texts that come
/// back are copied with a final 0.
#ifndef EPIOS_DEFINITION_H
#define EPIOS_DEFINITION_H

#include <epios/calendar.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct epios_context epios_context;

/// An element, a group or a definition element of a context. A value: copy it as you like. Made by
/// the functions below; a program may only compare `node` with -1, which stands for none.
typedef struct epios_element {
  epios_context* context;
  int32_t node;
} epios_element;

/// Finds by the tag of the XML and the id: "field" "sst", "field_group" "surface",
/// "extract_domain" "tropics"; "calendar", "context" and the definition elements
/// ("file_definition") take the id "". When there is none, `out->node` is -1 and the result is
/// EPIOS_SUCCESS. EPIOS_ERR_CONFIGURATION for a tag that does not exist.
int epios_find(epios_context* context, const char* tag, const char* id, epios_element* out);
/// As epios_find(); EPIOS_ERR_CONFIGURATION, with a suggestion, when there is none.
int epios_at(epios_context* context, const char* tag, const char* id, epios_element* out);
/// Adds a child to a group, a definition element, a file, a grid, a field …, as the XML allows
/// ("field" in a file, "axis" in a grid, "variable" in a field, "extract_axis" in an axis). The
/// same id again reopens the element; "" or NULL makes up an id.
int epios_child(epios_element parent, const char* tag, const char* id, epios_element* out);
/// Element number `index` (from 0) of a tag ("axis", "domain", "scalar") in the grid of a field, as
/// references lead to it now. EPIOS_ERR_ARGUMENT when the grid has no such element.
int epios_grid_element(epios_element field, const char* tag, int index, epios_element* out);
/// The id of an element, also one that was made up.
int epios_element_id(epios_element element, char* text, size_t capacity);

/// Set an attribute; the last assignment wins over XML. Arrays are copied; first index fastest.
/// `_text` takes any attribute in XML syntax (words, durations, dates, references); the text
/// "_reset_" takes a value back. Errors: unknown attribute, wrong type, a word that is not allowed,
/// definition closed.
int epios_element_set_text(epios_element element, const char* attribute, const char* text);
int epios_element_set_bool(epios_element element, const char* attribute, int value);
int epios_element_set_int(epios_element element, const char* attribute, int64_t value);
int epios_element_set_double(epios_element element, const char* attribute, double value);
int epios_element_set_duration(epios_element element, const char* attribute,
                               epios_duration duration);
int epios_element_set_bools(epios_element element, const char* attribute,
                            const unsigned char* values, int rank, const int64_t* shape);
int epios_element_set_ints(epios_element element, const char* attribute, const int64_t* values,
                           int rank, const int64_t* shape);
int epios_element_set_doubles(epios_element element, const char* attribute, const double* values,
                              int rank, const int64_t* shape);
/// Texts of an array of one dimension; no text may be NULL.
int epios_element_set_texts(epios_element element, const char* attribute, const char* const* values,
                            int64_t count);

/// Works out what every element of the context inherits, as of now: until then, and for what is
/// added later, only own values are known to the functions below. Settings and children may follow;
/// the end of the definitions works everything out again, and from then on this does nothing.
int epios_solve_inheritance(epios_context* context);

/// Whether an attribute has a value: its own, or an inherited one once inheritance is solved.
/// Defaults do not count.
int epios_element_is_defined(epios_element element, const char* attribute, int* defined);
/// Dimensions of the value: `rank` is 0 for single values, at most 7; of `shape` that many are set.
int epios_element_shape(epios_element element, const char* attribute, int* rank, int64_t shape[7]);
/// Read an attribute. EPIOS_ERR_ARGUMENT when it has no value, when its type is another one, and
/// when `capacity` (of values; of a text with its final 0) is too small. `_text` reads any
/// attribute as the XML would have it.
int epios_element_text_length(epios_element element, const char* attribute, int64_t* length);
int epios_element_get_text(epios_element element, const char* attribute, char* text,
                           size_t capacity);
/// One text of an array of texts, counted from 0.
int epios_element_get_item(epios_element element, const char* attribute, int64_t item, char* text,
                           size_t capacity);
int epios_element_get_bool(epios_element element, const char* attribute, int* value);
int epios_element_get_int(epios_element element, const char* attribute, int64_t* value);
int epios_element_get_double(epios_element element, const char* attribute, double* value);
int epios_element_get_duration(epios_element element, const char* attribute, epios_duration* out);
int epios_element_get_bools(epios_element element, const char* attribute, unsigned char* values,
                            int64_t capacity);
int epios_element_get_ints(epios_element element, const char* attribute, int64_t* values,
                           int64_t capacity);
int epios_element_get_doubles(epios_element element, const char* attribute, double* values,
                              int64_t capacity);

/// Characters of the value of a variable of the context, or else of a file or field, without the
/// final 0; -1 when there is none of this id.
int epios_variable_length(epios_context* context, const char* id, int64_t* length);
/// Value of such a variable, as text or read as a type. EPIOS_ERR_ARGUMENT when there is none,
/// when it does not read so, and when `capacity` is too small.
int epios_get_variable(epios_context* context, const char* id, char* text, size_t capacity);
int epios_get_variable_bool(epios_context* context, const char* id, int* value);
int epios_get_variable_int(epios_context* context, const char* id, int64_t* value);
int epios_get_variable_double(epios_context* context, const char* id, double* value);
/// Changes it, in all files and fields that have one of this id; what files say is settled when
/// the definition is closed. EPIOS_ERR_ARGUMENT when there is none.
int epios_set_variable(epios_context* context, const char* id, const char* text);

#ifdef __cplusplus
}
#endif

#endif
