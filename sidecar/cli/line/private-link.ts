/** The private line: home's Unix socket, which only the owner's account can open (0600). Must not use the network. Called by attach.ts. */
import type { Result } from '../../../kernel/flow/verdict.ts'
import { createLineClient } from './line-client.ts'
import type { LineDraft, Link } from './link.ts'
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
  typed,
} from './wire.ts'

/** Milliseconds. Every model is asked in turn, and a local one may have to be loaded first. */
const DOCTOR_TIMEOUT_MS = 600_000

export function createPrivateLink(path: string): Link {
  const client = createLineClient(path)
  const waiting = new Set<() => void>()
  let follows = false
  let draft: LineDraft | null = null

  const call = async <T>(method: string, params: unknown, read: Reader<T>): Promise<Result<T>> => {
    const result = await client.method(method, params)
    return result.ok ? read(result.value) : result
  }

  /** One stream at a time. Its events only wake the reader, which then requests rows in order. */
  const follow = async (after: number): Promise<Result<true>> => {
    const following = await client.follow(after, (event) => {
      const read = event?.event === 'draft' ? readDraft(event.data) : null
      if (read?.ok === true) draft = read.value
      if (event === null) follows = false
      for (const wake of waiting) wake()
    })
    if (following.ok) follows = true
    return following
  }

  const rows = (after: number) => call('deliveries', { after }, readDeliveries)

  return {
    line: 'private',
    send: (message) => call('send', message, readAccepted),
    async deliveries(after, waitMs) {
      const woken = nextEvent(waiting, waitMs)
      try {
        const first = await rows(after)
        if (!first.ok || first.value.length > 0 || waitMs <= 0) return first
        if (!follows) {
          const following = await follow(after)
          if (!following.ok) return following
          // Reads again: a row that was written between the first read and the start of the stream causes no event.
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
      const answer = await client.operation(operation.name, args, operation.within ?? undefined)
      return answer.ok ? typed(operation, answer.value) : answer
    },
    stop: (task) => call('stop', { task }, readAccepted),
    async doctor(ollama) {
      const look = await client.method('doctor', { ollama }, DOCTOR_TIMEOUT_MS)
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

/** Resolves at the next event, after `waitMs`, or when cancelled. Waits from the call on, so that no event is missed. */
function nextEvent(
  waiting: Set<() => void>,
  waitMs: number,
): { readonly promise: Promise<void>; readonly cancel: () => void } {
  let finish: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    finish = resolve
  })
  waiting.add(finish)
  const timer = setTimeout(finish, waitMs)
  return {
    promise,
    cancel() {
      clearTimeout(timer)
      waiting.delete(finish)
      finish()
    },
  }
}
