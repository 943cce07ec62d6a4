/**
 * Prompt blocks made from memory (P-15): facts related to this message, and this person's other waiting tasks. For
 * writers only, which have no tools; each fact keeps its label and taint. Leaves out what the section about the
 * assistant already contains: waiting questions, recent turns. Called through `Powers.tier`.
 */
import type { Json } from '../../flow/json.ts'
import type { Label } from '../../flow/label.ts'
import { combine, derive, type Labeled, test } from '../../flow/labeled.ts'
import { kernelWords, receive } from '../../flow/provenance.ts'
import { callBlocks, speaksToOwner } from '../../model-call/guidance.ts'
import { sessionsOf } from '../../model-call/read-through.ts'
import type { AtPlace, HomeLine, PolicySource, Texts } from '../../powers/ports.ts'
import type { SealedReading } from '../../powers/sealed.ts'
import type { IdentityLinkStore, StoreOf, TaskStore } from '../../powers/stores.ts'
import type { BlockReader } from '../../powers/tier-port.ts'
import type { LabeledBlock } from '../../prompt/parts.ts'
import type { Task } from '../../task/task.ts'
import { openFact } from './fact.ts'
import { type FactFinding, findFacts } from './fact-index.ts'
import { indexWords } from './telling-words.ts'

/** Maximum facts that are opened for one message. */
const LOOKED_AT = 16
/** Maximum facts in one block, and maximum UTF-16 units of each. */
const MOST = 8
const MOST_TEXT = 300
/** Ports needed to select memory for a prompt. */
type RecollectionPorts = SealedReading &
  AtPlace &
  PolicySource &
  Texts &
  HomeLine &
  FactFinding &
  StoreOf<TaskStore & IdentityLinkStore>

/** Blocks about the call, then blocks from memory. */
export async function memoryBlocks(
  powers: RecollectionPorts,
  task: Task,
  reader: BlockReader,
): Promise<readonly LabeledBlock[]> {
  const common = await callBlocks(powers, task, reader)
  if (!speaksToOwner(reader) || task.path === 'fast') return common
  const memory = await memoryOf(powers, task, reader)
  const state = stateOf(powers, task, reader)
  return [
    ...common,
    ...(memory === null ? [] : [{ name: 'memory', value: memory } as const]),
    ...(state === null ? [] : [{ name: 'task_state', value: state } as const]),
  ]
}

async function memoryOf(
  powers: PolicySource & Texts & FactFinding & StoreOf<IdentityLinkStore>,
  task: Task,
  { request, may }: BlockReader,
): Promise<Labeled<string> | null> {
  const asked = derive(request, (text) => ({ words: [...indexWords(text)], span: null }))
  if (test(asked, ({ words }) => words.length === 0)) return null
  const found: Labeled<string>[] = []
  for (const session of sessionsOf(powers, task)) {
    const mine = { ...session, may: (label: Label) => session.may(label) && may(label) }
    for (const { fact: kept } of await findFacts(powers, mine, { asked, most: LOOKED_AT })) {
      if (found.length >= MOST) break
      const fact = await openFact(powers, kept)
      if (fact.ok && concerns(request, fact.value)) found.push(derive(fact.value, asLine))
    }
  }
  if (found.length === 0) return null
  return combine(found, (lines) => [powers.texts.overlay.memory, ...lines].join('\n'))
}

/** Whether both texts share a significant word. */
function concerns(request: Labeled<string>, fact: Labeled<string>): boolean {
  const shared = combine<Json, boolean>([request, fact], ([asked, kept]) => {
    const words = new Set(indexWords(String(asked)))
    return indexWords(String(kept)).some((word) => words.has(word))
  })
  return test(shared, (any) => any)
}

/** Flattens to one line, so that a fact cannot start a line of its own. */
function asLine(fact: string): string {
  return `- ${fact.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_TEXT)}`
}

type Kind = 'later' | 'at_home_wait' | 'undelivered'
const KINDS: readonly Kind[] = ['later', 'at_home_wait', 'undelivered']

/**
 * How many of the owner's other tasks wait, and for what. Bears the label of those tasks, since their existence is
 * information.
 */
function stateOf(
  powers: Texts & StoreOf<TaskStore>,
  task: Task,
  { may }: BlockReader,
): Labeled<string> | null {
  const waiting = powers.store.activeTasks(task.principal).flatMap(({ task: other }) => {
    const kind = other.id === task.id ? null : kindOf(other, task)
    return kind === null || !may(other.words.label) ? [] : [receive<string>(kind, other.words)]
  })
  if (waiting.length === 0) return null
  const said = combine([...waiting, receive('', kernelWords())], (kinds) => {
    const count = (kind: Kind): number => kinds.filter((each) => each === kind).length
    return KINDS.filter((kind) => count(kind) > 0)
      .map((kind) => powers.texts.overlay[kind].replace('{count}', String(count(kind))))
      .join(' ')
  })
  return said
}

/** A waiting question is reported in the section about the assistant. */
function kindOf({ state, turn }: Task, task: Task): Kind | null {
  if (state.at === 'awaiting_home') return 'at_home_wait'
  if (state.at === 'delivering') return 'undelivered'
  return state.at === 'extracting' && turn > task.turn ? 'later' : null
}
