"""In each lab.ini named, points for speed go to those for right results, and nothing is timed."""
import re
import sys


def task(part):
    speed = re.search(r"^points_speed = (\d+)\n", part, re.M)
    if not speed:
        return part
    part = re.sub(r"^(points_speed|speed_case|baseline_case|target\w*) = .*\n", "", part, flags=re.M)
    return re.sub(r"^points_correct = (\d+)", lambda m: "points_correct = %d" % (int(m[1]) + int(speed[1])),
                  part, flags=re.M)


for name in sys.argv[1:]:
    text = "".join(map(task, re.split(r"^(?=\[)", open(name).read(), flags=re.M)))
    with open(name, "w") as file:
        file.write(text)
