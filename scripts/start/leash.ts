/**
 * Loaded before a child's own program (`--import`): stops the child when its parent is gone, however it died, because
 * the pipe on stdin then ends. Must not keep a finished program alive. Used by child.ts only.
 */
import type { Socket } from 'node:net'

/** Milliseconds for an orderly stop; then the child exits anyway. */
const GRACE_MS = 6_000

let stopping = false

function stop(): void {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), GRACE_MS).unref()
  process.kill(process.pid, 'SIGTERM')
}

process.stdin.on('end', stop).on('close', stop).on('error', stop).resume()
// To Node, a pipe is a socket; reading it must not keep the process alive.
const pipe: Partial<Pick<Socket, 'unref'>> = process.stdin
pipe.unref?.()
