"""The traffic model beside Nsight Compute's counters: benchmarks/traffic/run makes the files.

table.py COUNTERS MODEL: COUNTERS is what counters.sh wrote; MODEL has a file N-VARIANT-MASK for each launch, what
the checker said. Writes the table, and ends 1 where a figure is further from the counters than the bounds.
"""
import csv
import glob
import json
import os
import sys

BOUND = 0.05      # requests and sectors of global memory, of the counter
CONFLICTS = 0.01  # bank conflicts, of the requests

# The model's name, then the counter.
GLOBAL = [
    ("global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    ("global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    ("global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    ("global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
]


def shared_conflicts(counters, op):
    """Requests, and passes that conflicts of banks cost. The hardware's counter of conflicts has those passes too that
    arbitration costs: as many as its passes are more than those of the instructions alone (smsp__sass_..)."""
    part = f"pipe_lsu_mem_shared_op_{op}.sum"
    passes = f"data_pipe_lsu_wavefronts_mem_shared_op_{op}.sum"
    raw = counters.get(f"l1tex__data_bank_conflicts_{part}")
    more = counters.get(f"l1tex__{passes}", 0) - counters.get(f"smsp__sass_l1tex_{passes}", 0)
    return counters.get(f"smsp__inst_executed_op_shared_{op}.sum", 0), raw, raw if raw is None else raw - more


def counted(folder, n):
    """[(variant, mask, {counter: sum over its kernels})], in order."""
    with open(f"{folder}/{n}.kernels") as f:
        names = [line.split() for line in f if not line.startswith("==")]
    with open(f"{folder}/{n}.csv") as f:
        rows = list(csv.DictReader(line for line in f if line.startswith('"')))
    sections, seen = [], set()
    for row in rows:
        if row["Kernel Name"].startswith("mark_kernel"):
            if row["ID"] not in seen:
                sections.append({})
            seen.add(row["ID"])
            continue
        sums = sections[-1]
        value = float(row["Metric Value"].replace(",", "") or 0)
        sums[row["Metric Name"]] = sums.get(row["Metric Name"], 0) + value
    if len(names) != len(sections):
        sys.exit(f"table.py: {folder}: {len(names)} launches, counters of {len(sections)}")
    return [(v, int(m), s) for (v, m), s in zip(names, sections)]


def modelled(folder, n, variant, mask):
    sums = {}
    with open(f"{folder}/{n}-{variant}-{mask}") as f:
        for line in f:
            if not line.startswith("@K "):
                continue
            report = json.loads(line[3:])
            if report["kind"] == "end":
                continue
            if report["kind"] != "traffic":
                sys.exit(f"table.py: {n}-{variant}-{mask}: {report}")
            if report["kernel"] == "mark_kernel":
                continue
            for key, value in report.items():
                if isinstance(value, int):
                    sums[key] = sums.get(key, 0) + value
    return sums


def compare(model, counters):
    """Cells of a row, and what is out of bounds."""
    cells, out = [], []
    for name, counter in GLOBAL:
        real = counters.get(counter)
        if real is None:
            cells.append(f"{model[name]} / ?")
            continue
        off = (model[name] - real) / real if real else float(model[name] != 0)
        cells.append(f"{model[name]} / {real:.0f} ({off:+.2%})")
        if abs(off) > BOUND:
            out.append(name)
    for kind, op in (("load", "ld"), ("store", "st")):
        requests, conflicts = model[f"shared_{kind}_requests"], model[f"shared_{kind}_conflicts"]
        real_requests, raw, real = shared_conflicts(counters, op)
        if not requests and not real_requests:
            cells.append("")
            continue
        if real is None:
            cells.append(f"{conflicts} / ? of {requests}")
            continue
        cells.append(f"{conflicts} / {real:.0f} ({raw:.0f}) of {requests} / {real_requests:.0f}")
        if abs(conflicts - real) > CONFLICTS * max(real_requests, 1):
            out.append(f"shared_{kind}_conflicts")
    return cells, out


def main(counters, model):
    with open(f"{counters}/about") as f:
        about = "; ".join(line.strip() for line in f)
    sizes = sorted(int(os.path.basename(p)[:-4]) for p in glob.glob(f"{counters}/*.csv"))
    print("# The traffic model and Nsight Compute's counters\n")
    print(f"{about}.  \nCommand: `benchmarks/traffic/run`. Each cell: model / counter. Requests are a warp's "
          "instructions, sectors of 32 bytes at the first-level cache; conflicts of shared memory: extra passes, of "
          "requests; in brackets the hardware's counter, which has the passes that arbitration costs too. Bounds: 5% for "
          "requests and sectors, 1% of the requests for conflicts.\n")
    worst = []
    for n in sizes:
        print(f"## n = {n}, blocks of 256 threads where the variant has the choice\n")
        print("| variant | mask | load requests | load sectors | store requests | store sectors | conflicts of loads "
              "| of stores | |\n|---|---|---|---|---|---|---|---|---|")
        for variant, mask, sums in counted(counters, n):
            cells, out = compare(modelled(model, n, variant, mask), sums)
            worst += [f"{variant}, mask {mask}, n = {n}: {o}" for o in out]
            print(f"| {variant} | {mask} | {' | '.join(cells)} | {'out of bounds' if out else 'within'} |")
        print()
    print("Out of bounds: " + ("; ".join(worst) if worst else "none") + ".")
    return 1 if worst else 0


sys.exit(main(*sys.argv[1:]))
