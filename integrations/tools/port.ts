/**
 * Runs one tool call, in this order: token, tool, arguments, breaker, credential, client, deadline (invariant 5, R-10). A tool
 * gets `(action, args, capability, credential, http)` and nothing else (I-01, R-13). Must not read a result: the kernel labels
 * and validates it. Called by the pipeline's invoke, through `ToolPort`.
 */
import { checkAlong } from '../../kernel/call/along.ts'
import { parseFields } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import type { Place } from '../../kernel/flow/place.ts'
import { denyOnThrow, err, ok, type Result, type Verdict } from '../../kernel/flow/verdict.ts'
import type { Breakers } from '../../kernel/powers/breaker.ts'
import type { ToolPort } from '../../kernel/powers/ports.ts'
import type { CapabilityToken } from '../../kernel/task/capability.ts'
import type {
  AccountSpec,
  ActionManifest,
  OpenAccount,
  Tool,
  ToolCall,
  ToolManifest,
  ToolOutcome,
} from '../../kernel/tool/manifest.ts'
import { asDeclared } from '../../kernel/tool/registry.ts'
import { calledArgs } from '../../kernel/tool/target.ts'
import { createScopedHttp } from '../http/scoped-client.ts'
import type { Transport } from '../http/transport.ts'
import { endAfter } from '../http/waking-timer.ts'
import { meaningOf, type ToolBreaker } from './breaker.ts'
import { type CredentialSource, type CredentialUse, type IssuedCredential, reachOf } from './credentials.ts'
import { createKeyedClient } from './keyed-client.ts'

/** Milliseconds of one call with all its requests: a tool that hangs must not block its task. */
export const TOOL_DEADLINE = 30_000
/** Milliseconds of a request to one of several accounts: one that hangs must not delay the answers of the others. */
const ACCOUNT_TIMEOUT = 8_000
const UNAUTHORIZED = 401
/** Status codes below this are no refusal. */
const REFUSED = 400

export interface ToolPortOptions {
  readonly place: Place
  /** May change later to another list with the same actions. */
  readonly tools: readonly Tool[]
  readonly transport: Transport
  readonly exemptOrigins: readonly string[]
  /** By tool name: origins on the owner's own network that only this tool may reach. */
  readonly ownOrigins?: Readonly<Record<string, readonly string[]>>
  /** Verifies the token for exactly this action and these arguments, now, at this place. */
  readonly checkToken: (token: CapabilityToken, action: string, args: Json) => Verdict
  /** Called once per call, for the credential that the tool's own manifest names (E-06, E-07). */
  readonly credentials: CredentialSource
  /**
   * Whether the owner switched the tool's service off; then none of its actions is called. Absent at a place where nothing can be
   * switched off.
   */
  readonly isOff?: (tool: ToolManifest) => boolean
  /** Removes known secrets from plain data, so that a tool cannot return its credential (E-18). */
  readonly redact: <T>(value: T) => T
  /** Blocks calls of a tool that keeps failing (I-07). */
  readonly breaker: Pick<Breakers, 'enter' | 'leave'> & Partial<Pick<ToolBreaker, 'wait'>>
  /** Milliseconds; shortened by tests. */
  readonly deadline?: number
}

type Request = Pick<ToolCall, 'action' | 'args' | 'capability'>

interface Found {
  readonly tool: Tool
  readonly action: ActionManifest
}

export function createToolPort(options: ToolPortOptions): ToolPort {
  const found = createIndex(options)
  return {
    run: (request) => runCall(options, found(), request),
    lacks(id, args) {
      const tool = found().get(id)?.tool
      const account = tool?.opens?.(id, args) ?? null
      const spec = tool?.manifest.accounts?.find(({ name }) => name === account)
      if (tool === undefined || spec === undefined) return null
      const { credential } = spec
      return options.credentials.has({ name: tool.manifest.name, credential }) ? null : credential
    },
    sends: (id, args) => sentBy(found().get(id)?.tool, id, args)?.name ?? null,
    isIdle: ({ id }) => found().get(id)?.tool.isIdle?.() === true,
    availability: ({ id }) => {
      const manifest = found().get(id)?.tool.manifest
      if (manifest === undefined || !manifest.places.includes(options.place)) return 'elsewhere'
      if (options.isOff?.(manifest) === true && options.credentials.has(manifest)) return 'off'
      // Which accounts are usable depends on the call: one without its credential does not block the others.
      if (manifest.credential === null || manifest.accounts !== undefined) return 'here'
      return options.credentials.has(manifest) ? 'here' : 'credential'
    },
  }
}

/** Rebuilds the index when the list of tools has changed, because the owner may name services while the place runs. */
function createIndex(options: Pick<ToolPortOptions, 'tools'>): () => ReadonlyMap<string, Found> {
  let known = options.tools
  let index = indexTools(known)
  return () => {
    if (options.tools !== known) {
      known = options.tools
      index = indexTools(known)
    }
    return index
  }
}

async function runCall(
  options: ToolPortOptions,
  index: ReadonlyMap<string, Found>,
  request: Request,
): Promise<ToolOutcome> {
  const verdict = checkCapability(options, request)
  if (!verdict.allow) return err(verdict.code, verdict.facts)
  const found = findTool(options, index, request)
  if (!found.ok) return found
  const { tool } = found.value
  // The list of tools may have changed since the token was issued.
  const along = checkAlong(request.capability, sentBy(tool, request.action, request.args))
  if (!along.ok) return along
  if (options.isOff?.(tool.manifest) === true) return err('service_off', { tool: tool.manifest.name })
  const entered = options.breaker.enter(tool.manifest.name)
  if (!entered.ok) return entered
  const outcome = await withCredential(options, found.value, request)
  options.breaker.leave(tool.manifest.name, meaningOf(tool.manifest, outcome))
  // For a tool that may call any host, one host's wait does not apply to the others.
  const wait = tool.manifest.network.includes('*') ? null : waitOf(outcome)
  if (wait !== null) options.breaker.wait?.(tool.manifest.name, wait)
  return options.redact(outcome)
}

/** The account whose key is added to the requests of this call; undefined if none is. */
function sentBy(tool: Tool | undefined, id: string, args: ToolCall['args']): AccountSpec | undefined {
  const name = tool?.opens?.(id, args) ?? null
  return tool?.manifest.accounts?.find((one) => one.name === name && one.sends !== undefined)
}

/** Seconds for which the service asked not to be called (remote.ts). */
function waitOf(outcome: ToolOutcome): number | null {
  const wait =
    outcome.ok || outcome.reason.code !== 'remote_rate_limited' ? null : outcome.reason.facts['wait']
  return typeof wait === 'number' ? wait : null
}

async function withCredential(
  options: ToolPortOptions,
  { tool, action }: Found,
  request: Request,
): Promise<ToolOutcome> {
  const issued = await unseal(options, tool, request)
  if (!issued.ok) return issued
  const outcome = await execute(options, tool, { request, issued: issued.value })
  const use = useOf(outcome)
  issued.value?.settle(use)
  // Its service ended a token before its time. A write is not made again, whatever the service said of it.
  const isRead = action.semantics === 'read'
  const renewed = use === 'rejected' && isRead ? await renewal(issued.value) : null
  if (renewed === null) return outcome
  if (!renewed.ok) return renewed
  const again = await execute(options, tool, { request, issued: renewed.value })
  renewed.value.settle(useOf(again))
  return again
}

async function renewal(issued: IssuedCredential | null): Promise<Result<IssuedCredential> | null> {
  try {
    return (await issued?.renew?.()) ?? null
  } catch {
    return null
  }
}

function useOf(outcome: ToolOutcome): CredentialUse {
  if (outcome.ok) return 'accepted'
  return outcome.reason.code === 'remote_unauthorized' ? 'rejected' : 'unclear'
}

/** The type already requires a token. Refuses untyped callers without one. */
function checkCapability(options: ToolPortOptions, { action, args, capability }: Request): Verdict {
  const token: unknown = capability
  if (typeof token !== 'object' || token === null) return { allow: false, code: 'token_missing', facts: {} }
  return denyOnThrow(() =>
    capability.claims.tool === action
      ? options.checkToken(capability, action, args)
      : { allow: false, code: 'token_wrong_tool', facts: {} },
  )
}

function findTool(
  options: ToolPortOptions,
  index: ReadonlyMap<string, Found>,
  { action, args }: Request,
): Result<Found> {
  const found = index.get(action)
  if (found === undefined) return err('tool_unknown')
  const { name, places } = found.tool.manifest
  if (!places.includes(options.place)) return err('tool_unavailable', { tool: name, place: options.place })
  const parsed = parseFields(calledArgs(found.action), args, 'refuse')
  return parsed.ok ? ok(found) : err('tool_arguments_invalid', parsed.reason.facts)
}

/** Requests only the credential named in the tool's own manifest, so that no tool gets another's (E-07). */
async function unseal(
  options: ToolPortOptions,
  { manifest }: Tool,
  { action, args, capability }: Request,
): Promise<Result<IssuedCredential | null>> {
  const { credential, name, accounts } = manifest
  // A tool with accounts opens those that it needs.
  if (credential === null || accounts !== undefined) return ok(null)
  try {
    // Undeclared arguments were refused before. The token's scope is bound to this one.
    const account = typeof args['account'] === 'string' ? args['account'] : null
    return await options.credentials.issue({ credential, tool: name, action, account, token: capability })
  } catch {
    return err('credential_missing', { credential })
  }
}

/** Unseals one declared account at a time, each for this call, and none twice. */
function accountsOf(
  options: ToolPortOptions,
  { manifest: { name: tool, accounts = [] } }: Tool,
  { request, signal }: { readonly request: Request; readonly signal: AbortSignal },
): NonNullable<ToolCall['open']> {
  const opened = new Map<string, Promise<Result<OpenAccount>>>()
  const open = async ({ credential, account, network, sends }: AccountSpec): Promise<Result<OpenAccount>> => {
    const { action, capability: token } = request
    if (sends !== undefined) {
      const along = checkAlong(token, { sends })
      if (!along.ok) return along
    }
    const issued = await options.credentials
      .issue({ credential, tool, action, account, token })
      .catch(() => err('credential_missing', { credential }))
    if (!issued.ok) return issued
    const { exemptOrigins, transport } = options
    const all = { hosts: network, exemptOrigins: [...exemptOrigins, ...ownOriginsOf(options, tool)] }
    const reach = reachOf(all, issued.value.hosts)
    if (sends !== undefined) {
      const { value } = issued.value.credential
      const http = createKeyedClient({ ...reach, transport, signal }, { ...sends, value })
      return ok({ credential: null, http: watched(http, issued.value) })
    }
    const http = createScopedHttp({ ...reach, transport, signal, limits: { timeoutMs: ACCOUNT_TIMEOUT } })
    const { settle } = issued.value
    return ok({
      ...{ credential: issued.value.credential, http: watched(http, issued.value) },
      settle: (isAccepted) => settle(isAccepted ? 'accepted' : 'rejected'),
    })
  }
  return (name) => {
    const spec = accounts.find((one) => one.name === name)
    if (spec === undefined) return Promise.resolve(err('credential_mismatch', { rule: 'account' }))
    const found = opened.get(name) ?? open(spec)
    opened.set(name, found)
    return found
  }
}

/** Wraps the client: the first conclusive answer shows whether the service accepted the credential. */
function watched({ request }: ToolCall['http'], { settle }: IssuedCredential): ToolCall['http'] {
  let isSettled = false
  const note = (status: number): void => {
    const use = status === UNAUTHORIZED ? 'rejected' : status < REFUSED ? 'accepted' : null
    if (isSettled || use === null) return
    isSettled = true
    settle(use)
  }
  return Object.freeze({
    request: async (asked: Parameters<typeof request>[0]) => {
      const answer = await request(asked)
      if (answer.ok) note(answer.value.status)
      return answer
    },
  })
}

interface Prepared {
  readonly request: Request
  readonly issued: IssuedCredential | null
}

async function execute(
  options: ToolPortOptions,
  tool: Tool,
  { request, issued }: Prepared,
): Promise<ToolOutcome> {
  const abort = new AbortController()
  const { action, args, capability } = request
  const { transport, deadline = TOOL_DEADLINE } = options
  const { name, network, accounts } = tool.manifest
  // Each account has a client for its own hosts. If accounts only add keys to requests, the tool keeps its own hosts.
  const isAdded = accounts?.[0] !== undefined && accounts.every(({ sends }) => sends !== undefined)
  const hosts = accounts === undefined || isAdded ? network : []
  const all = { hosts, exemptOrigins: [...options.exemptOrigins, ...ownOriginsOf(options, name)] }
  const reach = issued === null ? all : reachOf(all, issued.hosts)
  const sameHost = tool.manifest.redirects === 'same_host'
  const http = createScopedHttp({ ...reach, transport, sameHost, signal: abort.signal })
  const credential = issued?.credential ?? null
  const call: ToolCall = Object.freeze({
    ...{ action, args, capability, credential, http },
    ...(accounts !== undefined && { open: accountsOf(options, tool, { request, signal: abort.signal }) }),
  })
  let cancel = (): void => undefined
  const late = new Promise<ToolOutcome>((resolve) => {
    cancel = endAfter(deadline, () => resolve(err('tool_timeout', { tool: action, max: deadline })))
  })
  try {
    return await Promise.race([tool.execute(call), late])
  } catch {
    // A thrown error can quote anything, so its text is dropped.
    return err('tool_failed', { tool: action })
  } finally {
    cancel()
    // Ends the client with its call: otherwise it would be an ambient power.
    abort.abort()
  }
}

function ownOriginsOf({ ownOrigins = {} }: ToolPortOptions, tool: string): readonly string[] {
  return Object.hasOwn(ownOrigins, tool) ? (ownOrigins[tool] ?? []) : []
}

function indexTools(tools: readonly Tool[]): ReadonlyMap<string, Found> {
  const index = new Map<string, Found>()
  for (const own of tools) {
    // The manifest as registered: a tool cannot change its hosts or credential.
    const manifest = asDeclared(own.manifest)
    const tool: Tool = {
      manifest,
      execute: (call) => own.execute(call),
      isIdle: () => own.isIdle?.() === true,
      opens: (action, args) => own.opens?.(action, args) ?? null,
    }
    for (const action of manifest.actions) {
      if (index.has(action.id)) throw new Error(`two tools declare ${action.id}`)
      index.set(action.id, { tool, action })
    }
  }
  return index
}
