/** Plain data: canonical bytes are one to one with data (invariant 6); paths never reach a prototype. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canonicalJson,
  isPlainRecord,
  isSafeKey,
  type Json,
  type Path,
  valueAt,
} from '../../kernel/flow/json.ts'
import { json } from './arbitraries.ts'

describe('canonicalJson', () => {
  it.each<[Json, string]>([
    [null, 'null'],
    [true, 'true'],
    [1.5, '1.5'],
    ['a"b', '"a\\"b"'],
    ['\u{d800}', '"\\ud800"'],
    [[], '[]'],
    [{}, '{}'],
    [[1, [2]], '[1,[2]]'],
    [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
    [{ B: 1, a: 2, '\u{1f600}': 3, '￿': 4 }, '{"B":1,"a":2,"\u{1f600}":3,"￿":4}'],
  ])('%j is %s', (tree, text) => {
    expect(canonicalJson(tree)).toBe(text)
  })

  it('is the same for the same data in any order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), json), (tree) => {
        const reversed = Object.fromEntries(Object.entries(tree).reverse())
        expect(canonicalJson(reversed)).toBe(canonicalJson(tree))
      }),
    )
  })

  it('loses nothing, so different data has different bytes', () => {
    fc.assert(
      fc.property(json, (tree) => {
        expect(JSON.parse(canonicalJson(tree))).toEqual(tree)
      }),
    )
  })

  it.each<[string, unknown]>([
    ['NaN', Number.NaN],
    ['infinity', { a: Number.POSITIVE_INFINITY }],
    ['undefined', { a: undefined }],
    ['a hole', new Array(1)],
    ['a date', { at: new Date(0) }],
    ['a map', new Map()],
    ['a function', () => 1],
    ['a bigint', [1n]],
  ])('throws on %s, which is no plain data', (_, tree) => {
    expect(() => canonicalJson(tree as Json)).toThrow('no canonical bytes')
  })
})

describe('valueAt', () => {
  const tree: Json = { a: [{ b: 1 }, null], s: 'text', '0': 'zero' }
  it.each<[Path, Json | undefined]>([
    [[], tree],
    [['a', 0, 'b'], 1],
    [['a', 1], null],
    [['0'], 'zero'],
    [['a', 2], undefined],
    [['a', -1], undefined],
    [['a', 'length'], undefined],
    [['a', '0'], undefined],
    [[0], undefined],
    [['a', 1, 'x'], undefined],
    [['s', 'length'], undefined],
    [['s', 0], undefined],
    [['missing', 'deeper'], undefined],
    [['__proto__'], undefined],
    [['constructor', 'name'], undefined],
    [['a', 'map'], undefined],
  ])('%j', (path, expected) => {
    expect(valueAt(tree, path)).toEqual(expected)
  })
})

describe('isPlainRecord and isSafeKey', () => {
  it.each<[string, unknown, boolean]>([
    ['a literal', {}, true],
    ['no prototype', Object.create(null), true],
    ['null', null, false],
    ['a list', [], false],
    ['a date', new Date(0), false],
    ['a heir', Object.create({ a: 1 }), false],
    ['a string', 'x', false],
    ['a function', () => 1, false],
    ['undefined', undefined, false],
  ])('%s', (_, input, expected) => {
    expect(isPlainRecord(input)).toBe(expected)
  })

  it.each([
    ['__proto__', false],
    ['prototype', false],
    ['constructor', false],
    ['proto', true],
    ['', true],
  ])('key %j is safe: %s', (key, expected) => {
    expect(isSafeKey(key)).toBe(expected)
  })
})
