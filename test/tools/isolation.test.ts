/**
 * Tools reach nothing but what a call hands them (R-13, A-38, regression 2): by their imports, by the names in their
 * code, and by what happens when the ambient powers are trapped.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { createWebTool } from '../../integrations/tools/web/run.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { BEARER, tokenFor } from './calls.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TOOLS = join(ROOT, 'integrations/tools')
const FOLDERS = readdirSync(TOOLS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** Code that several tools share; it has no power either, and the same rules are checked on it. */
const SHARED = [
  ...[
    'form.ts',
    'google-connect.ts',
    'oauth-service.ts',
    'onward-words.ts',
    'phrase.ts',
    'reading.ts',
    'remote.ts',
    'undo-words.ts',
  ].map((file) => `integrations/tools/${file}`),
  // Which hosts are of the public internet: text in, verdict out.
  'integrations/http/target.ts',
  'integrations/dates/',
  'integrations/extractors/',
]
/** Kernel modules whose code a tool may run: pure shapes and verdicts. Of all others it may name the types. */
// Who the owner is: others are told less. Whether two addresses are one. What is a link in a post, and which days a series has: the card shows the same.
const KERNEL_CODE = new Set([
  ...['kernel/flow/verdict.ts', 'kernel/flow/json.ts', 'kernel/flow/digest.ts'],
  ...[
    'kernel/task/principal.ts',
    'kernel/tool/post.ts',
    'kernel/tool/series.ts',
    'kernel/features/sender/sender.ts',
  ],
])
/** Names of ambient powers, as words of code outside strings and comments. */
const AMBIENT =
  /\b(?:process|globalThis|global|self|window|fetch|require|eval|Function|WebSocket|XMLHttpRequest|EventSource|caches|navigator|crypto|setTimeout|setInterval|queueMicrotask|Deno|Bun|Buffer|console|localStorage|WebAssembly)\b|\bimport\s*\(|\bimport\.meta\b|\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b/

const IMPORT = /^(?:import|export)\s+(type\s+)?[^'"]*?from\s+['"]([^'"]+)['"]/gms

interface Import {
  readonly typeOnly: boolean
  readonly target: string
}

function importsOf(file: string): readonly Import[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, typeOnly, specifier = '']) => ({
    typeOnly: typeOnly !== undefined,
    target: specifier.startsWith('.') ? relative(ROOT, resolve(dirname(file), specifier)) : specifier,
  }))
}

/** Without comments, strings and templates' text. */
function codeOf(source: string): string {
  return source
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|\s)\/\/.*$/gm, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/`(?:[^`\\$]|\\.|\$(?!\{))*`/g, '``')
}

/** Packages that read text or hash bytes, and do nothing else. */
const PARSERS: Readonly<Record<string, readonly string[]>> = {
  cloudflare: ['ipaddr.js', ...['hmac', 'sha2', 'utils'].map((part) => `@noble/hashes/${part}.js`)],
  http: ['ipaddr.js', 'integrations/http/address.ts'],
  dates: ['chrono-node/de', 'chrono-node/en'],
  email: ['postal-mime'],
}

/** What a package is. */
const TYPES: ReadonlySet<string> = new Set(['integrations/tools/package.ts'])

function mayImport(folder: string, { typeOnly, target }: Import): boolean {
  if (target.startsWith(`integrations/tools/${folder}/`) || target === `#typed/${folder}`) return true
  if (SHARED.some((shared) => target === shared || (shared.endsWith('/') && target.startsWith(shared))))
    return true
  if (PARSERS[folder]?.includes(target) === true) return true
  if (typeOnly && TYPES.has(target)) return true
  return target.startsWith('kernel/') && (typeOnly || KERNEL_CODE.has(target))
}

const files = (folder: string): readonly string[] =>
  readdirSync(join(TOOLS, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(TOOLS, folder, name))
const shared = [
  join(TOOLS, 'phrase.ts'),
  join(TOOLS, 'reading.ts'),
  join(TOOLS, 'remote.ts'),
  join(ROOT, 'integrations/http/target.ts'),
  join(ROOT, 'integrations/http/address.ts'),
  ...readdirSync(join(ROOT, 'integrations/dates')).map((name) => join(ROOT, 'integrations/dates', name)),
  ...readdirSync(join(ROOT, 'integrations/extractors'))
    .filter((name) => name.startsWith('page'))
    .map((name) => join(ROOT, 'integrations/extractors', name)),
]

describe('the rule itself', () => {
  it.each([
    ['node:fs', true],
    ['node:fs', false],
    ['undici', false],
    ['integrations/tools/calendar/run.ts', true],
    ['integrations/tools/port.ts', true],
    ['integrations/http/scoped-client.ts', true],
    ['integrations/store/home.ts', true],
    ['sidecar/pages/page-reader.ts', true],
    ['kernel/vault/sealer.ts', false],
    ['kernel/flow/labeled.ts', false],
    ['kernel/task/capability.ts', false],
  ])('forbids a mail tool to import %s (type only: %s)', (target, typeOnly) => {
    expect(mayImport('email', { target, typeOnly })).toBe(false)
  })

  it.each([
    "const x = fetch('/')",
    'process.env.KEY',
    "globalThis['fetch']",
    "await import('node:fs')",
    'new Function(`x`)',
    'const now = Date.now()',
    'const at = new Date()',
    'console.log(call)',
  ])('sees %s', (code) => expect(codeOf(code)).toMatch(AMBIENT))

  it.each(['// no fetch, no process', "const a = 'fetch'", 'new Date(at)', '/* eval */ prefetch'])(
    'does not see %s',
    (code) => expect(codeOf(code)).not.toMatch(AMBIENT),
  )
})

describe.each(FOLDERS)('integrations/tools/%s', (folder) => {
  it.each(files(folder).map((file) => [relative(TOOLS, file), file]))(
    '%s imports only what is its own',
    (_, file) => {
      const imports = importsOf(file)
      expect(readFileSync(file, 'utf8').match(/^import\b/gm)?.length ?? 0).toBe(
        imports.filter(({ target }) => target !== '').length,
      )
      expect(imports.filter((one) => !mayImport(folder, one))).toEqual([])
    },
  )

  it.each(files(folder).map((file) => [relative(TOOLS, file), file]))(
    '%s names no ambient power',
    (_, file) => {
      expect(codeOf(readFileSync(file, 'utf8')).match(AMBIENT)?.[0]).toBeUndefined()
    },
  )
})

describe('what tools share', () => {
  it.each(shared.map((file) => [relative(ROOT, file), file]))('%s has no power either', (_, file) => {
    const folder = file.includes('/dates/') ? 'dates' : file.includes('/http/') ? 'http' : ''
    expect(importsOf(file).filter((one) => !mayImport(folder, one))).toEqual([])
    expect(codeOf(readFileSync(file, 'utf8')).match(AMBIENT)?.[0]).toBeUndefined()
  })
})

describe('with every ambient power trapped', () => {
  afterEach(() => {
    vi.unstubAllGlobals()
  })

  const tools: readonly (readonly [string, Tool, Record<string, string>])[] = [
    ['email.list', createEmailTool({ htmlText: () => '' }), {}],
    ['email.read', createEmailTool({ htmlText: () => '' }), { id: 'm1' }],
    ['calendar.freebusy', createCalendarTool(), { from: '2026-11-23', to: '2026-11-24' }],
    ['calendar.list_events', createCalendarTool(), { from: '2026-11-23', to: '2026-11-24' }],
    ['calendar.create_event', createCalendarTool(), { title: 'x', from: '2026-11-23', to: '2026-11-24' }],
    [
      'web.read',
      createWebTool({
        reader: {
          read: () => {
            throw new Error('unused')
          },
        },
      }),
      { url: 'https://example.com/' },
    ],
  ]

  it.each(tools)('%s asks its client and nothing else', async (action, tool, args) => {
    const touched: string[] = []
    const trap = (name: string) => () => {
      touched.push(name)
      throw new Error(name)
    }
    vi.stubGlobal('fetch', trap('fetch'))
    vi.stubGlobal('WebSocket', trap('WebSocket'))
    const asked: string[] = []
    const answer = {
      id: 'm1',
      internalDate: '1764000000000',
      start: { date: '2026-11-23' },
      end: { date: '2026-11-24' },
    }
    const http = {
      request: async ({ url }: { url: string }) => {
        asked.push(new URL(url).host)
        const calendar = { ...answer, summary: 'mine', primary: true, selected: true, accessRole: 'owner' }
        const calendars = { primary: { busy: [] }, m1: { busy: [] } }
        const body = JSON.stringify({ ...answer, items: [calendar], calendars })
        return {
          ok: true,
          value: { status: 200, headers: { 'content-type': 'text/plain' }, body, url },
        } as const
      },
    }
    const env = process.env
    process.env = new Proxy(env, { get: (_, name) => trap(`env ${String(name)}`)() })
    const outcome = await tool
      .execute({ action, args, capability: tokenFor(action), credential: BEARER, http })
      .finally(() => {
        process.env = env
      })
    expect(outcome).toMatchObject({ ok: true })
    expect(touched).toEqual([])
    expect(asked.length).toBeGreaterThan(0)
    expect(JSON.stringify(outcome)).not.toContain(BEARER.value)
  })
})
