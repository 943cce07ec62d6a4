/**
 * Finds the owner of a Slack app: the member of its workspace who sends it, in a direct message, the code shown on the owner's
 * screen. Must not accept anybody without that code. Called by home.ts and setup.ts.
 */

import { ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HomeChannelPorts } from '../runtime/home-package.ts'
import { openSocket, type SlackApi } from './api.ts'
import type { SlackConfig } from './channel.ts'
import { eventOf } from './event.ts'
import { isSetUpWrongly } from './home-app.ts'
import { lookupFor, startSocketMode, TAKEN } from './home-socket.ts'

export type FoundThere = Pick<SlackConfig, 'owner' | 'chat'>

export interface SlackSearch {
  /** Web API with the app token. */
  readonly opener: SlackApi
  readonly origin: string
  readonly app: string
  readonly team: string
  readonly code: string
  readonly signal: AbortSignal
  readonly lookup: HomeChannelPorts['lookup']
  /** Called once a message would be received. */
  readonly ready?: () => void
}

/** Null when the signal aborted first; temporary faults are retried. Refusals: those of the service. */
export async function waitForSlackCode(search: SlackSearch): Promise<Result<FoundThere | null>> {
  const { opener, origin, app, team, code, signal } = search
  if (signal.aborted) return ok(null)
  const nobody = { app, team, owner: '', chat: '', name: '' }
  const ending = new AbortController()
  let end: (found: Result<FoundThere | null>) => void = () => undefined
  const ended = new Promise<Result<FoundThere | null>>((resolve) => {
    end = resolve
  })
  const stop = (): void => end(ok(null))
  signal.addEventListener('abort', stop)
  const mode = startSocketMode({
    open: () => openSocket(opener, origin),
    async handle({ of, payload }) {
      const said = of === 'events_api' ? eventOf(payload, nobody, Date.now()) : null
      if (said?.ok !== true || said.event.text.trim() !== code) return TAKEN
      const { user: owner, channel: chat, event } = said
      if (event.source.user === `${team}:${owner}`) end(ok({ owner, chat }))
      return TAKEN
    },
    ...{ chance: Math.random, now: Date.now, signal: ending.signal },
    news(trouble) {
      if (trouble === null) search.ready?.()
      else if (trouble.code === 'credential_rejected' || isSetUpWrongly(trouble))
        end({ ok: false, reason: trouble })
    },
    fault: () => undefined,
    lookup: lookupFor(origin, search.lookup),
  })
  const found = await ended
  signal.removeEventListener('abort', stop)
  // The code is acknowledged before the connection closes, so that it does not arrive again as a message.
  ending.abort()
  await mode.done
  return found
}
