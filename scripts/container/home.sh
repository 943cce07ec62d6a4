#!/bin/sh
# Entry point of home's container: runs home, or a `pfar` command if one is given. A passphrase is read over a descriptor from a
# file that the container engine mounts, so that it is in no environment, argument or image layer.
set -eu
secret="${PFAR_SECRETS:-/run/secrets}/pfar-passphrase"
if [ $# -gt 0 ]; then exec node sidecar/cli/main.js "$@"; fi
if [ -s "$secret" ]; then
  exec 3<"$secret"
  export PFAR_PASSPHRASE_FD=3
fi
exec node sidecar/main.js
