/**
 * What the kernel does itself when a plan says `memory.save`, `memory.search` or `message.reply` (B-20, I-22,
 * I-23). The same token as for any tool has been spent before. Called by invoke.ts.
 */
import type { Json } from '../flow/json.ts'
import { combine, derive, joinProvenance, type Labeled, type Provenance, test } from '../flow/labeled.ts'
import { checkRead } from '../flow/policy.ts'
import { createRecord, extractRecord, type LabeledRecord, type RecordSource } from '../flow/record.ts'
import { type Result, refused } from '../flow/verdict.ts'
import { shapeOf } from '../powers/effects.ts'
import type { Powers } from '../powers/ports.ts'
import { keepText, openTextOf } from '../powers/sealed.ts'
import { REPLY } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { deliver } from './deliver.ts'

/** Newest facts that are searched at all: bounds one search's work. */
const SEARCHED_FACTS = 500
const FOUND_FACTS = 20

interface EffectCall {
  /** Id of the step: two replies of one task are two deliveries. */
  readonly step: string
  readonly action: RegisteredAction
  readonly args: Labeled<{ readonly [key: string]: Json }>
}

export function runKernelEffect(
  powers: Powers,
  task: Task,
  call: EffectCall,
): Promise<Result<LabeledRecord>> {
  switch (call.action.id) {
    case 'memory.save':
      return save(powers, task, call)
    case 'memory.search':
      return search(powers, task, call)
    case REPLY:
      return reply(powers, task, call)
    default:
      return Promise.resolve(refused('tool_unknown', { tool: call.action.id }))
  }
}

async function save(
  powers: Powers,
  task: Task,
  { action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const text = derive(args, (values) => String(values['text'] ?? ''))
  const ref = await keepText(powers, { principal: task.principal, store: 'memory', until: null }, text)
  powers.store.saveFact({ id: powers.newId(), principal: task.principal, ref, at: powers.now() })
  return recordOf(powers, action, { output: { saved: true }, inputs: args })
}

/** Facts above the task's ceiling are not there for it (B-20). */
async function search(
  powers: Powers,
  task: Task,
  { action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const found: { readonly text: Labeled<string>; readonly at: string }[] = []
  for (const fact of powers.store.facts(task.principal, SEARCHED_FACTS)) {
    if (found.length >= FOUND_FACTS || !checkRead(task.ceiling, fact.ref.label).allow) continue
    const text = await openTextOf(powers, fact.ref)
    if (text.ok && isAsked(args, text.value))
      found.push({ text: text.value, at: new Date(fact.at).toISOString() })
  }
  const facts = combine(
    found.map(({ text, at }) => derive(text, (inner): Json => ({ text: inner, at }))),
    (all): Json => ({ facts: [...all] }),
  )
  const source = sourceOf(powers, action, joinProvenance(args, facts))
  return source.ok ? extractRecord(source.value, facts, (value) => value) : source
}

/** Any word of the question in the fact; without a question, everything. */
function isAsked(args: Labeled<{ readonly [key: string]: Json }>, text: Labeled<string>): boolean {
  const hit = combine<Json, boolean>([args, text], ([values, fact]) => {
    const query = (values as { readonly query?: Json }).query
    if (typeof query !== 'string') return true
    const words = query
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word.length > 2)
    return words.length === 0 || words.some((word) => String(fact).toLowerCase().includes(word))
  })
  return test(hit, (value) => value)
}

/** The text was guarded when it was resolved (reply.ts): it goes out as it was authorised, byte for byte. */
async function reply(
  powers: Powers,
  task: Task,
  { step, action, args }: EffectCall,
): Promise<Result<LabeledRecord>> {
  const text = derive(args, (values) => String(values['text'] ?? ''))
  const sent = await deliver(powers, task, { id: `${task.id}:${step}`, kind: 'answer', text, approval: null })
  return sent.ok ? recordOf(powers, action, { output: { sent: true }, inputs: args }) : sent
}

function sourceOf(powers: Powers, action: RegisteredAction, inputs: Provenance): Result<RecordSource> {
  const shape = shapeOf(powers.registry, action.id)
  const { label, taint } = inputs
  return shape.ok ? { ok: true, value: { ...shape.value, inputs: { label, taint } } } : shape
}

function recordOf(
  powers: Powers,
  action: RegisteredAction,
  done: { readonly output: Json; readonly inputs: Provenance },
): Result<LabeledRecord> {
  const source = sourceOf(powers, action, done.inputs)
  return source.ok ? createRecord(source.value, done.output) : source
}
