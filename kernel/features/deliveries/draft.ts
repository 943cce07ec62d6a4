/**
 * Shows an answer while it is written (D-10): its complete paragraphs, guarded like the answer, labelled with
 * everything the writer reads, and egress-checked. At most every `PACE`, and only in a chat being viewed. Must not
 * store anything. Called by synthesize.ts.
 */
import type { Json } from '../../flow/json.ts'
import { combine, type Provenance, test } from '../../flow/labeled.ts'
import { receive } from '../../flow/provenance.ts'
import { contextFor, type Read, readOf } from '../../model-call/guarded-answer.ts'
import type { SecretScan } from '../../powers/ports.ts'
import type { Task } from '../../task/task.ts'
import type { guardFor } from '../../wording/guard/guard.ts'
import { createGuardStream } from '../../wording/guard/stream.ts'
import { USUAL_ANSWER } from '../../wording/output.ts'
import { watchesDrafts } from '../channels/channel-port.ts'
import { showDraft } from './deliver.ts'
import type { ShowWorkPorts } from './reader-check.ts'

/** Milliseconds between two drafts: each is guarded from its start, and the edge has 10 ms of CPU time for a whole call. */
const PACE = 400
/** The guard releases only whole paragraphs. */
const PARAGRAPH = /\n[ \t\r]*\n/

export interface Written extends Read {
  readonly judged: ReturnType<typeof guardFor>
}

/** Receives the output of one model call; a fallback model starts a new draft. */
type Listener = (provenance: Provenance) => (piece: string) => void

/** Undefined when nobody is viewing the chat. */
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
  { judged, provenance, ...read }: Written & { readonly provenance: Provenance },
): (piece: string) => void {
  let text = ''
  /** Position up to which no new paragraph end was found. */
  let looked = 0
  let next = Number.NEGATIVE_INFINITY
  return (piece) => {
    if (text.length > USUAL_ANSWER) return
    text += piece
    if (powers.now() < next || !PARAGRAPH.test(text.slice(looked))) return
    next = powers.now() + PACE
    looked = Math.max(0, text.trimEnd().length - 1)
    const answer = receive(text.slice(0, USUAL_ANSWER), provenance)
    const draft = combine<Json, string>([answer, ...readOf(read)], ([said, ...opened]) =>
      createGuardStream(contextFor(judged, read, opened)).push(String(said)),
    )
    if (test(draft, (shown) => shown !== '')) showDraft(powers, task, draft)
  }
}
