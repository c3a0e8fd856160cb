"""Progress on stderr, as the `daybreak` command shows it: a bar that is rewritten on a terminal, a plain line now and
then elsewhere, nothing for work under a second."""
import sys
import time

PATIENCE, TERMINAL_INTERVAL, LINE_INTERVAL = 1, 0.1, 5  # seconds
WIDTH = 30


class ProgressBar:
    def __init__(self, label):
        self.label = label
        self.start = time.monotonic()
        self.next = self.start + PATIENCE
        self.terminal = sys.stderr.isatty()
        self.drawn = False

    def show(self, done, total):
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (TERMINAL_INTERVAL if self.terminal else LINE_INTERVAL)
        part = min(1, done / total)
        filled = int(part * WIDTH)
        text = (f"{self.label}: [{'#' * filled}{'.' * (WIDTH - filled)}] {part * 100:3.0f}% "
                f"{done / 1e6:.0f} of {total / 1e6:.0f} MB {now - self.start:.0f} s")
        print(f"\r\033[K{text}" if self.terminal else text, end="" if self.terminal else "\n", file=sys.stderr, flush=True)
        self.drawn = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.drawn and self.terminal:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
