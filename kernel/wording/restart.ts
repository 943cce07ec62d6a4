/**
 * The notice to the owner after home has restarted (M-27): facts found at this start only, then an invitation to ask again.
 * Pure. Called by runtime/restart.ts; used at home only.
 */

export interface RestartFacts {
  /** There was no stored state: a first start, so nothing was lost. */
  readonly first: boolean
  readonly name: string
  /** Connected services, with the number of tools of each. */
  readonly services: readonly { readonly name: string; readonly tools: number }[]
  /** Configured services that do not work now. */
  readonly broken: readonly string[]
  readonly skills: number
  /** Credentials that were typed elsewhere and wait for confirmation. */
  readonly offers: number
  /** Parts of the start that failed or have not finished. */
  readonly troubles: readonly string[]
}

export interface RestartCounts {
  /** Questions that wait for approval. */
  readonly waiting: number
  /** Questions that expired meanwhile. */
  readonly lapsed: number
  /** Requests that were running. */
  readonly underWay: number
  /** When and in which chat the owner paused all work. */
  readonly paused?: string
}

export function restartWords(facts: RestartFacts, counts: RestartCounts): string {
  const { first, name, services, broken, skills, offers, troubles } = facts
  const { waiting, lapsed, underWay, paused } = counts
  const connected = services.map((service) => `${service.name} (${numbered(service.tools, 'tool')})`)
  return [
    first ? `Welcome. I am ${name}, your private assistant.` : 'I was restarted.',
    ...(connected.length > 0 ? [`Connected: ${connected.join(', ')}.`] : []),
    ...(broken.length > 0 ? [`Not working now: ${broken.join(', ')}.`] : []),
    ...(skills > 0 ? [`${numbered(skills, 'skill')} loaded.`] : []),
    ...(connected.length + broken.length + skills === 0 ? ['No service is connected yet.'] : []),
    ...(troubles.length > 0 ? [`Did not come up in time: ${troubles.join(', ')}.`] : []),
    ...(lapsed > 0 ? [`${numbered(lapsed, 'question')} ran out of time; nothing was done about it.`] : []),
    ...(waiting > 0
      ? [`${numbered(waiting, 'question')} still for your yes or no: \`pfar approvals\`.`]
      : []),
    ...(offers > 0 ? [`${numbered(offers, 'credential')} to accept or decline: \`pfar secret list\`.`] : []),
    ...(underWay > 0 ? [`I go on with ${numbered(underWay, 'request')} that I was working on.`] : []),
    ...(paused === undefined ? [] : [`I go on pausing, ${paused}: /resume goes on with what waits.`]),
    first ? 'Say "help" to see what I can do.' : 'If you were waiting for anything else, just ask again.',
  ].join(' ')
}

function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
