/**
 * Applies a body from home at the edge: answers go to the calling principal; profile, lock and public key go to KernelObject. Must
 * not acknowledge anything, nor open what it forwards. Called by TunnelObject.
 */

import type { HomeAnswer } from '../../kernel/features/places/home-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ToldSelf } from '../../kernel/self/told.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Body } from '../../kernel/tunnel/frame.ts'
import type { EdgeEnv, KernelCalls } from '../../worker/env.ts'
import { KERNEL_NAME, objectName } from '../names.ts'
import type { TunnelMemory } from '../tunnel-calls.ts'

export interface EffectsInput {
  readonly env: Pick<EdgeEnv, 'PRINCIPALS'> & {
    readonly KERNEL: KernelCalls<
      | 'setProfile'
      | 'setSelf'
      | 'setLocked'
      | 'setSealKey'
      | 'backedUp'
      | 'setLinks'
      | 'setGrants'
      | 'setPeople'
    >
  }
  readonly memory: TunnelMemory
  /** 32 bytes: the key that derives object names. */
  readonly nameKey: Uint8Array
}

/**
 * `at`: when the body left home, by home's clock. Durable when it resolves. Throws when the other object could not be reached; then
 * nothing is acknowledged. Refusal: frame_malformed, for a body that home may not send.
 */
export type Effects = (body: Body, at?: number) => Promise<Result<true>>

/** Milliseconds by which the edge's clock is ahead of home's, by the time in home's frame (T-14). */
function ahead(at: number | undefined): number {
  return at === undefined ? 0 : Date.now() - at
}

export function createEffects({ env, memory, nameKey }: EffectsInput): Effects {
  /** An answer to no recorded call, or one that its principal no longer wants, is acknowledged and dropped. */
  const answer = async (given: HomeAnswer): Promise<Result<true>> => {
    const principal = memory.askedBy(given.id)
    if (principal === null) return ok(true)
    await env.PRINCIPALS.getByName(objectName(nameKey, principal)).homeAnswered(principal, given)
    memory.dropCall(given.id)
    return ok(true)
  }
  /** Services in the last sync since this object woke. */
  let services = ''
  const takeSelf = async (self: ToldSelf): Promise<Result<true>> => {
    const set = await env.KERNEL.getByName(KERNEL_NAME).setSelf(self)
    const now = JSON.stringify(self.services)
    if (!set.ok || now === services) return set
    // If the owner's object is locked or fails, the frame is still acknowledged: that object checks by itself when it wakes.
    await env.PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
      .connected(OWNER_PRINCIPAL)
      .catch(() => null)
    services = now
    return set
  }
  return async (body, at) => {
    switch (body.type) {
      case 'home_answer':
        return answer(body.answer)
      case 'profile':
        // A profile that the edge cannot use is dropped: refusing the frame would block everything behind it.
        await env.KERNEL.getByName(KERNEL_NAME).setProfile({ timezone: body.timezone })
        return ok(true)
      case 'self':
        return takeSelf(body.self)
      case 'lock':
        return env.KERNEL.getByName(KERNEL_NAME).setLocked(body.locked)
      case 'seal_key':
        return env.KERNEL.getByName(KERNEL_NAME).setSealKey(body.key)
      case 'backup':
        // The backup's age is the difference of two times by home's clock, so the two clocks need not agree (T-14).
        await env.KERNEL.getByName(KERNEL_NAME).backedUp(Date.now() - Math.max(0, (at ?? body.at) - body.at))
        return ok(true)
      case 'links':
        return env.KERNEL.getByName(KERNEL_NAME).setLinks(body.links)
      case 'grants':
        return env.KERNEL.getByName(KERNEL_NAME).setGrants(body.grants, ahead(at))
      case 'people':
        return env.KERNEL.getByName(KERNEL_NAME).setPeople(body.people)
      case 'both_lines': {
        const owner = env.PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
        await owner.bothLines(OWNER_PRINCIPAL, { do: 'set', template: body.template })
        return ok(true)
      }
      case 'kept_said':
      case 'home_call':
      case 'memory':
      case 'link_code':
      case 'secret':
        // The edge neither runs nor stores anything for home: a compromised peer must not reverse the tunnel.
        return err('frame_malformed')
    }
  }
}
