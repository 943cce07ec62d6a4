/**
 * Reads the next bytes of an open file, however few the system gives at once. Called by the backup's chunks and the
 * copies.
 */
import type { FileHandle } from 'node:fs/promises'

/** `length` bytes from where the file stands, or fewer at its end. Throws the system's errors. */
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
