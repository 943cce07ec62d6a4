/**
 * Recognises messages that continue a change of the list: "put the milk back" for a ticked entry, "and bread too" right after a
 * tick, and "the 2nd bread" or "6" after a tick that fitted several entries. Must not change an entry. Called by home-talk.ts.
 */
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { operationInMessage } from '../../operations/commands.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { foundAt } from '../reminders/found.ts'
import { ENDED_KEPT, MOST_REMINDERS, type Reminder } from '../reminders/port.ts'
import { rowsCalled } from './called-rows.ts'
import { PLACE } from './listed-last.ts'
import {
  coreOf,
  fitting,
  lastRequest,
  MOST,
  plainCore,
  type RecognitionPorts,
  whole,
} from './recognise-end.ts'
import { WHY } from './recognise-recent.ts'
import { saysTicked } from './recognise-tick.ts'

const THE = '(?:(?:the|my|our|that|die|den|das|der) )?'
const WHICH = "(?<which>[\\p{L}\\d][\\p{L}\\d',& -]{1,60}?)"
const LISTE =
  '(?:(?:auf|zu) (?:die|der|meine|meiner|unsere|unserer) \\p{L}*liste|auf den zettel|drauf|rauf|dazu)'
/** Requests to restore a ticked entry. */
const PUT_BACK: readonly RegExp[] = whole(
  [
    `(?:put|add|stick|bring|pop) ${THE}${WHICH} back(?: (?:on|again|on again|on there|(?:on|onto|to) (?:the|my|our) (?:\\p{L}+ )?list))*`,
    `${THE}${WHICH} (?:goes |go |should go )?back on(?: (?:the|my|our) (?:\\p{L}+ )?list)?`,
    `(?:untick|uncheck|un-tick|un-check) ${THE}${WHICH}`,
    `(?:i|we) (?:did not|didn'?t|do not|don'?t|have not|haven'?t) (?:actually )?(?:get|have|got|buy|bought) ${THE}${WHICH}(?: after all| yet)?`,
    `(?:setz|schreib|pack|tu|nimm|mach|stell)e? (?:bitte |doch )*${THE}${WHICH}(?: (?:bitte|doch|auch))* wieder ${LISTE}`,
    `${THE}${WHICH}(?: (?:bitte|doch|muss|soll|kommt))* wieder ${LISTE}`,
    `${THE}${WHICH} (?:hab|habe|haben) (?:ich|wir) (?:doch )?(?:noch )?nicht(?: gekauft| bekommen| besorgt)?`,
  ].map((pattern) => `${pattern}${WHY}`),
)
/** Words such as "too": the entry is ticked off like the one before it. */
const TOO = '(?:,? (?:too|as well|also|auch|auch noch|auch schon|ebenfalls))+'
const ALSO: readonly RegExp[] = whole([`(?:and |und |also |oh |ach )*${THE}${WHICH}${TOO}`])
/** Answers that choose one of several entries. */
const ONE_OF: readonly RegExp[] = whole([
  `(?:i mean(?:t)? |ich meine? )?(?<all>(?:(?:the|die|den|das) )?${PLACE}(?: [\\p{L}' -]{2,40})?)`,
  '(?:i mean(?:t)? |ich meine? )?(?:number |no\\.? ?|nummer |nr\\.? ?|#)?(?<all>\\d{1,4})',
])
const ONE_CALLED: readonly RegExp[] = whole([`(?:i mean(?:t)? |ich meine? )?${THE}${WHICH}(?: one)?`])

/** Null for any other message, or if nothing was ticked off. */
export async function recogniseEntry(powers: RecognitionPorts, task: Task): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const core = coreOf(said.value)
  const back = fitting(core, PUT_BACK)
  if (back !== undefined) return restoring(powers, whichOf(core, back))
  const before = lastRequest(powers, task)
  if (before === null) return null
  const also = fitting(core, ALSO)
  if (also !== undefined)
    return endedSince(powers, before.createdAt).length > 0 ? ticking(whichOf(core, also)) : null
  const placed = fitting(core, ONE_OF)
  const called = placed === undefined ? fitting(core, ONE_CALLED) : undefined
  if ((placed ?? called) === undefined || !(await wasUnsure(powers, before))) return null
  if (placed !== undefined) return ticking(derive(core, (text) => placed.exec(text)?.groups?.['all'] ?? ''))
  const which = called === undefined ? null : whichOf(core, called)
  return which !== null && (await countOf(powers, which)) === 1 ? ticking(which) : null
}

function whichOf(core: Labeled<string>, pattern: RegExp): Labeled<string> {
  return derive(core, (text) => pattern.exec(text)?.groups?.['which']?.trim() ?? '')
}

function ticking(words: Labeled<string>): MeantOperation {
  return { operation: 'reminders.done', args: {}, named: { argument: 'which', words } }
}

/** Restores the entry with these words that was ticked off last. */
async function restoring(powers: RecognitionPorts, which: Labeled<string>): Promise<MeantOperation | null> {
  const ended = endedSince(powers, powers.now() - ENDED_KEPT)
  const [found] = await rowsCalled(powers, ended, which)
  return found === undefined
    ? null
    : { operation: 'reminders.restore', args: { which: String(found.row.number) }, named: null }
}

/** Entries ended since then, newest first. */
function endedSince({ store, now }: RecognitionPorts, since: number): readonly Reminder[] {
  return store
    .over({ fired: 0, ended: now() + 1 }, MOST_REMINDERS)
    .filter(
      ({ kind, principal, endedAt }) =>
        kind === 'task' && principal === OWNER_PRINCIPAL && (endedAt ?? 0) >= since,
    )
    .toSorted((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0))
}

/** Whether the previous request would have ticked off an entry but fitted several. */
async function wasUnsure(powers: RecognitionPorts, { words }: Task): Promise<boolean> {
  const said = words.taint.level === 'clean' ? await openTextOf(powers, words) : null
  if (said?.ok !== true) return false
  const which = derive(said.value, (text) => {
    if (text.length > MOST) return ''
    const called = operationInMessage(text)
    if (called?.operation.name === 'reminders.done')
      return String(called.args?.['which'] ?? called.rest ?? '')
    return saysTicked(plainCore(text)) ?? ''
  })
  return (await countOf(powers, which)) > 1
}

/** Number of entries that have these words, counted up to 2. */
async function countOf(powers: RecognitionPorts, which: Labeled<string>): Promise<number> {
  const texts: Labeled<string>[] = []
  for (const { ref } of powers.store.openReminders(OWNER_PRINCIPAL, 'task')) {
    const text = await openTextOf(powers, ref)
    if (text.ok) texts.push(derive(text.value, String))
  }
  const fits = combine([which, ...texts], ([named = '', ...open]) => {
    const found = foundAt(
      named,
      open.map((text) => ({ text })),
    )
    return Math.min(found.length, 2)
  })
  return [1, 2].find((count) => test(fits, (one) => one === count)) ?? 0
}
