/**
 * `pfar secret set | rotate | accept | decline | list | delete` (E-05, E-08, L-12). A value is typed without echo or
 * read from stdin, and goes to home over its private socket, or into the store if home is not running. Must not print a
 * value, or take one from an argument or the environment. Called by local/secret.ts.
 */
import { err, ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import type { ReasonCode } from '../../../kernel/reasons.ts'
import { askAtStart } from '../../keys/ask-passphrase.ts'
import { readCustodyRecord } from '../../keys/custody-record.ts'
import { refusalDetail } from '../../process/start-sentence.ts'
import { listOffers } from '../../secrets/offer-desk.ts'
import { atDesk } from '../../secrets/open-desk.ts'
import { viewOf } from '../../secrets/secret-desk.ts'
import { openSecretFile } from '../../secrets/secret-file.ts'
import { createSecretMethods } from '../../secrets/secret-methods.ts'
import { listSecrets } from '../../secrets/secret-store.ts'
import { openStateFolder, stateFolderPath } from '../../store/state-folder.ts'
import { renderSecrets, renderStatus } from '../chat/render.ts'
import type { CommandContext, ExitCode } from '../command.ts'
import { createLineClient } from '../line/line-client.ts'
import type { Line } from '../line/link.ts'
import { offerSecret } from '../line/secret-line.ts'
import { readValue } from '../read-value.ts'
import { statePaths } from '../state-paths.ts'

interface Changing {
  readonly name: string
  readonly allowDevelopmentKey: boolean
}

export type SecretOptions = { readonly json: boolean } & (
  | { readonly what: 'list' }
  | { readonly what: 'delete'; readonly name: string; readonly check: string | null }
  | { readonly what: 'decline'; readonly name: string }
  | ({ readonly what: 'rotate' } & Changing)
  | ({ readonly what: 'set'; readonly line: Line } & Scoped)
  | ({ readonly what: 'accept'; readonly check: string | null } & Scoped)
)

interface Scoped extends Changing {
  readonly kind?: string
  readonly tools: readonly string[]
  readonly actions: readonly string[]
  readonly hosts: readonly string[]
}

/** Instructions for the command line, where the words for a chat do not fit. */
const SENTENCES: Partial<Readonly<Record<ReasonCode, string>>> = {
  key_development:
    'The master key is still the development key, which lies in plain beside the data: run `pfar key init` first. To try it out anyway: --allow-development-key.',
  credential_missing: 'There is no secret of that name. `pfar secret list` shows what there is.',
  field_malformed:
    'That value cannot be used. It takes 8 to 8192 characters; a token is one word without spaces.',
  tool_unknown:
    'No tool of home asks for that name. If you have just changed config.toml, restart home first; else say which may get it: --tool <tool>.',
  frame_malformed: 'That name cannot be used. It takes lower-case letters, digits and . _ - /',
  approval_step_up:
    'That is not the word that I asked for, or it is too old. Nothing was deleted. Ask again without --confirm.',
  credential_mismatch:
    'That does not fit what is in force under this name: it is of another account, or of another kind. Nothing was changed. For another bot or app, say "disconnect" and its name in your chat at home first.',
  credential_rejected: 'Its service did not accept that. It was thrown away, and nothing was stored.',
  nothing_found: 'Nothing waits under that name. `pfar secret list` shows what there is.',
  edge_locked: 'The edge is locked and takes nothing in. Nothing was stored.',
  remote_rate_limited:
    'The edge takes only a few secrets a minute. Nothing was stored; try again in a minute.',
  home_offline: 'Too much waits for home already. Nothing was stored; connect home first.',
  remote_unavailable: 'The edge cannot be reached. Nothing was stored.',
}

export async function secretCommand(context: CommandContext, options: SecretOptions): Promise<ExitCode> {
  const done = options.what === 'list' ? list(context, options.json) : await change(context, options)
  if (done.ok) return 0
  context.screen.err(secretSentence(done.reason))
  return 1
}

export function secretSentence(reason: Refusal): string {
  return reason.facts['problem'] === undefined
    ? (SENTENCES[reason.code] ?? refusalDetail(reason))
    : refusalDetail(reason)
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

type Change = Exclude<SecretOptions, { what: 'list' }>

async function change(context: CommandContext, options: Change): Promise<Result<null>> {
  if (options.what === 'set' && options.line === 'open') return offer(context, options)
  const isForgetting = options.what === 'delete' || options.what === 'decline'
  const early = isForgetting ? ok(null) : checkCustody(context, options)
  if (!early.ok) return early
  const typed = options.what === 'set' || options.what === 'rotate'
  const value = typed ? await readValue(`Value of ${options.name}: `) : ok('')
  if (!value.ok) return value
  const request = requestOf(options, value.value)
  const done = await sendToDesk(context, request)
  if (!done.ok) return done
  const facts = done.value as Readonly<Record<string, unknown>>
  if (facts['deleted'] === false && !options.json) return ok(askedToDelete(context, facts))
  if (facts['accepted'] === false && !options.json) return ok(askedToAccept(context, facts))
  context.screen.out(
    options.json ? JSON.stringify(facts, null, 2) : renderStatus({ place: 'home', ...facts }),
  )
  return ok(null)
}

/** Asking and confirming are separate commands (F-17). */
function askedToDelete({ screen }: CommandContext, facts: Readonly<Record<string, unknown>>): null {
  const { name, check } = facts
  screen.out(`Shall I delete ${name}? What uses it stops working, and it cannot be brought back.`)
  screen.err(`Nothing is deleted yet. To delete it: pfar secret delete ${name} --confirm ${check}`)
  return null
}

/**
 * The secret came through a chat. The operator of the edge could have replaced it, so the owner is shown which account
 * it opens.
 */
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

/** Kind and scope are given at home, where they take effect. */
async function offer(context: CommandContext, options: Change & { what: 'set' }): Promise<Result<null>> {
  const { name, kind, tools, actions, hosts } = options
  if (kind !== undefined || [tools, actions, hosts].some((list) => list.length > 0)) {
    const problem = 'say --kind, --tool, --action and --host when you accept it at home'
    return err('config_malformed', { problem })
  }
  const value = await readValue(`Value of ${name}: `)
  return value.ok ? offerSecret(context, { name, value: value.value }) : value
}

/**
 * Checked before the owner pastes a value; home checks it again. Refusals: key_development, those of the state folder.
 */
export function checkCustody(
  { environment }: Pick<CommandContext, 'environment'>,
  { allowDevelopmentKey }: { readonly allowDevelopmentKey: boolean },
): Result<null> {
  if (allowDevelopmentKey) return ok(null)
  const folder = openStateFolder(stateFolderPath(environment))
  const record = folder.ok ? readCustodyRecord(folder.value) : folder
  if (!record.ok) return record
  return record.value.kind === 'development' ? err('key_development') : ok(null)
}

interface Request {
  readonly method: `secret_${Change['what']}`
  readonly params: object
}

function requestOf(options: Change, value: string): Request {
  const { name } = options
  const method = `secret_${options.what}` as const
  if (options.what === 'decline') return { method, params: { name } }
  if (options.what === 'delete')
    return { method, params: { name, ...(options.check === null ? {} : { check: options.check }) } }
  const { allowDevelopmentKey } = options
  if (options.what === 'rotate') return { method, params: { name, value, allowDevelopmentKey } }
  const { kind, tools, actions, hosts } = options
  const check = options.what === 'accept' && options.check !== null ? { check: options.check } : {}
  const given = options.what === 'set' ? { value } : check
  const named = kind === undefined ? {} : { kind }
  return { method, params: { name, ...given, ...named, tools, actions, hosts, allowDevelopmentKey } }
}

/** Sends the change to home if it runs, otherwise applies it to the store with home's lock held. */
export async function sendToDesk(
  { environment }: Pick<CommandContext, 'environment'>,
  request: Request,
): Promise<Result<unknown>> {
  const client = createLineClient(statePaths(environment).socket)
  try {
    const answer = await client.method(request.method, request.params)
    if (answer.ok || answer.reason.code !== 'home_offline') return answer
  } finally {
    client.close()
  }
  return atDesk({ env: environment, ask: askAtStart({}) }, async (desk, offers) => {
    // The methods that home serves, without the socket.
    const run = createSecretMethods(desk, offers)[request.method]
    return run === undefined ? err('frame_malformed') : run(request.params)
  })
}
