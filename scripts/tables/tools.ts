/**
 * Generates the tables of the tool packages from integrations/tools/index.ts: the declarations with their words, for both
 * places, and each place's table of runners, so that the edge bundles only what runs there. Called by scripts/tables.ts and
 * languages.ts.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import { TOOLS } from '../../integrations/tools/index.ts'
import { sentencesOf } from '../../integrations/tools/package.ts'
import type { Phrases } from '../../integrations/tools/phrase.ts'
import { mapStrings } from '../../kernel/flow/json.ts'
import { isReasonCode } from '../../kernel/reasons.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import { calledArgs, UNKNOWN_READERS } from '../../kernel/tool/target.ts'
import { findsByAction, slotWords } from './finds.ts'
import { toolPage } from './tool-page.ts'
import { ENGLISH, wordsIn } from './words.ts'

const ROOT = join(import.meta.dirname, '../..')
const FOLDER = 'integrations/tools'
const TEMPLATES = join(ROOT, 'templates/tasks')

const text = z.string().check(z.minLength(1), z.maxLength(1_000))
const VALUES = z.record(z.string(), text)
const ANSWER = z.strictObject({
  as: z.optional(z.enum(['days', 'free'])),
  ...{ head: z.optional(text), row: z.optional(text), list: z.optional(text), day: z.optional(text) },
  ...{ first: z.optional(text), of: z.optional(z.array(text)), after: z.optional(z.array(text)) },
  ...{ quote: z.optional(text), longest: z.optional(z.number()) },
  ...{ none: z.optional(text), noneNew: z.optional(text), noneOf: z.optional(text) },
  unmatched: z.optional(text),
  about: z.optional(z.strictObject({ fields: z.array(text), besides: text, none: text })),
  values: z.optional(VALUES),
})
const CARD = z.strictObject({
  ask: text,
  names: z.optional(VALUES),
  values: z.optional(VALUES),
  without: z.optional(z.record(z.string(), text)),
  past: z.optional(z.record(z.string(), text)),
  readers: z.optional(z.record(z.string(), text)),
  remarks: z.optional(z.record(z.string(), text)),
  unremarked: z.optional(text),
})
const WORDS = z.record(
  z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/)),
  z.strictObject({
    group: z.optional(text),
    progress: text,
    help: text,
    failed: text,
    reasons: z.optional(z.record(z.string().check(z.refine(isReasonCode)), text)),
    ...{ asks: z.optional(z.record(z.string(), text)), answer: z.optional(ANSWER), card: z.optional(CARD) },
  }),
)

interface Package {
  readonly name: string
  readonly manifest: ToolManifest
  readonly phrases: Phrases
}

export async function toolTables(): Promise<readonly (readonly [path: string, source: string])[]> {
  const packages = await Promise.all(TOOLS.map(readPackage))
  const atEdge = await actionsAtEdge()
  const finds = findsByAction()
  return [
    [`${FOLDER}/declared.ts`, declared(packages)],
    [
      `${FOLDER}/words.json`,
      JSON.stringify(Object.fromEntries(packages.map((one) => [one.name, withFinds(one, finds)]))),
    ],
    [
      `${FOLDER}/words-edge.json`,
      JSON.stringify(Object.fromEntries(packages.map((one) => [one.name, edgeWordsOf(one, atEdge)]))),
    ],
    [`${FOLDER}/forms.ts`, forms(packages)],
    [`${FOLDER}/home.ts`, runners(packages, 'home')],
    [`${FOLDER}/edge.ts`, runners(packages, 'edge')],
    toolPage(packages.map(({ name, manifest }) => ({ manifest, help: helpOf(name) }))),
  ]
}

/**
 * Words of a package, with each action's search words. The edge's table leaves those out: it has no room for them, and few
 * tools to choose from.
 */
function withFinds(
  { name, manifest: { actions }, phrases }: Package,
  finds: ReadonlyMap<string, string>,
): object {
  const ids = new Map(actions.map(({ id }) => [id.slice(id.indexOf('.') + 1), id]))
  return Object.fromEntries(
    Object.entries(wordsOf(name)).map(([verb, own]) => {
      const id = ids.get(verb) ?? ''
      const found = [...(finds.get(id)?.split(' ') ?? []), ...slotWords(sentencesOf(id, phrases), phrases)]
      return [verb, { ...own, ...(found.length > 0 && { finds: [...new Set(found)].join(' ') }) }]
    }),
  )
}

/** The words of every action, by its id. */
export async function actionWordsIn(language: string): Promise<Readonly<Record<string, unknown>>> {
  const packages = await Promise.all(TOOLS.map(readPackage))
  return Object.fromEntries(
    packages.flatMap(({ name, manifest }) => {
      const words = wordsOf(name, language)
      return manifest.actions.map(({ id }) => [id, words[id.slice(id.indexOf('.') + 1)]] as const)
    }),
  )
}

/**
 * Words that only a card, an answer, a failure or the help of an action needs; the edge has them only for actions that it may
 * run.
 */
const OF_DOING = ['answer', 'card', 'reasons', 'failed', 'help'] as const

export function isOfDoing(part: string): boolean {
  return OF_DOING.some((one) => one === part)
}

function edgeWordsOf({ name, manifest: { actions } }: Package, atEdge: ReadonlySet<string>): object {
  const verbs = new Set(
    actions.filter(({ id }) => atEdge.has(id)).map(({ id }) => id.slice(id.indexOf('.') + 1)),
  )
  return Object.fromEntries(
    Object.entries(wordsOf(name)).map(([verb, own]) => [
      verb,
      Object.fromEntries(Object.entries(own).filter(([part]) => verbs.has(verb) || !isOfDoing(part))),
    ]),
  )
}

/** Actions that run at the edge, and those that a task template with a data ceiling of `public` or `internal` may use. */
export async function actionsAtEdge(): Promise<ReadonlySet<string>> {
  const open = readdirSync(TEMPLATES)
    .map((file) => parse(readFileSync(join(TEMPLATES, file), 'utf8')))
    .filter(({ data_ceiling: ceiling }) => ceiling === 'public' || ceiling === 'internal')
    .flatMap(({ allowed_tools: allowed }) => (Array.isArray(allowed) ? allowed.map(String) : []))
  return new Set(
    (await toolManifests()).flatMap(({ places, actions }) =>
      actions
        .filter(
          ({ id, capability }) =>
            places.includes('edge') || open.includes(capability ?? '') || open.includes(id),
        )
        .map(({ id }) => id),
    ),
  )
}

export async function toolManifests(): Promise<readonly ToolManifest[]> {
  return (await Promise.all(TOOLS.map(readPackage))).map(({ manifest }) => manifest)
}

/** Folders of the tools, each with its words. */
export function toolFolders(): readonly string[] {
  return TOOLS.map((name) => join(FOLDER, name))
}

/** Help line by action id; a package's words name its actions without the family. */
function helpOf(name: string): (id: string) => string | undefined {
  const words = wordsOf(name)
  return (id) => words[id.slice(id.indexOf('.') + 1)]?.help
}

async function readPackage(name: string): Promise<Package> {
  const module: Readonly<Record<string, unknown>> = await import(join(ROOT, FOLDER, name, 'manifest.ts'))
  const manifest = module[constantOf(name, 'MANIFEST')] as ToolManifest
  checkCards(manifest, wordsOf(name))
  const spoken: Readonly<Record<string, unknown>> = await import(join(ROOT, FOLDER, name, 'phrases.ts'))
  return { name, manifest, phrases: spoken[constantOf(name, 'PHRASES')] as Phrases }
}

/**
 * Throws for a remark on an argument that does not exist, which would never be shown, and for a target without words for its
 * readers.
 */
function checkCards({ actions }: ToolManifest, words: z.infer<typeof WORDS>): void {
  for (const action of actions) {
    const { id, target, remarks: lookup } = action
    const { fields } = calledArgs(action)
    const card = words[id.slice(id.indexOf('.') + 1)]?.card
    const { without = {}, past = {}, readers = {}, remarks = {} } = card ?? {}
    const output = actions.find((one) => one.id === lookup?.by)?.output
    const looked = output?.kind === 'record' ? Object.keys(output.fields) : []
    const unknown = Object.keys(remarks).find((name) => !looked.includes(name))
    if (unknown !== undefined)
      throw new Error(`the card of ${id} remarks on ${unknown}, which nothing looks up`)
    if (lookup !== undefined && card?.unremarked === undefined)
      throw new Error(`the card of ${id} does not say that nothing could be looked up`)
    const found = target === undefined ? [] : [...Object.keys(target.reaches), UNKNOWN_READERS]
    if (found.sort().join() !== Object.keys(readers).sort().join())
      throw new Error(`the card of ${id} does not say who reads it, for ${found.join(', ')}`)
    const shown = Object.keys(fields).map((name) => card?.names?.[name] ?? name)
    if (card !== undefined && new Set(shown).size < shown.length)
      throw new Error(`the card of ${id} calls two of its arguments alike`)
    const said = Object.values(card?.values ?? {})
    if (new Set(said).size < said.length) throw new Error(`the card of ${id} calls two values alike`)
    const strange = Object.keys({ ...without, ...past }).find((name) => !Object.hasOwn(fields, name))
    if (strange !== undefined)
      throw new Error(`the card of ${id} speaks of ${strange}, which is none of its arguments`)
  }
}

function declared(packages: readonly Package[]): string {
  const rows = packages.map(
    ({ name }) =>
      `{ manifest: ${constantOf(name, 'MANIFEST')}, words: WORDS.${name} as ToolWords, phrases: ${constantOf(name, 'PHRASES')} }`,
  )
  return [
    '/** Declarations of the tool packages, with their words and phrases. Generated by `npm run tables`; called through registered.ts. */',
    ...packages.flatMap(({ name }) => [
      `import { ${constantOf(name, 'MANIFEST')} } from './${name}/manifest.ts'`,
      `import { ${constantOf(name, 'PHRASES')} } from './${name}/phrases.ts'`,
    ]),
    "import type { ToolPackage, ToolWords } from './package.ts'",
    '// Of the edge, which has no room for more, those of what it may do alone (package.json).',
    "import WORDS from '#tool-words' with { type: 'json' }",
    '',
    '// The table was validated when it was generated; JSON alone does not tell a word of a closed set from any other.',
    `export const DECLARED: readonly ToolPackage[] = [${rows.join(',')}]`,
  ].join('\n')
}

/** Table of the tools with a `forms.ts`; only home reads requests by their parts. */
function forms(packages: readonly Package[]): string {
  const own = packages.filter(({ name }) => existsSync(join(ROOT, FOLDER, name, 'forms.ts')))
  return [
    '/** How requests to the tools are said plainly, by the label of the trained table. Generated by `npm run tables`; called by home alone. */',
    "import type { Forms } from './form.ts'",
    ...own.map(({ name }) => `import { ${constantOf(name, 'FORMS')} } from './${name}/forms.ts'`),
    '',
    `export const TOOL_FORMS: Forms = { ${own.map(({ name }) => `...${constantOf(name, 'FORMS')}`).join(', ')} }`,
  ].join('\n')
}

/**
 * Words of a package. The file's `[values]` apply to the answers of all its actions, `[names]` to their cards; an action's own
 * take precedence. `[sentences]` are shared by several actions, which refer to them as `{half_way}`.
 */
function wordsOf(name: string, language = ENGLISH): z.infer<typeof WORDS> {
  const { values: shared = {}, names = {}, sentences = {}, ...own } = wordsIn(join(FOLDER, name), language)
  const actions = z.parse(WORDS, withSentences(own, z.parse(VALUES, sentences)))
  const [common, called] = [z.parse(VALUES, shared), z.parse(VALUES, names)]
  return Object.fromEntries(
    Object.entries(actions).map(([action, { answer, card, ...words }]) => {
      const values = { ...common, ...answer?.values }
      const said = answer && { answer: { ...answer, ...(Object.keys(values).length > 0 && { values }) } }
      const all = { ...called, ...card?.names }
      const shown = card && { card: { ...card, ...(Object.keys(all).length > 0 && { names: all }) } }
      return [action, { ...words, ...said, ...shown }]
    }),
  )
}

/** Replaces each text that is the name of a sentence by that sentence. */
function withSentences<T>(words: T, sentences: z.infer<typeof VALUES>): T {
  return mapStrings(words, (text) => {
    const named = /^\{([a-z_]{1,40})\}$/.exec(text)?.[1] ?? ''
    return Object.hasOwn(sentences, named) ? (sentences[named] ?? text) : text
  })
}

/** Table of runners. `run.home` of a package is for home only; `run` is bundled at each place that the manifest allows. */
function runners(packages: readonly Package[], place: 'home' | 'edge'): string {
  const here = packages.filter(({ manifest }) => manifest.places.includes(place))
  const powers = place === 'home' ? 'HomeToolPowers' : 'ToolPowers'
  const rows = here.map(
    ({ name }) => `{ manifest: ${constantOf(name, 'MANIFEST')}, create: ${creatorOf(name)} }`,
  )
  return [
    `/** Runners of the tools that may run at ${place === 'home' ? 'home' : 'the edge'}. Generated by \`npm run tables\`; called by that place alone. */`,
    ...here.flatMap(({ name }) => [
      `import { ${constantOf(name, 'MANIFEST')} } from './${name}/manifest.ts'`,
      `import { ${creatorOf(name)} } from './${name}/${runnerOf(name, place)}'`,
    ]),
    `import type { ${powers}, Runner } from './package.ts'`,
    '',
    `export const ${place.toUpperCase()}_RUNNERS: readonly Runner<${powers}>[] = [${rows.join(',')}]`,
  ].join('\n')
}

function runnerOf(name: string, place: 'home' | 'edge'): string {
  const own = existsSync(join(ROOT, FOLDER, name, 'run.home.ts'))
  if (own && place === 'edge') throw new Error(`${name} runs at home alone, and its manifest says otherwise`)
  return own ? 'run.home.ts' : 'run.ts'
}

function constantOf(name: string, what: string): string {
  return `${name.toUpperCase()}_${what}`
}

function creatorOf(name: string): string {
  return `create${name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Tool`
}
