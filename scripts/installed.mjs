/**
 * Runs once after `npm install`: makes what the first start needs, so that nobody waits for it then. Plain JavaScript, because an old
 * Node must be able to read it. Must not fail: a start makes what is missing. Called by npm.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
spawnSync(path('../node_modules/node/bin/node'), [path('start/prepare.ts')], {
  stdio: 'ignore',
  timeout: 90_000,
})
