"""The documented example of a federation's own edition, run through the command line."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "my-federation.toml"

LIST = """fideid,name,rating,k,birthday
101,"Reed, Ada",1800,30,1980
102,"Stone, Bo",2300,30,1975
103,"Hill, Cy",850,30,1990
104,"Marsh, Di",1100,30,1990
"""

REPORT = """012 Four Friends
022 Nowhere
042 2026/10/10
052 2026/10/11
062 4
072 4
092 Individual: Swiss
122 90 min + 30 sec
132                                                                                        26/10/10  26/10/11
001    1      Reed, Ada                         1800 ENG         101 1980/00/00  2.0    1     2 w 1     3 w 1
001    2      Stone, Bo                         2300 ENG         102 1975/00/00  1.0    2     1 b 0     4 w 1
001    3      Hill, Cy                           850 ENG         103 1990/00/00  0.0    4     4 w 0     1 b 0
001    4      Marsh, Di                         1100 ENG         104 1990/00/00  1.0    3     3 b 1     2 b 0
"""


def test_the_documented_example_rates_a_month(tmp_path):
    shutil.copy(EXAMPLE, tmp_path)
    (tmp_path / "list.csv").write_text(LIST, "utf-8")
    (tmp_path / "open.trf").write_text(REPORT, "utf-8")
    command = "run --period 2026-11 open.trf --list list.csv --rules my-federation.toml --control standard --dry-run"
    program = Path(sys.executable).with_name("fide-batch")
    done = subprocess.run([program, *command.split()], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Rated by edition my-federation" in done.stdout
    changes = re.findall(r"^(\w+), \w+ +\d+ +\d+ +([+-]\d+) +(\d+) ", done.stdout, re.M)
    # By hand, with the formula, K 30, no 400 rule, floor 800:
    #   Reed:  1800 v 2300, expected .0532; v 850, D 950, expected .9958; 30 x (2 - 1.0490) = 28.53
    #   Stone: v 1800 expected .9468; v 1100, D 1200, .9990; 30 x (1 - 1.9458) = -28.374
    #   Hill:  v 1100 expected .1917; v 1800 .0042; 30 x (0 - .1959) = -5.877
    #   Marsh: v 850 expected .8083; v 2300 .0010; 30 x (1 - .8093) = 5.721
    assert {name: (change, rating) for name, change, rating in changes} == {
        "Reed": ("+29", "1829"),
        "Stone": ("-28", "2272"),
        "Hill": ("-6", "844"),
        "Marsh": ("+6", "1106"),
    }
