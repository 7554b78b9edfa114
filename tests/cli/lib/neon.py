"""Which functions of arm_neon.h load or store unseen by gcc's sanitizer of threads: each is compiled in
a function of its own, and "unseen NAME" or "told NAME" is printed. neon.py COMPILER"""
import re
import subprocess
import sys

MARCH = "-march=armv8.6-a+fp16+bf16"


def gcc(text, *options):
    return subprocess.run([sys.argv[1], MARCH, *options, "-xc", "-", "-o", "-"], input=text,
                          capture_output=True, text=True, check=True).stdout


def wrapper(result, name, parameters):
    """A lane's number must be a constant: the last parameter, where it is an int."""
    given, declared = [], []
    for i, parameter in enumerate(parameters.split(",")):
        kind = re.sub(r"\w+$", "", parameter.strip())
        constant = "*" not in kind and re.match(r"(const )?int\b", kind)
        given.append("0" if constant else "a%d" % i)
        if not constant:
            declared.append("%s a%d" % (kind, i))
    return "%s f_%s(%s) { %s %s(%s); }\n" % (result, name, ", ".join(declared),
                                           "return" * (result != "void"), name, ", ".join(given))


header = gcc("#include <arm_neon.h>\n", "-E", "-P")
functions = re.findall(r"extern __inline (\w+)\s*__attribute__ ?\(\([^\n]*\)\)\s*(v(?:ld|st)\w+) ?"
                       r"\(([^()]*\*[^()]*)\)\s*\{", header)
source = "#include <arm_neon.h>\n" + "".join(wrapper(*f) for f in functions)
name, told = None, {}
for line in gcc(source, "-O1", "-fsanitize=thread", "-S").splitlines():
    begins = re.match(r"f_(\w+):", line)
    if begins:
        name = begins[1]
        told[name] = False
    if name and re.search(r"\t__tsan_(unaligned_)?(read|write)", line):
        told[name] = True
for name, is_told in sorted(told.items()):
    print("told" if is_told else "unseen", name)
