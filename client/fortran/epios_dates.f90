! Dates and durations of module epios: the types of module xios, with those of its operators that need no calendar.
module epios_dates
  use xios_time, only: epios_date => xios_date, epios_duration => xios_duration, &
    epios_year => xios_year, epios_month => xios_month, epios_day => xios_day, epios_hour => xios_hour, &
    epios_minute => xios_minute, epios_second => xios_second, epios_timestep => xios_timestep, &
    xios_duration_add, xios_duration_sub, xios_duration_neg, operator(*), &
    operator(==), operator(/=), operator(<), operator(<=), operator(>), operator(>=)
  implicit none
  private

  public :: epios_date, epios_duration
  public :: epios_year, epios_month, epios_day, epios_hour, epios_minute, epios_second, epios_timestep
  public :: operator(+), operator(-), operator(*)
  public :: operator(==), operator(/=), operator(<), operator(<=), operator(>), operator(>=)

  interface operator(+)
    procedure xios_duration_add
  end interface
  interface operator(-)
    procedure xios_duration_sub, xios_duration_neg
  end interface

end module epios_dates
