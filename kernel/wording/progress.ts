/**
 * How far a task is, in a few words for whoever waits for it (C-32): which of its steps is under way. Kernel words only: must not
 * hold an argument, a name or a result. Called by the lane and by channels.
 */
import type { Doing, HowFar } from '../powers/work-port.ts'
import type { Step } from '../task/plan.ts'
import type { Effect, Task } from '../task/task.ts'

/** Data: what a step does, for the tools that both places know. What is not in here is work like any other. */
export const DOING_OF: Readonly<Record<string, Doing>> = Object.freeze({
  'email.list': 'searching_mail',
  'email.read': 'reading_message',
  'calendar.freebusy': 'looking_at_calendar',
  'calendar.list_events': 'looking_at_calendar',
  'calendar.create_event': 'writing_to_calendar',
  'web.read': 'reading_page',
  'memory.save': 'noting',
  'memory.search': 'looking_in_memory',
  'message.reply': 'writing_answer',
})

/** Data. Readers: the owner, before his chat. */
const WORDS: Readonly<Record<Doing, string>> = Object.freeze({
  thinking: 'thinking about it',
  searching_mail: 'looking through the mail',
  reading_message: 'reading the message',
  looking_at_calendar: 'looking at the calendar',
  writing_to_calendar: 'writing to the calendar',
  reading_page: 'reading the page',
  noting: 'making a note',
  looking_in_memory: 'looking in memory',
  writing_answer: 'writing the answer',
  writing: 'writing',
  choosing: 'choosing',
  working: 'working on it',
})

export function wordsOf({ doing, step, steps, shown }: HowFar): string {
  if (steps === 0) return `${WORDS[doing]}…`
  const number = `${step} of ${steps}`
  return `${shown === true ? `step ${number} of the plan` : number}: ${WORDS[doing]}…`
}

type Progressing = Pick<Task, 'plan' | 'planMode' | 'results'>

/** Null where there is nothing to say: the answer, or a question, is on its way already. */
export function progressOf(task: Progressing, effect: Effect): HowFar | null {
  const steps = task.plan?.steps ?? []
  const of = (step: number, doing: Doing): HowFar => {
    if (steps.length === 0) return { doing, step: 0, steps: 0 }
    // Where the plan was shown, he knows its steps by their numbers.
    return task.planMode?.on === true && step <= steps.length
      ? { doing, ...shownNumber(task, step - 1), shown: true }
      : { doing, step, steps: steps.length + 1 }
  }
  switch (effect.do) {
    case 'extract':
    case 'plan':
      return { doing: 'thinking', step: 0, steps: 0 }
    case 'synthesize':
      return of(steps.length + 1, 'writing_answer')
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

/** A call that a list became has the number of the step which says so. */
function shownNumber({ plan, results }: Progressing, index: number): Pick<HowFar, 'step' | 'steps'> {
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

function doingOf(step: Step | undefined): Doing {
  switch (step?.do) {
    case 'tool':
    case 'forEach':
      return DOING_OF[step.tool] ?? 'working'
    case 'compose':
      return 'writing'
    default:
      return 'choosing'
  }
}
