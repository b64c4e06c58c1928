"""Models may call each procedure of `module xios` with the arguments that XIOS gives it, by keyword.

Usage: procedures_test.py PROCEDURES NAMES COMPILER MODULES FOLDER

PROCEDURES is a table: name without xios_, subroutine or function, type of the result, "argument:TYPE,...; ...". A program with a call of
each that NAMES exports, once with all arguments and once without the optional ones, must compile. Nothing is run.
"""
import csv
import pathlib
import re
import subprocess
import sys

# Of generic names, which the table has by their specific ones.
GENERIC = [
    (r"(set|get)_current_context_(hdl|id)", r"\1_current_context"),
    (r"set_(start_date|time_origin)_(date|dur)", r"set_\1"),
    (r"field_(id_)?get_(domain|axis|scalar)_handle", r"field_get_\2"),
    (r"get_\w+_handle", "get_handle"),
    (r"(send|recv)_field_\w+", r"\1_field"),
    (r"field_is_active_(id|hdl)", "field_is_active"),
    (r"(get|set)Var_\w+", r"\1Var"),
    (r"add_\w+", "add_child"),
    (r"(\w+_duration|duration_\w+)_mult", "duration_mult"),
]
# Handles and helpers that the module keeps for itself.
INTERNAL = re.compile(r"calendar_wrapper|create_calendar|update_calendar_timestep|_hdl$")


def exported(name, names):
    if "xios_" + name in names:
        return "xios_" + name
    for specific, generic in GENERIC:
        if re.fullmatch(specific, name):
            return "xios_" + re.sub(specific, generic, name)
    return None


def declaration(argument):
    """(keyword, is optional, type and rank of an actual argument)"""
    name, _, rest = argument.strip().partition(":")
    rank = re.search(r"\((:(?:,:)*)\)$", rest)
    kind = re.match(r"(TYPE\(\w+\)|CHARACTER\(len=\*\)|REAL\(kind=\w+\)|INTEGER\(kind=\w+\)|INTEGER|LOGICAL)", rest, re.I)
    if kind is None:
        sys.exit(f"not understood: {argument}")
    actual = re.sub(r"(?i)len=\*", "len=20", kind.group(1)).replace("C_DOUBLE", "8").replace("C_FLOAT", "4")
    actual = actual.replace("C_INT", "4")
    if rank:
        actual += ", dimension(" + ",".join(["2"] * (rank.group(1).count(",") + 1)) + ")"
    return name, "OPTIONAL" in rest, actual


def calls(row, generic):
    arguments = [declaration(a) for a in row["dummy_arguments"].split(";") if a.strip()]
    variables = [f"    {actual} :: a{i}" for i, (_, _, actual) in enumerate(arguments)]
    result = "" if row["kind"] == "subroutine" else "r = " if row["result"] == "LOGICAL" else "associate (r => "
    lines = []
    for wanted in (arguments, [a for a in arguments if not a[1]]):
        actual = ", ".join(f"{a[0]}=a{arguments.index(a)}" for a in wanted)
        call = f"{generic}({actual})"
        if row["kind"] == "subroutine":
            lines.append(f"    call {call}")
        elif row["result"] == "LOGICAL":
            lines.append(f"    r = {call}")
        else:
            lines += [f"    associate (value => {call})", "    end associate"]
    if result == "r = ":
        variables.append("    logical :: r")
    return variables + lines


def main(procedures, names, compiler, modules, folder):
    listed = set(pathlib.Path(names).read_text().split())
    text = ["program procedures", "  use xios", "  implicit none", "contains"]
    used = 0
    with open(procedures) as table:
        for number, row in enumerate(csv.DictReader(table)):
            name = row["name_without_prefix"]
            generic = exported(name, listed)
            if generic is None or (INTERNAL.search(name) and generic == "xios_" + name):
                continue
            types = set(re.findall(r"TYPE\((\w+)\)", row["dummy_arguments"]))
            if generic not in listed or not types <= listed:
                continue  # of a kind that the module does not export
            text += [f"  subroutine s{number}()", *calls(row, generic), f"  end subroutine s{number}"]
            used += 1
    text.append("end program procedures")
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "procedures.f90"
    source.write_text("\n".join(text) + "\n")
    print(f"{used} procedures are called")
    done = subprocess.run([compiler, "-fsyntax-only", "-ffree-line-length-none", "-I", modules, str(source)])
    sys.exit(done.returncode if used > 200 else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
