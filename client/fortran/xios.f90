! What a model written for XIOS uses. Every name, its arguments and keywords are those it knows;
! an error ends the job with its text.
module xios
  use xios_time, only: xios_duration, xios_date, &
    xios_year, xios_month, xios_day, xios_hour, xios_minute, xios_second, xios_timestep, &
    xios_duration_convert_to_string, xios_duration_convert_from_string, &
    xios_duration_add, xios_duration_sub, xios_duration_mult, xios_duration_neg, &
    xios_duration_eq, xios_duration_neq, &
    xios_date_convert_to_seconds, xios_date_convert_to_string, xios_date_convert_from_string, &
    xios_date_add_duration, xios_date_sub_duration, xios_date_sub, &
    xios_date_eq, xios_date_neq, xios_date_lt, xios_date_le, xios_date_gt, xios_date_ge, &
    xios_date_get_second_of_year, xios_date_get_day_of_year, xios_date_get_fraction_of_year, &
    xios_date_get_second_of_day, xios_date_get_fraction_of_day, &
    operator(+), operator(-), operator(*), &
    operator(==), operator(/=), operator(<), operator(<=), operator(>), operator(>=), assignment(=)
  use xios_elements, only: xios_context, xios_domain, xios_domaingroup, xios_axis, xios_axisgroup, &
    xios_scalar, xios_scalargroup, xios_grid, xios_gridgroup, xios_field, xios_fieldgroup, &
    xios_file, xios_filegroup, xios_variable, xios_variablegroup, &
    xios_extract_domain, xios_zoom_domain, xios_interpolate_domain, &
    xios_generate_rectilinear_domain, xios_compute_connectivity_domain, xios_expand_domain, &
    xios_redistribute_domain, xios_extract_axis, xios_zoom_axis, xios_interpolate_axis, &
    xios_inverse_axis, xios_reduce_domain_to_axis, xios_extract_domain_to_axis, &
    xios_redistribute_axis, xios_reduce_axis_to_scalar, xios_reduce_domain_to_scalar, &
    xios_extract_axis_to_scalar, xios_redistribute_scalar
  use xios_attributes
  use xios_children
  use xios_run
  implicit none
  public
end module xios
