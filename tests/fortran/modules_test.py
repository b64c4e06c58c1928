"""Each module that XIOS installs beside `module xios` is there, with its names: models are built by a makefile that knows
nothing but the prefix, import each module whole and each name by itself, and are run.

Usage: modules_test.py PREFIX WORK MPIEXEC FORTRAN_WRAPPER CXX_WRAPPER
       modules_test.py --sources FOLDER     writes what imports the modules, and no more

The names are those of XIOS; nothing here is generated from our table.
"""
import csv
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ELEMENTS = "scalar axis domain grid field file variable".split()
TRANSFORMATIONS = """extract_domain zoom_domain interpolate_domain generate_rectilinear_domain compute_connectivity_domain
    expand_domain redistribute_domain extract_axis zoom_axis interpolate_axis inverse_axis reduce_domain_to_axis
    extract_domain_to_axis redistribute_axis reduce_axis_to_scalar reduce_domain_to_scalar extract_axis_to_scalar
    redistribute_scalar
    reorder_domain coarsen_domain smooth_axis stations reduce_axis_to_axis temporal_splitting duplicate_scalar_to_axis reduce_scalar_to_scalar""".split()
RUN = """initialize init_server finalize oasis_enddef context_initialize context_is_initialized context_finalize
    solve_inheritance close_context_definition send_field recv_field getVar setVar""".split()
CALENDAR = """define_calendar set_timestep set_start_date set_time_origin get_calendar_type get_timestep get_start_date
    get_time_origin update_calendar get_current_date get_year_length_in_seconds get_day_length_in_seconds""".split()
DATE = """date date_convert_to_seconds date_convert_to_string date_convert_from_string date_add_duration date_sub_duration
    date_sub date_eq date_neq date_lt date_le date_gt date_ge date_get_second_of_year date_get_day_of_year
    date_get_fraction_of_year date_get_second_of_day date_get_fraction_of_day""".split()
DURATION = """duration year month day hour minute second timestep duration_convert_to_string duration_convert_from_string
    duration_add duration_sub duration_mult duration_neg duration_eq duration_neq""".split()
TIMER = "timer_resume timer_suspend timer_reset timer_get_time".split()
MEMORY = "mem_checker_get mem_checker_log".split()


def handles(kind):
    return [kind, f"get_{kind}_handle", f"is_valid_{kind}"]


def accessors(kind):
    return [f"{verb}_{kind}_attr{by}" for verb in ("set", "get", "is_defined") for by in ("", "_hdl")]


def modules():
    with open(HERE / "procedures.csv") as table:
        procedures = [row["name_without_prefix"] for row in csv.DictReader(table)]
    arrays = [name for name in procedures if re.match(r"(send|recv)_field_r", name)]
    children = [name for name in procedures if name.startswith("add_")]
    if len(arrays) != 64 or len(children) < 35:
        sys.exit(f"{len(arrays)} procedures for arrays and {len(children)} for children in procedures.csv")
    out = {
        "icontext": handles("context") + ["set_current_context", "get_current_context"],
        "icontext_attr": accessors("context") + ["context"],
        "idata": arrays + RUN, "ixml_tree": children + ELEMENTS + [kind + "group" for kind in ELEMENTS],
        "icalendar": CALENDAR, "idate": DATE, "iduration": DURATION, "itimer": TIMER, "imem_checker": MEMORY,
    }
    for kind in ELEMENTS:
        group = kind + "group"
        out[f"i{kind}"] = handles(kind) + handles(group)
        out[f"i{kind}_attr"] = accessors(kind) + handles(kind) + handles(group)  # models name it alone
        out[f"i{group}_attr"] = accessors(group) + handles(group)
    out["ifield"] += ["field_is_active", "field_get_domain", "field_get_axis", "field_get_scalar"]
    for kind in TRANSFORMATIONS:
        out[f"i{kind}"] = handles(kind)
        out[f"i{kind}_attr"] = accessors(kind)
    named = {module: ["xios_" + name for name in names] for module, names in out.items()}
    named["mod_wait"] = ["init_wait", "wait_us"]
    return named


def write_sources(folder):
    """One source that imports each name of each module by itself, one that imports them whole, all beside module xios."""
    every = modules()
    singly = []
    whole = []
    for module, names in every.items():
        for number, name in enumerate(names):
            singly += [f"subroutine {module}_{number}()", f"  use {module}, only: {name}", "end subroutine", ""]
        whole += [f"subroutine whole_{module}()", f"  use {module}", "  use xios", "end subroutine", ""]
    whole += ["subroutine all_of_them()"] + [f"  use {module}" for module in ["xios", *every]] + ["end subroutine", ""]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "singly.f90").write_text("\n".join(singly))
    (folder / "whole.f90").write_text("\n".join(whole))
    return len(every), sum(map(len, every.values()))


MAKEFILE = """\
XIOS = {prefix}
FC = {fortran}
CXX = {cxx}
INCLUDES = -I$(XIOS)/include/epios/fortran

all: by_name by_archive caller_by_name caller_alone caller_derived
by_name: modules.f90 singly.f90 whole.f90
\t$(FC) $(INCLUDES) $^ -o $@ -L$(XIOS)/lib -lxios
by_archive: modules.f90
\t$(FC) $(INCLUDES) $^ -o $@ $(XIOS)/lib/libxios.a
caller_by_name: caller.cpp
\t$(CXX) $< -o $@ -L$(XIOS)/lib -lxios
caller_alone: caller.cpp
\t$(CXX) $< -o $@ -L$(XIOS)/lib -lepios_cxios
caller_derived: caller_derived.cpp
\t$(CXX) $< -o $@ -L$(XIOS)/lib -lepios_cxios
"""

# What runs: program, its XML, processes, arguments, whether it ends well, what it says.
RUNS = [("by_name", "modules.xml", 1, [], True, "all names were called"),
        ("by_archive", "modules.xml", 1, [], True, "all names were called"),
        ("caller_by_name", "cxios/iodef.xml", 1, [], True, "all names were called"),
        ("caller_alone", "cxios/iodef.xml", 2, ["server"], True, "all names were called"),
        ("caller_derived", "cxios/caller_derived.xml", 1, [], True, "all names were called"),
        ("caller_derived", "cxios/caller_derived.xml", 1, ["short"], False, "does not fit"),
        # An exception that left through C would only say that it was not caught.
        ("caller_derived", "cxios/caller_derived.xml", 1, ["negative"], False, "epios: error")]


def names_that_are_not_called():
    missing = []
    for caller, at_least in (("caller", 130), ("caller_derived", 50)):
        declared = re.findall(r"\b(cxios_\w+)\(", (HERE / f"cxios/{caller}.hpp").read_text())
        called = (HERE / f"cxios/{caller}.cpp").read_text()
        print(f"{caller} declares {len(declared)} C names")
        missing += [name for name in declared if not re.search(rf"\b{name}\b", called)]
        missing += ["more: too few are declared"] if len(declared) < at_least else []
    return missing


def main(prefix, work, mpiexec, fortran, cxx):
    if missing := names_that_are_not_called():
        sys.exit(f"the callers do not call {' '.join(missing)}")
    work = pathlib.Path(work)
    shutil.rmtree(work, ignore_errors=True)
    count, names = write_sources(work)
    print(f"{names} names of {count} modules are imported")
    for source in (HERE / "modules.f90", *(HERE / "cxios").glob("*.?pp")):
        shutil.copy(source, work)
    (work / "Makefile").write_text(MAKEFILE.format(prefix=prefix, fortran=fortran, cxx=cxx))
    subprocess.run(["make", "-s", "-C", str(work)], check=True)
    for number, (program, xml, processes, arguments, ends_well, says) in enumerate(RUNS):
        folder = work / f"run_{number}"
        folder.mkdir()
        shutil.copy(HERE / xml, folder / "iodef.xml")
        done = subprocess.run([mpiexec, "-genv", "LD_LIBRARY_PATH", f"{prefix}/lib", "-n", str(processes),
                               str(work / program), *arguments], cwd=folder, capture_output=True, text=True, timeout=100)
        said = done.stdout + done.stderr
        if (done.returncode == 0) != ends_well or "FAIL" in said or says not in said:
            sys.exit(f"{program} ended with {done.returncode}:\n{said}")
        print(f"{program} {' '.join(arguments)} ran")


if __name__ == "__main__":
    if sys.argv[1] == "--sources":
        write_sources(pathlib.Path(sys.argv[2]))
    else:
        main(*sys.argv[1:])
