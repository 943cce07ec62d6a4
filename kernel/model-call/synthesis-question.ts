/**
 * Builds the request to a writer: its view of the task, the tools that exist, and why an
 * empty plan is empty. Also builds the prompt that the next message of a chat would have,
 * for `/context`. Must not widen the view. Called by synthesize.ts and own-commands.ts.
 */
import { valueAt } from '../flow/json.ts'
import { test } from '../flow/labeled.ts'
import { kernelWords, receive } from '../flow/provenance.ts'
import { err, type Result } from '../flow/verdict.ts'
import type { Actions, DirectiveFiles, HomeLine, Tools } from '../powers/ports.ts'
import type { FinalPrompt } from '../prompt/finalize.ts'
import type { PromptRequest } from '../prompt/parts.ts'
import { CANNED, RULES } from '../task/plan.ts'
import type { Task } from '../task/task.ts'
import type { Template } from '../template/template.ts'
import { type Asked, type AskModelPorts, promptOf } from './model-call.ts'
import { toolCards } from './planner-view.ts'
import { type SynthesisView, type SynthesisViewPorts, synthesisView } from './synthesis-view.ts'

/** Time limit of one answer, milliseconds. */
const SYNTHESIS_TIMEOUT = 120_000

/** The prompt of an answer, as far as this step determines it. */
export async function questionFor(
  powers: Actions & Tools & HomeLine & DirectiveFiles,
  task: Task,
  { view, template }: { readonly view: SynthesisView; readonly template: Template },
): Promise<Asked> {
  return {
    request: {
      ...view,
      purpose: 'synthesize',
      // Tool names and descriptions, so that "help" lists what exists; the model cannot call them.
      tools: isOpening(task, view) ? [] : await toolCards(powers, task, template),
      question: explanationOf(task),
    },
    limits: { maxTokens: template.maxTokensSynthesize, timeout: SYNTHESIS_TIMEOUT },
  }
}

/** The fixed parts of the next prompt in this chat, without what the request would read. Refusals as of `askModel`. */
export async function nextPrompt(
  powers: AskModelPorts & SynthesisViewPorts & Tools,
  of: Task,
): Promise<Result<FinalPrompt>> {
  const task: Task = { ...of, path: 'full' }
  const template = powers.templates.find(({ id }) => id === task.template)
  if (template === undefined) return err('template_none_matches', { template: task.template })
  const view = await synthesisView(powers, { ...task, path: 'fast' })
  return view.ok
    ? promptOf(powers, task, await questionFor(powers, task, { view: view.value, template }))
    : view
}

/**
 * At the start of a conversation a list of tools would be most of the prompt, so it is omitted unless asked for. Later it is
 * part of the prefix shared with the previous prompt.
 */
function isOpening({ path }: Task, { metadata, history }: SynthesisView): boolean {
  if (history !== null) return false
  const asksForHelp = metadata.some(({ fields }) =>
    test(fields, (said) => valueAt(said, ['intent']) === 'help'),
  )
  return path === 'fast' && !asksForHelp
}

/** Why an empty plan is empty, if the kernel's own planner gave a reason; a model's text is not used. */
function explanationOf(task: Task): PromptRequest['question'] {
  const isOurs = task.planner === RULES || task.planner === CANNED
  return isOurs && task.plan?.steps.length === 0
    ? receive({ instruction: task.plan.explanation, options: [] }, kernelWords())
    : null
}
