/** Helpers of the worker tests: a principal's object, a message by either chat, and its result. */
import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import { inject } from 'vitest'
import { OPEN_LINE } from '../../durable-objects/directory.ts'
import { KERNEL_NAME, objectName, TUNNEL_NAME } from '../../durable-objects/names.ts'
import type { StoredDelivery } from '../../durable-objects/principal/deliveries.ts'
import type { PrincipalObject } from '../../durable-objects/principal/principal.ts'
import { approveCard } from '../../kernel/features/approvals/operations/approve.ts'
import { denyCard } from '../../kernel/features/approvals/operations/deny.ts'
import { listApprovals } from '../../kernel/features/approvals/operations/list.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { TypedOperation } from '../../kernel/operations/operation.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { Order } from '../fakes/telegram-server.ts'
import { fakeSource } from '../fakes/worker/parts.ts'
import { NAME_KEY } from './bindings.ts'
import { EDGE, signed } from './signed.ts'

/** Milliseconds until a test stops waiting for an answer. */
const PATIENCE = 20_000

export const peer = (user: string): string => `principal:whatsapp:peer:${user}`

export function objectOf(principal: string): DurableObjectStub<PrincipalObject> {
  return env.PRINCIPALS.getByName(objectName(NAME_KEY, principal))
}

export const owner = () => objectOf(OWNER_PRINCIPAL)

/** Runs any operation for the owner, as the open line does. */
export async function operated<A, R>(operation: TypedOperation<A, R>, args: A): Promise<Result<R>> {
  const call = { operation: operation.name, args, sink: OPEN_LINE.sink }
  return (await owner().operate(OWNER_PRINCIPAL, call)) as Result<R>
}

/** Questions that wait for the owner at the edge. */
export const waiting = () => operated(listApprovals, {})

export function decided(
  which: string,
  decision: 'approve' | 'deny',
): Promise<Result<{ readonly task: string }>> {
  return decision === 'approve' ? operated(approveCard, { which }) : operated(denyCard, { which })
}

export interface Accepted {
  readonly task: string
  readonly turn: number
}

/** A body left in the outbox by an earlier file would go to the next file's home. Evict afterwards. */
export async function emptyTunnel(): Promise<void> {
  await runInDurableObject(env.TUNNEL.getByName(TUNNEL_NAME), (_, { storage }) => storage.deleteAll())
}

/** Resets the scripted services: their settings persist across files, which run in any order. */
async function calmOutside(): Promise<void> {
  const calm: Order = {
    ...{ webhook: {}, fares: { pending: 0, failed: null } },
    ...{ refuse: { code: 0, times: 0 }, revoked: false },
  }
  await fetch(`${inject('telegram')}/control`, { method: 'POST', body: JSON.stringify(calm) })
  await Promise.all([slowModel(0), refuseDeliveries(0), hangModel(false)])
}

/** The edge as newly deployed: storage of the tunnel, KernelObject and the owner is deleted, and every object restarts. */
export async function emptyEdge(): Promise<void> {
  await calmOutside()
  await emptyTunnel()
  for (const object of [env.KERNEL.getByName(KERNEL_NAME), owner()])
    await runInDurableObject(object, async (_, { storage }) => {
      await storage.deleteAlarm()
      await storage.deleteAll()
    })
  await abortAllDurableObjects()
}

/** Sends by the open line, as the owner's terminal does. */
export async function say(text: string, id: string = crypto.randomUUID()): Promise<Accepted> {
  const response = await exports.default.fetch(
    await signed('/line/messages', { body: JSON.stringify({ id, text }) }),
  )
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`)
  return response.json<Accepted>()
}

/** Sends by the scripted chat, as a stranger. */
export async function sayAs(user: string, text: string, id: string = crypto.randomUUID()): Promise<Accepted> {
  const body = JSON.stringify({ id, text })
  const response = await exports.default.fetch(`${EDGE}/fake/${user}`, { method: 'POST', body })
  const received = await response.json<{ ok: boolean; value: Accepted }>()
  if (!received.ok) throw new Error(JSON.stringify(received))
  return received.value
}

export interface Sent {
  readonly id: string
  readonly sink: string
  readonly text: string
}

/** Messages that the scripted chat received for this person, in order of arrival. */
export async function sentTo(user: string): Promise<readonly Sent[]> {
  const url = `${inject('loopback')}/delivered?sink=${encodeURIComponent(`sink:whatsapp:${user}`)}`
  return (await fetch(url)).json<readonly Sent[]>()
}

export async function answersTo(user: string, count: number): Promise<readonly Sent[]> {
  return until(
    () => sentTo(user),
    (sent) => sent.length >= count,
  )
}

export async function deliveriesAfter(after: number, waitMs = 0): Promise<readonly StoredDelivery[]> {
  const found = await owner().deliveries(OWNER_PRINCIPAL, { sink: OPEN_LINE.sink, after, waitMs })
  if (!found.ok) throw new Error(found.reason.code)
  return found.value
}

/** The task's report, once it has ended. */
export async function endOf(task: string, principal = OWNER_PRINCIPAL): Promise<TaskReport> {
  const report = await until(
    async () => objectOf(principal).report(principal, task),
    (found) => found.ok && ['completed', 'failed', 'cancelled'].includes(found.value.task.state),
  )
  if (!report.ok) throw new Error(report.reason.code)
  return report.value
}

export async function until<T>(look: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const last = Date.now() + PATIENCE
  for (;;) {
    const value = await look()
    if (done(value)) return value
    if (Date.now() > last) throw new Error(`gave up waiting: ${JSON.stringify(value).slice(0, 2_000)}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Sets the delay of the scripted model, milliseconds. */
export async function slowModel(ms: number): Promise<void> {
  await fetch(`${inject('loopback')}/delay?ms=${ms}`)
}

/** Makes the next deliveries to the scripted chat fail. */
export async function refuseDeliveries(times: number): Promise<void> {
  await fetch(`${inject('loopback')}/refuse?times=${times}`)
}

/** While on, the scripted model answers no call; turned off, it answers all that wait. */
export async function hangModel(on: boolean): Promise<void> {
  await fetch(`${inject('loopback')}/hang?on=${on ? 1 : 0}`)
}

/** Number of model calls that wait for an answer now. */
export async function hangingCalls(): Promise<number> {
  return (await fetch(`${inject('loopback')}/hanging`)).json<number>()
}

export function inside<T>(
  principal: string,
  work: (state: DurableObjectState) => T | Promise<T>,
): Promise<T> {
  return runInDurableObject(objectOf(principal), (_, state) => work(state))
}

export { fakeSource }
