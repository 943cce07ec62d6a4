/**
 * Generates the kernel's table of words from kernel/features/<feature>/words/en.toml, kernel/wording/words/en.toml and a few
 * others: help, phrases, sentences of answers, and the sentence of each reason code. The kernel gets validated objects and
 * parses nothing. Called by scripts/tables.ts and languages.ts.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { homeActions } from '../../kernel/powers/home-actions.ts'
import { LANGUAGES } from '../../kernel/wording/languages.ts'
import { ENGLISH, wordsIn } from './words.ts'

const FOLDER = 'kernel/features'
const WORDING_FOLDER = 'kernel/wording'
const ROOT = join(import.meta.dirname, '../..')

const key = z.string().check(z.regex(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/))
const text = z.string().check(z.minLength(1), z.maxLength(1_000))
const texts = z.record(key, text)
const OPERATION = z.strictObject({
  summary: text,
  args: z.optional(texts),
  takes: z.optional(texts),
  phrases: z.optional(z.array(text)),
  finds: z.optional(z.array(text)),
  refusals: z.optional(texts),
  confirm: z.optional(z.strictObject({ asks: text, otherwise: text })),
})
const VERBS = z.record(key, OPERATION)
/** `typed`: sentences that a program parses as if the owner had typed them; they have no translation. */
const OWN = {
  ...{ groups: z.optional(texts), refusals: z.optional(texts) },
  ...{ says: z.optional(texts), typed: z.optional(texts) },
}
const FEATURE = z.looseObject(OWN)
const WORDING = z.strictObject({ shared: texts, reasons: texts, says: texts })
const SAYINGS = z.strictObject({ says: texts })
/** Folders outside the kernel whose sentences are in the kernel's table, by the part of the name before the dot. */
const OUTSIDE: Readonly<Record<string, string>> = { rules: 'integrations/models/rules' }
/** Folders whose sentences only home uses (sidecar/language/wording.ts), so that the edge's bundle leaves them out. */
const HOME: Readonly<Record<string, string>> = {
  ...{ init: 'sidecar/init', terminal: 'sidecar/cli' },
  ...{ mail_setup: 'sidecar/mail', key_setup: 'sidecar/keys', dav_setup: 'sidecar/calendar' },
  ...{ secret_setup: 'sidecar/secrets', model_setup: 'sidecar/models' },
  ...{ backup_setup: 'sidecar/backup', service_setup: 'sidecar/service', consent_setup: 'sidecar/oauth' },
  status: 'sidecar/status',
}

export function featureTables(): readonly (readonly [path: string, source: string])[] {
  const words = featureWords(ENGLISH)
  const homes = homeOperations()
  const atEdge = Object.entries(words.operations).map(([name, own]) => [
    name,
    homes.has(name)
      ? { summary: own.summary, args: namesOnly(own.args), phrases: own.phrases }
      : { ...own, finds: undefined },
  ])
  const home = Object.fromEntries(Object.keys(LANGUAGES).map((language) => [language, homeSays(language)]))
  return [
    [`${FOLDER}/words.json`, JSON.stringify(words)],
    [
      `${FOLDER}/words-edge.json`,
      JSON.stringify({ ...words, says: toldAtEdge(words.says), operations: Object.fromEntries(atEdge) }),
    ],
    ['sidecar/words.json', JSON.stringify(home)],
  ]
}

/**
 * Operations that run only at home. The edge needs the phrases that ask for them, to say where they are answered, but neither
 * their arguments nor their answers. Read from the sources as text, because the definitions themselves import these tables.
 */
export function homeOperations(): ReadonlySet<string> {
  const sources = readdirSync(join(ROOT, FOLDER)).flatMap((feature) => {
    const folder = join(ROOT, FOLDER, feature, 'operations')
    return existsSync(folder)
      ? readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
      : []
  })
  const named = sources.flatMap((source) => {
    const [, name] = /defineOperation\(\{\s*name: '([a-z_.]+)'/.exec(source) ?? []
    const [, place] = /^ {2}place: '(home|edge|both)',$/m.exec(source) ?? []
    if (name !== undefined && place === undefined) throw new Error(`${name} has no place`)
    return name !== undefined && place === 'home' ? [name] : []
  })
  return new Set(named)
}

/** Folders whose code the edge may load; sentences used elsewhere only are home's. */
const SHARED = ['kernel', 'integrations', 'durable-objects', 'worker']

/**
 * Sources below `SHARED` whose sentences only home uses, because the edge refuses these requests first or has no part in them:
 * reminders with a condition, invitations, jobs that a model words, home's questions about a job, cards that let home answer in
 * the edge's chat or tell it times, the set-up of chats, and switching services and templates.
 */
const HOMES_OWN =
  /^(?:integrations\/(?:channels\/telegram\/(?:setup|home-owner)|extractors\/message\/asked-of-self)|kernel\/features\/(?:channels\/channels|tools\/tool-switch|templates\/template-switch))\.ts$|^kernel\/(?:features\/(?:admin\/planned|jobs\/(?:watch|watch-own|writer|page-task|requests\/proposal-(?:watch|own-watch|page|quiet|newer))|people\/(?:people|invitations)|grants\/home-cards)|pipeline\/worded-jobs)\.ts$/

/** True for the definition of an operation that runs only at home, and for a source beside none but such definitions. */
function isHomes(path: string): boolean {
  if (HOMES_OWN.test(path)) return true
  if (!/\/operations\//.test(path)) return false
  const place = placeIn(path)
  if (place !== null) return place === 'home'
  const folder = dirname(join(ROOT, path))
  const places = readdirSync(folder).flatMap((file) => placeIn(join(dirname(path), file)) ?? [])
  return places.length > 0 && places.every((one) => one === 'home')
}

/** The `place` of the operation that this file defines; null if it defines none. */
function placeIn(path: string): string | null {
  return /^ {2}place: '(home|edge|both)',$/m.exec(readFileSync(join(ROOT, path), 'utf8'))?.[1] ?? null
}

/** Names of sentences about effects that only home runs; their code composes these names. */
const HOME_EFFECTS = [
  ...homeActions('').flatMap(({ id }) =>
    ['wording.asks', 'wording.does', 'rules.tried'].map((of) => `${of}_${id.replace('.', '_')}`),
  ),
  ...['at', 'people', 'name', 'email', 'change', 'more', 'unread'].map((name) => `wording.calls_${name}`),
  ...[
    'model',
    'said',
    'times',
    'when',
    'hours',
    'language',
    'place',
    'until',
    'words',
    'chat',
    'template',
  ].map((name) => `wording.calls_${name}`),
]

/** The sentences whose name, or the fixed beginning of a composed name, occurs in a source that the edge may load. */
export function toldAtEdge(says: FeatureWords['says']): FeatureWords['says'] {
  const shared = SHARED.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: ROOT }))
  const names = shared
    .filter((path) => !isHomes(path))
    .flatMap((path) =>
      [...readFileSync(join(ROOT, path), 'utf8').matchAll(/['`]([a-z_-]+\.[a-z_]*)(['`]|\$\{)/g)].map(
        ([, name = '', end]) => ({ name, isBegun: end === '${' || name.endsWith('_') }),
      ),
    )
  const whole = new Set(names.map(({ name }) => name))
  const ofHome = new Set(HOME_EFFECTS)
  const begun = [...new Set(names.flatMap(({ name, isBegun }) => (isBegun ? [name] : [])))]
  return Object.fromEntries(
    Object.entries(says).filter(
      ([name]) => whole.has(name) || (!ofHome.has(name) && begun.some((start) => name.startsWith(start))),
    ),
  )
}

/** Keeps the names of arguments only: their descriptions are needed where the operation runs. */
function namesOnly(args: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(args).map((name) => [name, '-']))
}

function homeSays(language: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(HOME).flatMap(([name, folder]) =>
      saidBy(name, z.parse(SAYINGS, wordsIn(folder, language)).says),
    ),
  )
}

/** Folders with a `words` folder: of the features, and of the kernel in general. */
export function featureFolders(): readonly string[] {
  return spokenUnits().map(([, folder]) => folder)
}

/** Pairs of a folder and the part before the dot in the names of its sentences. */
export function spokenUnits(): readonly (readonly [unit: string, folder: string])[] {
  const features = readdirSync(join(ROOT, FOLDER))
    .sort()
    .map((feature) => [feature, join(FOLDER, feature)] as const)
  const own = features.filter(([, folder]) => existsSync(join(ROOT, folder, 'words')))
  return [...own, ['wording', WORDING_FOLDER], ...Object.entries({ ...OUTSIDE, ...HOME })]
}

export interface FeatureWords {
  readonly groups: Readonly<Record<string, string>>
  readonly operations: Readonly<Record<string, z.infer<typeof OPERATION>>>
  readonly says: Readonly<Record<string, string>>
  readonly reasons: Readonly<Record<string, string>>
}

export function featureWords(language: string): FeatureWords {
  const groups: Record<string, string> = {}
  const says: Record<string, string> = {}
  const operations: Record<string, z.infer<typeof OPERATION>> = {}
  for (const folder of featureFolders()) {
    if (!folder.startsWith(`${FOLDER}/`)) continue
    const feature = folder.slice(FOLDER.length + 1)
    const words = z.parse(FEATURE, wordsIn(folder, language))
    const { groups: own, refusals, says: sayings, typed, ...named } = words
    add(groups, Object.entries(own ?? {}))
    add(says, saidBy(feature, { ...sayings, ...typed }))
    for (const [group, verbs] of Object.entries(named))
      add(
        operations,
        Object.entries(z.parse(VERBS, verbs)).map(([verb, words]) => {
          const both = { ...refusals, ...words.refusals }
          return [`${group}.${verb}`, Object.keys(both).length > 0 ? { ...words, refusals: both } : words]
        }),
      )
  }
  const { shared, reasons, says: general } = z.parse(WORDING, wordsIn(WORDING_FOLDER, language))
  add(says, saidBy('wording', general))
  for (const [name, folder] of Object.entries(OUTSIDE))
    add(says, saidBy(name, z.parse(SAYINGS, wordsIn(folder, language)).says))
  const sentences = Object.entries(reasons).map(([code, said]) => [
    code,
    said.replace(/\{(\w+)\}/g, (_, name: string) => {
      if (!Object.hasOwn(shared, name)) throw new Error(`${code} shares ${name}, which is missing`)
      return shared[name] ?? ''
    }),
  ])
  return { groups, operations, says, reasons: Object.fromEntries(sentences) }
}

function saidBy(feature: string, says: Readonly<Record<string, string>>) {
  return Object.entries(says).map(([name, said]) => [`${feature}.${name}`, said.trimEnd()] as const)
}

/** Adds entries. Throws for a name that is in two files, as one of them would be lost. */
function add<T>(table: Record<string, T>, entries: readonly (readonly [string, T])[]): void {
  for (const [name, value] of entries) {
    if (Object.hasOwn(table, name)) throw new Error(`${name} stands twice in the words of operations`)
    table[name] = value
  }
}
