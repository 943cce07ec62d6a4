/**
 * What both ends of the private line prove to each other before anything is said: that they can read one file of the state folder,
 * 0600 and made anew at each start of home. Proofs bind both ends' nonces, so the token itself never travels and neither a path
 * nor a socket in its place is worth anything. Must not be logged. Called by door.ts and by the terminal's line client.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { dirname, join } from 'node:path'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { replacePrivateFile } from '../keys/private-file.ts'
import { readPrivateFile, type StateFolder } from '../state-folder.ts'

const TOKEN_FILE = 'home.token'
const TOKEN_BYTES = 32

/** Who proves: a proof of one end must not serve the other. */
export type End = 'home' | 'client'

export interface Nonces {
  readonly client: string
  readonly home: string
}

const folderOf = (socket: string): StateFolder => {
  const path = dirname(socket)
  return { path, file: (name) => join(path, name) }
}

export const makeNonce = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Before the socket is there, so that who reaches it finds this token. Refusal: storage_failed. */
export function makeLineToken(socket: string): Result<string> {
  const token = makeNonce()
  const written = replacePrivateFile(folderOf(socket), TOKEN_FILE, token)
  return written.ok ? ok(token) : written
}

/** Null when there is none. Refusal: storage_failed where others could have read or put it. */
export const readLineToken = (socket: string): Result<string> | null =>
  readPrivateFile(folderOf(socket), TOKEN_FILE)

export function proofOf(token: string, end: End, { client, home }: Nonces): string {
  return createHmac('sha256', token)
    .update(JSON.stringify([end, client, home]))
    .digest('base64url')
}

/** In constant time. */
export function isProof(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
