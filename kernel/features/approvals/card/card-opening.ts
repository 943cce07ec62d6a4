/**
 * Opens the sealed card of a waiting question for the chat of the owner that shows it. Must not send it. Called by waiting.ts,
 * bundle.ts and the runtime.
 */
import type { Labeled } from '../../../flow/labeled.ts'
import type { Result } from '../../../flow/verdict.ts'
import type { AtPlace, OwnerChats, PolicySource, SecretScan } from '../../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../../powers/sealed.ts'
import type { StoredApproval, StoreOf, TaskStore } from '../../../powers/stores.ts'
import type { Task } from '../../../task/task.ts'
import { releaseToOwner } from '../../deliveries/deliver.ts'

/** Ports needed to open a card for the owner. */
export type CardPorts = SealedReading & AtPlace & PolicySource & SecretScan & OwnerChats & StoreOf<TaskStore>

/** The full card of a waiting question, followed by the text of `add`, opened for its chat. */
export async function openCard(
  powers: CardPorts,
  stored: StoredApproval,
  add: (card: Labeled<string>) => Labeled<string> = (card) => card,
): Promise<Result<string>> {
  const card = await cardFor(powers, stored)
  if (!card.ok) return card
  return releaseToOwner(powers, taskOf(powers, stored), add(card.value))
}

/** The sealed card, if its chat may show it. */
export async function cardFor(powers: CardPorts, stored: StoredApproval): Promise<Result<Labeled<string>>> {
  const text = await openTextOf(powers, stored.card)
  if (!text.ok) return text
  const shown = releaseToOwner(powers, taskOf(powers, stored), text.value)
  return shown.ok ? text : shown
}

function taskOf({ store }: StoreOf<TaskStore>, { approval }: StoredApproval): Task | null {
  return approval.task === '' ? null : store.loadTask(approval.task)
}
