/** Reads a block of an open file, also if the system returns fewer bytes at once. Called by the backup's chunks and the copies. */
import type { FileHandle } from 'node:fs/promises'

/** Returns `length` bytes from the current position, or fewer at the end of the file. Throws the system's errors. */
export async function readBlock(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}
