/**
 * How far a task is, in a few words for whoever waits for it (C-32): which of its steps is under way. Kernel words only: must not
 * hold an argument, a name or a result. Called by the lane.
 */
import type { Step } from '../task/plan.ts'
import type { Effect, Task } from '../task/task.ts'

/** Data: what a step does. Readers: the owner, before his chat. What is not in here is work like any other. */
const DOING: Readonly<Record<string, string>> = Object.freeze({
  'email.list': 'looking through the mail',
  'email.read': 'reading the message',
  'calendar.freebusy': 'looking at the calendar',
  'calendar.list_events': 'looking at the calendar',
  'calendar.create_event': 'writing to the calendar',
  'web.read': 'reading the page',
  'memory.save': 'making a note',
  'memory.search': 'looking in memory',
  'message.reply': 'writing the answer',
})
const COMPOSING = 'writing'
const CHOOSING = 'choosing'
const WORKING = 'working on it'
const THINKING = 'thinking about it'
const ANSWERING = 'writing the answer'

type Progressing = Pick<Task, 'plan' | 'planMode' | 'results'>

/** Null where there is nothing to say: the answer, or a question, is on its way already. */
export function progressOf(task: Progressing, effect: Effect): string | null {
  const steps = task.plan?.steps ?? []
  const of = (number: number, doing: string): string => {
    if (steps.length === 0) return `${doing}…`
    // Where the plan was shown, he knows its steps by their numbers.
    return task.planMode?.on === true && number <= steps.length
      ? `step ${shownNumber(task, number - 1)} of the plan: ${doing}…`
      : `${number} of ${steps.length + 1}: ${doing}…`
  }
  switch (effect.do) {
    case 'extract':
    case 'plan':
      return `${THINKING}…`
    case 'synthesize':
      return of(steps.length + 1, ANSWERING)
    case 'authorize':
    case 'invoke':
    case 'ask_home':
    case 'compose':
    case 'classify':
      return of(effect.step + 1, doingOf(steps[effect.step]))
    default:
      return null
  }
}

/** `2 of 3`: a call that a list became has the number of the step which says so. */
function shownNumber({ plan, results }: Progressing, index: number): string {
  const made = new Map(
    Object.entries(results).flatMap(([each, result]) =>
      result.kind === 'many' ? result.steps.map((id) => [id, each] as const) : [],
    ),
  )
  const steps = plan?.steps ?? []
  const shown = steps.filter(({ id }) => !made.has(id))
  const id = steps[index]?.id ?? ''
  const number = shown.findIndex((step) => step.id === (made.get(id) ?? id)) + 1
  return `${number} of ${shown.length}`
}

function doingOf(step: Step | undefined): string {
  switch (step?.do) {
    case 'tool':
    case 'forEach':
      return DOING[step.tool] ?? WORKING
    case 'compose':
      return COMPOSING
    default:
      return CHOOSING
  }
}
