/** Fuzz targets of the edge's HTTP surface: settings, signatures, signed requests, messages on the open line. */

import { Hono } from 'hono'
import { appendSignature, createSignature } from 'http-message-sig'
import * as z from 'zod/mini'
import { type EdgeEnv, keyOf, settingsOf } from '../../../durable-objects/platform/env.ts'
import { checkSignature, readSigned, readSignedJson } from '../../../durable-objects/platform/signature.ts'
import { keyFrom } from '../../../integrations/sealing/x25519.ts'
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import { operationNamed } from '../../../kernel/operations/index.ts'
import { parseEvent } from '../../../kernel/task/event.ts'
import { openLine } from '../../../worker/open-line.ts'
import { DEVICE, toBase64Url } from '../../worker/device.ts'
import { CANARY, type Target } from '../target.ts'

const EDGE = 'https://edge.test'
const KEY = 'A'.repeat(43)
const ENV: Json = {
  DEVICE_KEYS: JSON.stringify([{ id: DEVICE.id, publicKey: toBase64Url(DEVICE.publicKey) }]),
  ...{ EDGE_SEAL_KEY: KEY, EDGE_TOKEN_KEY: KEY, EDGE_NAME_KEY: KEY, EDGE_SIGN_KEY: KEY, PAIR_CODE_HASH: KEY },
  LOCAL_ORIGINS: '["http://127.0.0.1:4100"]',
  OWNER_TIMEZONE: 'Europe/Madrid',
  SESSION: '{"planner_turns":4}',
}
const devices = [{ id: DEVICE.id, publicKey: DEVICE.publicKey }]
/** Of the one signature below: fixed, so that every run judges the same request. */
const SIGNED_AT = 1_700_000_000
const BODY = JSON.stringify({ id: 'm1', text: `hello ${CANARY}` })

const MESSAGES = { path: '/line/messages', method: 'POST' } as const

interface Asked {
  readonly path: string
  readonly method: 'POST' | 'PUT'
}

async function signed({ path, method }: Asked, body: string, created: number): Promise<Request> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  const headers = { 'content-digest': `sha-256=:${Buffer.from(digest).toString('base64')}:` }
  const request = new Request(EDGE + path, { method, headers, body })
  const fields = await createSignature(request, {
    components: ['@method', '@authority', '@path', '@query', 'content-digest'],
    parameters: { created, nonce: 'n'.repeat(24), keyid: DEVICE.id, alg: 'ed25519' },
    signer: { algorithm: 'ed25519', sign: DEVICE.sign },
  })
  return new Request(request, { headers: appendSignature(request.headers, fields) })
}

const GOOD = await signed(MESSAGES, BODY, SIGNED_AT)
const SIGNATURE: Json = {
  path: '/line/messages',
  body: BODY,
  headers: Object.fromEntries(
    [...GOOD.headers].filter(([name]) => /^(?:signature|content-digest)/.test(name)),
  ),
}

/** A request as an unauthenticated stranger may send it: any header of the signature, any path, any body. */
async function signedRequest(input: unknown): Promise<Result<unknown>> {
  const request = requestOf(input)
  if (request === null) return err('event_malformed')
  const checked = await checkSignature(request, devices, SIGNED_AT * 1_000)
  if (!checked.ok) return checked
  const body = await readSigned(request)
  return body.ok ? ok({ body: body.value, by: checked.value.device }) : body
}

/** Null for what no HTTP server would hand over. */
function requestOf(input: unknown): Request | null {
  try {
    const { path, body, headers } = JSON.parse(String(input)) as {
      path: string
      body: string
      headers: Record<string, string>
    }
    if (typeof path !== 'string' || typeof body !== 'string' || !isPlainRecord(headers)) return null
    return new Request(new URL(path, EDGE), { method: 'POST', body, headers: new Headers(headers) })
  } catch {
    return null
  }
}

const taken: unknown[] = []
/** Home's: what the edge closes for it, it cannot open. */
const SEAL = await keyFrom(new Uint8Array(32).fill(4))
const OBJECTS = {
  ...(ENV as object),
  KERNEL: {
    getByName: () => ({
      devices: async () => devices,
      admit: async () => ok(true),
      sealKeyFor: async () => ok(toBase64Url(SEAL.publicKey)),
    }),
  },
  TUNNEL: {
    getByName: () => ({
      offer: async (offer: unknown) => {
        taken.push(offer)
        return ok(true)
      },
    }),
  },
  PRINCIPALS: {
    getByName: () => ({
      receive: async (_principal: string, event: unknown) => {
        const parsed = parseEvent(event)
        if (parsed.ok) taken.push(parsed.value)
        return parsed.ok ? ok({ task: 't1', turn: 1 }) : parsed
      },
      operate: async (_principal: string, { operation, args }: { operation: string; args: unknown }) => {
        const prepared = operationNamed(operation)?.prepare(args) ?? err('operation_unknown')
        return prepared.ok ? ok({ task: 't1' }) : prepared
      },
    }),
  },
} as unknown as EdgeEnv
const app = new Hono().route('/line', openLine())

/** The owner's device signs whatever it is: a body is the only thing that can still be wrong. */
async function lineRequest(
  path: string,
  input: unknown,
  method: Asked['method'] = 'POST',
): Promise<Result<unknown>> {
  taken.length = 0
  const request = await signed({ path, method }, String(input), Math.floor(Date.now() / 1_000))
  const response = await app.request(request, {}, OBJECTS)
  const answer = await response.text()
  if (answer.includes(CANARY)) throw new Error('an answer repeats the request')
  if (response.status >= 500) throw new Error(`an answer of ${response.status}`)
  return response.ok ? ok(taken[0] ?? null) : err('event_malformed', { status: response.status })
}

const said = z.strictObject({ id: z.string().check(z.maxLength(128)), text: z.string() })

/** The digest is that of the body: what is in it is all that can be wrong. */
async function signedJson(input: unknown): Promise<Result<unknown>> {
  return readSignedJson(await signed(MESSAGES, String(input), SIGNED_AT), said)
}

export const EDGE_TARGETS: readonly Target[] = [
  {
    ...{ name: 'edge settings', form: 'value', samples: [ENV], bounds: [64, 43] },
    parse: (input) =>
      isPlainRecord(input) ? settingsOf({ ...input } as unknown as EdgeEnv) : err('config_malformed'),
    fault: (value) => {
      const { sealKey, devices: enrolled } = value as {
        sealKey: Uint8Array
        devices: readonly { publicKey: Uint8Array }[]
      }
      return [sealKey, ...enrolled.map(({ publicKey }) => publicKey)].every(({ length }) => length === 32)
        ? null
        : 'a short key'
    },
  },
  {
    ...{ name: 'device key', form: 'text', samples: [KEY, toBase64Url(DEVICE.publicKey)] },
    parse: (input) => {
      const key = keyOf(String(input))
      return key === null ? err('config_malformed') : ok(key)
    },
    fault: (value) => ((value as Uint8Array).length === 32 ? null : 'a short key'),
  },
  {
    ...{ name: 'signed request', form: 'json', samples: [SIGNATURE], parse: signedRequest, bounds: [128] },
    fault: (value) => ((value as { body: string }).body === BODY ? null : 'a body that was not signed'),
  },
  {
    ...{
      name: 'message on the open line',
      form: 'json',
      samples: [{ id: 'm1', text: `hello ${CANARY}` }],
      bounds: [128, 100_000],
    },
    parse: (input) => lineRequest('/line/messages', input),
    slow: true,
  },
  {
    ...{ name: 'decision on the open line', form: 'json', samples: [{ which: 'a1' }] },
    parse: (input) => lineRequest('/line/operations/approvals.approve', input),
    slow: true,
  },
  {
    ...{ name: 'secret on the open line', form: 'json', samples: [{ value: CANARY }], bounds: [8_192] },
    parse: (input) => lineRequest('/line/secrets/google', input, 'PUT'),
    fault: (value) => (JSON.stringify(value).includes(CANARY) ? 'a secret that was not closed' : null),
    slow: true,
  },
  {
    ...{ name: 'signed JSON', form: 'json', samples: [{ id: 'm1', text: CANARY }], bounds: [128] },
    parse: signedJson,
    again: (value) => JSON.stringify(value),
    slow: true,
  },
]
