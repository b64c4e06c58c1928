"""The dealer of tests to tiers, on names that were made up, and what the check of requirements would notice."""
import itertools
import pathlib
import re
import sys
import tempfile
import unittest

import requirements_test
import rows
import slowest
import targets
import tiers

LAYOUTS = ["1_1", "3_1", "1_2", "2_0"]
NAMES = [f"storage_{way}{layout}" for way in ["", "cdf5_", "packed_", "compressed_shared_"] for layout in LAYOUTS]
NAMES += [f"bad_careless_{case}_servers{number}" for case in ["opens_twice", "leaves"] for number in "01"]
NAMES += [f"coarray_halo_{layout}" for layout in ["alone", "threads", "both", "processes", "apart", "processes_apart"]]
NAMES += ["ep_core_contract_test_np1", "ep_core_contract_test_np2", "ep_core_contract_test_np3", "ep_core_contract_test_no_shm_np2"]
NAMES += ["config_golden_test", "file_dates"]


def page_of(*cells):
    page = pathlib.Path(tempfile.mkdtemp()) / "page.md"
    page.write_text("| a | b | tests |\n| --- | --- | --- |\n" + "".join(f"| a | b | {cell} |\n" for cell in cells), encoding="utf-8")
    return page


class Words(unittest.TestCase):
    def test_settings_are_found_in_names(self):
        self.assertEqual(tiers.settings_of("cdf5_2_3"), ("", {"format": "cdf5", "clients": "several", "servers": "two"}))
        self.assertEqual(tiers.settings_of("other_field_attached"), ("other_field", {"servers": "attached"}))
        self.assertEqual(tiers.settings_of("one_sided_shared_far"), ("", {"carrier": "one_sided", "files": "shared", "nodes": "far"}))
        self.assertEqual(tiers.settings_of("3x1_2_messages")[1],
                         {"clients": "several", "servers": "two", "threads": "one", "carrier": "messages"})

    def test_no_kind_hides_a_longer_one(self):
        for name, pattern, *_ in tiers.PRODUCTS:
            for kinds in re.findall(r"\(\?P<kind>([^)]*)\)", pattern):
                for kind in kinds.split("|"):
                    found = re.fullmatch(pattern, f"{kind}_1x1_0")
                    self.assertEqual(found and found.group("kind"), kind, name)

    def test_words_within_words_are_no_settings(self):
        self.assertEqual(tiers.settings_of("several_at_once"), ("several_at_once", {}))
        self.assertEqual(tiers.settings_of("patience_of_none"), ("patience_of_none", {}))


class Dealing(unittest.TestCase):
    def setUp(self):
        self.full, self.quick, _ = tiers.deal(NAMES, [])
        self.default = [name for name in NAMES if name not in self.full]

    def test_less_is_run_and_nothing_is_lost(self):
        self.assertGreater(len(self.full), 5)
        self.assertEqual(sorted(self.default + list(self.full)), sorted(NAMES))

    def test_all_pairs_of_values_are_covered(self):
        def pairs(names):
            found = set()
            for name in names:
                _, settings = tiers.settings_of(name.removeprefix("storage_"))
                values = [(key, settings.get(key)) for key in ("clients", "servers", "format", "storage", "files")]
                found.update(itertools.combinations(values, 2))
            return found
        runs = [name for name in NAMES if name.startswith(("storage_", "bad_"))]
        self.assertEqual(pairs(set(runs) - self.full), pairs(runs))

    def test_each_case_is_there_once_at_least(self):
        for case in ["opens_twice", "leaves"]:
            self.assertTrue(any(case in name for name in self.default), case)
        self.assertTrue(any(name.startswith("ep_core_contract_test_no_shm") for name in self.default))
        self.assertIn("ep_core_contract_test_np1", self.default)

    def test_what_belongs_to_no_product_is_in_the_default_tier(self):
        self.assertIn("config_golden_test", self.default)
        self.assertIn("file_dates", self.default)

    def test_the_same_again(self):
        self.assertEqual(tiers.deal(NAMES, [])[0], self.full)

    def test_what_a_page_names_is_not_left_out(self):
        left_out = sorted(self.full)
        full, quick, _ = tiers.deal(NAMES, [page_of(f"`{left_out[0]}`, left: it is", f"`config_*`, `{left_out[1]}`")])
        self.assertNotIn(left_out[0], full)
        self.assertNotIn(left_out[1], full)
        self.assertEqual(quick, {left_out[0], "config_golden_test"})


class Requirements(unittest.TestCase):
    def complaints(self, cell, labels):
        row, = rows.rows_of(page_of(cell))
        return list(requirements_test.complaints_of(row, labels, ["cdo_if_there"], {"fortran"}))

    def test_what_is_right_is_not_complained_of(self):
        self.assertEqual(self.complaints("`a_*`, left: more", {"a_b": {"quick"}, "a_c": {"full"}}), [])
        self.assertEqual(self.complaints("left: nothing to do", {}), [])
        self.assertEqual(self.complaints("`cdo_*`", {}), [])

    def test_what_is_lost_is_noticed(self):
        self.assertEqual(self.complaints("c | `a`", {"a": {"quick"}}),
                         ["4 cells (expected: what is promised or was met, where or what is done, tests)"])
        self.assertEqual(self.complaints("`a_*`, `b`", {"a_b": {"quick"}}), ["there is no test 'b'"])
        self.assertEqual(self.complaints("", {}), ["neither a test nor 'left: ' and why"])
        self.assertEqual(self.complaints("`a_*`, `b`", {"a_b": {"full"}, "b": {"quick"}}), ["no test of 'a_*' is in the default tier"])
        self.assertEqual(self.complaints("`a`", {"a": {"unit"}}), ["none of its tests has the label 'quick'"])


class Slowest(unittest.TestCase):
    def test_times_are_those_of_tests_that_ran(self):
        results = ('<testsuite><testcase name="run_a" time="0.25" status="run"/><testcase name="no" time="0" status="notrun"/>'
                   '<testcase name="run_b" time="12.0" status="fail"><system-out>&lt;testcase name="x" time="9" status="run"</system-out></testcase></testsuite>')
        self.assertEqual(list(slowest.times_of(results)), [(0.25, "run_a"), (12.0, "run_b")])


class Targets(unittest.TestCase):
    OUTPUTS = {"server/epios_server", "server/all", "client/all", "tests/integration/all", "tests/all", "tests/config/config_golden_test"}

    def test_programs_and_folders_are_built(self):
        def needed(argument):
            return targets.targets_of(argument, pathlib.Path("/b ld"), self.OUTPUTS)
        self.assertEqual(needed("/b ld/server/epios_server"), ["server/epios_server"])
        self.assertEqual(needed("/b ld/tests/integration"), ["tests/integration/all"])
        self.assertEqual(needed("build=/b ld"), ["client/all", "server/all"])
        self.assertEqual(needed("/usr/bin/mpiexec"), [])
        self.assertEqual(needed("/b ld/tests/consumer/prefix"), [])

    def test_programs_in_the_environment_are_built(self):
        # Would have found that fortran_mesh_3_1 fails where nobody has built its checker (scripts/test --quick in a fresh clone).
        values = ["/b ld/tests/config/config_golden_test", "1", "/b ld", "/b ld/tests/integration", "/usr/bin/ncdump"]
        self.assertEqual(targets.programs_of(values, pathlib.Path("/b ld"), self.OUTPUTS), ["tests/config/config_golden_test"])
        with tempfile.TemporaryDirectory() as folder:
            tests = pathlib.Path(folder) / "tests"
            tests.mkdir()
            (tests / "CTestTestfile.cmake").write_text(
                'add_test([=[mesh]=] "/bin/bash" "run.sh")\n'
                'set_tests_properties([=[mesh]=] PROPERTIES  ENVIRONMENT "A=1;CHECK_ALL=/b ld/check" FIXTURES_REQUIRED "made" LABELS "x")\n')
            self.assertEqual(targets.tests_of(pathlib.Path(folder)),
                             ({"mesh": ["/bin/bash", "run.sh"]}, {"mesh": ["1", "/b ld/check"]}, {"mesh": []}, {"mesh": ["made"]}))

    def test_who_needs_a_fixture_needs_the_test_that_makes_it(self):
        makes = {"install": ["prefix"], "build": ["built"], "use": []}
        needs = {"build": ["prefix"], "use": ["built"]}
        self.assertEqual(targets.with_fixtures(["use"], makes, needs), {"use", "build", "install"})


if __name__ == "__main__":
    sys.exit(not unittest.main(exit=False, verbosity=0).result.wasSuccessful())
