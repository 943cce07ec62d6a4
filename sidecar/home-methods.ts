/**
 * What the owner's terminal may ask of home: one row a method, parameters checked here (B-09, H-10, A-49). Whoever
 * can open the socket is the owner; no parameter says who is speaking. Must not decide anything: the shell does.
 * Called by runtime.ts, which hands the table to the socket.
 */
import * as z from 'zod/mini'
import { err, ok, type Result } from '../kernel/flow/verdict.ts'
import { USAGE_DAYS } from '../kernel/pipeline/usage-report.ts'
import type { Shell } from '../kernel/runtime/shell.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { createApprovalMethods } from './approval-methods.ts'
import type { DeliveryFeed } from './delivery-feed.ts'
import type { EdgeLockAnswer } from './edge-lock.ts'
import { createIdentityMethods } from './identity-methods.ts'
import { createPeopleMethods } from './people-methods.ts'
import type { Reloaded } from './prompt-files.ts'
import type { Method } from './socket.ts'
import { method } from './socket-method.ts'

/** Outbox of the private line. */
export const TERMINAL_SINK = 'sink:terminal:owner'
/** Rows of one answer: more is asked for with the last row's number. */
const MAX_ROWS = 100
/** UTF-16 units of a message; the kernel has its own bound, this one keeps a refused message out of it. */
const MAX_TEXT = 200_000

export interface HomeMethodPowers {
  readonly shell: Shell
  readonly feed: DeliveryFeed
  readonly now: () => number
  /** Drives a principal's tasks, the owner's if none is named; never awaited by a request. */
  readonly drive: (principal?: string) => void
  readonly status: () => Promise<Readonly<Record<string, unknown>>>
  readonly stop: () => void
  /** Sends a copy of home to the edge, and waits for it. */
  readonly copyNow: () => Promise<Result<{ readonly number: number }>>
  /** Reads the owner's prompt files again. */
  readonly reload: () => Reloaded
  /** Locks or unlocks the edge. */
  readonly lock: (locked: boolean) => Promise<Result<EdgeLockAnswer>>
}

/** Whose memory the private line shows, and where. */
const OWNER = Object.freeze({ principal: OWNER_PRINCIPAL, sink: TERMINAL_SINK })

const id = z.string().check(z.minLength(1), z.maxLength(200))
const after = z.int().check(z.nonnegative())
const nothing = z.strictObject({})
const period = z.strictObject({ days: z.int().check(z.minimum(1), z.maximum(USAGE_DAYS.most)) })

export function createHomeMethods(powers: HomeMethodPowers): ReadonlyMap<string, Method> {
  const { shell, feed, now, drive, status, stop, copyNow, reload, lock } = powers
  return new Map<string, Method>([
    ...createApprovalMethods({ shell, drive }),
    ...createIdentityMethods(shell),
    ...createPeopleMethods(shell),
    [
      'send',
      method(z.strictObject({ id, text: z.string().check(z.maxLength(MAX_TEXT)) }), async (message) => {
        const received = await shell.receive(eventFrom(message, now()))
        if (!received.ok) return received
        drive()
        return ok({ task: received.value.task, turn: received.value.turn })
      }),
    ],
    [
      'subscribe',
      method(z.strictObject({ after }), async (params, client) => {
        feed.follow(client, params.after)
        return ok({ after: params.after })
      }),
    ],
    [
      'deliveries',
      method(z.strictObject({ after }), async (params) =>
        ok(await shell.deliveries(TERMINAL_SINK, params.after, MAX_ROWS)),
      ),
    ],
    [
      'task',
      method(z.strictObject({ id }), async (params) => {
        const report = await shell.report(params.id)
        return report === null ? err('task_unknown') : ok(report)
      }),
    ],
    [
      'stop',
      method(z.strictObject({ task: id }), async (params) => {
        const stopped = await shell.stop(params.task)
        if (stopped.ok) drive()
        return stopped
      }),
    ],
    ['whoami', method(nothing, async () => ok(await shell.whoAmI()))],
    ['usage', method(period, async ({ days }) => ok(await shell.usage(days)))],
    ['memory', method(nothing, async () => ok(await shell.keepsakes.list(OWNER)))],
    [
      'memory_entry',
      method(z.strictObject({ which: id }), ({ which }) => shell.keepsakes.find(OWNER, which)),
    ],
    [
      'forget',
      method(z.strictObject({ id }), async (params) => {
        const forgotten = await shell.keepsakes.forget(OWNER, params.id)
        // The clock has one more end to watch.
        if (forgotten.ok) drive()
        return forgotten
      }),
    ],
    [
      'memory_undo',
      method(z.strictObject({ number: z.nullable(z.int()) }), ({ number }) =>
        shell.keepsakes.undo(OWNER, number),
      ),
    ],
    [
      'correct',
      method(z.strictObject({ id, text: z.string().check(z.maxLength(MAX_TEXT)) }), (params) =>
        shell.keepsakes.correct(OWNER, params.id, params.text),
      ),
    ],
    ['lock', method(z.strictObject({ locked: z.boolean() }), ({ locked }) => lock(locked))],
    [
      'copy',
      method(nothing, async () => {
        const made = await copyNow()
        return made.ok ? ok({ number: made.value.number }) : made
      }),
    ],
    ['reload', method(nothing, async () => ok(reload()))],
    ['status', method(nothing, async () => ok(await status()))],
    [
      'shutdown',
      method(nothing, async () => {
        setImmediate(stop)
        return ok({})
      }),
    ],
  ])
}

/** The terminal's user and chat are fixed: the socket's mode has authenticated the owner already. */
function eventFrom(message: { readonly id: string; readonly text: string }, at: number): unknown {
  return {
    id: message.id,
    at,
    source: { adapter: 'terminal', user: 'local', chat: 'owner', group: false },
    kind: 'message',
    text: message.text,
    quoted: [],
    attachments: [],
    replyTo: null,
    place: 'home',
  }
}
