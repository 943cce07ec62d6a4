/**
 * Mutual proof of both ends of the private line that they can read the token: a file (0600) in the state folder, new at each
 * start. Proofs cover both nonces, so the token is never sent and a planted path or socket gains nothing. Must not log the
 * token. Called by app.ts, and by the terminal's line client.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { readPrivateFile, replacePrivateFile, type StateFolder } from '../store/state-folder.ts'

const TOKEN_FILE = 'home.token'
const TOKEN_BYTES = 32

/** The end that proves: a proof of one end must not be valid for the other. */
type End = 'home' | 'client'

interface Nonces {
  readonly client: string
  readonly home: string
}

const folderOf = (socket: string): StateFolder => {
  const path = dirname(socket)
  return { path, file: (name) => join(path, name) }
}

export const makeNonce = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** Written before the socket exists, so that every client finds this token. Refusal: storage_failed. */
export function makeLineToken(socket: string): Result<string> {
  const token = makeNonce()
  const written = replacePrivateFile(folderOf(socket), TOKEN_FILE, token)
  return written.ok ? ok(token) : written
}

/** Null if the file does not exist. Refusal: storage_failed if others could have read or written it. */
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

const hello = z.strictObject({ nonce: z.string().check(z.minLength(1), z.maxLength(100)) })

interface Greeting {
  readonly nonce: string
  readonly proof: string
}

export interface Door {
  /** Once per connection. Refusal: signature_invalid, after which the connection is closed. */
  greet(said: unknown): Result<Greeting>
  /** Whether this proves that the client can read the token. A proof for another connection does not. */
  admits(proof: string | undefined): boolean
}

export function createDoor(token: string): Door {
  let nonces: Nonces | null = null
  return {
    greet(said) {
      const { success, data } = z.safeParse(hello, said)
      if (nonces !== null || !success) return err('signature_invalid')
      nonces = { client: data.nonce, home: makeNonce() }
      return ok({ nonce: nonces.home, proof: proofOf(token, 'home', nonces) })
    },
    admits: (proof) =>
      nonces !== null && proof !== undefined && isProof(proof, proofOf(token, 'client', nonces)),
  }
}
