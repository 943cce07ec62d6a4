#!/usr/bin/env node
/**
 * The `pfar` command on any Node from 18 up: runs sidecar/cli/main.js with this Node if it can run TypeScript, otherwise
 * with the one that `npm install` brought. Plain JavaScript, because an old Node must be able to read it. Must not do
 * anything else. Called by npm's bin link and by `npm run pfar`.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const ROOT = new URL('../', import.meta.url)
const MAIN = fileURLToPath(new URL('sidecar/cli/main.js', ROOT))
const BUNDLED = fileURLToPath(new URL('node_modules/node/bin/node', ROOT))

/** First version 22 that strips types without a flag or a warning. */
const [MAJOR, MINOR] = [22, 18]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const able = major > MAJOR || (major === MAJOR && minor >= MINOR)

if (!existsSync(fileURLToPath(new URL('node_modules/commander', ROOT))) || !(able || existsSync(BUNDLED))) {
  process.stderr.write('PFAR is not installed yet: run `npm install` in its folder first.\n')
  process.exit(1)
}

if (able) await import(new URL('sidecar/cli/main.js', ROOT).href)
else runBundled()

/** Runs a child that shares the terminal; it receives every signal, and its exit code is returned. */
function runBundled() {
  const child = spawn(BUNDLED, [MAIN, ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => child.kill(signal))
  // The terminal sends ctrl-C to both processes; only the child reacts to it.
  process.on('SIGINT', () => undefined)
  child.on('error', () => {
    process.stderr.write('The Node that PFAR brought cannot run here: run `npm install` again.\n')
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 1)))
}
