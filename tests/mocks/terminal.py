"""Plays a game in a pseudo terminal, as a person would: python3 terminal.py PROGRAM ARGUMENTS...

Sends keys and waits for what the screen must show. Exits with 0 if the game is played and the terminal is as before.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

# No answer for so long is a hang; nothing else is concluded from it.
HANG_GUARD = 300


class Session:
    def __init__(self, command):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        # Kept open, so that its settings can be read after the program has ended.
        self.slave = slave
        self.before = termios.tcgetattr(slave)
        self.shown = b""
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            for stream in range(3):
                os.dup2(slave, stream)
            os.execv(command[0], command)

    def send(self, keys):
        os.write(self.master, keys)

    def expect(self, text):
        """Waits for a text; what was shown before it is forgotten."""
        while text not in self.shown:
            ready, _, _ = select.select([self.master], [], [], HANG_GUARD)
            if not ready:
                sys.exit(f"no {text!r} in {self.shown[-2000:]!r}")
            self.shown += os.read(self.master, 65536)
        self.shown = self.shown.split(text, 1)[1]

    def expect_end(self, code):
        self.expect(b"\x1b[?1049l")  # The main screen again.
        _, status = os.waitpid(self.pid, 0)
        if os.waitstatus_to_exitcode(status) != code:
            sys.exit(f"ended with {os.waitstatus_to_exitcode(status)} instead of {code}")
        if termios.tcgetattr(self.slave) != self.before:
            sys.exit("the terminal is not as before")


def main():
    session = Session(sys.argv[1:])
    session.expect(b"\x1b[?1049h")  # A screen of its own.
    session.expect(b"Start")
    session.send(b"\r")
    session.expect(b"New")
    session.send(b"f5")
    session.expect(b"White")  # The engine's answer, in the messages.
    session.expect(b"plays")
    fcntl.ioctl(session.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 8, 20, 0, 0))
    session.expect(b"This")  # It says that the terminal is too small.
    fcntl.ioctl(session.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
    session.expect(b"Ollehto")
    session.send(b"q")
    session.expect_end(0)

    session = Session([*sys.argv[1:], "--continue"])
    session.expect(b"f5")
    session.send(b"\x03")
    session.expect_end(130)


main()
