/**
 * What TunnelObject reports to other objects about the connection: refusals to the audit, an incompatible version, an expired
 * secret, and that home connected or went away. Must not wait for them where nothing depends on the result. Called by
 * TunnelObject.
 */
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { KERNEL_NAME, objectName } from '../names.ts'
import type { EdgeEnv, KernelCalls } from '../platform/env.ts'
import { attachmentOf } from './socket.ts'

export interface TunnelNews {
  /** Not awaited, and a failure is dropped: the refusal holds, whether or not its audit line was written. */
  refused(socket: WebSocket, facts: ReasonFacts): void
  /**
   * Notifies the owner of incompatible versions on the open line, where home would otherwise merely seem to be away (T-11). Home
   * reports them on its private line.
   */
  version(facts: ReasonFacts): void
  /** Notifies the owner on the open line, where the secret was typed. False when that fails. */
  expired(offer: Omit<SecretOffer, 'box'>): Promise<boolean>
  /** Not awaited. An object that cannot be reached keeps its cached answer for `CACHED_FOR` at most. */
  moved(principal: string, here: boolean): void
}

interface TunnelNewsInput {
  readonly env: Pick<EdgeEnv, 'PRINCIPALS'> & { readonly KERNEL: KernelCalls<'denied' | 'homeIncompatible'> }
  readonly ctx: Pick<DurableObjectState, 'waitUntil'>
  /** 32 bytes: the key that derives object names. */
  readonly nameKey: Uint8Array
}

export function createTunnelNews({ env, ctx, nameKey }: TunnelNewsInput): TunnelNews {
  const later = (told: Promise<unknown>): void => ctx.waitUntil(told.catch(() => undefined))
  const objectOf = (principal: string) => env.PRINCIPALS.getByName(objectName(nameKey, principal))
  return {
    refused: (socket, facts) =>
      later(
        env.KERNEL.getByName(KERNEL_NAME).denied('link', {
          ...facts,
          device: attachmentOf(socket)?.device ?? '',
        }),
      ),
    version: ({ theirs, ours }) =>
      later(env.KERNEL.getByName(KERNEL_NAME).homeIncompatible(Number(theirs), Number(ours))),
    async expired({ id, principal }) {
      const notice = { id: `secret-expired:${id}`, code: 'secret_expired' } as const
      return (await objectOf(principal).notify(principal, notice)).ok
    },
    moved: (principal, here) => later(objectOf(principal).homeMoved(principal, here)),
  }
}
