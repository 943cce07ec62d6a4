/**
 * The sections as text for a prompt (M-03, M-13): one line each, in the fixed order, within a budget of tokens, with a
 * count of what was left out. Pure; words come from `templates/`. Called by prompt/layout.ts.
 */

import {
  type Audience,
  type Integration,
  type Named,
  type RecentTurn,
  SECTIONS,
  SELF_KINDS,
  type SelfSection,
} from './section.ts'
import { OWN_NAME } from './snapshot.ts'
import type { SelfWords } from './words.ts'

/** UTF-16 units of one list: ten services, ten skills and five jobs stay under 400 tokens together (M-13). */
const LIST_LENGTH = 420
/** Minutes of an hour, hours of a day. */
const AGO = Object.freeze({ hour: 60, day: 24 })

export interface Rendering {
  readonly sections: readonly SelfSection[]
  readonly audience: Audience
  readonly words: SelfWords
}

/** Both parts; the volatile one is empty where nothing was said and nothing waits. */
export function renderSelf(rendering: Rendering): { readonly stable: string; readonly volatile: string } {
  const { audience, words } = rendering
  const lines = (part: 'stable' | 'volatile'): readonly string[] =>
    SELF_KINDS.filter((kind) => SECTIONS[kind].part === part)
      .flatMap((kind) => rendering.sections.filter((section) => section.kind === kind))
      .map((section) => lineOf(section, rendering))
      .filter((line) => line !== '')
  const rules = [...words.rules.all, ...(audience === 'owner' ? words.rules.owner : [])]
  return { stable: [...lines('stable'), ...rules].join('\n'), volatile: lines('volatile').join('\n') }
}

function lineOf(section: SelfSection, { audience, words }: Rendering): string {
  switch (section.kind) {
    case 'persona': {
      const style = section.style === null ? '' : words.style.replace('{style}', () => section.style ?? '')
      const isNew = section.style === null && section.name === OWN_NAME
      return isNew && audience === 'owner' ? words.first_run : style
    }
    case 'integrations':
      return listOf(
        words,
        'integrations',
        section.items.map((item) => integrationText(item, words)),
      )
    case 'categories':
      return listOf(words, 'categories', section.names)
    case 'preferences':
      return listOf(words, 'preferences', section.lines)
    case 'recent':
      return listOf(
        words,
        'recent',
        section.turns.map((turn) => turnText(turn, words)),
      )
    default:
      return listOf(words, section.kind, section.items.map(namedText))
  }
}

/** As many entries as fit, then how many did not. */
function listOf(words: SelfWords, kind: keyof SelfWords['lists'], items: readonly string[]): string {
  if (items.length === 0) return ''
  let used = 0
  const shown = items.filter((item) => {
    used += item.length + 2
    return used <= LIST_LENGTH
  })
  const left = items.length - shown.length
  const more = left === 0 ? [] : [words.more.replace('{count}', String(left))]
  return words.lists[kind].replace('{items}', () => [...shown, ...more].join(', '))
}

function integrationText({ name, tools, state }: Integration, words: SelfWords): string {
  return `${name} (${tools}, ${words.states[state]})`
}

function namedText({ name, note }: Named): string {
  return note === '' ? name : `${name} (${note})`
}

function turnText({ minutes, words: said }: RecentTurn, words: SelfWords): string {
  return `${agoText(minutes, words)}: "${said}"`
}

/** How long ago, in words: the whole units. */
function agoText(minutes: number, { ago }: SelfWords): string {
  if (minutes < 1) return ago.now
  if (minutes < AGO.hour) return ago.minutes.replace('{count}', String(minutes))
  const hours = Math.floor(minutes / AGO.hour)
  if (hours < AGO.day) return ago.hours.replace('{count}', String(hours))
  return ago.days.replace('{count}', String(Math.floor(hours / AGO.day)))
}
