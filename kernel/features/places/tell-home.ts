/**
 * Sends the edge's memory of its owner to home (DESIGN §1): words and results of a turn, and saved facts. Released like all
 * egress, queued by the link, never awaited. Must not send data of others, nor fail its task: the edge's shard keeps everything.
 * No-op at home. Called by save.ts, turns-home.ts, entries.ts and forget-about.ts.
 */
import type { Json } from '../../flow/json.ts'
import type { Labeled, Provenance } from '../../flow/labeled.ts'
import type { LabeledRecord } from '../../flow/record.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { Clock, HomeLine, PolicySource } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { Turn } from '../../powers/stores.ts'
import type { Task } from '../../task/task.ts'
import { releaseToPlace } from '../deliveries/deliver.ts'
import type { OpenMemory } from './home-port.ts'

export interface QueueResult {
  readonly action: string
  readonly record: LabeledRecord
}

/** Whose memory, by which template, and from which task; null for an action by the owner's own hand. */
export interface Teller {
  readonly principal: string
  readonly template: string
  readonly task: Task | null
}

export function tellerOf(task: Task): Teller {
  return { principal: task.principal, template: task.template, task }
}

export function tellFact(
  powers: Auditing & PolicySource & HomeLine,
  teller: Teller,
  fact: { readonly id: string; readonly text: Labeled<string>; readonly at?: number },
): Promise<void> {
  return tell(powers, teller, { id: fact.id, what: 'fact', at: fact.at ?? powers.now() }, async () => {
    const text = release(powers, teller, fact.text)
    return text.ok ? ok({ text: text.value, ...provenanceJson(fact.text) }) : text
  })
}

/** Forgets a fact at home too. Queued after the fact itself, so it arrives after it. */
export function tellForgotten(
  powers: Auditing & PolicySource & HomeLine,
  teller: Teller,
  fact: string,
): Promise<void> {
  const about = { id: `${fact}/forgotten`, what: 'forgotten', at: powers.now() } as const
  return tell(powers, teller, about, () => Promise.resolve(ok({ fact })))
}

/** `results`: what the turn left in working memory. Refusals: those of opening its words, and of `releaseToPlace`. */
export async function turnForHome(
  powers: SealedReading & PolicySource,
  { turn, template }: { readonly turn: Turn; readonly template: string },
  results: readonly QueueResult[],
): Promise<Result<OpenMemory>> {
  const words = await openTextOf(powers, turn.words)
  if (!words.ok) return words
  const said = release(powers, { template }, words.value)
  if (!said.ok) return said
  const records: Json[] = []
  for (const { action, record } of results) {
    const output = release(powers, { template }, record.whole())
    if (!output.ok) return output
    const { inputs, reported = null } = record.source
    records.push({ action, output: output.value, inputs: provenanceJson(inputs), reported })
  }
  const { task: id, principal, at } = turn
  return ok({ id, what: 'turn', principal, at, content: { words: said.value, records } })
}

async function tell(
  powers: Auditing & PolicySource & HomeLine,
  { principal, task }: Teller,
  about: Pick<OpenMemory, 'id' | 'what' | 'at'>,
  content: () => Promise<Result<Json>>,
): Promise<void> {
  const { home } = powers
  if (home === null || principal !== powers.policy().owner) return
  const released = await content()
  const told = released.ok
    ? await reach(() => home.tell({ ...about, principal, content: released.value }))
    : released
  if (!told.ok) audit(powers, 'fault', task, { code: told.reason.code, effect: 'tell_home' })
}

/** A failing link must not end a task that has done everything else. */
async function reach(call: () => Promise<Result<true>>): Promise<Result<true>> {
  try {
    return await call()
  } catch {
    return err('home_offline')
  }
}

function release(
  powers: Clock & PolicySource,
  { template }: Pick<Teller, 'template'>,
  value: Labeled,
): Result<Json> {
  return releaseToPlace(powers, value, { sink: 'sink:place:home', template })
}

/** Label and taint as plain data; home treats them as a claim. */
function provenanceJson({ label, taint }: Provenance): { readonly [key: string]: Json } {
  const atoms = label.atoms.map(({ origin, field, level, compartment }) => ({
    origin,
    field,
    level,
    compartment,
  }))
  const { level, origins, touchedBy } = taint
  return { label: { atoms }, taint: { level, origins: [...origins], touchedBy: [...touchedBy] } }
}
