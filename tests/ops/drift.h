// How far roundings of intermediates move a result, in units of the largest relative error of one rounding, for ops
// where they are many or amplified. Everything else has its error in the row of kernels/ops.inc.
//
// A sum. The roundings of a chain of n additions are as good as independent, so together they grow with the root of n
// (Higham and Mary, 2019). Each is at most u times a partial sum, and partial sums of terms in no order are about as
// large as the result or as the root of the sum of squared terms, whichever is larger:
//   drift = 3 sqrt(n) max(|y|, sqrt(sum of term^2)).
// For n up to 8 that covers the worst case; beyond it, no error of millions of random sums came to 85 % of it. The worst
// case for all n, n sum |term|, would hide a lost term. n is what the kernel makes of a length: the length itself
// in matrix products; at most 64 + 2 sqrt(length) in the blocks of kernels/_block.wgsl. The CPU's reductions add in
// double: no drift.
//
// MatMulNBits: a sum whose terms have two roundings more. MatMulIntegerToFloat: three roundings before the bias.
//
// A root or a logarithm of a sum moves by the sum's drift times its derivative. A product of n factors has n roundings, each
// relative to the result: drift = 3 sqrt(n) |y|. HardSigmoid and Range round a product before an addition that may cancel.
//
// A product whose operands are rounded to f16 first. Each term moves by at most 2^-10 of itself, all of them independently: together by no
// more than 3 2^-10 sqrt(sum of term^2), which covers the worst case for n up to 9. What f16 cannot hold beside the largest element of a row
// or column is under 2^-29 of that.
//
// Softmax. Rounding x - max moves its exponential by |x - max| as much, and -log(y) is at least that. The sum of
// exponentials, on a GPU, is a sum as above.
//
// LayerNormalization and its kin, attention, and sampling between elements have files of their own.
//
// Pooling on a GPU. The sum of a window is a chain over the taps inside the input; a root halves its relative error. For powers over 2
// the row's 3.5 are joined by 10: a division and at most one rounding a factor in each power, as much again after the root, Pow's 9
// and a product.
//
// Mean of more than two on a GPU: a chain of sums and a product with the share, which is relative to the root of the squared terms.
//
// MeanVarianceNormalization is LayerNormalization without scale.
//
// BatchNormalization. y = t + bias with t = (x - mean) * slope: the row counts the addition, the steps before it are
// relative to |t|. On the CPU two subtractions, the slope's rounding and the product; on a GPU a subtraction, half of
// variance + epsilon, root, division and product.
//
// Instance- and GroupNormalization are LayerNormalization with other rows. LpNormalization: half the drift of a sum of
// squares, or all of that of absolute values. LRN on a GPU: the steps and the chain of the base, times the exponent.
//
// Rotary: two products, each rounded relative to itself, before an addition that may cancel.
//
// Recurrent ops, on the CPU. A step adds d = the chain of its products, times the root of their squared terms, and 8 for its
// functions, times the cell state that a gate's error is multiplied with; it passes on at most the error that it got, since
// derivatives of gates are at most 1 and rows of the weights of the state add up to less than 1 in the tests. After T steps: T d
// (1 + largest state).
#pragma once

#include "tests/ops/oracle.h"

namespace ops {

// `expected` has all outputs.
void add_drift(const dbk::OpRow& row, const OpCase& test, std::span<const dbk::HostTensor> inputs, Kind kind,
               std::vector<Expected>& expected);

// Of an f32 product.
void add_operand_rounding(const dbk::OpRow& row, const OpCase& test, std::span<const dbk::HostTensor> inputs, std::vector<Expected>& expected);

}  // namespace ops
