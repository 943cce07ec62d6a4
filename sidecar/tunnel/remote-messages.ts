/**
 * Takes messages that the owner wrote in the chat with the edge's bot (DESIGN §1). They arrive sealed and may have been
 * queued. Home accepts them only by its own record of the owner's acknowledgement. Must not trust the edge on who wrote
 * them, nor store the sealed box. Called by edge-connection.ts.
 */

import { type DeliverPorts, deliverNotice, tellOwner } from '../../kernel/features/deliveries/deliver.ts'
import {
  eventOfMessage,
  lastTransport,
  standingTransport,
  versionOfMessage,
} from '../../kernel/features/places/both-lines.ts'
import type { RemoteMessage } from '../../kernel/features/places/handover-port.ts'
import { type Auditing, audit } from '../../kernel/powers/audit.ts'
import type { OwnerChats } from '../../kernel/powers/ports.ts'
import type { GrantStore, StoreOf } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { Intake } from '../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type QueuedMessage, waitOf } from '../../kernel/tunnel/queued-message.ts'
import { tell } from '../../kernel/wording/words.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import type { BothLinesEnd } from './tunnel-inbox.ts'

export interface RemoteMessagesInput {
  readonly shell: Intake
  readonly sealing: Pick<SealingKey, 'openSaid'>
  readonly drive: () => void
}

/** Needed to decide whether a message may be taken, and to report that it was not. */
type HearingPorts = DeliverPorts & OwnerChats & StoreOf<GrantStore>

export function createRemoteMessages(
  input: RemoteMessagesInput,
  powers: HearingPorts,
): Pick<BothLinesEnd, 'takeMessage'> {
  return { takeMessage: (kept, sent) => takeQueuedMessage(input, powers, { kept, sent }) }
}

/** Throws if the message cannot be stored, so that the edge sends it again. */
async function takeRemoteMessage(
  { shell, drive }: RemoteMessagesInput,
  powers: DeliverPorts & StoreOf<GrantStore>,
  said: RemoteMessage,
  waited: number,
): Promise<void> {
  if (said.version === 'elsewhere') return withdrawFormer({ shell, drive }, powers, said)
  const event = eventOfMessage(powers, said, waited)
  if (!event.ok) return reject(powers, event.reason.code)
  const received = await shell.receive(event.value, OWNER_PRINCIPAL)
  if (!received.ok && STORAGE.includes(received.reason.code)) throw new Error(received.reason.code)
  // The message was refused: one notice in that chat says so.
  if (!received.ok) {
    const { sink } = standingTransport(powers) ?? { sink: '' }
    const { code } = received.reason
    await deliverNotice(powers, { id: `said:${said.id}`, code, sink, principal: OWNER_PRINCIPAL })
  }
  drive()
}

/** The owner edited a message and the edge answers the new version. Withdraws home's question about the old one. */
async function withdrawFormer(
  { shell, drive }: Pick<RemoteMessagesInput, 'shell' | 'drive'>,
  powers: Auditing & StoreOf<GrantStore>,
  said: RemoteMessage,
): Promise<void> {
  const version = versionOfMessage(powers, said)
  if (!version.ok) return reject(powers, version.reason.code)
  await shell.withdraw(version.value)
  drive()
}

/** Accepts the message if the acknowledgement is in force; otherwise it stays unopened. */
async function takeQueuedMessage(
  input: RemoteMessagesInput,
  powers: HearingPorts,
  { kept, sent }: { readonly kept: QueuedMessage; readonly sent: number | undefined },
): Promise<void> {
  // A null box: the edge has already told the owner what became of the message.
  if (kept.box === null) return
  const live = standingTransport(powers)
  if (live === null) return tellInVain(powers)
  const said = await input.sealing.openSaid(kept)
  return said.ok
    ? takeRemoteMessage(input, powers, said.value, waitOf(kept, sent))
    : tellUnread(powers, live.sink, said.reason.code)
}

/**
 * The box does not open with this home's key, or holds no message of the owner. Notifies that chat at most once an
 * hour, because the edge could send any number.
 */
async function tellUnread(powers: DeliverPorts, sink: string, code: ReasonCode): Promise<void> {
  reject(powers, code)
  const id = `kept-unread:${Math.floor(powers.now() / HOUR)}`
  const words = tell('wording.queued_unread')
  await deliverNotice(powers, { id, code, words, sink, principal: OWNER_PRINCIPAL })
}

/** The owner withdrew the acknowledgement while the message was queued. Notifies once, in a chat of home's. */
async function tellInVain(powers: HearingPorts): Promise<void> {
  const code = 'grant_missing'
  reject(powers, code)
  const id = lastTransport(powers)?.id
  if (id !== undefined)
    await tellOwner(powers, { id: `kept-in-vain:${id}`, code, words: tell('wording.queued_in_vain') })
}

function reject(powers: Auditing, code: ReasonCode): void {
  audit(powers, 'event_rejected', null, { code, adapter: 'both_lines' })
}

/** Milliseconds. */
const HOUR = 3_600_000

/** Refusals that may not recur when the edge sends again. */
const STORAGE: readonly ReasonCode[] = ['storage_failed', 'storage_full']
