/**
 * Authenticates the clients of the private line, one instance per connection: home proves itself in its response to
 * `/hello`, and each later request carries the client's proof over the nonces of this connection. Must not run a
 * method. Called by app.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { isProof, makeNonce, type Nonces, proofOf } from './token.ts'

const hello = z.strictObject({ nonce: z.string().check(z.minLength(1), z.maxLength(100)) })

export interface Greeting {
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
