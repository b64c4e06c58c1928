"""What the command `epios` says of configurations and data files, as objects."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import Any, Iterable, Mapping, Sequence, Union

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Message:
    """One finding of `check`; str() reads "file:line:col: problem (why). Suggestion?"."""

    severity: str  #: "error", "warning" or "note"
    code: str  #: such as "E0501"; `epios explain-code E0501` says more
    file: str
    line: int
    column: int
    where: str
    problem: str
    why: str
    suggestion: str
    affects_output: bool

    def __str__(self) -> str:
        why = f" ({self.why})" if self.why else ""
        return f"{self.where}: {self.severity}: {self.problem}{why}. {self.suggestion} [{self.code}]"


@dataclass(frozen=True)
class PlannedFile:
    """What a run would write of one file element."""

    id: str
    records: int
    bytes: int
    paths: Sequence[str]  #: final names, one for each part of a file that is split
    fields: Mapping[str, int]  #: number of records of each variable


@dataclass(frozen=True)
class Plan:
    """What a context would write in a run."""

    context: str
    start: str
    end: str
    steps: int
    bytes: int
    files: Sequence[PlannedFile]
    warnings: Sequence[str]
    details: Mapping[str, Any] = field(repr=False)  #: everything that `epios plan --json` prints


@dataclass(frozen=True)
class ListedVariable:
    """A variable of a data file that is no coordinate."""

    name: str
    type: str  #: as ncdump names it, such as "float"
    dimensions: Mapping[str, int]  #: their lengths, the slowest first
    chunk: Sequence[int]  #: empty if it is contiguous
    ratio: float | None  #: bytes of its values to those stored
    values: Mapping[str, float | None] | None  #: count, missing, min, mean and max in the record


@dataclass(frozen=True)
class ListedFile:
    """What a data file holds."""

    path: str
    format: str
    record: int | None  #: whose values are told, from 0
    variables: Sequence[ListedVariable]


def _program() -> str:
    """Returns the command `epios` of this installation or build, or else the one of the PATH."""
    for folder in pathlib.Path(__file__).absolute().parents:
        for place in (folder / "bin" / "epios", folder / "config" / "epios"):
            if place.is_file() and os.access(place, os.X_OK):
                return str(place)
    found = shutil.which("epios")
    if found is None:
        raise FileNotFoundError("the command 'epios' is not there (neither beside this package nor in PATH)")
    return found


def _run(command: str, file: Path, options: Iterable[str], model: Path | None, values: Mapping[str, object]) -> Any:
    """Returns what the command prints as JSON. Raises ValueError with its text if it prints none."""
    words = [_program(), command, "--json", *options]
    if model is not None:
        words += ["--model", os.fspath(model)]
    for name, value in values.items():
        words += ["--set", f"{name}={value}"]
    done = subprocess.run([*words, os.fspath(file)], capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        raise ValueError(done.stderr.strip() or f"'epios {command}' printed no answer") from None


def check(file: Path, *, model: Path | None = None, values: Mapping[str, object] | None = None,
          strict: bool = False) -> list[Message]:
    """Returns all mistakes of the configuration `file`, or an empty list.

    `model` is an XML file with what the model says at run time, and `values` single values of it, such as
    ``{"domain:globe.ni_glo": 360}``. With `strict` every warning is an error.
    """
    answer = _run("check", file, ["--strict"] if strict else [], model, values or {})
    return [Message(**finding) for finding in answer["findings"]]


def ls(file: Path, *, record: int | None = None) -> ListedFile:
    """Returns what the data file `file` (NetCDF, a store of Zarr, or a set of parts) holds, with the values of its last
    record, or of `record` from 0. Raises ValueError for a file that cannot be read.
    """
    options = [] if record is None else ["--record", str(record)]
    (found,) = _run("ls", file, options, None, {})
    return ListedFile(**{**found, "variables": [ListedVariable(**variable) for variable in found["variables"]]})


def plan(file: Path, duration: str, *, model: Path | None = None, values: Mapping[str, object] | None = None,
         start: str | None = None) -> list[Plan]:
    """Returns what a run of `duration` (such as "1mo") would write, a Plan for each context.

    Raises ValueError, with all mistakes, if the configuration cannot be run.
    """
    options = ["--duration", duration] + (["--start", start] if start else [])
    answer = _run("plan", file, options, model, values or {})
    if isinstance(answer, dict):  # the findings of a check
        raise ValueError("\n".join(str(Message(**finding)) for finding in answer["findings"]))
    return [_plan_of(context) for context in answer]


def _plan_of(answer: Mapping[str, Any]) -> Plan:
    files = [
        PlannedFile(id=file["id"], records=file["records"], bytes=file["bytes"],
                    paths=[part["path"] for part in file["parts"]],
                    fields={variable["name"]: variable["records"] for variable in file["fields"]})
        for file in answer["files"]
    ]
    return Plan(context=answer["context"], start=answer["start"], end=answer["end"], steps=answer["steps"],
                bytes=answer["bytes"], files=files, warnings=answer["warnings"], details=answer)
