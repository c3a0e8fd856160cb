"""Writes small cases of every op to the file given, their results computed with NumPy in double precision from formulas
written here, independently of host_fallback/. The build makes the file and tests/host_ops reads it; vectors.py has the
format and what the formulas are written in.

Inputs of type `real` are multiples of 1/16 below 8, which f64, f32, f16 and bf16 all hold exactly, so one case tests
all four. Adding an op: one formula, and a call that names the shapes worth testing.
"""
import sys

import numpy as np

import attention
import conversions
import elementwise
import features
import movement
import products
import quantization
import recurrent
import reductions
import sampling
import spatial
import selection
import signal_ops
from vectors import w

np.seterr(all="ignore")
elementwise.unary()
elementwise.binary()
elementwise.clip()
elementwise.compare()
elementwise.predicates()
conversions.where()
conversions.cast()
reductions.reductions()
reductions.softmax()
reductions.layer_normalization()
products.matmul()
products.gemm()
products.transposed_matmul()
products.inverse()
movement.transpose()
movement.gather()
movement.concat()
movement.slices()
movement.views()
spatial.conv()
spatial.pools()
spatial.global_pools()
spatial.batch_normalization()
attention.windowed()
attention.rotary()
attention.onnx()
attention.multi_head()
attention.packed()
attention.rotary_embedding()
attention.rotary_heads()
attention.group_query()
reductions.simplified_normalizations()
reductions.skip_normalizations()
movement.gather_nd()
movement.split()
movement.pad()
movement.expand()
movement.made_from_shapes()
movement.tensor_scatter()
spatial.conv_transpose()
spatial.group_normalization()
spatial.other_normalizations()
recurrent.recurrent()
selection.non_zero()
selection.compress()
selection.unique()
selection.suppression()
movement.tile()
movement.gather_elements()
movement.scatter()
movement.triangles()
movement.space_and_depth()
movement.one_hot()
conversions.cast_like()
reductions.log_softmax()
reductions.hardmax()
reductions.arg()
reductions.cum_sum()
reductions.top_k()
products.einsum()
conversions.cast_small()
quantization.quantize()
quantization.dequantize()
quantization.dynamic()
quantization.products()
quantization.qlinear_products()
quantization.convolutions()
sampling.resize()
sampling.grid_sample()
sampling.roi_align()
sampling.pooled_regions()
sampling.unpool()
sampling.col2im()
sampling.reverse_sequence()
sampling.deform_conv()
sampling.det()
signal_ops.dft()
signal_ops.stft()
signal_ops.windows()
signal_ops.mel()
signal_ops.grids()
features.tfidf()
features.encoders()
features.trees()
features.training()
features.dropout()
features.certain_draws()
products.split_matmul()
products.permuted_matmul()
w.save(sys.argv[1])
