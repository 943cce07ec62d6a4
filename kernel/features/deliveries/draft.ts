/**
 * An answer while it is written (D-10): each stretch of it that is whole is guarded as the answer will be, bears the label of
 * all that its writer reads, and goes through the same egress check. Never faster than `PACE`, and only for a chat that is
 * looked at. Must not store anything: the answer does. Called by synthesize.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, type Labeled, type Provenance, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { showDraft } from '../../pipeline/deliver.ts'
import type { SecretScan } from '../../powers/ports.ts'
import type { Task } from '../../task/task.ts'
import { createGuardStream } from '../../wording/guard/stream.ts'
import type { GuardContext } from '../../wording/guard/unit.ts'
import { MAX_ANSWER } from '../../wording/output.ts'
import { watchesDrafts } from '../channels/chat-abilities.ts'
import type { ShowWorkPorts } from './reader-check.ts'

/** Milliseconds between two drafts: each is guarded from its beginning, and the edge has ten for a whole call. */
const PACE = 400
/** The guard lets nothing out before a paragraph is whole. */
const PARAGRAPH = /\n[ \t\r]*\n/

export interface Written {
  /** All that the writer reads: the owner's own first, then everything else. */
  readonly own: readonly Labeled[]
  readonly others: readonly Labeled[]
  readonly judged: Omit<GuardContext, 'read' | 'others'>
}

/** What one model's call is heard by; a model that is asked after it begins a new draft. */
export type Listener = (provenance: Provenance) => (piece: string) => void

/** Undefined where nobody looks. */
export function draftsOf(
  powers: ShowWorkPorts & SecretScan,
  task: Task,
  written: Written,
): Listener | undefined {
  return watchesDrafts(powers, task)
    ? (provenance) => listen(powers, task, { ...written, provenance })
    : undefined
}

function listen(
  powers: ShowWorkPorts & SecretScan,
  task: Task,
  { own, others, judged, provenance }: Written & { readonly provenance: Provenance },
): (piece: string) => void {
  let text = ''
  /** Up to here no paragraph has ended since the last look. */
  let looked = 0
  let next = Number.NEGATIVE_INFINITY
  return (piece) => {
    if (text.length > MAX_ANSWER) return
    text += piece
    if (powers.now() < next || !PARAGRAPH.test(text.slice(looked))) return
    next = powers.now() + PACE
    looked = Math.max(0, text.trimEnd().length - 1)
    const answer = receive(text.slice(0, MAX_ANSWER), provenance)
    const draft = combine<Json, string>([answer, ...own, ...others], ([said, ...read]) =>
      createGuardStream({ ...judged, read, others: read.slice(own.length) }).push(String(said)),
    )
    if (test(draft, (shown) => shown !== '')) showDraft(powers, task, draft)
  }
}
