/**
 * Several mailboxes behind one mail tool (I-12): which one a call opens, what it does with ids, as whom it sends, and that one which fails leaves the others
 * and is not taken for done.
 */

import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { CredentialSource } from '../../integrations/tools/credentials.ts'
import type { Letter, Mailbox, MailQuery, NamedMailbox } from '../../integrations/tools/email/mailbox-port.ts'
import { NO_SENDER } from '../../integrations/tools/email/message/sender.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { createToolPort } from '../../integrations/tools/port.ts'
import type { Sender } from '../../kernel/features/sender/sender.ts'
import { parseFields } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import { NO_BREAKER, outputOf, refusal, tokenFor } from './calls.ts'

const HOME = 'ada@home.example'
const WORK = 'ada@acme.example'
const CLUB = 'ada@club.example'

type Args = { readonly [name: string]: Json }

/** Id, sender and instant of each mail, newest last. */
type Mails = readonly (readonly [string, string, number])[]

const MAILS: Readonly<Record<string, Mails>> = {
  home: [
    ['m1', 'anna@a.example', 1],
    ['m2', 'boris@b.example', 3],
  ],
  work: [
    ['m1', 'chris@c.example', 2],
    ['m9', 'dora@d.example', 4],
  ],
  club: [['m1', 'emil@e.example', 5]],
}

interface Options {
  readonly sender?: Partial<Sender>
  readonly standard?: string
  /** Reason by mailbox, for all that is asked of it. */
  readonly fails?: Readonly<Record<string, string>>
  /** Those without a stored credential. */
  readonly without?: readonly string[]
}

function bench({ sender = {}, standard = 'home', fails = {}, without = [] }: Options = {}) {
  const opened: string[] = []
  const settled: string[] = []
  const queries: (readonly [string, MailQuery])[] = []
  const moved: (readonly [string, readonly string[]])[] = []
  const letters: (readonly [string, Letter])[] = []
  const resource = ([id, from, at]: Mails[number], to: string) => ({
    ...{ id, internalDate: String(1_764_000_000_000 + at * 1_000), snippet: '' },
    payload: {
      headers: [
        { name: 'From', value: from },
        { name: 'To', value: to },
        { name: 'Subject', value: id },
      ],
    },
  })
  const mailboxOf = (name: string, address: string): Mailbox => {
    const mails = MAILS[name] ?? []
    const failing = <T>(value: T): Result<T> =>
      fails[name] === undefined ? ok(value) : err(fails[name] as never)
    const move: Mailbox['move'] = async (ids) => {
      const done = failing({ ids, changed: ids.length, gone: 0 })
      if (done.ok) moved.push([name, ids])
      return done
    }
    return {
      async find(query) {
        queries.push([name, query])
        const of = query.ids === undefined ? mails : mails.filter(([id]) => query.ids?.includes(id))
        return failing({ messages: of.map((one) => resource(one, address)), more: false })
      },
      folders: async () => failing([{ name: 'Receipts' }]),
      newFolder: async (folder) => failing({ address, name: folder, place: name }),
      makeFolder: async (folder) => failing({ address, name: folder, place: name }),
      unread: async () => failing({ unread: mails.length, more: false }),
      read: async (id) => {
        const found = mails.find(([one]) => one === id)
        return found === undefined ? err('remote_not_found') : failing(resource(found, address))
      },
      files: async () => ok([]),
      ...{ mark: move as never, move },
      async draft(letter) {
        letters.push([name, letter])
        return ok('d1')
      },
      async send(letter) {
        letters.push([name, letter])
        return ok({ refused: [], filed: true })
      },
    }
  }
  const named = (name: string, address: string, own: NamedMailbox['sender']): NamedMailbox => ({
    ...{ name, called: [address], credential: 'mail', account: own === null ? null : name, secret: name },
    own: {
      ...{ address, hosts: [`imap.${name}.example:993`] },
      check: async () => ok(null),
      open: ({ value }) => {
        opened.push(`${name} ${value}`)
        return mailboxOf(name, address)
      },
    },
    sender: own,
  })
  const all = [
    named('home', HOME, null),
    named('work', WORK, { name: 'Ada at Acme' }),
    named('club', CLUB, {}),
  ]
  const digest = async (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const compose = () => Promise.reject(new Error('not asked for'))
  const tool = createEmailTool({
    ...{ htmlText: async () => '', sender: async () => ({ ...NO_SENDER, ...sender }) },
    mail: {
      account: all[0]?.own ?? null,
      several: { all, standard, late: (wait: number) => pause(wait, undefined, { ref: false }) },
      compose,
      digest,
    },
  })
  const credentials: CredentialSource = {
    has: () => true,
    issue: async ({ account }) => {
      const name = account ?? 'home'
      if (without.includes(name)) return err('credential_missing', { credential: name })
      const settle = (use: string) => void settled.push(`${name} ${use}`)
      return ok({
        credential: { scheme: 'bearer', value: `of-${name}` },
        hosts: [`imap.${name}.example:993`],
        settle,
      })
    },
  }
  const port = createToolPort({
    ...{
      place: 'home',
      tools: [tool],
      transport: { send: () => Promise.reject(new Error('not asked for')) },
      exemptOrigins: [],
    },
    checkToken: () => ({ allow: true }) as never,
    ...{ credentials, redact: (value) => value, breaker: NO_BREAKER },
  })
  let calls = 0
  const call = async (verb: string, args: Args): Promise<Result<Json>> => {
    const action = `email.${verb}`
    const declared = tool.manifest.actions.find(({ id }) => id === action)
    calls += 1
    const outcome = await port.run({ action, args, capability: tokenFor(action, `cap${calls}`) })
    if (!outcome.ok) return outcome
    if (declared === undefined) throw new Error(`no action ${action}`)
    return parseFields(declared.output, outcome.output, 'refuse')
  }
  /** As the kernel does it: looked at for the card, and written with what was found. */
  const written = async (verb: string, args: Args) => {
    const { to: _to, subject: _subject, body: _body, id, ...given } = args
    const looked = outputOf(await call('enclosed', { ...given, ...(id !== undefined && { answers: id }) }))
    const { version } = looked as { version?: string }
    return {
      card: looked['from'],
      done: await call(verb, { ...args, ...(version !== undefined && { version }) }),
    }
  }
  return { tool, opened, settled, queries, moved, letters, call, written }
}

const idsOf = (output: Record<string, Json>) => (output['emails'] as { id: string }[]).map(({ id }) => id)

describe('a read', () => {
  it('without a name looks into all of them, newest first, and each row says whose it is', async () => {
    const { call, opened, settled } = bench()
    const output = outputOf(await call('list', {}))
    expect(idsOf(output)).toEqual(['club:m1', 'work:m9', 'm2', 'work:m1', 'm1'])
    expect((output['emails'] as { account: string }[]).map(({ account }) => account)).toEqual([
      ...['club', 'work', 'home', 'work', 'home'],
    ])
    expect(opened.sort()).toEqual(['club of-club', 'home of-home', 'work of-work'])
    expect(settled.sort()).toEqual(['club accepted', 'home accepted', 'work accepted'])
    expect(output).not.toHaveProperty('unreached')
  })

  it('gives as many as were asked for, and says that there are more', async () => {
    const output = outputOf(await bench().call('list', { count: 2 }))
    expect(idsOf(output)).toEqual(['club:m1', 'work:m9'])
    expect(output['more']).toBe(true)
  })

  it('of a named one opens that one alone, and its rows need not say it', async () => {
    const { call, opened } = bench()
    const output = outputOf(await call('search', { account: 'work', words: 'x' }))
    expect(idsOf(output)).toEqual(['work:m1', 'work:m9'])
    expect(JSON.stringify(output)).not.toContain('account')
    expect(opened).toEqual(['work of-work'])
  })

  it('of a name that no mailbox has is refused, and nothing is opened', async () => {
    const { call, opened } = bench()
    expect(await call('list', { account: 'other' })).toMatchObject(refusal('tool_arguments_invalid'))
    expect(opened).toEqual([])
  })

  it.each([
    ['count', {}, { unread: 5, more: false }],
    [
      'folders',
      {},
      { folders: ['home', 'work', 'club'].map((account) => ({ name: 'Receipts', account })), more: false },
    ],
  ])('%s is of all of them together', async (verb, args, expected) => {
    expect(outputOf(await bench().call(verb, args))).toEqual(expected)
  })

  it('of one mail goes to where it is', async () => {
    const { call, opened } = bench()
    expect(outputOf(await call('read', { id: 'work:m1' }))).toMatchObject({
      id: 'work:m1',
      from: 'chris@c.example',
    })
    expect(outputOf(await call('read', { id: 'm1' }))).toMatchObject({ id: 'm1', from: 'anna@a.example' })
    expect(opened).toEqual(['work of-work', 'home of-home'])
    expect(await call('read', { id: 'other:m1' })).toMatchObject(refusal('remote_not_found'))
  })
})

describe('a mailbox that does not answer', () => {
  it('is said by its name, and the others are answered', async () => {
    const { call, settled } = bench({ fails: { work: 'network_failed' } })
    const output = outputOf(await call('list', {}))
    expect(idsOf(output)).toEqual(['club:m1', 'm2', 'm1'])
    expect(output['unreached']).toBe('work')
    expect(settled).not.toContain('work rejected')
  })

  it('and refuses its password is noted as such', async () => {
    const { call, settled } = bench({ fails: { work: 'remote_unauthorized' } })
    await call('list', {})
    expect(settled).toContain('work rejected')
  })

  it('is the answer where all of them are down', async () => {
    const fails = { home: 'network_failed', work: 'network_failed', club: 'network_failed' }
    expect(await bench({ fails }).call('list', {})).toMatchObject(refusal('network_failed'))
  })

  it('because its owner took its password away is left out, without a word', async () => {
    const output = outputOf(await bench({ without: ['work', 'club'] }).call('list', {}))
    expect(idsOf(output)).toEqual(['m2', 'm1'])
    expect(output).not.toHaveProperty('unreached')
    expect(JSON.stringify(output)).not.toContain('account')
  })

  it('has no folder of that name, which another one has', async () => {
    const output = outputOf(
      await bench({ fails: { work: 'mail_folder_missing' } }).call('list', { in: 'Receipts' }),
    )
    expect(output).not.toHaveProperty('unreached')
  })
})

describe('mails of several mailboxes', () => {
  const ids = ['m2', 'work:m9', 'work:m1']

  it('are each put away where they are, and found again by their new ids', async () => {
    const { call, moved } = bench()
    expect(outputOf(await call('archive', { ids }))).toEqual({
      ...{ emails: ids.map((id) => ({ id })), changed: 3, gone: 0 },
    })
    expect(moved).toEqual([
      ['home', ['m2']],
      ['work', ['m9', 'm1']],
    ])
  })

  it('that were put away in part are not said to be untouched', async () => {
    const { call, moved } = bench({ fails: { work: 'network_failed' } })
    expect(await call('archive', { ids })).toMatchObject(refusal('write_outcome_unknown'))
    expect(moved).toEqual([['home', ['m2']]])
  })

  it('are named on a card', async () => {
    const { mails } = outputOf(await bench().call('which', { ids })) as { mails: { from: string }[] }
    expect(mails.map(({ from }) => from).sort()).toEqual([
      'boris@b.example',
      'chris@c.example',
      'dora@d.example',
    ])
  })
})

describe('what is sent', () => {
  const to = { to: ['tom@x.example'], subject: 'Hi', body: 'Hello' }
  const answer = { id: 'work:m1', to: 'chris@c.example', subject: 'm1', body: 'Fine' }

  it.each<[string, Options, string, Args, string, string]>([
    ['a new mail goes from the first', {}, 'send', to, 'home', HOME],
    ['or from the default', { standard: 'work' }, 'send', to, 'work', `Ada at Acme <${WORK}>`],
    [
      'or from where the owner usually writes',
      { sender: { addresses: [CLUB], standard: CLUB } },
      'send',
      to,
      'club',
      CLUB,
    ],
    ['from the named one', {}, 'send', { ...to, account: 'work' }, 'work', `Ada at Acme <${WORK}>`],
    ['from the one of that address', {}, 'send', { ...to, from: 'Ada@Club.example' }, 'club', CLUB],
    ['an answer goes from where the mail is', {}, 'reply', answer, 'work', `Ada at Acme <${WORK}>`],
    ['unless the owner says otherwise', {}, 'reply', { ...answer, account: 'club' }, 'club', CLUB],
    [
      'a name for all mail is of those without their own',
      { sender: { name: 'Ada' } },
      'send',
      to,
      'home',
      `Ada <${HOME}>`,
    ],
  ])('%s, and the card says so', async (_, options, verb, args, name, card) => {
    const { written, letters } = bench(options)
    const { card: shown, done } = await written(verb, args)
    expect(done).toMatchObject({ ok: true })
    expect(shown).toBe(card)
    expect(letters.map(([one]) => one)).toEqual([name])
    const { from } = letters[0]?.[1] ?? {}
    expect(card).toContain(from?.address ?? 'none')
  })

  it('never goes through one mailbox as another one’s address', async () => {
    const { written, letters } = bench({ sender: { addresses: [CLUB], standard: CLUB } })
    await written('reply', { id: 'm1', to: 'anna@a.example', subject: 'm1', body: 'Fine' })
    expect(letters.map(([name, { from }]) => [name, from?.address])).toEqual([['home', HOME]])
  })

  it('is not sent where the card was of another mailbox', async () => {
    const { call, letters } = bench()
    const { version } = outputOf(await call('enclosed', { account: 'home' })) as { version: string }
    expect(await call('send', { ...to, account: 'work', version })).toMatchObject(refusal('event_changed'))
    expect(await call('send', { ...to, account: 'work' })).toMatchObject(refusal('event_changed'))
    expect(letters).toEqual([])
  })

  it('is kept as a draft where it would be sent from, and found there', async () => {
    const { written, letters } = bench()
    const { done } = await written('draft', { ...to, account: 'work' })
    expect(outputOf(done)).toEqual({ id: 'work:d1' })
    expect(letters.map(([name]) => name)).toEqual(['work'])
  })
})

describe('the declaration', () => {
  const { tool } = bench()
  const action = (id: string) => tool.manifest.actions.find((one) => one.id === id)

  it('has the names as a closed list, and the addresses only for the recogniser', () => {
    expect(action('email.list')?.args.fields['account']).toMatchObject({
      kind: 'enum',
      values: ['home', 'work', 'club'],
    })
    expect(action('email.list')?.named?.names[1]).toEqual({ name: 'work', called: [WORK] })
  })

  it.each(['email.read', 'email.archive', 'email.attachment'])(
    '%s takes no name: a mail is where it is',
    (id) => {
      expect(action(id)?.args.fields).not.toHaveProperty('account')
    },
  )

  it('names each mailbox with its own credential and hosts', () => {
    expect(tool.manifest.accounts?.map(({ name, account, network }) => [name, account, network])).toEqual([
      ['home', null, ['imap.home.example:993']],
      ['work', 'work', ['imap.work.example:993']],
      ['club', 'club', ['imap.club.example:993']],
    ])
  })
})
