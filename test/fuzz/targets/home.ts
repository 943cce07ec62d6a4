/** Fuzz targets of home: configuration, the private line's socket and methods, what either line answers, its small files. */

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { listApprovals } from '../../../kernel/features/approvals/operations/list.ts'
import { writeDirective } from '../../../kernel/features/directives/operations/write.ts'
import { listMemory } from '../../../kernel/features/memory/operations/list.ts'
import { lockEdge } from '../../../kernel/features/places/operations/lock.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { CallOperation } from '../../../kernel/operations/caller.ts'
import { operationNamed } from '../../../kernel/operations/index.ts'
import { eventsOf, type LineEvent } from '../../../sidecar/cli/line/line-connection.ts'
import { readEdgeRecord } from '../../../sidecar/cli/line/own-edge.ts'
import { readAccepted, readDeliveries, readReport, readStatus } from '../../../sidecar/cli/line/wire.ts'
import { parseConfig } from '../../../sidecar/config/config.ts'
import { readCustodyRecord } from '../../../sidecar/keys/custody.ts'
import { passphraseFile } from '../../../sidecar/keys/passphrase-file.ts'
import { masterOf, phraseOf } from '../../../sidecar/keys/recovery-phrase.ts'
import { createDoor } from '../../../sidecar/line/door.ts'
import { createHomeMethods, type HomeMethodPowers } from '../../../sidecar/line/home-methods.ts'
import { createOperationMethods } from '../../../sidecar/line/home-operations.ts'
import type { Methods } from '../../../sidecar/line/method.ts'
import type { OfferService } from '../../../sidecar/secrets/offer-service.ts'
import { createSecretMethods } from '../../../sidecar/secrets/secret-methods.ts'
import type { SecretService } from '../../../sidecar/secrets/secret-service.ts'
import { openStateFolder } from '../../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../../sidecar/tunnel/device-key.ts'
import { openEdgePins } from '../../../sidecar/tunnel/pairing.ts'
import { given } from '../../home/fixtures/backup.ts'
import { CANARY, type Target } from '../target.ts'

const folder = given(openStateFolder(mkdtempSync(join(tmpdir(), 'pfar-fuzz-'))))
const put = (name: string, text: string): string => {
  writeFileSync(folder.file(name), text, { mode: 0o600 })
  return folder.file(name)
}

const CONFIG = `
[owner]
name = "${CANARY}"
timezone = "Europe/Madrid"
[[contacts]]
name = "Sarah ${CANARY}"
email = "sarah@lin.example"
[edge]
url = "https://edge.example"
[tools.google]
base_url = "http://127.0.0.1:4100"
account = 'personal'
credential = "vault:google"
[network]
exempt_origins = ["http://127.0.0.1:4100"]
[backup]
folder = "/mnt/${CANARY}"
[approvals]
timeout_seconds = 3_00
[session]
planner_turns = 0x4
`

const DELIVERY: Json = { seq: 1, task: null, kind: 'answer', approval: null, text: CANARY }
const REPORT: Json = {
  reply: CANARY,
  task: {
    ...{
      id: 't1',
      place: 'home',
      template: 'owner_private',
      label: 'internal',
      taint: 'raw',
      model: null,
      state: 'completed',
    },
    ...{
      trouble: null,
      approval: null,
      options: 0,
      delivered: [{ sink: 'sink:terminal:owner', label: 'internal', bytes: 3 }],
    },
    steps: [{ tool: 'email.list', place: 'home', label: null, approved: false, outcome: 'done' }],
  },
  timings: { totalMs: 3.5 },
}
const APPROVAL: Json = {
  id: 'a1',
  number: 1,
  task: 't1',
  tool: 'x.y',
  card: CANARY,
  full: CANARY,
  kind: 'tainted_write',
  count: 1,
  options: 0,
  reason: 'write_raw',
  createdAt: 1,
  expiresAt: 2,
}

const shell = {
  receive: async () => ok({ task: 't1', turn: 1, principal: 'p' }),
  deliveries: async () => [],
  report: async () => null,
  approvals: async () => [],
  decide: async () => ok({ task: 't1' }),
  stop: async () => ok({ task: 't1' }),
  edit: async () => ok({ task: 't1' }),
  always: async () => ok({ approval: 'a1' }),
  allow: async () => ok({ approval: 'a1' }),
}
/** Arguments as any operation reads them, and nothing done. */
const readOperation: CallOperation = async ({ operation, args }) => {
  const prepared = operationNamed(operation)?.prepare(args) ?? err('operation_unknown')
  return prepared.ok ? ok({}) : prepared
}
const METHODS: Methods = {
  ...createHomeMethods({
    shell,
    ...{ now: () => 1, drive: () => undefined, stop: () => undefined, status: async () => ({}) },
  } as unknown as HomeMethodPowers),
  ...createSecretMethods(
    {
      set: async () => ok({}),
      rotate: async () => ok({}),
      delete: async () => ok({ name: 'x' }),
    } as unknown as SecretService,
    { accept: async () => ok({}), decline: async () => ok({ name: 'x' }) } as unknown as OfferService,
  ),
  ...createOperationMethods(readOperation, () => 'm1'),
}
const CALLS: readonly Json[] = [
  ['send', { id: 'm1', text: CANARY }],
  ['deliveries', { after: 0 }],
  ['task', { id: 't1' }],
  ['approvals.approve', { which: 'a1', always: 30 }],
  ['stop', { task: 't1' }],
  ['approvals.edit', { which: 'a1', text: CANARY, field: 'title' }],
  ['grants.freebusy', { ahead: 7, perDay: 1 }],
  ['grants.revoke', { id: 'g1' }],
  ['identities.link', { one: 'owner', other: `telegram:${CANARY}` }],
  ['people.invite', { name: CANARY, as: ['paired_scheduling'] }],
  ['memory.correct', { which: '3', text: CANARY }],
  ['brain.write', { name: 'SOUL', text: CANARY, replaces: 1 }],
  ['edge.lock', {}],
  ['secret_set', { name: 'google', value: CANARY, tools: [], hosts: ['x.example'] }],
  ['secret_rotate', { name: 'google', value: CANARY }],
  ['secret_delete', { name: 'google', check: '0000-0000' }],
  ['secret_accept', { name: 'google', check: CANARY, hosts: ['x.example'] }],
  ['secret_decline', { name: 'google' }],
]

async function callMethod(input: unknown): Promise<Result<unknown>> {
  if (!Array.isArray(input) || typeof input[0] !== 'string') return err('frame_malformed')
  const run = Object.hasOwn(METHODS, input[0]) ? METHODS[input[0]] : undefined
  return run === undefined ? err('frame_malformed') : run(input[1])
}

/** The same events, however the stream is cut: one may not depend on where a packet ended. */
async function cutEverywhere(bytes: Uint8Array): Promise<Result<unknown>> {
  const [whole, pieces] = [await readAll([bytes]), await readAll(cut(bytes))]
  if (JSON.stringify(whole) !== JSON.stringify(pieces))
    throw new Error('events that depend on how the stream was cut')
  return whole.length > 0 ? ok(whole.length) : err('frame_malformed')
}

function* cut(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1 + (at % 7)) yield bytes.subarray(at, at + 1 + (at % 7))
}

async function readAll(chunks: Iterable<Uint8Array>): Promise<readonly LineEvent[]> {
  const events: LineEvent[] = []
  for await (const event of eventsOf(Readable.from(chunks))) events.push(event)
  return events
}

const EVENTS = new TextEncoder().encode(
  `event: delivery\ndata: ${JSON.stringify({ seq: 1, text: CANARY })}\n\n: rest\n\ndata: 7\n\n`,
)
const MASTER = new Uint8Array(32).fill(9)
const custody = passphraseFile(folder, { ask: async () => 'correct horse battery', n: 2 ** 15 })
given(await custody.write([MASTER]))
const PASSPHRASE = await import('node:fs').then(({ readFileSync }) =>
  readFileSync(folder.file('master.key'), 'utf8'),
)
given(loadDeviceKey(folder))
const DEVICE_PEM = await import('node:fs').then(({ readFileSync }) =>
  readFileSync(folder.file('device.key'), 'utf8'),
)

export const HOME_TARGETS: readonly Target[] = [
  {
    name: 'config.toml',
    form: 'text',
    samples: [CONFIG, ''],
    parse: (input) => parseConfig(String(input)),
    names: ['key'],
  },
  {
    name: 'private line request',
    form: 'value',
    samples: CALLS,
    parse: callMethod,
    bounds: [200, 200_000, 20_000],
  },
  {
    name: 'greeting of the private line',
    form: 'value',
    samples: [{ nonce: CANARY }],
    parse: (input) => createDoor('a token').greet(input),
    bounds: [100],
  },
  {
    ...{ name: 'events of the private line', form: 'bytes', samples: [EVENTS] },
    parse: (input) => cutEverywhere(input as Uint8Array),
  },
  {
    name: 'report on the wire',
    form: 'value',
    samples: [REPORT],
    parse: readReport,
    open: true,
  },
  {
    name: 'approvals on the wire',
    form: 'value',
    samples: [[APPROVAL]],
    parse: (input) => listApprovals.read(input),
    again: (value) => value,
  },
  {
    name: 'entries on the wire',
    form: 'value',
    samples: [
      [
        {
          id: 'k1',
          number: 3,
          kind: 'fact',
          tool: null,
          text: CANARY,
          label: 'internal',
          told: false,
          at: 1,
        },
      ],
    ],
    parse: listMemory.read,
    again: (value) => value,
  },
  {
    name: 'a written directive file on the wire',
    form: 'value',
    samples: [{ version: 2, approval: null, warnings: ['over_budget'], keptBy: ['AGENTS'] }],
    parse: writeDirective.read,
    again: (value) => value,
  },
  {
    name: 'deliveries on the wire',
    form: 'value',
    samples: [[DELIVERY]],
    parse: readDeliveries,
    again: (value) => value,
  },
  { name: 'acceptance on the wire', form: 'value', samples: [{ task: 't1' }], parse: readAccepted },
  { name: 'lock on the wire', form: 'value', samples: [{ done: true }], parse: lockEdge.read },
  {
    name: 'status on the wire',
    form: 'value',
    samples: [{ place: 'home', more: 1 }],
    parse: readStatus,
    open: true,
  },
  {
    ...{
      name: 'edges.json',
      form: 'json',
      samples: [[{ url: 'https://edge.example', publicKey: 'A'.repeat(43), version: 3 }]],
    },
    parse: (input) => {
      put('edges.json', String(input))
      const pin = openEdgePins(folder).pinOf('https://edge.example')
      return pin === null ? err('edge_not_pinned') : ok(pin)
    },
  },
  {
    ...{ name: 'edge.json', form: 'json' },
    samples: [
      {
        url: 'http://127.0.0.1:8787',
        port: 8787,
        keys: { seal: 'A'.repeat(43), token: 'A'.repeat(43), name: 'A'.repeat(43) },
      },
    ],
    parse: (input) => readEdgeRecord(put('edge.json', String(input))),
  },
  {
    ...{
      name: 'custody.json',
      form: 'json',
      samples: [{ version: 1, kind: 'passphrase', id: '0'.repeat(16) }],
    },
    parse: (input) => {
      put('custody.json', String(input))
      return readCustodyRecord(folder)
    },
  },
  {
    ...{ name: 'device.key', form: 'text', samples: [DEVICE_PEM] },
    parse: (input) => {
      put('device.key', String(input))
      const key = loadDeviceKey(folder)
      return key.ok ? ok(key.value.id) : key
    },
  },
  {
    ...{ name: 'master.key', form: 'json', samples: [JSON.parse(PASSPHRASE) as Json], slow: true },
    parse: async (input) => {
      put('master.key', String(input))
      const keys = await custody.read()
      return keys.ok ? ok(keys.value[0]) : keys
    },
    fault: (value) => ((value as Uint8Array).join() === MASTER.join() ? null : 'another key'),
  },
  {
    ...{
      name: 'recovery phrase',
      form: 'text',
      samples: [phraseOf(MASTER).join(' '), phraseOf(new Uint8Array(32)).join('\n')],
    },
    parse: (input) => masterOf(String(input)),
    again: (value) => phraseOf(value as Uint8Array).join(' '),
    fault: (value) => ((value as Uint8Array).length === 32 ? null : 'no key'),
  },
]
