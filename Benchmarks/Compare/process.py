"""A program that is measured: what it costs, and how it is ended."""
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
        """Processor time so far, user and system, of all its threads and of the children it has waited for."""
        # The clock of another process (clock_getcpuclockid): nanoseconds, where /proc/PID/stat counts in hundredths.
        own = time.clock_gettime((~self.pid << 3) | 2)
        with open(f"/proc/{self.pid}/stat") as file:
            children = file.read().rsplit(")", 1)[1].split()[13:15]
        return own + sum(map(int, children)) / os.sysconf("SC_CLK_TCK")

    def memory(self, what="VmHWM"):
        """The most memory it has had so far, or what it has (VmRSS), in bytes."""
        with open(f"/proc/{self.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(what + ":"))

    def last_words(self):
        """The last line of what it wrote to standard error."""
        if not self.errors:
            return ""
        with open(self.errors, errors="replace") as file:
            return (file.read().strip().splitlines() or [""])[-1][:200]

    def is_running(self):
        return self.child.poll() is None

    def end(self, how=signal.SIGINT, patience=5.0):
        """Asks it to end, and makes it end when it does not."""
        if self.is_running():
            self.child.send_signal(how)
            try:
                self.child.wait(patience)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()
        return self.child.returncode
