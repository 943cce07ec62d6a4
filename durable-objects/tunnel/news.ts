/**
 * What the tunnel's object tells the others about the connection, apart from what home sends: refusals to the audit, another version,
 * an expired secret, and that home came or went. Must not wait for them where nothing depends on it. Called by TunnelObject.
 */
import type { ReasonFacts } from '../../kernel/flow/verdict.ts'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { KERNEL_NAME, objectName } from '../names.ts'
import type { EdgeEnv, KernelCalls } from '../platform/env.ts'
import { attachmentOf } from './socket.ts'

export interface TunnelNews {
  /** Not awaited, and a failure is dropped: the refusal holds, whether or not its audit line was written. */
  refused(socket: WebSocket, facts: ReasonFacts): void
  /** Home reports the mismatch on its private line; on the open line home would merely seem to stay away (T-11). */
  version(facts: ReasonFacts): void
  /** On the owner's open line, where the secret was typed. */
  expired(offer: Omit<SecretOffer, 'box'>): Promise<boolean>
  /** Not awaited; an object that cannot be reached believes what it heard for `VOUCHED_FOR` at most. */
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
