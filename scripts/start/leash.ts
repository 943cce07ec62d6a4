/**
 * Loaded before a child's own program (`--import`): stops the child when its parent is gone, however it died, because
 * the pipe on stdin ends then. Must not keep a program alive that is finished. Used by child.ts only.
 */
import type { Socket } from 'node:net'

/** Milliseconds for an orderly stop; then the child ends anyway. */
const GRACE_MS = 6_000

let stopping = false

function stop(): void {
  if (stopping) return
  stopping = true
  setTimeout(() => process.exit(1), GRACE_MS).unref()
  process.kill(process.pid, 'SIGTERM')
}

process.stdin.on('end', stop).on('close', stop).on('error', stop).resume()
// A pipe is a socket to Node; reading it must not be the reason to live on.
const pipe: Partial<Pick<Socket, 'unref'>> = process.stdin
pipe.unref?.()
