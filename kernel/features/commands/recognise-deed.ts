/**
 * Recognises a deed that ticks an entry off and names nobody: "done, rang him", "erledigt, hab sie angerufen". The one open entry that
 * begins, or in German ends, with that verb is meant; null if there is none, or more than one. Must not tick it. Called by home-talk.ts.
 */
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { openTextOf } from '../../powers/sealed.ts'
import type { MeantOperation } from '../../powers/tier-port.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import type { Reminder } from '../reminders/port.ts'
import { coreOf, fitting, type RecognitionPorts, whole } from './recognise-end.ts'

const HIM = '(?: (?:him|her|them|it|that|back|up|already|just now|now|today))*'
const IHN = '(?:(?:ihn|sie|es|ihm|ihr|ihnen|das|den|die) |schon |gerade |eben |schon )*'
const DEEDS: readonly RegExp[] = whole([
  `(?:all )?(?:done|finished|sorted)[,.;:!]* (?:(?:i|we)(?:'?ve| have)? )?(?:just |already )*(?<verb>\\p{L}{3,15})${HIM}`,
  `(?:(?:i|we)(?:'?ve| have)? )?(?:just |already )*(?<verb>\\p{L}{3,15})${HIM}[,.;:!]* (?:so )?(?:that'?s |it'?s |(?:it|that) is )?(?:all )?done`,
  `(?:erledigt|fertig|done)[,.;:!]* (?:ich )?(?:hab|habe)(?: ich)? ${IHN}(?<verb>\\p{L}{5,20})`,
  `(?:ich )?(?:hab|habe) ${IHN}(?<verb>\\p{L}{5,20})[,.;:!]* (?:das ist |ist )?(?:erledigt|fertig)`,
])
/** What was done, by what was to be done; what is not here is regular. */
const VERBS: Readonly<Record<string, readonly string[]>> = {
  ...{
    rang: ['ring', 'call', 'phone'],
    called: ['call', 'ring', 'phone'],
    phoned: ['phone', 'call', 'ring'],
  },
  ...{
    bought: ['buy', 'get'],
    got: ['get', 'buy', 'fetch'],
    paid: ['pay'],
    sent: ['send'],
    wrote: ['write'],
  },
  ...{ written: ['write'], took: ['take'], taken: ['take'], gave: ['give'], given: ['give'], made: ['make'] },
  ...{ told: ['tell'], met: ['meet'], saw: ['see'], fed: ['feed'], swept: ['sweep'], brought: ['bring'] },
  ...{ read: ['read'], hung: ['hang'], found: ['find'], sold: ['sell'], built: ['build'], put: ['put'] },
}
/** Letters by which a German participle and its infinitive are the same: "geschrieben", "schreiben". */
const STEM = 4

/** Null for any other message. */
export async function recogniseDeed(powers: RecognitionPorts, task: Task): Promise<MeantOperation | null> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return null
  const said = await openTextOf(powers, words)
  const core = said.ok ? coreOf(said.value) : null
  const pattern = core === null ? undefined : fitting(core, DEEDS)
  if (core === null || pattern === undefined) return null
  const verb = derive(core, (text) => pattern.exec(text)?.groups?.['verb']?.toLowerCase() ?? '')
  const [only, ...others] = await entriesOf(powers, verb)
  return only === undefined || others.length > 0
    ? null
    : { operation: 'reminders.done', args: { which: String(only.number) }, named: null }
}

async function entriesOf(powers: RecognitionPorts, verb: Labeled<string>): Promise<readonly Reminder[]> {
  const found: Reminder[] = []
  for (const row of powers.store.openReminders(OWNER_PRINCIPAL, 'task')) {
    const text = await openTextOf(powers, row.ref)
    const isOne =
      text.ok &&
      test(
        combine([verb, text.value], ([did = '', entry = '']) => isDeedOf(did, entry)),
        Boolean,
      )
    if (isOne) found.push(row)
  }
  return found
}

function isDeedOf(did: string, entry: string): boolean {
  const words = entry.toLowerCase().match(/\p{L}+/gu) ?? []
  const [first = '', last = ''] = [words[0], words.at(-1)]
  const known = VERBS[did]
  if (known !== undefined) return known.includes(first)
  // "Booked" and "fixed", "planned", "carried".
  const regular = /^(?<stem>\p{L}{2,}?)(?:(?<double>\p{L})\k<double>|i)?ed$/u.exec(did)?.groups?.['stem']
  if (regular !== undefined)
    return first.startsWith(did.replace(/i?ed$/u, '')) || first.replace(/e$|y$/u, '') === regular
  const german = /^(?<before>\p{L}{0,6}?)ge(?<stem>\p{L}{3,})(?:t|en)$/u.exec(did)?.groups
  const stem = german === undefined ? did : `${german['before'] ?? ''}${german['stem'] ?? ''}`
  const least = Math.min((german?.['before']?.length ?? 0) + STEM, stem.length)
  return last.length > STEM && last.endsWith('n') && last.slice(0, least) === stem.slice(0, least)
}
