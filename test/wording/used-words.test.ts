/**
 * Each key of `words/*.toml` is used (STYLE 11): it stands in a source, or a source puts it together from words that stand there. English files alone are
 * read, as the other languages have the same keys (languages.test.ts).
 */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, it, test } from 'vitest'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import { OPERATIONS } from '../../kernel/operations/index.ts'
import { isReasonCode } from '../../kernel/reasons.ts'
import { spokenUnits } from '../../scripts/tables/features.ts'
import { toolFolders } from '../../scripts/tables/tools.ts'
import { ENGLISH, wordsIn } from '../../scripts/tables/words.ts'
import { createProgram } from '../../sidecar/cli/program.ts'
import { bench } from '../terminal/command-bench.ts'

const ROOT = join(import.meta.dirname, '../..')
const PRODUCT = '{kernel,integrations,durable-objects,worker,sidecar,scripts/start}/**'

/** A name that is put together, as its fixed parts: `init.search_key_${engine}` is ["init.search_key_", ""]. */
interface Made {
  readonly parts: readonly string[]
  /** Pieces that its file puts together, such as `rule_${why}`. */
  readonly pieces: readonly (readonly string[])[]
}

interface Source {
  /** Texts, and names of fields. */
  readonly known: ReadonlySet<string>
  readonly made: readonly Made[]
}

/** Of code by its syntax tree, so that a word in a comment uses nothing; of TOML by its quoted values. */
function sourceOf(codes: readonly string[], data = ''): Source {
  const known = new Set([...data.matchAll(/"([^"\n]{1,80})"/g)].map(([, value = '']) => value))
  const made = codes.flatMap((code) => {
    const templates: (readonly string[])[] = []
    visit(parseSync('x.ts', code).program, (node) => {
      const { type, value, key, quasis } = node
      if (type === 'Literal' && typeof value === 'string') known.add(value)
      if (isNode(key) && typeof key['name'] === 'string') known.add(key['name'])
      if (type === 'TemplateLiteral' && Array.isArray(quasis))
        templates.push(quasis.map(({ value: { cooked } }) => String(cooked)))
    })
    for (const [only = '', ...more] of templates) if (more.length === 0) known.add(only)
    const pieces = templates.filter(
      (parts) => parts.length > 1 && parts.every((part) => /^[a-z_]*$/.test(part)),
    )
    return templates.filter(([first = '']) => /^[a-z_-]+\./.test(first)).map((parts) => ({ parts, pieces }))
  })
  const begun = [...known].filter((text) => /^[a-z_-]+\.\w*_$/.test(text))
  return { known, made: [...made, ...begun.map((text) => ({ parts: [text, ''], pieces: [] }))] }
}

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

function visit(value: unknown, look: (node: Node) => void): void {
  if (!isNode(value)) return
  if ('type' in value) look(value)
  for (const one of Object.values(value)) visit(one, look)
}

const read = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOT }).map((path) => readFileSync(join(ROOT, path), 'utf8'))

/** Whether the fixed parts, with known words or pieces between them, make this name. `email.send` is put into one as `email_send`. */
function makes({ parts, pieces }: Made, name: string, known: Source['known']): boolean {
  const [first = '', second, ...rest] = parts
  if (!name.startsWith(first)) return false
  const left = name.slice(first.length)
  if (second === undefined) return left === ''
  const isPiece = (text: string): boolean =>
    known.has(text) ||
    known.has(text.replace('_', '.')) ||
    pieces.some((piece) => makes({ parts: piece, pieces: [] }, text, known))
  return Array.from({ length: left.length }, (_, at) => at + 1).some(
    (end) =>
      makes({ parts: [second, ...rest], pieces }, left.slice(end), known) && isPiece(left.slice(0, end)),
  )
}

const isSaid = (name: string, { known, made }: Source): boolean =>
  known.has(name) || made.some((one) => makes(one, name, known))

type Words = Readonly<Record<string, unknown>>
const isTable = (value: unknown): value is Words =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const keysOf = (value: unknown): readonly string[] => (isTable(value) ? Object.keys(value) : [])
const tablesOf = (words: Words): readonly (readonly [string, Words])[] =>
  Object.entries(words).filter((entry): entry is [string, Words] => isTable(entry[1]))

const ALL = sourceOf(read(`${PRODUCT}/*.ts`), read('{sidecar,templates}/**/!(en|de).toml').join('\n'))
/** A code is known where it is listed; it is used where something is refused for it. */
const REFUSING = sourceOf(read(`${PRODUCT}/!(reasons).ts`))

describe('the measure', () => {
  const source = sourceOf([
    "tell('x.plain'); of('x.hint_') // 'x.comment'",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source that is parsed.
    "tell(`x.at_${place}_${n === 1 ? `one` : 'many'}`); call({ home: 'edge' })",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source that is parsed.
    "const why = `rule_${code}`; tell(`x.fails_${why}`); const codes = ['port']",
  ])
  it.each([
    ['x.plain', true],
    ['x.at_home_one', true],
    ['x.at_edge_many', true],
    ['x.hint_edge', true],
    ['x.at_nowhere_one', false],
    ['x.at_home', false],
    ['x.fails_port', true],
    ['x.fails_rule_port', true],
    ['x.fails_rule_gate', false],
    ['x.at_rule_port_one', false],
    ['x.hint_', true],
    ['x.comment', false],
    ['x.other', false],
  ])('%s', (name, used) => {
    expect(isSaid(name, source)).toBe(used)
  })
})

describe.each(spokenUnits())('%s', (unit, folder) => {
  const words: Words = wordsIn(folder, ENGLISH)
  const { says, typed, groups, refusals, shared, reasons, ...operations } = words

  it('tells each of its sentences', () => {
    const names = [...keysOf(says), ...keysOf(typed)].map((key) => `${unit}.${key}`)
    expect(names.filter((name) => !isSaid(name, ALL))).toEqual([])
  })

  it('refuses for each reason that it words', () => {
    const verbs = tablesOf(operations).flatMap(([, own]) => Object.values(own).filter(isTable))
    const codes = [refusals, reasons, ...verbs.map((verb) => verb['refusals'])].flatMap(keysOf)
    expect(codes.filter((code) => !isReasonCode(code) || !REFUSING.known.has(code))).toEqual([])
    const sentences = Object.values(isTable(reasons) ? reasons : {}).join('\n')
    expect(keysOf(shared).filter((name) => !sentences.includes(`{${name}}`))).toEqual([])
  })

  it('has each operation and argument that it words', () => {
    const worded = tablesOf(operations).flatMap(([group, own]) =>
      tablesOf(own).flatMap(([verb, { args, takes }]) => {
        const operation = OPERATIONS.find(({ name }) => name === `${group}.${verb}`)
        const known = keysOf(operation?.args)
        const strange = [...keysOf(args), ...keysOf(takes)].filter((name) => !known.includes(name))
        return operation === undefined
          ? [`${group}.${verb}`]
          : strange.map((name) => `${group}.${verb}: ${name}`)
      }),
    )
    expect(worded).toEqual([])
  })

  it('has a command for each group that it words', () => {
    const commands = createProgram(bench().context, () => undefined).commands.map((command) => command.name())
    expect(keysOf(groups).filter((name) => !commands.includes(name))).toEqual([])
  })
})

/** Parts of the words of a tool whose keys are names of something else: arguments, fields, values, reasons. */
const NAMING = ['names', 'values', 'without', 'past', 'readers', 'remarks', 'reasons', 'asks']

/** The keys of all parts with such a name. */
function naming(words: unknown): readonly string[] {
  if (!isTable(words)) return []
  return Object.entries(words).flatMap(([name, value]) =>
    NAMING.includes(name) ? keysOf(value) : naming(value),
  )
}

test.each(toolFolders())('%s has each action, name, value and sentence that it words', (folder) => {
  const { sentences, ...words }: Words = wordsIn(folder, ENGLISH)
  const verbs = TOOL_MANIFESTS.flatMap(({ actions }) =>
    actions.map(({ id }) => id.slice(id.indexOf('.') + 1)),
  )
  expect(keysOf(words).filter((key) => !NAMING.includes(key) && !verbs.includes(key))).toEqual([])
  expect(naming(words).filter((name) => !ALL.known.has(name))).toEqual([])
  const texts = JSON.stringify(words)
  expect(keysOf(sentences).filter((name) => !texts.includes(`"{${name}}"`))).toEqual([])
})
