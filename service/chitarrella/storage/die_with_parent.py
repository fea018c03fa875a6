"""Run a command that ends with the process that started it, however that process ends.

`die_with_parent` wraps the command; this file is also the program in between. It asks the kernel for a signal at the
end of its parent (on Linux; elsewhere nothing happens) and then becomes the command. It is a program of its own because
code that runs between fork and exec of a process with threads might wait for locks that those threads held.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1  # the option of prctl(2), from <sys/prctl.h>


def die_with_parent(command: list[str], number: int = signal.SIGTERM) -> list[str]:
    """The command line that runs ``command`` so; start it from the main thread, which the kernel watches."""
    return [sys.executable, "-I", "-S", __file__, str(int(number)), str(os.getpid()), *command]


def signal_at_end_of_parent(number: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def main(number: str, parent: str, *command: str) -> None:
    signal_at_end_of_parent(int(number))
    if os.getppid() == int(parent):
        os.execv(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
