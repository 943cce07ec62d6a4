/**
 * Recognises a correction of the fact that was just answered from memory, or just saved, and a wish to forget the fact just
 * saved. In any other place "change the cat to a dog" refers to something else. Must not correct it. Called by home-talk.ts.
 */
import { type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { StoreOf, TaskStore } from '../../powers/stores.ts'
import { isCorrection } from '../../task/answers/reworded.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { coreOf, fitting, lastRequest, whole } from './recognise-end.ts'

const OF_MEMORY: ReadonlySet<string> = new Set(['memory.search', 'memory.save'])

/** The fact that was just saved is not to be kept. */
const FORGETS: readonly RegExp[] = whole([
  '(?:forget|delete|drop|scrap) (?:it|that)(?: again| after all)*',
  '(?:vergiss|lösche?|streiche?) (?:das|es)(?: (?:bitte|wieder|doch|lieber))*',
])

export async function recogniseForget(
  powers: SealedReading & StoreOf<TaskStore>,
  task: Task,
): Promise<boolean> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return false
  const said = await openTextOf(powers, words)
  if (!said.ok || fitting(coreOf(said.value), FORGETS) === undefined) return false
  const { traces = [] } = lastRequest(powers, task) ?? {}
  return (
    traces.length > 0 && traces.every(({ tool, outcome }) => tool === 'memory.save' && outcome === 'done')
  )
}

export async function recogniseCorrection(
  powers: SealedReading & StoreOf<TaskStore>,
  task: Task,
): Promise<Labeled<string> | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok || !test(said.value, isCorrection)) return null
  const { traces = [] } = lastRequest(powers, task) ?? {}
  const isOfMemory =
    traces.length > 0 && traces.every(({ tool, outcome }) => OF_MEMORY.has(tool) && outcome === 'done')
  return isOfMemory ? said.value : null
}
