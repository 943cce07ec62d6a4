/**
 * Home's text for the owner's chat, on its way from the line to his object, and what came of it on its way back: in memory alone, and
 * waited for by nothing else on the line (DESIGN §1). Must not look into it. Called by TunnelObject.
 */
import { type Refusal, refused } from '../kernel/flow/verdict.ts'
import type { Handed, HandedBack } from '../kernel/powers/handover-port.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import type { EdgeEnv } from '../worker/env.ts'
import { objectName } from './names.ts'
import { attachmentOf, send } from './tunnel-socket.ts'

/** Never rejects. */
export type Carrier = (socket: WebSocket, handed: Handed) => Promise<void>

export function createCarrier(env: EdgeEnv, nameKey: Uint8Array): Carrier {
  return async (socket, handed) => {
    if (attachmentOf(socket)?.greeted !== true) return
    const owner = env.PRINCIPALS.getByName(objectName(nameKey, OWNER_PRINCIPAL))
    const sent = await owner
      .bothLines(OWNER_PRINCIPAL, { do: 'carry', handed })
      .catch(() => refused('remote_unavailable'))
    const told = sent.ok ? { id: handed.id, ok: true as const } : toldOf(handed.id, sent.reason)
    send(socket, { kind: 'ephemeral', body: { type: 'delivered', told } })
  }
}

function toldOf(id: string, { code, facts }: Refusal): HandedBack {
  const after = Number(facts['retryAfter'])
  return { id, ok: false, reason: code, ...(Number.isSafeInteger(after) && after >= 0 && { after }) }
}
