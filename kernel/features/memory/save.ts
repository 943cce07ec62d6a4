/**
 * Saves a fact (I-23) unless it is already known. If a similar fact exists, the owner is asked which one
 * holds (B-19, E-20); nothing is replaced without a yes. Facts above the clearance of this task and its chat
 * are ignored. Called by kernel-effects.ts.
 */
import { createSieve } from '../../call/values/withheld.ts'
import type { Json } from '../../flow/json.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { fitsTask, ownSession } from '../../model-call/read-through.ts'
import { oneLine } from '../../operations/lines.ts'
import { type Auditing, audit } from '../../powers/audit.ts'
import type { AskingTime, HomeLine, PolicySource } from '../../powers/ports.ts'
import { keepText, type SealedKeeping, type SealedReading } from '../../powers/sealed.ts'
import type { ApprovalStore, StoreOf, Transactions } from '../../powers/stores.ts'
import { changeDigest, createApproval, toolOf } from '../../task/approval.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { tell } from '../../wording/words.ts'
import { tellerOf, tellFact } from '../places/tell-home.ts'
import { openEntry } from './fact.ts'
import { findFacts, indexedWords } from './fact-index.ts'
import { likeness } from './likeness.ts'
import type { Fact, FactStore } from './port.ts'
import { indexWords } from './telling-words.ts'

/** Maximum facts of one label that are compared with a new one: bounds its work. */
const COMPARED = 32
/** Maximum UTF-16 units of a fact in the question about it. */
const QUOTED = 300

export type SaveFactPorts = Auditing &
  SealedKeeping &
  SealedReading &
  PolicySource &
  HomeLine &
  AskingTime &
  StoreOf<Transactions & FactStore & ApprovalStore>

interface Rival {
  readonly fact: Fact
  readonly text: Labeled<string>
}

/** Returns the equal fact that exists already, so that this one was not saved; null if it was saved. */
export async function saveFact(
  powers: SaveFactPorts,
  task: Task,
  text: Labeled<string>,
): Promise<Labeled<string> | null> {
  const { known, rival } = await alikeOf(powers, task, text)
  if (known !== null) return known
  const { principal } = task
  const ref = await keepText(powers, { principal, store: 'memory', until: null }, text)
  const words = await indexedWords(powers, principal, text)
  const id = powers.newId()
  powers.store.saveFact({ id, principal, ref, at: powers.now() }, words)
  await tellFact(powers, tellerOf(task), { id, text })
  if (rival !== null && principal === OWNER_PRINCIPAL) await askWhichHolds(powers, task, { id, text, rival })
  return null
}

/** Both facts must be the owner's own words: a text of others replaces nothing, and does not contradict the owner. */
async function alikeOf(
  powers: SaveFactPorts,
  task: Task,
  text: Labeled<string>,
): Promise<{ readonly known: Labeled<string> | null; readonly rival: Rival | null }> {
  let rival: Rival | null = null
  if (text.taint.level !== 'clean') return { known: null, rival }
  const sieve = createSieve(powers, task)
  const session = ownSession(powers, task)
  const fits = fitsTask(powers, task)
  const finder = {
    principal: task.principal,
    may: sieve.noting((label) => session.may(label) && fits(label)),
  }
  const asked = derive(text, (said) => ({ words: [...indexWords(said)], span: null }))
  for (const { fact } of await findFacts(powers, finder, { asked, most: COMPARED })) {
    const entry = await openEntry(powers, fact)
    if (!entry.ok || entry.value.taint.level !== 'clean') continue
    const before = derive(entry.value, (one) => one.text)
    const alike = combine<Json, string>([text, before], ([fresh, old]) =>
      String(likeness(String(fresh), String(old))),
    )
    if (test(alike, (is) => is === 'known')) return { known: before, rival: null }
    const isRival = test(alike, (is) => is === 'other' || is === 'near')
    if (isRival && fact.at > (rival?.fact.at ?? Number.NEGATIVE_INFINITY)) rival = { fact, text: before }
  }
  return { known: null, rival }
}

/** The question follows the answer. Both facts stay until the owner approves. */
async function askWhichHolds(
  powers: SaveFactPorts,
  task: Task,
  { id: by, text, rival }: { readonly id: string; readonly text: Labeled<string>; readonly rival: Rival },
): Promise<void> {
  const { principal, sink } = task
  const [id, now] = [powers.newId(), powers.now()]
  const change = { do: 'fact', old: rival.fact.id, by } as const
  const card = combine<Json, string>([text, rival.text], (both) => {
    const [fresh = '', before = ''] = both.map((one) => oneLine(String(one)).slice(0, QUOTED))
    return tell('memory.which_holds', { before, fresh })
  })
  const until = now + powers.approvalTimeout
  const sealed = await keepText(powers, { principal, store: 'sessions', until }, card)
  const approval = createApproval({
    ...{ id, kind: 'choice', task: '', step: '', principal, tool: toolOf(change), sink, change },
    ...{ digest: changeDigest(change, sink), card: sealed.id, label: card.label },
    ...{ reason: 'choice_ambiguous', now, timeout: powers.approvalTimeout, told: false },
  })
  powers.store.transaction(() => {
    powers.store.saveApproval(approval, sealed)
    audit(powers, 'approval_asked', task, {
      ...{ approval: id, kind: approval.kind, tool: approval.tool },
      ...{ reason: approval.reason, label: approval.label },
    })
  })
}
