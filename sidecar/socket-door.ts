/**
 * What a client of the private line says first: `hello` with a nonce, which home answers with its proof, then `prove` with its own.
 * One try a connection. Must not run a method. Called by socket.ts.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { isProof, makeNonce, type Nonces, proofOf } from './line-token.ts'

const word = z.string().check(z.minLength(1), z.maxLength(100))
const hello = z.strictObject({ nonce: word })
const prove = z.strictObject({ proof: word })

export interface Door {
  isOpen(): boolean
  /** Refusal: signature_invalid, after which the connection is over. */
  step(method: string, params: unknown): Result<Readonly<Record<string, string>>>
}

export function createDoor(token: string): Door {
  let nonces: Nonces | null = null
  let open = false
  return {
    isOpen: () => open,
    step(method, params) {
      if (method === 'hello' && nonces === null) {
        const { success, data } = z.safeParse(hello, params)
        if (!success) return err('signature_invalid')
        nonces = { client: data.nonce, home: makeNonce() }
        return ok({ nonce: nonces.home, proof: proofOf(token, 'home', nonces) })
      }
      const { success, data } = z.safeParse(prove, params)
      if (method !== 'prove' || nonces === null || !success) return err('signature_invalid')
      open = isProof(data.proof, proofOf(token, 'client', nonces))
      return open ? ok({}) : err('signature_invalid')
    },
  }
}
