/**
 * Plans a new operation: its file, its words in those of its feature, and its line in the list (AGENTS.md, "Add an
 * operation"). Creates the feature if there is none of that name. Must not write. Called by ../new.ts.
 */

import { parse } from 'smol-toml'
import { LANGUAGE_CODES } from '../../kernel/wording/languages.ts'
import { capital, filled, type Plan, Refused, type Tree, withEntry, withImport } from './plan.ts'

const FEATURES = 'kernel/features'
const LIST = 'kernel/operations/index.ts'
const WORDS = `${FEATURES}/words.json`

export function planOperation(tree: Tree, name: string): Plan {
  const [, group, verb] = /^([a-z]{2,20})\.([a-z]{2,20})$/.exec(name) ?? []
  if (group === undefined || verb === undefined)
    throw new Refused(
      `"${name}" cannot be the name of an operation: a feature and a verb in small letters, such as notes.list`,
    )
  const constant = `${verb}${capital(group)}`
  const list = tree.read(LIST)
  const feature = featureOf(tree, list, group) ?? group
  const file = `${FEATURES}/${feature}/operations/${verb}.ts`
  if (tree.has(file)) throw new Refused(`${file} is there already`)
  if (new RegExp(`\\b${constant}\\b`).test(list))
    throw new Refused(`${LIST} has a ${constant} already: the operation needs another name`)
  // In each language: the other ones are written where the English is.
  const words = LANGUAGE_CODES.map((language) => `${FEATURES}/${feature}/words/${language}.toml`)
  const values = { name, group, verb, feature, constant }
  const line = `import { ${constant} } from '../features/${feature}/operations/${verb}.ts'`
  return {
    files: [
      [file, filled(tree.template('operation/operation.ts'), values)],
      ...words.map((path) => [path, withWords(tree, tree.has(path) ? tree.read(path) : '', values)] as const),
      [
        LIST,
        withEntry(withImport(list, line), {
          opening: 'const OPERATIONS:',
          closing: '])',
          entry: `  ${constant}`,
        }),
      ],
    ],
    next: [
      'npm run tables',
      'npx vitest run --project node test/operations/call.test.ts   # red: it lists what is left to write',
      'npm run frozen && npm run check                              # when it is green',
    ],
  }
}

/** The feature whose operations' names begin with this word: `brain.list` is in `directives`. Null if there is none. */
function featureOf(tree: Tree, list: string, group: string): string | null {
  const files = [...list.matchAll(/from '\.\.\/(features\/(\w+)\/operations\/\w+\.ts)'/g)]
  const found = files.find(([, path]) => tree.read(`kernel/${path}`).includes(`name: '${group}.`))
  return found?.[2] ?? null
}

/**
 * Adds the summary before the answers of the feature, and the answer among them; creates missing headings. Throws if
 * the result is not TOML.
 */
function withWords(tree: Tree, text: string, values: Readonly<Record<string, string>>): string {
  const part = (name: string): string => filled(tree.template(`operation/${name}.toml`), values).trim()
  const { group = '' } = values
  const { groups }: { readonly groups: Readonly<Record<string, string>> } = JSON.parse(tree.read(WORDS))
  const known = Object.hasOwn(groups, group)
  const at = /^(?:#[^\n]*\n)*\[says\]\n/m.exec(text)
  const operations = at === null ? text : text.slice(0, at.index)
  const answers = at === null ? '[says]' : text.slice(at.index)
  const made = [
    known ? operations : withGroup(operations, part('group')),
    part('words'),
    `${answers.trim()}\n${part('says')}`,
  ]
  const whole = `${made.map((one) => one.trim()).join('\n\n')}\n`.trimStart()
  parse(whole)
  return whole
}

function withGroup(text: string, group: string): string {
  const heading = '[groups]\n'
  return text.includes(heading)
    ? text.replace(heading, `${heading}${group}\n`)
    : `${heading}${group}\n\n${text}`
}
