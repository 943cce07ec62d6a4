/**
 * `pfar secret` and `pfar connect` (E-05, E-08, L-12, L-15). A value is typed without echo or read from stdin, and goes to home
 * over its private socket, into the store if home is not running, or with `--line open` to the edge, which seals it for home.
 * Must not print a value, or take one from an argument or the environment. Called by local/secret.ts.
 */

import * as z from 'zod/mini'
import { OAUTH_SERVICES } from '../../../integrations/tools/oauth-services.ts'
import { TOOL_MANIFESTS } from '../../../integrations/tools/registered.ts'
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import type { ConnectSpec } from '../../../kernel/tool/manifest.ts'
import { secretName } from '../../../kernel/vault/secret-offer.ts'
import { isSelfHosted } from '../../config/own-services.ts'
import { readCustodyRecord } from '../../keys/custody.ts'
import { askAtStart } from '../../keys/owner-terminal.ts'
import { isSaying, prompt, tell } from '../../language/wording.ts'
import { refusalDetail } from '../../process/start-sentence.ts'
import { checkWordOf } from '../../secrets/check-word.ts'
import { listOffers } from '../../secrets/offer-service.ts'
import { atService } from '../../secrets/open-offers.ts'
import { checkValue } from '../../secrets/secret.ts'
import { openSecretFile } from '../../secrets/secret-file.ts'
import { createSecretMethods } from '../../secrets/secret-methods.ts'
import { viewOf } from '../../secrets/secret-service.ts'
import { listSecrets } from '../../secrets/secret-store.ts'
import { openStateFolder, stateFolderPath } from '../../store/state-folder.ts'
import { callEdge } from '../../tunnel/edge-call.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { renderSecrets, renderStatus } from '../chat/render.ts'
import { askSocket, type CommandContext, type ExitCode } from '../command.ts'
import { readValue } from '../hidden-input.ts'
import type { Line } from '../line/link.ts'
import { ownKey, usualEdge } from '../line/own-edge.ts'
import { nameAddress } from './service-address.ts'

interface Change {
  readonly what: 'set' | 'rotate' | 'accept' | 'decline' | 'delete'
  /** `open`: the value goes to the edge. */
  readonly line?: Line
  /** Parameters of the method, without the value. */
  readonly params: {
    readonly name: string
    readonly check?: string
    readonly kind?: string
    readonly tools?: readonly string[]
    readonly actions?: readonly string[]
    readonly hosts?: readonly string[]
    readonly allowDevelopmentKey?: boolean
  }
}

export type SecretOptions = { readonly json: boolean } & ({ readonly what: 'list' } | Change)

export async function secretCommand(context: CommandContext, options: SecretOptions): Promise<ExitCode> {
  const done = options.what === 'list' ? list(context, options.json) : await change(context, options)
  if (done.ok) return 0
  context.screen.err(secretSentence(done.reason))
  return 1
}

export function secretSentence(reason: Refusal): string {
  return reason.facts['problem'] === undefined
    ? (sentenceOf(['fails', 'value'], reason.code) ?? refusalDetail(reason))
    : refusalDetail(reason)
}

/** Instructions for the command line where the words for a chat do not fit. `kinds`: most specific first. */
function sentenceOf(kinds: readonly string[], code: ReasonCode): string | null {
  const saying = kinds.map((kind) => `secret_setup.${kind}_${code}`).find(isSaying)
  return saying === undefined ? null : tell(saying)
}

/** Reads the store directly: names and scopes need no key and are not secret to the owner of the folder. */
function list({ screen, environment }: CommandContext, json: boolean): Result<null> {
  const folder = openStateFolder(stateFolderPath(environment))
  if (!folder.ok) return folder
  const file = openSecretFile(folder.value)
  if (!file.ok) return file
  const views = listSecrets(file.value).map(viewOf)
  const offers = listOffers(file.value.offers)
  file.value.close()
  screen.out(json ? JSON.stringify([...views, ...offers], null, 2) : renderSecrets(views, offers, Date.now()))
  return ok(null)
}

async function change(
  context: CommandContext,
  { json, what, line, params }: Change & Pick<SecretOptions, 'json'>,
): Promise<Result<null>> {
  if (what === 'set' && line === 'open') return offer(context, params)
  const isForgetting = what === 'delete' || what === 'decline'
  const early = isForgetting ? ok(null) : checkCustody(context, params)
  if (!early.ok) return early
  const typed =
    what === 'set' || what === 'rotate'
      ? await readValue(prompt('secret_setup.value_of', { name: params.name }))
      : null
  if (typed?.ok === false) return typed
  const done = await sendToService(context, {
    method: `secret_${what}`,
    params: typed === null ? params : { ...params, value: typed.value },
  })
  if (!done.ok) return done
  const facts = done.value as Readonly<Record<string, unknown>>
  if (facts['deleted'] === false && !json) return ok(askedToDelete(context, facts))
  if (facts['accepted'] === false && !json) return ok(askedToAccept(context, facts))
  if (facts['revoked'] === false && !json)
    context.screen.err(
      `Its service was not told that the permission is over. End it there, too: ${OAUTH_SERVICES.map(({ consents, title }) => `${consents} for ${title}`).join(', ')}.`,
    )
  if (what === 'rotate' && !json) context.screen.out(rotatedWords(params.name, facts['tried'] === true))
  else context.screen.out(json ? JSON.stringify(facts, null, 2) : renderStatus({ place: 'home', ...facts }))
  return ok(null)
}

function rotatedWords(name: string, isTried: boolean): string {
  const taken = `${name} has the new value.`
  return isTried
    ? `${taken} Its service took it.`
    : `${taken} It was not tried with its service; the one before it is kept until its service has taken this one.`
}

/** Asking and confirming are separate commands (F-17). */
function askedToDelete({ screen }: CommandContext, facts: Readonly<Record<string, unknown>>): null {
  const { name, check } = facts
  screen.out(`Shall I delete ${name}? What uses it stops working, and it cannot be brought back.`)
  screen.err(`Nothing is deleted yet. To delete it: pfar secret delete ${name} --confirm ${check}`)
  return null
}

/** The operator of the edge could have replaced what came through a chat, so the owner is shown whose account it opens. */
function askedToAccept({ screen }: CommandContext, facts: Readonly<Record<string, unknown>>): null {
  const { name, check, tried, account } = facts
  const whose = typeof account === 'string' ? `, for the account ${account}` : ''
  screen.out(
    tried === true
      ? `Its service accepts what was sent for ${name}${whose}.`
      : `I cannot try what was sent for ${name}.`,
  )
  screen.out('Accept it only if you sent one yourself, and if that is your account.')
  screen.err(`Nothing is stored yet. To accept it: pfar secret accept ${name} ${check}`)
  return null
}

/**
 * Sends a value to the edge, which seals it for home at once, for a device that cannot reach home. The edge's provider
 * could read it in transit, so the private line is preferable. Kind and scope are given at home, where they take effect.
 * Refusals: config_malformed, field_malformed, frame_malformed (name), remote_unavailable, and those of the edge.
 */
async function offer(context: CommandContext, params: Change['params']): Promise<Result<null>> {
  const { name, kind, tools = [], actions = [], hosts = [] } = params
  if (kind !== undefined || tools.length + actions.length + hosts.length > 0) {
    const problem = 'say --kind, --tool, --action and --host when you accept it at home'
    return err('config_malformed', { problem })
  }
  const given = await readValue(prompt('secret_setup.value_of', { name }))
  // The rules that all kinds share; home checks those of the kind.
  const value = given.ok ? checkValue('key', given.value) : given
  if (!value.ok) return value
  if (!secretName.safeParse(name).success) return err('frame_malformed')
  const own = ownKey(context)
  if (!own.ok) return own
  const edge = usualEdge(context, own.value.paths)
  if (!edge.ok) return edge
  const { device } = own.value
  const url = `${edge.value}/line/secrets/${encodeURIComponent(name)}`
  const body = JSON.stringify({ value: value.value })
  const sent = await callEdge({ method: 'PUT', url, body, device }, z.object({ done: z.literal(true) }))
  if (!sent.ok) return sent
  const { out } = context.screen
  out('The edge has sealed it for home and cannot read it any more. It waits for home for a week at most.')
  out(`Then accept it at home:  pfar secret accept ${name} ${checkWordOf(name, value.value)}`)
  return ok(null)
}

/** Checked before the owner pastes a value; home checks it again. Refusals: key_development, those of the folder. */
export function checkCustody(
  { environment }: Pick<CommandContext, 'environment'>,
  { allowDevelopmentKey = false }: Pick<Change['params'], 'allowDevelopmentKey'>,
): Result<null> {
  if (allowDevelopmentKey) return ok(null)
  const folder = openStateFolder(stateFolderPath(environment))
  const record = folder.ok ? readCustodyRecord(folder.value) : folder
  if (!record.ok) return record
  return record.value.kind === 'development' ? err('key_development') : ok(null)
}

/** Sends the change to home if it runs, otherwise applies it to the store with home's lock held. */
export async function sendToService(
  context: Pick<CommandContext, 'environment'>,
  request: { readonly method: `secret_${Change['what']}`; readonly params: object },
): Promise<Result<unknown>> {
  const answer = await askSocket(context, request)
  if (answer.ok || answer.reason.code !== 'home_offline') return answer
  return atService({ env: context.environment, ask: askAtStart({}) }, async (secretService, offers) => {
    // The methods that home serves, without the socket.
    const run = createSecretMethods(secretService, offers)[request.method]
    return run === undefined ? err('frame_malformed') : run(request.params)
  })
}

interface ConnectOptions {
  readonly service: string
  readonly allowDevelopmentKey: boolean
  /** Address of a service that the owner runs, and the expected fingerprint of its certificate. */
  readonly address?: string
  readonly fingerprint?: string
  /** Null if nobody can be asked. */
  readonly asker?: TerminalAsker | null
}

/** Milliseconds. Includes a request to the service, perhaps by two of its tools. */
const TRY_TIMEOUT_MS = 90_000

const unfinished = z.object({ goesOn: z.literal(true) })
/** Home tests the credential with its service before storing it; only a running home can. */
export async function connectCommand(
  context: CommandContext,
  { service, allowDevelopmentKey, address, fingerprint, asker }: ConnectOptions,
): Promise<ExitCode> {
  const { title = service, steps = [], says } = connectionOf(service) ?? {}
  if (isSelfHosted(service)) {
    const ended = await nameAddress(context, {
      ...{ service, title },
      ...(address !== undefined && { address }),
      ...(fingerprint !== undefined && { fingerprint }),
      ...(asker !== undefined && { asker }),
    })
    if (ended !== null) return ended
  }
  // A script that pipes a value in needs no guide.
  if (process.stdin.isTTY === true) for (const line of steps) context.screen.out(line)
  const value = await readValue(prompt('secret_setup.credential', { service }))
  if (!value.ok) return failConnect(context, value.reason)
  const params = { service, value: value.value, allowDevelopmentKey }
  const connected = await askSocket(context, { method: 'connect', params, within: TRY_TIMEOUT_MS })
  if (!connected.ok) return failConnect(context, connected.reason)
  const goesOn = z.safeParse(unfinished, connected.value).success
  context.screen.out(goesOn ? tell('secret_setup.goes_on') : tell('secret_setup.connected', { title }))
  if (!goesOn && says !== undefined) context.screen.out(`Ask: "${says}"`)
  return 0
}

/** The tool's declaration of how the service is connected. */
function connectionOf(service: string): ConnectSpec | undefined {
  return TOOL_MANIFESTS.find(({ credential }) => credential === service)?.connect
}

const connectable = z.object({ services: z.array(z.object({ service: z.string(), title: z.string() })) })

export async function listConnectable(context: CommandContext): Promise<ExitCode> {
  const answer = await askSocket(context, { method: 'connectable', params: {} })
  if (!answer.ok) return failConnect(context, answer.reason)
  const { screen } = context
  const { services } = z.parse(connectable, answer.value)
  if (services.length === 0) screen.out('Nothing that is installed needs a credential.')
  for (const { service, title } of services) screen.out(`pfar connect ${service}  ${title}`)
  screen.out('pfar connect calendar  a calendar at a CalDAV server, such as iCloud, Fastmail or Nextcloud')
  screen.out(
    'pfar connect contacts  an address book at a CardDAV server, such as iCloud, Fastmail or Nextcloud',
  )
  screen.out('pfar connect ics  a published calendar, by its address')
  screen.out('pfar connect files  a folder of yours')
  return 0
}

function failConnect({ screen }: CommandContext, reason: Refusal): ExitCode {
  screen.err(sentenceOf(['connect', 'value'], reason.code) ?? refusalDetail(reason))
  return 1
}
