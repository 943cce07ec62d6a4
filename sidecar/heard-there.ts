/**
 * What the owner wrote in his chat with the edge's bot, as it comes to home (DESIGN §1): in a box, in which it may have waited. Home says
 * itself whether it may be heard, by its own row of his acknowledgement. Must not believe the edge of whose words they are, nor keep a
 * box. Called by edge-connection.ts.
 */
import { type DeliverPorts, deliverNotice, tellOwner } from '../kernel/pipeline/deliver.ts'
import { type Auditing, audit } from '../kernel/powers/audit.ts'
import type { SaidThere } from '../kernel/powers/handover-port.ts'
import type { OwnerChats } from '../kernel/powers/ports.ts'
import type { GrantStore, StoreOf } from '../kernel/powers/stores.ts'
import type { ReasonCode } from '../kernel/reasons.ts'
import { eventOfSaid, lastTransport, standingTransport, versionOfSaid } from '../kernel/runtime/both-lines.ts'
import type { Intake } from '../kernel/runtime/shell-port.ts'
import { OWNER_PRINCIPAL } from '../kernel/task/principal.ts'
import { type KeptSaid, waitOf } from '../kernel/tunnel/kept-said.ts'
import { KEPT_IN_VAIN, KEPT_UNREAD } from '../kernel/wording/offline.ts'
import type { SealingKey } from './secrets/sealing-key.ts'
import type { BothLinesEnd } from './tunnel-inbox.ts'

export interface HeardThereInput {
  readonly shell: Intake
  readonly sealing: Pick<SealingKey, 'openSaid'>
  /** Goes on with what he wrote there. */
  readonly drive: () => void
}

/** By what is told whether they may be heard, and what it takes to say that they were not. */
type HearingPorts = DeliverPorts & OwnerChats & StoreOf<GrantStore>

export function createHeardThere(input: HeardThereInput, powers: HearingPorts): Pick<BothLinesEnd, 'hear'> {
  return { hear: (kept, sent) => hear(input, powers, { kept, sent }) }
}

/** Throws where it could not be stored, so that the edge says it again. */
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
  // He wrote something that is not taken: a sentence says so, once.
  if (!received.ok) {
    const { sink } = standingTransport(powers) ?? { sink: '' }
    const { code } = received.reason
    await deliverNotice(powers, { id: `said:${said.id}`, code, sink, principal: OWNER_PRINCIPAL })
  }
  drive()
}

/** He edited a message that home has, and the edge answers what it says now: home's question about the former version is over. */
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

/** Heard as anything that he writes there, if it still may be; unread otherwise. */
async function hear(
  input: HeardThereInput,
  powers: HearingPorts,
  { kept, sent }: { readonly kept: KeptSaid; readonly sent: number | undefined },
): Promise<void> {
  // The edge has told him what became of it.
  if (kept.box === null) return
  const live = standingTransport(powers)
  if (live === null) return tellInVain(powers)
  const said = await input.sealing.openSaid(kept)
  return said.ok
    ? hearSaid(input, powers, said.value, waitOf(kept, sent))
    : tellUnread(powers, live.sink, said.reason.code)
}

/** It is of another key of home's, or no message of his at all: he hears so where he wrote, once an hour, as the edge could send any number. */
async function tellUnread(powers: DeliverPorts, sink: string, code: ReasonCode): Promise<void> {
  reject(powers, code)
  const id = `kept-unread:${Math.floor(powers.now() / HOUR)}`
  await deliverNotice(powers, { id, code, words: KEPT_UNREAD, sink, principal: OWNER_PRINCIPAL })
}

/** He took it back while it waited: told once, in a chat of home's, as the other is none of its own any more. */
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

/** Refusals that may be over when it comes again. */
const STORAGE: readonly ReasonCode[] = ['storage_failed', 'storage_full']
