/**
 * The verbs by which a model without tools points into what others wrote (DESIGN §10):
 * `extract` at the words of one value, `choose` at items of a list. The kernel reads the
 * value and the items itself. The result is raw, and no planner sees it. Called by drive.ts.
 */

import { specAt } from '../../flow/field.ts'
import type { Json } from '../../flow/json.ts'
import { describeLabel, PUBLIC } from '../../flow/label.ts'
import { combine, derive, joinProvenance, type Labeled, type Provenance, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { pick } from '../../flow/record.ts'
import { CLEAN, taintOf } from '../../flow/taint.ts'
import type { Refusal, Result } from '../../flow/verdict.ts'
import { askStep } from '../../model-call/ask-step.ts'
import type { AskModelPorts } from '../../model-call/model-call.ts'
import type { Actions, Clock, Extraction, OwnerFacts } from '../../powers/ports.ts'
import { keepText, RAW_LIFETIME, type SealedReading } from '../../powers/sealed.ts'
import { typedFields } from '../../powers/typed-fields.ts'
import type { Outcome } from '../../task/outcome.ts'
import { type ChooseStep, type ExtractStep, parseReference } from '../../task/plan.ts'
import type { StepResult, Task } from '../../task/task.ts'
import { countAt, recordAt, resolveRef } from '../resolve.ts'
import { type DateReader, type Found, findValue, linesOf, textOf } from './value.ts'

/** Root under which a model sees when a text was written, from which its "tomorrow" counts. */
export const WRITTEN = 'written'
/** Maximum items that one `choose` reads. */
const MAX_ITEMS = 50

type PointPorts = AskModelPorts & Extraction

/**
 * Refusals: value_not_found (time_not_found for a time) if the text does not state the
 * value, or does not contain the model's words.
 */
export async function extractValue(
  powers: PointPorts,
  task: Task,
  { index, step }: { readonly index: number; readonly step: ExtractStep },
): Promise<Outcome> {
  const source = await resolveRef(powers, task, step.from)
  if (!source.ok) return failed(index, source.reason)
  const text = derive(source.value, textOf)
  const written = await writtenAt(powers, task, step.from)
  const isTime = step.kind === 'date' || step.kind === 'end'
  const dated = isTime && test(written, (at) => at !== null) ? [{ root: WRITTEN, value: written }] : []
  const reply = await askStep(powers, task, {
    ...{ purpose: 'extract', inputs: [{ root: step.from, value: derive(source.value, linesOf) }, ...dated] },
    texts: [step.question],
    kind: step.kind,
  })
  const notFound = { code: isTime ? 'time_not_found' : 'value_not_found', facts: { step: step.id } } as const
  if (!reply.ok) return failed(index, reply.reason)
  const words = receive(reply.value.text, reply.value.provenance)
  const found = combine<Json, Found | null>([text, words, written, raw(step.do)], ([all, said, at]) =>
    findValue(String(all), String(said), { kind: step.kind, dateIn: dateReader(powers, at ?? null) }),
  )
  if (test(found, (value) => value === null)) return failed(index, notFound)
  const until = powers.now() + RAW_LIFETIME
  const keeping = { principal: task.principal, store: 'sessions', until } as const
  const ref = await keepText(
    powers,
    keeping,
    derive(found, (value) => JSON.stringify(value)),
  )
  return {
    got: 'result',
    step: index,
    result: { kind: 'value', ref, is: step.kind === 'end' ? 'date' : step.kind },
    label: describeLabel(ref.label),
  }
}

/** The value stays raw whatever the model read, because a model wrote which words they are. */
function raw(verb: 'extract' | 'choose'): Labeled {
  return receive(null, { label: PUBLIC, taint: taintOf('raw', verb) })
}

/** Reads dates relative to the text: "tomorrow" in a mail is the day after the mail, not after the question. */
function dateReader(powers: Clock & OwnerFacts & Extraction, written: Json): DateReader {
  const at = typeof written === 'string' ? Date.parse(written) : Number.NaN
  return (words, side) => {
    const time = typedFields(powers, words, {
      now: Number.isNaN(at) ? powers.now() : at,
      timezone: powers.profile().timezone,
    })[side]
    return typeof time === 'string' ? time : null
  }
}

/** The date of the record that a text is a field of, such as that of a mail; null if it declares none. */
async function writtenAt(powers: SealedReading & Actions, task: Task, ref: string): Promise<Labeled> {
  const none = receive(null, { label: PUBLIC, taint: CLEAN })
  const at = await recordAt(powers, task, ref)
  if (at === null) return none
  const { record, path } = at
  for (let depth = path.length; depth >= 0; depth -= 1) {
    const holder = path.slice(0, depth)
    const spec = specAt(record.source.spec, holder)
    if (!spec.ok || spec.value.kind !== 'record') continue
    const dated = Object.entries(spec.value.fields).find(([, field]) => field.kind === 'date')
    const date = dated === undefined ? null : pick(record, [...holder, dated[0]])
    if (date?.ok === true) return date.value
  }
  return none
}

/** Refusal: nothing_found if the list is empty, or the model picks none of its items. */
export async function choose(
  powers: PointPorts,
  task: Task,
  { index, step }: { readonly index: number; readonly step: ChooseStep },
): Promise<Outcome> {
  const items = await itemsOf(powers, task, step.from)
  if (!items.ok) return failed(index, items.reason)
  const nothing = failed(index, { code: 'nothing_found', facts: { step: step.id } })
  if (items.value.length === 0) return nothing
  const numbered = combine<Json, Json>(items.value, (all) =>
    all.map((item, at) => ({ number: at + 1, item: item ?? null })),
  )
  const reply = await askStep(powers, task, {
    ...{ purpose: 'choose', inputs: [{ root: step.from, value: numbered }] },
    texts: [step.question],
  })
  if (!reply.ok) return failed(index, unchosen(reply.reason))
  const picked = numbersOf(reply.value.text).filter((number) => number >= 1 && number <= items.value.length)
  const chosen = joinProvenance(reply.value.provenance, raw(step.do))
  const result = resultOf(step, { picked, chosen })
  return result === null
    ? nothing
    : { got: 'result', step: index, result, label: describeLabel(chosen.label) }
}

/** A failed model call does not mean that no item fits. */
function unchosen(reason: Refusal): Refusal {
  return reason.code === 'answer_empty' ? { code: 'model_unavailable', facts: {} } : reason
}

function resultOf(
  { from, take }: ChooseStep,
  { picked, chosen }: { readonly picked: readonly number[]; readonly chosen: Provenance },
): StepResult | null {
  const list = parseReference(from)
  const [first, ...others] = [...new Set(picked)].map((number) => number - 1)
  if (!list.ok || first === undefined) return null
  const { root, path } = list.value
  if (take === 'first') return { kind: 'alias', root, path: [...path, first], chosen }
  return { kind: 'aliases', root, paths: [first, ...others].map((at) => [...path, at]), chosen }
}

async function itemsOf(
  powers: SealedReading & Actions,
  task: Task,
  from: string,
): Promise<Result<readonly Labeled[]>> {
  const count = await countAt(powers, task, from)
  if (!count.ok) return count
  const items: Labeled[] = []
  for (let at = 0; at < Math.min(count.value, MAX_ITEMS); at += 1) {
    const item = await resolveRef(powers, task, `${from}[${at}]`)
    if (!item.ok) return item
    items.push(item.value)
  }
  return { ok: true, value: items }
}

function numbersOf(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number)
}

function failed(step: number, reason: Refusal): Outcome {
  return { got: 'failed', step, reason }
}
