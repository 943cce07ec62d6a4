/**
 * The outbox of channels that are read by asking, such as the terminal's: rows opened for their sink, and the texts
 * that were read bounded in time (C-04). Must not release anything to another sink: `openDelivery` checks. Called by
 * the shell.
 */
import { acknowledged, openDelivery } from '../../pipeline/deliver.ts'
import type { AtPlace, Clock, Delivery, PolicySource, SecretScan } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { OutboxRow, OutboxStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { wordsFor } from '../../wording/words.ts'

/** Rows that one question acknowledges at most: bounds its work after a restart, when all are looked at again. */
const ACKNOWLEDGED_AT_ONCE = 100

type Numbered<T> = T & { readonly seq: number }

/**
 * What the outbox of a channel that is read by asking holds after `after`, opened for that sink. Asking for more says
 * that what is before has been read.
 */
export type Deliveries = (
  sink: string,
  after: number,
  limit: number,
) => Promise<readonly Numbered<Delivery>[]>

export function createOutbox(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & StoreOf<TaskStore & OutboxStore>,
): Deliveries {
  /** Last number acknowledged, by sink. In memory: doing it again after a restart changes nothing. */
  const read = new Map<string, number>()
  return async (sink, after, limit) => {
    acknowledge(powers, read, { sink, upTo: after })
    const opened: Numbered<Delivery>[] = []
    for (const row of powers.store.deliveriesAfter(sink, after, limit)) opened.push(await open(powers, row))
    return opened
  }
}

function acknowledge(
  powers: Clock & StoreOf<OutboxStore & SealedStore>,
  read: Map<string, number>,
  { sink, upTo }: { readonly sink: string; readonly upTo: number },
): void {
  const from = read.get(sink) ?? 0
  if (upTo <= from) return
  const rows = powers.store.deliveriesAfter(sink, from, ACKNOWLEDGED_AT_ONCE).filter(({ seq }) => seq <= upTo)
  const last = rows.at(-1)
  if (last === undefined) return
  acknowledged(
    powers,
    rows.map(({ text }) => text.id),
  )
  read.set(sink, last.seq)
}

/** A row without its text is told as such: left out, its reader would wait behind it for ever. */
async function open(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & StoreOf<TaskStore>,
  row: Numbered<OutboxRow>,
): Promise<Numbered<Delivery>> {
  const delivery = await openDelivery(powers, row)
  if (delivery.ok) return { ...delivery.value, seq: row.seq }
  const isGone = powers.store.getSealed(row.text.id) === null
  const text = wordsFor(isGone ? 'delivery_expired' : 'record_unreadable')
  return { ...row, kind: 'notice', label: 'public', text, previews: 'off' }
}
