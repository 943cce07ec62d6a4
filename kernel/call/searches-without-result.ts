/**
 * Finds text searches that returned no row in a task that found nothing at all. The planner then gets one more round, because the
 * thing may be called something else or be in another language (DESIGN §10). Decides by the lengths of lists, which a later
 * planner sees anyway; must not open a row. Called by drive.ts and planner-view.ts.
 */
import { lengthAt } from '../flow/record.ts'
import { isKernelEffect, lookUpAction } from '../powers/effects.ts'
import type { Actions } from '../powers/ports.ts'
import { openRecordOf, type SealedReading } from '../powers/sealed.ts'
import { FIND_TOOLS, isReference, parseReference, type Step, type ToolStep } from '../task/plan.ts'
import type { SealedRef, Task } from '../task/task.ts'
import type { RegisteredAction } from '../tool/registry.ts'
import { isDisclosed } from './disclosure.ts'
import { resolveRef } from './resolve.ts'

/** Actions that search for words. Their name is the only thing that they share. */
const SEARCH = /\.search$/

/**
 * Ids of the searches without a row. Empty if any step found or wrote something, or
 * could have: another search would then be pointless.
 */
export async function searchesWithoutResult(
  powers: SealedReading & Actions,
  task: Task,
): Promise<readonly string[]> {
  const steps = task.plan?.steps ?? []
  if (!steps.every((step) => isLook(step, steps) || isIdle(task, step))) return []
  const searches: string[] = []
  for (const step of steps) {
    const found =
      step.do === 'tool' && step.tool !== FIND_TOOLS ? await foundBy(powers, task, step) : 'nothing'
    if (found === 'something') return []
    if (found === 'no_row') searches.push(step.id)
  }
  return searches
}

/** The step never ran, because what it works on was not found. */
function isIdle({ results }: Task, { id }: Step): boolean {
  return results[id] === undefined || results[id].kind === 'skipped'
}

/**
 * Steps that call a tool, compute, or work on a list of this plan. Reading a text, or a list of an earlier
 * message, is no such step.
 */
function isLook(step: Step, steps: readonly Step[]): boolean {
  if (step.do === 'tool' || step.do === 'compute') return true
  const list = step.do === 'select' ? step.from : step.do === 'forEach' ? step.in : null
  const parsed = list === null ? null : parseReference(list)
  return parsed?.ok === true && steps.some(({ id }) => id === parsed.value.root)
}

/** `no_row`: a search by words that ran and returned an empty list. */
async function foundBy(
  powers: SealedReading & Actions,
  task: Task,
  step: ToolStep,
): Promise<'something' | 'nothing' | 'no_row'> {
  const result = task.results[step.id]
  if (result === undefined || result.kind === 'skipped') return 'nothing'
  if (result.kind === 'failed') return result.reason.code === 'nothing_found' ? 'nothing' : 'something'
  const action = lookUpAction(powers.registry, step.tool)
  if (!action.ok || result.kind !== 'sealed' || isKernelEffect(step.tool)) return 'something'
  if (action.value.semantics !== 'read' || !(await isEmpty(powers, result.ref))) return 'something'
  return (await isByWords(powers, task, { step, action: action.value })) ? 'no_row' : 'nothing'
}

async function isEmpty(powers: SealedReading & Actions, ref: SealedRef): Promise<boolean> {
  const record = ref.holds.what === 'record' ? await openRecordOf(powers, ref) : null
  if (record?.ok !== true) return false
  const { spec } = record.value.source
  const lists =
    spec.kind === 'record' ? Object.entries(spec.fields).filter(([, { kind }]) => kind === 'list') : []
  const lengths = lists.map(([name]) => lengthAt(record.value, [name]))
  return lengths.length > 0 && lengths.every((length) => !length.ok || length.value === 0)
}

/**
 * Only searches in the owner's own accounts are repeated: a service of others would see the owner's words a
 * second time.
 */
async function isByWords(
  powers: SealedReading & Actions,
  task: Task,
  { step, action }: { readonly step: ToolStep; readonly action: RegisteredAction },
): Promise<boolean> {
  const fields = Object.entries(action.args.fields)
  if (!SEARCH.test(action.id) || fields.some(([, field]) => isDisclosed(field))) return false
  for (const [name, { kind }] of fields) {
    const argument = step.args[name]
    if (kind !== 'text' || !isReference(argument)) continue
    if ((await resolveRef(powers, task, argument.$ref)).ok) return true
  }
  return false
}
