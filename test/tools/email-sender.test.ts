/**
 * As whom a mail goes out and what is signed below it: what the card says is what is sent, an answer goes out under the address that was written to, and
 * no mail, name or signature can make it anything that the owner did not set.
 */
import { createHash } from 'node:crypto'
import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import type { Letter, Mailbox } from '../../integrations/tools/email/mailbox-port.ts'
import { NO_SENDER } from '../../integrations/tools/email/message/sender.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import type { Sender } from '../../kernel/features/sender/sender.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { composeMail } from '../../sidecar/mail/compose-mail.ts'
import { callTool, outputOf, refusal } from './calls.ts'

const ACCOUNT = 'ada@home.example'
const WORK = 'ada@work.example'
const TO = { to: ['tom@x.example'], subject: 'x', body: 'Hello' }
const SET: Sender = {
  ...{ name: 'Ada Lovelace', addresses: [WORK], standard: null },
  signature: 'Ada\nAnalytical Engines',
}

type Args = { readonly [name: string]: Json }

function having(first: Partial<Sender>, headers: readonly (readonly [string, string])[] = []) {
  const state = { sender: { ...NO_SENDER, ...first }, reads: 0 }
  const letters: Letter[] = []
  const unasked = () => Promise.reject(new Error('not asked for'))
  const keep = (letter: Letter): void => void letters.push(letter)
  const mailbox: Mailbox = {
    ...{ folders: unasked, newFolder: unasked, makeFolder: unasked },
    ...{ find: unasked, unread: unasked, mark: unasked, move: unasked, files: async () => ok([]) },
    read: async () => {
      state.reads += 1
      return ok({
        ...{ id: 'm1', internalDate: '1764000000000' },
        payload: { headers: headers.map(([name, value]) => ({ name, value })) },
      })
    },
    draft: async (letter) => {
      keep(letter)
      return ok('d1')
    },
    send: async (letter) => {
      keep(letter)
      return ok({ refused: [], filed: true })
    },
  }
  const account = { address: ACCOUNT, hosts: [], check: unasked, open: () => mailbox }
  const digest = async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const tool = createEmailTool({
    ...{ htmlText: async () => '', mail: { account, compose: unasked, digest } },
    sender: async () => state.sender,
  })
  const call = (action: string, args: Args) => callTool(tool, `email.${action}`, args)
  const looked = async (args: Args) =>
    outputOf(await call('enclosed', args)) as { from?: string; signature?: string; version?: string }
  /** As the kernel does it: looked at, and written with what was found. */
  const written = async (action: string, args: Args, answers?: string) => {
    const given = {
      ...(args['from'] !== undefined && { from: args['from'] }),
      ...(answers !== undefined && { answers }),
    }
    const { version } = await looked(given)
    return call(action, { ...args, ...(version !== undefined && { version }) })
  }
  return { state, letters, call, looked, written }
}

async function arrived({ from = { address: ACCOUNT, name: null }, ...letter }: Letter) {
  const bytes = await composeMail(letter, { from: from.address, name: from.name, keepBcc: false })
  return PostalMime.parse(bytes)
}

describe('what was set', () => {
  it('is on the card, and is what is sent', async () => {
    const { letters, looked, written } = having(SET)
    expect(await looked({})).toMatchObject({
      ...{ from: `Ada Lovelace <${ACCOUNT}>`, signature: 'Ada\nAnalytical Engines' },
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await written('send', TO)).toMatchObject({ ok: true })
    const [letter] = letters
    expect(letter?.text).toBe('Hello\n\n-- \nAda\nAnalytical Engines')
    const mail = await arrived(letter as Letter)
    expect(mail.from).toMatchObject({ name: 'Ada Lovelace', address: ACCOUNT })
    expect(mail.text?.trimEnd()).toBe('Hello\n\n-- \nAda\nAnalytical Engines')
  })

  it('is nothing by default: the card has the address, and the mail is as before', async () => {
    const { letters, looked, written } = having({})
    expect(await looked({})).toEqual({ from: ACCOUNT, files: [] })
    await written('send', TO)
    expect(letters[0]).toMatchObject({ text: 'Hello' })
    expect(letters[0]).not.toHaveProperty('from')
  })

  it.each([
    ['another signature', { signature: 'Eve' }],
    ['another name', { name: 'Eve' }],
    ['another usual address', { standard: WORK }],
    ['no signature', { signature: null }],
  ])('by now %s: nothing is sent', async (_, change) => {
    const { state, letters, looked, call } = having(SET)
    const { version = '' } = await looked({})
    state.sender = { ...state.sender, ...change }
    expect(await call('send', { ...TO, version })).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })

  it('is not written without a look at it', async () => {
    const { letters, call } = having(SET)
    for (const action of ['send', 'draft'])
      expect(await call(action, TO)).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })

  it('is in drafts, too', async () => {
    const { letters, written } = having(SET)
    expect(await written('draft', TO)).toMatchObject({ ok: true })
    expect(letters[0]).toMatchObject({
      ...{ text: 'Hello\n\n-- \nAda\nAnalytical Engines', from: { address: ACCOUNT, name: 'Ada Lovelace' } },
    })
  })

  it('stands between the owner’s words and the mail that is quoted or sent on', async () => {
    const { letters, written } = having(SET, [['From', 'tom@x.example']])
    const reply = { to: 'tom@x.example', id: 'm1', subject: 's', body: 'Yes', quoted: 'Really?' }
    await written('reply', reply, 'm1')
    await written('forward', { to: ['bob@x.example'], id: 'm1', subject: 's', note: 'See', text: 'Old' })
    expect(letters.map(({ text }) => text)).toEqual([
      'Yes\n\n-- \nAda\nAnalytical Engines\n\n> Really?',
      'See\n\n-- \nAda\nAnalytical Engines\n\n> Old',
    ])
  })

  it('stays text, whatever it holds', async () => {
    const signature = '<img src="https://evil.example/x"> <b>Ada</b>\n.\nBcc: eve@evil.example\n--b'
    const { letters, written } = having({ ...SET, signature })
    await written('send', TO)
    const mail = await arrived(letters[0] as Letter)
    expect(mail.html).toBeUndefined()
    expect(mail.bcc ?? []).toEqual([])
    expect(mail.attachments).toEqual([])
    expect(mail.text?.trimEnd()).toBe(`Hello\n\n-- \n${signature}`)
  })
})

describe('the address that a mail goes out from', () => {
  const from = async (answers: readonly (readonly [string, string])[], sender: Partial<Sender> = SET) => {
    const { letters, looked, written } = having(sender, [['From', 'Tom <tom@x.example>'], ...answers])
    const shown = await looked({ answers: 'm1' })
    const reply = { to: 'tom@x.example', id: 'm1', subject: 's', body: 'Yes', replyTo: 'eve@evil.example' }
    expect(await written('reply', reply, 'm1')).toMatchObject({ ok: true })
    expect(shown.from).toContain(letters[0]?.from?.address)
    return letters[0]?.from?.address
  }

  it.each<readonly [string, readonly (readonly [string, string])[], string]>([
    ['the account, where it was written to that', [['To', ACCOUNT]], ACCOUNT],
    ['the one that was written to', [['To', 'Ada@Work.Example']], WORK],
    [
      'the one that got a copy',
      [
        ['To', 'bob@x.example'],
        ['Cc', `x@y.example, ${WORK}`],
      ],
      WORK,
    ],
    ['the usual one, where none was written to', [['To', 'list@x.example']], ACCOUNT],
    [
      'none that a name or another header says',
      [
        ['To', `"${WORK}" <bob@x.example>`],
        ['Delivered-To', WORK],
      ],
      ACCOUNT,
    ],
    ['none that is like one', [['To', `${WORK}.evil.example`]], ACCOUNT],
    [
      'none that its sender claims to be',
      [
        ['Reply-To', 'eve@evil.example'],
        ['Sender', WORK],
      ],
      ACCOUNT,
    ],
  ])('of an answer is %s', async (_, headers, address) => {
    expect(await from(headers)).toBe(address)
  })

  it('of an answer to a mail that claims to be from the owner is one of the owner’s all the same', async () => {
    const { letters, written } = having(SET, [
      ['From', WORK],
      ['To', ACCOUNT],
    ])
    await written('reply', { to: WORK, id: 'm1', subject: 's', body: 'Yes' }, 'm1')
    expect(letters[0]).toMatchObject({ to: [WORK], from: { address: ACCOUNT } })
  })

  it('is the usual one that was set, and the one that was asked for before it', async () => {
    const { letters, written } = having({ ...SET, standard: WORK })
    await written('send', TO)
    await written('send', { ...TO, from: ACCOUNT.toUpperCase() })
    expect(letters.map((one) => one.from?.address)).toEqual([WORK, ACCOUNT])
  })

  it('is none that the owner did not set', async () => {
    const { letters, call } = having(SET)
    for (const action of ['send', 'enclosed', 'draft'])
      expect(
        await call(action, { ...(action === 'enclosed' ? {} : TO), from: 'ceo@work.example' }),
      ).toMatchObject(refusal('mail_identity_unknown'))
    expect(letters).toEqual([])
  })

  it('costs no look at the mail where there is nothing to choose', async () => {
    const { state, looked } = having({ signature: 'Ada' }, [['From', 'tom@x.example']])
    await looked({ answers: 'm1' })
    expect(state.reads).toBe(0)
  })

  it('is left out of an answer to all', async () => {
    const { call } = having(SET, [
      ['From', 'tom@x.example'],
      ['To', `${WORK}, bob@x.example`],
      ['Cc', ACCOUNT],
    ])
    expect(outputOf(await call('read', { id: 'm1' }))).toMatchObject({ others: ['bob@x.example'] })
  })
})

describe('a mailing list is left', () => {
  const LIST = [
    ['From', 'News <news@list.example>'],
    ['List-Unsubscribe', '<mailto:off@list.example?subject=off>'],
  ] as const
  const LEAVES = { id: 'm1', to: 'off@list.example', subject: 'off' }

  it.each<readonly [string, string, readonly (readonly [string, string])[]]>([
    ['the address that it writes to', WORK, [['To', WORK]]],
    ['the usual one, where it writes to none of the owner', ACCOUNT, [['To', 'all@list.example']]],
    ['none that is only like one', ACCOUNT, [['To', `"${WORK}" <x@list.example>`]]],
  ])('from %s, as on the card, and unsigned', async (_, address, to) => {
    const { letters, looked, written } = having(SET, [...LIST, ...to])
    expect(await looked({ answers: 'm1' })).toMatchObject({ from: `Ada Lovelace <${address}>` })
    expect(await written('unsubscribe', LEAVES, 'm1')).toMatchObject({ ok: true })
    expect(letters).toMatchObject([
      {
        from: { address, name: 'Ada Lovelace' },
        to: ['off@list.example'],
        subject: 'off',
        text: 'unsubscribe',
      },
    ])
  })

  it('not from another address than the card showed', async () => {
    const { state, letters, looked, call } = having(SET, [...LIST, ['To', WORK]])
    const { version = '' } = await looked({ answers: 'm1' })
    state.sender = { ...state.sender, addresses: [] }
    expect(await call('unsubscribe', { ...LEAVES, version })).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })
})
