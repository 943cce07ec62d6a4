/** A name that is on somebody's disk or on the wire stays (DESIGN §9, "The past stays readable"). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import * as z from 'zod/mini'
import { compare, frozenNames, type Names } from './derive.ts'
import { namesOfSchema } from './schema-names.ts'
import { keyValueNames, literalTypes, membersOf, prefixedStrings } from './source-names.ts'

const FROZEN: Names = JSON.parse(readFileSync(join(import.meta.dirname, 'names.json'), 'utf8'))

const NOW = await frozenNames()

it('every frozen name is still read and written by that name, and every new one is frozen', () => {
  const { gone, added } = compare(FROZEN, NOW)
  expect(gone, 'a name that somebody has on disk: map the new word to it in one place').toEqual([])
  expect(added, 'a new name: `npm run frozen` adds it').toEqual([])
})

it('each kind of name is found at all', () => {
  for (const [kind, names] of Object.entries(NOW)) expect(names.length, kind).toBeGreaterThan(1)
})

it('a changed name is told as one that is gone and one that is new', () => {
  const now = { ...FROZEN, 'reason codes': ['another_code', ...(FROZEN['reason codes'] ?? []).slice(1)] }
  expect(compare(FROZEN, now)).toEqual({
    gone: [`reason codes: ${FROZEN['reason codes']?.[0]}`],
    added: ['reason codes: another_code'],
  })
})

it.each([
  ['more words are all of the old ones', 'x.y -> by: enum a b c', []],
  ['a word less is gone', 'x.y -> by: enum a c', ['tools: x.y -> by: enum a b']],
  ['those of another field are others', 'x.y -> of: enum a b c', ['tools: x.y -> by: enum a b']],
])('of a closed list %s', (_, now, gone) => {
  expect(compare({ tools: ['x.y -> by: enum a b'] }, { tools: [now] }).gone).toEqual(gone)
})

const SOURCE = {
  path: 'example.ts',
  text: `
    const PAGE = 'page:', OTHER = \`share:\${day}:\`
    export type State = 'waiting' | 'done'
    export interface Env { readonly SEAL_KEY: string; readonly mode: 'a' | 'b' }
    kv.put(PAGE + id, 'not a key'); ctx.storage.kv.get(OTHER); kv.list({ prefix: 'x:' }); map.get('no')
    const purpose = 'pfar/thing/1', sink = \`sink:\${adapter}:open\`
  `,
}

it.each([
  ['string types', literalTypes(SOURCE), ['waiting', 'done', 'a', 'b']],
  ['members', membersOf(SOURCE, 'Env'), ['Env.SEAL_KEY', 'Env.mode: a', 'Env.mode: b']],
  ['keys', keyValueNames(SOURCE), ['page:', 'share:*:', 'x:']],
  ['purposes', prefixedStrings(SOURCE, ['pfar/']), ['pfar/thing/1']],
  ['sinks', prefixedStrings(SOURCE, ['sink:']), ['sink:*:open']],
])('a source gives its %s', (_, found, expected) => {
  expect(found).toEqual(expected)
})

it('a schema gives its fields, tags and words', () => {
  const schema = z.union([
    z.strictObject({ type: z.literal('a'), of: z.array(z.enum(['x', 'y'])) }),
    z.strictObject({ type: z.literal('b'), at: z.exactOptional(z.number()) }),
  ])
  expect(namesOfSchema(schema)).toEqual([
    '(a).type: a',
    '(a).of[]: x',
    '(a).of[]: y',
    '(b).type: b',
    '(b).at: number',
  ])
})
