/**
 * Files of a mail that are read: an attachment as text, an invitation as fields; which one is meant, and what is refused. The readers of documents have
 * tests of their own (home/office-text, home/document-reader).
 */
import { describe, expect, it } from 'vitest'
import { formatOf, type InvitedEvent } from '../../integrations/extractors/document.ts'
import type { Mailbox, MailFile } from '../../integrations/tools/email/mailbox-port.ts'
import { attachmentsIn } from '../../integrations/tools/email/message/mime.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { fileParts } from '../../sidecar/mail/imap-message.ts'
import { icsOf } from '../fakes/office.ts'
import { callTool, outputOf, refusal } from './calls.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const file = (name: string, text = 'x', type = 'application/octet-stream'): MailFile => ({
  ...{ name, type },
  bytes: bytesOf(text),
})
const EVENT: InvitedEvent = {
  ...{ method: 'request', title: 'Lunch', from: '2026-12-01T09:00:00Z', to: '2026-12-01T10:00:00Z' },
  ...{ allDay: false, repeats: false, attendees: ['tom@x.example'], invited: 1, organizer: 's@x.example' },
}
const INVITE = icsOf(['DTSTART:20261201T090000Z'])

/** A reader that knows a format by its first bytes, as home's does. */
const readingOf = (events: readonly InvitedEvent[]) => async (bytes: Uint8Array) => {
  const format = formatOf(bytes)
  if (format === 'calendar') return ok({ kind: 'calendar' as const, text: 'Lunch', events })
  return format === 'pdf'
    ? ok({ kind: 'pdf' as const, text: 'The lease', title: 'Lease', pages: 3 })
    : err('field_malformed')
}

const listed = (id: string, parts: readonly Json[]) => ({
  ...{ id, internalDate: '1764576000000', snippet: '' },
  payload: { headers: [{ name: 'Subject', value: `About ${id}` }], parts },
})

function having(
  mail: readonly MailFile[],
  inbox: readonly ReturnType<typeof listed>[] = [],
  events: readonly InvitedEvent[] = [EVENT],
) {
  const unasked = () => Promise.reject(new Error('not asked for'))
  const asked: string[] = []
  const mailbox: Mailbox = {
    ...{ folders: unasked, newFolder: unasked, makeFolder: unasked },
    ...{ unread: unasked, mark: unasked, move: unasked, draft: unasked, send: unasked },
    find: async () => ok({ messages: inbox, more: false }),
    read: async (id) => ok(inbox.find((one) => one.id === id) ?? listed(id, [])),
    files: async (id, most) => {
      asked.push(id)
      const bytes = mail.reduce((sum, one) => sum + one.bytes.length, 0)
      return bytes > most.bytes || mail.length > most.count ? err('file_too_large') : ok(mail)
    },
  }
  const account = { address: 'me@x.example', hosts: ['imap.x.example'], open: () => mailbox, check: unasked }
  const tool = createEmailTool({
    htmlText: (html) => html.replace(/<[^>]*>/g, ''),
    document: readingOf(events),
    mail: { account, compose: unasked, digest: async () => '' },
  })
  const call = (action: string, args: { readonly [key: string]: Json } = {}): Promise<Result<Json>> =>
    callTool(tool, `email.${action}`, args)
  return { call, asked }
}

const read = async (mail: readonly MailFile[], args: { readonly [key: string]: Json } = {}) =>
  having(mail).call('attachment', { id: 'm1', ...args })

describe('an attachment', () => {
  it.each<[what: string, mail: MailFile, output: object]>([
    [
      'that is text',
      file('notes.txt', 'Bring a coat.'),
      { name: 'notes.txt', kind: 'text', text: 'Bring a coat.' },
    ],
    ['that is a page', file('a.html', '<p>Hi</p>'), { text: 'Hi' }],
    [
      'that is a PDF, whatever it is called',
      file('x.txt', '%PDF-1.7'),
      { kind: 'pdf', text: 'The lease', title: 'Lease', length: 3 },
    ],
    [
      'that is an invitation',
      file('invite.ics', INVITE),
      { kind: 'calendar', text: 'Lunch', events: [EVENT] },
    ],
    ['whose name is encoded', file('=?utf-8?B?w7xiZXIudHh0?='), { name: 'über.txt' }],
    ['whose name turns around', file('a\u202etxt.exe'), { name: 'a txt.exe' }],
    ['without a name', file(''), { name: 'attachment' }],
  ])('%s', async (_what, mail, output) => expect(outputOf(await read([mail]))).toMatchObject(output))

  it('is the one that is named, and otherwise the only one', async () => {
    const mail = [file('roof.txt', 'R'), file('lease.txt', 'L')]
    expect(outputOf(await read(mail, { file: 'lease.txt' }))).toMatchObject({ text: 'L', several: false })
    expect(outputOf(await read(mail))).toEqual({
      text: 'roof.txt\nlease.txt',
      page: 1,
      pages: 1,
      several: true,
    })
    expect(await read(mail, { file: 'other.txt' })).toEqual(refusal('remote_not_found', { what: 'file' }))
  })

  it('is read in parts', async () => {
    const mail = [file('long.txt', `${'line of a text\n'.repeat(3_000)}end`)]
    expect(outputOf(await read(mail))).toMatchObject({ page: 1, pages: 3 })
    expect(String(outputOf(await read(mail, { page: 3 }))['text'])).toMatch(/end$/)
    expect(await read(mail, { page: 4 })).toEqual(refusal('remote_not_found', { what: 'page' }))
  })

  it.each<[what: string, mail: readonly MailFile[], code: string]>([
    ['nothing where there is none', [], 'remote_not_found'],
    ['an unknown format, which stays a name', [file('a.xyz', 'a\u0000b')], 'file_not_text'],
    ['a program', [file('a.txt', '\u007fELF\u0002\u0001')], 'file_not_text'],
    ['an archive of other things', [file('a.docx', 'PK\u0003\u0004')], 'file_not_text'],
    ['RTF', [file('a.txt', '{\\rtf1}')], 'file_not_text'],
    ['too much', [file('a.txt', 'x'.repeat(21_000_000))], 'file_too_large'],
    ['too many', Array.from({ length: 21 }, (_, at) => file(`${at}.txt`)), 'file_too_large'],
  ])('refuses %s', async (_what, mail, code) =>
    expect(await read(mail)).toMatchObject({ ok: false, reason: { code } }),
  )

  it('is none where documents are not read, and says so where nothing walls the reader off', async () => {
    const tool = (document: () => Promise<Result<never>>) => {
      const { mailbox } = {
        mailbox: { files: async () => ok([file('a.pdf', '%PDF-1')]) } as unknown as Mailbox,
      }
      const account = {
        address: 'me@x.example',
        hosts: [],
        open: () => mailbox,
        check: async () => ok(null),
      }
      const mail = { account, compose: async () => new Uint8Array(), digest: async () => '' }
      return createEmailTool({ htmlText: (html: string) => html, document, mail })
    }
    for (const code of ['sandbox_missing', 'file_not_text'] as const)
      expect(
        await callTool(
          tool(async () => err(code)),
          'email.attachment',
          { id: 'm1' },
        ),
      ).toEqual(refusal(code))
  })
})

describe('an invitation', () => {
  it('is that of the mail, by its fields', async () => {
    const { call } = having([file('a.pdf', '%PDF-1'), file('', INVITE, 'text/calendar')])
    expect(outputOf(await call('invitation', { id: 'm1' }))).toEqual({
      ...{ id: 'm1', subject: 'About m1' },
      ...{ events: [EVENT], once: true },
    })
  })

  it.each<[what: string, events: readonly InvitedEvent[]]>([
    ['of two events', [EVENT, EVENT]],
    ['of one that comes again', [{ ...EVENT, repeats: true }]],
    ['of whole days', [{ ...EVENT, allDay: true }]],
    ['that calls it off', [{ ...EVENT, method: 'cancel' }]],
    ['that is an answer', [{ ...EVENT, method: 'reply' }]],
  ])('%s is not of one time', async (_, events) => {
    const { call } = having([file('', INVITE, 'text/calendar')], [], events)
    expect(outputOf(await call('invitation', { id: 'm1' }))).not.toHaveProperty('once')
  })

  it('is among the appointments of its mail, and a mail is read where it cannot be', async () => {
    const invite = file('', INVITE, 'text/calendar')
    const { call } = having([invite], [listed('m1', [{ mimeType: 'text/calendar', filename: '' }])])
    const { title, from, to } = EVENT
    expect(outputOf(await call('read', { id: 'm1' }))).toMatchObject({ appointments: [{ title, from, to }] })
    const none = having([], [listed('m1', [{ mimeType: 'text/calendar', filename: '' }])])
    expect(outputOf(await none.call('read', { id: 'm1' }))).not.toHaveProperty('appointments')
  })

  it('is the newest of the inbox where no mail is named', async () => {
    const invite = { mimeType: 'multipart/alternative', parts: [{ mimeType: 'text/calendar', filename: '' }] }
    const inbox = [listed('m3', [{ mimeType: 'text/plain' }]), listed('m2', [invite]), listed('m1', [invite])]
    const { call, asked } = having([file('', INVITE, 'text/calendar')], inbox)
    expect(outputOf(await call('invitation'))).toMatchObject({ id: 'm2', subject: 'About m2' })
    expect(asked).toEqual(['m2'])
  })

  it('is refused where there is none', async () => {
    expect(await having([file('a.txt')]).call('invitation', { id: 'm1' })).toEqual(refusal('nothing_found'))
    expect(await having([], [listed('m1', [])]).call('invitation')).toEqual(refusal('nothing_found'))
  })
})

describe('an invitation without a name is a file of its mail', () => {
  const calendar = { mimeType: 'text/calendar', filename: '' }
  it('once, also where the mail holds it as a named file', () => {
    expect(attachmentsIn([{ mimeType: 'text/plain' }, calendar])).toEqual([calendar])
    const named = { mimeType: 'application/ics', filename: 'invite.ics' }
    expect(attachmentsIn([calendar, named])).toEqual([named])
    const other = { mimeType: 'application/pdf', filename: 'a.pdf' }
    expect(attachmentsIn([calendar, other])).toEqual([calendar, other])
  })

  it('by IMAP as well', () => {
    const part = (type: string, key: string, name?: string) => ({
      ...{ type, part: key, size: 10 },
      ...(name !== undefined && { parameters: { name } }),
    })
    const of = (...childNodes: readonly object[]) =>
      fileParts({ type: 'multipart/mixed', childNodes } as never)
    expect(of(part('text/plain', '1'), part('text/calendar', '2'))).toMatchObject([
      { key: '2', name: 'invite.ics' },
    ])
    expect(of(part('text/calendar', '1'), part('application/ics', '2', 'i.ics'))).toMatchObject([
      { key: '2', name: 'i.ics' },
    ])
  })
})
