/** The owner's mail by IMAP and SMTP, at a real Dovecot and a real SMTP server: found, read, filed, written and sent, once. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Letter, Mailbox } from '../../integrations/tools/email/mailbox-port.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import { withImap } from '../../sidecar/mail/imap-client.ts'
import { createMailAccount, createMailPowers } from '../../sidecar/mail/mail-account.ts'
import type { MailSettings } from '../../sidecar/mail/mail-settings.ts'
import {
  type Dovecot,
  HAS_DOVECOT,
  newCertificate,
  OWNER,
  PASSWORD,
  putMail,
  type Smtp,
  settingsAt,
  startDovecot,
  startSmtp,
} from '../kit/mail-servers.ts'
import { callTool, outputOf, refusal } from '../tools/calls.ts'

const CREDENTIAL = { scheme: 'bearer', value: PASSWORD } as const
const LETTER: Letter = {
  ...{ to: ['tom@x.example'], cc: [], bcc: [], subject: 'Grüße', text: 'Hallo\n.\nWelt', messageId: 'abc' },
}

const FORGED = ['From: Tom <tom@x.example>', 'From: eve@evil.example', 'Subject: Forged']
const PARTS_HEAD = [
  ...['From: Anna <anna@a.example>', 'Subject: Files', 'MIME-Version: 1.0'],
  'Content-Type: multipart/mixed; boundary="b"',
]
const PARTS = [
  ...[
    '--b',
    'Content-Type: text/plain; charset=iso-8859-1',
    'Content-Transfer-Encoding: quoted-printable',
    '',
  ],
  'The whole text =',
  '=97 na=EFve'.replace('=97', '-'),
  ...['--b', 'Content-Type: application/pdf; name="invoice.pdf"', 'Content-Transfer-Encoding: base64'],
  ...['Content-Disposition: attachment; filename="invoice.pdf"', '', 'JVBERi0xLjQK', '--b--', ''],
].join('\r\n')

function held<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.reason.code)
  return result.value
}

describe.runIf(HAS_DOVECOT)('at a Dovecot', () => {
  let dovecot: Dovecot
  let smtp: Smtp
  let settings: MailSettings
  let mailbox: Mailbox

  beforeAll(async () => {
    const certificate = newCertificate()
    dovecot = await startDovecot(certificate)
    smtp = await startSmtp(certificate, ['nobody@x.example'])
    settings = settingsAt(certificate, dovecot.port, smtp.port)
    const account = createMailAccount(settings)
    expect(await account.check(CREDENTIAL)).toEqual({ ok: true, value: OWNER })
    mailbox = account.open(CREDENTIAL)
    expect(await mailbox.find({ folder: 'inbox', count: 1 })).toMatchObject({ ok: true })
    put(
      '1',
      ['From: Sarah Lin <sarah@lin.example>', 'Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?='],
      'The budget is due.',
    )
    put('2', ['From: Bob <bob@b.example>', 'Reply-To: eve@evil.example', 'Subject: Lunch'], 'Friday?')
    put('3', FORGED, 'Urgent')
    put('4', PARTS_HEAD, PARTS)
  })

  const call = (action: string, args: { readonly [key: string]: Json }) => {
    const mail = createMailPowers(settings)
    const tool = createEmailTool({ htmlText: (html) => Promise.resolve(html.replace(/<[^>]*>/g, '')), mail })
    return callTool(tool, `email.${action}`, args, { credential: CREDENTIAL })
  }

  const put = (name: string, head: readonly string[], body: string): void =>
    putMail(dovecot, name, head, body)

  async function idOf(words: string): Promise<string> {
    const { messages } = held(await mailbox.find({ words, count: 5 }))
    return String(messages[0]?.['id'])
  }

  it('lists the inbox, and what is unread, of a person, and of a day', async () => {
    const { emails } = outputOf(await call('list', {})) as { emails: { subject: string }[] }
    expect(emails.map(({ subject }) => subject).sort()).toEqual(['Files', 'Forged', 'Grüße', 'Lunch'])
    expect(outputOf(await call('count', {}))).toEqual({ unread: 4, more: false })
    expect(
      outputOf(await call('search', { from: 'lin.example', unread: true, folder: 'inbox' })),
    ).toMatchObject({
      emails: [
        { from: 'sarah@lin.example', fromName: 'Sarah Lin', subject: 'Grüße', snippet: 'The budget is due.' },
      ],
      more: false,
    })
    for (const from of ['Sarah Lin', 'Lin, Sarah', 'sarah lin.example'])
      expect(outputOf(await call('search', { from, words: 'budget due', folder: 'inbox' }))).toMatchObject({
        emails: [{ subject: 'Grüße' }],
      })
    for (const from of ['Sarah Miller', '!!'])
      expect(outputOf(await call('search', { from, folder: 'inbox' }))).toEqual({ emails: [], more: false })
    expect(outputOf(await call('search', { since: '2027-11-26', folder: 'inbox' }))).toEqual({
      emails: [],
      more: false,
    })
    expect(outputOf(await call('list', { count: 1 }))).toMatchObject({ more: true })
  })

  it('says which mails these are, in their order, without one that is gone, and none of a folder that was numbered anew', async () => {
    const ids = [await idOf('lunch'), await idOf('budget')]
    expect(outputOf(await call('which', { ids }))).toEqual({
      mails: [
        { fromName: 'Bob', from: 'bob@b.example', subject: 'Lunch', date: expect.any(String) },
        { fromName: 'Sarah Lin', from: 'sarah@lin.example', subject: 'Grüße', date: expect.any(String) },
      ],
    })
    const gone = String(ids[0]).replace(/\.\d+\./, '.9999.')
    expect(outputOf(await call('which', { ids: [gone, ids[1] ?? ''] }))).toMatchObject({
      mails: [{ subject: 'Grüße' }],
    })
    const former = String(ids[0]).replace(/^\d+/, '7')
    expect(await call('which', { ids: [former] })).toMatchObject(refusal('mail_renumbered'))
    expect(await call('which', { ids: ['../x'] })).toMatchObject(refusal('tool_arguments_invalid'))
    expect(outputOf(await call('count', {}))).toEqual({ unread: 4, more: false })
  })

  it('lists of a person what has all words of the name, in any order, and of nobody else', async () => {
    const subjects = async (args: { readonly [key: string]: Json }) =>
      (outputOf(await call('list', args)) as { emails: { subject: string }[] }).emails.map(
        ({ subject }) => subject,
      )
    expect(await subjects({ from: 'Sarah' })).toEqual(['Grüße'])
    expect(await subjects({ from: 'lin SARAH' })).toEqual(['Grüße'])
    expect(await subjects({ from: 'Sarah Miller' })).toEqual([])
    expect(await subjects({ from: 'Sarah', since: '2027-11-26' })).toEqual([])
  })

  it('searches by all words, and where no mail has them all, by the most, and says so', async () => {
    expect(outputOf(await call('search', { words: 'budget due' }))).toMatchObject({
      emails: [{ subject: 'Grüße' }],
    })
    expect(await call('search', { words: 'budget due' })).not.toMatchObject({ output: { some: true } })
    // Of the words, one stands in a subject and the other in a text.
    expect(outputOf(await call('search', { words: 'budget lunch' }))).toMatchObject({
      ...{ emails: [{ subject: 'Lunch' }, { subject: 'Grüße' }], some: true },
    })
    expect(outputOf(await call('search', { words: 'budget hippopotamus giraffe' }))).toMatchObject({
      emails: [],
    })
    expect(outputOf(await call('search', { words: 'hippopotamus' }))).toMatchObject({ emails: [] })
    expect(outputOf(await call('search', { words: '"\\ OR ALL) 1:*' }))).toMatchObject({ emails: [] })
  })

  it('reads text, recipients and names of attachments, and marks nothing as read', async () => {
    const read = outputOf(await call('read', { id: await idOf('whole') }))
    expect(read).toMatchObject({
      body: 'The whole text - naïve',
      files: ['invoice.pdf'],
      hasAttachments: true,
      to: [OWNER, 'anna@a.example'],
    })
    expect(outputOf(await call('count', {}))).toEqual({ unread: 4, more: false })
  })

  it('sends a mail on with its files, byte for byte, and files the copy with them', async () => {
    const before = held(await mailbox.find({ folder: 'sent', count: 25 })).messages.length
    const id = await idOf('whole')
    const { files, version } = outputOf(await call('enclosed', { id })) as {
      files: { file: string }[]
      version: string
    }
    expect(files).toMatchObject([
      { file: expect.stringMatching(/^9 bytes, SHA-256 [0-9a-f]{32}: invoice\.pdf$/) },
    ])
    const args = { to: ['tom@x.example'], id, subject: 'Files', text: 'The whole text', version }
    expect(outputOf(await call('forward', args))).toMatchObject({ to: ['tom@x.example'], filed: true })
    const sent = await PostalMime.parse(String(smtp.received.at(-1)?.text))
    expect(sent.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['invoice.pdf', 'application/pdf'],
    ])
    expect(Buffer.from(sent.attachments[0]?.content as ArrayBuffer).toString('latin1')).toBe('%PDF-1.4\n')
    const { messages } = held(await mailbox.find({ folder: 'sent', count: 25 }))
    expect(messages).toHaveLength(before + 1)
    const copy = held(await mailbox.files(String(messages[0]?.['id']), { count: 5, bytes: 100 }))
    expect(copy).toMatchObject([{ name: 'invoice.pdf', bytes: Buffer.from('%PDF-1.4\n') }])
    expect(await mailbox.files(id, { count: 5, bytes: 8 })).toMatchObject(refusal('file_too_large'))
    expect(await mailbox.files(id, { count: 0, bytes: 100 })).toMatchObject(refusal('file_too_large'))
    const other = { ...args, version: 'v1' }
    expect(await call('forward', other)).toMatchObject(refusal('event_changed'))
  })

  it('names no sender where there are two, and the other address where answers are wanted', async () => {
    expect(outputOf(await call('read', { id: await idOf('Urgent') }))).toMatchObject({ senderUnclear: true })
    expect(outputOf(await call('read', { id: await idOf('Friday?') }))).toMatchObject({
      from: 'bob@b.example',
      replyTo: 'eve@evil.example',
    })
  })

  it('replies to the one sender, in the thread, and files one copy', async () => {
    const id = await idOf('budget')
    const args = { id, to: 'sarah@lin.example', subject: 'Grüße', body: 'Yes.', quoted: 'The budget is due.' }
    expect(outputOf(await call('reply', args))).toEqual({
      to: ['sarah@lin.example'],
      refused: [],
      filed: true,
    })
    const [sent] = smtp.received.slice(-1)
    expect(sent).toMatchObject({ from: OWNER, to: ['sarah@lin.example'] })
    expect(sent?.text).toContain('In-Reply-To: <m1@x.example>')
    expect(sent?.text).toContain('References: <m1@x.example>')
    expect(sent?.text).toMatch(/Subject: =\?UTF-8\?Q\?Re=3A_Gr|Subject: Re: =\?UTF-8/)
    expect(sent?.text).toContain('Yes.\r\n\r\n> The budget is due.')
    expect(held(await mailbox.find({ folder: 'sent', count: 25 })).messages).toHaveLength(1)
  })

  it.each([
    ['another address than its sender', 'budget', { to: 'eve@evil.example' }],
    ['a mail that wants answers elsewhere, unsaid', 'Friday?', { to: 'bob@b.example' }],
    ['somebody who did not get the mail', 'budget', { to: 'sarah@lin.example', also: ['eve@evil.example'] }],
  ])('replies to nobody for %s', async (_, words, args) => {
    const before = smtp.received.length
    const given = { id: await idOf(words), subject: 'x', body: 'y', ...args }
    expect(await call('reply', given)).toMatchObject(refusal('mail_recipient_differs'))
    expect(smtp.received).toHaveLength(before)
  })

  it('replies to nobody where the sender is unclear', async () => {
    const given = { id: await idOf('Urgent'), to: 'a@a.example', subject: 'x', body: 'y' }
    expect(await call('reply', given)).toMatchObject(refusal('mail_sender_unclear'))
  })

  it.each([
    ['a line break in a subject', { subject: 'x\r\nBcc: eve@evil.example' }],
    ['a line separator in a subject', { subject: 'x\u2028Bcc: eve@evil.example' }],
    ['a subject written backwards', { subject: 'x\u202eelpmaxe' }],
    ['a control character in the text', { body: 'x\u0000y' }],
    ['one address twice', { to: ['a@a.example', 'A@a.example'] }],
    ['nobody', { to: [] }],
  ])('sends nothing with %s', async (_, args) => {
    const before = smtp.received.length
    const given = { to: ['a@a.example'], subject: 'x', body: 'y', ...args }
    expect(await call('send', given)).toMatchObject(refusal('tool_arguments_invalid'))
    expect(smtp.received).toHaveLength(before)
  })

  it('sends lines that look like headers as text, and names hidden recipients to nobody', async () => {
    const body = 'Bcc: eve@evil.example\n\n.\nFrom: x'
    const args = {
      to: ['a@a.example'],
      bcc: ['hidden@b.example'],
      subject: '=?utf-8?Q?x=0D=0ABcc:_eve@evil.example?=',
      body,
    }
    expect(outputOf(await call('send', args))).toMatchObject({ to: ['a@a.example', 'hidden@b.example'] })
    const [sent] = smtp.received.slice(-1)
    expect(sent?.to).toEqual(['a@a.example', 'hidden@b.example'])
    const [head = '', ...text] = String(sent?.text).split('\r\n\r\n')
    expect(head).not.toMatch(/hidden@b|^bcc:/im)
    expect(text.join('\r\n\r\n').trimEnd()).toBe(body.replaceAll('\n', '\r\n'))
  })

  it('says whom the server refused, when it took others', async () => {
    const args = { to: ['a@a.example', 'nobody@x.example'], subject: 'x', body: 'y' }
    expect(outputOf(await call('send', args))).toMatchObject({
      to: ['a@a.example'],
      refused: ['nobody@x.example'],
    })
    const none = { ...args, to: ['nobody@x.example'] }
    expect(await call('send', none)).toMatchObject(refusal('mail_refused'))
  })

  it('does not file a copy that is there already', async () => {
    const sent = async () => held(await mailbox.find({ folder: 'sent', count: 25 })).messages.length
    const before = await sent()
    expect(held(await mailbox.send(LETTER))).toEqual({ refused: [], filed: true })
    expect(held(await mailbox.send(LETTER))).toEqual({ refused: [], filed: true })
    expect(await sent()).toBe(before + 1)
  })

  it('keeps a draft with all its recipients, and sends nothing', async () => {
    const before = smtp.received.length
    const args = { answers: await idOf('Friday?'), body: 'Maybe.' }
    const { id } = outputOf(await call('draft', args)) as { id: string }
    expect(outputOf(await call('read', { id }))).toMatchObject({
      subject: 'Re: Lunch',
      to: ['bob@b.example'],
      body: 'Maybe.',
    })
    expect(smtp.received).toHaveLength(before)
  })

  it('moves into a folder of the owner, by its name or its path, into none that is not there, and back', async () => {
    putMail(dovecot, '40', ['From: Kim <kim@k.example>', 'Subject: Receipt'], 'The receipt of June.')
    await withImap(settings, CREDENTIAL, async (client) => {
      for (const path of ['Taxes', 'Home', 'Work', 'Public/Board']) await client.mailboxCreate(path)
      for (const path of [
        ['Home', 'Twice'],
        ['Work', 'Twice'],
      ])
        await client.mailboxCreate(path)
      return { ok: true, value: true }
    })
    const id = await idOf('receipt')
    for (const folder of ['None', 'INBOX/../x', '', 'Trash', 'Junk', 'Board', 'Public/Board'])
      expect(await call('file', { ids: [id], folder })).toMatchObject(refusal('mail_folder_missing'))
    expect(await call('file', { ids: [id], folder: 'Twice' })).toMatchObject(refusal('mail_folder_ambiguous'))
    const filed = outputOf(await call('file', { ids: [id], folder: 'taxes' })) as { emails: { id: string }[] }
    expect(filed).toMatchObject({ changed: 1, gone: 0 })
    expect(outputOf(await call('file', { ids: [id], folder: 'Taxes' }))).toMatchObject({
      changed: 0,
      gone: 1,
    })
    const there = filed.emails.map((mail) => mail.id)
    expect(outputOf(await call('move', { ids: there, to: 'inbox' }))).toMatchObject({ changed: 1 })
    expect(await idOf('receipt')).not.toBe('undefined')
  })

  it('names the folders of the owner alone, with their counts, and those that every mailbox has first', async () => {
    const { folders, more } = outputOf(await call('folders', {})) as {
      folders: { name: string; use?: string; mails?: number; unread?: number }[]
      more: boolean
    }
    expect(more).toBe(false)
    const names = folders.map(({ name }) => name)
    expect(names.slice(0, 5)).toEqual(['INBOX', 'Sent', 'Drafts', 'Junk', 'Trash'])
    expect(folders.map(({ use }) => use).slice(0, 5)).toEqual(['inbox', 'sent', 'drafts', 'spam', 'trash'])
    expect(names).toEqual(expect.arrayContaining(['Taxes', 'Home', 'Home/Twice', 'Work/Twice']))
    expect(names.filter((name) => /Board|Public/.test(name))).toEqual([])
    expect(folders[0]).toEqual({ name: 'INBOX', use: 'inbox', mails: 5, unread: 5 })
    expect(folders.find(({ name }) => name === 'Taxes')).toEqual({ name: 'Taxes', mails: 0, unread: 0 })
  })

  it('reads a folder by its name or its path, and says which, or that there is none or more than one', async () => {
    const id = await idOf('receipt')
    const { emails } = outputOf(await call('file', { ids: [id], folder: 'Home/Twice' })) as {
      emails: { id: string }[]
    }
    for (const named of ['home/twice', '"Home/Twice"'])
      expect(outputOf(await call('list', { in: named }))).toMatchObject({
        emails: [{ id: emails[0]?.id, subject: 'Receipt' }],
        folder: 'Home/Twice',
      })
    expect(outputOf(await call('search', { in: 'Home/Twice', words: 'june' }))).toMatchObject({
      emails: [{ subject: 'Receipt' }],
    })
    expect(outputOf(await call('search', { in: 'Home/Twice', words: 'budget' }))).toEqual({
      ...{ emails: [], more: false, folder: 'Home/Twice' },
    })
    expect(outputOf(await call('list', { in: 'taxes' }))).toEqual({
      emails: [],
      more: false,
      folder: 'Taxes',
    })
    expect(outputOf(await call('list', { in: 'papierkorb' }))).toMatchObject({ folder: 'Trash' })
    expect(outputOf(await call('list', { in: 'inbox', from: 'Sarah' }))).toMatchObject({
      emails: [{ subject: 'Grüße' }],
    })
    for (const action of ['list', 'search']) {
      expect(await call(action, { in: 'Twice' })).toMatchObject(refusal('mail_folder_ambiguous'))
      for (const named of ['None', 'Board', 'Public/Board', '*', '../x'])
        expect(await call(action, { in: named })).toMatchObject(refusal('mail_folder_missing'))
    }
    outputOf(await call('move', { ids: emails.map((mail) => mail.id), to: 'inbox' }))
  })

  it('makes a folder once, where it said it would, and none whose name is another’s or no name', async () => {
    const planned = outputOf(await call('new_folder', { folder: 'Bücher' }))
    expect(planned).toEqual({ address: OWNER, name: 'Bücher', place: encodeURIComponent(OWNER) })
    expect(await call('list', { in: 'Bücher' })).toMatchObject(refusal('mail_folder_missing'))
    const elsewhere = { folder: 'Bücher', place: 'other%40example.test' }
    expect(await call('make_folder', elsewhere)).toMatchObject(refusal('event_changed'))
    const made = await call('make_folder', { folder: 'Bücher', place: String(planned['place']) })
    expect(outputOf(made)).toEqual({ name: 'Bücher' })
    expect(outputOf(await call('list', { in: 'buecher' }))).toMatchObject({ emails: [], folder: 'Bücher' })
    for (const action of ['new_folder', 'make_folder']) {
      for (const folder of ['Bücher', 'bücher', 'BUECHER', 'inbox', 'Junk', 'spam'])
        expect(await call(action, { folder })).toMatchObject(refusal('mail_folder_exists'))
      for (const folder of ['A/B', 'Public', 'a\r\nb', '', '..', '%', 'x'.repeat(51)])
        expect(await call(action, { folder })).toMatchObject(refusal('mail_folder_unfit'))
    }
  })

  it('archives, marks, and takes back, under the id that a mail has then', async () => {
    const id = await idOf('Friday?')
    const archived = outputOf(await call('archive', { ids: [id] })) as { emails: { id: string }[] }
    expect(archived).toMatchObject({ changed: 1, gone: 0 })
    const there = archived.emails[0]?.id ?? ''
    expect(held(await mailbox.find({ folder: 'archive', count: 5 })).messages).toMatchObject([{ id: there }])
    expect(outputOf(await call('archive', { ids: [id] }))).toMatchObject({ changed: 0, gone: 1 })
    expect(outputOf(await call('mark', { ids: [there], as: 'read' }))).toMatchObject({ changed: 1 })
    expect(outputOf(await call('move', { ids: [there], to: 'inbox' }))).toMatchObject({ changed: 1 })
    expect(outputOf(await call('search', { from: 'bob', folder: 'inbox' }))).toMatchObject({
      emails: [{ unread: false }],
    })
    const read = outputOf(await call('list', { unread: false })) as { emails: { subject: string }[] }
    expect(read.emails.map(({ subject }) => subject)).toEqual(['Lunch'])
    expect(outputOf(await call('search', { from: 'lin.example', unread: false }))).toMatchObject({
      emails: [],
    })
  })

  it.each([
    ['spam', 'spam'],
    ['delete', 'trash'],
  ] as const)('%s moves and loses nothing', async (action, folder) => {
    const moved = outputOf(await call(action, { ids: [await idOf('Friday?')] })) as { emails: Json[] }
    const { messages } = held(await mailbox.find({ folder, count: 5 }))
    expect(messages.map(({ id }) => ({ id }))).toEqual(moved.emails)
    outputOf(await call('move', { ids: messages.map(({ id }) => String(id)), to: 'inbox' }))
  })

  it('touches nothing once the folder was numbered anew', async () => {
    const id = await idOf('budget')
    const other = id.replace(/^\d+/, (validity) => String(Number(validity) + 1))
    const fresh = await idOf('Friday?')
    expect(await call('read', { id: other })).toMatchObject(refusal('mail_renumbered'))
    expect(await call('delete', { ids: [fresh, other] })).toMatchObject(refusal('mail_renumbered'))
    expect(await idOf('Friday?')).toBe(fresh)
  })

  it('says that the password is wrong, and sends nothing with it', async () => {
    const wrong = { scheme: 'bearer', value: 'wrong-password' } as const
    const account = createMailAccount(settings)
    expect(await account.check(wrong)).toMatchObject(refusal('remote_unauthorized'))
    expect(await account.open(wrong).send(LETTER)).toMatchObject(refusal('remote_unauthorized'))
  })

  it('sends under no name that is configured alone: only one that a card can show is sent', async () => {
    const own = createMailAccount({ ...settings, name: 'Eve Example' }).open(CREDENTIAL)
    const letter = { to: ['sarah@lin.example'], cc: [], bcc: [], subject: 'x', text: 'y', messageId: 'n1' }
    expect(await own.send(letter)).toMatchObject({ ok: true })
    expect(smtp.received.at(-1)?.text).toContain(`From: ${OWNER}`)
    expect(smtp.received.at(-1)?.text).not.toContain('Eve Example')
    await own.send({ ...letter, messageId: 'n2', from: { address: OWNER, name: 'Ada' } })
    expect(smtp.received.at(-1)?.text).toContain(`From: Ada <${OWNER}>`)
  })

  it('tells nothing to a server that shows another certificate', async () => {
    const own = { address: '127.0.0.1', fingerprint: `${'AA:'.repeat(31)}AA` }
    const account = createMailAccount({ ...settings, own })
    expect(await account.check(CREDENTIAL)).toMatchObject(refusal('certificate_changed'))
    const open = createMailAccount({ ...settings, own: null })
    expect(await open.check(CREDENTIAL)).toMatchObject(refusal('address_private'))
  })

  it('ranks what it finds by where the words stand, and only then by when it came', async () => {
    const about = (name: string, from: string, subject: string, body: string) =>
      put(name, [`From: ${from}`, `Subject: ${subject}`], body)
    about('70', 'Kim <kim@k.example>', 'Aquarium repairs', 'See below.')
    about('71', 'Aquarium Shop <shop@q.example>', 'Your order', 'It is repairs time.')
    for (const n of [72, 73, 74])
      about(String(n), 'Lee <lee@l.example>', `Note ${n}`, 'Aquarium and repairs, aside.')
    const found = async (args: { readonly [key: string]: Json }) =>
      (outputOf(await call('search', args)) as { emails: { subject: string }[] }).emails.map(
        ({ subject }) => subject,
      )
    expect(await found({ words: 'repairs aquarium' })).toEqual([
      ...['Aquarium repairs', 'Your order'],
      ...['Note 74', 'Note 73', 'Note 72'],
    ])
    // The best are those that are given where there is no room for all.
    expect(await found({ words: 'repairs aquarium', count: 2 })).toEqual(['Aquarium repairs', 'Your order'])
    expect(await found({ words: 'aquarium', from: 'Lee', count: 1 })).toEqual(['Note 74'])
  })

  it('reads a mail of 30 MB and lists its attachment without having it in memory, and says that it is too large to open', async () => {
    const line = `${'QUJDRA'.repeat(12)}QUJD\r\n`
    const big = [
      ...['--b', 'Content-Type: text/plain', '', 'The film is attached.', '--b'],
      'Content-Type: video/mp4; name="film.mp4"',
      ...['Content-Transfer-Encoding: base64', 'Content-Disposition: attachment; filename="film.mp4"', ''],
      `${line.repeat(Math.ceil(30_000_000 / line.length))}--b--`,
      '',
    ].join('\r\n')
    put('90', ['From: Max <max@m.example>', 'Subject: Film', ...PARTS_HEAD.slice(2)], big)
    const id = await idOf('film')
    const before = process.memoryUsage()
    let peak = 0
    const watch = setInterval(() => {
      const { heapUsed, external, arrayBuffers } = process.memoryUsage()
      peak = Math.max(peak, heapUsed + external + arrayBuffers)
    }, 5)
    const read = outputOf(await call('read', { id }))
    expect(outputOf(await call('list', { from: 'Max' }))).toMatchObject({
      emails: [{ hasAttachments: true }],
    })
    expect(await call('attachment', { id })).toMatchObject(refusal('file_too_large'))
    expect(await call('enclosed', { filesFrom: id })).toMatchObject(refusal('file_too_large'))
    clearInterval(watch)
    expect(read).toMatchObject({ body: 'The film is attached.', files: ['film.mp4'], truncated: false })
    // A third of the mail: it was never held whole.
    expect(peak - before.heapUsed - before.external - before.arrayBuffers).toBeLessThan(10_000_000)
  }, 60_000)

  it('leaves no password in the mailbox', () => {
    const all = readdirSync(dovecot.maildir, { recursive: true, withFileTypes: true })
    for (const file of all.filter((one) => one.isFile()))
      expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(PASSWORD)
  })
})
