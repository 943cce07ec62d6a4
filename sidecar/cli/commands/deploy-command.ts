/**
 * `pfar deploy`: deploys the edge to Cloudflare and pairs it with this home; `--dry-run` shows the steps and makes no request.
 * Must not print a key or a code. Called by local/edge.ts and init-steps.ts.
 */
import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import { configPath, loadConfig } from '../../config/config.ts'
import { edgeLines, writeEdgeSetting } from '../../config/config-edit.ts'
import { type Deployment, deploy, type Failure, rehearse } from '../../deploy/deploy.ts'
import { createWrangler } from '../../deploy/wrangler.ts'
import { hasEdgeProgram, NO_EDGE_PROGRAM } from '../../process/installed-parts.ts'
import { edgeCommands } from '../../process/typed-commands.ts'
import { openEdgePins } from '../../tunnel/pairing.ts'
import { terminalText } from '../chat/terminal-text.ts'
import { type CommandContext, type ExitCode, fail } from '../command.ts'
import { edgeOrigin, type Own, ownKey } from '../line/own-edge.ts'

export interface DeployOptions {
  readonly name?: string
  readonly address?: string
  readonly dryRun: boolean
}

export async function deployCommand(context: CommandContext, options: DeployOptions): Promise<ExitCode> {
  if (!hasEdgeProgram()) {
    context.screen.err(NO_EDGE_PROGRAM)
    return 1
  }
  const own = ownKey(context)
  if (!own.ok) return fail(context, own)
  const deployment = deploymentOf(context, own.value, options)
  if (!deployment.ok) return fail(context, deployment)
  const { screen } = context
  const powers = {
    wrangler: createWrangler(context.environment),
    device: own.value.device,
    pins: openEdgePins(own.value.folder),
    tell: (step: string, words: string) => screen.out(`${step.padEnd(8)} ${words}`),
  }
  screen.progress('working')
  const done = await (options.dryRun ? rehearse(powers, deployment.value) : deploy(powers, deployment.value))
  screen.progress('')
  if (done === null) {
    screen.out('Nothing was sent and nothing was changed.')
    return 0
  }
  return done.ok ? finish(context, own.value, done.origin) : tellFailure(context, done.failure)
}

function deploymentOf(context: CommandContext, own: Own, options: DeployOptions): Result<Deployment> {
  const config = loadConfig(context.environment, own.folder.path)
  if (!config.ok) return config
  const address = options.address === undefined ? ok(null) : edgeOrigin(options.address)
  if (!address.ok) return address
  const { timezone } = config.value.owner
  const commands = edgeCommands(context.environment)
  return ok({ name: options.name ?? null, address: address.value, timezone, commands })
}

function finish({ screen, environment }: CommandContext, own: Own, origin: string): ExitCode {
  const path = configPath(environment, own.folder.path)
  const setting = writeEdgeSetting(path, origin)
  if (setting === 'by_hand')
    screen.out(`config   write this into ${path} yourself:\n\n${edgeLines(origin)}\n`)
  else screen.out(`config   ${setting === 'there' ? 'named it already' : 'names it now'}: ${path}`)
  screen.out('Start home anew, then the open line is there: npm start -- --only home')
  return 0
}

function tellFailure(context: CommandContext, failure: Failure): ExitCode {
  if (!('step' in failure)) return fail(context, failure)
  const { screen } = context
  screen.err(`The step "${failure.step}" did not work. What was done before it stays; run this again.`)
  screen.err(`wrangler says: ${terminalText(failure.why).trim() || 'nothing'}`)
  if (/CLOUDFLARE_API_TOKEN/.test(failure.why)) screen.err('Sign in first: npx wrangler login')
  return 1
}
