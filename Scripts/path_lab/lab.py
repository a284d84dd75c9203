"""A network that is up."""

import contextlib
import itertools
import os
import socket
import threading

from .constants import SETTINGS, TARGET, TARGET_ADDRESS, TCP_PORT, UDP_PORT
from .model import Network, describe
from .namespaces import inside, remove, run


class Lab:
    """A network of namespaces of this process."""

    numbers = itertools.count(1)

    def __init__(self, network):
        """Takes a network, or the name of a registered one."""
        self.network = network if isinstance(network, Network) else describe(network)
        # The number keeps several labs of one network apart.
        self.prefix = f"path-{os.getpid()}-{self.network.name}-{next(self.numbers)}-"
        self.ended = threading.Event()
        self.threads, self.sockets = [], []
        # Counts of the services of networks.
        self.forged = self.questions = 0

    def namespace(self, node):
        return self.prefix + node

    def inside(self, node):
        return inside(self.namespace(node))

    def commands(self, node, commands):
        """Runs `ip` commands in a namespace. The family of a route follows from its prefix, of a rule from "-6"."""
        last = [command.removeprefix("-6 ") for command in commands if command.startswith("-6 ")]
        first = [command for command in commands if not command.startswith("-6 ")]
        with self.inside(node):
            for family, lines in (([], first), (["-6"], last)):
                if lines:
                    run("ip", *family, "-batch", "-", text="\n".join(lines) + "\n")

    def create(self):
        net = self.network
        run("ip", "-batch", "-", text="".join(f"netns add {self.namespace(node)}\n" for node in net.nodes))
        for node, description in net.nodes.items():
            with self.inside(node):
                for setting, value in {**SETTINGS, **description.settings}.items():
                    with open(f"/proc/sys/net/{setting}", "w") as file:
                        file.write(str(value))
        run("ip", "-batch", "-", text="".join(
            f"link add to-{link.far} netns {self.namespace(link.near)} mtu {link.mtu} type veth "
            f"peer name to-{link.near} netns {self.namespace(link.far)} mtu {link.mtu}\n" for link in net.links
        ))
        for node, description in net.nodes.items():
            self.commands(node, [*self.addresses(node), *description.commands])
            if description.rules:
                with self.inside(node):
                    run("nft", "-f", "-", text=ruleset(description.rules))
        for node in net.servers:
            self.serve(node)
        if net.service:
            self.start(net.service, self)

    def addresses(self, node):
        """Returns the commands that switch on the interfaces of a node and set its addresses."""
        commands = ["link set lo up"]
        own = [*self.network.nodes[node].addresses, *(TARGET_ADDRESS if node == TARGET else ())]
        commands += [f"address add {address} dev lo{' nodad' if ':' in address else ''}" for address in own]
        for link in self.network.links:
            if node in (link.near, link.far):
                interface = f"to-{link.other(node)}"
                commands.append(f"address add {link.link_local(node)}/64 dev {interface} nodad")
                if link.numbered:
                    commands.append(f"address add {link.address(node)[0]}/24 dev {interface}")
                    commands.append(f"address add {link.address(node)[1]}/64 dev {interface} nodad")
                commands.append(f"link set {interface} up")
        return commands

    def start(self, function, *arguments):
        thread = threading.Thread(target=function, args=arguments, daemon=True)
        thread.start()
        self.threads.append(thread)

    def serve(self, node):
        """Listens for connections, which the kernel accepts, and for datagrams, which are sent back."""
        net = self.network
        addresses = TARGET_ADDRESS if node == TARGET else [
            address for link in net.links if node in (link.near, link.far) for address in link.address(node)
        ]
        datagrams = []
        with self.inside(node):
            for address in addresses:
                family = socket.AF_INET6 if ":" in address else socket.AF_INET
                listener = socket.socket(family, socket.SOCK_STREAM)
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                listener.bind((address, TCP_PORT))
                listener.listen(1024)
                receiver = socket.socket(family, socket.SOCK_DGRAM)
                receiver.bind((address, UDP_PORT))
                receiver.settimeout(0.2)
                datagrams.append(receiver)
                self.sockets += [listener, receiver]
        for receiver in datagrams:
            self.start(self.echo, receiver)

    def echo(self, receiver):
        while not self.ended.is_set():
            with contextlib.suppress(OSError):
                data, peer = receiver.recvfrom(65536)
                receiver.sendto(data, peer)

    def repeat_changes(self, period):
        """Changes the network until it is removed."""
        number = 1
        while not self.ended.wait(period):
            self.network.change(self, number)
            number += 1

    def remove(self):
        self.ended.set()
        for thread in self.threads:
            thread.join()
        for each in self.sockets:
            each.close()
        remove([self.namespace(node) for node in self.network.nodes])

    def __enter__(self):
        try:
            self.create()
        except BaseException:
            self.remove()
            raise
        return self

    def __exit__(self, *_):
        self.remove()


def ruleset(rules):
    """Returns the rules of a node as text for nftables."""
    chains = []
    for hook, lines in rules.items():
        kind = "nat hook prerouting priority dstnat" if hook == "nat" else f"filter hook {hook} priority 0"
        chains.append(f"chain {hook} {{\ntype {kind}\n" + "\n".join(lines) + "\n}\n")
    return "table inet lab {\n" + "".join(chains) + "}\n"
