/**
 * A real home for regression tests: the process, its private line, and Google scripted at an exempt address. Must not
 * decide anything. Called by the regression tests of home and by test/load.
 */
import { randomUUID } from 'node:crypto'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import {
  type Client,
  connectClient,
  type HomeProcess,
  spawnHome,
  stateFolder,
} from '../../home/fixtures/process.ts'
import { until } from '../../home/fixtures/wait.ts'

/** Milliseconds for a process to start, or a task to end, on a busy machine. */
const PATIENCE = 60_000

const SETTLED = ['completed', 'failed', 'cancelled', 'awaiting_approval']

export interface House {
  readonly folder: string
  readonly process: HomeProcess
  readonly client: Client
  /** Says words on the private line and waits until the task has ended or asks. */
  ask(words: string): Promise<TaskReport>
  report(task: string): Promise<TaskReport>
  /** As the system kills: no chance to clean up. */
  kill(): Promise<void>
}

export const configFor = (origin: string): string => `[owner]
timezone = "Europe/Berlin"
[tools.google]
base_url = "${origin}"
[network]
exempt_origins = ["${origin}"]
`

/** `path` is a folder of an earlier house: the same disk after a crash. */
export async function startHouse(
  config: string,
  {
    path = stateFolder(config),
    env = {},
  }: { readonly path?: string; readonly env?: Record<string, string> } = {},
): Promise<House> {
  const home = spawnHome(path, env)
  await until(() => home.stdout().includes('home ready') || home.child.exitCode !== null, PATIENCE)
  if (home.child.exitCode !== null) throw new Error(`home ended: ${home.stderr()}`)
  const client = await connectClient(home.socket)
  const report = async (task: string): Promise<TaskReport> =>
    resultOf<TaskReport>(await client.ask('task', { id: task }))
  return {
    folder: path,
    process: home,
    client,
    report,
    async ask(words) {
      const { task } = resultOf<{ task: string }>(await client.ask('send', { id: randomUUID(), text: words }))
      return until(async () => {
        const now = await report(task)
        return now.reply !== null && SETTLED.includes(now.task.state) ? now : null
      }, PATIENCE)
    },
    async kill() {
      client.socket.destroy()
      home.child.kill('SIGKILL')
      await home.ended
    },
  }
}

export function resultOf<T>(reply: Readonly<Record<string, unknown>>): T {
  if (reply['result'] === undefined) throw new Error(`refused: ${JSON.stringify(reply['error'])}`)
  return reply['result'] as T
}
