"""A serial port to test with: a pseudo-terminal. Prints its name; then answers what it reads in hexadecimal.

Commands on standard input: "send HEX" writes to the port. The reply to bytes that begin with 0xA1 is 0x5A.
"""

import os
import pty
import select
import sys
import tty

ours, theirs = pty.openpty()
tty.setraw(theirs)
print(os.ttyname(theirs), flush=True)
while True:
    ready, _, _ = select.select([ours, sys.stdin], [], [])
    if ours in ready:
        data = os.read(ours, 1024)
        print("got", data.hex(), flush=True)
        if data[:1] == b"\xa1":
            os.write(ours, b"\x5a")
    if sys.stdin in ready:
        line = sys.stdin.readline()
        if not line:
            break
        os.write(ours, bytes.fromhex(line.split()[1]))
