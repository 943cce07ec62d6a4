/**
 * Builds a writer's view (C-22, C-29): the person's words, the content of every result, and failures. A
 * writer has no tools, and nothing in its output is parsed as a call. Called by synthesize.ts and compose.ts.
 */

import { openFound } from '../call/values/value.ts'
import { type Recollection, recallHistory } from '../features/history/history.ts'
import { linesElsewhere } from '../features/identities/linked-lines.ts'
import type { Json } from '../flow/json.ts'
import { derive, type Labeled } from '../flow/labeled.ts'
import { receive } from '../flow/provenance.ts'
import { metadata, metadataProvenance } from '../flow/record.ts'
import { err, ok, type Result } from '../flow/verdict.ts'
import type {
  Actions,
  Extraction,
  HistorySpan,
  LinkedLines,
  OwnerFacts,
  PolicySource,
} from '../powers/ports.ts'
import { type ReadMessage, readMessage } from '../powers/read-message.ts'
import { contentOf, openRecordOf, openTextOf, type SealedReading } from '../powers/sealed.ts'
import type { IdentityLinkStore, StoreOf, TurnStore } from '../powers/stores.ts'
import type { PromptRequest, TroubleView } from '../prompt/parts.ts'
import { FIND_TOOLS } from '../task/plan.ts'
import type { SealedRef, Task } from '../task/task.ts'
import { rowsPickedFrom, withRowsAlone } from './picked-rows.ts'
import { ANSWERED } from './planner-view.ts'
import { fitsTask, linkedSessions, ownSession } from './read-through.ts'
import { type Sought, soughtBy } from './sought.ts'
import { planned, RECORD, type TaskRecordPorts, taskRecord } from './task-record.ts'

export interface SynthesisView {
  readonly request: Labeled<string>
  readonly history: Labeled | null
  /** The first line of the history is a summary. */
  readonly summarised: boolean
  readonly metadata: readonly { readonly root: string; readonly action: string; readonly fields: Labeled }[]
  readonly contents: PromptRequest['contents']
  readonly troubles: readonly TroubleView[]
  readonly sought: readonly Sought[]
}

/** Sources of an answer's contents. */
export type SynthesisViewPorts = SealedReading &
  TaskRecordPorts &
  PolicySource &
  OwnerFacts &
  Actions &
  Extraction &
  LinkedLines &
  HistorySpan &
  StoreOf<IdentityLinkStore & TurnStore>

export async function synthesisView(powers: SynthesisViewPorts, task: Task): Promise<Result<SynthesisView>> {
  const request = await openTextOf(powers, task.words)
  if (!request.ok) return request
  const recalled = await historyOf(powers, task)
  const record = task.path === 'fast' ? [] : await taskRecord(powers, task)
  const contents = [
    ...(await contentsOf(powers, task)),
    ...record.map((part) => ({ root: 'record', action: RECORD, ...part })),
  ]
  const said = await saidOf(powers, task)
  const sought = await soughtBy(powers, task)
  return {
    ok: true,
    value: {
      request: request.value,
      ...recalled,
      metadata: said,
      contents,
      troubles: troublesOf(task),
      sought,
    },
  }
}

/** Root and action of quoted text; no step has this name. */
const QUOTED = Object.freeze({ root: 'quoted', action: 'message.quoted' })

/** Root and action of the text of attached files. */
const FILES = Object.freeze({ root: 'files', action: 'message.file' })

/** Action of a text that the owner edited on a card. */
export const EDITED = 'message.edited'

/** Quoted text, attached files, texts edited by the owner, and the full results of finished steps. */
export async function contentsOf(
  powers: SealedReading & Actions,
  task: Task,
): Promise<SynthesisView['contents']> {
  const contents: SynthesisView['contents'][number][] = []
  if (task.quoted !== undefined) {
    const quoted = await openTextOf(powers, task.quoted)
    if (quoted.ok) contents.push({ ...QUOTED, content: quoted.value })
  }
  const { text } = task.attached ?? {}
  const files = text === undefined ? null : await openTextOf(powers, text)
  if (files?.ok === true) contents.push({ ...FILES, content: files.value })
  // Text that the owner edited replaced what the plan had (F-11).
  for (const [root, { ref }] of Object.entries(task.edits ?? {})) {
    const words = await openTextOf(powers, ref)
    if (words.ok) contents.push({ root: `edit.${root}`, action: EDITED, content: words.value })
  }
  for (const [root, result] of Object.entries(task.results)) {
    if (result.kind !== 'sealed' && result.kind !== 'value') continue
    // Tool names are for a model's next plan and are never part of an answer.
    if (result.kind === 'sealed' && actionOf(result.ref) === FIND_TOOLS) continue
    const content =
      result.kind === 'value' ? await openFound(powers, result.ref) : await contentOf(powers, result.ref)
    const action = result.kind === 'value' ? `value.${result.is}` : actionOf(result.ref)
    const rows = rowsPickedFrom(task, root)
    if (content.ok)
      contents.push(
        planned(task, {
          ...{ root, action },
          content: rows === null ? content.value : derive(content.value, (all) => withRowsAlone(all, rows)),
        }),
      )
  }
  return contents
}

function actionOf(ref: SealedRef): string {
  return ref.holds.what === 'record' ? ref.holds.action : 'compose'
}

async function saidOf(
  powers: SealedReading & OwnerFacts & Actions & Extraction,
  task: Task,
): Promise<SynthesisView['metadata']> {
  const read = await saidRecord(powers, task)
  if (!read.ok) return []
  const { said, action } = read.value
  return [{ root: 'said', action, fields: receive(metadata(said, 'said') as Json, metadataProvenance(said)) }]
}

async function saidRecord(
  powers: SealedReading & OwnerFacts & Actions & Extraction,
  task: Task,
): Promise<Result<ReadMessage>> {
  if (task.path === 'fast') return readMessage(powers, task)
  if (task.said?.holds.what !== 'record') return err('record_malformed')
  const record = await openRecordOf(powers, task.said)
  return record.ok ? ok({ said: record.value, action: task.said.holds.action }) : record
}

/** Both sides of earlier turns; those of linked accounts come first, as the first lines are trimmed first. */
async function historyOf(
  powers: SealedReading & PolicySource & LinkedLines & HistorySpan & StoreOf<IdentityLinkStore & TurnStore>,
  task: Task,
): Promise<Recollection> {
  const turns = powers.history.writerTurns
  return recallHistory(powers, {
    turns,
    before: await linesElsewhere(powers, task, turns),
    // Its own summary only; it bears the label of everything it was made of, which could block an answer to another
    // chat.
    summary: { principal: task.principal, may: fitsTask(powers, task) },
    from: [...linkedSessions(powers, task), ownSession(powers, task)],
    lines: ({ words, answer }, { principal }) => {
      const where = principal === task.principal ? '' : ' (in another chat)'
      const by = answer === null && where === '' ? ` ${ANSWERED}` : where
      return [
        { ref: words, prefix: `person${by}: ` },
        ...(answer === null ? [] : [{ ref: answer, prefix: `assistant${where}: ` }]),
      ]
    },
  })
}

/**
 * Failures to report besides the results: each step that did not succeed, or the
 * failure of the task. A search for tools is left out, since nobody asked for it.
 */
function troublesOf(task: Task): readonly TroubleView[] {
  const steps = task.traces.flatMap(({ tool, reason, outcome }) =>
    reason === null || outcome === 'done' || outcome === 'skipped' || tool === FIND_TOOLS
      ? []
      : [{ tool, reason }],
  )
  const cut = Object.values(task.results).some((result) => result.kind === 'sealed' && result.cut === true)
  const all = cut ? [...steps, { tool: 'compose', reason: 'answer_cut' }] : steps
  if (task.trouble === null || steps.some(({ reason }) => reason === task.trouble?.code)) return all
  return [{ tool: '', reason: task.trouble.code }, ...all]
}
