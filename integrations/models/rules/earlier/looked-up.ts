/**
 * Which results of a request were only intermediate, such as a list from which a row was picked, and are not
 * shown. Pure. Called by answer.ts.
 */
import { type Json, stringsIn } from '../../../../kernel/flow/json.ts'
import type { PromptParts } from '../../../../kernel/prompt/parts.ts'
import { WRITES } from '../../../extractors/learned/classes.ts'
import { type Phrase, shownThings } from '../../../tools/phrase.ts'
import { TOOL_PHRASES } from '../../../tools/registered.ts'
import type { Said } from '../said.ts'

/** Actions whose results are not shown. */
export function lookedUpFor(said: Said, parts: PromptParts): ReadonlySet<string> {
  const { contents, troubles, sought = [] } = parts
  const values = contents.flatMap(({ action }) => (action.startsWith('value.') ? [action] : []))
  const isSet = [...contents.map(({ action }) => action), ...troubles.map(({ tool }) => tool)].includes(SET)
  // An event was looked up, and a time before it reckoned, to be reminded of it.
  const isBefore = isSet && values.length > 0
  // A time that something was booked for stands in what is said of that.
  const isUsed = contents.some(({ action }) => WRITES.has(action))
  const isWritten = isUsed || troubles.some(({ tool }) => WRITES.has(tool))
  const isPicked = sought.some(({ action }) => OPENED.includes(action))
  return new Set([
    ...readingsOf(said, parts),
    // Whose address was looked for stands in what was sent.
    ...(isWritten ? WRITERS : []),
    ...(isBefore || isWritten || said.move !== '' ? values : []),
    // What a time was taken out of, to be written: the card showed its words.
    ...(isWritten && (values.length > 0 || isPicked) ? OPENED : []),
    // Of what the owner did not want, nothing that it would have been picked from.
    ...(troubles.some(({ reason }) => reason === 'approval_denied') ? PICKED_FROM : []),
    ...sought.flatMap(({ missed, action }) => (missed || (isBefore && action !== SET) ? [action] : [])),
  ])
}

const SET = 'reminder.set'
/** Searches for whoever wrote something. */
const WRITERS = shownThings(TOOL_PHRASES).flatMap(({ writer }) => (writer === undefined ? [] : [writer.tool]))

/** Reads that show one thing whole. */
const OPENED = shownThings(TOOL_PHRASES)
  .flatMap(({ opens }) => opens ?? [])
  .map(({ tool }) => String(tool))

const REQUESTS = TOOL_PHRASES.flatMap(({ asks }) => asks)

/** Lists from which a request picks what it changes. */
const PICKED_FROM = REQUESTS.flatMap(({ among, picks, plan }) => {
  if (!WRITES.has(String(plan.at(-1)?.['tool']))) return []
  return [among, picks].flatMap((one) => (one === undefined ? [] : [one.tool])).concat(meansOf(plan))
})

/** Lists from which rows were read or picked, or were to be. */
function readingsOf(said: Said, { contents, troubles }: PromptParts): ReadonlySet<string> {
  const ran = new Set([...contents.map(({ action }) => action), ...troubles.map(({ tool }) => tool)])
  const found = REQUESTS.filter(
    ({ intent, plan }) =>
      (intent !== undefined && intent === said.intent) || ran.has(String(plan.at(-1)?.['tool'])),
  )
  return new Set(
    found.flatMap(({ among, picks, plan }) => [
      ...(among === undefined ? [] : [among.tool]),
      ...(picks === undefined ? [] : [picks.tool]),
      ...meansOf(plan),
    ]),
  )
}

/**
 * Of a plan that picks rows by their words, the action that lists them; and what was looked up for the
 * arguments of a later step alone.
 */
function meansOf(plan: Phrase['plan']): readonly string[] {
  const picked = plan.find((step) => step['do'] === 'select')
  const list = plan.find(({ id }) => id === String(picked?.['from']).split('.')[0])
  const given = plan
    .slice(0, -1)
    .filter(({ id, do: what }, at) => what === 'tool' && isGiven(plan.slice(at + 1), id))
  return [...(picked === undefined || list === undefined ? [] : [list]), ...given].map(({ tool }) =>
    String(tool),
  )
}

function isGiven(later: Phrase['plan'], id: Json | undefined): boolean {
  return later.some(({ args }) => stringsIn(args ?? null).some((text) => text.startsWith(`${String(id)}.`)))
}
