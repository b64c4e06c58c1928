// The C names of XIOS as C++ models declare them for themselves: XIOS installs no header of these.
#pragma once

#include <mpi.h>

namespace xios {
class CAxis;
class CAxisGroup;
class CCalendarWrapper;
class CContext;
class CDomain;
class CDomainGroup;
class CField;
class CFieldGroup;
class CFile;
class CFileGroup;
class CGrid;
class CGridGroup;
}  // namespace xios

extern "C" {

struct cxios_date {
  int year, month, day, hour, minute, second;
};
struct cxios_duration {
  double year, month, day, hour, minute, second, timestep;
};

void cxios_init_server();
void cxios_init_client(const char* id, int length, MPI_Fint* local_comm, MPI_Fint* return_comm);
void cxios_finalize();
void cxios_context_initialize(const char* id, int length, MPI_Fint* comm);
void cxios_context_is_initialized(const char* id, int length, bool* initialized);
void cxios_context_valid_id(bool* valid, const char* id, int length);
void cxios_context_get_current(xios::CContext** context);
void cxios_context_get_id(xios::CContext* context, char* id, int size);
void cxios_context_close_definition();
void cxios_context_finalize();

void cxios_date_convert_to_string(cxios_date date, char* text, int size);
cxios_date cxios_date_convert_from_string(const char* text, int size);
cxios_date cxios_date_add_duration(cxios_date date, cxios_duration duration);
bool cxios_date_lt(cxios_date a, cxios_date b);
bool cxios_date_le(cxios_date a, cxios_date b);
void cxios_duration_convert_to_string(cxios_duration duration, char* text, int size);
cxios_duration cxios_duration_convert_from_string(const char* text, int size);

void cxios_get_current_calendar_wrapper(xios::CCalendarWrapper** calendar);
void cxios_create_calendar(xios::CCalendarWrapper* calendar);
void cxios_update_calendar_timestep(xios::CCalendarWrapper* calendar);
void cxios_set_calendar_wrapper_date_time_origin(xios::CCalendarWrapper* calendar, cxios_date date);
void cxios_get_calendar_wrapper_date_time_origin(xios::CCalendarWrapper* calendar,
                                                 cxios_date* date);
void cxios_set_calendar_wrapper_date_start_date(xios::CCalendarWrapper* calendar, cxios_date date);
void cxios_get_calendar_wrapper_date_start_date(xios::CCalendarWrapper* calendar, cxios_date* date);
void cxios_set_calendar_wrapper_type(xios::CCalendarWrapper* calendar, const char* type, int size);
void cxios_get_calendar_wrapper_type(xios::CCalendarWrapper* calendar, char* type, int size);
void cxios_set_calendar_wrapper_timestep(xios::CCalendarWrapper* calendar, cxios_duration timestep);
void cxios_get_calendar_wrapper_timestep(xios::CCalendarWrapper* calendar,
                                         cxios_duration* timestep);
bool cxios_is_defined_calendar_wrapper_time_origin(xios::CCalendarWrapper* calendar);
bool cxios_is_defined_calendar_wrapper_start_date(xios::CCalendarWrapper* calendar);
bool cxios_is_defined_calendar_wrapper_timestep(xios::CCalendarWrapper* calendar);
void cxios_get_current_date(cxios_date* date);
void cxios_update_calendar(int step);

void cxios_axisgroup_handle_create(xios::CAxisGroup** group, const char* id, int length);
void cxios_xml_tree_add_axis(xios::CAxisGroup* group, xios::CAxis** axis, const char* id,
                             int length);
void cxios_axis_handle_create(xios::CAxis** axis, const char* id, int length);
void cxios_axis_valid_id(bool* valid, const char* id, int length);
void cxios_set_axis_n_glo(xios::CAxis* axis, int n_glo);
void cxios_get_axis_n_glo(xios::CAxis* axis, int* n_glo);
bool cxios_is_defined_axis_n_glo(xios::CAxis* axis);
void cxios_set_axis_value(xios::CAxis* axis, double* value, int* extent);
void cxios_get_axis_value(xios::CAxis* axis, double* value, int* extent);
bool cxios_is_defined_axis_value(xios::CAxis* axis);
void cxios_set_axis_dim_name(xios::CAxis* axis, const char* name, int size);
bool cxios_is_defined_axis_dim_name(xios::CAxis* axis);

void cxios_domaingroup_handle_create(xios::CDomainGroup** group, const char* id, int length);
void cxios_xml_tree_add_domain(xios::CDomainGroup* group, xios::CDomain** domain, const char* id,
                               int length);
void cxios_domain_handle_create(xios::CDomain** domain, const char* id, int length);
void cxios_domain_valid_id(bool* valid, const char* id, int length);
void cxios_set_domain_type(xios::CDomain* domain, const char* type, int size);
void cxios_get_domain_type(xios::CDomain* domain, char* type, int size);
bool cxios_is_defined_domain_type(xios::CDomain* domain);
void cxios_set_domain_ni_glo(xios::CDomain* domain, int value);
void cxios_set_domain_nj_glo(xios::CDomain* domain, int value);
void cxios_set_domain_ni(xios::CDomain* domain, int value);
void cxios_set_domain_nj(xios::CDomain* domain, int value);
void cxios_set_domain_ibegin(xios::CDomain* domain, int value);
void cxios_set_domain_jbegin(xios::CDomain* domain, int value);
void cxios_get_domain_ni_glo(xios::CDomain* domain, int* value);
void cxios_get_domain_nj_glo(xios::CDomain* domain, int* value);
void cxios_get_domain_ni(xios::CDomain* domain, int* value);
void cxios_get_domain_nj(xios::CDomain* domain, int* value);
void cxios_get_domain_ibegin(xios::CDomain* domain, int* value);
void cxios_get_domain_jbegin(xios::CDomain* domain, int* value);
bool cxios_is_defined_domain_ni_glo(xios::CDomain* domain);
bool cxios_is_defined_domain_nj_glo(xios::CDomain* domain);
bool cxios_is_defined_domain_ni(xios::CDomain* domain);
bool cxios_is_defined_domain_nj(xios::CDomain* domain);
bool cxios_is_defined_domain_ibegin(xios::CDomain* domain);
bool cxios_is_defined_domain_jbegin(xios::CDomain* domain);
void cxios_set_domain_lonvalue_1d(xios::CDomain* domain, double* value, int* extent);
void cxios_set_domain_latvalue_1d(xios::CDomain* domain, double* value, int* extent);
void cxios_get_domain_lonvalue_1d(xios::CDomain* domain, double* value, int* extent);
void cxios_get_domain_latvalue_1d(xios::CDomain* domain, double* value, int* extent);
bool cxios_is_defined_domain_lonvalue_1d(xios::CDomain* domain);
bool cxios_is_defined_domain_latvalue_1d(xios::CDomain* domain);
void cxios_set_domain_dim_i_name(xios::CDomain* domain, const char* name, int size);
void cxios_set_domain_dim_j_name(xios::CDomain* domain, const char* name, int size);
void cxios_set_domain_lon_name(xios::CDomain* domain, const char* name, int size);
void cxios_set_domain_lat_name(xios::CDomain* domain, const char* name, int size);
bool cxios_is_defined_domain_dim_i_name(xios::CDomain* domain);
bool cxios_is_defined_domain_dim_j_name(xios::CDomain* domain);
bool cxios_is_defined_domain_lon_name(xios::CDomain* domain);
bool cxios_is_defined_domain_lat_name(xios::CDomain* domain);

void cxios_gridgroup_handle_create(xios::CGridGroup** group, const char* id, int length);
void cxios_xml_tree_add_grid(xios::CGridGroup* group, xios::CGrid** grid, const char* id,
                             int length);
void cxios_grid_handle_create(xios::CGrid** grid, const char* id, int length);
void cxios_grid_valid_id(bool* valid, const char* id, int length);
void cxios_set_grid_name(xios::CGrid* grid, const char* name, int size);
void cxios_get_grid_name(xios::CGrid* grid, char* name, int size);
bool cxios_is_defined_grid_name(xios::CGrid* grid);
void cxios_xml_tree_add_axistogrid(xios::CGrid* grid, xios::CAxis** axis, const char* id,
                                   int length);
void cxios_xml_tree_add_domaintogrid(xios::CGrid* grid, xios::CDomain** domain, const char* id,
                                     int length);

void cxios_fieldgroup_handle_create(xios::CFieldGroup** group, const char* id, int length);
void cxios_xml_tree_add_field(xios::CFieldGroup* group, xios::CField** field, const char* id,
                              int length);
void cxios_field_handle_create(xios::CField** field, const char* id, int length);
void cxios_field_valid_id(bool* valid, const char* id, int length);
void cxios_set_field_name(xios::CField* field, const char* name, int size);
void cxios_get_field_name(xios::CField* field, char* name, int size);
bool cxios_is_defined_field_name(xios::CField* field);
void cxios_set_field_operation(xios::CField* field, const char* operation, int size);
void cxios_get_field_operation(xios::CField* field, char* operation, int size);
bool cxios_is_defined_field_operation(xios::CField* field);
void cxios_set_field_grid_ref(xios::CField* field, const char* grid, int size);
void cxios_get_field_grid_ref(xios::CField* field, char* grid, int size);
bool cxios_is_defined_field_grid_ref(xios::CField* field);
void cxios_set_field_field_ref(xios::CField* field, const char* other, int size);
void cxios_set_field_read_access(xios::CField* field, bool access);
void cxios_get_field_read_access(xios::CField* field, bool* access);
bool cxios_is_defined_field_read_access(xios::CField* field);
void cxios_set_field_freq_offset(xios::CField* field, cxios_duration offset);
void cxios_get_field_freq_offset(xios::CField* field, cxios_duration* offset);
bool cxios_is_defined_field_freq_offset(xios::CField* field);
void cxios_get_field_freq_op(xios::CField* field, cxios_duration* freq);

void cxios_filegroup_handle_create(xios::CFileGroup** group, const char* id, int length);
void cxios_xml_tree_add_file(xios::CFileGroup* group, xios::CFile** file, const char* id,
                             int length);
void cxios_file_handle_create(xios::CFile** file, const char* id, int length);
void cxios_file_valid_id(bool* valid, const char* id, int length);
void cxios_set_file_name(xios::CFile* file, const char* name, int size);
void cxios_get_file_name(xios::CFile* file, char* name, int size);
bool cxios_is_defined_file_name(xios::CFile* file);
void cxios_set_file_type(xios::CFile* file, const char* type, int size);
void cxios_get_file_type(xios::CFile* file, char* type, int size);
bool cxios_is_defined_file_type(xios::CFile* file);
void cxios_set_file_mode(xios::CFile* file, const char* mode, int size);
void cxios_get_file_mode(xios::CFile* file, char* mode, int size);
bool cxios_is_defined_file_mode(xios::CFile* file);
void cxios_set_file_par_access(xios::CFile* file, const char* access, int size);
void cxios_get_file_par_access(xios::CFile* file, char* access, int size);
bool cxios_is_defined_file_par_access(xios::CFile* file);
void cxios_set_file_output_freq(xios::CFile* file, cxios_duration freq);
void cxios_get_file_output_freq(xios::CFile* file, cxios_duration* freq);
bool cxios_is_defined_file_output_freq(xios::CFile* file);
void cxios_set_file_split_freq(xios::CFile* file, cxios_duration freq);
void cxios_get_file_split_freq(xios::CFile* file, cxios_duration* freq);
bool cxios_is_defined_file_split_freq(xios::CFile* file);
void cxios_set_file_split_freq_format(xios::CFile* file, const char* format, int size);
bool cxios_is_defined_file_split_freq_format(xios::CFile* file);
void cxios_xml_tree_add_fieldtofile(xios::CFile* file, xios::CField** field, const char* id,
                                    int length);

void cxios_write_data_k82(const char* id, int length, const double* data, int n1, int n2, int tile);
void cxios_write_data_k83(const char* id, int length, const double* data, int n1, int n2, int n3,
                          int tile);
void cxios_write_data_k84(const char* id, int length, const double* data, int n1, int n2, int n3,
                          int n4, int tile);
void cxios_read_data_k82(const char* id, int length, double* data, int n1, int n2);
void cxios_read_data_k83(const char* id, int length, double* data, int n1, int n2, int n3);

void cxios_get_variable_data_k8(const char* id, int length, double* data, bool* exists);
void cxios_get_variable_data_k4(const char* id, int length, float* data, bool* exists);
void cxios_get_variable_data_int(const char* id, int length, int* data, bool* exists);
void cxios_get_variable_data_logic(const char* id, int length, bool* data, bool* exists);
void cxios_get_variable_data_char(const char* id, int length, char* data, int size, bool* exists);

}  // extern "C"
