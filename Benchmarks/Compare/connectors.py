"""Contenders that connect by TCP: a Python asyncio script, and nc with a process for each probe."""
import os
import sys
from dataclasses import dataclass

import network
from contender import Contender, found
from servers import PORTS

HERE = os.path.dirname(os.path.abspath(__file__))


@dataclass
class Asyncio(Contender):
    """A simple script with a task for each target."""

    def start(self):
        self.run([sys.executable, os.path.join(HERE, "connect.py"), str(self.task.targets), str(PORTS["tcp"])])


@dataclass
class Netcat(Contender):
    def is_available(self):
        return found("nc")

    def start(self):
        # Includes the shell loop that starts nc, since every use of nc needs one.
        loop = 'while :; do for host in $(cat "$1"); do nc -z -w1 "$host" "$2"; done; done'
        path = self.setup.path("hosts")
        with open(path, "w") as file:
            file.writelines(network.address(number) + "\n" for number in range(self.task.targets))
        self.run(["/bin/sh", "-c", loop, "sh", path, str(PORTS["tcp"])], start_new_session=True)

    def end(self):
        os.killpg(self.processes[0].pid, 15)
        super().end()
