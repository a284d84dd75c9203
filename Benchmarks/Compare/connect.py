"""Connects to each target once a second, with an asyncio task for each: `connect.py TARGETS PORT`."""
import asyncio
import sys

import network


async def probe(number, targets, port):
    await asyncio.sleep(number / targets)
    loop = asyncio.get_running_loop()
    due = loop.time()
    while True:
        try:
            _, writer = await asyncio.wait_for(asyncio.open_connection(network.address(number), port), 1)
            writer.close()
        except (OSError, asyncio.TimeoutError):
            pass
        due += 1
        await asyncio.sleep(max(0, due - loop.time()))


async def main(targets, port):
    await asyncio.gather(*(probe(number, targets, port) for number in range(targets)))


try:
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
except KeyboardInterrupt:
    pass
