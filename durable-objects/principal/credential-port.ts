/**
 * Takes a credential that the owner sends in a chat of the edge (L-12, L-13): seals it for home in memory and puts the box into the
 * tunnel outbox; no key at the edge opens it. Must not store it, log it, or pass it to anything but `closedFor`. Called by
 * powers.ts.
 */

import type { CredentialPort } from '../../kernel/features/credentials/credential-port.ts'
import { err, ok } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { MAX_SECRET, sealKeyId } from '../../kernel/vault/secret-offer.ts'
import { type EdgeEnv, type EdgeSettings, type KernelCalls, keyOf } from '../../worker/env.ts'
import { closedFor } from '../../worker/secrets.ts'
import { KERNEL_NAME, TUNNEL_NAME } from '../names.ts'
import { openPage } from '../secret-page.ts'

export interface EdgeCredentialsInput {
  readonly tunnel: EdgeEnv['TUNNEL']
  readonly kernel: KernelCalls<'sealKeyFor' | 'told'>
  /** Whether home has reported the service as connected. */
  readonly has: (service: string) => boolean
  readonly kv: SyncKvStorage
  readonly settings: Pick<EdgeSettings, 'bot' | 'tokenKey'>
}

export function edgeCredentials(input: EdgeCredentialsInput): CredentialPort {
  const { tunnel, kernel, has } = input
  return {
    refusal: () => null,
    has,
    page: (approval) => openPage(input, approval),
    async give(name, value) {
      if (value.length > MAX_SECRET) return err('event_too_large')
      const known = await kernel.getByName(KERNEL_NAME).sealKeyFor({ name, device: 'chat' })
      if (!known.ok) return known
      const publicKey = keyOf(known.value)
      if (publicKey === null) return err('seal_key_missing')
      const at = Date.now()
      const source = {
        id: crypto.randomUUID(),
        principal: OWNER_PRINCIPAL,
        name,
        key: sealKeyId(publicKey),
        at,
      }
      const offer = await closedFor(publicKey, source, value)
      if (!offer.ok) return offer
      const taken = await tunnel.getByName(TUNNEL_NAME).offer(offer.value)
      return taken.ok ? ok('sent') : taken
    },
  }
}
