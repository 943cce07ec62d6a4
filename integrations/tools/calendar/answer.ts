/**
 * Answers an invitation to one event of Google Calendar: changes only the owner's participation status, and notifies the
 * organizer. Writes only to the version that was read. Must not retry a write. Called by google.ts.
 */
import { err } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { isAddress, type JsonRecord, recordOf, recordsOf, stringOf } from '../reading.ts'
import { callJson } from '../remote.ts'
import { calendarAt } from './calendars.ts'
import { failureOf, readEvent, urlOf } from './change.ts'
import { shapeChanged } from './shape.ts'

/**
 * `events`: URL of the events of its calendar. Refusals: organizer_unknown, not_invited, event_changed, write_outcome_unknown,
 * and those of `callJson`.
 */
export async function answerInvitation(call: ToolCall, events: URL): Promise<ToolOutcome> {
  // The version comes from the card, which shows who receives the answer.
  if (call.args['version'] === undefined) return err('organizer_unknown')
  const found = await readEvent(call, events)
  if (!found.ok) return found
  const { event } = found.value
  const own = ownPart(event)
  if (own === null) return err('not_invited')
  const url = urlOf(event, events)
  url.searchParams.set('sendUpdates', 'all')
  const { answer } = call.args
  // The service treats a single attendee as an answer, and leaves the others unchanged.
  const body = { attendeesOmitted: true, attendees: [{ ...own, responseStatus: answer }] }
  const etag = stringOf(event, 'etag')
  const request = { method: 'PATCH', url: url.href, body, ...(etag !== '' && { ifMatch: etag }) } as const
  const sent = await callJson(call, request)
  const changed = sent.ok ? shapeChanged(sent.value) : sent
  if (!changed.ok) return { ok: false, reason: failureOf(changed.reason) }
  return { ok: true, output: { ...changed.value, calendarId: calendarAt(events), answer } }
}

/** The owner's own attendee entry; null for an event that the owner is not invited to, or organizes. */
function ownPart(event: JsonRecord): JsonRecord | null {
  const own = recordsOf(event, 'attendees').find((one) => one['self'] === true)
  return own === undefined || organizerOf(event) === null ? null : own
}

/** Address of the organizer; null if that is the owner, or nobody. */
export function organizerOf(event: JsonRecord): string | null {
  const organizer = recordOf(event, 'organizer')
  const email = stringOf(organizer, 'email')
  return organizer['self'] === true || !isAddress(email) ? null : email
}
