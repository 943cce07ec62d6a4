/**
 * The edge's bot in a session of its owner's, as `npm start` runs it with the product's own Worker: a scripted Telegram that brings updates
 * to its webhook, and what was said in its chats. Holds no expectation but that the webhook is set. Called by e2e tests.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { type ScriptedTelegram, startTelegram } from '../fakes/telegram-server.ts'
import { BOT_TOKEN } from '../fakes/telegram-token.ts'
import { messageFrom, OWNER_ID, SECRET, update } from '../fakes/telegram-updates.ts'
import { until } from '../home/fixtures/wait.ts'
import { SOON } from './chaos-bench.ts'
import { bundleFakes, edgeOrigin, layBundle } from './chaos-edge.ts'
import { type Bench, createBench } from './terminal-bench.ts'

export interface EdgeBot {
  readonly bench: Bench
  readonly telegram: ScriptedTelegram
  /** What the bot is to do with strangers, from the next start on. */
  lay(strangers?: 'silent' | 'answer'): void
  /** The session, and as its owner does by hand: the webhook, at this edge, with the secret. */
  start(...args: string[]): Promise<void>
  /** What the bot has said in a chat. */
  said(chat: number): readonly string[]
  /** Somebody writes; the update that Telegram brings. */
  written(user: number, text: string): object
  /** All that was asked has ended, and that it was said is noted: what is killed before that says it again. */
  settled(): Promise<unknown>
  close(): Promise<void>
}

/** Laid, and not started. `env`: such as a test clock's. */
export async function createEdgeBot(options: Parameters<typeof createBench>[0] = {}): Promise<EdgeBot> {
  const bench = createBench(options)
  const telegram = await startTelegram()
  const made = await bundleFakes({ entry: 'worker/index.ts' })
  const lay: EdgeBot['lay'] = (strangers = 'silent') => {
    const setting = JSON.stringify({ owner: OWNER_ID, api: telegram.origin, strangers })
    const bindings = { TELEGRAM: setting, TELEGRAM_TOKEN: BOT_TOKEN, TELEGRAM_SECRET: SECRET }
    layBundle({ folder: bench.folder, made, bindings })
  }
  lay()
  return {
    ...{ bench, telegram, lay },
    async start(...args) {
      await bench.start(...args)
      const webhook = { url: `${edgeOrigin(bench.folder)}/telegram/open`, secret_token: SECRET }
      const url = `${telegram.origin}/bot${BOT_TOKEN}/setWebhook`
      const set = await fetch(url, { method: 'POST', body: JSON.stringify(webhook) })
      const { ok } = (await set.json()) as { readonly ok: boolean }
      if (!ok) throw new Error('no webhook')
    },
    said: (chat) =>
      [...telegram.messenger.messages.values()]
        .filter((one) => one.byBot && one.chat === chat)
        .map(({ text }) => text),
    written: (user, text) => update(messageFrom(user, text, { message_id: telegram.write(user, text) })),
    settled: () => until(() => openTasks(bench.folder) === 0, SOON),
    async close() {
      await bench.stop()
      await bench.remove()
      await telegram.close()
    },
  }
}

/** Tasks of the edge that have not ended. */
function openTasks(folder: string): number {
  const { edge } = statePaths({ PFAR_HOME: folder })
  return readdirSync(edge, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.sqlite'))
    .map((entry) => openTasksIn(join(entry.parentPath, entry.name)))
    .reduce((sum, count) => sum + count, 0)
}

function openTasksIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const known = database.prepare("select 1 from sqlite_master where name = 'tasks'").get()
    if (known === undefined) return 0
    return Number(database.prepare('select count(*) as n from tasks where final = 0').get()?.['n'])
  } finally {
    database.close()
  }
}
