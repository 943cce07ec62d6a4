/**
 * Configuration of the edge: the platform's bindings, and the settings parsed from them once. A missing or malformed binding is a
 * refusal, so no key is ever assumed; invalid settings of the edge's models only disable those models. Called by the Worker and by
 * every Durable Object.
 */
import * as z from 'zod/mini'
import { EDGE_PACKAGES } from '../../integrations/channels/edge.ts'
import type { EdgeOpened } from '../../integrations/channels/runtime/edge-package.ts'
import { budgetEntry, budgetOf } from '../../integrations/models/budget-settings.ts'
import {
  DEFAULT_WINDOW,
  type HistoryWindow,
  WINDOW_BOUNDS,
} from '../../kernel/features/history/history-window.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type { Budget } from '../../kernel/inference/budget.ts'
import type { PrincipalObject } from '../principal/principal.ts'
import type { KernelObject } from '../registry/kernel.ts'
import type { TunnelObject } from '../tunnel/tunnel.ts'
import { createFetchTransport } from './fetch-transport.ts'
import { type EdgeModels, edgeModels, jsonOf, NO_EDGE_MODELS } from './models-setting.ts'
import type { DeviceKey } from './signature.ts'

/** Access to KernelObject, narrowed to the methods that the caller may use. */
export interface KernelCalls<Method extends keyof DurableObjectStub<KernelObject>> {
  getByName(name: string): Pick<DurableObjectStub<KernelObject>, Method>
}

export interface EdgeEnv {
  readonly PRINCIPALS: DurableObjectNamespace<PrincipalObject>
  readonly KERNEL: DurableObjectNamespace<KernelObject>
  readonly TUNNEL: DurableObjectNamespace<TunnelObject>
  /** Copies of home, encrypted. */
  readonly COPIES: D1Database
  /** JSON list of `{id, publicKey}`, the key as base64url of 32 raw Ed25519 bytes: devices enrolled by configuration. */
  readonly DEVICE_KEYS?: string
  /** Four secrets, each base64url of 32 bytes. */
  readonly EDGE_SEAL_KEY: string
  readonly EDGE_TOKEN_KEY: string
  readonly EDGE_NAME_KEY: string
  readonly EDGE_SIGN_KEY: string
  /** Key derived from the one-time code for the first device, as `pfar devices add --first` prints it; optional. */
  readonly PAIR_CODE_HASH?: string
  /** JSON list of exact origins that may use plain HTTP and private addresses. */
  readonly LOCAL_ORIGINS: string
  /** The same for the edge's own models only: no page is read from there. */
  readonly MODEL_ORIGINS?: string
  readonly OWNER_TIMEZONE: string
  /** `npm` if the owner types commands through npm, as in a checkout. */
  readonly COMMANDS?: string
  /** Id of this deployment; absent when run locally. */
  readonly DEPLOYED?: { readonly id: string }
  /** JSON of home's `[session]` settings; defaults for what is absent. */
  readonly SESSION?: string
  /** JSON of the edge's own models, as in home's `[models]`. Each API key is a separate secret, `MODEL_KEY_<NAME>`. */
  readonly MODELS?: string
  /** JSON as in home's `[budget]`; absent means no budget. */
  readonly BUDGET?: string
  /** Rate limits for unknown senders: one per sender, one for all together. */
  readonly STRANGER_RATE?: RateLimit
  readonly STRANGERS_RATE?: RateLimit
}

export interface EdgeSettings {
  readonly devices: readonly DeviceKey[]
  /** Wraps the data keys of the objects. */
  readonly sealKey: Uint8Array
  /** Signs the edge's capability tokens. */
  readonly tokenKey: Uint8Array
  /** Turns principal ids into object names. */
  readonly nameKey: Uint8Array
  /** Seed of the Ed25519 key with which the edge proves its identity to home. */
  readonly signKey: Uint8Array
  /** Key derived from the first device's one-time code. */
  readonly firstCode: Uint8Array | null
  readonly localOrigins: readonly string[]
  readonly modelOrigins: readonly string[]
  readonly timezone: string
  /** Whether commands in a text are shown in the form that npm takes. */
  readonly byNpm: boolean
  readonly history: HistoryWindow
  readonly models: EdgeModels
  /** The owner's bot at this edge; its package names the bindings. */
  readonly bot: EdgeOpened
  /** Cap for all principals together; the cap of a single task applies to each task. */
  readonly budget: Budget
}

/** Bytes of every key here. */
const KEY_BYTES = 32

const key = z.pipe(
  z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)),
  z.transform((text) => fromBase64Url(text)),
)
const origin = z.string().check(z.regex(/^https?:\/\/[^/?#@\s]{1,255}$/))
const turns = z.int().check(z.minimum(0), z.maximum(WINDOW_BOUNDS.turns))
const session = z.strictObject({
  planner_turns: z.optional(turns),
  writer_turns: z.optional(turns),
  history_tokens: z.optional(z.int().check(z.minimum(0), z.maximum(WINDOW_BOUNDS.tokens))),
})
const schema = z.object({
  DEVICE_KEYS: z._default(
    jsonOf(
      z.array(z.strictObject({ id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/)), publicKey: key })),
    ),
    [],
  ),
  EDGE_SEAL_KEY: key,
  EDGE_TOKEN_KEY: key,
  EDGE_NAME_KEY: key,
  EDGE_SIGN_KEY: key,
  PAIR_CODE_HASH: z.optional(key),
  LOCAL_ORIGINS: jsonOf(z.array(origin)),
  OWNER_TIMEZONE: z.string().check(z.minLength(1), z.maxLength(64)),
  COMMANDS: z.optional(z.string()),
  SESSION: z.optional(jsonOf(session)),
})

const parsedOf = new WeakMap<object, Result<EdgeSettings>>()

/** Refusal: config_malformed, with the name of the first invalid binding and never its value. */
export function settingsOf(env: EdgeEnv): Result<EdgeSettings> {
  const known = parsedOf.get(env)
  if (known !== undefined) return known
  const parsed = parse(env)
  parsedOf.set(env, parsed)
  return parsed
}

function parse(env: EdgeEnv): Result<EdgeSettings> {
  const parsed = z.safeParse(schema, env)
  if (!parsed.success)
    return err('config_malformed', { binding: String(parsed.error.issues[0]?.path[0] ?? 'env') })
  const { data } = parsed
  const { planner_turns, writer_turns, history_tokens } = data.SESSION ?? {}
  return ok({
    devices: data.DEVICE_KEYS,
    sealKey: data.EDGE_SEAL_KEY,
    tokenKey: data.EDGE_TOKEN_KEY,
    nameKey: data.EDGE_NAME_KEY,
    signKey: data.EDGE_SIGN_KEY,
    firstCode: data.PAIR_CODE_HASH ?? null,
    localOrigins: data.LOCAL_ORIGINS,
    timezone: data.OWNER_TIMEZONE,
    byNpm: data.COMMANDS === 'npm',
    history: {
      plannerTurns: planner_turns ?? DEFAULT_WINDOW.plannerTurns,
      writerTurns: writer_turns ?? DEFAULT_WINDOW.writerTurns,
      tokens: history_tokens ?? DEFAULT_WINDOW.tokens,
    },
    ...modelSettings(env, data.LOCAL_ORIGINS),
    bot: openBot({ ...env }),
  })
}

/** Opens the first package that is configured. Invalid bindings disable only their own package. */
function openBot(env: Readonly<Record<string, unknown>>): EdgeOpened {
  const opened = EDGE_PACKAGES.map(({ open }) => open(env, createFetchTransport()))
  const there = opened.find(({ channel }) => channel !== null)
  return there ?? opened.find(({ trouble }) => trouble !== null) ?? { channel: null, trouble: null }
}

const modelOrigins = z.optional(jsonOf(z.array(origin)))
const budget = z.optional(jsonOf(budgetEntry))

/**
 * Invalid model settings disable the edge's own models, not the edge. Without the intended cap no model is called. The owner is
 * notified which setting it is (`EdgeModels.trouble`).
 */
function modelSettings(
  env: EdgeEnv,
  localOrigins: readonly string[],
): Pick<EdgeSettings, 'models' | 'budget' | 'modelOrigins'> {
  const [caps, origins] = [z.safeParse(budget, env.BUDGET), z.safeParse(modelOrigins, env.MODEL_ORIGINS)]
  if (!caps.success) return withoutModels('BUDGET', caps.error)
  if (!origins.success) return withoutModels('MODEL_ORIGINS', origins.error)
  const own = origins.data ?? []
  const models = edgeModels({ ...env }, [...localOrigins, ...own])
  return { models, budget: budgetOf(caps.data), modelOrigins: own }
}

function withoutModels(
  binding: string,
  { issues: [issue] }: z.core.$ZodError,
): ReturnType<typeof modelSettings> {
  const trouble = [binding, ...(issue?.path ?? []).map(String)].join('.')
  return { models: { ...NO_EDGE_MODELS, trouble }, budget: budgetOf(), modelOrigins: [] }
}

/** 32 bytes from base64url; null for anything else. */
export function keyOf(text: string): Uint8Array | null {
  const parsed = z.safeParse(key, text)
  return parsed.success ? parsed.data : null
}

/** Throws on a wrong length: a short key would silently weaken everything under it. */
function fromBase64Url(text: string): Uint8Array {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  if (binary.length !== KEY_BYTES) throw new RangeError('a key must have 32 bytes')
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}
