"""Deals the tests to three tiers: `quick`, the default one, and `full`.

Usage: tiers.py NAMES PAGE... --cmake FILE --report FILE

NAMES is a file with a name of a test a line. A PAGE has tables whose last column names tests (see rows.py). Written are
labels for CTest, and the choice in words.

Names of tests say what differs between runs of one case: `storage_cdf5_2_3` is the case `storage` with format cdf5, two
processes and three servers. A product (below) says which words are values of which setting. Of its tests the default
tier has a covering array: each case, each value of each setting, and each pair of values that some test has. It is taken
greedily, the test of few processes first, and by a seed, so that everybody has the same. The others are `full`.
Who adds a case has nothing to do here: a test that belongs to no product is in the default tier.

What a row of a page names is there, too: of `a_*` one test at least, of `a_b` that one. The first name of a row is the
test that says quickly whether the row is still true: it gets the label `quick`.
"""
import argparse
import fnmatch
import hashlib
import itertools
import pathlib
import re
import sys

import rows

SEED = 33

# Words in names of tests, longest first where one begins another. In a product, what is not one of these is the case.
WORDS = [
    ("servers", "attached", r"attached(_two)?|servers0|inside"),
    ("servers", "hosted", r"hosted(_server)?(_two)?"),
    ("servers", "threads", r"servers_per_process(_two|_three)?"),
    ("servers", "levels", r"levels(_two_by_two)?"),
    ("servers", "two", r"two_servers|(one_of_)?two_servers"),
    ("servers", "one", r"one_server|servers1"),
    ("clients", "several", r"two_clients|three_clients|processes"),
    ("clients", "one", r"one_client"),
    ("threads", "several", r"two_threads|threads|two_by_two|by_threads"),
    ("carrier", "messages", r"messages"),
    ("carrier", "one_sided", r"one_sided"),
    ("nodes", "near", r"near"),
    ("nodes", "far", r"far"),
    ("files", "shared", r"shared(_files?)?"),
    ("files", "apart", r"apart"),
    ("files", "series", r"series"),
    ("format", "cdf5", r"cdf5"),
    ("format", "classic", r"(netcdf4_)?classic"),
    ("storage", "compressed", r"compressed"),
    ("storage", "packed", r"packed"),
    ("storage", "zfp", r"zfp"),
    ("calendar", None, r"standard|mixed|360_day|all_leap|utc|in_days|Gregorian|Julian|NoLeap|AllLeap|D360"),
]
PATTERNS = [(setting, value, re.compile(rf"(?:^|_)(?:{words})(?=_|$)")) for setting, value, words in WORDS]


def numbers_of(processes, servers):
    return {"clients": "one" if processes == 1 else "several",
            "servers": ["attached", "one", "two"][min(servers, 2)]}


def settings_of(rest):
    """The case and the settings that the words of a name say."""
    found = {}
    layout = re.search(r"(?:^|_)(?:(\d)x(\d)_(\d)|(\d)_(\d)|(\d)x(\d))(?=_|$)", rest)
    if layout:
        of_grids, threads, servers, processes, number, alone, images = layout.groups()
        if of_grids:
            found = numbers_of(int(of_grids), int(servers)) | {"threads": "several" if int(threads) > 1 else "one"}
        elif processes:
            found = numbers_of(int(processes), int(number))
        else:
            found = numbers_of(int(alone), 1) | {"threads": "several" if int(images) > 1 else "one"}
        rest = rest[:layout.start()] + rest[layout.end():]
    for setting, value, pattern in PATTERNS:
        if setting in found:
            continue
        hit = pattern.search(rest)
        if hit:
            found[setting] = value or hit.group(0).strip("_")
            rest = rest[:hit.start()] + rest[hit.end():]
    servers = re.search(r"_([012])$", rest)
    if servers and "servers" not in found:
        found["servers"] = ["attached", "one", "two"][int(servers.group(1))]
        rest = rest[:servers.start()]
    return rest.strip("_"), found


def of_words(kind):
    """The case is what remains, the kind is that of the scripts, and settings are paired with it and each other."""
    def parse(match):
        case, settings = settings_of(match.group("rest"))
        return (f"{match.group('kind')} {case}",), {"kind": match.group("kind"), **settings}
    return parse


def alone(*names):
    """Groups of the pattern that are covered each by itself."""
    return lambda match: (tuple(f"{name} {match.group(name)}" for name in names), {})


def endpoints_suite(match):
    """A unit test with endpoints: alone and between processes. Three processes are all that two are, and an odd number."""
    single = (f"suite {match.group('suite')}", f"way {match.group('way') or ''}")
    return single, {"suite": match.group("suite"), "np": "one" if match.group("np") == "1" else "several"}


def coarray(match):
    """Images that share memory and images that do not are two ways to carry; the rest is who is a thread."""
    layout = match.group("layout")
    apart = "apart" in layout
    return (f"program {match.group('program')}", f"layout {layout}"), {"program": match.group("program"), "way": apart}


# Name, pattern, what a name says, and why one test of a case tells what its others would.
PRODUCTS = [
    ("integration",
     r"(?P<kind>run|bad_careless|bad|disk|kill_calls|kill_random|kill|shm|storage|sync|durable|split_kill|split|apart|gather"
     r"|append_kill|append|message|delay|pair|coupledmany|coupled|pain|unsent|ensemble|foreign|demo_layouts|matrix|times"
     r"|series_values|xarray|global_array)_(?P<rest>\w+)", of_words("kind"),
     "a layout is tested with each kind of case, and each case in one layout"),
    ("series", r"(?P<kind>series)_(?P<rest>\w+)", of_words("kind"), "as of the other cases"),
    ("reading", r"(?P<kind>forcing|source_grid|damage|reading_coads)_(?P<rest>\w+)", of_words("kind"),
     "calendars have unit tests of their own: a run shows that the file's one is taken"),
    ("random cases", r"(?P<kind>grids|reading|chains|space)_(?P<rest>\d\w+)", of_words("kind"),
     "each job has many random cases"),
    ("fortran", r"fortran_(?P<rest>(?:\w+_)?(?:one_client|two_clients|three_clients|two_servers|attached|server|servers_per_process"
     r"|one_process|init_server|\d_\d|\d))", lambda match: fortran(match.group("rest")),
     "the program is the same, and so is the library below the module"),
    ("coarray", r"coarray_(?P<program>\w+?)_(?P<layout>alone|(?:four_|200_)?threads|both|processes|apart|processes_apart)", coarray,
     "a program checks itself once with shared memory and once without"),
    ("drop-in", r"dropin_(?P<program>\w+)_np(?P<processes>\d)", alone("program", "processes"),
     "what a program prints is compared with that of plain MPI, for any number"),
    ("endpoints", r"ep_core_(?P<suite>(?!hartree_fock|shared_dump)\w+?)_(?:test_)?(?P<way>(?:no_shm|shm|unread|unwritten|narrow|unread_narrow|mixed"
     r"|few_tag_bits|by_override)_)?(?:test_)?np(?P<np>\d)", endpoints_suite,
     "ways of messages are told apart below all suites"),
    ("examples of endpoints", r"ep_core_(?P<program>hartree_fock|shared_dump)(?P<variant>\w*)_np(?P<np>\d)",
     alone("program", "variant", "np"), "as of programs in general"),
    ("unit tests", r"(?P<suite>(?:client|coupling|event|file|server|space|transport)_\w+?)_(?P<way>(?:far)_)?np(?P<np>\d)",
     endpoints_suite, "alone and between an odd number of processes"),
]


def fortran(rest):
    case, settings = settings_of(rest)
    attached = settings.get("servers") in ("attached", "hosted", "threads")
    return (f"program {case}",) + tuple(f"{key} {value}" for key, value in settings.items()), {"program": case, "attached": attached}


# Tests that only the full tier needs, whatever they cover, and why.
ONLY_FULL = [
    (r"demo_layouts_(attached|one_server|shared_files|\w+_shared_files)",
     "each runs a year six times; so do those with two servers and with levels, and integration tests compare files of each layout"),
    (r"fortran_calls_all", "378 jobs, of which fortran_calls has a fifth"),
    (r"protocol_(coupling|helpers|levels|opening|reading|windows)_without_\w+",
     "what must break without a rule concerns the model alone, and changes with it; the rules of the main model are in the default tier"),
    (r"kill_random_attached", "six runs killed at random; those with servers are in the default tier"),
]


def cost_of(name):
    """Few processes are cheap; an even number of them, where an odd one is to be had, tells less."""
    digits = re.findall(r"(?<=_)\d(?=[x_]|$)|np\d", name)
    cost = sum(int(digit[-1]) for digit in digits)
    if name.endswith("np2"):
        cost = 4
    for word, more in [("two", 1), ("three", 2), ("levels", 3), ("large", 2), ("random", 5), ("many", 3), ("processes", 1)]:
        cost += more * (word in name.split("_"))
    return cost


def cover(tests, wanted, taken):
    """Adds tests until everything wanted is covered: `tests` has of each name what it covers."""
    missing = set(wanted)
    for name in taken:
        missing -= tests.get(name, set())
    chosen = []
    order = sorted(tests, key=lambda name: hashlib.sha256(f"{SEED} {name}".encode()).hexdigest())
    while missing:
        best = max(order, key=lambda name: (len(tests[name] & missing), -cost_of(name)))
        if not tests[best] & missing:
            raise SystemExit(f"nothing covers {sorted(map(str, missing))}")
        chosen.append(best)
        missing -= tests[best]
    return chosen


def items_of(parse, match, names_of_settings):
    single, settings = parse(match)
    items = set(single)
    values = [(name, settings.get(name)) for name in names_of_settings]
    items.update(itertools.combinations(values, 2))
    return items


def products_of(names):
    """Of each product: its name, reason, and what each of its tests covers."""
    left = set(names)
    for title, pattern, parse, reason in PRODUCTS:
        members = {}
        for name in names:
            match = re.fullmatch(pattern, name)
            if match and name in left and not any(re.fullmatch(only, name) for only, _ in ONLY_FULL):
                members[name] = match
        left -= set(members)
        settings = sorted({key for match in members.values() for key in parse(match)[1]})
        yield title, reason, {name: items_of(parse, match, settings) for name, match in members.items()}


def required(names, pages):
    """Tests that rows name: those that stay in the default tier, groups of which one must, and the first of each row."""
    exact, groups, firsts = set(), [], []
    for page in pages:
        for row in rows.rows_of(page):
            found = [(name, fnmatch.filter(names, name)) for name in row.tests]
            found = [(name, tests) for name, tests in found if tests]  # some are for machines that have what they need
            for name, tests in found:
                if "*" in name:
                    groups.append(tests)
                else:
                    exact.update(tests)
            if found:
                firsts.append((row, found[0][1]))
    return exact, groups, firsts


def deal(names, pages):
    exact, groups, firsts = required(names, pages)
    full, why = set(), {}
    lines = []
    for title, reason, tests in products_of(names):
        pinned = [name for name in tests if name in exact]
        wanted = set().union(*tests.values()) if tests else set()
        for number, group in enumerate(groups):
            inside = [name for name in group if name in tests]
            if inside and len(inside) == len(group):
                wanted.add(f"row {number}")
                for name in inside:
                    tests[name].add(f"row {number}")
        chosen = set(pinned) | set(cover(tests, wanted, pinned))
        left_out = [name for name in tests if name not in chosen]
        full.update(left_out)
        lines.append(f"{title}: {len(chosen)} of {len(tests)} cover {len(wanted)} values and pairs ({reason})")
        lines += [f"  default {name}" for name in sorted(chosen)] + [f"  full    {name}" for name in sorted(left_out)]
    for pattern, reason in ONLY_FULL:
        hits = [name for name in names if re.fullmatch(pattern, name)]
        full.update(hits)
        lines += [f"  full    {name}: {reason}" for name in hits]
    quick = set()
    for row, tests in firsts:
        there = [name for name in tests if name not in full]
        if there:
            quick.add(min(there, key=lambda name: (name not in quick, cost_of(name), name)))
    return full, quick, lines


def write_choice(arguments):
    names = [name for name in pathlib.Path(arguments.names).read_text().split("\n") if name]
    full, quick, lines = deal(names, arguments.pages)
    with open(arguments.cmake, "w", encoding="utf-8") as cmake:
        for name in names:
            label = "full" if name in full else "quick" if name in quick else None
            if label:
                cmake.write(f"set_tests_properties({name} PROPERTIES LABELS {label})\n")
    head = [f"{len(names)} tests: {len(names) - len(full)} in the default tier, {len(full)} more with --full, "
            f"{len(quick)} of the default ones with --quick (seed {SEED})"]
    pathlib.Path(arguments.report).write_text("\n".join(head + lines + ["quick:"] + [f"  {name}" for name in sorted(quick)]) + "\n")
    print(head[0])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("names")
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--report", required=True)
    write_choice(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
