"""An emulator: it learns from the days that diffusion.py wrote, and forecasts the days behind them.

It reads records of a file through the servers as its forcing, fits one number (how fast anomalies fade), and writes its
forecasts. The grid comes from the file, by way of xarray.

    mpiexec -n 1 python3 emulator.py : -n 1 epios_server
"""
import sys

import numpy as np
import xarray

import epios

LEARN, FORECAST = 20, 10  # days


def main(iodef):
    grid = xarray.open_dataset("diffusion_daily.nc", decode_times=False)[["temperature"]]
    with epios.Session("emulator", iodef=iodef) as session, session.client() as client:
        context = client.context("emulator")
        epios.define_template(context, grid)
        context.close_definition()

        days = [np.empty(grid["temperature"].shape[1:]) for _ in range(LEARN)]
        for day in range(LEARN):
            context.update_calendar(day)
            context.receive("observed", days[day])
        mean = days[-1].mean()
        before = np.concatenate([(day - mean).ravel() for day in days[:-1]])
        after = np.concatenate([(day - mean).ravel() for day in days[1:]])
        fading = before @ after / (before @ before)

        anomaly = days[-1] - mean
        for day in range(LEARN, LEARN + FORECAST):
            context.update_calendar(day)
            anomaly = fading * anomaly
            context.send("temperature", mean + anomaly)
        context.finalize()
        print(f"anomalies fade by {100 * (1 - fading):.2f} % a day;", context.file_reports[0])


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "emulator.xml")
