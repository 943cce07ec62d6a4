/**
 * Every name that stands on somebody's disk or on the wire, derived from today's code (DESIGN §9, "The past stays readable").
 * Reads sources, schemas and migrations; writes nothing. Used by names.test.ts and by main.ts, which adds new names.
 */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parse } from 'smol-toml'
import * as z from 'zod/mini'
import { EDGE_PACKAGES } from '../../integrations/channels/edge.ts'
import { CHANNELS, CHATS } from '../../integrations/channels/index.ts'
import type { MigrationSet } from '../../integrations/store/schema/migrate.ts'
import type { FieldSpec } from '../../kernel/flow/field.ts'
import { EFFECT_IDS } from '../../kernel/powers/effects.ts'
import { REASON_CODES } from '../../kernel/reasons.ts'
import type { ToolManifest } from '../../kernel/tool/manifest.ts'
import { bodySchema, ephemeralSchema } from '../../kernel/tunnel/body.ts'
import { partBound } from '../../kernel/tunnel/edge-part.ts'
import { pieceSchema } from '../../kernel/tunnel/piece.ts'
import { queuedBound } from '../../kernel/tunnel/queued-message.ts'
import { recordBound } from '../../kernel/vault/key-ring.ts'
import { offerBound } from '../../kernel/vault/secret-offer.ts'
import { COPIES_MIGRATIONS } from '../../migrations/copies.ts'
import { DIRECTIVES_MIGRATIONS } from '../../migrations/directives.ts'
import { KEYS_MIGRATIONS } from '../../migrations/keys.ts'
import { SECRETS_MIGRATIONS } from '../../migrations/secrets.ts'
import { STORE_MIGRATIONS } from '../../migrations/store.ts'
import { TUNNEL_MIGRATIONS } from '../../migrations/tunnel.ts'
import { configSchema } from '../../sidecar/config/config-schema.ts'
import { chunkPlace, copyBound, manifestPlace } from '../../sidecar/copies/copy-format.ts'
import { namesOfSchema } from './schema-names.ts'
import {
  fieldsOfSchemas,
  keyValueNames,
  literalTypes,
  membersOf,
  prefixedStrings,
  type Source,
} from './source-names.ts'

const ROOT = join(import.meta.dirname, '../..')
const MIGRATIONS: readonly MigrationSet[] = [
  STORE_MIGRATIONS,
  TUNNEL_MIGRATIONS,
  DIRECTIVES_MIGRATIONS,
  KEYS_MIGRATIONS,
  SECRETS_MIGRATIONS,
  COPIES_MIGRATIONS,
]
const PRODUCT = '{kernel,integrations,durable-objects,worker,sidecar}/**/*.ts'

export type Names = Readonly<Record<string, readonly string[]>>

/** Sorted names by kind. A kind never loses one: what code calls otherwise maps to the old name in one place. */
export async function frozenNames(): Promise<Names> {
  const product = sources(PRODUCT)
  return sorted({
    'Durable Object classes': durableObjects(),
    'tables and columns': MIGRATIONS.flatMap(columnsOf),
    'keys of Durable Objects': sources('durable-objects/**/*.ts').flatMap(keyValueNames).filter(hasLetters),
    'frames and bodies': [
      ...sources('kernel/tunnel/frame.ts')
        .flatMap(fieldsOfSchemas)
        .flatMap(({ field, words }) =>
          words.length === 0 ? [`Frame.${field}`] : words.map((word) => `Frame.${field}: ${word}`),
        ),
      ...[bodySchema, ephemeralSchema, pieceSchema].flatMap(namesOfSchema),
    ],
    'purposes of keys and seals': product
      .flatMap((source) => prefixedStrings(source, ['pfar/', 'pfar:']))
      // The other string of that form is the program's name and version, which changes.
      .filter((name) => name.startsWith('pfar:') || name.split('/').length > 2),
    'additional data of seals': boundData(),
    'words of the vault': sources('kernel/vault/*.ts').flatMap(literalTypes),
    'sinks and principals': product.flatMap((source) => prefixedStrings(source, ['sink:', 'principal:'])),
    'tools and effects': [...(await toolNames()), ...EFFECT_IDS],
    'task templates': sources('templates/tasks/*.toml').map(({ path }) =>
      path.slice('templates/tasks/'.length),
    ),
    // An id of a principal begins with the adapter that it came by, which the kernel takes from the list of chats.
    'words of stored tasks': [
      ...sources('kernel/task/{*,answers/*}.ts').flatMap(literalTypes),
      ...sources('kernel/task/{*,answers/*}.ts')
        .flatMap(fieldsOfSchemas)
        .flatMap(({ field, words }) => [field, ...words]),
      ...Object.keys(CHATS),
    ],
    'words of stored rows': [
      // The breaker's state is no row.
      ...sources('kernel/powers/*.ts').filter(({ path }) => !path.endsWith('/breaker.ts')),
      ...sources(
        'kernel/features/*/{port,*-port,consent,directives,grants,history,history-window,person-of}.ts',
      ),
    ].flatMap(literalTypes),
    'reason codes': REASON_CODES,
    'configuration of home': [
      ...namesOfSchema(configSchema),
      ...CHANNELS.flatMap(({ name, settings }) =>
        settings === null ? [] : namesOfSchema(z.object({ [name]: z.optional(settings) })),
      ),
    ],
    'configuration of the edge': [
      ...sources('durable-objects/platform/env.ts').flatMap((source) => membersOf(source, 'EdgeEnv')),
      ...EDGE_PACKAGES.flatMap(({ bindings }) => bindings.map((name) => `EdgeEnv.${name}`)),
    ],
  })
}

/** What of the frozen names the code has no longer, and what it has that is not frozen yet. */
export function compare(
  frozen: Names,
  now: Names,
): { readonly gone: readonly string[]; readonly added: readonly string[] } {
  const kinds = [...new Set([...Object.keys(frozen), ...Object.keys(now)])]
  const missing = (from: Names, to: Names): string[] =>
    kinds.flatMap((kind) =>
      (from[kind] ?? []).filter((name) => !(to[kind] ?? []).includes(name)).map((name) => `${kind}: ${name}`),
    )
  const all = Object.entries(now).flatMap(([kind, names]) => names.map((name) => `${kind}: ${name}`))
  const gone = missing(frozen, now).filter((name) => !all.some((one) => isWider(one, name)))
  return { gone, added: missing(now, frozen) }
}

/** A closed list with more words: each of those that somebody has on disk is still one of it. */
function isWider(now: string, frozen: string): boolean {
  const [[field, words], [before, known]] = [closedList(now), closedList(frozen)]
  return field !== '' && field === before && known.every((word) => words.includes(word))
}

function closedList(name: string): readonly [field: string, words: readonly string[]] {
  const [, field = '', words = ''] = /^(.+: enum) (.+)$/.exec(name) ?? []
  return [field, words.split(' ')]
}

/** The additional data of every stored record and of the copies at the edge, with each field's name in the field's place. */
function boundData(): string[] {
  const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
  const address = {
    store: 'sessions',
    principal: 'principal',
    record: 'record',
    label: 'label',
    version: 7,
  } as const
  const offer = { id: 'id', principal: 'principal', name: 'name', key: 'key', at: 7 }
  return [
    `record ${decode(recordBound(address, 3))}`,
    `offer ${decode(offerBound(offer))}`,
    `part ${decode(partBound({ id: 'id', principal: 'principal' }))}`,
    `words ${decode(queuedBound({ id: 'id', key: 'key', at: 7 }))}`,
    `chunk of a copy ${decode(copyBound(chunkPlace('name')))}`,
    `manifest of a copy ${decode(copyBound(manifestPlace(7, ['one', 'two'])))}`,
  ]
}

function durableObjects(): string[] {
  const config = parse(readFileSync(join(ROOT, 'wrangler.toml'), 'utf8'))
  const tables = (of: unknown): Record<string, unknown>[] => (Array.isArray(of) ? of : [])
  const objects = config['durable_objects']
  const bindings = typeof objects === 'object' && 'bindings' in objects ? tables(objects.bindings) : []
  const migrations = tables(config['migrations']).map((row) => `${row['tag']}: ${JSON.stringify(row)}`)
  return [...bindings.map(({ name, class_name }) => `${name} = ${class_name}`), ...migrations]
}

/** From the migrations as SQLite applies them, so that a column that a later one adds counts. */
function columnsOf({ name, migrations }: MigrationSet): string[] {
  const db = new DatabaseSync(':memory:')
  for (const { statements } of migrations) for (const statement of statements) db.exec(statement)
  const tables = db
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`)
    .all()
  return [
    ...migrations.map(({ tag }) => `${name} migration ${tag}`),
    ...tables.flatMap((table) =>
      db
        .prepare('select name, type from pragma_table_info(?)')
        .all(String(table['name']))
        .map((column) => `${name} ${table['name']}.${column['name']} ${column['type']}`),
    ),
  ]
}

/** As grants, tasks and memory name them: each action, its arguments, and the fields that a stored result is read by. */
async function toolNames(): Promise<string[]> {
  const paths = globSync('integrations/tools/*/manifest.ts', { cwd: ROOT })
  const modules: unknown[] = await Promise.all(paths.map((path) => import(join(ROOT, path))))
  return modules
    .flatMap((module) => Object.values(Object(module)).filter(isManifest))
    .flatMap(({ name, actions }) => [
      name,
      ...actions.flatMap(({ id, args, output }) => [
        id,
        ...namesOfFields(args, `${id}(`),
        ...namesOfFields(output, `${id} -> `),
      ]),
    ])
}

function isManifest(value: unknown): value is ToolManifest {
  return typeof value === 'object' && value !== null && 'actions' in value
}

function namesOfFields(spec: FieldSpec, path: string): string[] {
  if (spec.kind === 'list') return namesOfFields(spec.of, `${path}[].`)
  if (spec.kind !== 'record')
    return [`${path}: ${spec.kind}${(spec.values ?? []).map((one) => ` ${one}`).join('')}`]
  return Object.entries(spec.fields).flatMap(([name, field]) => namesOfFields(field, `${path}${name}`))
}

/** A key of which nothing is fixed names nothing. */
function hasLetters(key: string): boolean {
  return /[a-z]/i.test(key)
}

function sources(pattern: string): Source[] {
  return globSync(pattern, { cwd: ROOT }).map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }))
}

function sorted(names: Names): Names {
  return Object.fromEntries(Object.entries(names).map(([kind, list]) => [kind, [...new Set(list)].sort()]))
}
