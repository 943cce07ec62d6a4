/**
 * Encrypts one file in chunks with AES-256-GCM (STREAM: Hoang, Reyhanitabar, Rogaway, Vizár 2015). The nonce counts the chunks
 * and marks the last, so that truncated, swapped or added chunks do not open. Each file has its own key. Must not hold a whole
 * file in memory. Called by make.ts and backup.ts.
 */

import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { BackupTrouble } from '../store/storage-trouble.ts'

/** Bytes of plaintext in each chunk but the last. Bounds the memory of a backup and a restore. */
const CHUNK_BYTES = 262_144
const TAG_BYTES = 16
const NONCE_BYTES = 12

interface FileKeys {
  readonly content: Uint8Array
  readonly digest: Uint8Array
}

interface Encrypted {
  /** Bytes of the plaintext. */
  readonly size: number
  /** HMAC-SHA-256 under the digest key: a plain hash would let a holder of the disk confirm a guess. */
  readonly digest: string
  /** SHA-256 of the encrypted file, hex. */
  readonly sha256: string
}

interface Transfer {
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
    const sealed = sealGcm({ key: keys.content, nonce: nonceOf(at) }, plain)
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
  try {
    return openGcm({ key, nonce: nonceOf(at) }, sealed)
  } catch {
    return null
  }
}

interface Sealing {
  readonly key: Uint8Array
  readonly nonce: Uint8Array
  /** Additional authenticated data. */
  readonly bound?: string
}

/** AES-256-GCM; the tag follows the ciphertext. */
export function sealGcm({ key, nonce, bound = '' }: Sealing, plain: Uint8Array): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(bound))
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** Throws if it was not sealed so. */
export function openGcm({ key, nonce, bound = '' }: Sealing, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(bound))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
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
