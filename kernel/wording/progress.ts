/**
 * A task's progress in a few words: which of its steps is running (C-32). Fixed texts:
 * must not contain an argument, a name or a result. Called by the lane and by channels.
 */

import type { Doing, WorkProgress } from '../features/deliveries/work-port.ts'
import { lookUpAction } from '../powers/effects.ts'
import type { Step } from '../task/plan.ts'
import type { Effect, Task } from '../task/task.ts'
import type { Registry } from '../tool/registry.ts'
import { progressWords } from '../tool/worded.ts'
import { type Saying, tell } from './words.ts'

/** Texts for the owner, shown in their chat before the answer. */
const WORDS: Partial<Readonly<Record<Doing, Saying>>> = Object.freeze({
  thinking: 'wording.doing_thinking',
  writing_answer: 'wording.doing_answer',
  writing: 'wording.doing_writing',
  choosing: 'wording.doing_choosing',
})

export function wordsOf({ doing, words, step, steps, shown }: WorkProgress): string {
  const done = words ?? tell(WORDS[doing] ?? 'wording.doing_something')
  if (steps === 0) return `${done}…`
  return tell(shown === true ? 'wording.step_of_plan' : 'wording.step_of', { step, steps, done })
}

/** Replaces the other place's progress code with this place's text for that action. */
export function withWords({ actions }: Registry, how: WorkProgress): WorkProgress {
  const action = [...actions.values()].find(({ doing }) => doing === how.doing)
  const words = action === undefined ? undefined : progressWords(action)
  return words === undefined ? how : { ...how, words }
}

type Progressing = Pick<Task, 'plan' | 'planMode' | 'results'>

/** Null if there is nothing to show, because the answer or a question is already on its way. */
export function progressOf(registry: Registry, task: Progressing, effect: Effect): WorkProgress | null {
  const steps = task.plan?.steps ?? []
  const of = (step: number, done: Done): WorkProgress => {
    if (steps.length === 0) return { ...done, step: 0, steps: 0 }
    // After the plan was shown, the owner knows its steps by number.
    return task.planMode?.on === true && step <= steps.length
      ? { ...done, ...shownNumber(task, step - 1), shown: true }
      : { ...done, step, steps: steps.length + 1 }
  }
  switch (effect.do) {
    case 'extract':
    case 'plan':
      return { doing: 'thinking', step: 0, steps: 0 }
    case 'synthesize':
      return of(steps.length + 1, { doing: 'writing_answer' })
    case 'authorize':
    case 'invoke':
    case 'ask_home':
    case 'compose':
    case 'classify':
    case 'extract_value':
    case 'choose':
      return of(effect.step + 1, doingOf(registry, steps[effect.step]))
    default:
      return null
  }
}

/** A call expanded from a list has the number of the `forEach` step. */
function shownNumber({ plan, results }: Progressing, index: number): Pick<WorkProgress, 'step' | 'steps'> {
  const made = new Map(
    Object.entries(results).flatMap(([each, result]) =>
      result.kind === 'many' ? result.steps.map((id) => [id, each] as const) : [],
    ),
  )
  const steps = plan?.steps ?? []
  const shown = steps.filter(({ id }) => !made.has(id))
  const id = steps[index]?.id ?? ''
  const step = shown.findIndex((each) => each.id === (made.get(id) ?? id)) + 1
  return { step, steps: shown.length }
}

type Done = Pick<WorkProgress, 'doing' | 'words'>

function doingOf(registry: Registry, step: Step | undefined): Done {
  switch (step?.do) {
    case 'tool':
    case 'forEach': {
      const action = lookUpAction(registry, step.tool)
      if (!action.ok) return { doing: 'working' }
      const { doing = 'working' } = action.value
      const words = progressWords(action.value)
      return { doing, ...(words !== undefined && { words }) }
    }
    case 'compose':
      return { doing: 'writing' }
    default:
      return { doing: 'choosing' }
  }
}
