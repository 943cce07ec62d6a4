/** What the trained table alone tells: talk, bare lists, and questions in words that no sentence has; and what it must not be trusted with. */
import { describe, expect, it } from 'vitest'
import { readingOf } from '../../bench/phrases/score.ts'
import { createZone } from '../../integrations/dates/zone.ts'
import { isLikely, likelyOf } from '../../integrations/extractors/learned/likely.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { saidMessages } from '../../scripts/train/said.ts'
import { processorTime } from '../kit/processor-time.ts'

const moment = () => ({ now: Date.parse('2026-11-22T09:00:00Z'), zone: createZone('Europe/Berlin') })
const toolsOf = (text: string): readonly string[] => readingOf(text).calls.map(({ tool }) => tool)

describe('the messages that it learns from', () => {
  const lines = saidMessages()

  it('are many, each of one line and short', () => {
    expect(lines.length).toBeGreaterThan(10_000)
    expect(lines.filter(({ label, text }) => label === '' || text === '' || text.length > 400)).toEqual([])
  })

  it('are of what there is', () => {
    const actions = new Set(TOOL_MANIFESTS.flatMap(({ actions: own }) => own.map(({ id }) => id)))
    const families = new Set([...actions].map((id) => id.split('.')[0]))
    const unknown = lines
      .map(({ label }) => label)
      .filter((label) => families.has(label.split('.')[0] ?? '') && !actions.has(label))
    expect([...new Set(unknown)].sort()).toEqual(KNOWN_ELSEWHERE)
  })
})

/** Said of a service, and read by code or not at all. */
const KNOWN_ELSEWHERE: readonly string[] = []

describe('likelihoods', () => {
  it('add up to one, the highest first', () => {
    const likely = likelyOf('any word from the plumber', moment())
    expect(likely.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1)
    expect([...likely].sort((a, b) => b.score - a.score)).toEqual(likely)
  })

  it.each([
    ['what time am i on tomorrow, early or late', 'calendar.list_events'],
    ['whens parents evening again', 'calendar.list_events'],
    ['how do you get red wine out of a carpet', 'web.search'],
    ['wie lange muss reis kochen', 'web.search'],
    ['thanks so much, you are a lifesaver', 'chat'],
  ])('know %s', (text, label) => expect(isLikely(text, label, 0.5, moment())).toBe(true))
})

describe('a question in words that no sentence has', () => {
  it.each([
    ['how many hours did i actually sleep last week, felt like nothing', ['health.measure']],
    ['wie lange muss man eigentlich spargel kochen', ['web.search']],
    ['whats the deal with the bank holiday rules in scotland', ['web.search']],
  ])('is answered: %s', (text, tools) => expect(toolsOf(text)).toEqual(tools))

  it.each([
    ['any idea what they need'],
    ['every morning what is on'],
    ['if it rains what is on tomorrow'],
    ['what do i have tomorrow and tell Sarah about it'],
  ])('is not one with a condition, a repetition, an order, or nothing that it names: %s', (text) => {
    const tools = toolsOf(text)
    expect(tools.filter((tool) => tool === 'web.search')).toEqual([])
    expect(readingOf(text).calls.length === 0 || readingOf(text).inPart).toBe(true)
  })
})

describe('a bare list', () => {
  it.each([
    ['milk, bread, those blister plasters, cat food', 4],
    ['hafermilch, nudeln, klopapier', 3],
  ])('goes on the list: %s', (text, count) =>
    expect(toolsOf(text)).toEqual(new Array<string>(count).fill('task.add')),
  )

  it.each(['Sarah, Tom and Priya', 'tomorrow, friday'])('is not: %s', (text) =>
    expect(toolsOf(text)).not.toContain('task.add'),
  )

  it('ends where a question begins', () =>
    expect(toolsOf('milk, bread. did Tom write?')).toEqual(['task.add', 'task.add', 'email.list']))
})

describe('what changes something', () => {
  it.each(['bin the whole lot of linkedin stuff would you', 'shove my friday things to some other day'])(
    'is not done because it is likely: %s',
    (text) => expect(toolsOf(text).filter((tool) => !/\.(?:list|search|freebusy)/.test(tool))).toEqual([]),
  )
})

describe('a long text', () => {
  it.each([
    ['dots', `${'.'.repeat(80_000)}x`],
    ['commas', 'a, '.repeat(30_000)],
    ['words', 'milk and '.repeat(10_000)],
  ])('is let be in time: %s', (_, text) => {
    expect(readingOf(text).calls.length).toBeLessThanOrEqual(1)
    expect(processorTime(() => readingOf(text))).toBeLessThan(2_000)
  })
})
