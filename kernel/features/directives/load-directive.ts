/**
 * `brain.load` (O-02, O-06, O-16, O-17): loads one directive file because the plan asked for it. A kernel effect:
 * uses no tool port and reaches nothing outside. A file that this task loaded already is not loaded again unless it
 * changed. Must only serve the owner's templates. Called by kernel-effects.ts.
 */
import { mayBeRequested } from '../../directives/mode.ts'
import { parseFileName } from '../../directives/name.ts'
import type { DirectiveText } from '../../directives/text.ts'
import type { Json } from '../../flow/json.ts'
import { combine, derive, fingerprint, type Labeled, test } from '../../flow/labeled.ts'
import { pick } from '../../flow/record.ts'
import { err, ok, type Result } from '../../flow/verdict.ts'
import { LOAD } from '../../powers/effects.ts'
import type { Actions, DirectiveFiles, Templates } from '../../powers/ports.ts'
import { openRecordOf, type SealedReading } from '../../powers/sealed.ts'
import { digestOf } from '../../task/capability.ts'
import type { Task } from '../../task/task.ts'
import { bodyOf, isNamed, isOwners, modeOf, type OpenDirective, ownWordsOf, readable } from './directives.ts'

type Arguments = Labeled<{ readonly [key: string]: Json }>

/**
 * Output of `brain.load`, with the label of the file. Refusals: principal_not_allowed; tool_unavailable at a place
 * without files; directive_name; directive_unknown, also for a file above the task's ceiling; directive_manual.
 */
export async function loadDirective(
  powers: SealedReading & Actions & Templates & DirectiveFiles,
  task: Task,
  args: Arguments,
): Promise<Result<Labeled>> {
  if (!isOwners(powers, task)) return err('principal_not_allowed', { template: task.template })
  if (powers.directives === undefined) return err('tool_unavailable', { tool: LOAD })
  if (!test(args, ({ name }) => parseFileName(name).ok)) return err('directive_name')
  const files = await readable(powers, task)
  const file = files.find((candidate) => isAsked(args, candidate))
  if (file === undefined) return err('directive_unknown')
  if (!mayBeRequested(modeOf(file), isNamed(file, await ownWordsOf(powers, task))))
    return err('directive_manual')
  const body = bodyOf(file)
  const hash = fingerprint(body, digestOf)
  const state = (await hasLoaded(powers, task, hash)) ? 'unchanged' : 'loaded'
  return ok(derive(body, ({ name, text }) => ({ name, hash, state, ...(state === 'loaded' && { text }) })))
}

function isAsked(args: Arguments, { content }: OpenDirective): boolean {
  const both = combine<Json, boolean>([args, content], ([values, file]) => {
    const name = parseFileName((values as { readonly [key: string]: Json })['name'])
    return name.ok && name.value === (file as DirectiveText).name
  })
  return test(both, (same) => same)
}

/** Whether an earlier step of this task loaded the same text, which is in its prompts since then. */
async function hasLoaded(powers: SealedReading & Actions, task: Task, hash: string): Promise<boolean> {
  for (const result of Object.values(task.results)) {
    if (result.kind !== 'sealed' || result.ref.holds.what !== 'record' || result.ref.holds.action !== LOAD)
      continue
    const record = await openRecordOf(powers, result.ref)
    const before = record.ok ? pick(record.value, ['hash']) : record
    if (before.ok && test(before.value, (value) => value === hash)) return true
  }
  return false
}
