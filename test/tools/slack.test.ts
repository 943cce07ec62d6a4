/** The tool Slack against a strict scripted server: what waits for an answer, searches, channels, threads, and what each of them is labelled. */
import { describe, expect, it } from 'vitest'
import { createSlackTool } from '../../integrations/tools/slack/run.ts'
import type { Json } from '../../kernel/flow/json.ts'
import {
  type Asked,
  channel,
  chat,
  ME,
  person,
  refused,
  SITE,
  type SlackAccount,
  said,
} from '../fakes/slack-account-server.ts'
import { outputOf, tokenFor } from './calls.ts'
import { startClient } from './servers.ts'
import { CREDENTIAL, slack } from './slack-account.ts'

const SARAH = 'U000SARAH'
const TOM = 'U00000TOM'
const PEOPLE = [person(SARAH, 'Sarah'), person(TOM, 'Tom')]
const CHAT = 'D00000SARAH'
const GENERAL = 'C0GENERAL'
const AT_ME = `<@${ME}> can you look?`

function withPeople(own: SlackAccount): void {
  own.people.push(...PEOPLE)
  own.places.push(channel(GENERAL, 'general'), chat(CHAT, SARAH), chat('D0000000TOM', TOM))
}

const rowsOf = (output: Record<string, Json>, list: string) => output[list] as readonly Record<string, Json>[]

describe('what waits for an answer', () => {
  const asked = async (id: string, rows: readonly Record<string, unknown>[]) => {
    const { call } = await slack((own) => {
      withPeople(own)
      own.places.push(channel('G000GROUP', 'mpdm-a--b-1', { is_mpim: true, is_private: true }))
      own.said[id] = [...rows]
    })
    return rowsOf(outputOf(await call('list_unanswered')), 'waiting')
  }

  it('of two is the newest message, with how many there are, who wrote it, and its link', async () => {
    const rows = [
      said(0, SARAH, 'Hi'),
      said(1, ME, 'Hello'),
      said(2, SARAH, 'Lunch?'),
      said(3, SARAH, '12:30'),
    ]
    expect(await asked(CHAT, rows)).toEqual([
      {
        conversation: CHAT,
        kind: 'direct',
        from: 'Sarah',
        text: '12:30',
        at: '2026-11-27T10:03:00Z',
        link: `${SITE}archives/${CHAT}/p1795773780000100`,
        count: 2,
      },
    ])
  })

  it.each([
    ['the owner wrote last', [said(0, SARAH, 'Lunch?'), said(1, ME, 'Yes')]],
    ['the owner reacted', [said(0, SARAH, 'Done', { reactions: [{ name: '+1', users: [TOM, ME] }] })]],
    ['the owner answered in its thread', [said(0, SARAH, 'Lunch?', { reply_count: 1, reply_users: [ME] })]],
    ['a program wrote', [said(0, 'U0000APP', 'Build 7 failed', { bot_id: 'B1' })]],
    ['somebody joined', [said(0, SARAH, 'joined', { subtype: 'channel_join' })]],
    ['nothing was written', []],
  ])('is not where %s', async (_what, rows) => expect(await asked(CHAT, rows)).toEqual([]))

  it('of a small group is what was said since the owner spoke', async () => {
    const rows = [said(0, ME, 'x'), said(1, TOM, 'y'), said(2, SARAH, 'z')]
    expect(await asked('G000GROUP', rows)).toMatchObject([{ kind: 'group', text: 'z', count: 2 }])
  })

  it.each([
    ['a mention', [said(0, TOM, AT_ME)], ['@owner can you look?']],
    ['a mention with a name', [said(0, TOM, `<@${ME}|owner> hm`)], ['@owner hm']],
    ['talk of others', [said(0, TOM, 'no names'), said(1, TOM, `<@${SARAH}> you`)], []],
    ['a mention before the owner spoke', [said(0, TOM, AT_ME), said(1, ME, 'on it')], []],
    ['a mention answered in its thread', [said(0, TOM, AT_ME, { reply_users: [ME] })], []],
    ['an id that only begins like the owner’s', [said(0, TOM, `<@${ME}2> hm`)], []],
  ])('of a channel: %s', async (_what, rows, texts) =>
    expect((await asked(GENERAL, rows)).map(({ text }) => text)).toEqual(texts),
  )

  it('is asked for by days before the call, over all pages, people before channels', async () => {
    const { tool, origin, state } = await slack((own) => {
      withPeople(own)
      own.page = 2
    })
    const now = Date.parse('2026-11-27T12:00:00Z')
    const claims = { ...tokenFor('x').claims, issuedAt: now }
    const http = startClient({ hosts: tool.manifest.network, exemptOrigins: [origin] })
    for (const days of [undefined, 2, 900]) {
      const args = days === undefined ? {} : { days }
      const capability = { ...tokenFor('x'), claims }
      await tool.execute({ action: 'slack.list_unanswered', args, capability, credential: CREDENTIAL, http })
    }
    const histories = state.asked.filter(({ method }) => method === 'conversations.history')
    expect(histories.slice(0, 3).map(({ query }) => query.get('channel'))).toEqual([
      ...[CHAT, 'D0000000TOM', GENERAL],
    ])
    const days = histories.map(({ query }) => (now / 1_000 - Number(query.get('oldest'))) / 86_400)
    expect([...new Set(days)]).toEqual([7, 2, 30])
    const listed = state.asked.filter(({ method }) => method === 'users.conversations')
    expect(listed[1]?.query.get('cursor')).toBe('next-2==')
  })

  it.each([
    ['one conversation may not be seen', 'missing_scope'],
    ['Slack wants fewer requests', 'ratelimited'],
  ])('says that it is not all where %s', async (_what, error) => {
    const { call } = await slack((own) => {
      withPeople(own)
      own.said[CHAT] = [said(0, SARAH, 'Lunch?')]
      own.said['D0000000TOM'] = [said(1, TOM, 'Hm?')]
      const failing = ({ method, query }: Asked, response: Parameters<typeof refused>[0]) =>
        method === 'conversations.history' && query.get('channel') === 'D0000000TOM'
          ? refused(response, error)
          : false
      own.next.push(...Array.from({ length: 9 }, () => failing))
    })
    const output = outputOf(await call('list_unanswered'))
    expect([output['partial'], rowsOf(output, 'waiting').length]).toEqual([true, 1])
  })

  it('is not said to be nothing where no conversation could be read', async () => {
    for (const [error, code] of [
      ['missing_scope', 'remote_rejected'],
      ['ratelimited', 'remote_rate_limited'],
      ['token_revoked', 'remote_unauthorized'],
    ] as const) {
      const { call } = await slack((own) => {
        withPeople(own)
        const failing = ({ method }: Asked, response: Parameters<typeof refused>[0]) =>
          method === 'conversations.history' ? refused(response, error) : false
        own.next.push(...Array.from({ length: 9 }, () => failing))
      })
      expect(await call('list_unanswered')).toMatchObject({ reason: { code } })
    }
  })
})

describe('a search', () => {
  const match = (id: string, more: object, text = 'the offer') => ({
    ...said(0, SARAH, text, { permalink: `${SITE}archives/${id}/p1795773600000100` }),
    channel: { id, name: 'general', is_private: false, is_mpim: false, ...more },
  })

  it('gives who reads each place, and is sensitive whatever it finds', async () => {
    const { call, state } = await slack((own) => {
      withPeople(own)
      own.found.push(match(GENERAL, {}), match('C0SECRETS', { is_private: true }), match(CHAT, {}))
      own.found.push(match('C00UNKNOWN', { is_private: null }), match('no id', {}))
    })
    const output = outputOf(await call('search', { words: ' the offer ', count: 4 }))
    expect(
      rowsOf(output, 'messages').map(({ kind, from, link }) => [kind, from, link !== undefined]),
    ).toEqual([
      ['public', 'Sarah', true],
      ['private', 'Sarah', true],
      ['direct', 'Sarah', true],
      ['unknown', 'Sarah', true],
    ])
    expect(output['more']).toBe(true)
    expect(state.asked[0]?.query.get('query')).toBe('the offer')
    const action = createSlackTool().manifest.actions.find(({ id }) => id === 'slack.search')
    expect(action?.ceiling).toBe('sensitive')
  })
})

describe('a channel', () => {
  const raw = async (row: Record<string, unknown>) => {
    const { tool, http } = await slack((own) => {
      own.places.push(row)
      own.said[String(row['id'])] = [said(0, SARAH, 'Hi')]
    })
    const args = { channel: String(row['id']) }
    const outcome = await tool.execute({
      ...{ action: 'slack.read_channel', args, capability: tokenFor('x'), credential: CREDENTIAL },
      http: http(),
    })
    return outcome.ok ? (outcome.level ?? 'as declared') : outcome.reason.code
  }

  it.each([
    ['a public one', channel(GENERAL, 'general'), 'as declared'],
    ['a private one', channel('C0SECRETS', 'secrets', { is_private: true }), 'sensitive'],
    ['an old private one', channel('G0SECRETS', 'secrets', { is_group: true }), 'sensitive'],
    ['a small group', channel('C00000MPIM', 'mpdm', { is_mpim: true, is_private: false }), 'sensitive'],
    ['one of two', chat(CHAT, SARAH), 'sensitive'],
    ['one of two that is said to be public', { id: CHAT, is_private: false }, 'sensitive'],
    ['one of which nothing is said', { id: GENERAL, name: 'general' }, 'sensitive'],
    ['one of which it is said oddly', channel(GENERAL, 'general', { is_private: 'no' }), 'sensitive'],
  ])('%s is %s', async (_what, row, level) => expect(await raw(row)).toBe(level))

  it.each([
    ['#general', GENERAL],
    ['general', GENERAL],
    ['#General', GENERAL],
    [GENERAL, GENERAL],
    ['Sarah', CHAT],
    ['@sarah', CHAT],
    ['sarah smith', CHAT],
  ])('is found by %s', async (named, id) => {
    const { call } = await slack((own) => {
      own.page = 1
      withPeople(own)
    })
    expect(outputOf(await call('read_channel', { channel: named }))['conversation']).toBe(id)
  })

  it.each(['#nowhere', 'nobody', '#sarah', '@general', '#', 'twin'])('is not found by %s', async (named) => {
    const { call } = await slack((own) => {
      withPeople(own)
      own.people.push(person('U0000TWIN1', 'Twin'), person('U0000TWIN2', 'Twin'))
    })
    expect(await call('read_channel', { channel: named })).toMatchObject({
      reason: { code: 'remote_not_found' },
    })
  })

  it('is read from its beginning, as people see it', async () => {
    const { call } = await slack((own) => {
      withPeople(own)
      own.said[GENERAL] = [
        said(
          0,
          SARAH,
          `<@${TOM}> see <https://x.example/a?b=1&amp;c|the page> in <#C1|dev> &lt;now&gt; <!here>`,
        ),
        said(1, TOM, '', { files: [{ title: 'offer.pdf' }], subtype: 'file_share', reply_count: 2 }),
        said(2, 'U0GONE000', 'bye', { user: 'U0GONE000' }),
      ]
    })
    const output = outputOf(await call('read_channel', { channel: '#general', count: 50 }))
    expect(output).toMatchObject({ where: 'general', kind: 'public', more: false })
    expect(rowsOf(output, 'messages')).toMatchObject([
      { from: 'Sarah', text: '@Tom see the page (https://x.example/a?b=1&c) in #dev <now> @here' },
      { from: 'Tom', text: 'offer.pdf', replies: 2 },
      { text: 'bye' },
    ])
    expect(rowsOf(output, 'messages')[2]).not.toHaveProperty('from')
  })

  it('shows as many as asked for, the newest, and says that there are more', async () => {
    const { call } = await slack((own) => {
      withPeople(own)
      own.said[GENERAL] = Array.from({ length: 70 }, (_, at) => said(at, TOM, `m${at}`))
    })
    for (const [args, first, many] of [
      [{}, 'm50', 20],
      [{ count: 900 }, 'm20', 50],
      [{ from: '2026-11-27T11:05:00Z' }, 'm65', 5],
    ] as const) {
      const output = outputOf(await call('read_channel', { channel: '#general', ...args }))
      const rows = rowsOf(output, 'messages')
      expect([rows[0]?.['text'], rows.length, output['more']]).toEqual([first, many, many > 5])
    }
  })
})

describe('a thread', () => {
  const FIRST = said(0, SARAH, 'The offer', { reply_count: 300 })
  const LINK = `${SITE}archives/${GENERAL}/p${String(FIRST['ts']).replace('.', '')}`

  it('is its first message and the newest of the others', async () => {
    const { call } = await slack((own) => {
      withPeople(own)
      const replies = Array.from({ length: 300 }, (_, at) => said(at + 1, TOM, `r${at}`))
      own.said[`${GENERAL}/${FIRST['ts']}`] = [FIRST, ...replies]
    })
    for (const thread of [
      LINK,
      `${SITE}archives/${GENERAL}/p1795773999000100?thread_ts=${FIRST['ts']}&cid=${GENERAL}`,
    ]) {
      const output = outputOf(await call('read_thread', { thread }))
      const texts = rowsOf(output, 'messages').map(({ text }) => text)
      expect([texts[0], texts[1], texts.at(-1), texts.length, output['more']]).toEqual([
        ...['The offer', 'r250', 'r298', 50, true],
      ])
    }
  })

  it.each([
    'https://evil.example/archives/C0GENERAL/p1795773600000100',
    'https://acme.slack.com.evil.example/archives/C0GENERAL/p1795773600000100',
    'https://acme.slack.com/archives/../C0GENERAL/p1795773600000100',
    'https://acme.slack.com/archives/C0GENERAL',
    'http://acme.slack.com/archives/C0GENERAL/p1795773600000100',
  ])('is not %s', async (thread) => {
    const { call, state } = await slack(withPeople)
    expect(await call('read_thread', { thread })).toMatchObject({
      reason: { code: 'tool_arguments_invalid' },
    })
    expect(state.asked).toEqual([])
  })
})
