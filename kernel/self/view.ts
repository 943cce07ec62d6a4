/**
 * Selects what one task's prompt may say about the assistant: sections by audience and purpose, each with its label (M-11,
 * X-01b). The model is not known yet: finalize removes what it is not cleared for. Called by model-call/model-call.ts.
 */
import type { Json } from '../flow/json.ts'
import type { Label } from '../flow/label.ts'
import { combine, derive, type Labeled, test } from '../flow/labeled.ts'
import { receive, selfFacts } from '../flow/provenance.ts'
import type { SelfKnowledge } from '../powers/ports.ts'
import { openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { ApprovalStore, StoreOf, TurnStore } from '../powers/stores.ts'
import { modeFor, type PromptMode, type Purpose } from '../prompt/mode.ts'
import type { Task } from '../task/task.ts'
import { type Audience, SECTIONS, type SectionRule, type SelfSection, type SelfView } from './section.ts'
import { lineFrom, nameFrom } from './snapshot.ts'

/** Number of the owner's turns that are shown after a restart (M-02). */
const RECENT_TURNS = 3
/** Maximum UTF-16 units of one of them. */
const RECENT_WORDS = 80
/** Milliseconds. */
const MINUTE = 60_000

/** Audience and purpose of the prompt, and which labels it may contain. */
interface SelfReader {
  readonly purpose: Purpose
  readonly audience: Audience
  readonly may: (label: Label) => boolean
}

export async function selfView(
  powers: SealedReading & SelfKnowledge & StoreOf<ApprovalStore & TurnStore>,
  task: Task,
  { purpose, audience, may }: SelfReader,
): Promise<SelfView> {
  const mode = modeFor(purpose, audience)
  const wants = (rule: SectionRule): boolean => isWanted(rule, mode, audience)
  const snapshot = powers.self.of(task.id)
  const sections = snapshot.sections
    .filter(({ kind }) => wants(SECTIONS[kind]))
    .map((section) => ({ kind: section.kind, value: labeledSection(section) }))
  // A greeting is answered without looking for open questions.
  const pending = wants(SECTIONS.pending) && task.path !== 'fast' ? pendingOf(powers, task, may) : []
  const recent = wants(SECTIONS.recent) ? await recentOf(powers, task, may) : []
  const all = [...sections, ...recent, ...pending]
  return {
    version: snapshot.version,
    sections: all.filter(({ value }) => may(value.label)),
  }
}

/** The name only, for a call outside of any task. */
export function personaView(powers: SelfKnowledge): SelfView {
  const { version, sections } = powers.self.current()
  const persona = sections.filter(({ kind }) => kind === 'persona')
  return {
    version,
    sections: persona.map((section) => ({ kind: section.kind, value: labeledSection(section) })),
  }
}

function isWanted({ audience: whose, reach }: SectionRule, mode: PromptMode, audience: Audience): boolean {
  if (whose === 'owner' && audience !== 'owner') return false
  return reach === 'every' || mode === 'full' || (mode === 'minimal' && reach === 'minimal')
}

function labeledSection(section: SelfSection): Labeled {
  const { level } = SECTIONS[section.kind]
  if (level === 'own') throw new Error('a section with labels of its own is no part of a snapshot')
  return receive(section, selfFacts(section.kind, level))
}

/** Open questions. Even their existence may depend on private data, so they carry the label of their card. */
function pendingOf(powers: StoreOf<ApprovalStore>, task: Task, may: SelfReader['may']): SelfView['sections'] {
  const names = powers.store
    .pendingApprovals(task.principal)
    .filter(({ card }) => may(card.label))
    .map(({ approval, card }) => receive(nameFrom(approval.tool), card))
  if (names.length === 0) return []
  const value = combine(
    names,
    (all): Json => ({ kind: 'pending', items: all.map((name) => ({ name, note: '' })) }),
  )
  return [{ kind: 'pending', value }]
}

/** The owner's recent words, with their original labels. */
async function recentOf(
  powers: SealedReading & StoreOf<TurnStore>,
  task: Task,
  may: SelfReader['may'],
): Promise<SelfView['sections']> {
  const opened: Labeled<string>[] = []
  const minutes: number[] = []
  for (const { words, at } of powers.store.recentTurns(task.principal, RECENT_TURNS)) {
    if (words.taint.level !== 'clean' || !may(words.label)) continue
    const text = await openTextOf(powers, words)
    // A command is about the style of answers, not a topic of the conversation.
    if (!text.ok || test(text.value, (said) => said.trimStart().startsWith('/'))) continue
    opened.push(derive(text.value, (said) => lineFrom(said).replaceAll('"', "'").slice(0, RECENT_WORDS)))
    minutes.push(Math.max(0, Math.floor((powers.now() - at) / MINUTE)))
  }
  if (opened.length === 0) return []
  const value = combine(
    opened,
    (texts): Json => ({
      kind: 'recent',
      turns: texts.map((words, index) => ({ minutes: minutes[index] ?? 0, words })),
    }),
  )
  return [{ kind: 'recent', value }]
}
