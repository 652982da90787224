#!/bin/bash
set -euo pipefail
cd "$(dirname "$0")"
for f in *.c; do cc "$f"; done
source ./y.sh
rm -rf build
	