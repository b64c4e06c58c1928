/// @file
/// The definitions of a context as the model sees them: elements found once by their id and used by
/// handle, children of every kind that the XML allows, attributes of every type set and read back.
/// Part of <epios/epios.h>.
///
/// All functions are local. They may be called once the context is open. Functions that change
/// something may be called until epios_close_definition, functions that read until the client is
/// closed. Texts are copied with a final 0.
#ifndef EPIOS_DEFINITION_H
#define EPIOS_DEFINITION_H

#include <epios/calendar.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct epios_context epios_context;

/// A handle to an element, a group or a definition element of a context. It may be copied. The
/// functions below make it; a program may only compare `node` with -1, which means none.
typedef struct epios_element {
  epios_context* context;
  int32_t node;
} epios_element;

/// Finds an element by its XML tag and id: "field" "sst", "field_group" "surface", "extract_domain"
/// "tropics". "calendar", "context" and the definition elements ("file_definition") have the id "".
/// If there is no such element, `out->node` is -1 and the result is EPIOS_SUCCESS. Returns
/// EPIOS_ERR_CONFIGURATION if the tag does not exist.
int epios_find(epios_context* context, const char* tag, const char* id, epios_element* out);
/// Like epios_find(), but returns EPIOS_ERR_CONFIGURATION, with a suggestion, if there is no such
/// element.
int epios_at(epios_context* context, const char* tag, const char* id, epios_element* out);
/// Adds a child to a group, a definition element, a file, a grid or a field, as the XML allows
/// ("field" in a file, "axis" in a grid, "variable" in a field, "extract_axis" in an axis). Adding
/// an id that exists reopens that element. With "" or NULL, an id is made up.
int epios_child(epios_element parent, const char* tag, const char* id, epios_element* out);
/// Finds element number `index` (from 0) with a tag ("axis", "domain", "scalar") in the grid of a
/// field, as its references stand now. Returns EPIOS_ERR_ARGUMENT if the grid has no such element.
int epios_grid_element(epios_element field, const char* tag, int index, epios_element* out);
/// Copies the id of an element, also one that was made up.
int epios_element_id(epios_element element, char* text, size_t capacity);

/// Set an attribute. The last assignment wins, also over the XML. Arrays are copied; `shape` has
/// `rank` extents (1 to 7), the first index varies fastest. `_text` sets any attribute in XML
/// syntax (words, durations, dates, references); the text "_reset_" removes the value. Errors: the
/// attribute is unknown, the type is wrong, the word is not allowed, or the definition is closed.
/// Whole numbers may be given where real ones are wanted.
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
/// Sets an array of `count` texts, in one dimension. No text may be NULL.
int epios_element_set_texts(epios_element element, const char* attribute, const char* const* values,
                            int64_t count);

/// Resolves what every element of the context inherits, as things stand now. Before this call, and
/// for elements that are added later, the functions below know own values only. Attributes and
/// children may still be set afterwards. Closing the definition resolves everything again; from
/// then on this function does nothing.
int epios_solve_inheritance(epios_context* context);

/// Sets `defined` to 1 if the attribute has a value, either its own or, once inheritance is
/// resolved, an inherited one. Defaults do not count.
int epios_element_is_defined(epios_element element, const char* attribute, int* defined);
/// Kinds of values. Words, dates and references are texts.
typedef enum epios_value_kind {
  EPIOS_VALUE_BOOL = 0,
  EPIOS_VALUE_INT = 1,
  EPIOS_VALUE_DOUBLE = 2,
  EPIOS_VALUE_TEXT = 3,
  EPIOS_VALUE_DURATION = 4,
  EPIOS_VALUE_BOOLS = 5,
  EPIOS_VALUE_INTS = 6,
  EPIOS_VALUE_DOUBLES = 7,
  EPIOS_VALUE_TEXTS = 8
} epios_value_kind;
/// Gets the kind of the value, which must be there: which of the functions below reads it.
int epios_element_kind(epios_element element, const char* attribute, epios_value_kind* kind);
/// Gets the dimensions of the value. `rank` is 0 for single values and at most 7; the first `rank`
/// entries of `shape` are set.
int epios_element_shape(epios_element element, const char* attribute, int* rank, int64_t shape[7]);
/// Read an attribute. EPIOS_ERR_ARGUMENT means that it has no value, that its type is another one,
/// or that `capacity` is too small; `capacity` counts values, for a text its bytes with the final
/// 0. `_text` reads any attribute in XML syntax, and `_length` gets the number of its characters
/// without the final 0.
int epios_element_text_length(epios_element element, const char* attribute, int64_t* length);
int epios_element_get_text(epios_element element, const char* attribute, char* text,
                           size_t capacity);
/// Copies one text of an array of texts. `item` counts from 0.
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

/// Gets the number of characters, without the final 0, of the value of a variable of the context or
/// else of a file or field. `length` is -1 if there is no variable with this id.
int epios_variable_length(epios_context* context, const char* id, int64_t* length);
/// Read the value of such a variable, as text or as another type. Return EPIOS_ERR_ARGUMENT if
/// there is no such variable, if its text is no value of the type, or if `capacity` is too small.
int epios_get_variable(epios_context* context, const char* id, char* text, size_t capacity);
int epios_get_variable_bool(epios_context* context, const char* id, int* value);
int epios_get_variable_int(epios_context* context, const char* id, int64_t* value);
int epios_get_variable_double(epios_context* context, const char* id, double* value);
/// Changes the value of the variable in the context and in all files and fields that have one with
/// this id. Closing the definition fixes what files contain. Returns EPIOS_ERR_ARGUMENT if there is
/// no such variable.
int epios_set_variable(epios_context* context, const char* id, const char* text);

#ifdef __cplusplus
}
#endif

#endif
