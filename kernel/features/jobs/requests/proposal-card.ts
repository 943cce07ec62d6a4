/**
 * The card of a job that is asked for: what runs, what it reads and looks for, who words it, when, and where it goes (DESIGN §9). Must not decide any of it.
 * Called by proposal.ts.
 */
import type { Json } from '../../../flow/json.ts'
import { combine, type Labeled } from '../../../flow/labeled.ts'
import { kernelWords, receive } from '../../../flow/provenance.ts'
import { lookUpAction } from '../../../powers/effects.ts'
import type { Actions, ChatServices, Clock, OwnerFacts } from '../../../powers/ports.ts'
import { inputsOf, literalIndex, type Step } from '../../../task/plan.ts'
import type { Template } from '../../../template/template.ts'
import { progressWords } from '../../../tool/worded.ts'
import { namedMoment } from '../../../wording/output.ts'
import { tell } from '../../../wording/words.ts'
import { namesOf } from '../../approvals/card/card.ts'
import { chatTitle } from '../../deliveries/outage.ts'
import type { JobRepeat } from '../../reminders/repeat.ts'
import { calledIn } from '../needs.ts'
import type { Job } from '../port.ts'
import { nextTimes, timesADay } from '../schedule.ts'
import { shippedWords } from '../shipped-words.ts'
import { whenWords } from '../shown.ts'
import type { Told } from './proposal-told.ts'

/** Times that a card shows. */
const SHOWN_TIMES = 3

type CardPorts = Actions & ChatServices & Clock & OwnerFacts

/** What runs, what it reads, when, and where it goes. */
export function cardOf(
  powers: CardPorts,
  job: Job,
  {
    template,
    words,
    told,
    literals,
    lines: by,
  }: {
    /** What a model wrote into its plan, as JSON. */
    readonly literals?: { readonly text: Labeled<string> }
    readonly template: Template
    readonly words: Labeled<string>
    readonly told: readonly Told[]
    /** Who writes the text. */
    readonly lines: readonly string[]
  },
): Labeled<string> {
  const now = powers.now()
  const { profile, chats } = powers
  const readsWith = (written: readonly Json[]): readonly string[] =>
    job.frozen.plan.steps.flatMap((step) => {
      if (step.do === 'select') return pickedBy(step, written)
      if (!('tool' in step)) return []
      const action = lookUpAction(powers.registry, step.tool)
      const name = calledIn(powers.registry, step)?.name
      const read = action.ok ? (progressWords(action.value) ?? action.value.description) : step.tool
      const by = name === undefined ? writtenIn(step, written) : [name]
      return [by.length === 0 ? `- ${read}` : `- ${read}: ${by.join(', ')}`]
    })
  const times = nextTimes(job, now, SHOWN_TIMES).map((at) => `- ${namedMoment(at, job.zone, now)}`)
  const lines = {
    ...{
      times: times.join('\n'),
      zone: job.zone || profile().timezone,
    },
    ...{ when: whenWords(job.repeat), chat: chatTitle(job.sink, chats), number: job.number },
    writes: by.join('\n'),
    rules: [
      ...(job.quiet ? [tell('jobs.card_quiet')] : []),
      tell(job.missed === 'once' ? 'jobs.card_once' : 'jobs.card_skip'),
      ...(job.budget === null ? [] : [mostWords(job.repeat, job.budget.messages)]),
    ].join(' '),
  }
  const { job: shipped } = template
  const all: readonly Labeled<string>[] = [
    words,
    literals?.text ?? receive<string>('[]', kernelWords()),
    ...told.map((one) => one.words),
  ]
  return combine(all, ([text = '', written = '[]', ...leaving]) =>
    tell('jobs.card', {
      ...lines,
      reads: [...new Set(readsWith(JSON.parse(written)))].join('\n'),
      told: told.length === 0 ? '' : toldWords(told, leaving),
      what:
        shipped === undefined
          ? text
          : `${shippedWords(shipped).title}: ${shipped.takes === true ? text : shippedWords(shipped).tells}`,
    }),
  )
}

/** A job that comes less often than it may send never reaches that limit, so its own number of times is said. */
function mostWords(repeat: JobRepeat, most: number): string {
  const times = timesADay(repeat)
  if (times >= most) return tell('jobs.card_budget', { count: most })
  return times === 1 ? tell('jobs.card_most_one') : tell('jobs.card_most', { count: times })
}

/** Texts and numbers that a model wrote into a step: what it looks for. */
function writtenIn(step: Step, written: readonly Json[]): readonly string[] {
  return inputsOf(step).flatMap((ref) => {
    const value = writtenAt(ref, written)
    return typeof value === 'string' || typeof value === 'number' ? [String(value).replace(/\s+/g, ' ')] : []
  })
}

/** By which words and fields rows are picked from what was found. */
function pickedBy(step: Step & { readonly do: 'select' }, written: readonly Json[]): readonly string[] {
  const { where } = step
  const field = where === undefined ? [] : [`${where.field}: ${writtenAt(where.equals, written)}`]
  const by = [...writtenIn(step, written), ...field]
  return by.length === 0 ? [] : [`- ${tell('jobs.card_picks', { by: by.join(', ') })}`]
}

/** What stands behind a placeholder; undefined for anything else. */
function writtenAt(ref: Json, written: readonly Json[]): Json | undefined {
  return typeof ref === 'string' ? written[literalIndex(ref) ?? -1] : undefined
}

/** Which words leave each time, and who gets them. */
function toldWords(told: readonly Told[], words: readonly string[]): string {
  const lines = told.map(({ hosts }, at) => `- ${words[at] ?? ''} (${namesOf(hosts)})`)
  return `\n${tell('jobs.card_told', { words: lines.join('\n') })}\n`
}
