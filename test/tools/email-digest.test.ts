/** What unread mail asks of the owner: the one sentence that does, by fixed rules in two languages, and first what asks. What a list, a program or a quoted mail says asks nothing. */
import { describe, expect, it } from 'vitest'
import type { Mailbox, MailQuery } from '../../integrations/tools/email/mailbox-port.ts'
import { askedIn } from '../../integrations/tools/email/message/asking.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { JsonRecord } from '../../integrations/tools/reading.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { processorTime } from '../kit/processor-time.ts'
import { callTool, outputOf } from './calls.ts'

const asked = (text: string, subject = 'Plans') => askedIn({ text, subject })

describe('a mail asks', () => {
  it.each([
    'Can you send me the numbers by Friday?',
    'Could you please look at page 4.',
    'Please sign the form and send it back.',
    'Let me know if Tuesday suits you.',
    'When are you coming?',
    'We still need your passport number.',
    'Would 7pm suit?',
    "I'd appreciate your thoughts on it.",
    'Bitte schick mir die Unterlagen bis Montag.',
    'Kannst du am Samstag helfen?',
    'Könnten Sie uns den Termin bestätigen?',
    'Gib mir bitte kurz Bescheid.',
    'Ich bitte um eine kurze Rückmeldung.',
    'Wir brauchen noch Ihre Unterschrift.',
    'Passt dir der Dienstag?',
  ])('with %j', (sentence) => {
    expect(asked(`Hello Sandra,\n\nall is well here. ${sentence} Best wishes\n\nAda`)).toBe(sentence)
  })

  it('with its subject, where the text asks nothing', () => {
    expect(asked('See above. Ada', 'Lunch on Friday?')).toBe('Lunch on Friday?')
    expect(asked('Yes, gladly. Ada', 'Re: Lunch on Friday?')).toBeNull()
  })

  it.each([
    'Here are the minutes of yesterday.',
    'Please find the invoice attached.',
    'Please do not reply to this mail.',
    'If you have any questions, please call us.',
    'Any questions?',
    'How are you?',
    'Hi Sandra, how are you doing these days?',
    'Wie geht es dir?',
    'Bitte beachten Sie unsere neuen Öffnungszeiten.',
    'Bei Fragen melden Sie sich bitte.',
    'Did you know that tulips float?',
    'Thank you for your answer.',
    'Danke, das passt mir gut.',
    'Tom asked "can you come?" and I said yes.',
  ])('nothing with %j', (sentence) => {
    expect(asked(`Hello Sandra,\n\n${sentence}\n\nAda`)).toBeNull()
  })

  it.each([
    ['quoted', 'Thanks.\n\n> Can you come on Friday?'],
    [
      'below an answer',
      'Done.\n\nOn Mon, 23 Nov 2026 at 10:00, Eve <eve@x.example> wrote:\n\nCan you come on Friday?',
    ],
    ['below the signature', 'Thanks.\n\n-- \nCan you recycle?'],
  ])('nothing by what is %s', (_, text) => expect(asked(text)).toBeNull())

  it('and takes no longer for a text that is made to be slow', () => {
    const pieces = [
      'can you ',
      'please ',
      'how are you',
      'bitte ',
      'if you have ',
      'haben a ',
      '? ',
      'a? A',
      'hello ',
    ]
    const look = (piece: string) => asked(piece.repeat(20_000), piece.repeat(30))
    expect(processorTime(() => pieces.map(look), 1)).toBeLessThan(4_000)
  })
})

describe('the action', () => {
  const message = (
    id: string,
    from: string,
    text: string,
    head: Record<string, string> = {},
  ): JsonRecord => ({
    ...{ id, internalDate: '1795600800000', labelIds: ['UNREAD'], snippet: 'x' },
    payload: {
      mimeType: 'text/plain',
      headers: Object.entries({ From: from, Subject: `About ${id}`, ...head }).map(([name, value]) => ({
        name,
        value,
      })),
      body: { data: Buffer.from(text, 'utf8').toString('base64url') },
    },
  })
  const MESSAGES = [
    message('news', 'Shop <shop@s.example>', 'Would you like 20 % off?', {
      'List-Unsubscribe': '<https://s.example/u>',
    }),
    message('robot', 'no-reply@bank.example', 'Please confirm your address.'),
    message('auto', 'Tom <tom@t.example>', 'Can you wait?', { 'Auto-Submitted': 'auto-replied' }),
    message('plain', 'Ben <ben@b.example>', 'It went well.'),
    message('asks', 'Sarah <sarah@s.example>', 'Hi. Can you bring the cake?', {
      ...{ 'Auto-Submitted': 'no', 'Message-ID': '<cake@s.example>' },
    }),
    { ...message('read', 'Ann <ann@a.example>', 'Can you come?'), labelIds: [] },
  ]
  const queries: MailQuery[] = []
  let sent: readonly JsonRecord[] = []
  const unasked = () => Promise.reject(new Error('not asked for'))
  const mailbox: Mailbox = {
    ...{ folders: unasked, newFolder: unasked, makeFolder: unasked },
    ...{ unread: unasked, read: unasked, files: unasked, mark: unasked, move: unasked },
    ...{ draft: unasked, send: unasked },
    find: async (query) => {
      queries.push(query)
      return ok({ messages: query.folder === 'sent' ? sent : MESSAGES, more: false })
    },
  }
  const account = { address: 'ada@home.example', hosts: [], check: unasked, open: () => mailbox }
  const tool = createEmailTool({
    ...{ htmlText: async () => '', timezone: 'Europe/Berlin' },
    mail: { account, compose: unasked, digest: async () => '' },
  })
  const listed = async (args: object) => {
    const { emails, ...rest } = outputOf(await callTool(tool, 'email.digest', args as never)) as {
      readonly emails: readonly { readonly id: string; readonly sentence?: string; readonly asks: boolean }[]
    }
    return {
      ...rest,
      emails: emails.map(({ id, asks, sentence }) => [
        id,
        asks,
        ...(sentence === undefined ? [] : [sentence]),
      ]),
    }
  }

  it('lists first what asks, with its sentence, and nothing that was read', async () => {
    expect(await listed({})).toEqual({
      emails: [
        ['asks', true, 'Can you bring the cake?'],
        ...['news', 'robot', 'auto', 'plain'].map((id) => [id, false]),
      ],
      ...{ unread: 5, more: false },
    })
    expect(queries).toEqual([
      { folder: 'inbox', unread: true, whole: true, count: 25 },
      { folder: 'sent', count: 50 },
    ])
  })

  it('lists nothing else where only that is wanted, and says how many it looked at', async () => {
    expect(await listed({ asking: true })).toEqual({
      ...{ emails: [['asks', true, 'Can you bring the cake?']], unread: 5, more: false },
    })
  })

  const answer = (to: string, names: Record<string, string>) =>
    message('own', 'Ada <ada@home.example>', 'Yes.', { To: to, ...names })
  const asking = async (messages: readonly JsonRecord[]) => {
    sent = messages
    const { emails } = await listed({ asking: true })
    sent = []
    return emails.map(([id]) => id)
  }

  it.each([
    ['In-Reply-To', answer('Sarah <SARAH@s.example>', { 'In-Reply-To': '<cake@s.example>' })],
    ['References', answer('sarah@s.example', { References: '<first@x.example> <cake@s.example>' })],
  ])('leaves out what the owner has answered, by %s of the sent mail', async (_, mail) => {
    expect(await asking([mail])).toEqual([])
  })

  it.each([
    // Whoever wrote what Ada answered had named Sarah's mail in it, and so Ada's answer names it too.
    ['to somebody else', answer('eve@evil.example', { References: '<cake@s.example> <e@evil.example>' })],
    ['to her, about something else', answer('sarah@s.example', { 'In-Reply-To': '<tea@s.example>' })],
    ['to her, as no answer', answer('sarah@s.example', {})],
  ])('keeps what the owner sent no answer to: a mail %s', async (_, mail) => {
    expect(await asking([mail])).toEqual(['asks'])
  })
})

describe('whether somebody answered', () => {
  const mail = (id: string, at: string, from: string, head: Record<string, string> = {}): JsonRecord => ({
    ...{ id, internalDate: String(Date.parse(at)), labelIds: [], snippet: 'x' },
    payload: {
      mimeType: 'text/plain',
      headers: Object.entries({ From: from, Subject: `About ${id}`, ...head }).map(([name, value]) => ({
        name,
        value,
      })),
    },
  })
  const SENT = [
    mail('first', '2026-11-20T10:00:00Z', 'ada@home.example', { To: 'sarah@s.example' }),
    mail('last', '2026-11-22T10:00:00Z', 'ada@home.example', { To: 'sarah@s.example' }),
  ]
  const CAME = [
    mail('after', '2026-11-22T12:00:00Z', 'Sarah <sarah@s.example>'),
    mail('before', '2026-11-22T09:00:00Z', 'Sarah <sarah@s.example>'),
    mail('other', '2026-11-22T13:00:00Z', 'Shara <shop@s.example>'),
  ]
  const askedOf = async (from: string, sent: readonly JsonRecord[], came: readonly JsonRecord[]) => {
    const none = () => Promise.reject(new Error('not asked for'))
    const mailbox = {
      ...{ folders: none, newFolder: none, makeFolder: none, unread: none, read: none, files: none },
      ...{ mark: none, move: none, draft: none, send: none },
      find: async ({ folder }: MailQuery) => ok({ messages: folder === 'sent' ? sent : came, more: false }),
    } as Mailbox
    const account = { address: 'ada@home.example', hosts: [], check: none, open: () => mailbox }
    const tool = createEmailTool({
      ...{ htmlText: async () => '', timezone: 'Europe/Berlin' },
      mail: { account, compose: none, digest: async () => '' },
    })
    const { emails, ...rest } = outputOf(await callTool(tool, 'email.heard', { from })) as {
      readonly emails: readonly { readonly id: string }[]
    }
    return { ...rest, emails: emails.map(({ id }) => id) }
  }

  it('is what came from them after the newest mail to them, whatever the server gives', async () => {
    expect(await askedOf('sarah', SENT, CAME)).toEqual({
      ...{ emails: ['after'], wrote: '2026-11-22T10:00:00Z', about: 'About last', more: false },
    })
    expect(await askedOf('sarah@s.example', SENT, CAME.slice(1))).toMatchObject({ emails: [] })
  })

  it('is not said where nothing was sent to them: then their newest mail is what there is', async () => {
    expect(await askedOf('sarah', [], CAME)).toEqual({ emails: ['after', 'before'], more: false })
    expect(await askedOf('!?', SENT, CAME)).toEqual({ emails: [], more: false })
  })
})
