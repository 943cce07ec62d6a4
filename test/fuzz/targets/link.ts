/** Fuzz targets of the link between edge and home: frames, bodies, the edge's proof, pairing. */
import { generateKeyPairSync, sign } from 'node:crypto'
import * as z from 'zod/mini'
import type { RemoteMessage } from '../../../kernel/features/places/handover-port.ts'
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { EVENT_BOUNDS } from '../../../kernel/task/event.ts'
import { parseBody } from '../../../kernel/tunnel/body.ts'
import { parsePong, pongOf } from '../../../kernel/tunnel/channel.ts'
import {
  encodeFrame,
  type Frame,
  MAX_FRAME_BYTES,
  PROTOCOL_VERSION,
  parseFrame,
} from '../../../kernel/tunnel/frame.ts'
import { CODE_LENGTH, codeKey, pairRequestSchema, proofBytes } from '../../../kernel/tunnel/pairing.ts'
import { unpackMessage } from '../../../kernel/tunnel/queued-message.ts'
import { encodeText } from '../../../kernel/vault/text.ts'
import { checkEdgeProof } from '../../../sidecar/tunnel/pairing.ts'
import { homeAnswer, homeCall, openMemory } from '../../tunnel/fixtures.ts'
import { CANARY, type Target } from '../target.ts'

const BODIES: readonly Json[] = [
  { type: 'home_call', call: homeCall(CANARY, { args: { note: CANARY } }) },
  { type: 'home_answer', answer: { ...homeAnswer('a1'), output: { slots: [CANARY] } } },
  { type: 'home_answer', answer: { id: 'a1', task: 't1', step: 0, ok: false, reason: 'home_timeout' } },
  { type: 'memory', memory: openMemory('m1', CANARY) },
  { type: 'profile', timezone: 'Europe/Madrid' },
  { type: 'lock', locked: true },
  { type: 'seal_key', key: 'A'.repeat(43) },
  {
    type: 'secret',
    offer: { id: 'o1', principal: CANARY, name: 'google', key: '0'.repeat(32), at: 1, box: 'A'.repeat(64) },
  },
  { type: 'backup', at: 1 },
  { type: 'kept_said', kept: { id: 's1', key: '0'.repeat(32), at: 1, box: 'A'.repeat(64) } },
  { type: 'link_code', said: { event: 'e1', principal: CANARY, sink: CANARY, code: 'ABCD-EFGH-JKMN' } },
  {
    type: 'link_code',
    said: { event: 'e2', principal: CANARY, sink: CANARY, code: CANARY, as: 'person', handle: CANARY },
  },
  {
    type: 'grants',
    grants: [
      {
        ...{ id: 'g1', template: CANARY, action: CANARY, fields: [CANARY], daysAhead: 3, expiresAt: 1 },
      },
    ],
  },
  {
    type: 'people',
    people: [{ id: 'a1', principal: CANARY, sink: CANARY, templates: [CANARY], expiresAt: 1 }],
  },
  {
    type: 'links',
    links: [
      {
        id: 'l1',
        ends: [
          { principal: CANARY, sink: CANARY },
          { principal: 'principal:owner', sink: null },
        ],
      },
    ],
  },
] as unknown as readonly Json[]

const edge = generateKeyPairSync('ed25519')
const HOME = { homeNonce: 'h'.repeat(24), device: 'd1' }
const HELLO = { kind: 'hello', version: PROTOCOL_VERSION, epoch: 3, received: 7, base: 2, last: 9 } as const
const PROOF = {
  nonce: 'e'.repeat(24),
  signature: sign(
    null,
    proofBytes({ ...HOME, edgeNonce: 'e'.repeat(24), hello: HELLO }),
    edge.privateKey,
  ).toString('base64url'),
}
const PIN = {
  url: 'https://edge.example',
  publicKey: edge.publicKey.export({ format: 'jwk' }).x ?? '',
  version: 1,
}

const TOLD = { id: 'c1', epoch: 3 } as const
const MODEL_ASK = {
  ...{ ...TOLD, principal: 'principal:owner', model: 'box', purpose: 'plan', form: 1 },
  prompt: { stable: 'a', session: 'b', history: ['c'], now: 'd' },
  provenance: {
    label: { atoms: [{ origin: 'kernel', field: 'text', level: 'internal', compartment: null }] },
    taint: { level: 'clean', origins: [], touchedBy: [] },
  },
  ...{ maxTokens: 100, timeout: 60_000, schema: { name: 'plan', schema: { type: 'object' } } },
} as const

const FRAMES: readonly Json[] = [
  { ...HELLO, proof: null },
  { ...HELLO, proof: PROOF },
  ...BODIES.map((body, at): Json => ({ kind: 'data', seq: at + 1, body, at: 1_700_000_000_000 })),
  { kind: 'ack', seq: 12 },
  { kind: 'ephemeral', body: { type: 'rtt', ms: 12.5 } },
  { kind: 'ephemeral', body: { type: 'model_ask', ask: MODEL_ASK } },
  { kind: 'ephemeral', body: { type: 'model_stop', id: 'c1' } },
  { kind: 'ephemeral', body: { type: 'work', work: { on: 'call', id: 'c1', task: 't1' } } },
  {
    kind: 'ephemeral',
    body: { type: 'work', work: { on: 'said', id: 's1', how: { doing: 'working', step: 1, steps: 2 } } },
  },
  { kind: 'ephemeral', body: { type: 'work', work: { on: 'rest', id: 's1' } } },
  {
    kind: 'ephemeral',
    body: { type: 'model_told', told: { ...TOLD, ok: false, reason: 'model_failed', after: 5 } },
  },
  {
    kind: 'ephemeral',
    body: {
      type: 'model_told',
      told: { ...TOLD, ok: true, text: 'hi', cut: false, tokens: { input: 3, output: 1 } },
    },
  },
  { kind: 'ephemeral', body: { type: 'file_ask', ask: { ...TOLD, kind: 'pdf', bytes: 'JVBERi0=' } } },
  { kind: 'ephemeral', body: { type: 'file_told', told: { ...TOLD, ok: true, text: 'hi', pages: 2 } } },
  { kind: 'ephemeral', body: { type: 'file_told', told: { ...TOLD, ok: false, reason: 'nothing_found' } } },
  { kind: 'ephemeral', body: { type: 'card_waits' } },
  { kind: 'ephemeral', body: { type: 'unsent', unsent: { kind: 'answer', age: 120_000, lost: null } } },
  { kind: 'refused', code: 'frame_gap' },
]

/** Home's first frame of a connection: whatever is not the very hello that was signed is not this edge. */
function provenHello(input: unknown): Result<unknown> {
  const frame = parseFrame(String(input))
  if (!frame.ok) return frame
  if (frame.value.kind !== 'hello') return err('frame_malformed')
  const proven = checkEdgeProof({ pin: PIN, hello: frame.value, ...HOME })
  return proven.ok ? ok(frame.value) : proven
}

const same = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

export const LINK_TARGETS: readonly Target[] = [
  {
    ...{ name: 'answer to a beat', form: 'text', samples: ['pong 0 0', pongOf({ base: 3, sent: 12 })] },
    parse: (input) => {
      const owed = parsePong(String(input))
      return owed === null ? err('frame_malformed') : ok(owed)
    },
    fault: (value) =>
      Object.values(value as object).every(Number.isSafeInteger) ? null : 'a count that is none',
    again: (value) => pongOf(value as { base: number; sent: number }),
  },
  {
    ...{ name: 'frame', form: 'json', samples: FRAMES, bounds: [200, 32] },
    parse: (input) => parseFrame(String(input)),
    again: (value) => encodeFrame(value as Frame),
    fault: (value) =>
      encodeFrame(value as Frame).length > MAX_FRAME_BYTES * 6 ? 'a frame beyond its bound' : null,
  },
  { name: 'frame body', form: 'value', samples: BODIES, parse: parseBody, again: same, bounds: [200, 32] },
  {
    ...{ name: 'words in a box', form: 'json', bounds: [EVENT_BOUNDS.quoted] },
    samples: [{ text: CANARY, quoted: [CANARY] }],
    parse: (input) => unpackMessage('s1', encodeText(String(input))),
    again: (value) => {
      const { text, quoted } = value as RemoteMessage
      return JSON.stringify({ text, quoted })
    },
    fault: (value) => (Object.keys(value as object).length === 3 ? null : 'a field that nobody knows'),
  },
  {
    ...{
      name: 'hello with its proof',
      form: 'json',
      samples: [{ ...HELLO, proof: PROOF }],
      parse: provenHello,
    },
    fault: (value) =>
      isPlainRecord(value) && Object.entries(HELLO).every(([key, claimed]) => value[key] === claimed)
        ? null
        : 'a hello that was not signed',
  },
  {
    ...{ name: 'pairing request', form: 'value' },
    samples: [{ publicKey: PIN.publicKey, nonce: 'n'.repeat(24), mac: '0'.repeat(64) }],
    parse: (input) => {
      const parsed = z.safeParse(pairRequestSchema, input)
      return parsed.success ? ok(parsed.data) : err('event_malformed')
    },
    again: (value) => value,
  },
  {
    ...{
      name: 'pairing code',
      form: 'text',
      samples: ['ABCD-EFGH-JKMN', '0123 4567 89ab', 'iLoO-0000-ZZZZ'],
    },
    bounds: [CODE_LENGTH],
    parse: (input) => {
      const key = codeKey(String(input))
      return key === null ? err('pairing_refused') : ok(key)
    },
    fault: (value) => (value instanceof Uint8Array && value.length === 32 ? null : 'no key'),
  },
]
