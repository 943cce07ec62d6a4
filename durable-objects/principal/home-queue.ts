/**
 * Queue of owner messages addressed to home (DESIGN §1), in the owner's object. Sealed with home's public key; they wait in the
 * tunnel outbox until home acknowledges or they expire. If home does not take them, the owner is asked once. Stores no plaintext,
 * and does not decide what goes to home. Called by both-lines.ts.
 */
import { closeBox } from '../../integrations/sealing/sealed-box.ts'
import type { DeliverPorts } from '../../kernel/features/deliveries/deliver.ts'
import type { Version } from '../../kernel/features/deliveries/withdraw.ts'
import {
  askAt,
  askWhetherHere,
  closeHere,
  isHere,
  notifyQueueEnd,
  type QueueEnd,
  queueEndsAt,
} from '../../kernel/features/memory/queued-messages.ts'
import { answeredThere } from '../../kernel/features/places/both-lines.ts'
import type { RemoteMessage } from '../../kernel/features/places/handover-port.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { ApprovalStore, StoreOf } from '../../kernel/powers/stores.ts'
import {
  packMessage,
  QUEUE_PURPOSE,
  type QueuedMessage,
  queuedBound,
} from '../../kernel/tunnel/queued-message.ts'
import { sealKeyId } from '../../kernel/vault/secret-offer.ts'
import { KERNEL_NAME, TUNNEL_NAME } from '../names.ts'
import { type EdgeEnv, type KernelCalls, keyOf } from '../platform/env.ts'
import type { KeepWhen } from '../tunnel/owner-messages.ts'

/** Milliseconds until a failed step is retried. */
const AGAIN = 30_000

const WAIT = 'both-lines-wait'

interface Wait {
  /** When the first waiting message was written, epoch milliseconds; null when none waits. */
  readonly since: number | null
  /** Id of the question that the owner was asked; `ASKED` once their approval was carried out. */
  readonly question: string | null
  /** The owner chose to be answered by the edge until home returns. */
  readonly here: boolean
  /** The owner was notified that home is away. */
  readonly knows: boolean
  /** Why nothing is waited for any more. */
  readonly over: 'revoked' | 'stopped' | null
}

const ASKED = ''
const NONE: Wait = { since: null, question: null, here: false, knows: false, over: null }

export interface QueuedMessages {
  /** Whether the owner chose to be answered by the edge while home is away. */
  isHere(): boolean
  /** Whether any message waits, as far as this object knows. */
  any(): boolean
  /**
   * Queues a message. `there`: refuse when home is away. Refusals: seal_key_missing, key_wrong, and those of `MessageQueue.keep`.
   * Throws when another object fails.
   */
  keep(said: RemoteMessage, when: KeepWhen): Promise<Result<'said' | 'again'>>
  /** Queues a version that the edge answers, so that home withdraws the former versions. Refusals, and throws, as `keep`. */
  answeredHere(version: Version): Promise<Result<'said' | 'again'>>
  /** Home has connected; `mayAnswer` says whether it may still reply in this chat. */
  greeted(mayAnswer: boolean): void
  /** The owner said stop: the next `look` discards everything that waits. */
  stop(): void
  /** Asks, notifies and discards what is due. Returns when to look again, epoch milliseconds; null for never. Never throws. */
  look(): Promise<number | null>
}

export interface QueuedMessagesInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete'>
  readonly powers: DeliverPorts & StoreOf<ApprovalStore>
  readonly env: Pick<EdgeEnv, 'TUNNEL'> & { readonly KERNEL: KernelCalls<'syncedFor'> }
  /** The owner's chat. */
  readonly sink: string
}

export function createQueuedMessages({ kv, powers, env, sink }: QueuedMessagesInput): QueuedMessages {
  const door = () => env.TUNNEL.getByName(TUNNEL_NAME)
  const load = (): Wait => kv.get<Wait>(WAIT) ?? NONE
  const isWaiting = async (): Promise<boolean> => (await door().keptSaid('waiting')) > 0
  const begin = (): number => {
    const wait = load()
    const since = wait.since ?? powers.now()
    if (wait.since === null) kv.put(WAIT, { ...wait, since, question: null })
    return queueEndsAt(since)
  }
  /** When home is connected it already has the earlier messages, though `look` has not run since: the wait starts anew. */
  const renew = async (): Promise<void> => {
    const { since, question, over } = load()
    if (since === null || question !== null || over !== null || powers.now() >= queueEndsAt(since)) return
    if (!(await isWaiting())) kv.put(WAIT, { ...load(), since: powers.now() })
  }
  /**
   * Ends the wait of all messages. Whether the owner knows that home is away, and their choice, stay until home returns; so do
   * messages written since.
   */
  const end = async (over: Partial<Wait> = {}): Promise<number | null> => {
    const newer = await isWaiting()
    const { question, ...wait } = load()
    if (question !== null) closeHere(powers, question)
    const { here, knows } = { ...wait, ...over }
    const since = newer ? powers.now() : null
    if (newer || here || knows) kv.put(WAIT, { ...NONE, since, here, knows })
    else kv.delete(WAIT)
    return since === null ? null : askAt(since, knows)
  }
  const tell = async (since: number, how: QueueEnd): Promise<boolean> => {
    const sent = await notifyQueueEnd(powers, { id: `kept:${since}:${how}`, sink, end: how })
    if (sent.ok) await door().keptSaid('told')
    return sent.ok
  }
  /** Discards first, so that home cannot answer a message that the owner is told is discarded. */
  const finish = async (since: number, how: 'late' | 'revoked' | 'stopped'): Promise<number | null> => {
    const gone = await door().keptSaid('drop_all')
    if (gone > 0 && !(await tell(since, how))) return powers.now() + AGAIN
    return end(how === 'late' && gone > 0 ? { knows: true } : {})
  }
  const answerHere = async (since: number): Promise<number | null> => {
    // Set first: a message that arrives during this step is answered at the edge, too.
    kv.put(WAIT, { ...load(), here: true })
    const dropped = (await door().keptSaid('drop')) > 0
    // The other messages were sent to home: home answers those it received, the rest expire.
    const sent = await isWaiting()
    const rest = sent ? (dropped ? 'both' : 'sent') : dropped ? 'here' : 'home'
    if (!(await tell(since, rest))) return powers.now() + AGAIN
    if (rest === 'home') return end({ here: false })
    if (!sent) return end()
    kv.put(WAIT, { ...load(), question: ASKED })
    return queueEndsAt(since)
  }
  const lookAt = async (since: number): Promise<number | null> => {
    const { question, knows, over } = load()
    const [now, until] = [powers.now(), queueEndsAt(since)]
    if (over !== null) return finish(since, over)
    if (question !== null && isHere(powers, question)) return answerHere(since)
    if (now >= until) return finish(since, 'late')
    if (!(await isWaiting())) return end()
    if (question !== null) return until
    if (now < askAt(since, knows)) return askAt(since, knows)
    const asked = await askWhetherHere(powers, sink, until)
    kv.put(WAIT, { ...load(), question: asked })
    return until
  }
  /** Runs one call after the other, because home answers in the order of writing. */
  let last: Promise<unknown> = Promise.resolve()
  const boxFor = async (said: RemoteMessage): Promise<Result<QueuedMessage>> => {
    const { sealKey } = await env.KERNEL.getByName(KERNEL_NAME).syncedFor(null)
    const key = keyOf(sealKey ?? '')
    if (key === null) return err('seal_key_missing')
    const bare = { id: said.id, key: sealKeyId(key), at: powers.now() }
    const box = await closeBox(key, { purpose: QUEUE_PURPOSE, bound: queuedBound(bare) }, packMessage(said))
    if (!box.ok) return box
    return ok({ ...bare, box: box.value.toBase64({ alphabet: 'base64url', omitPadding: true }) })
  }
  const keepOne = async (said: RemoteMessage, when: KeepWhen): ReturnType<QueuedMessages['keep']> => {
    const box = await boxFor(said)
    if (!box.ok) return box
    await renew()
    // Called before and after queueing: neither a crash in between nor a concurrent `look` may leave a message without a deadline.
    const until = begin()
    // If the earlier messages are being ended, this one would end with them: queue it only if home takes it now.
    const ending = load().over !== null || until <= powers.now()
    const kept = await door().keepSaid(box.value, until, ending ? 'there' : when)
    if (kept.ok) begin()
    return kept
  }
  const inTurn = (keep: () => ReturnType<QueuedMessages['keep']>): ReturnType<QueuedMessages['keep']> => {
    const kept = last.then(keep)
    last = kept.catch(() => undefined)
    return kept
  }
  return {
    isHere: () => load().here,
    any: () => load().since !== null,
    keep: (said, when) => inTurn(() => keepOne(said, when)),
    answeredHere: (version) =>
      inTurn(async () => {
        const box = await boxFor(answeredThere(version))
        return box.ok ? door().keepSaid(box.value, null, 'always') : box
      }),
    greeted(mayAnswer) {
      const wait = load()
      if (wait.since === null) return void kv.delete(WAIT)
      // The approval covered one offline period, which ends when home connects. If home disconnects before it has the messages, the
      // owner is asked again.
      const anew = wait.question === ASKED && { question: null, since: powers.now() }
      const over = mayAnswer ? wait.over : 'revoked'
      kv.put(WAIT, { ...wait, ...anew, here: false, knows: false, over })
    },
    stop() {
      const wait = load()
      if (wait.since !== null) kv.put(WAIT, { ...wait, over: 'stopped' })
    },
    async look() {
      const { since } = load()
      if (since === null) return null
      try {
        return await lookAt(since)
      } catch {
        return powers.now() + AGAIN
      }
    },
  }
}
