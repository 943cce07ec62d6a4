/**
 * Webhook routes of the edge's bot. Known and paired senders pass; an unknown sender is rate-limited and reported before any
 * object wakes (B-04, H-18), and an event is stored before it is acknowledged (B-25). Must not name a service, nor reply in a
 * chat: the principal's object replies through the egress step. Called by worker/app.ts.
 */
import { type Context, Hono } from 'hono'
import { edgeDirectory } from '../durable-objects/directory.ts'
import { KERNEL_NAME, objectName } from '../durable-objects/names.ts'
import {
  type EdgeEnv,
  type EdgeSettings,
  type KernelCalls,
  settingsOf,
} from '../durable-objects/platform/env.ts'
import { askObject, errorResponse, routeUnknown } from '../durable-objects/platform/errors.ts'
import { readBounded } from '../durable-objects/platform/signature.ts'
import { countOne, type RateWindow } from '../durable-objects/rate-window.ts'
import { NOBODY_ELSE } from '../durable-objects/registry/people.ts'
import { EDGE_PACKAGES } from '../integrations/channels/edge.ts'
import type { EdgeChannel, EdgeRequestPorts } from '../integrations/channels/runtime/edge-package.ts'
import { type Taken, takeMessage } from '../integrations/channels/runtime/inbox.ts'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { invitationInMessage } from '../kernel/task/agreement.ts'
import type { InboundEvent } from '../kernel/task/event.ts'
import { codeInMessage } from '../kernel/task/identity-link.ts'
import { OWNER_PRINCIPAL, type Principal, principalOf } from '../kernel/task/principal.ts'
import { strangerCalled } from '../kernel/wording/strangers.ts'
import { noteAuthFailure } from './auth-failures.ts'

interface Bot {
  Bindings: EdgeEnv
}

/** A route `/<name>/open` for each package that can run at the edge. */
export function channels(): Hono<Bot> {
  const app = new Hono<Bot>()
  for (const { declaration } of EDGE_PACKAGES)
    app.post(`/${declaration.name}/open`, async (context) => {
      const settings = settingsOf(context.env)
      if (!settings.ok) return errorResponse(settings.reason)
      const { channel } = settings.value.bot
      if (channel?.declaration.name !== declaration.name) return routeUnknown()
      return channel.answer(context.req.raw, portsOf(context, settings.value, channel))
    })
  return app
}

function portsOf(
  { req, env, executionCtx }: Context<Bot>,
  settings: EdgeSettings,
  channel: EdgeChannel,
): EdgeRequestPorts {
  const owner = () => env.PRINCIPALS.getByName(objectName(settings.nameKey, OWNER_PRINCIPAL))
  return {
    now: Date.now,
    key: settings.tokenKey,
    body: (most) => readBounded(req.raw, most),
    take: (event) => take(env, settings, { channel, event }),
    settle: (tap) => askObject(() => owner().tapped(OWNER_PRINCIPAL, tap)),
    async mayHaveReplied() {
      const spoke = await askObject(() => owner().bothLines(OWNER_PRINCIPAL, { do: 'spoke' }))
      return !spoke.ok || spoke.value
    },
    reportAuthFailure: () => noteAuthFailure(env, Date.now()),
    reportRejected: (code) => noteAuthFailure(env, Date.now(), { of: 'channel', code }),
    afterResponse: (work) => executionCtx.waitUntil(work),
    refused: errorResponse,
  }
}

async function take(
  env: EdgeEnv,
  { nameKey }: EdgeSettings,
  { channel, event }: { readonly channel: EdgeChannel; readonly event: InboundEvent },
): Promise<Taken> {
  const principal = principalOf(event.source, edgeDirectory(channel))
  const name = objectName(nameKey, principal.id)
  const admitted = await admit(env, channel, { event, principal, name })
  if (!admitted.ok) return { what: 'refused', code: admitted.reason.code }
  const object = env.PRINCIPALS.getByName(name)
  const ports = {
    receive: (one: InboundEvent) => askObject(() => object.receive(principal.id, one)),
    refuse: (notice: Parameters<typeof object.notify>[1]) =>
      askObject(() => object.notify(principal.id, notice)),
  }
  const isOwners = principal.class === 'owner'
  return takeMessage(ports, { channel: channel.declaration.name, event, isOwners })
}

interface Knocking {
  readonly event: InboundEvent
  readonly principal: Principal
  /** Name of the sender's object: a keyed hash. */
  readonly name: string
}

/**
 * Known and paired senders pass, paired ones rate-limited. An unknown sender does not wake a Durable Object unless the owner allows
 * strangers to ask, or the message is a one-time code alone; both are rate-limited per chat and over all chats. Refusals:
 * principal_not_allowed, remote_rate_limited.
 */
async function admit(env: EdgeEnv, bot: EdgeChannel, knocking: Knocking): Promise<Result<true>> {
  const { event, principal, name } = knocking
  if (principal.class !== 'third_party') return ok(true)
  const may = await pairedNow(env, event.at)
  let paired = may.has(principal.id)
  const isSilent = bot.strangers === 'silent' || may.has(NOBODY_ELSE)
  if (!paired && isSilent && !isCode(event)) {
    paired = await meetStranger(env, { principal: principal.id, name, event })
    if (!paired) return err('principal_not_allowed')
  }
  // The chat's own limit first: a flood from one chat does not use up the limit that all strangers share, and paired senders do not
  // depend on that one.
  const within =
    (await isWithin(env.STRANGER_RATE, name)) && (paired || (await isWithin(env.STRANGERS_RATE, 'strangers')))
  return within ? ok(true) : err('remote_rate_limited')
}

/** Whether the text has the form of a link code or an invitation code. Never for a group: it cannot be linked or paired. */
function isCode({ text, source: { group } }: InboundEvent): boolean {
  return !group && (codeInMessage(text) !== null || invitationInMessage(text) !== null)
}

/** False when no rate limiter is configured. */
async function isWithin(rate: RateLimit | undefined, key: string): Promise<boolean> {
  return rate !== undefined && (await rate.limit({ key })).success
}

/** Milliseconds for which a result is cached. A person paired meanwhile may have to write again. */
const GOOD_FOR = 3_000

let known: { readonly at: number; readonly principals: ReadonlySet<string> } | null = null

/** `now`: epoch milliseconds. `NOBODY_ELSE` alone when the object does not answer. */
async function pairedNow(
  env: { readonly KERNEL: KernelCalls<'paired'> },
  now: number,
): Promise<ReadonlySet<string>> {
  if (known === null || now - known.at >= GOOD_FOR || now < known.at) {
    const principals = await env.KERNEL.getByName(KERNEL_NAME)
      .paired()
      .catch(() => [NOBODY_ELSE])
    known = { at: now, principals: new Set(principals) }
  }
  return known.principals
}

/** Messages a minute that one isolate reports: a flood must not keep the object awake. */
export const MAX_STRANGERS = 10

let met: RateWindow | null = null

/**
 * Counts one message of an unknown sender. True when the sender is paired by now: the Worker's cached list is some seconds old.
 * Never throws: the message is dropped without its count. `name`: name of the sender's object, a keyed hash.
 */
async function meetStranger(
  env: { readonly KERNEL: KernelCalls<'met'> },
  {
    principal,
    name,
    event,
  }: { readonly principal: string; readonly name: string; readonly event: InboundEvent },
): Promise<boolean> {
  const { window, within, leftOut } = countOne(met, event.at, MAX_STRANGERS)
  met = window
  if (!within) return false
  const stranger = { principal, name, called: strangerCalled(event.source), leftOut }
  const paired = env.KERNEL.getByName(KERNEL_NAME).met(stranger)
  return paired.catch(() => false)
}
