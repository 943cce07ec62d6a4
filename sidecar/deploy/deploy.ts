/**
 * Deploys the edge to Cloudflare and pairs this home with it: keys, program, database, address, pairing, proof; and removes it
 * again. Each step can be repeated, so an interrupted deployment is run again. Must not keep or show a key, or replace an
 * existing one. Called by `pfar deploy` and `pfar uninstall --edge`.
 */

import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import { ok, type Result } from '../../kernel/flow/verdict.ts'
import { CODE_LENGTH, codeFrom, codeKey } from '../../kernel/tunnel/pairing.ts'
import { readJson } from '../store/json.ts'
import type { DeviceKey } from '../tunnel/device-key.ts'
import { callEdge } from '../tunnel/edge-call.ts'
import { createDeviceService, type EdgePins, pairWithEdge } from '../tunnel/pairing.ts'
import type { Wrangler, WranglerRun } from './wrangler.ts'

/** Milliseconds until a new address or program has propagated, and between two attempts. */
const ANSWER_WITHIN = 60_000
const LOOK_EVERY = 2_000
const BYTES_PER_KIB = 1_024

export interface Deployment {
  /** Name of the Worker; null for the default one. */
  readonly name: string | null
  /** Address of the edge if it is not the one that Cloudflare reports, such as a custom domain. */
  readonly address: string | null
  /** The owner's time zone, used by the edge until home has sent it. */
  readonly timezone: string
  /** How the owner types commands, as the edge names them. */
  readonly commands: 'npm' | 'pfar'
}

interface DeployPowers {
  readonly wrangler: Wrangler
  readonly device: DeviceKey
  readonly pins: EdgePins
  /** Reports a finished step, in words for the owner. */
  readonly tell: (step: Step, words: string) => void
}

type Step = 'keys' | 'program' | 'deploy' | 'pair' | 'check'

/** Wrangler's error text, or a refusal. */
export type Failure = { readonly step: Step; readonly why: string } | Extract<Result<never>, { ok: false }>

type Deployed =
  | { readonly ok: true; readonly origin: string }
  | { readonly ok: false; readonly failure: Failure }

/** Dry run: what would be deployed. Makes no network request; wrangler bundles locally, as for a deployment. */
export async function rehearse(
  { wrangler, tell }: DeployPowers,
  deployment: Deployment,
): Promise<Deployed | null> {
  const built = await wrangler(['deploy', '--dry-run', ...named(deployment)])
  if (!built.ok) return failed('program', built)
  const run = `would run: wrangler ${deployArgs(deployment).join(' ')}`
  tell('program', sizeOf(built))
  tell('deploy', `${run}   (makes the database where it is missing)`)
  tell('keys', `would make those that the Worker lacks, and set them: ${newSecrets([]).keys.join(', ')}`)
  tell('pair', 'would pair this device, by a one-time code that is set with the keys')
  tell('check', 'would ask the edge, signed, which devices it knows')
  return null
}

export async function deploy(powers: DeployPowers, deployment: Deployment): Promise<Deployed> {
  const { wrangler, tell } = powers
  const listed = await wrangler(['secret', 'list', '--format', 'json', ...named(deployment)])
  const there = secretsThere(listed)
  if (there === null) return failed('keys', listed)
  const uploaded = await wrangler(deployArgs(deployment))
  if (!uploaded.ok) return failed('deploy', uploaded)
  tell('program', sizeOf(uploaded))
  const origin = originOf(uploaded, deployment)
  if (origin === null) return { ok: false, failure: { step: 'deploy', why: 'Cloudflare named no address.' } }
  tell('deploy', origin)
  const secrets = newSecrets(there)
  const isKnown = secrets.keys.length === 0 && (await knows(powers, origin))
  if (!isKnown) {
    const set = await wrangler(['secret', 'bulk', ...named(deployment)], JSON.stringify(secrets.values))
    if (!set.ok) return failed('keys', set)
  }
  const kept = secrets.keys.length === 0
  tell('keys', kept ? 'as they were' : `new: ${secrets.keys.join(', ')}; kept by Cloudflare alone`)
  const joined = await join(powers, origin, isKnown ? null : secrets.code)
  return joined.ok ? { ok: true, origin } : { ok: false, failure: joined }
}

/** Whether home was paired with this edge, and the edge still accepts this device. */
async function knows({ device, pins }: DeployPowers, origin: string): Promise<boolean> {
  return pins.pinOf(origin) !== null && (await createDeviceService(origin, device).list()).ok
}

/** `code`: null if home and edge are already paired. */
async function join(powers: DeployPowers, origin: string, code: string | null): Promise<Result<true>> {
  const { device, pins, tell } = powers
  const awake = await insisting(() => callEdge({ url: `${origin}/healthz`, body: null }, health))
  if (!awake.ok) return awake
  // For a while the old version of the program may answer, with another code.
  const paired =
    code === null ? awake : await insisting(() => pairWithEdge({ edge: origin, code, device, pins }))
  if (!paired.ok) return paired
  tell('pair', `${code === null ? 'as before' : 'done'}; this device is ${device.id}`)
  const devices = await createDeviceService(origin, device).list()
  if (!devices.ok) return devices
  tell('check', `it answers to this device, and knows ${devices.value.length}`)
  return ok(true)
}

const health = z.object({ ok: z.literal(true) })

/** Retries until it succeeds or the time is over; then returns the last refusal. */
async function insisting<T>(attempt: () => Promise<Result<T>>): Promise<Result<T>> {
  const until = Date.now() + ANSWER_WITHIN
  for (;;) {
    const answer = await attempt()
    if (answer.ok || Date.now() >= until) return answer
    await pause(LOOK_EVERY)
  }
}

/** Null if Cloudflare could not be asked. A Worker that does not exist yet has no secrets. */
function secretsThere(listed: WranglerRun): readonly string[] | null {
  if (listed.ok) return secretNames(listed.out)
  return /^Worker "[^"]*" not found\./.test(listed.why) ? [] : null
}

function deployArgs(deployment: Deployment): readonly string[] {
  const zone = `OWNER_TIMEZONE:${deployment.timezone}`
  // Keeps variables that the owner set at Cloudflare.
  return [
    'deploy',
    '--keep-vars',
    '--var',
    zone,
    '--var',
    `COMMANDS:${deployment.commands}`,
    ...named(deployment),
  ]
}

function named({ name }: Deployment): readonly string[] {
  return name === null ? [] : ['--name', name]
}

function originOf({ targets }: WranglerRun, { address }: Deployment): string | null {
  return (
    address ??
    targets.map((target) => URL.parse(target)).find((url) => url?.protocol === 'https:')?.origin ??
    null
  )
}

function sizeOf({ size }: WranglerRun): string {
  return size === null ? 'made' : `${Math.ceil(size / BYTES_PER_KIB)} KiB compressed`
}

function failed(step: Step, { why }: WranglerRun): Deployed {
  return { ok: false, failure: { step, why } }
}

/** 32 random bytes each, as wrangler.toml requires. */
const EDGE_KEYS = ['EDGE_SEAL_KEY', 'EDGE_TOKEN_KEY', 'EDGE_NAME_KEY', 'EDGE_SIGN_KEY'] as const
const KEY_BYTES = 32

const FIRST_CODE = 'PAIR_CODE_HASH'

interface NewSecrets {
  readonly keys: readonly string[]
  /** Values by name, including the hash of the one-time code. */
  readonly values: Readonly<Record<string, string>>
  /** One-time code for the first device. */
  readonly code: string
}

/** `there`: names of the secrets that the edge has. */
export function newSecrets(there: readonly string[]): NewSecrets {
  const keys = EDGE_KEYS.filter((name) => !there.includes(name))
  const made = keys.map((name) => [name, randomBytes(KEY_BYTES).toString('base64url')] as const)
  const code = codeFrom(randomBytes(CODE_LENGTH))
  const hash = Buffer.from(codeKey(code) ?? []).toString('base64url')
  return { keys, values: { ...Object.fromEntries(made), [FIRST_CODE]: hash }, code }
}

const secretList = z.array(z.looseObject({ name: z.string() }))

/** Names in the output of `wrangler secret list`; null if it is not such a list. */
export function secretNames(text: string): readonly string[] | null {
  return readJson(secretList, text)?.map(({ name }) => name) ?? null
}

/** The same name as in wrangler.toml. */
const DATABASE = 'pfar-copies'

type Removed = { readonly ok: true } | { readonly ok: false; readonly what: string; readonly why: string }

/** `name`: name of the Worker; null for the default one. */
export async function removeEdge(wrangler: Wrangler, name: string | null): Promise<Removed> {
  const worker = await wrangler(['delete', '--force', ...(name === null ? [] : ['--name', name])])
  if (!worker.ok && !isGone(worker)) return { ok: false, what: 'the Worker', why: worker.why }
  const database = await wrangler(['d1', 'delete', DATABASE, '--skip-confirmation'])
  return database.ok || isGone(database)
    ? { ok: true }
    : { ok: false, what: `the database ${DATABASE}`, why: database.why }
}

function isGone({ why, out }: WranglerRun): boolean {
  return /not found|does not exist|couldn't find/i.test(`${why}\n${out}`)
}
