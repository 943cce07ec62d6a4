/** Remembered facts, which are the owner's own, in words. Must not summarise: the rules model has no judgement. Called by answer.ts. */
import type { Json } from '../../../kernel/flow/json.ts'
import { TALK } from '../../../kernel/powers/effects.ts'
import { type Clock, date, dayOf } from './clock.ts'
import { isTrue, itemsOf, textOf } from './content.ts'
import { counted, line } from './text.ts'
import { MEMORY } from './words.ts'

const FACT_MAX = 400
/** Most facts in one answer. */
const MOST_FACTS = 12

export function factSaved(content: Json, topic: string): string {
  if (!isTrue(content, 'saved')) return MEMORY.notSaved
  return topic === '' ? 'I will remember that.' : `I will remember: ${line(topic, FACT_MAX)}`
}

export function factsFound(content: Json, clock: Clock, asked: boolean): string {
  const facts = itemsOf(content, 'facts')
  const earlier = itemsOf(content, 'earlier')
  if (facts.length === 0 && earlier.length > 0)
    return [
      earlier.some(isTalk) ? MEMORY.said : MEMORY.earlier,
      ...earlier.map((result) => dated(result, clock)),
    ].join('\n')
  if (facts.length === 0) return asked ? MEMORY.none : MEMORY.noneAtAll
  const rows = facts.slice(0, MOST_FACTS).map((fact) => dated(fact, clock))
  const left = facts.length - rows.length
  return [MEMORY.found, ...rows, ...(left > 0 ? [`(${counted(left, 'more fact')} not shown.)`] : [])].join(
    '\n',
  )
}

function isTalk(item: Json): boolean {
  return textOf(item, 'action') === TALK
}

function dated(item: Json, clock: Clock): string {
  const wall = clock.read(textOf(item, 'at'))
  const when = wall === null ? '' : ` (${date(dayOf(wall), clock.now)})`
  return `- ${line(textOf(item, 'text'), FACT_MAX)}${when}`
}
