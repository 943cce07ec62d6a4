/**
 * Methods of the private line for the owner's terminal, one row each, with parameters validated here (B-09, H-10,
 * Whoever can open the socket is the owner; no parameter names the sender. Must not decide anything: the shell
 * does. Called by doors.ts.
 */
import * as z from 'zod/mini'
import { err, ok } from '../../kernel/flow/verdict.ts'
import type { Delivered, Intake, Tasks } from '../../kernel/runtime/shell-port.ts'
import { type Methods, method } from './method.ts'

export const TERMINAL_SINK = 'sink:terminal:owner'
/** Rows per response. The client asks for more with the number of the last row. */
const MAX_ROWS = 100
/** UTF-16 units of a message. The kernel has its own bound; this one stops an oversized message earlier. */
const MAX_TEXT = 200_000

export interface HomeMethodPowers {
  readonly shell: Intake & Tasks & Delivered
  readonly now: () => number
  /** Runs the tasks of a principal (default: the owner) in the background. */
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

/** User and chat of the terminal are constants: the mode of the socket file has authenticated the owner. */
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
