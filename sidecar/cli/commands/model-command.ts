/**
 * `pfar model add anthropic`: asks for the key without echo, asks the service for its models, stores the key sealed, writes the
 * provider into config.toml, and asks once what a company may read. Must not print a key, or take one from an argument. Called by
 * local/model.ts and `pfar init`.
 */
import { stringify } from 'smol-toml'
import type { ModelConnection } from '../../../integrations/models/connection.ts'
import { listModelNames } from '../../../integrations/models/model-names.ts'
import { MODEL_SERVICES, type ModelService, serviceIn } from '../../../integrations/models/model-services.ts'
import { DEFAULT_URL, isOwnAddress, localityOf } from '../../../integrations/models/provider-settings.ts'
import { acknowledgeCloud } from '../../../kernel/features/models/operations/acknowledge.ts'
import { askNames } from '../../../kernel/features/models/operations/names.ts'
import { ok, type Refusal, type Result } from '../../../kernel/flow/verdict.ts'
import { addModelTable, removeModelTable } from '../../config/config-edit.ts'
import { isSaying, prompt, tell } from '../../language/wording.ts'
import { createPinnedTransport } from '../../pages/pinned-transport.ts'
import { checkValue } from '../../secrets/secret.ts'
import { agree } from '../agree.ts'
import type { TerminalAsker } from '../chat/asker.ts'
import { terminalLine } from '../chat/terminal-text.ts'
import { askSocket, type CommandContext, type ExitCode, fail, said, withLink } from '../command.ts'
import { readValue } from '../hidden-input.ts'
import { readyForSecrets } from './custody-question.ts'
import { openConfig } from './opened-config.ts'
import { secretSentence, sendToService } from './secret-command.ts'

export interface ModelOptions {
  /** Name of a known service, or the address of a server with OpenAI's interface. */
  readonly service?: string
  /** The service's name of the model; asked for if absent. */
  readonly model?: string
  /** The owner's name for the provider. */
  readonly name?: string
  /** The server is a gateway that passes prompts on to a company, wherever it runs. */
  readonly cloud?: boolean
  readonly allowDevelopmentKey: boolean
}

/** Maximum number of model names shown at once. */
const SHOWN = 12
/** The template of the owner's private line. A company's model may read its prompts only after an approval. */
const PRIVATE = 'owner_private'

export async function addModel(
  context: CommandContext,
  options: ModelOptions,
  asker: TerminalAsker,
): Promise<ExitCode> {
  const { screen } = context
  const opened = openConfig(context)
  if (!opened.ok) return fail(context, opened)
  const { config, paths } = opened.value
  if ((await askSocket(context, { method: 'connectable', params: {} })).ok)
    return said(context, tell('model_setup.home_runs'))
  const service = await serviceFor(options.service, asker)
  if (service === null) return said(context, listed())
  const name = options.name ?? unusedName(service, config.models.providers)
  const given = await keyFor(context, service, { ...options, asker })
  if (!given.ok) return said(context, secretSentence(given.reason))
  const { key, allowDevelopmentKey } = given.value
  const model = await modelFor(context, { service, key, asker, model: options.model })
  if (model === null) return 1
  const { cloud = false } = options
  const table = tableOf({ service, name, model, cloud, hasKey: key !== null })
  if (!addModelTable(paths.config, table, name)) return said(context, tell('model_setup.by_hand', { table }))
  if (key !== null) {
    // Sealing may ask for a passphrase on this terminal, so no other reader may hold it.
    asker.letGo()
    const stored = await store(context, { name, key, allowDevelopmentKey })
    if (!stored.ok) {
      removeModelTable(paths.config, table)
      return said(context, secretSentence(stored.reason))
    }
  }
  screen.out(`\n${tell('model_setup.chosen', { name, model, title: service.title })}`)
  return finish(context, { service, name, model, cloud, asker })
}

interface Chosen {
  readonly service: ModelService
  readonly name: string
  readonly model: string
  readonly cloud: boolean
}

/** Tests the model through home, as later calls go, and asks what it may read. */
async function finish(
  context: CommandContext,
  { service, name, model, cloud, asker }: Chosen & { readonly asker: TerminalAsker },
): Promise<ExitCode> {
  const { screen } = context
  asker.letGo()
  screen.out(tell('model_setup.asking'))
  const tried = await withLink(context, { line: 'private', start: true }, async (link) => {
    const checks = await link.call(askNames, {})
    return checks.ok ? ok(checks.value.find((check) => check.model === name)?.answer ?? null) : checks
  })
  if (!tried.ok) return fail(context, tried)
  screen.out(
    tried.value === null
      ? tell('model_setup.silent')
      : tell('model_setup.answers', { answer: terminalLine(tried.value) }),
  )
  if (localityOf({ base_url: service.url, kind: service.kind, model, cloud }) === 'cloud') {
    asker.letGo()
    screen.out(`\n${tell('model_setup.reads', { title: service.title })}`)
    const given = await agree(
      context,
      (link) => link.call(acknowledgeCloud, { template: PRIVATE }),
      asker.ask,
    )
    screen.out(tell(given ? 'model_setup.may_read' : 'model_setup.may_not', { template: PRIVATE }))
  }
  screen.out(tell('model_setup.start'))
  return tried.value === null ? 1 : 0
}

async function serviceFor(said: string | undefined, asker: TerminalAsker): Promise<ModelService | null> {
  if (said !== undefined) return serviceIn(said)
  const answer = await asker.ask(`${listed()}\n\n${prompt('model_setup.which_service')}`)
  return answer === null ? null : serviceIn(answer)
}

function listed(): string {
  const rows = MODEL_SERVICES.map(({ name, title }) => `  ${name.padEnd(12)} ${titled(name, title)}`)
  const any = tell('model_setup.any_server')
  return [tell('model_setup.from'), ...rows, `  ${any}`].join('\n')
}

/** Title of the service, translated if it is more than a name. */
function titled(name: string, title: string): string {
  const saying = `model_setup.title_${name.replace(/[^a-z0-9]/g, '_')}`
  return isSaying(saying) ? tell(saying) : title
}

/** `anthropic`, or `anthropic_2` if that name is taken. */
function unusedName(
  { name }: Pick<ModelService, 'name'>,
  providers: readonly { readonly name: string }[],
): string {
  const base = name.replace(/[^a-z0-9_]/g, '_')
  const taken = new Set(providers.map((one) => one.name))
  for (let count = 1; ; count += 1) {
    const one = count === 1 ? base : `${base}_${count}`
    if (!taken.has(one)) return one
  }
}

interface GivenKey {
  /** Null: the server needs none. */
  readonly key: string | null
  readonly allowDevelopmentKey: boolean
}

/** Asks for the key only after it is certain that it can be stored. */
async function keyFor(
  context: CommandContext,
  service: ModelService,
  { allowDevelopmentKey, cloud, asker }: ModelOptions & { readonly asker: TerminalAsker },
): Promise<Result<GivenKey>> {
  if (!(await needsKey(service, cloud))) return ok({ key: null, allowDevelopmentKey })
  const ready = await readyForSecrets(context, { allowDevelopmentKey, asker })
  if (!ready.ok) return ready
  asker.letGo()
  if (service.keys !== null)
    context.screen.out(tell('model_setup.key_page', { title: service.title, page: service.keys }))
  const typed = await readValue(prompt('model_setup.key', { title: service.title }))
  const key = typed.ok ? checkValue('token', typed.value) : typed
  return key.ok ? ok({ ...ready.value, key: key.value }) : key
}

/** Whether the service needs a key. A server of the owner's own is tried without one. */
async function needsKey(service: ModelService, cloud = false): Promise<boolean> {
  if (service.kind === 'ollama') return false
  if (cloud || !isOwnAddress(service.url)) return true
  const names = await namesOf(service, null)
  return !names.ok && names.reason.code === 'model_misconfigured'
}

interface Choosing {
  readonly service: ModelService
  readonly key: string | null
  readonly asker: TerminalAsker
  readonly model: string | undefined
}

/**
 * Null if the service refused or the owner cancelled; the reason has been printed. If the service lists its models, a given name
 * is not checked against the list.
 */
async function modelFor(
  context: CommandContext,
  { service, key, asker, model }: Choosing,
): Promise<string | null> {
  const names = await namesOf(service, key)
  if (!names.ok) {
    // Some servers list no models; the first call shows whether the name is right.
    if (model !== undefined && names.reason.code === 'model_garbled') return model
    said(context, troubleOf(service, names.reason))
    return null
  }
  if (model !== undefined) return model
  const { value: all } = names
  if (all.length === 0) {
    said(
      context,
      tell(service.kind === 'ollama' ? 'model_setup.none_local' : 'model_setup.none', {
        title: service.title,
      }),
    )
    return null
  }
  if (all.length === 1) return all[0] ?? null
  return choose(all, asker)
}

/** Choose by number, by name, or by part of a name, which narrows the list. */
async function choose(all: readonly string[], asker: TerminalAsker): Promise<string | null> {
  let shown = all
  for (;;) {
    const rows = shown.slice(0, SHOWN).map((name, at) => `  ${String(at + 1).padStart(2)}  ${name}`)
    const more =
      shown.length > SHOWN ? [`      ${tell('model_setup.more', { count: shown.length - SHOWN })}`] : []
    const answer = await asker.ask(`${[...rows, ...more].join('\n')}\n${prompt('model_setup.which_model')}`)
    if (answer === null) return null
    const typed = answer.trim().toLowerCase()
    const exact = all.find((name) => name.toLowerCase() === typed)
    if (exact !== undefined) return exact
    const numbered = /^\d{1,2}$/.test(typed) ? shown.slice(0, SHOWN)[Number(typed) - 1] : undefined
    if (numbered !== undefined) return numbered
    const found = typed === '' ? all : all.filter((name) => name.toLowerCase().includes(typed))
    shown = found.length === 0 ? all : found
    if (found.length === 1 && typed !== '') return found[0] ?? null
  }
}

async function namesOf(service: ModelService, key: string | null): Promise<Result<readonly string[]>> {
  const transport = createPinnedTransport()
  const connection: ModelConnection = {
    ...{ baseUrl: service.url, transport, key: null },
    exemptOrigins: isOwnAddress(service.url) ? [new URL(service.url).origin] : [],
  }
  try {
    return await listModelNames(service.kind, connection, key)
  } finally {
    await transport.close()
  }
}

function troubleOf({ title }: ModelService, { code }: Refusal): string {
  const saying = `model_setup.tried_${code}`
  return tell(isSaying(saying) ? saying : 'model_setup.unusable', { title })
}

function tableOf({ service, name, model, cloud, hasKey }: Chosen & { readonly hasKey: boolean }): string {
  const entry = {
    ...{ name, kind: service.kind, model },
    ...(service.url !== DEFAULT_URL[service.kind] && { base_url: service.url }),
    ...(cloud && { cloud }),
    ...(hasKey && { key: `vault:${name}` }),
  }
  return stringify({ models: { providers: [entry] } })
}

function store(
  context: CommandContext,
  { name, key, allowDevelopmentKey }: GivenKey & { readonly name: string },
): Promise<Result<unknown>> {
  const scope = { tools: [], actions: [], hosts: [] }
  return sendToService(context, {
    method: 'secret_set',
    params: { name, value: key, kind: 'token', allowDevelopmentKey, ...scope },
  })
}
