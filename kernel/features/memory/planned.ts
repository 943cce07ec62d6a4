/**
 * Changes to memory that a plan makes: one fact is forgotten, as by the owner's own sentence, or replaced. A corrected fact keeps
 * the label and taint of its new words: an approval does not make a model's words the owner's. Must not decide whether to ask.
 * Called by call/home-effects.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled } from '../../flow/labeled.ts'
import { checkRead } from '../../flow/policy.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { audit } from '../../powers/audit.ts'
import { MEMORY_SINK } from '../../powers/effects.ts'
import type { Operations } from '../../powers/ports.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { showTo } from '../deliveries/deliver.ts'
import { type NumberedPorts, type RewritePorts, rewrite } from './entries.ts'
import { find } from './entry-find.ts'
import { openFact } from './fact.ts'
import type { FactStore, MemoryStore } from './port.ts'

type Values = Readonly<Record<string, Json>>

export type FactChangePorts = NumberedPorts &
  RewritePorts &
  Operations &
  StoreOf<MemoryStore & FactStore & TaskStore>

interface NamedFact {
  readonly id: string
  readonly number: number
  readonly text: Labeled<string>
}

/** The fact that a call names. Refusals: principal_not_allowed for anybody but the owner; those of `find`. */
async function factNamed(
  powers: FactChangePorts,
  { principal, sink, ceiling }: Task,
  args: Labeled<Values>,
): Promise<Result<NamedFact>> {
  if (principal !== OWNER_PRINCIPAL) return err('principal_not_allowed')
  const words = derive(args, ({ which }) => String(which ?? ''))
  const which = showTo(powers, { sink: MEMORY_SINK[powers.place], principal }, words)
  if (!which.ok) return which
  const found = await find(powers, { principal, sink }, which.value)
  if (!found.ok) return found
  const { id, number } = found.value
  const fact = powers.store.fact(principal, id)
  // Only facts can be changed, not results of earlier answers.
  if (fact === null || !checkRead(ceiling, fact.ref.label).allow) return err('memory_unknown')
  const text = await openFact(powers, fact)
  return text.ok ? ok({ id, number, text: text.value }) : text
}

/** Text on the card of a change. Refusals: those of `factNamed`. */
export async function whichFact(
  powers: FactChangePorts,
  task: Task,
  args: Labeled<Values>,
): Promise<Result<Labeled<Values>>> {
  const named = await factNamed(powers, task, args)
  if (!named.ok) return named
  const { id: row, text } = named.value
  return ok(combine<Json, Values>([args, text], ([, fact = '']) => ({ fact, row })))
}

/** Refusals: those of `factNamed`, of forgetting and of `rewrite`; tool_unavailable without operations. */
export async function changeFact(
  powers: FactChangePorts,
  task: Task,
  action: string,
  args: Labeled<Values>,
): Promise<Result<Labeled<Values>>> {
  const named = await factNamed(powers, task, args)
  if (!named.ok) return named
  const { principal, sink } = task
  const { id, number, text: before } = named.value
  if (action === 'memory.forget') {
    const done = await forget(powers, task, id)
    return done.ok ? ok(combine<Json, Values>([args, before], ([, forgotten = '']) => ({ forgotten }))) : done
  }
  const said = derive(args, ({ text }) => String(text ?? ''))
  const changed = await rewrite(powers, { principal, sink }, { id, said })
  if (!changed.ok) return changed
  const undo = { undo: 'memory.undo', undo_number: number }
  audit(powers, 'memory_changed', task, { operation: 'memory.correct', by: principal, ok: true, ...undo })
  return ok(combine<Json, Values>([said, before], ([text = '', old = '']) => ({ text, before: old })))
}

function forget(powers: FactChangePorts, { id: task, event, principal, sink }: Task, which: string) {
  if (powers.operations === undefined) return Promise.resolve(err('tool_unavailable'))
  const { place } = powers
  const caller = { principal, place, door: 'private', sink, message: event, task, behind: true } as const
  return powers.operations({ operation: 'memory.forget', args: { which }, caller })
}
