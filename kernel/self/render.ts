/**
 * Renders the self-description sections for a prompt (M-03, M-13): one line each, in fixed order, within a token budget, with a
 * count of omitted entries. Pure; words come from `templates/`. Called by prompt/layout.ts.
 */

import * as z from 'zod/mini'
import { err, ok, type Result } from '../flow/verdict.ts'
import { estimateTokens } from '../prompt/budget.ts'
import {
  type Audience,
  INTEGRATION_STATES,
  type Integration,
  type IntegrationState,
  type Named,
  type RecentTurn,
  SECTIONS,
  SELF_KINDS,
  type SelfSection,
} from './section.ts'
import { OWN_NAME } from './snapshot.ts'

/**
 * Estimated tokens for all lists of a part together (M-13): room that one list does not use goes to the others. Separate
 * budgets, because the cached part must not change with the volatile one.
 */
const ROOM = Object.freeze({ stable: 250, volatile: 90 })
/** Minutes of an hour, hours of a day, as limits for the unit of an age. */
const AGO = Object.freeze({ hour: 60, day: 24 })

interface Rendering {
  readonly sections: readonly SelfSection[]
  readonly audience: Audience
  readonly words: SelfWords
  /** For a planner: omits tone and rules for answers, which it does not write. */
  readonly plans?: boolean
}

/** Both parts. The volatile one is empty if there are no recent turns and no open questions. */
export function renderSelf(rendering: Rendering): { readonly stable: string; readonly volatile: string } {
  const { audience, words, plans = false } = rendering
  const { all, owner, plan } = words.rules
  const rules = plans ? plan : [...all, ...(audience === 'owner' ? owner : [])]
  const stable = [plans ? '' : toneOf(rendering), ...linesOf('stable', rendering), ...rules]
  return {
    stable: stable.filter((line) => line !== '').join('\n'),
    volatile: linesOf('volatile', rendering).join('\n'),
  }
}

function toneOf({ sections, audience, words }: Rendering): string {
  const persona = sections.find((section) => section.kind === 'persona')
  if (persona === undefined) return ''
  const { name, style } = persona
  if (style !== null) return words.style.replace('{style}', () => style)
  return name === OWN_NAME && audience === 'owner' ? words.first_run : ''
}

type Listed = keyof SelfWords['lists']

interface List {
  readonly kind: Listed
  readonly items: readonly string[]
}

/** In fixed order, each with as many entries as the part's budget allows. */
function linesOf(part: 'stable' | 'volatile', { sections, words }: Rendering): readonly string[] {
  const lists = SELF_KINDS.filter((kind) => SECTIONS[kind].part === part)
    .flatMap((kind) => sections.filter((section) => section.kind === kind))
    .map((section) => listOf(section, words))
    .filter((list) => list !== null)
  const room = fairShare(
    lists.map(({ items }) => sizeOf(items)),
    ROOM[part],
  )
  return lists.map((list) => lineOf(list, words, room))
}

function listOf(section: SelfSection, words: SelfWords): List | null {
  const items = itemsOf(section, words)
  return section.kind === 'persona' || items.length === 0 ? null : { kind: section.kind, items }
}

function itemsOf(section: SelfSection, words: SelfWords): readonly string[] {
  switch (section.kind) {
    case 'persona':
      return []
    case 'integrations':
      return section.items.map((item) => integrationText(item, words))
    case 'categories':
      return section.names
    case 'preferences':
      return section.lines
    case 'recent':
      return section.turns.map((turn) => turnText(turn, words))
    default:
      return section.items.map(namedText)
  }
}

function sizeOf(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + estimateTokens(item) + 1, 0)
}

/** The largest size per list at which all lists fit: small lists stay whole, large ones share the rest. */
function fairShare(sizes: readonly number[], room: number): number {
  let left = room
  const rising = sizes.toSorted((a, b) => a - b)
  for (const [index, size] of rising.entries()) {
    const share = left / (rising.length - index)
    if (size > share) return share
    left -= size
  }
  return room
}

/** As many entries as fit, then the number of omitted ones. */
function lineOf({ kind, items }: List, words: SelfWords, room: number): string {
  let used = 0
  const shown = items.filter((item) => {
    used += sizeOf([item])
    return used <= room
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

/** Age in words, in whole units. */
function agoText(minutes: number, { ago }: SelfWords): string {
  if (minutes < 1) return ago.now
  if (minutes < AGO.hour) return ago.minutes.replace('{count}', String(minutes))
  const hours = Math.floor(minutes / AGO.hour)
  if (hours < AGO.day) return ago.hours.replace('{count}', String(hours))
  return ago.days.replace('{count}', String(Math.floor(hours / AGO.day)))
}

const sentence = z.string().check(z.minLength(1), z.maxLength(400))
/** A sentence with a placeholder for a list. */
const listing = sentence.check(z.regex(/\{items\}/))

const schema = z.strictObject({
  style: sentence.check(z.regex(/\{style\}/)),
  first_run: sentence,
  lists: z.strictObject({
    integrations: listing,
    skills: listing,
    channels: listing,
    jobs: listing,
    categories: listing,
    preferences: listing,
    recent: listing,
    pending: listing,
  }),
  more: sentence.check(z.regex(/\{count\}/)),
  states: z.record(z.enum(INTEGRATION_STATES), sentence),
  ago: z.strictObject({ now: sentence, minutes: sentence, hours: sentence, days: sentence }),
  rules: z.strictObject({
    all: z.array(sentence).check(z.minLength(1)),
    owner: z.array(sentence),
    plan: z.array(sentence),
  }),
})

export type SelfWords = z.output<typeof schema> & {
  readonly states: Readonly<Record<IntegrationState, string>>
}

/** Refusal: template_malformed, with the position in the file. */
export function parseSelfWords(decoded: unknown): Result<SelfWords> {
  const parsed = schema.safeParse(decoded)
  return parsed.success
    ? ok(parsed.data)
    : err('template_malformed', {
        file: 'self.toml',
        field: parsed.error.issues[0]?.path.join('.') ?? '',
      })
}
