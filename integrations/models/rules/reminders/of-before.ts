/**
 * Gives a reminder of "it" the words of what the same message puts on the list: "add ring the plumber to my list and remind
 * me at 6 to do it". Must not read anything else. Passed to the planner by home.
 */
import type { Plan } from '../../../../kernel/task/plan.ts'

const IT = '(?:it|that|this|them|those|these|es|das|sie|die)'
/** What is done with it in any case. */
const DONE = new RegExp(
  `^(?:(?:to )?do )?${IT}$|^(?:daran|dran|${IT} zu (?:tun|machen|erledigen)|${IT} (?:tun|machen|erledigen))$`,
  'iu',
)
const VERB = new RegExp(`^(?<verb>(?:get|buy|fetch|grab|order|pick up|bring|take)) ${IT}$`, 'iu')
const VERB_GERMAN = new RegExp(
  `^${IT} (?:zu )?(?<verb>kaufen|holen|besorgen|mitzunehmen|mitnehmen|bestellen)$`,
  'iu',
)

/** The plan as it was where nothing of it is so said, or nothing was put on the list before. */
export function withThingBefore(plan: Plan): Plan {
  const things: string[] = []
  const own = plan.steps.map((step) => {
    const text = step.do === 'tool' ? step.args['text'] : undefined
    if (step.do !== 'tool' || typeof text !== 'string') return step
    if (step.tool === 'task.add') things.push(text)
    const said =
      step.tool === 'reminder.set' && things.length > 0 ? named(text.trim(), things.join(', ')) : null
    return said === null ? step : { ...step, args: { ...step.args, text: said } }
  })
  return { ...plan, steps: own }
}

function named(text: string, things: string): string | null {
  if (DONE.test(text)) return things
  const verb = VERB.exec(text)?.groups?.['verb']
  if (verb !== undefined) return `${verb} ${things}`
  const german = VERB_GERMAN.exec(text)?.groups?.['verb']
  return german === undefined ? null : `${things} ${german.replace(/^mitzu/u, 'mit')}`
}
