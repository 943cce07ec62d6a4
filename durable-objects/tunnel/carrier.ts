/**
 * Forwards home's replies and progress from the connection to the owner's object, and the delivery result of a reply back to home.
 * In memory only; no other frame waits for it (DESIGN §1). Must not inspect the content. Called by TunnelObject.
 */

import type { Handed, HandedBack, HomeWork } from '../../kernel/features/places/handover-port.ts'
import { err, type Refusal, type Result } from '../../kernel/flow/verdict.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import type { EdgeEnv } from '../../worker/env.ts'
import type { LinesAsk } from '../both-lines.ts'
import { objectName } from '../names.ts'
import { SAID, type TunnelMemory } from '../tunnel-calls.ts'
import { attachmentOf, send } from './tunnel-socket.ts'

/** Neither method rejects. */
export interface Carrier {
  text(socket: WebSocket, handed: Handed): Promise<void>
  /** Refusals: task_unknown when no principal here has asked home for it; remote_unavailable; those of `BothLines.answer`. */
  work(socket: WebSocket, work: HomeWork): Promise<Result<boolean>>
}

export function createCarrier(
  env: Pick<EdgeEnv, 'PRINCIPALS'>,
  nameKey: Uint8Array,
  memory: Pick<TunnelMemory, 'askedBy'>,
): Carrier {
  const ask = (principal: string, asked: LinesAsk): Promise<Result<boolean>> =>
    env.PRINCIPALS.getByName(objectName(nameKey, principal))
      .bothLines(principal, asked)
      .catch(() => err('remote_unavailable'))
  return {
    async text(socket, handed) {
      if (attachmentOf(socket)?.greeted !== true) return
      const sent = await ask(OWNER_PRINCIPAL, { do: 'carry', handed })
      const told = sent.ok ? { id: handed.id, ok: true as const } : toldOf(handed.id, sent.reason)
      send(socket, { kind: 'ephemeral', body: { type: 'delivered', told } })
    },
    async work(socket, work) {
      const greeted = attachmentOf(socket)?.greeted === true
      const principal = greeted ? memory.askedBy(work.on === 'call' ? work.id : SAID + work.id) : null
      return principal === null ? err('task_unknown') : ask(principal, { do: 'work', work })
    },
  }
}

function toldOf(id: string, { code, facts }: Refusal): HandedBack {
  const after = Number(facts['retryAfter'])
  return { id, ok: false, reason: code, ...(Number.isSafeInteger(after) && after >= 0 && { after }) }
}
