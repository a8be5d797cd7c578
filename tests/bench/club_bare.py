"""The subscriber that the hub is held against: `python -m tests.bench.club_bare PORT MESSAGES`.

It does nothing with what comes, in a process of its own as the hub is: prints `ready` when it hears, and then how many
seconds passed between the first message and the last.
"""

from __future__ import annotations

import asyncio
import sys
import time

import aiomqtt


async def _listen(port: int, messages: int) -> None:
    async with aiomqtt.Client("127.0.0.1", port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        await client.subscribe("tamsk/1/+/+/lines/#", qos=1)
        print("ready", flush=True)
        began_s, count = 0.0, 0
        async for _ in client.messages:
            count += 1
            if count == 1:
                began_s = time.monotonic()
            if count == messages:
                break
        print(time.monotonic() - began_s, flush=True)


if __name__ == "__main__":
    asyncio.run(_listen(int(sys.argv[1]), int(sys.argv[2])))
