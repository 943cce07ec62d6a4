/**
 * The private line: home's Unix socket, which only the owner's account can open (0600). Must not reach the network.
 * Called by place.ts.
 */
import type { Result } from '../../kernel/flow/verdict.ts'
import type { LineDraft, Link } from './link.ts'
import { createSocketClient } from './socket-client.ts'
import { typed } from './typed-answer.ts'
import {
  type Reader,
  readAccepted,
  readChanged,
  readDeliveries,
  readDraft,
  readLook,
  readQuestions,
  readReport,
  readStatus,
} from './wire.ts'

/** Milliseconds: every model is asked in turn, and a local one may have to be loaded first. */
const DOCTOR_TIMEOUT_MS = 600_000

export function createSocketLink(path: string): Link {
  const client = createSocketClient(path)
  let subscribed = 0
  let draft: LineDraft | null = null
  client.onEvent((event) => {
    const read = event?.['event'] === 'draft' ? readDraft(event) : null
    if (read?.ok === true) draft = read.value
  })

  const call = async <T>(method: string, params: unknown, read: Reader<T>): Promise<Result<T>> => {
    const result = await client.request(method, params)
    return result.ok ? read(result.value) : result
  }

  /** One subscription per connection; pushed events only wake the reader, which then asks for rows in order. */
  const subscribe = async (after: number): Promise<Result<unknown>> => {
    const result = await client.request('subscribe', { after })
    if (result.ok) subscribed = client.connection()
    return result
  }

  const rows = (after: number) => call('deliveries', { after }, readDeliveries)

  return {
    line: 'private',
    send: (message) => call('send', message, readAccepted),
    async deliveries(after, waitMs) {
      const woken = nextEvent(client.onEvent, waitMs)
      try {
        const first = await rows(after)
        if (!first.ok || first.value.length > 0 || waitMs <= 0) return first
        if (subscribed !== client.connection()) {
          const subscription = await subscribe(after)
          if (!subscription.ok) return subscription
          // A row written between the first look and the subscription would wake nobody.
          const second = await rows(after)
          if (!second.ok || second.value.length > 0) return second
        }
        await woken.promise
        return rows(after)
      } finally {
        woken.cancel()
      }
    },
    draft: () => draft,
    report: (task) => call('task', { id: task }, readReport),
    async call(operation, args) {
      const params = { operation: operation.name, args }
      const answer = await client.request('operation', params, operation.within ?? undefined)
      return answer.ok ? typed(operation, answer.value) : answer
    },
    stop: (task) => call('stop', { task }, readAccepted),
    async doctor(ollama) {
      const look = await client.request('doctor', { ollama }, DOCTOR_TIMEOUT_MS)
      return look.ok ? readLook(look.value) : look
    },
    questions: {
      state: () => call('questions', {}, readQuestions),
      done: (answers) => call('questions_done', answers, readChanged),
    },
    status: () => call('status', {}, readStatus),
    close: () => client.close(),
  }
}

/** Settles at the next event, at the time limit or when cancelled. Listening starts at once, so none is missed. */
function nextEvent(
  onEvent: (listener: () => void) => () => void,
  waitMs: number,
): { readonly promise: Promise<void>; readonly cancel: () => void } {
  let finish: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    finish = resolve
  })
  const off = onEvent(() => finish())
  const timer = setTimeout(finish, waitMs)
  return {
    promise,
    cancel() {
      clearTimeout(timer)
      off()
      finish()
    },
  }
}
