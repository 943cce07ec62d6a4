/**
 * Reliable frames from home: taken in order, each body's effect before its acknowledgement, pieces collected until the last has
 * come (T-04, T-12, T-13). Answers, replies and progress go to the object concerned; profile, lock and keys to KernelObject. Must
 * not end a connection, nor open what it forwards. Called by TunnelObject.
 */
import type { DeliveredText, HandoverResult, HomeWork } from '../../kernel/features/places/handover-port.ts'
import type { HomeAnswer } from '../../kernel/features/places/home-port.ts'
import { err, ok, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import type { SyncedSelf } from '../../kernel/self/synced-self.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Body, FrameOf } from '../../kernel/tunnel/frame.ts'
import { PIECE_WITHIN } from '../../kernel/tunnel/piece.ts'
import { KERNEL_NAME, objectName } from '../names.ts'
import type { EdgeEnv, KernelCalls } from '../platform/env.ts'
import type { LinesAsk } from '../principal/both-lines.ts'
import { SAID, type TunnelMemory } from './calls.ts'
import type { TunnelOutbox } from './outbox.ts'
import { attach, attachmentOf, send } from './socket.ts'

export interface TunnelInbox {
  /**
   * True when the frame was acknowledged; false when missing frames before it were requested. Refusals end the connection: those of
   * `Channel.join` and of the effect.
   */
  take(socket: WebSocket, greeted: boolean, frame: FrameOf<'data'>): Promise<Result<boolean>>
}

interface TunnelInboxInput {
  readonly outbox: Pick<TunnelOutbox, 'channel' | 'holdsPieces'>
  readonly effect: Effects
  /** Number of the newest connection. */
  readonly epoch: () => number
  /** A body was dropped because its pieces cannot be completed. */
  readonly givenUp: (socket: WebSocket) => void
  /** The deadline for the next piece has changed. */
  readonly arm: () => Promise<void>
}

export function createTunnelInbox({ outbox, effect, epoch, givenUp, arm }: TunnelInboxInput): TunnelInbox {
  const { channel } = outbox
  /**
   * Before home's hello only the first missing frame is requested: five frames at once would otherwise cause five requests for all.
   * If that request is lost, the beat shows it, or the connection ends.
   */
  const askAgain = (socket: WebSocket, greeted: boolean, { seq }: FrameOf<'data'>): void => {
    const hello = channel.hello(epoch())
    if (greeted || seq === hello.received + 1) send(socket, hello)
  }
  /** A body that cannot be completed is dropped and reported: waiting for it would block everything behind it. */
  const run = async (socket: WebSocket, frame: FrameOf<'data'>): Promise<Result<true>> => {
    const whole = channel.join(frame)
    if (whole.ok) return whole.value === null ? ok(true) : effect(whole.value, frame.at)
    if (whole.reason.code !== 'frame_gap') return whole
    givenUp(socket)
    return ok(true)
  }
  /** Writes the deadline to the socket's attachment and the alarm. Bodies in one piece, which are nearly all, cost nothing here. */
  const noteProgress = async (socket: WebSocket): Promise<void> => {
    const held = attachmentOf(socket)
    const pieceBy = outbox.holdsPieces() ? Date.now() + PIECE_WITHIN : null
    if (held === null || (held.pieceBy === null && pieceBy === null)) return
    attach(socket, { ...held, pieceBy })
    await arm()
  }
  return {
    async take(socket, greeted, frame) {
      const verdict = greeted ? channel.onData(frame) : 'gap'
      if (verdict === 'gap') {
        askAgain(socket, greeted, frame)
        return ok(false)
      }
      if (verdict === 'deliver') {
        const done = await run(socket, frame)
        if (!done.ok) return done
      }
      send(socket, channel.accepted(frame))
      await noteProgress(socket)
      return ok(true)
    },
  }
}

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
 * `at`: when the body left home, by home's clock. Its effect is durable when this resolves. Throws when the other object could
 * not be reached; then nothing is acknowledged. Refusal: frame_malformed, for a body that home may not send.
 */
type Effects = (body: Body, at?: number) => Promise<Result<true>>

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
  /** Makes the owner's object read again what home has synced. */
  const lookAgain = (): Promise<unknown> =>
    env.PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
      .connected(OWNER_PRINCIPAL)
      .catch(() => null)
  /** Services in the last sync since this object woke. */
  let services = ''
  const takeSelf = async (self: SyncedSelf): Promise<Result<true>> => {
    const set = await env.KERNEL.getByName(KERNEL_NAME).setSelf(self)
    const now = JSON.stringify(self.services)
    if (!set.ok || now === services) return set
    // If the owner's object is locked or fails, the frame is still acknowledged: that object checks by itself when it wakes.
    await lookAgain()
    services = now
    return set
  }
  const takeProfile = async (body: Body & { readonly type: 'profile' }): Promise<Result<true>> => {
    const set = await env.KERNEL.getByName(KERNEL_NAME).setProfile({
      timezone: body.timezone,
      ...(body.language !== undefined && { language: body.language }),
      ...(body.quiet !== undefined && { quiet: body.quiet }),
      ...(body.due !== undefined && { due: body.due }),
    })
    // The due time of a delayed delivery or a reminder may have changed.
    if (set.ok && set.value.timed) await lookAgain()
    return ok(true)
  }
  return async (body, at) => {
    switch (body.type) {
      case 'home_answer':
        return answer(body.answer)
      case 'profile':
        // A profile that the edge cannot use is dropped: refusing the frame would block everything behind it.
        return takeProfile(body)
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
        return env.KERNEL.getByName(KERNEL_NAME).setPeople(body.people, body.closed === true)
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

/** Neither method rejects. */
export interface Forwarder {
  text(socket: WebSocket, handed: DeliveredText): Promise<void>
  /** Refusals: task_unknown when no principal here has asked home for it; remote_unavailable; those of `BothLines.answer`. */
  work(socket: WebSocket, work: HomeWork): Promise<Result<boolean>>
}

export function createForwarder(
  env: Pick<EdgeEnv, 'PRINCIPALS'>,
  nameKey: Uint8Array,
  memory: Pick<TunnelMemory, 'askedBy'>,
): Forwarder {
  const ask = (principal: string, asked: LinesAsk): Promise<Result<boolean>> =>
    env.PRINCIPALS.getByName(objectName(nameKey, principal))
      .bothLines(principal, asked)
      .catch(() => err('remote_unavailable'))
  return {
    async text(socket, handed) {
      if (attachmentOf(socket)?.greeted !== true) return
      const sent = await ask(OWNER_PRINCIPAL, { do: 'carry', handed })
      const told = sent.ok ? { id: handed.id, ok: true as const } : toldOf(handed.id, sent.reason)
      send(socket, { kind: 'ephemeral', body: { type: 'delivered', told } })
    },
    async work(socket, work) {
      const greeted = attachmentOf(socket)?.greeted === true
      const principal = greeted ? memory.askedBy(work.on === 'call' ? work.id : SAID + work.id) : null
      return principal === null ? err('task_unknown') : ask(principal, { do: 'work', work })
    },
  }
}

function toldOf(id: string, { code, facts }: Refusal): HandoverResult {
  const after = Number(facts['retryAfter'])
  return { id, ok: false, reason: code, ...(Number.isSafeInteger(after) && after >= 0 && { after }) }
}
