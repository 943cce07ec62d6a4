/**
 * The output guard on a labelled answer: what its writer read, split by whose words it is, and the text as it may be told. Must not
 * decide what may flow. Called by synthesize.ts.
 */
import type { Written } from '../features/deliveries/draft.ts'
import type { Json } from '../flow/json.ts'
import { combine, derive, type Labeled } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import type { SynthesisView } from '../model-call/synthesis-view.ts'
import { RECORD } from '../model-call/task-record.ts'
import type { Actions } from '../powers/ports.ts'
import type { Task } from '../task/task.ts'
import { tellAnswer } from '../wording/guard/answer.ts'
import { wordsFor } from '../wording/words.ts'
import type { guardFor } from './guard.ts'

/** The guard compares with everything the writer has read; the answer's label covers all of it already. */
export function readBy(
  { registry }: Actions,
  { traces }: Task,
  { request, history, contents }: SynthesisView,
): Pick<Written, 'own' | 'others'> {
  // Where a service gives its key is said when it takes it no more: our own words, with an address in them.
  const connects = traces.flatMap(({ tool, outcome }) => {
    const action = outcome === 'done' ? undefined : registry.actions.get(tool)
    return action?.tool.connect === undefined ? [] : receive(action.tool.connect.where, kernelWords())
  })
  const record = contents.filter(({ action }) => action === RECORD)
  return {
    // What a planner wrote into a call is nobody's statement that could be quoted.
    own: [
      request,
      ...(history === null ? [] : [history]),
      ...record.map(({ content }) => content),
      ...connects,
    ],
    others: contents.filter(({ action }) => action !== RECORD).map(({ content }) => content),
  }
}

export function guarded(
  { answer, cut }: { readonly answer: Labeled<string>; readonly cut: boolean },
  { own, others }: Pick<Written, 'own' | 'others'>,
  judged: ReturnType<typeof guardFor>,
): Labeled<string> {
  const text = combine<Json, string>([answer, ...own, ...others], ([written, ...read]) =>
    tellAnswer(String(written), { ...judged, read, others: read.slice(own.length) }, cut),
  )
  return derive(text, (kept) => (kept === '' ? wordsFor('answer_empty') : kept))
}
