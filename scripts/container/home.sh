#!/bin/sh
# Entry of home's container: home itself, or a `pfar` command where one is given. A passphrase comes over a descriptor, from a
# file that the engine mounts: it is in no environment, argument or layer.
set -eu
secret="${PFAR_SECRETS:-/run/secrets}/pfar-passphrase"
if [ $# -gt 0 ]; then exec node sidecar/cli/main.ts "$@"; fi
if [ -s "$secret" ]; then
  exec 3<"$secret"
  export PFAR_PASSPHRASE_FD=3
fi
exec node sidecar/main.ts
