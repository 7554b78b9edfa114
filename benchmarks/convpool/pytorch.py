#!/usr/bin/env python3
"""The same tables by PyTorch as it comes: avg_pool2d(conv2d(x, w)), captured into CUDA graphs whose
calls go round so many inputs that the L2 holds none. Writes pytorch.csv beside convpool.csv, a line
a row as it comes: key, microseconds (the median of 9 replays), calls in a graph.

usage: pytorch.py FOLDER [SECONDS]      no new row is begun after so many seconds"""
import sys
import time

if len(sys.argv) not in (2, 3) or sys.argv[1] in ("-h", "--help"):
    print(__doc__)
    sys.exit(0 if "-h" in sys.argv[1:] or "--help" in sys.argv[1:] else 2)
try:
    import torch
except ImportError:
    sys.exit("pytorch.py: no PyTorch here; its column stays empty")
import torch.nn.functional as F

COLD_BYTES = 240e6
PARTS = [("f16", "nchw"), ("f16", "nhwc"), ("f32", "nchw"), ("tf32", "nhwc"), ("tf32", "nchw")]


def measure(kind, layout, size, channels):
    """Seconds a call, and the calls in a graph."""
    torch.backends.cudnn.allow_tf32 = kind == "tf32"
    dtype = torch.float16 if kind == "f16" else torch.float32
    order = torch.channels_last if layout == "nhwc" else torch.contiguous_format

    def noise(*shape):
        return torch.randn(shape, device="cuda", dtype=dtype).to(memory_format=order)

    each = torch.finfo(dtype).bits // 8
    total = each * (64 * channels * size * size * 5 // 4 + 9 * channels * channels)
    slots = min(400, max(2, int(COLD_BYTES / total) + 1))
    x = [noise(64, channels, size, size) for _ in range(slots)]
    w = [noise(channels, channels, 3, 3) for _ in range(slots)]

    def call(i):
        return F.avg_pool2d(F.conv2d(x[i % slots], w[i % slots], padding=1), 2)

    call(0)
    torch.cuda.synchronize()
    begin = time.perf_counter()
    call(1)
    torch.cuda.synchronize()
    nodes = max(slots, 20) if time.perf_counter() - begin < 2e-3 else 4
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for i in range(nodes):
            call(i)
    samples = []
    for _ in range(10):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        samples.append(begin.elapsed_time(end) * 1e-3 / nodes)
    return sorted(samples[1:])[4], nodes


def main():
    """Rows until the time is over."""
    if not torch.cuda.is_available():
        sys.exit("pytorch.py: no GPU here; expected one")
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 1e9
    begin = time.perf_counter()
    with open(sys.argv[1] + "/pytorch.csv", "w", encoding="ascii") as out:
        print(f"# PyTorch {torch.__version__}, {torch.cuda.get_device_name()}", file=out)
        print("key,us,nodes", file=out)
        for kind, layout in PARTS:
            for size in (8, 16, 32, 64):
                for channels in (32, 64, 128, 256, 512):
                    if time.perf_counter() - begin > limit:
                        return
                    seconds, nodes = measure(kind, layout, size, channels)
                    key = f"{kind}-{layout}-{size}-{channels}"
                    print(f"{key},{seconds * 1e6:.3f},{nodes}", file=out, flush=True)
                    print(f"{key:28} pytorch {seconds * 1e6:12.2f} us", flush=True)


main()
