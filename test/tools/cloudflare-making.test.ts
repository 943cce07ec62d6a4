/** DNS records that are made, removed and made again, against a strict scripted server: what stands beside, what fits none, the mark, refusals (I-19). */
import { describe, expect, it } from 'vitest'
import { markOf } from '../../integrations/tools/cloudflare/mark.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { failing, idOf, recordRow } from '../fakes/cloudflare-server.ts'
import { outputOf } from './calls.ts'
import { CREDENTIAL, cloudflare } from './cloudflare-calls.ts'

type Args = { readonly [key: string]: Json }

describe('the place of a new record', () => {
  it('is found with what stands there, the zone, and the Worker that answers', async () => {
    const { call } = await cloudflare((own) => {
      own.routes.push({ pattern: 'www.example.com/*', script: 'pfar' })
      own.records[idOf(1)]?.push(recordRow(13, 'TXT', 'www.example.com', '"a text"'))
    })
    expect(outputOf(await call('find_place', { name: 'WWW.example.com', to: '203.0.113.9' }))).toEqual({
      ...{ zone: idOf(1), domain: 'example.com', kind: 'A', beside: 'others', worker: 'here' },
      there: 'A 203.0.113.5\nTXT "a text"',
    })
  })

  it.each<[what: string, args: Args, beside: string]>([
    ['nothing', { name: 'new.example.com', to: '203.0.113.9' }, 'nothing'],
    ['another kind', { name: 'www.example.com', to: '2001:db8::7' }, 'others'],
    ['the same record', { name: 'www.example.com', to: '203.0.113.5' }, 'same'],
    ['an alias, for an address', { name: 'docs.example.com', to: '203.0.113.9' }, 'alone'],
    ['an alias, for a text', { name: 'docs.example.com', to: 'a text', type: 'TXT' }, 'alone'],
    ['an address, for an alias', { name: 'www.example.com', to: 'pages.example.net' }, 'alone'],
    ['name servers', { name: 'sub.example.com', to: '203.0.113.9' }, 'delegated'],
  ])('says that there is %s', async (_what, args, beside) => {
    const { call } = await cloudflare((own) => {
      own.records[idOf(1)]?.push(recordRow(14, 'NS', 'sub.example.com', 'ns.example.net'))
    })
    expect(outputOf(await call('find_place', args))['beside']).toBe(beside)
  })

  it.each<[Args, string]>([
    [{ name: 'new.example.com', to: 'not an address' }, 'tool_arguments_invalid'],
    [{ name: 'new.example.com', to: 'not an address', type: 'A' }, 'tool_arguments_invalid'],
    [{ name: 'no name', to: '203.0.113.9' }, 'tool_arguments_invalid'],
    [{ name: 'new.example.org', to: '203.0.113.9' }, 'remote_not_found'],
  ])('is none for %j', async (args, code) => {
    const { call } = await cloudflare()
    expect(await call('find_place', args)).toMatchObject({ reason: { code } })
  })

  it('shows a bounded part of many records, and says that there are more', async () => {
    const { call } = await cloudflare((own) => {
      const many = Array.from({ length: 40 }, (_, at) =>
        recordRow(100 + at, 'TXT', 'many.example.com', `${at} ${'x'.repeat(100)}`),
      )
      own.records[idOf(1)]?.push(...many)
    })
    const { there } = outputOf(await call('find_place', { name: 'many.example.com', to: '203.0.113.9' }))
    expect([String(there).length <= 1_000, String(there).endsWith('\n…')]).toEqual([true, true])
  })
})

describe('a record is made', () => {
  const AIMED = { zone: idOf(1), domain: 'example.com', beside: 'nothing', worker: 'none' }
  it.each<[what: string, args: Args, body: object]>([
    [
      'of an address',
      { name: 'new.example.com', to: '203.0.113.9', kind: 'A' },
      { type: 'A', name: 'new.example.com', content: '203.0.113.9', ttl: 1, proxied: false },
    ],
    [
      'through Cloudflare',
      { name: 'New.example.com.', to: 'Pages.example.net', kind: 'CNAME', proxied: true },
      { type: 'CNAME', name: 'new.example.com', content: 'pages.example.net', ttl: 1, proxied: true },
    ],
    [
      'of a text, with a time',
      { name: 'example.com', to: 'check=1 2', kind: 'TXT', ttl: 300 },
      { type: 'TXT', name: 'example.com', content: 'check=1 2', ttl: 300 },
    ],
  ])('%s, by one request', async (_what, args, body) => {
    const { call, state } = await cloudflare()
    const { name, content, type } = body as { name: string; content: string; type: string }
    expect(outputOf(await call('dns_create', { ...args, ...AIMED }))).toEqual({ name, content, kind: type })
    expect(state.asked.map((one) => [one.method, one.path, one.body])).toEqual([
      ['POST', `/zones/${idOf(1)}/dns_records`, body],
    ])
  })

  const ARGS = { name: 'new.example.com', to: '203.0.113.9', kind: 'A', ...AIMED }
  it.each<[what: string, args: Args]>([
    ['a zone that leads elsewhere', { ...ARGS, zone: '../user' }],
    ['no zone', { name: 'new.example.com', to: '203.0.113.9', kind: 'A' }],
    ['a value of another kind', { ...ARGS, to: 'pages.example.net' }],
    ['a kind that was not looked up', { ...ARGS, kind: 'MX' }],
    ['a text through Cloudflare', { ...ARGS, to: 'a text', kind: 'TXT', proxied: true }],
    ['a time below the least', { ...ARGS, ttl: 5 }],
    ['a time above the most', { ...ARGS, ttl: 100_000 }],
    ['a time of what goes through Cloudflare', { ...ARGS, proxied: true, ttl: 300 }],
  ])('never with %s', async (_what, args) => {
    const { call, state } = await cloudflare()
    expect(await call('dns_create', args)).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
    expect(state.asked).toEqual([])
  })

  it('not where an alias stands, which Cloudflare refuses', async () => {
    const { call, state } = await cloudflare()
    expect(await call('dns_create', { ...ARGS, name: 'docs.example.com' })).toMatchObject({
      reason: { code: 'remote_rejected' },
    })
    expect(state.records[idOf(1)]).toHaveLength(3)
  })

  it.each([
    [503, 'write_outcome_unknown'],
    [403, 'remote_rejected'],
  ])('once, and %i is said to be %s', async (status, code) => {
    const { call, state } = await cloudflare((own) =>
      own.next.push((_, response) => failing(response, status)),
    )
    expect(await call('dns_create', ARGS)).toMatchObject({ reason: { code } })
    expect(state.asked).toHaveLength(1)
  })
})

describe('the record that a removal is of', () => {
  const fill = (own: Parameters<NonNullable<Parameters<typeof cloudflare>[0]>>[0]): void => {
    own.records[idOf(1)]?.push(
      recordRow(20, 'A', 'two.example.com', '203.0.113.20', { ttl: 300 }),
      recordRow(21, 'A', 'two.example.com', '203.0.113.21'),
      recordRow(22, 'MX', 'two.example.com', 'mail.example.net'),
      recordRow(23, 'TXT', 'note.example.com', '"Hello there"'),
      recordRow(24, 'NS', 'sub.example.com', 'ns.example.net'),
    )
  }
  it.each<[args: Args, record: number, others: string | undefined]>([
    [{ name: 'www.example.com' }, 10, undefined],
    [{ name: 'two.example.com', type: 'MX' }, 22, 'A 203.0.113.20\nA 203.0.113.21'],
    [{ name: 'two.example.com', value: '203.0.113.20' }, 20, 'A 203.0.113.21\nMX mail.example.net'],
    [{ name: 'note.example.com', value: 'hello there' }, 23, undefined],
  ])('%j is found, with what stays beside it', async (args, record, others) => {
    const { call } = await cloudflare(fill)
    const found = outputOf(await call('find_removed', args))
    expect([found['record'], found['others'], found['domain']]).toEqual([idOf(record), others, 'example.com'])
  })

  it('has whether it goes through Cloudflare, and its time where it has one of its own', async () => {
    const { call } = await cloudflare(fill)
    const www = outputOf(await call('find_removed', { name: 'www.example.com' }))
    expect([www['through'], www['seconds'], www['from']]).toEqual([true, undefined, '203.0.113.5'])
    const two = outputOf(await call('find_removed', { name: 'two.example.com', value: '203.0.113.20' }))
    expect([two['through'], two['seconds']]).toEqual([false, 300])
  })

  it.each<[what: string, args: Args, code: string]>([
    ['one of several', { name: 'two.example.com' }, 'remote_not_found'],
    ['one of two of a kind', { name: 'two.example.com', type: 'A' }, 'remote_not_found'],
    ['name servers', { name: 'sub.example.com' }, 'remote_not_found'],
    ['what is not there', { name: 'none.example.com' }, 'remote_not_found'],
    ['another value', { name: 'www.example.com', value: '203.0.113.6' }, 'remote_not_found'],
    ['no name', { name: 'no name' }, 'tool_arguments_invalid'],
  ])('is never %s', async (_what, args, code) => {
    const { call } = await cloudflare(fill)
    expect(await call('find_removed', args)).toMatchObject({ reason: { code } })
  })
})

describe('a record is removed and made again', () => {
  const FOUND = { zone: idOf(1), domain: 'example.com', record: idOf(10), kind: 'A', from: '203.0.113.5' }
  const GONE = { name: 'www.example.com', ...FOUND, through: true, worker: 'none' }
  const AIMED = { zone: idOf(1), domain: 'example.com', kind: 'A', beside: 'nothing', worker: 'none' }

  it('as it was, by what the removal gave', async () => {
    const { call, state } = await cloudflare()
    const gone = outputOf(await call('dns_delete', GONE))
    expect(state.asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['DELETE', `/zones/${idOf(1)}/dns_records/${idOf(10)}`, null],
    ])
    expect(gone).toMatchObject({
      name: 'www.example.com',
      content: '203.0.113.5',
      proxied: true,
      carried: true,
    })
    const { name, content, kind, proxied, mark } = gone as Record<string, string>
    const back = { name, to: content, type: kind, proxied, mark, ...AIMED } as Args
    expect(outputOf(await call('dns_put_back', back))).toMatchObject({ content: '203.0.113.5' })
    expect(state.asked.at(-1)?.body).toEqual({
      ...{ type: 'A', name: 'www.example.com', content: '203.0.113.5', ttl: 1, proxied: true },
    })
  })

  it.each<[what: string, more: Args]>([
    ['another value', { to: '203.0.113.66' }],
    ['another name', { name: 'api.example.com' }],
    ['another kind', { type: 'TXT' }],
    ['another way', { proxied: false }],
    ['a time that it did not have', { ttl: 300 }],
    ['a mark that somebody made up', { mark: 'a'.repeat(64) }],
    ['the mark of another token', { mark: markFor('another') }],
  ])('never with %s', async (_what, more) => {
    const { call, state } = await cloudflare()
    const own = { name: 'www.example.com', to: '203.0.113.5', type: 'A', proxied: true }
    const back = { ...own, mark: markFor(CREDENTIAL.value), ...AIMED, ...more }
    expect(await call('dns_put_back', back)).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
    expect(state.asked).toEqual([])
  })

  it.each<[what: string, more: Args]>([
    ['of several values', { kind: 'MX', from: 'mail.example.net' }],
    ['longer than a line', { kind: 'TXT', from: 'x'.repeat(1_500) }],
  ])('not where it is %s, and its removal says so', async (_what, more) => {
    const { call } = await cloudflare()
    const gone = outputOf(await call('dns_delete', { ...GONE, ...more }))
    expect(gone).toEqual({ name: 'www.example.com', kind: more['kind'], carried: false })
  })

  it.each<[what: string, args: Args]>([
    ['an id that leads elsewhere', { ...GONE, record: '../../../user' }],
    ['no record', { name: 'www.example.com', worker: 'none' }],
    ['a kind that is the zone itself', { ...GONE, kind: 'NS' }],
  ])('nothing is removed with %s', async (_what, args) => {
    const { call, state } = await cloudflare()
    expect(await call('dns_delete', args)).toMatchObject({ reason: { code: 'tool_arguments_invalid' } })
    expect(state.asked).toEqual([])
  })

  it.each([
    [503, 'write_outcome_unknown'],
    [404, 'remote_not_found'],
  ])('a removal that is answered with %i is %s, and is made once', async (status, code) => {
    const { call, state } = await cloudflare((own) =>
      own.next.push((_, response) => failing(response, status)),
    )
    expect(await call('dns_delete', GONE)).toMatchObject({ reason: { code } })
    expect(state.asked).toHaveLength(1)
  })
})

function markFor(token: string): string {
  const row = { name: 'www.example.com', kind: 'A', content: '203.0.113.5', proxied: true, ttl: undefined }
  return String(markOf(row, { scheme: 'bearer', value: token }))
}
