/**
 * Accepts at home what the edge remembers (DESIGN §1, B-12): validated as untrusted, then stored in home's shard of
 * the owner's session. The edge may report only the owner's data within its clearance, and never with a lower label
 * or taint than its own line. Idempotent. Must not send anything back. Called by home's tunnel inbox.
 */
import * as z from 'zod/mini'
import type { Json } from '../../flow/json.ts'
import { joinProvenance, type Provenance } from '../../flow/labeled.ts'
import { isLevel } from '../../flow/level.ts'
import { checkPlace, PLACE_CLEARANCE } from '../../flow/place.ts'
import { ownerWords, parseProvenance, receive } from '../../flow/provenance.ts'
import { createStored, type LabeledRecord } from '../../flow/record.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import { FACT_MAX, shapeOf } from '../../powers/effects.ts'
import type { Actions, Clock, Ids, PolicySource, Sealing } from '../../powers/ports.ts'
import type { SealedKeeping } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { CapabilityUses, EventStore, StoreOf, Transactions, TurnStore } from '../../powers/stores.ts'
import type { ReasonCode } from '../../reasons.ts'
import { EVENT_BOUNDS } from '../../task/event.ts'
import { findAction } from '../../tool/registry.ts'
import { type SealedValue, sealRecord, sealText } from '../../vault/records.ts'
import type { OpenMemory } from '../places/home-port.ts'
import { EDGE_PREFIX } from './fact.ts'
import { indexedWords } from './fact-index.ts'
import { ARCHIVED_RESULTS, MEMORY_TASKS } from './memory.ts'
import type { FactStore, MemoryStore } from './port.ts'

/** Results of one turn: more than any template allows calls, so that one message cannot fill working memory. */
const MAX_RESULTS = 32
const MAX_NAME = 200
/**
 * Turns and facts accepted from the edge a day, by home's clock: more than anyone says; a compromised edge must not
 * fill home's disk.
 */
export const MAX_SYNCED_A_DAY = 1_000
/** Audit rows for refused reports a day, so that they do not fill the audit either. */
export const MAX_SYNCED_DENIALS = 100
const DAY = 86_400_000

const name = z.string().check(z.minLength(1), z.maxLength(MAX_NAME))
const factSchema = z.strictObject({
  text: z.string().check(z.maxLength(FACT_MAX)),
  label: z.unknown(),
  taint: z.unknown(),
})
const forgottenSchema = z.strictObject({ fact: name })
const turnSchema = z.strictObject({
  words: z.string().check(z.maxLength(EVENT_BOUNDS.text)),
  records: z
    .array(
      z.strictObject({
        action: name,
        output: z.unknown(),
        inputs: z.object({ label: z.unknown(), taint: z.unknown() }),
        reported: z.nullable(name),
      }),
    )
    .check(z.maxLength(MAX_RESULTS)),
})

/** Minimum provenance of anything from the edge: the owner's own words on a line that the edge can read. */
const FROM_EDGE = ownerWords('sink:place:edge', PLACE_CLEARANCE.edge.level)

/** Ids chosen by the edge get a prefix, so that none of them matches a row of home. */
function keyOf({ id }: OpenMemory): string {
  return EDGE_PREFIX + id
}

/** Ports needed to store what the edge reports. */
type OpenMemoryPorts = TakeForgottenPorts & Auditing & TakeTurnPorts & SealedKeeping & PolicySource & Actions

/** A refused report is audited and dropped; its frame is acknowledged anyway. Throws when storage fails. */
export async function takeOpenMemory(powers: OpenMemoryPorts, memory: OpenMemory): Promise<void> {
  const taken = isWithinDailyLimit(powers, 'told', MAX_SYNCED_A_DAY)
    ? await take(powers, memory)
    : err('remote_rate_limited', { max: MAX_SYNCED_A_DAY })
  if (!taken.ok) noteRefused(powers, memory.what, taken.reason.code)
}

/** Counts one of today's first `most`; false above that. */
function isWithinDailyLimit(
  { store, now }: Clock & StoreOf<Transactions & CapabilityUses>,
  what: string,
  most: number,
): boolean {
  return store.transaction(() => store.countUse(`${EDGE_PREFIX}${what}:${Math.floor(now() / DAY)}`, most))
}

function noteRefused(
  powers: Auditing & StoreOf<Transactions & CapabilityUses>,
  what: string,
  code: ReasonCode,
): void {
  if (!isWithinDailyLimit(powers, 'refused', MAX_SYNCED_DENIALS)) return
  audit(powers, 'denial', null, { code, from: 'edge', what })
}

async function take(powers: OpenMemoryPorts, received: OpenMemory): Promise<Result<true>> {
  if (received.principal !== powers.policy().owner) return err('principal_not_allowed')
  // A time in the future would make it the newest permanently.
  const memory = { ...received, at: Math.min(received.at, powers.now()) }
  switch (memory.what) {
    case 'fact':
      return takeFact(powers, memory)
    case 'forgotten':
      return takeForgotten(powers, memory)
    case 'turn':
      return takeTurn(powers, memory)
  }
}

/** Ports needed to apply a forgetting that was done at the edge. */
type TakeForgottenPorts = StoreOf<Transactions & CapabilityUses & SealedStore & FactStore>

/** Affects facts reported by the edge only, never home's own: their ids have a prefix. */
function takeForgotten({ store }: TakeForgottenPorts, { principal, content }: OpenMemory): Result<true> {
  const parsed = z.safeParse(forgottenSchema, content)
  if (!parsed.success) return err('frame_malformed')
  const id = EDGE_PREFIX + parsed.data.fact
  store.transaction(() => {
    // Blocks the fact's id, in case the fact itself arrives later.
    store.countUse(id, 1)
    const ref = store.dropFact(principal, id)
    if (ref !== null) store.deleteSealed([ref.id])
  })
  return ok(true)
}

async function takeFact(
  powers: TakeForgottenPorts & SealedKeeping,
  memory: OpenMemory,
): Promise<Result<true>> {
  const parsed = z.safeParse(factSchema, memory.content)
  if (!parsed.success) return err('frame_malformed')
  const provenance = guarded(parsed.data)
  if (!provenance.ok) return provenance
  const { principal, at } = memory
  const { ref, row } = await keep(
    powers,
    memory,
    { store: 'memory', text: parsed.data.text },
    provenance.value,
  )
  const words = await indexedWords(powers, principal, receive(parsed.data.text, provenance.value))
  powers.store.transaction(() => {
    if (!powers.store.countUse(keyOf(memory), 1)) return
    powers.store.putSealed(row)
    powers.store.saveFact({ id: keyOf(memory), principal, ref, at }, words)
  })
  return ok(true)
}

async function takeTurn(
  powers: TakeTurnPorts & Auditing & SealedKeeping & Actions & StoreOf<Transactions & CapabilityUses>,
  memory: OpenMemory,
): Promise<Result<true>> {
  const parsed = z.safeParse(turnSchema, memory.content)
  if (!parsed.success) return err('frame_malformed')
  const results: { readonly action: string; readonly sealed: SealedValue }[] = []
  for (const result of parsed.data.records) {
    const record = recordOf(powers, result)
    // A result that home refuses must not lose the text of the turn.
    if (!record.ok) noteRefused(powers, 'result', record.reason.code)
    if (!record.ok) continue
    const request = { id: powers.newId(), principal: memory.principal, store: 'memory', until: null } as const
    const { action } = result
    results.push({ action, sealed: await sealRecord(powers.sealer, request, record.value, action) })
  }
  const said = { store: 'sessions', text: parsed.data.words } as const
  const words = await keep(powers, memory, said, FROM_EDGE)
  powers.store.transaction(() => commitTurn(powers, memory, { words, results }))
  return ok(true)
}

/** Ports needed to store a turn that took place at the edge. */
type TakeTurnPorts = StoreOf<EventStore & SealedStore & TurnStore & MemoryStore>

function commitTurn(
  { store }: TakeTurnPorts,
  memory: OpenMemory,
  {
    words,
    results,
  }: {
    readonly words: SealedValue
    readonly results: readonly { readonly action: string; readonly sealed: SealedValue }[]
  },
): void {
  const { principal, at } = memory
  const task = keyOf(memory)
  const turn = store.admit({ id: task, principal, at })
  if (turn === null) return
  for (const { row } of [words, ...results.map(({ sealed }) => sealed)]) store.putSealed(row)
  store.appendTurn({ turn, principal, task, words: words.ref, answer: null, at })
  const entries = results.map(({ action, sealed }) => ({
    turn,
    principal,
    task,
    action,
    ref: sealed.ref,
    at,
  }))
  const gone = store.pushMemory(entries, { tasks: MEMORY_TASKS, archived: ARCHIVED_RESULTS })
  store.deleteSealed(gone.map(({ ref }) => ref.id))
}

/**
 * Checks the provenance claimed by the edge: above its clearance it is refused; below that of its own line it is
 * raised.
 */
function guarded(claim: { readonly label: unknown; readonly taint: unknown }): Result<Provenance> {
  const provenance = parseProvenance(claim)
  if (!provenance.ok) return provenance
  const held = checkPlace('edge', provenance.value.label)
  return held.allow ? ok(joinProvenance(provenance.value, FROM_EDGE)) : err(held.code, held.facts)
}

/** Uses home's own registry: accepts the output of a tool, with raw text, and no record of the kernel's own words. */
function recordOf(
  powers: Actions,
  { action, output, inputs, reported }: z.infer<typeof turnSchema>['records'][number],
): Result<LabeledRecord> {
  const known = findAction(powers.registry, action)
  if (!known.ok) return err('tool_unknown')
  const shape = shapeOf(powers.registry, action)
  if (!shape.ok) return shape
  const provenance = guarded(inputs)
  if (!provenance.ok) return provenance
  const raised = isLevel(reported) ? { reported } : {}
  const record = createStored({ ...shape.value, inputs: provenance.value, ...raised }, output)
  if (!record.ok) return record
  const held = checkPlace('edge', record.value.label)
  return held.allow ? record : err(held.code, held.facts)
}

function keep(
  powers: Ids & Sealing,
  { principal }: OpenMemory,
  { store, text }: { readonly store: 'sessions' | 'memory'; readonly text: Json & string },
  provenance: Provenance,
): Promise<SealedValue> {
  const request = { id: powers.newId(), principal, store, until: null } as const
  return sealText(powers.sealer, request, receive(text, provenance))
}
