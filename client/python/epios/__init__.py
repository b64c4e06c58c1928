"""EPIOS for models and emulators written in Python.

A program opens a session and a client, says what it has, and hands over arrays of numpy at each step; XML files say what
is written, when and how::

    import epios, numpy as np

    with epios.Session("model") as session, session.client() as client, client.context("atmosphere") as context:
        context.define("domain", "globe", ni_glo=36, nj_glo=18, jbegin=0, nj=18, lonvalue_1d=..., latvalue_1d=...)
        context.close_definition()
        for step in range(1, 49):
            context.update_calendar(step)
            context.send("temperature", np.zeros((18, 36)))

Shapes: an array of shape (nj, ni) in C order is one of EPIOS with extents (ni, nj). Arrays in C order are sent from
where they lie. Arrays with masked values are refused: fill them with the field's default_value first
(`numpy.ma.filled`).

Errors are exceptions of type `Error`, whose text reads "problem (why). Suggestion?". Threads: other threads of Python run
while a call of EPIOS waits; each client is used by one thread at a time.
"""

from ._core import (Client, Code, Context, Element, Error, Field, FileReport, Session, Statistics,
                    __version__, mpi_library, serve)
from .commands import ListedFile, ListedVariable, Message, Plan, check, ls, plan
from .template import define_template

__all__ = ["Client", "Code", "Context", "Element", "Error", "Field", "FileReport", "ListedFile", "ListedVariable", "Message",
           "Plan", "Session", "Statistics", "__version__", "check", "define_template", "ls", "mpi_library", "plan",
           "serve"]
