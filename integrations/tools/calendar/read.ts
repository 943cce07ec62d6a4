/**
 * One event of Google Calendar in full: note, place and attendees. Note, title and names are untrusted text: the sender of an
 * invitation writes them; addresses are validated. Must not write. Called by google.ts; home's backends use its field mapping
 * too.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { cleanText } from '../../extractors/page-clean.ts'
import { type JsonRecord, stringOf } from '../reading.ts'
import { organizerOf } from './answer.ts'
import { type Calendar, type CalendarChoice, chosenCalendars, eventsPath, isNamed } from './calendars.ts'
import { eventOf } from './change.ts'
import { EVENT_TEXT, MAIN } from './fields.ts'
import { plainNote } from './note.ts'
import { type ShapedEvent, shapeEvent } from './shape.ts'

interface Choice {
  readonly base: string
  readonly choice: CalendarChoice
}

/**
 * Searches the named calendar, even a read-only one; otherwise the chosen calendars. Refusals: remote_not_found, and those of
 * `callJson`.
 */
export async function readEvent(call: ToolCall, { base, choice }: Choice): Promise<ToolOutcome> {
  const id = String(call.args['id'])
  const wanted = call.args['calendar']
  const chosen = await chosenCalendars(call, base, choice)
  if (!chosen.ok) return chosen
  const all = chosen.value.calendars
  const main: Calendar = { id: MAIN, name: '', isMain: true, isSelected: true, isWritable: true }
  const named = wanted === undefined ? all : all.filter((one) => isNamed(one, String(wanted)))
  const into = named.length > 0 || wanted !== MAIN ? named : [main]
  for (const calendar of into) {
    const found = await eventOf(call, new URL(eventsPath(calendar.id), base), id)
    if (found.ok) return shapedWhole(found.value, calendar)
    if (found.reason.code !== 'remote_not_found') return found
  }
  return err('remote_not_found')
}

function shapedWhole(event: JsonRecord, calendar: Calendar): ToolOutcome {
  const shaped = shapeEvent(event, calendar)
  if (!shaped.ok) return shaped
  if (shaped.value === null) return err('remote_not_found')
  const output = wholeOf(shaped.value, {
    note: plainNote(stringOf(event, 'description')),
    organizer: organizerOf(event),
  })
  return { ok: true, output }
}

/** Declared fields of one event in full, for any account. */
export function wholeOf(
  { people, ...event }: ShapedEvent,
  { note, organizer }: { readonly note: string; readonly organizer: string | null },
): object {
  const named = (answer: string): string =>
    people
      .filter((one) => one.answer === answer)
      .map(({ name, email }) => (name === undefined ? email : `${name} (${email})`))
      .join(', ')
      .slice(0, EVENT_TEXT.people)
  const groups = { coming: 'accepted', perhaps: 'tentative', not: 'declined', open: 'none' }
  const said = Object.entries(groups)
    .map(([field, answer]) => [field, named(answer)] as const)
    .filter(([, text]) => text !== '')
  return {
    ...event,
    people,
    note: cleanText(note, EVENT_TEXT.note),
    ...(organizer !== null && { organizer }),
    ...(people.length === 0 && { alone: true }),
    ...Object.fromEntries(said),
  }
}
