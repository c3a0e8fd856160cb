"""Writes the inputs of a case as DIRECTORY/NAME.npy and prints the options that give them to `daybreak run`, one word a line.
Usage: write_inputs.py CASE DIRECTORY"""
import pathlib
import sys

import numpy as np
from cases import CASES, file_name


def main(case, directory):
    place = pathlib.Path(directory)
    place.mkdir(parents=True, exist_ok=True)
    for name, array in CASES[case][1]().items():
        path = place / f"{file_name(name)}.npy"
        np.save(path, array)
        print(f"--input\n{name}={path}")


main(*sys.argv[1:])
