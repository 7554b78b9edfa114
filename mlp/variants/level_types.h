/* Part of levels.h: BODY for both types of one level. */
#define REAL double
#define F64  1
#include BODY
#undef REAL
#undef F64
#define REAL float
#define F64  0
#include BODY
#undef REAL
#undef F64
#undef LEVEL
#undef TARGET
#undef VECTOR_BYTES
