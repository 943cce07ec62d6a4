/**
 * `pfar service`: prints, installs or removes home's systemd service. Must not start a home that nobody could unlock. Called by
 * local/edge.ts and init-steps.ts.
 */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ok } from '../../../kernel/flow/verdict.ts'
import { readCustodyRecord } from '../../keys/custody.ts'
import { tell } from '../../language/wording.ts'
import { refusalDetail } from '../../process/start-sentence.ts'
import { npmScript } from '../../process/typed-commands.ts'
import {
  asAccount,
  installService,
  removeService,
  type ServiceInput,
  serviceAccount,
  unitText,
} from '../../service/service.ts'
import { openStateFolder } from '../../store/state-folder.ts'
import { terminalText } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import { statePaths } from '../state-paths.ts'

const HOME_SCRIPT = join(import.meta.dirname, '../../main.js')
const SYSTEM_UNITS = '/etc/systemd/system'
const OWN_UNITS = 'systemd/user'

export type ServiceRequest = 'print' | 'install' | 'remove'

export async function serviceCommand(context: CommandContext, request: ServiceRequest): Promise<ExitCode> {
  const { environment, screen } = context
  const { root: path } = statePaths(environment)
  const input = unitsOf(environment)
  if (request === 'remove') return remove(context, input, path)
  const user = input.own ? ok(null) : serviceAccount(path)
  if (!user.ok) {
    context.screen.err(refusalDetail(user.reason))
    return 1
  }
  const record =
    user.value === null ? recordIn(path) : await asAccount(user.value, async () => recordIn(path))
  if (!record.ok) return fail(context, record)
  const custody = record.value.kind
  if (custody === 'passphrase') {
    screen.err(tell('service_setup.passphrase'))
    return 1
  }
  const text = unitText({
    node: process.execPath,
    script: HOME_SCRIPT,
    folder: path,
    custody,
    user: user.value,
    npm: npmScript(environment),
  })
  if (request === 'print') {
    screen.out(text.trimEnd())
    return 0
  }
  const installed = await installService(input, text)
  if (!installed.ok) return refuse(context, installed.why)
  screen.out(tell('service_setup.installed', { path: installed.path }))
  if (input.own) screen.out(tell('service_setup.linger'))
  return 0
}

function recordIn(path: string): ReturnType<typeof readCustodyRecord> {
  const folder = openStateFolder(path)
  return folder.ok ? readCustodyRecord(folder.value) : folder
}

async function remove(context: CommandContext, input: ServiceInput, folder: string): Promise<ExitCode> {
  const removed = await removeService(input)
  if (!removed.ok) return refuse(context, removed.why)
  context.screen.out(tell('service_setup.removed', { folder }))
  return 0
}

function refuse({ screen }: CommandContext, why: string): ExitCode {
  screen.err(tell('service_setup.failed', { why: terminalText(why) }))
  return 1
}

/** Root uses the system's units; other accounts use their own systemd instance. */
export function unitsOf(environment: Readonly<Record<string, string | undefined>>): ServiceInput {
  const own = process.getuid?.() !== 0
  const config = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  return {
    own,
    units: environment['PFAR_UNITS'] || (own ? join(config, OWN_UNITS) : SYSTEM_UNITS),
    environment,
  }
}
