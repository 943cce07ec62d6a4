/**
 * Encrypts one file in chunks with AES-256-GCM (STREAM: Hoang, Reyhanitabar, Rogaway, Vizár 2015). The nonce counts the
 * chunks and marks the last, so that truncated, swapped or added chunks do not open. Each file has its own key. Must
 * not hold a whole file in memory. Called by make.ts and open-backup.ts.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { readBlock } from '../pages/read-block.ts'
import { BackupTrouble } from './storage-trouble.ts'

/** Bytes of plaintext in each chunk but the last. Bounds the memory of a backup and a restore. */
const CHUNK_BYTES = 262_144
const TAG_BYTES = 16
const NONCE_BYTES = 12

/** Both keys of one file (`fileKey`). */
export interface FileKeys {
  readonly content: Uint8Array
  readonly digest: Uint8Array
}

export interface Encrypted {
  /** Bytes of the plaintext. */
  readonly size: number
  /**
   * HMAC-SHA-256 of the plaintext under the digest key: a plain hash would let a holder of the disk confirm a guess.
   */
  readonly digest: string
  /** SHA-256 of the encrypted file, hex. */
  readonly sha256: string
}

export interface Transfer {
  readonly from: string
  readonly to: string
  readonly keys: FileKeys
  /** Name of the file in refusals. */
  readonly name: string
}

/** Writes `to` (0600, must not exist) and flushes it to the disk. Throws storage errors. */
export async function encryptFile({ from, to, keys }: Transfer): Promise<Encrypted> {
  const digest = createHmac('sha256', keys.digest)
  const sha256 = createHash('sha256')
  let size = 0
  await piped({ from, to, chunk: CHUNK_BYTES }, (plain, at) => {
    size += plain.length
    digest.update(plain)
    const cipher = createCipheriv('aes-256-gcm', keys.content, nonceOf(at))
    const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
    sha256.update(sealed)
    return sealed
  })
  return { size, digest: digest.digest('hex'), sha256: sha256.digest('hex') }
}

/** Decrypts. Throws `record_malformed` at the first chunk that does not open at its position. */
export async function decryptFile({ from, to, keys, name }: Transfer): Promise<Omit<Encrypted, 'sha256'>> {
  const digest = createHmac('sha256', keys.digest)
  let size = 0
  await piped({ from, to, chunk: CHUNK_BYTES + TAG_BYTES }, (sealed, at) => {
    const plain = openChunk(sealed, keys.content, at)
    if (plain === null) throw new BackupTrouble('record_malformed', name, 'it was altered or is damaged')
    size += plain.length
    digest.update(plain)
    return plain
  })
  return { size, digest: digest.digest('hex') }
}

/** SHA-256 of a file, hex. */
export async function hashFile(path: string): Promise<string> {
  const sha256 = createHash('sha256')
  const file = await open(path, 'r')
  try {
    for await (const piece of file.createReadStream({ autoClose: false })) sha256.update(piece)
    return sha256.digest('hex')
  } finally {
    await file.close()
  }
}

interface Position {
  readonly index: number
  readonly last: boolean
}

function openChunk(sealed: Buffer, key: Uint8Array, at: Position): Buffer | null {
  if (sealed.length < TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(at))
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** Eight bytes of counter, and a last byte that marks the final chunk. */
function nonceOf({ index, last }: Position): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(index), 0)
  nonce[NONCE_BYTES - 1] = last ? 1 : 0
  return nonce
}

interface Pipe {
  readonly from: string
  readonly to: string
  /** Bytes read at once. */
  readonly chunk: number
}

/** An empty file is one empty last chunk, so that no file can be truncated to nothing. */
async function piped(pipe: Pipe, turn: (piece: Buffer, at: Position) => Buffer): Promise<void> {
  const source = await open(pipe.from, 'r')
  try {
    const target = await open(pipe.to, 'wx', 0o600)
    try {
      let current = await readBlock(source, pipe.chunk)
      for (let index = 0; ; index += 1) {
        const next = await readBlock(source, pipe.chunk)
        const last = next.length === 0
        await writeAll(target, turn(current, { index, last }))
        if (last) break
        current = next
      }
      await target.sync()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function writeAll(target: FileHandle, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await target.write(bytes, written, bytes.length - written)).bytesWritten
  }
}
