/**
 * Adds to a line of the audit what the conversation said about it, such as the recipient of a mail. The audit
 * itself holds no content; each text is checked for the chat that asks. At home only, for `audit.recent`;
 * passed in by wiring.ts.
 */
import { oneLine } from '../../operations/lines.ts'
import { lookUpAction } from '../../powers/effects.ts'
import type { Actions, AtPlace, PolicySource, SecretScan } from '../../powers/ports.ts'
import { openTextOf, type SealedReading } from '../../powers/sealed.ts'
import type { AuditEvent, StoreOf, TurnStore } from '../../powers/stores.ts'
import type { SealedRef } from '../../task/task.ts'
import { endAtWord } from '../../wording/note.ts'
import { tell } from '../../wording/words.ts'
import { showTo } from '../deliveries/deliver.ts'

/** Maximum number of turns that are searched, of any age. */
const MOST_TURNS = 500
/** Maximum UTF-16 units of the text for one line: two lines on a phone. */
const MOST_TOLD = 160

interface Asking {
  readonly principal: string
  readonly sink: string
}

type ToldPorts = SealedReading & Actions & AtPlace & PolicySource & SecretScan & StoreOf<TurnStore>

/**
 * Returns the text that follows a line of the audit; empty if the turn is deleted or may not be shown in this
 * chat.
 */
export async function toldOf(
  powers: ToldPorts,
  asking: Asking,
  lines: readonly AuditEvent[],
): Promise<(line: AuditEvent) => string> {
  const turns = new Map(
    powers.store
      .earlierTurns(asking.principal, { limit: MOST_TURNS, archivedOnly: false })
      .map((turn) => [turn.task, turn] as const),
  )
  const told = new Map<AuditEvent, string>()
  for (const line of lines) {
    const part = partOf(powers, line)
    const turn = part === null ? undefined : turns.get(part.task)
    const text = part === null ? null : await shown(powers, asking, turn?.[part.side] ?? null)
    if (text !== null) told.set(line, tell('audit.told', { text }))
  }
  return (line) => told.get(line) ?? ''
}

/** A write that succeeded is described by the answer of its turn, anything else by the owner's own words. */
function partOf(
  { registry }: Actions,
  { kind, task, facts }: AuditEvent,
): { readonly task: string; readonly side: 'answer' | 'words' } | null {
  const name = String(facts['tool'] ?? facts['operation'])
  // A fact may have been forgotten since, and memory has a list of its own.
  if (name.startsWith('memory.')) return null
  if (kind === 'operation_called')
    return typeof facts['within'] === 'string' ? { task: facts['within'], side: 'words' } : null
  const action = kind === 'tool_invoked' ? lookUpAction(registry, name) : null
  if (action?.ok !== true || action.value.semantics !== 'write' || task === null) return null
  return { task, side: facts['ok'] === false ? 'words' : 'answer' }
}

async function shown(powers: ToldPorts, asking: Asking, ref: SealedRef | null): Promise<string | null> {
  const text = ref === null ? null : await openTextOf(powers, ref)
  const open = text?.ok === true ? showTo(powers, asking, text.value) : null
  const line = open?.ok === true ? oneLine(open.value.replaceAll(/^> ?/gm, '')) : ''
  const short = endAtWord(line, MOST_TOLD, true)
  return line === '' ? null : short === line ? line : `${short} …`
}
