"""Writes cases of composite ops to the file given; composites.py tells what those are."""
import sys

import numpy as np

import composites
from vectors import w

np.seterr(all="ignore")
composites.gelus()
composites.trilu()
composites.scatter()
composites.fused_gemm()
composites.fused_conv()
composites.embed_layer_normalization()
composites.attention()
w.save(sys.argv[1])
