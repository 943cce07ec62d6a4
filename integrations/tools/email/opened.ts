/**
 * Reads the files of a mail: one attachment as text, or the invitation as fields. The name selects the file; its bytes determine
 * its kind. Must not keep a file, or pass one to another program. Called by run.ts.
 */
import { decodeWords } from 'postal-mime'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { ToolCall, ToolOutcome } from '../../../kernel/tool/manifest.ts'
import { formatOf, type InvitedEvent } from '../../extractors/document.ts'
import { meantBy } from '../../extractors/file-name.ts'
import { cleanLine } from '../../extractors/page-clean.ts'
import { type FileReading, readBytes } from '../../extractors/readable.ts'
import { pagesOf } from '../../extractors/text-pages.ts'
import { type JsonRecord, recordOf, stringOf } from '../reading.ts'
import { INVITATION_LOOKED_AT, OPENED_BOUNDS, OPENED_TEXT } from './actions/opened-actions.ts'
import type { Mailbox, MailFile } from './mailbox-port.ts'
import { headerOf, isInvitation, partsOf } from './message/mime.ts'

type Args = ToolCall['args']

interface Opening {
  readonly mailbox: Mailbox
  readonly reading: FileReading
}

/**
 * Refusals: remote_not_found for a mail without files, or without one with that name; file_ambiguous; file_not_text for an
 * unknown format (J-13); file_too_large; those of the mailbox and of the readers.
 */
export async function readAttachment(args: Args, { mailbox, reading }: Opening): Promise<ToolOutcome> {
  const files = await mailbox.files(String(args['id']), OPENED_BOUNDS)
  if (!files.ok) return files
  const named = files.value.map((file) => ({ file, name: nameOf(file) }))
  const typed = args['file']
  const meant = typeof typed === 'string' && typed.trim() !== '' ? ofName(typed, named) : named
  const [first] = meant
  if (first === undefined) return err('remote_not_found', { what: 'file' })
  if (meant.length > 1) {
    const names = meant.slice(0, OPENED_BOUNDS.named).map(({ name }) => name)
    return { ok: true, output: { text: names.join('\n'), page: 1, pages: 1, several: true } }
  }
  const read = await readBytes(first.file.bytes, first.name, reading)
  if (!read.ok) return read
  const { text, title, pages: length, events, kind = 'text' } = read.value
  const pages = pagesOf(text, OPENED_TEXT.page)
  const page = typeof args['page'] === 'number' && args['page'] >= 1 ? Math.floor(args['page']) : 1
  const own = pages[page - 1]
  if (own === undefined) return err('remote_not_found', { what: 'page' })
  return {
    ok: true,
    output: {
      ...{ name: first.name, kind, text: own, page, pages: pages.length, several: false },
      ...(title !== undefined && { title }),
      ...(length !== undefined && { length }),
      ...(events !== undefined && { events }),
    },
  }
}

/** Selects by the same rules as files of a folder. */
function ofName<T extends { readonly name: string }>(typed: string, files: readonly T[]): readonly T[] {
  const meant = meantBy(
    typed,
    files.map((file) => ({ ...file, path: file.name })),
  )
  return meant.is === 'one' ? [meant.file] : meant.is === 'several' ? meant.files : []
}

function nameOf({ name }: MailFile): string {
  return cleanLine(decodeWords(name.slice(0, 2_000)), OPENED_TEXT.name) || 'attachment'
}

/** Refusals: nothing_found if there is no invitation; those of `readAttachment`. */
export async function readInvitation(args: Args, { mailbox, reading }: Opening): Promise<ToolOutcome> {
  const message = await invited(args['id'], mailbox)
  if (!message.ok) return message
  const { id, subject } = message.value
  const events = await invitedIn(id, { mailbox, reading })
  if (!events.ok) return events
  return {
    ok: true,
    output: { id, subject, events: events.value, ...(isOnce(events.value) && { once: true }) },
  }
}

/** Whether it is a single event with a time, and no cancellation. */
function isOnce([event, ...others]: readonly InvitedEvent[]): boolean {
  if (event === undefined || others.length > 0) return false
  const { method, allDay, repeats } = event
  return (method === 'request' || method === 'publish') && !allDay && !repeats
}

/** The events of the first calendar file of a mail. Refusals: those of `readInvitation`. */
export async function invitedIn(
  id: string,
  { mailbox, reading }: Opening,
): Promise<Result<readonly InvitedEvent[]>> {
  const files = await mailbox.files(id, OPENED_BOUNDS)
  if (!files.ok) return files
  const file = files.value.find(({ bytes }) => formatOf(bytes) === 'calendar')
  if (file === undefined) return err('nothing_found')
  const read = await readBytes(file.bytes, 'invite.ics', reading)
  return read.ok ? ok(read.value.events ?? []) : read
}

/** The named mail, or the newest of the inbox with an invitation. */
async function invited(
  id: unknown,
  mailbox: Mailbox,
): Promise<Result<{ readonly id: string; readonly subject: string }>> {
  if (typeof id === 'string') {
    const message = await mailbox.read(id)
    return message.ok ? ok({ id, subject: subjectOf(message.value) }) : message
  }
  const found = await mailbox.find({ folder: 'inbox', count: INVITATION_LOOKED_AT })
  if (!found.ok) return found
  const newest = found.value.messages.find((one) => partsOf(recordOf(one, 'payload')).some(isInvitation))
  const own = newest === undefined ? '' : stringOf(newest, 'id')
  return newest === undefined || own === ''
    ? err('nothing_found')
    : ok({ id: own, subject: subjectOf(newest) })
}

function subjectOf(message: JsonRecord): string {
  return cleanLine(headerOf(recordOf(message, 'payload'), 'subject'), OPENED_TEXT.name)
}
