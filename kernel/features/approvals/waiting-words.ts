/** Words about what waits: `/approvals` and `/status`. Called by typed-words.ts and own-commands.ts. */

export const NOTHING_WAITS = 'Nothing waits for your yes or no here.'
export const ELSEWHERE =
  'What waits for your yes or no is asked on your private line, at home: `pfar approvals` lists it there.'
/** Keyed by the place that is asked. */
export const NUMBER_ELSEWHERE = Object.freeze({
  home: 'That number is of a question on your open line. Answer it there.',
  edge: 'That number is of a question on your private line, at home. Answer it there.',
})
export const HOW_TO_ANSWER =
  'Say yes or no with its number, such as "yes 3". /approvals 3 shows the whole of a card that is cut short.'

export interface StatusFacts {
  readonly place: 'home' | 'edge'
  /** Whether home is connected; null at home. */
  readonly homeUp: boolean | null
  readonly waiting: number
  readonly underWay: number
  /** One line per delivery that waits for a chat (`waitingLines`); never its content. */
  readonly unsent: readonly string[]
}

export function statusText({ place, homeUp, waiting, underWay, unsent }: StatusFacts): string {
  const where = place === 'home' ? 'I answer here from your home.' : 'I answer here from the edge.'
  const home = homeUp === null ? [] : [homeUp ? 'Home is connected.' : 'Home is not connected.']
  const questions =
    waiting === 0
      ? 'Nothing waits for your yes or no.'
      : `Questions that wait for you: ${waiting} (/approvals).`
  const work =
    underWay === 0 ? 'Nothing else is under way.' : `Messages under way: ${underWay} (/stop ends them).`
  return [where, ...home, questions, work, ...unsent].join('\n')
}
