/** Sinks: wildcard patterns stay inside one namespace of one principal; which allow lists meet an atom. */
import { describe, expect, it } from 'vitest'
import { guardOf, listsFor, matchesPattern, ownWordsOrigin } from '../../kernel/flow/sink.ts'
import { atom, HEALTH, OWNER, sink } from './fixtures.ts'

const OWNED = sink('sink:notion:work', 'sensitive')
const BOBS = sink('sink:notion:bobs', 'sensitive', { principal: 'bob' })

describe('matchesPattern', () => {
  it.each([
    ['sink:notion:work', OWNED, true],
    ['sink:notion:wor', OWNED, false],
    ['sink:notion:work:page', OWNED, false],
    ['sink:notion:*', OWNED, true],
    ['sink:notion:*', BOBS, false],
    ['sink:notion:bobs', BOBS, true],
    ['sink:github:*', OWNED, false],
    ['sink:not:*', OWNED, false],
    ['sink:*', OWNED, false],
    [':*', OWNED, false],
    ['*', OWNED, false],
    ['', OWNED, false],
    ['sink:notion:w*', OWNED, false],
    ['sink:notion*', OWNED, false],
    ['sink:notion:work:*', OWNED, false],
    ['sink:notion:work:*', sink('sink:notion:work:page', 'sensitive'), false],
    ['sink:Notion:*', sink('sink:Notion:work', 'sensitive'), false],
    ['x-sink:notion:*', sink('x-sink:notion:work', 'sensitive'), false],
    ['sink:n2_a:*', sink('sink:n2_a:work', 'sensitive'), true],
    ['sink:2n:*', sink('sink:2n:work', 'sensitive'), false],
    ['sink:notion:*', sink('x:sink:notion:work', 'sensitive'), false],
  ])('%s on %o is %s', (pattern, target, expected) => {
    expect(matchesPattern(pattern, target, OWNER)).toBe(expected)
  })
})

describe('guards', () => {
  it('name a level, and its compartment if any', () => {
    expect(guardOf('sensitive', null)).toBe('sensitive')
    expect(guardOf('regulated', HEALTH)).toBe('regulated:health')
  })
})

describe('listsFor', () => {
  const list = (guard: string) => ({ guard, patterns: [guard] })
  it.each([
    ['sensitive', ['sensitive', 'internal'], ['sensitive']],
    ['sensitive', ['internal'], []],
    ['regulated:health', ['regulated', 'regulated:health'], ['regulated:health']],
    ['regulated:health', ['regulated', 'regulated:finance'], ['regulated']],
    ['regulated', ['regulated:health'], []],
    ['sensitive', ['sensitive', 'sensitive'], ['sensitive', 'sensitive']],
  ])('%s with lists %j meets %j', (guard, lists, expected) => {
    expect(listsFor(lists.map(list), atom(guard)).map((met) => met.guard)).toEqual(expected)
  })
})

it('names the origin of what the only reader of a chat typed there', () => {
  expect(ownWordsOrigin('sink:telegram:owner')).toBe('chat:sink:telegram:owner')
})
