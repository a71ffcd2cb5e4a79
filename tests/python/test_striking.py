"""A strike hits once, whatever is reported afterwards; a dead process is not struck again."""

import signal
import subprocess
import sys

from striking import Strike


def test_a_strike_hits_once():
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    strike = Strike(victim.pid)
    strike("phase", 0, 1)
    assert victim.poll() is None
    strike("phase", 0.5, 1)
    assert victim.wait() == -signal.SIGKILL
    for done in (0.6, 0.7, 1):  # no process has the number now
        strike("phase", done, 1)
    assert strike.struck == 1


def test_a_strike_waits_for_its_moment():
    victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    moments = iter([False, True, True])
    strike = Strike(victim.pid, lambda: next(moments), signal.SIGTERM)
    strike("phase", 0.5, 1)
    assert strike.struck == 0
    strike("phase", 0, 1)
    assert victim.wait() == -signal.SIGTERM
