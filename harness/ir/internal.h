/* What the files of this room share. */
#ifndef HPC_HARNESS_IR_INTERNAL_H
#define HPC_HARNESS_IR_INTERNAL_H

#include <string.h>

#include "harness/ir/ir.h"

/* A piece of the text: from begin to before end. */
struct part {
    const char *begin, *end;
};
static inline int part_length(struct part p)
{
    return (int)(p.end - p.begin);
}
static inline bool part_begins(struct part p, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(p.end - p.begin) >= n && strncmp(p.begin, word, n) == 0;
}
/* Without blanks around it. */
struct part part_trimmed(struct part p);
/* The next of a list parted by commas, and p behind it. */
struct part part_next(struct part *p);
/* Behind what begins at p: a quoted name, what a bracket closes, or one character. */
const char *behind_one(const char *p, const char *end);

/* The type that a piece begins with: "<8 x float>*", "i32 (i8*)*", "ptr addrspace(1)"; and the
 * value behind it and its attributes, "noundef byval(%struct.s) align 8 @state". */
struct part type_of(struct part p);
struct part value_of(struct part p);
bool is_pointer(struct part type);
/* How many lanes a vector has, and their type; 0 for another type. */
int lanes_of(struct part type, struct part *lane);
/* The bytes that a value takes in memory, without what only fills it up; 0 where the language alone
 * can say that. */
int bytes_of(struct part type);

#endif
