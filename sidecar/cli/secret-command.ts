/**
 * `pfar secret set | rotate | list | delete` (E-05, E-08). A value is asked for without an echo, or read from stdin,
 * and goes to home over its private socket, or into the store while home stands still; nothing prints it. Must not
 * take a value from an argument or the environment. Called by secret-program.ts.
 */
import { text } from 'node:stream/consumers'
import { allowed, type ReasonCode, type Refusal, type Result, refused } from '../../kernel/flow/verdict.ts'
import { askAtStart } from '../keys/ask-passphrase.ts'
import { readCustodyRecord } from '../keys/custody-record.ts'
import { atDesk } from '../secrets/open-desk.ts'
import { nameSchema, rotateSchema, type SecretDesk, setSchema, viewOf } from '../secrets/secret-desk.ts'
import { openSecretFile } from '../secrets/secret-file.ts'
import { listSecrets } from '../secrets/secret-store.ts'
import { refusalDetail } from '../start-sentence.ts'
import { openStateFolder, stateFolderPath } from '../state-folder.ts'
import type { CommandContext, ExitCode } from './command.ts'
import { createPassphrasePrompt } from './passphrase.ts'
import { renderSecrets, renderStatus } from './render.ts'
import { createSocketClient } from './socket-client.ts'
import { statePaths } from './state-paths.ts'

interface Changing {
  readonly name: string
  readonly allowDevelopmentKey: boolean
}

export type SecretOptions = { readonly json: boolean } & (
  | { readonly what: 'list' }
  | { readonly what: 'delete'; readonly name: string }
  | ({ readonly what: 'rotate' } & Changing)
  | ({
      readonly what: 'set'
      readonly kind: string
      readonly tools: readonly string[]
      readonly actions: readonly string[]
      readonly hosts: readonly string[]
    } & Changing)
)

/** What to do, where the words for a chat would not say it. */
const SENTENCES: Partial<Readonly<Record<ReasonCode, string>>> = {
  key_development:
    'The master key is still the development key, which lies in plain beside the data: run `pfar key init` first. To try it out anyway: --allow-development-key.',
  credential_missing: 'There is no secret of that name. `pfar secret list` shows what there is.',
  field_malformed:
    'That value cannot be used. It takes 8 to 8192 characters; a token is one word without spaces.',
  tool_unknown: 'No tool of home asks for that name. Say which may get it: --tool <tool>.',
  frame_malformed: 'That name cannot be used. It takes lower-case letters, digits and . _ - /',
}

export async function secretCommand(context: CommandContext, options: SecretOptions): Promise<ExitCode> {
  const done = options.what === 'list' ? list(context, options.json) : await change(context, options)
  if (done.ok) return 0
  context.screen.err(sentenceOf(done.reason))
  return 1
}

function sentenceOf(reason: Refusal): string {
  return reason.facts['problem'] === undefined
    ? (SENTENCES[reason.code] ?? refusalDetail(reason))
    : refusalDetail(reason)
}

/** Reads the store itself: names and scopes are no secret to who owns the folder, and take no key. */
function list({ screen, environment }: CommandContext, json: boolean): Result<null> {
  const folder = openStateFolder(stateFolderPath(environment))
  if (!folder.ok) return folder
  const file = openSecretFile(folder.value)
  if (!file.ok) return file
  const views = listSecrets(file.value).map(viewOf)
  file.value.close()
  screen.out(json ? JSON.stringify(views, null, 2) : renderSecrets(views, Date.now()))
  return allowed(null)
}

type Change = Exclude<SecretOptions, { what: 'list' }>

async function change(context: CommandContext, options: Change): Promise<Result<null>> {
  const early = checkCustody(context, options)
  if (!early.ok) return early
  const value = options.what === 'delete' ? allowed('') : await readValue(`Value of ${options.name}: `)
  if (!value.ok) return value
  const request = requestOf(options, value.value)
  const done = await send(context, request)
  if (!done.ok) return done
  const facts = done.value as Readonly<Record<string, unknown>>
  context.screen.out(
    options.json ? JSON.stringify(facts, null, 2) : renderStatus({ place: 'home', ...facts }),
  )
  return allowed(null)
}

/** Told before the owner has pasted anything; home checks it again. */
function checkCustody({ environment }: CommandContext, options: Change): Result<null> {
  if (options.what === 'delete' || options.allowDevelopmentKey) return allowed(null)
  const folder = openStateFolder(stateFolderPath(environment))
  const record = folder.ok ? readCustodyRecord(folder.value) : folder
  if (!record.ok) return record
  return record.value.kind === 'development' ? refused('key_development') : allowed(null)
}

/** Hidden at a terminal; otherwise all of stdin, since a key has lines. */
async function readValue(question: string): Promise<Result<string>> {
  if (process.stdin.isTTY !== true) return allowed(await text(process.stdin))
  const prompt = createPassphrasePrompt({ input: process.stdin, output: process.stderr })
  try {
    const value = await prompt.ask(question)
    return value === null ? refused('field_malformed') : allowed(value)
  } finally {
    prompt.close()
  }
}

type Request = { readonly method: 'secret_set' | 'secret_rotate' | 'secret_delete'; readonly params: object }

function requestOf(options: Change, value: string): Request {
  const { name } = options
  if (options.what === 'delete') return { method: 'secret_delete', params: { name } }
  const { allowDevelopmentKey } = options
  if (options.what === 'rotate')
    return { method: 'secret_rotate', params: { name, value, allowDevelopmentKey } }
  const { kind, tools, actions, hosts } = options
  return { method: 'secret_set', params: { name, value, kind, tools, actions, hosts, allowDevelopmentKey } }
}

/** To home if it runs, else into its store, with its lock held. */
async function send({ environment }: CommandContext, request: Request): Promise<Result<unknown>> {
  const client = createSocketClient(statePaths(environment).socket)
  try {
    const answer = await client.request(request.method, request.params)
    if (answer.ok || answer.reason.code !== 'home_offline') return answer
  } finally {
    client.close()
  }
  return atDesk({ env: environment, ask: askAtStart({}) }, (desk) => perform(desk, request))
}

async function perform(desk: SecretDesk, { method, params }: Request): Promise<Result<unknown>> {
  const malformed = refused('frame_malformed')
  if (method === 'secret_set') {
    const parsed = setSchema.safeParse(params)
    return parsed.success ? desk.set(parsed.data) : malformed
  }
  if (method === 'secret_rotate') {
    const parsed = rotateSchema.safeParse(params)
    return parsed.success ? desk.rotate(parsed.data) : malformed
  }
  const parsed = nameSchema.safeParse(params)
  return parsed.success ? desk.delete(parsed.data) : malformed
}
