/**
 * A home with a line at a scripted Slack, in real processes, and a world behind its tools whose every value is a canary. Holds no
 * expectation. Called by slack-private.test.ts.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MALLOC_SETTING } from '../../sidecar/service/service.ts'
import {
  type ScriptedSlack,
  SLACK_APP_TOKEN,
  SLACK_BOT_TOKEN,
  SLACK_OWNER,
  startSlack,
} from '../fakes/slack-server.ts'
import { connectClient, type HomeProcess, type Message, spawnHome } from '../home/fixtures/process.ts'
import { until } from '../home/fixtures/wait.ts'
import { install, setSecret } from './canary-install.ts'
import { makeValues, type Named } from './canary-values.ts'
import { type CanaryWorld, startCanaryWorld } from './canary-world.ts'
import { SOON } from './chaos-bench.ts'

const CLI = fileURLToPath(new URL('../../sidecar/cli/main.js', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly said: string
}

export interface SlackHome {
  readonly folder: string
  readonly values: Named
  readonly world: CanaryWorld
  readonly slack: ScriptedSlack
  /** `pfar slack …`, with this on stdin; whoever is named sends the code that it shows. */
  run(args: readonly string[], stdin?: string, sender?: string | null): Promise<Ran>
  startHome(): Promise<void>
  killHome(): Promise<void>
  stopHome(): Promise<number | string>
  ask(method: string, params?: Message): Promise<Message>
  /** What the processes printed so far. */
  printed(): string
  close(): Promise<void>
}

export const BOTH_TOKENS = `${SLACK_APP_TOKEN}\n${SLACK_BOT_TOKEN}\n`

/** `env`: such as a test clock's. */
export async function startSlackHome(env: Readonly<Record<string, string>> = {}): Promise<SlackHome> {
  const values = makeValues()
  const [world, slack] = await Promise.all([startCanaryWorld(values), startSlack()])
  const folder = mkdtempSync(join(tmpdir(), 'pfar-slack-'))
  const installed = install(folder, world.origin)
  const environment = {
    ...{ ...installed.environment, ...env, ...MALLOC_SETTING },
    PFAR_SLACK_API: slack.origin,
  }
  let running: HomeProcess | null = null
  let printed = ''
  const end = async (signal: NodeJS.Signals): Promise<number | string> => {
    running?.child.kill(signal)
    const ended = (await running?.ended) ?? 0
    printed += `${running?.stdout() ?? ''}${running?.stderr() ?? ''}`
    running = null
    return ended
  }
  const startHome = async (): Promise<void> => {
    running = spawnHome(folder, environment)
    let over = false
    void running.ended.then(() => {
      over = true
    })
    await until(() => over || running?.stdout().includes('home ready'), SOON)
    if (over) throw new Error(running?.stderr() ?? '')
  }
  return {
    ...{ folder, values, world, slack, startHome },
    async run(args, stdin = '', sender = SLACK_OWNER) {
      const ran = await runCommand({ args, stdin, sender, folder, environment, slack })
      printed += ran.said
      return ran
    },
    killHome: async () => void (await end('SIGKILL')),
    stopHome: () => end('SIGTERM'),
    async ask(method, params = {}) {
      const client = await connectClient(join(folder, 'home.sock'))
      const answer = await client.ask(method, params)
      client.socket.destroy()
      return answer
    },
    printed: () => printed + (running?.stdout() ?? '') + (running?.stderr() ?? ''),
    async close() {
      await end('SIGKILL')
      await Promise.all([world.close(), slack.close()])
      installed.remove()
      rmSync(folder, { recursive: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

export const storeGoogle = ({ folder, values }: SlackHome): Promise<string> =>
  setSecret(folder, values.credential)

async function runCommand(input: {
  readonly args: readonly string[]
  readonly stdin: string
  readonly sender: string | null
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
  readonly slack: ScriptedSlack
}): Promise<Ran> {
  const { args, stdin, sender, folder, environment, slack } = input
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [CLI, 'slack', ...args], {
    env: { PATH, PFAR_HOME: folder, ...environment },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += String(chunk)
    })
  child.stdin.end(stdin)
  let over = false
  const ended = new Promise<number | null>((resolve) =>
    child.on('close', (code) => {
      over = true
      resolve(code)
    }),
  )
  await until(() => over || said.includes('own account: '), SOON)
  const code = /own account: (\S+)/.exec(said)?.[1]
  if (code !== undefined && sender !== null) {
    // Neither a stranger who guesses, nor one of another workspace who reads the screen, is taken for the owner.
    slack.write('U0EVE', 'AAAA-AAAA')
    slack.write('U0EVE', code, { user_team: 'T0OTHER' })
    slack.write(sender, code)
  }
  return { code: await ended, said }
}
