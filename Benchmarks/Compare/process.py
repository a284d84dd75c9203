"""A measured program: its cost, and how to end it."""
import os
import signal
import subprocess
import time


class Process:
    def __init__(self, words, output=None, errors=None, **options):
        self.words = words
        self.output, self.errors = output, errors
        self.start = time.monotonic()
        with open(output or os.devnull, "wb") as out, open(errors or os.devnull, "wb") as err:
            self.child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=err, **options)
        self.pid = self.child.pid

    def seconds(self):
        """Returns the processor time, user and system, of all its threads and of the children it has waited for."""
        # The clock of another process (clock_getcpuclockid) has nanoseconds; /proc/PID/stat has hundredths of a second.
        own = time.clock_gettime((~self.pid << 3) | 2)
        with open(f"/proc/{self.pid}/stat") as file:
            children = file.read().rsplit(")", 1)[1].split()[13:15]
        return own + sum(map(int, children)) / os.sysconf("SC_CLK_TCK")

    def memory(self, field="VmHWM"):
        """Returns its peak memory, or its current memory (VmRSS), in bytes."""
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(field + ":"))

    def last_error(self):
        """Returns the last line of its standard error."""
        if not self.errors:
            return ""
        with open(self.errors, errors="replace") as file:
            return (file.read().strip().splitlines() or [""])[-1][:200]

    def is_running(self):
        return self.child.poll() is None

    def end(self, how=signal.SIGINT, timeout=5.0):
        """Sends a signal, and kills the process after a timeout."""
        if self.is_running():
            self.child.send_signal(how)
            try:
                self.child.wait(timeout)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        return self.child.returncode
