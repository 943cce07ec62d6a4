/**
 * Loaded before a child's own program (`--import`): stops the child when its parent is gone, however it died, because
 * the pipe on stdin then ends. Must not keep a finished program alive. Used by child.ts only.
 */
/** Milliseconds for an orderly stop; then the child exits anyway. */
const GRACE_MS = 6_000

let stopping = false

function stop() {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), GRACE_MS).unref()
  process.kill(process.pid, 'SIGTERM')
}

process.stdin.on('end', stop).on('close', stop).on('error', stop).resume()
// To Node, a pipe is a socket; reading it must not keep the process alive.
/** @type {Partial<Pick<import('node:net').Socket, 'unref'>>} */
const pipe = process.stdin
pipe.unref?.()
