"""A program on a pseudoterminal."""
import fcntl
import os
import select
import signal
import struct
import termios
import threading
import time

from process import Process


class Terminal(Process):
    def __init__(self, words, columns=200, rows=50, settings=None):
        self.words, self.output, self.errors = words, None, None
        self.pieces = []  # (time, bytes)
        self.keep, self.bytes, self.status = True, 0, None
        read_end, write_end = os.pipe()
        self.pid, self.descriptor = os.forkpty()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            added = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **(settings or {})}
            removed = ("TMUX", "LINES", "COLUMNS", "LESS")
            environment = {key: value for key, value in os.environ.items() if key not in removed}
            # The last step before exec. All processes share this clock.
            os.write(write_end, struct.pack("d", time.monotonic()))
            try:
                os.execvpe(words[0], words, {**environment, **added})
            finally:
                os._exit(127)
        os.close(write_end)
        self.start = struct.unpack("d", os.read(read_end, 8))[0]
        os.close(read_end)

    def read(self, timeout):
        """Returns the next piece of output as (time, bytes), or None after the timeout."""
        if not select.select([self.descriptor], [], [], max(0, timeout))[0]:
            return None
        try:
            piece = os.read(self.descriptor, 1 << 16)
        except OSError:
            return None  # the program has ended
        piece = (time.monotonic(), piece)
        self.bytes += len(piece[1])
        if self.keep:
            self.pieces.append(piece)
        return piece

    def wait_for(self, pattern, timeout):
        """Returns the time at which new output matches a regular expression of bytes, or None after the timeout."""
        seen, end = b"", time.monotonic() + timeout
        while time.monotonic() < end:
            piece = self.read(end - time.monotonic())
            if piece is None:
                break
            seen += piece[1]
            if pattern.search(seen):
                return piece[0]
        return None

    def pause(self, seconds):
        """Reads output for a time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.read(left)

    def press(self, key):
        os.write(self.descriptor, key)
        return time.monotonic()

    def discard_output(self):
        """Starts a thread that reads and discards all output."""
        self.keep = False

        def read():
            while self.status is None:
                self.read(0.5)

        threading.Thread(target=read, daemon=True).start()
        return self

    def is_running(self):
        if self.status is None:
            child, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if child else None
        return self.status is None

    def end(self, how=signal.SIGINT, timeout=1.0):
        for signal_number in (how, signal.SIGTERM, signal.SIGKILL):
            if not self.is_running():
                break
            os.kill(self.pid, signal_number)
            end = time.monotonic() + timeout
            while self.is_running() and time.monotonic() < end:
                self.read(0.02)
        os.close(self.descriptor)
        return self.status
