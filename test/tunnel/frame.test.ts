/** Frames are checked on arrival: what is not exactly a frame is refused with its reason (T-04, T-11, A-49). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MOST_FORWARDED, MOST_READ } from '../../kernel/tunnel/ask.ts'
import {
  checkBody,
  encodeFrame,
  type Frame,
  MAX_FRAME_BYTES,
  PROTOCOL_VERSION,
  parseFrame,
} from '../../kernel/tunnel/frame.ts'
import { MAX_BODY_BYTES } from '../../kernel/tunnel/piece.ts'
import { MAX_SYNCED_LINKS, type SyncedLink } from '../../kernel/tunnel/synced.ts'
import type { SecretOffer } from '../../kernel/vault/secret-offer.ts'
import { callBody, homeAnswer, homeCall } from './fixtures.ts'

const HELLO = {
  kind: 'hello',
  version: PROTOCOL_VERSION,
  epoch: 3,
  received: 7,
  base: 1,
  last: 2,
  proof: null,
} as const

const PROOF = { nonce: 'n'.repeat(24), signature: 's'.repeat(86) }

const OFFER: SecretOffer = {
  ...{ id: 'o1', principal: 'principal:owner', name: 'google', at: 1_700_000_000_000 },
  ...{ key: '0'.repeat(32), box: 'b'.repeat(80) },
}

const TOLD_LINK: SyncedLink = {
  ...{
    id: 'l1',
    ends: [
      { principal: 'principal:a', sink: 'sink:a' },
      { principal: 'principal:b', sink: null },
    ],
  },
}

const GOOD: readonly Frame[] = [
  HELLO,
  { ...HELLO, proof: PROOF },
  { kind: 'data', seq: 1, body: callBody('e1') },
  { kind: 'data', seq: 2, body: { type: 'home_answer', answer: homeAnswer('e1') } },
  {
    kind: 'data',
    seq: 3,
    body: { type: 'home_answer', answer: { id: 'e', task: 't', step: 1, ok: false, reason: 'home_timeout' } },
  },
  { kind: 'data', seq: 4, body: { type: 'profile', timezone: 'Europe/Berlin' } },
  { kind: 'data', seq: 5, body: callBody('e2'), at: 1_700_000_000_000 },
  { kind: 'data', seq: 6, body: { type: 'seal_key', key: 'k'.repeat(43) } },
  { kind: 'data', seq: 7, body: { type: 'secret', offer: OFFER } },
  { kind: 'data', seq: 8, body: { type: 'secret', offer: { ...OFFER, box: null } } },
  {
    ...{ kind: 'data', seq: 9 },
    body: { type: 'link_code', said: { event: 'e', principal: 'p', sink: 's', code: 'ABCD-EFGH-JKMN' } },
  },
  { kind: 'data', seq: 10, body: { type: 'links', links: [TOLD_LINK] } },
  { kind: 'ack', seq: 0 },
  { kind: 'ephemeral', body: { type: 'rtt', ms: 0.4 } },
  {
    kind: 'ephemeral',
    body: {
      type: 'work',
      work: { on: 'said', id: 's1', how: { doing: 'working', step: 2, steps: 4, shown: true } },
    },
  },
  {
    kind: 'ephemeral',
    body: { type: 'file_ask', ask: { id: 'c1', epoch: 3, kind: 'pdf', bytes: 'JVBERi0=' } },
  },
  {
    kind: 'ephemeral',
    body: { type: 'file_told', told: { id: 'c1', epoch: 3, ok: true, text: 'x', pages: 1 } },
  },
  { kind: 'ephemeral', body: { type: 'file_told', told: { id: 'c1', epoch: 3, ok: true, text: '' } } },
  { kind: 'ephemeral', body: { type: 'file_told', told: { id: 'c1', epoch: 3, ok: false, reason: 'x' } } },
  { kind: 'refused', code: 'frame_fenced' },
]

test.each(GOOD.map((frame) => [frame.kind, frame] as const))('%s survives the wire', (_kind, frame) => {
  expect(parseFrame(encodeFrame(frame))).toEqual({ ok: true, value: frame })
})

const data = (body: unknown): unknown => ({ kind: 'data', seq: 1, body })
const call = (over: object): unknown => data({ type: 'home_call', call: { ...homeCall('e1'), ...over } })
const offer = (over: object): string => JSON.stringify(data({ type: 'secret', offer: { ...OFFER, ...over } }))
const told = (over: object): string =>
  JSON.stringify(data({ type: 'links', links: [{ ...TOLD_LINK, ...over }] }))
const said = (over: object): string =>
  JSON.stringify(
    data({ type: 'link_code', said: { event: 'e', principal: 'p', sink: 's', code: 'A', ...over } }),
  )
const atWork = (over: object): string =>
  JSON.stringify({ kind: 'ephemeral', body: { type: 'work', work: { on: 'said', id: 's1', ...over } } })
const asking = (over: object): string =>
  JSON.stringify({
    kind: 'ephemeral',
    body: { type: 'file_ask', ask: { id: 'c1', epoch: 3, kind: 'pdf', bytes: 'JVBERi0=', ...over } },
  })
const readThere = (over: object): string =>
  JSON.stringify({
    kind: 'ephemeral',
    body: { type: 'file_told', told: { id: 'c1', epoch: 3, ok: true, text: 'x', ...over } },
  })
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

const BAD: readonly (readonly [string, string, string])[] = [
  ['no JSON', '{', 'frame_malformed'],
  ['no object', '[]', 'frame_malformed'],
  ['unknown kind', '{"kind":"admin"}', 'frame_malformed'],
  ['extra key', JSON.stringify({ kind: 'ack', seq: 1, as: 'owner' }), 'frame_malformed'],
  ['number below zero', JSON.stringify({ kind: 'ack', seq: -1 }), 'frame_malformed'],
  ['number that is none', JSON.stringify({ kind: 'ack', seq: '1' }), 'frame_malformed'],
  ['broken number', JSON.stringify({ kind: 'ack', seq: 1.5 }), 'frame_malformed'],
  ['data zero', JSON.stringify({ kind: 'data', seq: 0, body: callBody('e') }), 'frame_malformed'],
  [
    'data of no time',
    JSON.stringify({ kind: 'data', seq: 1, body: callBody('e'), at: 'noon' }),
    'frame_malformed',
  ],
  ['unknown body', JSON.stringify(data({ type: 'shell', command: 'ls' })), 'frame_malformed'],
  [
    'work in words of its own',
    atWork({ how: { doing: 'reading eve’s letter', step: 1, steps: 2 } }),
    'frame_malformed',
  ],
  [
    'work with more steps than there are',
    atWork({ how: { doing: 'working', step: 1, steps: 101 } }),
    'frame_malformed',
  ],
  ['work with a text', atWork({ how: null, text: 'x' }), 'frame_malformed'],
  ['work in a chat of its own choice', atWork({ how: null, sink: 'sink:telegram:5' }), 'frame_malformed'],
  ['call with extra key', JSON.stringify(call({ approved: true })), 'frame_malformed'],
  ['call without id', JSON.stringify(call({ id: '' })), 'frame_malformed'],
  ['call with an id beyond the bound', JSON.stringify(call({ id: 'c'.repeat(201) })), 'frame_malformed'],
  ['call with a label of no level', JSON.stringify(call({ provenance: label('low') })), 'frame_malformed'],
  ['call without taint', JSON.stringify(call({ provenance: { label: { atoms: [] } } })), 'frame_malformed'],
  ['a seal key that is too short', JSON.stringify(data({ type: 'seal_key', key: 'k' })), 'frame_malformed'],
  ['a secret with its value', offer({ value: 'tOk' }), 'frame_malformed'],
  ['a secret with a name that is a path', offer({ name: '../google' }), 'frame_malformed'],
  ['a secret without a box', offer({ box: undefined }), 'frame_malformed'],
  ['a box that is none', offer({ box: 'not base64url!' }), 'frame_malformed'],
  ['a box beyond the bound', offer({ box: 'b'.repeat(33_001) }), 'frame_malformed'],
  ['a key that is no fingerprint', offer({ key: 'mine' }), 'frame_malformed'],
  ['a link of one end', told({ ends: [{ principal: 'p', sink: null }] }), 'frame_malformed'],
  ['a link with a code', told({ code: 'ABCD-EFGH-JKMN' }), 'frame_malformed'],
  ['a code of nobody', said({ principal: '' }), 'frame_malformed'],
  ['a code beyond the bound', said({ code: 'A'.repeat(201) }), 'frame_malformed'],
  ['a code with a link', said({ link: 'l1' }), 'frame_malformed'],
  [
    'more links than anyone has',
    JSON.stringify(data({ type: 'links', links: Array(MAX_SYNCED_LINKS + 1).fill(TOLD_LINK) })),
    'frame_malformed',
  ],
  ['a file of a kind that nobody reads', asking({ kind: 'photo' }), 'frame_malformed'],
  ['a file of no bytes', asking({ bytes: '' }), 'frame_malformed'],
  ['a file that is no base64', asking({ bytes: 'JVBERi0-' }), 'frame_malformed'],
  ['a file of more bytes', asking({ bytes: 'A'.repeat((MOST_FORWARDED / 3) * 4 + 4) }), 'frame_malformed'],
  ['a file with a name', asking({ name: 'bill.pdf' }), 'frame_malformed'],
  ['a file of nobody', asking({ id: '' }), 'frame_malformed'],
  ['a file’s text that is none', readThere({ text: { text: 'x' } }), 'frame_malformed'],
  ['a file’s text beyond the bound', readThere({ text: 'x'.repeat(MOST_READ + 1) }), 'frame_malformed'],
  ['a file’s text with a label', readThere({ label: 'public' }), 'frame_malformed'],
  ['a file of less than no pages', readThere({ pages: -1 }), 'frame_malformed'],
  ['a file of half a page', readThere({ pages: 0.5 }), 'frame_malformed'],
  ['a file of pages in words', readThere({ pages: 'two: obey' }), 'frame_malformed'],
  ['prototype key', encodeFrame(proto()), 'frame_malformed'],
  ['deep arguments', encodeFrame(deep(60)), 'frame_malformed'],
  ['very deep text', `{"kind":"data","seq":1,"body":${nested(200_000)}}`, 'frame_malformed'],
  ['unknown reason', JSON.stringify({ kind: 'refused', code: 'because' }), 'frame_malformed'],
  ['hello without numbers', JSON.stringify({ ...HELLO, base: undefined }), 'frame_malformed'],
  ['hello with half a proof', JSON.stringify({ ...HELLO, proof: { nonce: 'n' } }), 'frame_malformed'],
  ['hello without a word of proof', JSON.stringify({ ...HELLO, proof: undefined }), 'frame_malformed'],
  ['older peer', JSON.stringify({ ...HELLO, version: 0 }), 'version_incompatible'],
  [
    'newer peer',
    JSON.stringify({ kind: 'hello', version: PROTOCOL_VERSION + 1, epoch: 1, key: 'x' }),
    'version_incompatible',
  ],
  ['one byte too many', ' '.repeat(MAX_FRAME_BYTES + 1), 'frame_too_large'],
  ['too many bytes in fewer characters', 'é'.repeat(MAX_FRAME_BYTES / 2 + 1), 'frame_too_large'],
]

test.each(BAD)('%s is refused', (_name, text, code) => {
  expect(parseFrame(text)).toMatchObject({ ok: false, reason: { code } })
})

test('a frame of exactly the limit is parsed', () => {
  const text = encodeFrame({ kind: 'ack', seq: 1 })
  expect(parseFrame(text + ' '.repeat(MAX_FRAME_BYTES - text.length)).ok).toBe(true)
})

test('the largest file that may be asked about is within a frame, under any id', () => {
  const bytes = Buffer.alloc(MOST_FORWARDED, 7).toString('base64')
  expect(parseFrame(asking({ id: '€'.repeat(200), epoch: Number.MAX_SAFE_INTEGER, bytes })).ok).toBe(true)
})

test('a reason never carries what the peer wrote', () => {
  const result = parseFrame('{"kind":"canary-7319"}')
  expect(JSON.stringify(result)).not.toContain('canary')
})

test('a body too large for the link is known before it is stored', () => {
  const body = (letters: number) => ({ type: 'profile', timezone: 'x'.repeat(letters) }) as const
  expect(checkBody(body(MAX_FRAME_BYTES))).toEqual({ ok: true, value: true })
  expect(checkBody(body(MAX_BODY_BYTES))).toMatchObject({ ok: false, reason: { code: 'frame_too_large' } })
  expect(checkBody(callBody('e1'))).toEqual({ ok: true, value: true })
})

test('no text makes the parser throw', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => typeof parseFrame(text).ok === 'boolean'))
})

function label(level: string): object {
  const atom = { origin: 'o', field: '*', level, compartment: null }
  return { label: { atoms: [atom] }, taint: homeCall('e').provenance.taint }
}

function proto(): Frame {
  const args = JSON.parse('{"__proto__":{"admin":true}}')
  return { kind: 'data', seq: 1, body: { type: 'home_call', call: homeCall('e', { args }) } }
}

function deep(depth: number): Frame {
  const args = JSON.parse(nested(depth))
  return { kind: 'data', seq: 1, body: { type: 'home_call', call: homeCall('e', { args }) } }
}
