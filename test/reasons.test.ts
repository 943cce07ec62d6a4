/**
 * Every reason code stands once, in the list of the lowest kernel folder that gives it, or under a line that says who gives it; and
 * somebody does. Read from the syntax tree: a code that is only compared, listed or named in a type is not given.
 */
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it } from 'vitest'
import { isReasonCode, REASON_CODES } from '../kernel/reasons.ts'
import { readTree } from '../scripts/source-check.ts'
import { factsOf } from '../scripts/source-facts.ts'

const JOINED = 'kernel/reasons.ts'
const LIST = /^kernel\/.+\/reasons\.ts$/
const PRODUCT = /^(?:kernel|integrations|durable-objects|worker|sidecar)\/.+\.ts$/
/** Puts a code into words for people and gives none; the lists themselves give none either. */
const NO_GIVER = [JOINED, 'kernel/wording/']

interface Group {
  readonly folder: string
  /** Path prefixes of those who give the codes; the folder itself where the file names nobody. */
  readonly by: readonly string[]
  readonly codes: readonly string[]
}

const TREE = [...readTree()].filter(([path]) => PRODUCT.test(path))
const GIVEN = TREE.filter(([path]) => !LIST.test(path) && !NO_GIVER.some((no) => path.startsWith(no))).map(
  ([path, text]) => ({ path, codes: givenIn(path, text) }),
)
const LISTS = factsOf(JOINED, textOf(JOINED)).imports.map(({ name }) => name)
/** The lists in the order in which they are joined: lower folders first. */
const FOLDERS = [...textOf(JOINED).matchAll(/\.\.\.(\w+),/g)].map(([, name]) => {
  const list = LISTS.find((path) => textOf(path).includes(`export const ${name} =`))
  return `${posix.dirname(list ?? '')}/`
})
const GROUPS = FOLDERS.flatMap((folder) => groupsOf(folder, textOf(`${folder}reasons.ts`)))

describe('reason codes', () => {
  it('are joined from every list of the kernel, and from nothing else', () => {
    expect([...LISTS].sort()).toEqual(TREE.map(([path]) => path).filter((path) => LIST.test(path)))
    expect(FOLDERS.length).toBe(LISTS.length)
    for (const list of LISTS) expect(factsOf(list, textOf(list)).imports, list).toEqual([])
    expect(GROUPS.flatMap(({ codes }) => codes)).toEqual([...REASON_CODES])
  })

  it('stand once, in a list that nobody changes', () => {
    expect(REASON_CODES.filter((code, at) => REASON_CODES.indexOf(code) !== at)).toEqual([])
    expect(Object.isFrozen(REASON_CODES)).toBe(true)
  })

  it('are given by the folder that they stand in, or by those whom its list names', () => {
    const wrong = GROUPS.flatMap(({ folder, by, codes }) => [
      ...codes
        .filter((code) => !by.some((path) => isGiven(code, path)))
        .map((code) => `${folder}: ${code} is not given by ${by.join(', ')}`),
      ...by
        .filter((path) => !codes.some((code) => isGiven(code, path)))
        .map((path) => `${folder}: ${path} gives none of ${codes.join(', ')}`),
      ...codes
        .filter((code) => !by.includes(folder) && isGiven(code, folder))
        .map((code) => `${folder}: ${code} is given by the folder itself`),
    ])
    expect(wrong).toEqual([])
  })

  it('stand in the lowest folder that gives them', () => {
    const wrong = GROUPS.flatMap(({ folder, codes }) =>
      lowerThan(folder).flatMap((lower) =>
        codes.filter((code) => isGiven(code, lower)).map((code) => `${folder}: ${code} is given by ${lower}`),
      ),
    )
    expect(wrong).toEqual([])
  })

  it.each([
    ['an argument', "err('write_raw')", ['write_raw']],
    ['a property', "const x = { code: 'write_raw' as const }", ['write_raw']],
    ['one of two', "const x = a ? 'write_raw' : 'task_stuck'", ['write_raw', 'task_stuck']],
    ['in what a list is made of', "const x = [err('write_raw')]", ['write_raw']],
    ['compared', "const x = code === (a ? 'write_raw' : 'task_stuck')", []],
    ['a case', "switch (code) { case 'write_raw': y() }", []],
    ['looked up in a list', "['write_raw', 'task_stuck'].includes(code)", []],
    ['a type', "type X = { code: 'write_raw' }; y('write_raw2' as 'write_raw')", []],
    ['a key', "const x = { 'write_raw': 1 }", []],
    ['in a comment', "// err('write_raw')", []],
  ])('%s', (_, text, given) => {
    expect(givenIn('x.ts', text)).toEqual(given)
  })

  it.each([
    ['write_raw', true],
    ['internal_fault', true],
    ['because', false],
    ['', false],
    ['length', false],
    [0, false],
    [undefined, false],
    [['write_raw'], false],
  ])('isReasonCode(%j) is %s', (input, expected) => {
    expect(isReasonCode(input)).toBe(expected)
  })
})

function textOf(path: string): string {
  return TREE.find(([one]) => one === path)?.[1] ?? ''
}

/** Features stand beside one another. */
function lowerThan(folder: string): readonly string[] {
  const isFeature = (path: string): boolean => path.startsWith('kernel/features/')
  return FOLDERS.slice(0, FOLDERS.indexOf(folder)).filter((lower) => !(isFeature(lower) && isFeature(folder)))
}

function isGiven(code: string, by: string): boolean {
  return GIVEN.some(({ path, codes }) => path.startsWith(by) && codes.includes(code))
}

function groupsOf(folder: string, text: string): readonly Group[] {
  const [own = '', ...named] = text.split('// given by ')
  const codesOf = (part: string): string[] => [...part.matchAll(/'(\w+)'/g)].map(([, code = '']) => code)
  return [
    { folder, by: [folder], codes: codesOf(own) },
    ...named.map((part) => ({ folder, by: part.split('\n', 1)[0]?.split(', ') ?? [], codes: codesOf(part) })),
  ].filter(({ by, codes }) => codes.length > 0 || !by.includes(folder))
}

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}

function givenIn(path: string, text: string): readonly string[] {
  const found: string[] = []
  const walk = (node: Node): void => {
    const { type, value } = node
    if (type === 'Literal' && isReasonCode(value)) found.push(value)
    for (const child of Object.keys(node).flatMap((key) => childrenOf(node, key))) walk(child)
  }
  walk(parseSync(path, text).program as unknown as Node)
  return found
}

/** What may give a code: nothing that is compared, a key or a type, and no literal in a list. */
function childrenOf({ type, ...node }: Node, key: string): readonly Node[] {
  const isRead = type === 'BinaryExpression' || (type === 'SwitchCase' && key === 'test')
  if (isRead || (type === 'Property' && key === 'key')) return []
  return [node[key]]
    .flat()
    .filter(isNode)
    .filter((child) => !child.type.startsWith('TS') || 'expression' in child)
    .filter((child) => !(type === 'ArrayExpression' && child.type === 'Literal'))
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
