/**
 * `pfar init`: sets up an empty folder with a few questions, each with a default. It may be interrupted and run again. Must not
 * use or store an answer that was not validated. Called by local/home.ts.
 */

import { totalmem } from 'node:os'
import { speak } from '../../../integrations/languages/speak-home.ts'
import { DEFAULT_URL } from '../../../integrations/models/provider-settings.ts'
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { DEFAULT_LANGUAGE, type Language } from '../../../kernel/wording/languages.ts'
import { isLoopback, loadConfig, machineTimezone } from '../../config/config.ts'
import { createSettings, ensureConfig, hasMachineZone } from '../../config/config-edit.ts'
import { type InitKeeper, initKeeper, readInitRecord } from '../../init/init-record.ts'
import { languageStep, modelStep, namesStep, zoneStep } from '../../init/setting-steps.ts'
import { runWizard, type Step, type Told } from '../../init/wizard.ts'
import { machineLanguage, spokenAt } from '../../language/spoken-language.ts'
import { tell } from '../../language/wording.ts'
import { createPinnedTransport } from '../../pages/pinned-transport.ts'
import { startCommand } from '../../process/installed-parts.ts'
import { refusalDetail } from '../../process/start-sentence.ts'
import { openStateFolder, type StateFolder } from '../../store/state-folder.ts'
import { calendarStep, contactsStep, mailStep } from '../account-steps.ts'
import { agree } from '../agree.ts'
import { createAsker, TAKES_DEFAULTS, type TerminalAsker } from '../chat/asker.ts'
import { type CommandContext, type ExitCode, fail, withLink } from '../command.ts'
import {
  type ActionInput,
  addModelStep,
  backupStep,
  channelSteps,
  cloudStep,
  edgeStep,
  keyStep,
  serviceStep,
} from '../init-steps.ts'
import { nameOwner } from '../owner-file.ts'
import { searchStep } from '../search-step.ts'
import { type StatePaths, statePaths } from '../state-paths.ts'

export interface InitOptions {
  /** Use every default and ask nothing. */
  readonly yes: boolean
  readonly ollama?: string
  readonly name?: string
  readonly address?: string
}

export async function initCommand(context: CommandContext, options: InitOptions): Promise<ExitCode> {
  const { screen, environment } = context
  if (!options.yes && process.stdin.isTTY !== true) {
    screen.err(tell('init.no_terminal'))
    return 2
  }
  const paths = statePaths(environment)
  const folder = openStateFolder(paths.root)
  const record = folder.ok ? readInitRecord(folder.value) : folder
  if (!folder.ok || !record.ok) return refuse(context, record)
  const kept = initKeeper(folder.value, record.value)
  if (!prepareConfig(paths, kept)) {
    screen.err(tell('init.not_written', { file: paths.config }))
    return 1
  }
  const config = loadConfig(environment, paths.root)
  if (!config.ok) return refuse(context, config)
  await speak(config.value.owner.language ?? languageBefore(environment, paths))
  const asker = options.yes ? TAKES_DEFAULTS : createAsker(process.stdin, process.stdout, true)
  screen.out(tell('init.setting_up', { folder: paths.root }))
  if (!options.yes) screen.out(screen.dim(tell('init.intro')))
  kept.begin()
  const steps = stepsOf(context, { options, paths, folder: folder.value, kept, asker })
  // Without questions nothing is recorded as answered, so the first conversation asks them.
  const answers = options.yes ? { said: kept.said, keep: () => undefined } : kept
  const finished = await runWizard({ steps, answers, asker, tell: (words) => screen.out(words) })
  asker.letGo()
  if (!finished) {
    screen.out(`\n${tell('init.stopped')}`)
    return 1
  }
  kept.finish()
  return farewell(context, paths)
}

interface StepsInput {
  readonly options: InitOptions
  readonly paths: StatePaths
  readonly folder: StateFolder
  readonly kept: InitKeeper
  readonly asker: TerminalAsker
}

/** In the order in which they are asked. */
export function stepsOf(
  context: CommandContext,
  { options, paths, folder, kept, asker }: StepsInput,
): readonly (Step | Told)[] {
  const settings = createSettings(paths.config, kept)
  const config: ActionInput['config'] = () => {
    const read = loadConfig(context.environment, paths.root)
    if (!read.ok) throw new Error('a configuration that was right is wrong')
    return read.value
  }
  const { name, address, ollama: url = DEFAULT_URL.ollama } = options
  const actions: ActionInput = {
    ...{ context, folder, config, letGo: asker.letGo },
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address }),
  }
  return [
    languageStep(settings, { usual: machineLanguage(context.environment), speak }),
    namesStep({ settings, notes: kept, nameOwner: (name) => callOwner(context, asker, name) }),
    zoneStep(settings),
    keyStep(actions),
    modelStep({
      ...{ settings, url, list: () => modelsAt(url), memory: totalmem() },
      add: (service) => addModelStep({ ...actions, asker }, service),
    }),
    mailStep({ ...actions, asker }),
    calendarStep({ ...actions, asker }),
    contactsStep({ ...actions, asker }),
    searchStep({ ...actions, asker, file: paths.config, isAgain: kept.isAgain }),
    edgeStep(actions),
    ...channelSteps({ ...actions, ask: asker.ask }),
    cloudStep({ context, config, ask: asker.ask }),
    serviceStep(actions),
    backupStep(actions),
  ]
}

/** If another name is already stored, the change needs an approval card, as in a chat. */
async function callOwner(context: CommandContext, asker: TerminalAsker, name: string): Promise<boolean> {
  asker.letGo()
  const named = await withLink(context, { line: 'private', start: true }, (link) => nameOwner(link, name))
  if (!named.ok) return fail(context, named) === 0
  const { value: approval } = named
  return approval === null || agree(context, async () => ok({ approval }), asker.ask)
}

/** The language that home used last, otherwise the language of this terminal. */
function languageBefore(environment: CommandContext['environment'], { root }: StatePaths): Language {
  const spoken = spokenAt(root)
  return spoken === DEFAULT_LANGUAGE ? machineLanguage(environment) : spoken
}

/** Only from this machine: a query must not reveal anything to others. */
async function modelsAt(url: string) {
  const origin = URL.parse(url)?.origin
  if (origin === undefined || !isLoopback(origin)) return null
  const { listOllama } = await import('../../../integrations/models/ollama/library.ts')
  const transport = createPinnedTransport()
  try {
    const found = await listOllama({ baseUrl: origin, exemptOrigins: [origin], transport, key: null })
    return found.ok ? found.value : null
  } finally {
    await transport.close()
  }
}

const ZONE = 'owner.timezone'

/** False if the file cannot be written. A new file has this machine's time zone, which a question may then change. */
function prepareConfig({ config }: StatePaths, kept: InitKeeper): boolean {
  const prepared = ensureConfig(config)
  const zone = machineTimezone()
  // `npm start` writes the same line before any question is asked; then nobody chose it.
  const isAssumed = prepared === 'there' && kept.of(ZONE) === null && hasMachineZone(config)
  if (prepared === 'made' || isAssumed) kept.note(ZONE, zone)
  return prepared !== 'failed'
}

function farewell({ screen, environment }: CommandContext, paths: StatePaths): ExitCode {
  const config = loadConfig(environment, paths.root)
  const start = startCommand()
  const withEdge = start === 'npm start' && config.ok && config.value.edge !== null
  screen.out(`\n${tell('init.start_it', { start: `${start}${withEdge ? ' -- --only home' : ''}` })}`)
  screen.out(tell('init.then_type'))
  return 0
}

function refuse({ screen }: CommandContext, refused: Result<unknown>): ExitCode {
  if (!refused.ok) screen.err(refusalDetail(refused.reason))
  return 1
}
