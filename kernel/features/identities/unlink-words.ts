/** Words for the owner when they end a link of two accounts. Words only. Called by unlink.ts. */
import type { Place } from '../../flow/place.ts'

export const NOT_LINKED = 'No two accounts are linked here.'

type Names = readonly string[]

export function whichLink(links: readonly Names[]): string {
  return ['Which of these? Say /unlink and one of its accounts, or both:', ...links.map(lineOf)].join('\n')
}

export function noneOfThat(links: readonly Names[]): string {
  return ['No account of that name is linked. Linked are:', ...links.map(lineOf)].join('\n')
}

export function unlinkedText(names: Names, place: Place): string {
  const final = place === 'home' ? '' : ' It holds here at once, and at home as soon as that hears of it.'
  return `Unlinked: ${names.join(' and ')}. From now on neither sees what the other says.${final} What was shown to either until now cannot be recalled.`
}

export function notEnded(why: string): string {
  return `That link still holds. ${why}`
}

function lineOf(names: Names): string {
  return names.join(' and ')
}
