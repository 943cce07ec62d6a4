/**
 * Sends the messages of one request to home over the private line, answers cards as the request prescribes, and records what the
 * owner saw. Called by main.ts.
 */
import { approveCard } from '../../kernel/features/approvals/operations/approve.ts'
import { denyCard } from '../../kernel/features/approvals/operations/deny.ts'
import type { Result } from '../../kernel/flow/verdict.ts'
import type { TaskReport } from '../../kernel/runtime/report.ts'
import { ask, follow, type Patience } from '../../sidecar/cli/chat/ask.ts'
import type { LineDelivery, Link } from '../../sidecar/cli/line/link.ts'
import type { Case } from './case.ts'
import type { Said } from './score.ts'

/** Maximum cards of one message before the conversation is given up. */
const MOST_CARDS = 12

/** One line of a transcript, as the owner saw it. */
export interface Line {
  readonly who: 'owner' | 'answer' | 'card' | 'notice'
  readonly text: string
}

export interface Talked {
  readonly said: Said
  readonly transcript: readonly Line[]
  /** Why the conversation ended early; null if it did not. */
  readonly trouble: string | null
}

export interface Talk {
  /** URL of the demo's page, for `{article}` in a message. */
  readonly article: string
  /** Maximum time for one message, in ms. */
  readonly within: number
  /** True if a prompt had no recorded answer: what follows would depend on it, so the conversation ends. */
  readonly isOpen: () => boolean
  /** Called between two messages. */
  readonly between: () => Promise<void>
}

/** Shown instead of an answer that no model gave. */
const OPEN = 'A prompt has no recorded answer; the request ends here.'

export async function talk(
  link: Link,
  { turns }: Case,
  { article, within, isOpen, between }: Talk,
): Promise<Talked> {
  const transcript: Line[] = []
  const earlier = await link.deliveries(0, 0)
  let after = earlier.ok ? (earlier.value.at(-1)?.seq ?? 0) : 0
  let cards = 0
  let last: readonly LineDelivery[] = []
  let holds: readonly string[] = []
  let trouble: string | null = null
  for (const [at, { say: written, cards: decision }] of turns.entries()) {
    if (at > 0) await between()
    const say = written.replaceAll('{article}', article)
    transcript.push({ who: 'owner', text: say })
    const patience = patienceOf(within)
    let report = await ask(link, say, patience)
    const held: string[] = []
    let count = 0
    for (; count < MOST_CARDS; count += 1) {
      const task = report.ok ? report.value.task : null
      if (task === null || task.approval === null || isOpen()) break
      const next = await decided(link, { ...task, approval: task.approval, decision, patience, held })
      // A question with options, which neither yes nor no answers.
      if (!next.ok && next.reason.code === 'choice_missing') break
      report = next
    }
    cards += count
    const open = isOpen()
    if (!report.ok) trouble = report.reason.code
    const rows = await link.deliveries(after, 0)
    last = rows.ok ? rows.value : []
    holds = held
    after = last.at(-1)?.seq ?? after
    const shown = last.filter(({ kind }) => kind === 'card' || !open)
    transcript.push(...shown.map(({ kind, text }) => ({ who: kind, text })))
    transcript.push(...held.map((text) => ({ who: 'answer' as const, text })))
    if (open) transcript.push({ who: 'notice', text: OPEN })
    if (open || trouble !== null) break
  }
  const of = (isCard: boolean): readonly string[] =>
    last.filter(({ kind }) => (kind === 'card') === isCard).map(({ text }) => text)
  return { said: { answers: [...of(false), ...holds], lastCards: of(true), cards }, transcript, trouble }
}

interface Deciding {
  /** Id of the message's task. */
  readonly id: string
  readonly approval: string
  readonly decision: 'yes' | 'no'
  readonly patience: Patience
  /** Confirmations of changed rules, as the owner sees them; new ones are appended. */
  readonly held: string[]
}

async function decided(link: Link, deciding: Deciding): Promise<Result<TaskReport>> {
  const { id, approval, decision, patience, held } = deciding
  const answered =
    decision === 'yes'
      ? await link.call(approveCard, { which: approval, always: null, perDay: 5 })
      : await link.call(denyCard, { which: approval })
  if (!answered.ok) return answered
  const { task, holds } = answered.value
  if (holds !== null && holds !== '') held.push(holds)
  // The answer itself makes a change that the message proposed: no task continues, and another of its cards may be waiting.
  return task === '' ? link.report(id) : follow(link, task, { ...patience, past: approval })
}

function patienceOf(within: number): Patience {
  return {
    deadline: Date.now() + within,
    onWait: () => undefined,
    // If home is gone during a request, the request fails.
    recover: async () => ({ ok: false, reason: { code: 'home_offline', facts: {} } }),
  }
}
