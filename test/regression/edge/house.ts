/**
 * The edge for regression tests: worker.ts as a deployment bundles it, in real workerd, with the owner's device
 * enrolled and the world outside scripted. Must not decide anything. Called by the regression tests of the edge.
 */

import type { DurableObject } from 'cloudflare:workers'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { start } from '../../../bench/runtime.ts'
import type { Result } from '../../../kernel/flow/verdict.ts'
import type { TaskReport } from '../../../kernel/runtime/report.ts'
import { OWNER_PRINCIPAL } from '../../../kernel/task/principal.ts'
import type { Link } from '../../../sidecar/cli/line/link.ts'
import { createOpenLink } from '../../../sidecar/cli/line/open-link.ts'
import { openStateFolder } from '../../../sidecar/store/state-folder.ts'
import { loadDeviceKey } from '../../../sidecar/tunnel/device-key.ts'
import { until } from '../../home/fixtures/wait.ts'
import { workerBundle } from '../../kit/worker-bundle.ts'
import { type Outside, startOutside } from '../outside.ts'
import type { PrincipalObject } from './worker.ts'

const SOURCE = { config: 'wrangler.toml', entry: 'test/regression/edge/worker.ts' }
/** Milliseconds for a task to end on a busy machine. */
const PATIENCE = 60_000

export interface AuditLine {
  readonly kind: string
  readonly facts: Readonly<Record<string, string | number | boolean | null>>
}

/** Methods that take a principal's name (the lock's and the backup's way out do not; these hand out ciphertext to home's device alone): what an attacker inside the edge could call. */
export type Method = Exclude<
  keyof PrincipalObject,
  | keyof DurableObject
  | 'audit'
  | 'evict'
  | 'locked'
  | 'setLocked'
  | 'setGrants'
  | 'setPause'
  | 'partHead'
  | 'partPage'
  | 'spent'
>

export interface Edge {
  readonly origin: string
  readonly outside: Outside
  /** The owner's open line, signed by the owner's device. */
  readonly line: Link
  /** As a stranger; resolves with the task's id. */
  sayAs(adapter: string, user: string, text: string): Promise<string>
  /** As the owner, by the open line; resolves with the task's id. */
  say(text: string): Promise<string>
  /** The report once the task waits for someone or has ended. */
  endOf(task: string, principal?: string): Promise<TaskReport>
  /** What the chat of this stranger was sent, when it is at least so much. */
  answersTo(adapter: string, user: string, count: number): Promise<readonly string[]>
  audit(task: string, principal?: string): Promise<readonly AuditLine[]>
  attack(attack: {
    readonly object: string
    readonly as: string
    readonly method: string
    readonly user: string
  }): Promise<Result<unknown>>
  /** Throws an object out of memory. Resolves with whether the instance really died. */
  evict(principal?: string): Promise<boolean>
  stop(): Promise<void>
}

export const peerOf = (adapter: string, user: string): string => `principal:${adapter}:peer:${user}`

const SETTLED = ['completed', 'failed', 'cancelled', 'awaiting_approval', 'awaiting_home']

export async function startEdge(): Promise<Edge> {
  const outside = await startOutside()
  const folder = openStateFolder(mkdtempSync(join(tmpdir(), 'pfar-regression-')))
  const device = folder.ok ? loadDeviceKey(folder.value) : folder
  if (!device.ok) throw new Error(device.reason.code)
  const made = await workerBundle(SOURCE.entry)
  const key = (): string => randomBytes(32).toString('base64url')
  const runtime = await start(SOURCE, made, {
    DEVICE_KEYS: JSON.stringify([{ id: device.value.id, publicKey: device.value.publicKey }]),
    EDGE_SEAL_KEY: key(),
    EDGE_TOKEN_KEY: key(),
    EDGE_NAME_KEY: key(),
    EDGE_SIGN_KEY: key(),
    LOCAL_ORIGINS: JSON.stringify([outside.origin]),
    OWNER_TIMEZONE: 'Europe/Berlin',
    OUTSIDE: outside.origin,
  })
  const line = createOpenLink({ edge: runtime.origin, device: device.value })
  const get = async <T>(path: string, init?: RequestInit): Promise<T> => {
    const response = await fetch(`${runtime.origin}${path}`, init)
    return (await response.json()) as T
  }
  const post = <T>(path: string, body: unknown): Promise<T> =>
    get<T>(path, { method: 'POST', body: JSON.stringify(body) })

  return {
    origin: runtime.origin,
    outside,
    line,
    async sayAs(adapter, user, text) {
      const path = `/stranger/${adapter}/${encodeURIComponent(user)}`
      return must(await post<Result<{ task: string }>>(path, { id: randomUUID(), text })).task
    },
    say: async (text) => must(await line.send({ id: randomUUID().replaceAll('-', ''), text })).task,
    endOf: (task, principal = OWNER_PRINCIPAL) =>
      until(async () => {
        const report = must(
          await get<Result<TaskReport>>(`/object/${encodeURIComponent(principal)}/report/${task}`),
        )
        // A card's row and the state before it are two transactions.
        const told = report.reply !== null || report.task.state === 'awaiting_home'
        return told && SETTLED.includes(report.task.state) ? report : null
      }, PATIENCE),
    answersTo: (adapter, user, count) =>
      until(() => {
        const own = outside.sent.filter(({ sink }) => sink === `sink:${adapter}:${user}`)
        return own.length >= count ? own.map(({ text }) => text) : null
      }, PATIENCE),
    audit: (task, principal = OWNER_PRINCIPAL) =>
      get(`/object/${encodeURIComponent(principal)}/audit/${task}`),
    attack: ({ user, ...attack }) =>
      post('/attack', { ...attack, source: { adapter: 'telegram', user, chat: user, group: false } }),
    evict: async (principal = OWNER_PRINCIPAL) =>
      (await post<{ broken: boolean }>(`/object/${encodeURIComponent(principal)}/evict`, {})).broken,
    async stop() {
      line.close()
      await Promise.all([runtime.stop(), outside.close()])
    },
  }
}

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.reason)}`)
  return result.value
}
