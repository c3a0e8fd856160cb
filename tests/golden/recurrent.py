"""LSTM, GRU and RNN: one sequence and one step at a time, straight from the formulas of the ONNX specification."""
import numpy as np

from vectors import absent, number, real, w


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


FUNCTIONS = {
    "Relu": lambda x, a, b: np.maximum(x, 0), "Tanh": lambda x, a, b: np.tanh(x), "Sigmoid": lambda x, a, b: sigmoid(x),
    "Affine": lambda x, a, b: a * x + b, "LeakyRelu": lambda x, a, b: np.where(x >= 0, x, a * x),
    "ThresholdedRelu": lambda x, a, b: np.where(x >= a, x, 0), "ScaledTanh": lambda x, a, b: a * np.tanh(b * x),
    "HardSigmoid": lambda x, a, b: np.clip(a * x + b, 0, 1), "Elu": lambda x, a, b: np.where(x >= 0, x, a * np.expm1(x)),
    "Softsign": lambda x, a, b: x / (1 + np.abs(x)), "Softplus": lambda x, a, b: np.log(1 + np.exp(x)),
}
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
DEFAULTS = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}


def lstm(x, h, c, W, R, Wb, Rb, P, f, clip, coupled):
    split = lambda m: np.split(m, 4)
    (Wi, Wo, Wf, Wc), (Ri, Ro, Rf, Rc), (wi, wo, wf, wc), (ri, ro, rf, rc) = split(W), split(R), split(Wb), split(Rb)
    Pi, Po, Pf = np.split(P, 3)
    i = f[0](clip(Wi @ x + Ri @ h + Pi * c + wi + ri))
    forget = 1 - i if coupled else f[0](clip(Wf @ x + Rf @ h + Pf * c + wf + rf))
    c = forget * c + i * f[1](clip(Wc @ x + Rc @ h + wc + rc))
    return f[0](clip(Wo @ x + Ro @ h + Po * c + wo + ro)) * f[2](c), c


def gru(x, h, W, R, Wb, Rb, f, clip, linear):
    split = lambda m: np.split(m, 3)
    (Wz, Wr, Wh), (Rz, Rr, Rh), (wz, wr, wh), (rz, rr, rh) = split(W), split(R), split(Wb), split(Rb)
    z, r = f[0](clip(Wz @ x + Rz @ h + wz + rz)), f[0](clip(Wr @ x + Rr @ h + wr + rr))
    hidden = Wh @ x + r * (Rh @ h + rh) + wh if linear else Wh @ x + Rh @ (r * h) + rh + wh
    return (1 - z) * f[1](clip(hidden)) + z * h


def case(op, direction="forward", steps=3, batch=2, inputs=3, hidden=2, layout=0, bias=True, lengths=None, states=False,
         peepholes=False, activations=None, alpha=None, beta=None, clip=None, version=14, **attrs):
    gates, directions = GATES[op], 2 if direction == "bidirectional" else 1
    X = real((steps, batch, inputs), -2, 2)
    W, R = real((directions, gates * hidden, inputs), -1, 1), real((directions, gates * hidden, hidden), -1, 1)
    B = real((directions, 2 * gates * hidden), -1, 1) if bias else np.zeros((directions, 2 * gates * hidden))
    H, C = [real((directions, batch, hidden), -1, 1) if states else np.zeros((directions, batch, hidden)) for _ in "hc"]
    H0, C0 = H, C
    P = real((directions, 3 * hidden), -1, 1) if peepholes else np.zeros((directions, 3 * hidden))
    Y, Yh, Yc = np.zeros((steps, directions, batch, hidden)), H.copy(), C.copy()
    clipped = (lambda v: np.clip(v, -clip, clip)) if clip else (lambda v: v)
    names = activations or DEFAULTS[op] * directions
    count = len(DEFAULTS[op])
    for d in range(directions):
        f = [(lambda g, a, b: lambda v: g(v, a, b))(FUNCTIONS[names[d * count + i]], alpha and alpha[d * count + i],
                                                     beta and beta[d * count + i]) for i in range(count)]
        Wb, Rb = np.split(B[d], 2)
        for b in range(batch):
            times = list(range(steps if lengths is None else lengths[b]))
            h, c = H[d, b], C[d, b]
            for t in reversed(times) if direction == "reverse" or d == 1 else times:
                if op == "LSTM":
                    h, c = lstm(X[t, b], h, c, W[d], R[d], Wb, Rb, P[d], f, clipped, attrs.get("input_forget"))
                elif op == "GRU":
                    h = gru(X[t, b], h, W[d], R[d], Wb, Rb, f, clipped, attrs.get("linear_before_reset"))
                else:
                    h = f[0](clipped(W[d] @ X[t, b] + R[d] @ h + Wb + Rb))
                Y[t, d, b] = h
            Yh[d, b], Yc[d, b] = h, c
    turned = (lambda v: np.moveaxis(v, -2, 0)) if layout else (lambda v: v)
    operands = [np.swapaxes(X, 0, 1) if layout else X, W, R, B if bias else absent(),
                absent() if lengths is None else number("i32", lengths), turned(H0) if states else absent()]
    results = [turned(Y), turned(Yh)]
    if op == "LSTM":
        operands += [turned(C0) if states else absent(), P if peepholes else absent()]
        results.append(turned(Yc))
    while isinstance(operands[-1], absent):
        operands.pop()
    listed = {"activations": activations, "activation_alpha": alpha, "activation_beta": beta, "clip": clip}
    if layout:
        listed["layout"] = 1
    # A dozen roundings per step, of sums of about 10, over few steps.
    w.case(op, version, operands, results, scale=1000.0, hidden_size=hidden, direction=direction,
           **{name: v for name, v in listed.items() if v is not None}, **attrs)


def recurrent():
    for op in GATES:
        for direction in ("forward", "reverse", "bidirectional"):
            case(op, direction)
            case(op, direction, layout=1, lengths=[2, 3], states=True, peepholes=op == "LSTM")
        case(op, bias=False, version=7)
        case(op, steps=1, batch=1, inputs=1, hidden=1)
        case(op, steps=9, batch=1)
        case(op, lengths=[0, 2], states=True)
        case(op, clip=0.5)
        for function in FUNCTIONS:
            count = len(DEFAULTS[op])
            case(op, "bidirectional", steps=2, activations=[function] * 2 * count,
                 alpha=[0.25] * 2 * count, beta=[0.5] * 2 * count)
    case("LSTM", input_forget=1, peepholes=True)
    case("GRU", linear_before_reset=1, states=True)
    case("GRU", linear_before_reset=1, bias=False)
