/* Undoes what simd_math.h defined, for the next level or type. */
#undef LANES
#undef NET
#undef LAYER
#undef PASS
#undef PICK
#undef PICK_ALL
#undef VEC
#undef VEC_BYTES
#undef MASK
#undef EXP_LIMIT
#undef STEPS
#undef EXP_BITS
