"""Fourier transforms by NumPy's, which computes in double; windows and mel weights by their formulas."""
import numpy as np

from vectors import absent, number, real, w


def parts(z):
    return np.stack([z.real, z.imag], -1)


def dft():
    def one(shape, axis=-2, length=None, inverse=0, onesided=0, version=20):
        x = real(shape, -8, 8)
        z = x[..., 0] + (1j * x[..., 1] if shape[-1] == 2 else 0)
        along = axis % len(shape)
        n = length or (2 * (shape[along] - 1) if inverse and onesided else shape[along])
        if inverse and onesided:
            y = np.fft.irfft(z, n, axis=along)[..., np.newaxis]
        else:
            y = parts((np.fft.ifft if inverse else np.fft.fft)(z, n, axis=along))
            if onesided:
                y = np.take(y, range(n // 2 + 1), along)
        if version >= 20:
            operands = [x, number("i64", length) if length else absent(), number("i64", axis)]
            w.case("DFT", version, operands, [y], scale=16.0 * n, inverse=inverse, onesided=onesided)
        else:
            w.case("DFT", version, [x] + ([number("i32", length)] if length else []), [y], scale=16.0 * n, inverse=inverse, onesided=onesided, axis=axis)

    for n in (1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 30, 64):
        for inverse in (0, 1):
            one((2, n, 2), inverse=inverse)
        one((2, n, 1))
        one((1, n, 1), onesided=1)
        if n > 1:
            one((1, n, 2), inverse=1, onesided=1)
    for axis in (0, 1, 2, -4):
        one((3, 4, 5, 2), axis)
        one((3, 4, 5, 1), axis, inverse=1)
    for length in (3, 8, 11):
        one((2, 6, 2), length=length)
        one((2, 6, 2), length=length, inverse=1, onesided=1)
        one((2, 6, 1), length=length, onesided=1, version=17, axis=1)


def stft():
    def one(samples, step, length, window, complex_in=0, onesided=1):
        x = real((2, samples, 2 if complex_in else 1), -8, 8)
        z = x[..., 0] + (1j * x[..., 1] if complex_in else 0)
        shape = real((length,), 0, 1)
        frames = [np.fft.fft(z[:, i:i + length] * (shape if window else 1)) for i in range(0, samples - length + 1, step)]
        y = parts(np.stack(frames, 1))
        y = y[:, :, :length // 2 + 1] if onesided else y
        operands = [x, number("i64", step)] + ([shape] if window else [absent(), number("i64", length)])
        w.case("STFT", 17, operands, [y], scale=16.0 * length, onesided=onesided)

    for window in (True, False):
        one(20, 3, 8, window)
        one(23, 5, 7, window, onesided=0)
        one(16, 4, 6, window, complex_in=1, onesided=0)


def windows():
    def case(op, formula):
        for size in (2, 5, 10):
            for periodic in (0, 1):
                x = 2 * np.pi * np.arange(size) / (size if periodic else size - 1)
                for dtype, code in (("f32", 1), ("f64", 11)):
                    w.case(op, 17, [number("i32", size)], [number(dtype, formula(x))], scale=1.0, periodic=periodic, output_datatype=code)

    case("HannWindow", lambda x: np.sin(x / 2) ** 2)
    case("HammingWindow", lambda x: 25 / 46 - 21 / 46 * np.cos(x))
    case("BlackmanWindow", lambda x: 0.42 - 0.5 * np.cos(x) + 0.08 * np.cos(2 * x))


def mel():
    def one(bins, length, rate, low, high):
        mel_of = lambda f: 2595 * np.log10(1 + f / 700)
        edges = np.arange(bins + 2) * (mel_of(high) - mel_of(low)) / (bins + 2) + mel_of(low)
        edges = ((length + 1) * 700 * (10 ** (edges / 2595) - 1) // rate).astype(int)
        y = np.zeros((length // 2 + 1, bins))
        for b in range(bins):
            left, centre, right = edges[b:b + 3]
            for i in range(len(y)):
                if left <= i <= centre:
                    y[i, b] = (i - left) / (centre - left) if centre > left else 1
                if centre <= i < right:
                    y[i, b] = (right - i) / (right - centre)
        scalars = [number("i64", v) for v in (bins, length, rate)] + [number("f32", v) for v in (low, high)]
        w.case("MelWeightMatrix", 17, scalars, [number("f32", y)], scale=1.0)

    one(8, 16, 8192, 0.0, 4096.0)
    one(5, 64, 16000, 125.0, 7600.0)


def grids():
    """AffineGrid, and CenterCropPad by slicing."""
    for corners in (0, 1):
        for size in ((2, 3, 4, 5), (1, 1, 2, 3, 4)):
            axes = len(size) - 2
            theta = real((size[0], axes, axes + 1), -2, 2)
            steps = [np.linspace(-1, 1, n) if corners else (2 * np.arange(n) + 1) / n - 1 for n in size[2:]]
            places = np.stack([*np.meshgrid(*steps, indexing="ij")[::-1], np.ones(size[2:])], -1)
            y = np.einsum("...k,nrk->n...r", places, theta)
            w.case("AffineGrid", 20, [theta, number("i64", size)], [y], scale=8.0, align_corners=corners)
    x = real((5, 4, 3), -8, 8)
    w.case("CenterCropPad", 18, [x, number("i64", [2, 4, 6])], [np.pad(x[1:3], [(0, 0), (0, 0), (1, 2)])])
    w.case("CenterCropPad", 18, [x, number("i64", [7, 1])], [np.pad(x[:, :, 1:2], [(0, 0), (1, 2), (0, 0)])], axes=[-2, 2])
