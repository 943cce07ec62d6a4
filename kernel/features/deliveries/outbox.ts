/**
 * Outbox of polled channels such as the terminal: opens rows for their sink, and limits how long read texts are kept
 * (C-04). Must not release to another sink; `openDelivery` checks. Called by shell.ts.
 */

import type { AtPlace, Clock, Delivery, PolicySource, SecretScan } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { SealedStore } from '../../powers/sealed-port.ts'
import type { OutboxRow, OutboxStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import { wordsFor } from '../../wording/words.ts'
import { acknowledged, openDelivery } from './deliver.ts'

/** Maximum rows that one poll acknowledges: bounds its work after a restart, when all are looked at again. */
const ACKNOWLEDGED_AT_ONCE = 100

type Numbered<T> = T & { readonly seq: number }

/**
 * Deliveries of a polled channel after number `after`, opened for that sink. Polling acknowledges everything up to
 * `after`.
 */
export type Deliveries = (
  sink: string,
  after: number,
  limit: number,
) => Promise<readonly Numbered<Delivery>[]>

export function createOutbox(
  powers: SealedReading & AtPlace & PolicySource & SecretScan & StoreOf<TaskStore & OutboxStore>,
): Deliveries {
  /** Last acknowledged number by sink. In memory: acknowledging again after a restart changes nothing. */
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

/** A row whose text is gone is delivered with a note saying so; skipping it would block the reader. */
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
