/**
 * What the owner's terminal may ask of home: one row a method, parameters checked here (B-09, H-10, A-49). Whoever
 * can open the socket is the owner; no parameter says who is speaking. Must not decide anything: the shell does.
 * Called by doors.ts, which hands the table to the private line.
 */
import * as z from 'zod/mini'
import { err, ok } from '../kernel/flow/verdict.ts'
import type { Delivered, Intake, Tasks } from '../kernel/runtime/shell-port.ts'
import { type Methods, method } from './line/method.ts'

/** Outbox of the private line. */
export const TERMINAL_SINK = 'sink:terminal:owner'
/** Rows of one answer: more is asked for with the last row's number. */
const MAX_ROWS = 100
/** UTF-16 units of a message; the kernel has its own bound, this one keeps a refused message out of it. */
const MAX_TEXT = 200_000

export interface HomeMethodPowers {
  readonly shell: Intake & Tasks & Delivered
  readonly now: () => number
  /** Drives a principal's tasks, the owner's if none is named; never awaited by a request. */
  readonly drive: (principal?: string) => void
  readonly status: () => Promise<Readonly<Record<string, unknown>>>
  readonly stop: () => void
}

const id = z.string().check(z.minLength(1), z.maxLength(200))
const after = z.int().check(z.nonnegative())
const nothing = z.strictObject({})

export function createHomeMethods(powers: HomeMethodPowers): Methods {
  const { shell, now, drive, status, stop } = powers
  return {
    send: method(z.strictObject({ id, text: z.string().check(z.maxLength(MAX_TEXT)) }), async (message) => {
      const received = await shell.receive(eventFrom(message, now()))
      if (!received.ok) return received
      drive()
      return ok({ task: received.value.task, turn: received.value.turn })
    }),
    deliveries: method(z.strictObject({ after }), async (params) =>
      ok(await shell.deliveries(TERMINAL_SINK, params.after, MAX_ROWS)),
    ),
    task: method(z.strictObject({ id }), async (params) => {
      const report = await shell.report(params.id)
      return report === null ? err('task_unknown') : ok(report)
    }),
    stop: method(z.strictObject({ task: id }), async (params) => {
      const stopped = await shell.stop(params.task)
      if (stopped.ok) drive()
      return stopped
    }),
    status: method(nothing, async () => ok(await status())),
    shutdown: method(nothing, async () => {
      setImmediate(stop)
      return ok({})
    }),
  }
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
