/**
 * Takes messages that the owner wrote in the chat with the edge's bot (DESIGN §1). They arrive sealed and may have been
 * queued. Home accepts them only by its own record of the owner's acknowledgement. Must not trust the edge on who wrote
 * them, nor store the sealed box. Called by edge-connection.ts.
 */

import {
  eventOfSaid,
  lastTransport,
  standingTransport,
  versionOfSaid,
} from '../../kernel/features/places/both-lines.ts'
import type { SaidThere } from '../../kernel/features/places/handover-port.ts'
import { type DeliverPorts, deliverNotice, tellOwner } from '../../kernel/pipeline/deliver.ts'
import { type Auditing, audit } from '../../kernel/powers/audit.ts'
import type { OwnerChats } from '../../kernel/powers/ports.ts'
import type { GrantStore, StoreOf } from '../../kernel/powers/stores.ts'
import type { ReasonCode } from '../../kernel/reasons.ts'
import type { Intake } from '../../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../../kernel/task/principal.ts'
import { type KeptSaid, waitOf } from '../../kernel/tunnel/kept-said.ts'
import { KEPT_IN_VAIN, KEPT_UNREAD } from '../../kernel/wording/offline.ts'
import type { SealingKey } from '../secrets/sealing-key.ts'
import type { BothLinesEnd } from './tunnel-inbox.ts'

export interface HeardThereInput {
  readonly shell: Intake
  readonly sealing: Pick<SealingKey, 'openSaid'>
  /** Runs tasks after a message was accepted. */
  readonly drive: () => void
}

/** Needed to decide whether a message may be taken, and to report that it was not. */
type HearingPorts = DeliverPorts & OwnerChats & StoreOf<GrantStore>

export function createHeardThere(input: HeardThereInput, powers: HearingPorts): Pick<BothLinesEnd, 'hear'> {
  return { hear: (kept, sent) => hear(input, powers, { kept, sent }) }
}

/** Throws if the message cannot be stored, so that the edge sends it again. */
async function hearSaid(
  { shell, drive }: HeardThereInput,
  powers: DeliverPorts & StoreOf<GrantStore>,
  said: SaidThere,
  waited: number,
): Promise<void> {
  if (said.version === 'elsewhere') return withdrawFormer({ shell, drive }, powers, said)
  const event = eventOfSaid(powers, said, waited)
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

/**
 * The owner edited a message, and the edge answers the new version. Withdraws home's pending question about the old
 * one.
 */
async function withdrawFormer(
  { shell, drive }: Pick<HeardThereInput, 'shell' | 'drive'>,
  powers: Auditing & StoreOf<GrantStore>,
  said: SaidThere,
): Promise<void> {
  const version = versionOfSaid(powers, said)
  if (!version.ok) return reject(powers, version.reason.code)
  await shell.withdraw(version.value)
  drive()
}

/** Accepts the message if the acknowledgement is in force; otherwise it stays unopened. */
async function hear(
  input: HeardThereInput,
  powers: HearingPorts,
  { kept, sent }: { readonly kept: KeptSaid; readonly sent: number | undefined },
): Promise<void> {
  // A null box: the edge has already told the owner what became of the message.
  if (kept.box === null) return
  const live = standingTransport(powers)
  if (live === null) return tellInVain(powers)
  const said = await input.sealing.openSaid(kept)
  return said.ok
    ? hearSaid(input, powers, said.value, waitOf(kept, sent))
    : tellUnread(powers, live.sink, said.reason.code)
}

/**
 * The box does not open with this home's key, or holds no message of the owner. Notifies that chat at most once an
 * hour, because the edge could send any number.
 */
async function tellUnread(powers: DeliverPorts, sink: string, code: ReasonCode): Promise<void> {
  reject(powers, code)
  const id = `kept-unread:${Math.floor(powers.now() / HOUR)}`
  await deliverNotice(powers, { id, code, words: KEPT_UNREAD, sink, principal: OWNER_PRINCIPAL })
}

/** The owner withdrew the acknowledgement while the message was queued. Notifies once, in a chat of home's. */
async function tellInVain(powers: HearingPorts): Promise<void> {
  const code = 'grant_missing'
  reject(powers, code)
  const id = lastTransport(powers)?.id
  if (id !== undefined) await tellOwner(powers, { id: `kept-in-vain:${id}`, code, words: KEPT_IN_VAIN })
}

function reject(powers: Auditing, code: ReasonCode): void {
  audit(powers, 'event_rejected', null, { code, adapter: 'both_lines' })
}

/** Milliseconds. */
const HOUR = 3_600_000

/** Refusals that may not recur when the edge sends again. */
const STORAGE: readonly ReasonCode[] = ['storage_failed', 'storage_full']
