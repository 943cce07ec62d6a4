/**
 * Recognises a request for the list that was just written or shown, without its name: "was steht jetzt
 * drauf?", "what's on it now?". Must not show it. Called by home-talk.ts.
 */
import { test } from '../../flow/labeled.ts'
import { openTextOf } from '../../powers/sealed.ts'
import { OWNER_PRINCIPAL } from '../../task/principal.ts'
import type { Task } from '../../task/task.ts'
import { isListLast } from './listed-last.ts'
import { MOST, plainCore } from './recognise-end.ts'

const SHOWS = new RegExp(
  `^(?:${[
    '(?:and |so |ok |okay )?(?:what.?s|what is) (?:on it|on there|left|missing|still missing|still on it|on it now|still left|left on it)(?: now| still)?',
    'what do (?:i|we) still need',
    '(?:show|read) (?:me )?(?:it|the list|the whole list)(?: again| now)?',
    '(?:und )?was (?:steht|ist)(?: (?:denn|jetzt|noch|alles|da|nun))* (?:drauf|darauf|offen)(?: jetzt)?',
    '(?:und )?was (?:fehlt|fehlen)(?: (?:denn|jetzt|mir|uns|noch|alles|da))*',
    '(?:und )?was (?:brauchen wir|brauche ich|muss noch)(?: (?:noch|jetzt|alles|drauf))*',
    'zeig(?:e)? (?:mir )?(?:sie|die liste)(?: (?:nochmal|noch mal|jetzt))?',
  ].join('|')})[?.! ]*$`,
  'iu',
)

type ListPorts = Parameters<typeof isListLast>[0]

export async function asksForList(powers: ListPorts, task: Task): Promise<boolean> {
  const { principal, words, quoted, attached, typed } = task
  const isPlain = quoted === undefined && attached === undefined && words.taint.level === 'clean'
  if (principal !== OWNER_PRINCIPAL || !isPlain || typed !== undefined) return false
  const said = await openTextOf(powers, words)
  const asks = said.ok && test(said.value, (text) => text.length <= MOST && SHOWS.test(plainCore(text)))
  return asks && isListLast(powers, task)
}
