// C names of XIOS that no public model declares: their arguments follow from those of the Fortran
// procedures of these names, and from how models declare the others. Elements are void* here.
#pragma once

#include "caller.hpp"

extern "C" {

void cxios_context_set_current(xios::CContext* context, bool withswap);
void cxios_solve_inheritance();
void cxios_oasis_enddef();

void cxios_set_variable_data_k8(const char* id, int length, double data, bool* exists);
void cxios_set_variable_data_k4(const char* id, int length, float data, bool* exists);
void cxios_set_variable_data_int(const char* id, int length, int data, bool* exists);
void cxios_set_variable_data_logic(const char* id, int length, bool data, bool* exists);
void cxios_set_variable_data_char(const char* id, int length, const char* data, int size,
                                  bool* exists);

void cxios_field_is_active(xios::CField* field, bool at_current_timestep, bool* active);
void cxios_timer_resume(const char* id, int length, bool trace);
void cxios_timer_suspend(const char* id, int length, bool trace);
void cxios_timer_reset(const char* id, int length);
void cxios_mem_checker_log(const char* id, int length, bool finalize);

void cxios_set_axis_label(xios::CAxis* axis, const char* labels, int length, int* extent);
void cxios_get_axis_label(xios::CAxis* axis, char* labels, int length, int* extent);
bool cxios_is_defined_axis_label(xios::CAxis* axis);
void cxios_set_axis_mask(xios::CAxis* axis, bool* mask, int* extent);
void cxios_get_axis_mask(xios::CAxis* axis, bool* mask, int* extent);
void cxios_set_axis_bounds(xios::CAxis* axis, double* bounds, int* extents);
void cxios_get_axis_bounds(xios::CAxis* axis, double* bounds, int* extents);
void cxios_set_field_enabled(xios::CField* field, bool enabled);
void cxios_get_field_enabled(xios::CField* field, bool* enabled);
void cxios_set_field_default_value(xios::CField* field, double value);
void cxios_get_field_default_value(xios::CField* field, double* value);

void cxios_zoom_axis_valid_id(bool* valid, const char* id, int length);
void cxios_xml_tree_add_zoomaxistoaxis(xios::CAxis* axis, void** zoom, const char* id, int length);
void cxios_set_zoom_axis_begin(void* zoom, int begin);
void cxios_get_zoom_axis_begin(void* zoom, int* begin);
void cxios_reorder_domain_handle_create(void** reorder, const char* id, int length);
void cxios_set_reorder_domain_invert_lat(void* reorder, bool invert);
void cxios_get_reorder_domain_invert_lat(void* reorder, bool* invert);

void cxios_write_data_k80(const char* id, int length, const double* data, int tile);
void cxios_write_data_k41_hdl(xios::CField* field, const float* data, int n, int tile);
void cxios_read_data_k80_hdl(xios::CField* field, double* data);
void cxios_read_data_k41(const char* id, int length, float* data, int n);

cxios_date cxios_date_sub_duration(cxios_date date, cxios_duration duration);
cxios_duration cxios_date_sub(cxios_date a, cxios_date b);
bool cxios_date_eq(cxios_date a, cxios_date b);
bool cxios_date_neq(cxios_date a, cxios_date b);
bool cxios_date_gt(cxios_date a, cxios_date b);
bool cxios_date_ge(cxios_date a, cxios_date b);
int cxios_date_get_second_of_year(cxios_date date);
double cxios_date_get_day_of_year(cxios_date date);
double cxios_date_get_fraction_of_year(cxios_date date);
int cxios_date_get_second_of_day(cxios_date date);
double cxios_date_get_fraction_of_day(cxios_date date);
cxios_duration cxios_duration_add(cxios_duration a, cxios_duration b);
cxios_duration cxios_duration_sub(cxios_duration a, cxios_duration b);
cxios_duration cxios_duration_mult(double factor, cxios_duration duration);
cxios_duration cxios_duration_neg(cxios_duration duration);
bool cxios_duration_eq(cxios_duration a, cxios_duration b);
bool cxios_duration_neq(cxios_duration a, cxios_duration b);

}  // extern "C"
