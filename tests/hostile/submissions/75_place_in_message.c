/* family 75: has the assembler say where the project lies, and on which machine
 * task right
 * grade: build; points <= 0; reason: no such instruction
 * without places: build; points <= 0; effect: places */
__asm__("bogus instruction");
