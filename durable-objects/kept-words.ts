/**
 * What the owner writes for home (DESIGN §1), in his object: sealed for home, kept in the tunnel's outbox until home has it, and, where home
 * does not take it, asked about once and ended in time; a home that looks as if it were there may be gone. Of a message nothing stays here
 * but that some wait. Must not keep a word, nor decide what goes home. Called by both-lines.ts.
 */
import { closeBox } from '../integrations/sealing/sealed-box.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import type { DeliverPorts } from '../kernel/pipeline/deliver.ts'
import type { SaidThere } from '../kernel/powers/handover-port.ts'
import type { ApprovalStore, StoreOf } from '../kernel/powers/stores.ts'
import { answeredThere } from '../kernel/runtime/both-lines.ts'
import {
  askAt,
  askWhetherHere,
  closeHere,
  isHere,
  keptUntil,
  tellKeptEnd,
} from '../kernel/runtime/kept-words.ts'
import type { Version } from '../kernel/runtime/withdraw.ts'
import { KEPT_PURPOSE, type KeptSaid, keptBound, packSaid } from '../kernel/tunnel/kept-said.ts'
import { sealKeyId } from '../kernel/vault/secret-offer.ts'
import type { KeptEnd } from '../kernel/wording/offline.ts'
import { type EdgeEnv, type KernelCalls, keyOf } from '../worker/env.ts'
import { KERNEL_NAME, TUNNEL_NAME } from './names.ts'
import type { KeepWhen } from './tunnel-words.ts'

/** Milliseconds until what could not be done is tried again. */
const AGAIN = 30_000

const WAIT = 'both-lines-wait'

interface Wait {
  /** When the first that waits was written, epoch milliseconds; null where none does. */
  readonly since: number | null
  /** Question that he was asked; `ASKED` once his yes was carried out. */
  readonly question: string | null
  /** He chose to be answered here until home is there again. */
  readonly here: boolean
  /** He was told that home is away. */
  readonly knows: boolean
  /** Why no more is waited for. */
  readonly over: 'revoked' | 'stopped' | null
}

const ASKED = ''
const NONE: Wait = { since: null, question: null, here: false, knows: false, over: null }

export interface KeptWords {
  /** Whether he chose to be answered here while home is away. */
  isHere(): boolean
  /** Whether any wait, as far as is known here. */
  any(): boolean
  /** `there`: not for a home that is away. Refusals: seal_key_missing, key_wrong, and those of `TunnelWords.keep`. Throws where another object fails. */
  keep(said: SaidThere, when: KeepWhen): Promise<Result<'said' | 'again'>>
  /** A version that is answered here, told home behind what it has of the former ones. Refusals, and throws, as `keep`. */
  answeredHere(version: Version): Promise<Result<'said' | 'again'>>
  /** Home is there, and may answer, or may no more. */
  greeted(mayAnswer: boolean): void
  /** He said stop: none of it is waited for any more, at the next look. */
  stop(): void
  /** Asks, tells and ends what is due. Returns when to look again, epoch milliseconds; null for never. Never throws. */
  look(): Promise<number | null>
}

export interface KeptWordsInput {
  readonly kv: Pick<SyncKvStorage, 'get' | 'put' | 'delete'>
  readonly powers: DeliverPorts & StoreOf<ApprovalStore>
  readonly env: Pick<EdgeEnv, 'TUNNEL'> & { readonly KERNEL: KernelCalls<'told'> }
  /** His chat. */
  readonly sink: string
}

export function createKeptWords({ kv, powers, env, sink }: KeptWordsInput): KeptWords {
  const door = () => env.TUNNEL.getByName(TUNNEL_NAME)
  const load = (): Wait => kv.get<Wait>(WAIT) ?? NONE
  const isWaiting = async (): Promise<boolean> => (await door().keptSaid('waiting')) > 0
  const begin = (): number => {
    const wait = load()
    const since = wait.since ?? powers.now()
    if (wait.since === null) kv.put(WAIT, { ...wait, since, question: null })
    return keptUntil(since)
  }
  /** A home that is there has had those before this one, and nobody has looked since. */
  const renew = async (): Promise<void> => {
    const { since, question, over } = load()
    if (since === null || question !== null || over !== null || powers.now() >= keptUntil(since)) return
    if (!(await isWaiting())) kv.put(WAIT, { ...load(), since: powers.now() })
  }
  /** None of them waits any more; what he knows of home, and chose, stays until it is there, and so does what he has written since. */
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
  const tell = async (since: number, how: KeptEnd): Promise<boolean> => {
    const told = await tellKeptEnd(powers, { id: `kept:${since}:${how}`, sink, end: how })
    if (told.ok) await door().keptSaid('told')
    return told.ok
  }
  /** Thrown away first: what he is told of, home cannot answer any more. */
  const finish = async (since: number, how: 'late' | 'revoked' | 'stopped'): Promise<number | null> => {
    const gone = await door().keptSaid('drop_all')
    if (gone > 0 && !(await tell(since, how))) return powers.now() + AGAIN
    return end(how === 'late' && gone > 0 ? { knows: true } : {})
  }
  const answerHere = async (since: number): Promise<number | null> => {
    // From here on: what he writes while this goes on is answered at the edge, too.
    kv.put(WAIT, { ...load(), here: true })
    const dropped = (await door().keptSaid('drop')) > 0
    // Home was sent the others: it answers them if it has them, and they end as all others if not.
    const sent = await isWaiting()
    const rest = sent ? (dropped ? 'both' : 'sent') : dropped ? 'here' : 'home'
    if (!(await tell(since, rest))) return powers.now() + AGAIN
    if (rest === 'home') return end({ here: false })
    if (!sent) return end()
    kv.put(WAIT, { ...load(), question: ASKED })
    return keptUntil(since)
  }
  const lookAt = async (since: number): Promise<number | null> => {
    const { question, knows, over } = load()
    const [now, until] = [powers.now(), keptUntil(since)]
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
  /** One after another: home answers in the order in which he wrote. */
  let last: Promise<unknown> = Promise.resolve()
  const boxFor = async (said: SaidThere): Promise<Result<KeptSaid>> => {
    const { sealKey } = await env.KERNEL.getByName(KERNEL_NAME).told()
    const key = keyOf(sealKey ?? '')
    if (key === null) return err('seal_key_missing')
    const bare = { id: said.id, key: sealKeyId(key), at: powers.now() }
    const box = await closeBox(key, { purpose: KEPT_PURPOSE, bound: keptBound(bare) }, packSaid(said))
    if (!box.ok) return box
    return ok({ ...bare, box: box.value.toBase64({ alphabet: 'base64url', omitPadding: true }) })
  }
  const keepOne = async (said: SaidThere, when: KeepWhen): ReturnType<KeptWords['keep']> => {
    const box = await boxFor(said)
    if (!box.ok) return box
    await renew()
    // Before and after: a crash in between, or a look, must not leave words that nobody looks after.
    const until = begin()
    // Those before it are being ended: with them it would be, too, if home does not take it now.
    const ending = load().over !== null || until <= powers.now()
    const kept = await door().keepSaid(box.value, until, ending ? 'there' : when)
    if (kept.ok) begin()
    return kept
  }
  const inTurn = (keep: () => ReturnType<KeptWords['keep']>): ReturnType<KeptWords['keep']> => {
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
      // His yes was for that absence; if home goes again before it has them, he is asked again.
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
