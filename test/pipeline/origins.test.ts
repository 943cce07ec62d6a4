/**
 * Every origin of an event by the provenance table: label and taint of the words, and the place that follows from them.
 * An adapter that no row is for is sensitive and raw.
 */
import { expect, it } from 'vitest'
import { routeEvent, sentBy } from '../../kernel/features/people/route.ts'
import { describeLabel } from '../../kernel/flow/label.ts'
import type { Place } from '../../kernel/flow/place.ts'
import type { Agreement } from '../../kernel/task/agreement.ts'
import { createWorld, FRIDAY_NOON, message } from './world.ts'

/** One that takes anything anybody sends, at the edge too. */
const templates = ['third_party', 'paired', 'webhook', 'cron'].map((as) => ({
  template_id: `any_${as}`,
  triggers: [`adapter:*:message:${as}`],
  principal_class: as,
  description: 'Something came.',
  planner_task_description: 'Something came.',
  allowed_tools: [],
  max_tool_calls: 0,
  max_tokens_plan: 500,
  max_tokens_synthesize: 500,
  output_sinks: ['reply_to_sender'],
  data_ceiling: 'internal',
}))

const worlds = {
  edge: createWorld({ place: 'edge', templates }),
  home: createWorld({ templates }),
} satisfies Readonly<Record<Place, unknown>>

function routed(place: Place, source: object): string {
  const event = { ...message('hi', { id: 'e1', place: 'edge' }), source: { group: false, ...source } }
  const sent = sentBy(worlds[place].powers, event)
  if (!sent.ok) return sent.reason.code
  const made = routeEvent(worlds[place].powers, sent.value)
  if (!made.ok) return made.reason.code
  return `${describeLabel(made.value.words.label)} ${made.value.words.taint.level}`
}

const ELSEWHERE = 'place_not_cleared'

it.each([
  ['telegram', '3', 'internal raw', ELSEWHERE],
  ['whatsapp', '+34665030077', 'internal raw', ELSEWHERE],
  ['slack', 'W1:U2', 'internal raw', ELSEWHERE],
  ['webhook', 'fireflies', ELSEWHERE, 'sensitive raw'],
  ['cron', 'daily', ELSEWHERE, 'sensitive raw'],
  ['pigeon', '3', ELSEWHERE, 'sensitive raw'],
  ['terminal', 'root', ELSEWHERE, 'sensitive raw'],
  // An adapter by the name of a row is not that row.
  ['public_page', '3', ELSEWHERE, 'sensitive raw'],
  ['constructor', '3', ELSEWHERE, 'sensitive raw'],
])('what %s brings from %s is, at the edge, %s, and at home %s', (adapter, user, edge, home) => {
  const source = { adapter, user, chat: user }
  expect([routed('edge', source), routed('home', source)]).toEqual([edge, home])
})

it('of a group it is as of one who writes alone', () => {
  expect(routed('edge', { adapter: 'telegram', user: '3', chat: '-100', group: true })).toBe('internal raw')
  expect(routed('edge', { adapter: 'pigeon', user: '3', chat: '-100', group: true })).toBe(ELSEWHERE)
})

it.each([
  ['telegram', 'edge', 'internal raw'],
  ['pigeon', 'edge', ELSEWHERE],
  ['pigeon', 'home', 'sensitive raw'],
] as const)('what a paired person brings by %s is, at %s: %s', (adapter, place, expected) => {
  const principal = `principal:${adapter}:peer:2`
  const agreement: Agreement = {
    ...{ id: 'a1', templates: ['any_paired'], code: 'ab', state: 'live', principal, told: true },
    ...{ sink: `sink:${adapter}:2`, createdAt: 0, openUntil: FRIDAY_NOON, expiresAt: FRIDAY_NOON + 1 },
  }
  worlds[place].disk.store.saveAgreement(agreement, null)
  expect(routed(place, { adapter, user: '2', chat: '2' })).toBe(expected)
})
