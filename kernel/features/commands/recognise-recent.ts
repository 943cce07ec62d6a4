/**
 * Recognises the end of a reminder that was set or listed a short while ago, by its name or its numbers: "cancel the bins",
 * "lösch die Turnbeutel", "delete 22". It is meant before an event that nothing showed since. Must not end it. Called by
 * home-talk.ts; recognise-named.ts asks what was shown.
 */
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { contentOf, openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import { sealedIn, type Task } from '../../task/task.ts'
import { namesJob } from '../jobs/named.ts'
import { withWords } from '../memory/telling-words.ts'
import type { Reminder } from '../reminders/port.ts'
import { rowsCalled } from './called-rows.ts'
import { kindOf } from './listed-last.ts'
import {
  coreOf,
  ENDS,
  ENDS_GERMAN,
  fitting,
  PLACED,
  type RecognitionPorts,
  showsOthers,
  whole,
} from './recognise-end.ts'

/** Requests of the chat that are searched for what set or listed it. */
const LOOKED_BACK = 10
const WHICH = "(?<which>[\\p{L}\\d][\\p{L}\\d'’ -]{1,40}?)"
const THE = '(?:the |my |our |that |this )?'
const DAS = '(?:(?:die|den|das|der|meine?n?|unsere?n?) )?'
const SOFT = '(?: (?:bitte|doch|mal|wieder|ruhig))*'
/** Why it is no longer needed, which asks for nothing. */
export const WHY =
  "(?:(?:,| [-–]) ?(?:it|it'?s|that|that'?s|they|they'?re|he|she|i|i'?m|i'?ve|we|we'?re|we'?ve|no longer|not|already|done|is|es|sie|er|das|die|ist|sind|hab|habe|haben|wird|wurde|schon|brauche?|hat)(?!\\p{L})(?:(?! and | und | then | dann )[^,;:?!]){0,60})?"
const ENDED: readonly RegExp[] = whole([
  `${ENDS} ${THE}${WHICH}(?: (?:one|thing|reminder))?${WHY}`,
  `${THE}${WHICH}(?: (?:one|thing|reminder))? (?:can go|is no longer needed|isn'?t needed(?: any ?more)?)${WHY}`,
  `${ENDS_GERMAN}${SOFT} ${DAS}${WHICH}${SOFT}(?: (?:raus|weg|ab))?${WHY}`,
  `${DAS}${WHICH} (?:kannst du|kann|bitte)${SOFT} (?:streichen|löschen|weg|raus|entfernen)`,
])
const NUMBERS: readonly RegExp[] = whole([
  `(?:${ENDS}|${ENDS_GERMAN}) (?:(?:the|die) )?(?:(?:reminders?|erinnerung(?:en)?|numbers?|nummern?|nr\\.?|no\\.?) )?(?<all>#?\\d{1,4}(?:(?:,| and| und|, and| &) ?(?:reminder |erinnerung |nummer |number )?#?\\d{1,4}){0,8})`,
])
const ALL: readonly RegExp[] = whole([
  `${ENDS} (?:all|every one) (?:of )?(?:my |the |these |those )?reminders`,
  'stop all (?:of )?(?:my |the )?reminders',
  `${ENDS_GERMAN}${SOFT} alle (?:meine |diese |die )?erinnerungen(?: bitte)?`,
  'alle (?:meine |diese )?erinnerungen(?: bitte)? (?:löschen|stoppen|streichen|beenden|weg)',
])
/** All entries of the list at once. */
const CLEARS: readonly RegExp[] = whole([
  '(?:clear|empty|wipe)(?: out| off)? (?:the |my |our )?(?:(?:whole|entire|complete|full) )?(?:(?:shopping|grocery|to-?do) )?list',
  `${ENDS} everything (?:on|from|off) (?:the |my |our )?(?:(?:shopping|grocery|to-?do) )?list`,
  '(?:leere?|räume?) (?:bitte |mal )*(?:die |meine |unsere )?(?:(?:ganze|gesamte|komplette) )?(?:einkaufs|to-?do-?|aufgaben)?liste(?: leer| ab)?',
  `${ENDS_GERMAN}${SOFT} (?:alles (?:von|auf) (?:der|meiner)|die ganze) (?:einkaufs|to-?do-?)?liste`,
])
/** Words that name nothing, or a thing of another kind. */
const NO_NAME =
  /^(?:it|that|this|them|these|those|everything|all|both|one|nothing|es|das|die|den|sie|alles|beide|alle)$|(?<!\p{L})(?:mails?|e-?mails?|termine?|events?|meetings?|appointments?|jobs?|routinen?|calendar|kalender|list|liste|contacts?|today|tonight|tomorrow|heute|morgen|all|every|alle|jede\p{L}*|nicht|not|no|kein\p{L}*|off|out|from|of|von|aus|and|und)(?!\p{L})/iu

/** Null for any other message, and where not exactly one such reminder has the name. */
export async function recogniseRecent(
  powers: RecognitionPorts & Parameters<typeof kindOf>[0],
  task: Task,
): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  if (!said.ok) return null
  const core = coreOf(said.value)
  const open = powers.store.openReminders(principal, 'reminder')
  if (open.length > 0 && fitting(core, ALL) !== undefined)
    return { operation: 'reminders.cancel', args: { which: 'all' }, named: null }
  if (fitting(core, CLEARS) !== undefined && powers.store.openReminders(principal, 'task').length > 0)
    return { operation: 'reminders.done', args: { which: 'all' }, named: null }
  const numbered = fitting(core, NUMBERS)
  if (numbered !== undefined) {
    const all = derive(core, (text) => numbered.exec(text)?.groups?.['all'] ?? '')
    return ofNumbers(powers, { task, open, all })
  }
  const pattern = fitting(core, ENDED)
  if (pattern === undefined) return null
  const which = derive(core, (text) => pattern.exec(text)?.groups?.['which']?.trim() ?? '')
  const row = await latelyCalled(powers, task, which)
  return row === null
    ? null
    : { operation: 'reminders.cancel', args: { which: String(row.number) }, named: null }
}

/**
 * The one open reminder of that name, where it was set or listed lately, and where no entry of the list and no job has the
 * name.
 */
async function latelyCalled(
  powers: RecognitionPorts & Parameters<typeof kindOf>[0],
  task: Task,
  which: Labeled<string>,
): Promise<Reminder | null> {
  const { store } = powers
  const whole = await rowWithText(powers, store.openReminders(task.principal, 'reminder'), which)
  const isNone = test(which, (text) => PLACED.test(text) || NO_NAME.test(text))
  if (whole === null && (isNone || (await namesJob(powers, which)))) return null
  const found = await rowsCalled(powers, store.openReminders(task.principal, 'reminder'), which)
  const tasks = await rowsCalled(powers, store.openReminders(task.principal, 'task'), which)
  const [only, ...others] = whole === null ? found.map(({ row }) => row) : [whole]
  if (only === undefined || others.length + tasks.length > 0) return null
  const spokenOf = (before: Task): Promise<boolean> => speaksOf(powers, before, which)
  return (await isLately(powers, { task, row: only, spokenOf })) ? only : null
}

/** The only row that says just this: "the do it one". */
async function rowWithText(
  powers: RecognitionPorts,
  rows: readonly Reminder[],
  which: Labeled<string>,
): Promise<Reminder | null> {
  const found: Reminder[] = []
  for (const row of rows) {
    const text = await openTextOf(powers, row.ref)
    const isSame =
      text.ok &&
      test(
        combine([which, text.value], ([one = '', other = '']) => plain(one) === plain(other)),
        Boolean,
      )
    if (isSame) found.push(row)
  }
  const [only, ...others] = found
  return only === undefined || others.length > 0 ? null : only
}

function plain(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[\s.!]+$/u, '')
}

/** Every one of these numbers, where all of them are reminders and the list of them was shown lately, or one of them set. */
async function ofNumbers(
  powers: RecognitionPorts & Parameters<typeof kindOf>[0],
  {
    task,
    open,
    all,
  }: { readonly task: Task; readonly open: readonly Reminder[]; readonly all: Labeled<string> },
): Promise<MeantOperation | null> {
  const isNamed = ({ number }: Reminder): boolean =>
    test(all, (text) => (text.match(/\d+/gu) ?? []).map(Number).includes(number))
  const rows = open.filter(isNamed)
  const [row] = rows
  const count = test(all, (text) => new Set(text.match(/\d+/gu)).size === rows.length)
  if (row === undefined || !count) return null
  const spokenOf = async (before: Task): Promise<boolean> => showsOthers(powers, before)
  if (!(await isLately(powers, { task, row, spokenOf }))) return null
  return {
    operation: 'reminders.cancel',
    args: { which: rows.map(({ number }) => number).join(',') },
    named: null,
  }
}

/**
 * Whether one of the newest requests of the chat set this reminder or listed all of them, and none since spoke of something
 * else of that name.
 */
async function isLately(
  powers: RecognitionPorts & Parameters<typeof kindOf>[0],
  {
    task,
    row,
    spokenOf,
  }: {
    readonly task: Task
    readonly row: Reminder
    readonly spokenOf: (before: Task) => Promise<boolean>
  },
): Promise<boolean> {
  const { id, principal, sink } = task
  const before = powers.store
    .recentTasks(principal, 2 * LOOKED_BACK)
    .filter((one) => one.id !== id && one.sink === sink && one.typed === undefined && one.timed === undefined)
    .slice(0, LOOKED_BACK)
  for (const one of before) {
    if (row.sink === sink && row.at >= one.createdAt) return true
    if ((await kindOf(powers, one)) === 'reminder') return true
    if (await spokenOf(one)) return false
  }
  return false
}

/** Tools of the owner's own rows. */
const OWN = /^(?:reminder|task|memory)\./

/** Whether a request did or showed something else whose words these are; so may be what can no longer be read. */
export async function speaksOf(
  powers: RecognitionPorts,
  { plan, words, results }: Task,
  which: Labeled<string>,
): Promise<boolean> {
  if ((plan?.steps ?? []).every((step) => step.do !== 'tool' || OWN.test(step.tool))) return false
  const said = await openTextOf(powers, words)
  const shown = await Promise.all(sealedIn(results).map((ref) => contentOf(powers, ref)))
  for (const one of [said, ...shown]) {
    const isIn =
      !one.ok ||
      test(
        combine(
          [which, derive(one.value, (value) => JSON.stringify(value))],
          ([named = '', text = '']) => withWords(named, [{ text }]).length > 0,
        ),
        Boolean,
      )
    if (isIn) return true
  }
  return false
}
