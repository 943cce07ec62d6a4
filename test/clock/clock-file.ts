/**
 * The file of a test clock: milliseconds that it is ahead of the real time, eight bytes that are written in place, so that a
 * process which holds it open reads a move at once. Called by the test's side and by the processes that follow.
 */
import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const CLOCK_FILE = 'offset'
const BYTES = 8

/** Folder in which edges note what they have taken. */
export const edgesOf = (file: string): string => join(dirname(file), 'edges')

/** Whatever `Date` says here. */
export const realNow = (): number => Math.round(performance.timeOrigin + performance.now())

export function writeOffset(file: string, offset: number): void {
  const bytes = Buffer.alloc(BYTES)
  bytes.writeDoubleLE(Math.round(offset))
  // Not emptied first: a reader would find nothing.
  const handle = openSync(file, 'a')
  closeSync(handle)
  const open = openSync(file, 'r+')
  writeSync(open, bytes, 0, BYTES, 0)
  closeSync(open)
}

export function readOffset(file: string): number {
  return readFileSync(file).readDoubleLE()
}

/** Reads it again at every call, and goes on doing so when the file was removed. */
export function followOffset(file: string): () => number {
  const handle = openSync(file, 'r')
  const bytes = Buffer.alloc(BYTES)
  return () => {
    readSync(handle, bytes, 0, BYTES, 0)
    return bytes.readDoubleLE()
  }
}
