/**
 * What is remembered for long of a principal, for himself: to look at, to correct, to forget (E-20). Facts that he saved,
 * and results that working memory still holds or has archived. A correction is his own words, and a new fact; what is
 * forgotten is deleted with its sealed row. Must not show anything that the asking sink is not cleared for. Called by the
 * shell.
 */
import { stringsIn } from '../flow/json.ts'
import { describeLabel } from '../flow/label.ts'
import { derive, type Labeled } from '../flow/labeled.ts'
import { ownerWords, receive } from '../flow/provenance.ts'
import { allowed, type Result, refused } from '../flow/verdict.ts'
import { showTo } from '../pipeline/deliver.ts'
import { openFact } from '../pipeline/fact.ts'
import { contentOf } from '../pipeline/synthesis-view.ts'
import { type Teller, tellFact, tellForgotten } from '../pipeline/tell-home.ts'
import { audit } from '../powers/audit.ts'
import { FACT_MAX } from '../powers/effects.ts'
import type { Powers } from '../powers/ports.ts'
import { sealForLater } from '../powers/sealed.ts'
import type { SealedRef } from '../task/task.ts'
import { holdsSecret } from '../wording/guard/pasted.ts'
import { TOLD } from './told.ts'

/** Facts and results of one answer, each: bounds its work, and what a terminal shows at once. */
const SHOWN = 100
/** UTF-16 units of one result: its body is gone already, and a list of it is read, not a document. */
const RESULT_TEXT = 300

/** One thing that is remembered, as its owner sees it. */
export interface Keepsake {
  readonly id: string
  readonly kind: 'fact' | 'result'
  /** Which tool a result came from; null for a fact. */
  readonly tool: string | null
  readonly text: string
  /** `describeLabel`. */
  readonly label: string
  /** Whether it was said on the open line, and is a copy here. */
  readonly told: boolean
  /** Epoch milliseconds. */
  readonly at: number
}

/** Whose memory, and through which of his own sinks it is looked at. */
export interface Asking {
  readonly principal: string
  readonly sink: string
}

export interface Keepsakes {
  /** Newest first, facts before results; what `sink` is not cleared for is not there. */
  list(asking: Asking): Promise<readonly Keepsake[]>
  /** Refusal: memory_unknown. */
  forget(asking: Asking, id: string): Promise<Result<{ readonly told: boolean }>>
  /** Refusals: memory_unknown, also for a result, which is not his to word; tool_arguments_invalid for a text that is empty or too long. */
  correct(asking: Asking, id: string, text: string): Promise<Result<{ readonly id: string }>>
}

interface Kept {
  readonly id: string
  readonly kind: Keepsake['kind']
  readonly tool: string | null
  readonly ref: SealedRef
  readonly at: number
}

export function createKeepsakes(powers: Powers): Keepsakes {
  return {
    list: (asking) => list(powers, asking),
    forget: (asking, id) => forget(powers, asking, id),
    correct: (asking, id, text) => correct(powers, asking, { id, text }),
  }
}

async function list(powers: Powers, asking: Asking): Promise<readonly Keepsake[]> {
  const shown: Keepsake[] = []
  for (const kept of keptOf(powers, asking.principal)) {
    const text = await textOf(powers, kept)
    if (!text.ok) continue
    const open = showTo(powers, asking, text.value)
    if (!open.ok) continue
    const { ref, ...rest } = kept
    const told = isTold(kept)
    shown.push({ ...rest, text: open.value, label: describeLabel(ref.label), told })
  }
  return shown
}

function keptOf({ store }: Powers, principal: string): readonly Kept[] {
  const facts = store.facts(principal, SHOWN)
  const results = [...store.workingMemory(principal, SHOWN), ...store.archivedMemory(principal, SHOWN)]
  return [
    ...facts.map(({ id, ref, at }): Kept => ({ id, kind: 'fact', tool: null, ref, at })),
    ...results.slice(0, SHOWN).map(
      ({ action, ref, at, task }): Kept => ({
        id: resultId(task, ref),
        kind: 'result',
        tool: action,
        ref,
        at,
      }),
    ),
  ]
}

/** A copy of what the edge told keeps its mark, so that the owner sees where else it is. */
function resultId(task: string, { id }: SealedRef): string {
  return task.startsWith(TOLD) ? TOLD + id : id
}

function isTold({ id }: Pick<Kept, 'id'>): boolean {
  return id.startsWith(TOLD)
}

async function textOf(powers: Powers, kept: Kept): Promise<Result<Labeled<string>>> {
  if (kept.kind === 'fact') return openFact(powers, kept)
  const content = await contentOf(powers, kept.ref)
  return content.ok
    ? allowed(derive(content.value, (value) => stringsIn(value).join(', ').slice(0, RESULT_TEXT)))
    : content
}

async function forget(
  powers: Powers,
  asking: Asking,
  id: string,
): Promise<Result<{ readonly told: boolean }>> {
  const kept = keptOf(powers, asking.principal).find((one) => one.id === id)
  if (kept === undefined) return refused('memory_unknown')
  powers.store.transaction(() => drop(powers, asking.principal, kept))
  if (kept.kind === 'fact') await tellForgotten(powers, byHand(asking), id)
  return allowed({ told: isTold(kept) })
}

function byHand({ principal }: Asking): Teller {
  return { principal, template: '', task: null }
}

function drop(powers: Powers, principal: string, { id, kind, ref, tool }: Kept): void {
  const { store } = powers
  if (kind === 'fact') store.dropFact(principal, id)
  else store.dropMemory(principal, ref.id)
  store.deleteSealed([ref.id])
  audit(powers, 'memory_changed', null, {
    what: kind,
    tool,
    change: 'forgotten',
    by: principal,
    record: ref.id,
  })
}

async function correct(
  powers: Powers,
  asking: Asking,
  { id, text }: { readonly id: string; readonly text: string },
): Promise<Result<{ readonly id: string }>> {
  const { principal, sink } = asking
  const line = powers.policy().sinks.find((one) => one.id === sink)
  const kept = keptOf(powers, principal).find((one) => one.id === id)
  if (kept?.kind !== 'fact' || line === undefined) return refused('memory_unknown')
  if (text.trim() === '' || text.length > FACT_MAX)
    return refused('tool_arguments_invalid', { max: FACT_MAX })
  if (holdsSecret(text, powers.known)) return refused('secret_pasted')
  const said = receive(text, ownerWords(sink, line.level))
  const fresh = powers.newId()
  const sealed = await sealForLater(powers, { principal, store: 'memory', until: null }, said)
  const changed = powers.store.transaction(() => {
    // Looked up once more: it may have been forgotten or corrected while the words were sealed.
    if (!keptOf(powers, principal).some((one) => one.id === id)) return false
    sealed.put()
    drop(powers, principal, kept)
    powers.store.saveFact({ id: fresh, principal, ref: sealed.ref, at: powers.now() })
    return true
  })
  if (!changed) return refused('memory_unknown')
  await tellForgotten(powers, byHand(asking), id)
  await tellFact(powers, byHand(asking), { id: fresh, text: said })
  return allowed({ id: fresh })
}
