import os, subprocess
"""doc '/etc' """
os.system("ls")
subprocess.run(["rm", "-rf", x])
open(f"/etc/{a}")

