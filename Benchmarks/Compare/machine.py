"""The machine, and the versions of the compared programs."""
import os
import platform
import re
import shutil
import subprocess
import time


def first_line(*words):
    if not shutil.which(words[0]):
        return None
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr).strip().partition("\n")[0]


def model():
    with open("/proc/cpuinfo") as file:
        return next((line.split(": ")[1].strip() for line in file if line.startswith("model name")), platform.machine())


def system():
    with open("/etc/os-release") as file:
        return re.search(r'^PRETTY_NAME="(.*)"$', file.read(), re.MULTILINE)[1]


def memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def versions(reach):
    commands = {
        "reach": (reach, "--version"),
        "cc": ("cc", "-dumpfullversion"),
        "fping": ("fping", "--version"),
        "oping": ("oping", "-h"),
        "mtr": ("mtr", "--version"),
        "less": ("less", "--version"),
        "blackbox_exporter": ("prometheus-blackbox-exporter", "--version"),
        "Prometheus": ("prometheus", "--version"),
        "htop": ("htop", "--version"),
        "btop": ("btop", "--version"),
    }
    found = []
    for name, words in commands.items():
        line = first_line(*words)
        version = re.search(r"\d+(\.\d+)+", line or "")
        if line is not None:
            found.append(f"{name} {version[0]}" if version else name)
    return ", ".join(found) + f", Python {platform.python_version()}"


def describe(reach, runs, seconds):
    day = time.strftime("%Y-%m-%d", time.gmtime())
    return (
        f"{day}: {model()}, {os.cpu_count()} cores, {memory():.0f} GiB; {system()}, Linux {platform.release()}; "
        f"{versions(reach)}. {runs} {'run' if runs == 1 else 'runs'} in turn, {seconds:g} s each; "
        f"medians, with minimum and maximum in brackets. Load of the machine before the start: {os.getloadavg()[0]:.1f}."
    )
