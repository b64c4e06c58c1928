"""Heat spreads on the sphere: a model in numpy, its rows shared by all processes.

    mpiexec -n 2 python3 diffusion.py : -n 2 epios_server
"""
import sys

import numpy as np

import epios

NI, NJ, DAYS, STEPS_PER_DAY = 72, 36, 30, 24


def rows_of(client):
    """Returns the first row of this client, and the one behind its last."""
    return NJ * client.rank // client.size, NJ * (client.rank + 1) // client.size


def initial(latitude, longitude):
    """A warm belt with a cold and a hot spot, in kelvin."""
    lat, lon = np.meshgrid(np.radians(latitude), np.radians(longitude), indexing="ij")
    spots = np.exp(-((lat - 0.5) ** 2 + (lon - 2) ** 2) * 4) - np.exp(-((lat + 0.5) ** 2 + (lon - 4) ** 2) * 4)
    return 270 + 30 * np.cos(lat) ** 2 + 20 * spots


def step(heat):
    """Spreads the heat by one step. Every process computes all rows, so that none needs those of others."""
    up, down = np.vstack([heat[:1], heat[:-1]]), np.vstack([heat[1:], heat[-1:]])
    return heat + 0.05 * (up + down + np.roll(heat, 1, 1) + np.roll(heat, -1, 1) - 4 * heat)


def main(iodef):
    latitude, longitude = -87.5 + 5 * np.arange(NJ), 2.5 + 5 * np.arange(NI)
    with epios.Session("diffusion", iodef=iodef) as session, session.client() as client:
        first, last = rows_of(client)
        context = client.context("atmosphere")
        context.define("domain", "globe", ni_glo=NI, nj_glo=NJ, jbegin=first, nj=last - first,
                       lonvalue_1d=longitude, latvalue_1d=latitude[first:last])
        context.close_definition()

        field = context.field("temperature")
        heat = initial(latitude, longitude)
        for number in range(1, DAYS * STEPS_PER_DAY + 1):
            heat = step(heat)
            context.update_calendar(number)
            field.send(heat[first:last])
        context.finalize()
        if client.rank == 0:
            for report in context.file_reports:
                print(report)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "diffusion.xml")
