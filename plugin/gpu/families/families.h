// The families of GPU code, one file each; plugin/gpu/family.cpp finds them by name.
#pragma once

#include "plugin/gpu/family.h"

namespace dbk::gpu {

extern const Family kUnary;
extern const Family kBinary;
extern const Family kElementwise;
extern const Family kPredicate;
extern const Family kCompare;
extern const Family kClip;
extern const Family kWhere;
extern const Family kCast;
extern const Family kQuantize;
extern const Family kDequantize;
extern const Family kDynamicQuantize;
extern const Family kIntegerMatmul;
extern const Family kBlockMatmul;
extern const Family kReduce;
extern const Family kGlobalPool;
extern const Family kSoftmax;
extern const Family kLayerNormalization;
extern const Family kAttention;
extern const Family kRotary;
extern const Family kTransposedMatmul;
extern const Family kRotaryEmbedding;
extern const Family kTensorScatter;
extern const Family kMatmul;
extern const Family kGemm;
extern const Family kConv;
extern const Family kConvTranspose;
extern const Family kGroupNormalization;
extern const Family kLpNormalization;
extern const Family kLrn;
extern const Family kPool;
extern const Family kBatchNormalization;
extern const Family kResize;
extern const Family kGridSample;
extern const Family kRoiAlign;
extern const Family kReverseSequence;
extern const Family kDft;
extern const Family kTranspose;
extern const Family kSlice;
extern const Family kConcat;
extern const Family kGather;
extern const Family kGatherND;
extern const Family kGatherElements;
extern const Family kScatter;
extern const Family kArg;
extern const Family kEyeLike;
extern const Family kOneHot;
extern const Family kTopK;
extern const Family kCumSum;
extern const Family kTrilu;
extern const Family kRearrange;
extern const Family kCastLike;
extern const Family kRepeat;
extern const Family kSplit;
extern const Family kPad;
extern const Family kFill;
extern const Family kRange;
extern const Family kExtents;
extern const Family kView;
extern const Family kConstant;

}  // namespace dbk::gpu
