/** The search engine in `pfar init`: when it is asked about, and what becomes of an address, of a key, and of one that is not taken (H-05, F-17). */
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Transport, TransportRequest } from '../../integrations/http/transport.ts'
import { ok } from '../../kernel/flow/verdict.ts'
import { createContext } from '../../sidecar/cli/command.ts'
import { searchStep } from '../../sidecar/cli/search-step.ts'
import { statePaths } from '../../sidecar/cli/state-paths.ts'
import { loadConfig } from '../../sidecar/config/config.ts'
import { ensureConfig } from '../../sidecar/config/config-edit.ts'
import { openSecretFile } from '../../sidecar/secrets/secret-file.ts'
import { listSecrets } from '../../sidecar/secrets/secret-store.ts'
import { openStateFolder } from '../../sidecar/store/state-folder.ts'
import { newFolder } from '../kit/folder.ts'
import { filesIn } from '../regression/files.ts'

const KEY = 'BSA-of-the-owner-0123456789'
const BRAVE = JSON.stringify({ type: 'search', web: { results: [] } })
const SEARXNG = JSON.stringify({ results: [{ url: 'https://a.example/', title: 'A', content: 'x' }] })
const MAIL =
  '\n[tools.mail]\naddress = "you@example.com"\nimap = "imap.example.com:993"\nsmtp = "smtp.example.com:465"\n'

let home: string
let shown: string[]
let sent: TransportRequest[]

beforeEach(() => {
  home = join(newFolder('init-search'), 'state')
  mkdirSync(home, { mode: 0o700 })
  shown = []
  sent = []
})

const file = (): string => join(home, 'config.toml')
const written = (): string => readFileSync(file(), 'utf8')

function stored(): readonly string[] {
  const folder = openStateFolder(home)
  const secrets = folder.ok ? openSecretFile(folder.value) : folder
  if (!secrets.ok) return []
  const names = listSecrets(secrets.value).map(({ name }) => name)
  secrets.value.close()
  return names
}

interface World {
  readonly config?: string
  readonly isAgain?: boolean
  /** The engine's answer. */
  readonly status?: number
  readonly body?: string
  /** Typed unseen, and seen. */
  readonly key?: string
  readonly typed?: string
}

function stepIn({ config = '', isAgain = false, status = 200, body = BRAVE, key = KEY, typed = '' }: World) {
  ensureConfig(file())
  appendFileSync(file(), config)
  const environment = { PFAR_HOME: home, NO_COLOR: '1' }
  const screen = {
    ...{ out: (text: string) => void shown.push(text), err: (text: string) => void shown.push(text) },
    ...{ progress: () => undefined, dim: String },
  }
  const transport: Transport & { close(): Promise<void> } = {
    async send(request) {
      sent.push(request)
      const bytes = new TextEncoder().encode(body)
      return ok({
        status,
        headers: { 'content-type': 'application/json' },
        body: (async function* () {
          yield bytes
        })(),
      })
    },
    close: async () => undefined,
  }
  const folder = openStateFolder(home)
  if (!folder.ok) throw new Error(folder.reason.code)
  return searchStep({
    ...{
      context: createContext(screen, environment),
      folder: folder.value,
      file: statePaths(environment).config,
    },
    config: () => {
      const read = loadConfig(environment, home)
      if (!read.ok) throw new Error(JSON.stringify(read.reason))
      return read.value
    },
    ...{ letGo: () => undefined, isAgain, allowDevelopmentKey: true },
    asker: { ask: async () => typed, letGo: () => undefined },
    powers: {
      read: async (question) => {
        shown.push(question)
        return ok(key)
      },
      transport: () => transport,
    },
  })
}

describe('it is asked', () => {
  const absent = {
    state: 'absent',
    says: expect.stringMatching(/^duckduckgo; another one: `pfar search use`/),
  }
  const due = {
    state: 'due',
    usual: 'as it is',
    question: expect.stringMatching(/searxng[\s\S]*brave, kagi/),
  }

  test.each([
    ['not of whoever has nothing of their own yet', {}, absent],
    ['of whoever has mail here', { config: MAIL }, due],
    ['of whoever chose one', { config: '\n[tools.web]\nengine = "kagi"\n' }, due],
    ['when all is asked again', { isAgain: true }, due],
  ])('%s', async (_, world, look) => expect(await stepIn(world).look()).toEqual(look))

  test.each(['later', 'as it is', 'no'])('and %j changes nothing', async (answer) => {
    const step = stepIn({ isAgain: true })
    const before = written()
    expect(await step.take(answer)).toEqual({ ok: true, says: absent.says })
    expect([written(), sent.length]).toEqual([before, 0])
  })

  test('another word is no engine', async () =>
    expect(await stepIn({}).take('altavista')).toEqual({
      ok: false,
      says: 'I can ask duckduckgo, searxng, brave, kagi. Say one of them, or later.',
    }))
})

describe('an engine with a key', () => {
  test('is tried with it, which lies sealed, is on no screen and in no file', async () => {
    const step = stepIn({ isAgain: true })
    expect(await step.take('Brave')).toEqual({ ok: true, says: 'brave' })
    const [request, ...more] = sent
    expect([request?.url.href, more.length]).toEqual([
      'https://api.search.brave.com/res/v1/web/search?q=weather&count=10',
      0,
    ])
    expect(request?.headers).toMatchObject({ 'x-subscription-token': KEY })
    expect(request?.exempt).toBe(false)
    expect(written()).toMatch(/\[tools\.web\]\nengine = "brave"/)
    expect(stored()).toEqual(['brave'])
    expect(shown.join('\n')).toMatch(/api-dashboard\.search\.brave\.com[\s\S]*Key for brave:/)
    expect(shown.join('\n')).not.toContain(KEY)
    for (const one of filesIn(home)) expect(readFileSync(join(home, one), 'latin1')).not.toContain(KEY)
  })

  test('is not asked for it twice', async () => {
    await stepIn({ isAgain: true }).take('brave')
    await stepIn({ isAgain: true }).take('duckduckgo')
    expect(written()).toMatch(/engine = "duckduckgo"/)
    shown = []
    expect(await stepIn({ isAgain: true }).take('brave')).toEqual({ ok: true, says: 'brave' })
    expect([shown, sent.length]).toEqual([[], 1])
    expect(written()).toMatch(/engine = "brave"/)
  })

  test.each([
    [
      'a key that it does not take',
      { status: 401, body: '{}' },
      /brave did not take that key\. Nothing was stored/,
    ],
    ['no searches left', { status: 429, body: '{}' }, /takes no more searches just now/],
    ['a service that is down', { status: 503, body: '' }, /try again later/],
    [
      'an answer of another form',
      { body: '{"error":"text-of-the-service"}' },
      /no search engine that I can read/,
    ],
    ['a key of two lines', { key: 'one two three four' }, /takes 8 to 8192 characters/],
  ])('stores nothing for %s', async (_, world, words) => {
    const step = stepIn({ isAgain: true, ...world })
    const before = written()
    expect(await step.take('brave')).toEqual({ ok: false, says: 'Say it once more, or later.' })
    expect([written(), stored()]).toEqual([before, []])
    expect(shown.at(-1)).toMatch(words)
    expect(shown.join('\n')).not.toContain('text-of-the-service')
  })
})

describe('a SearXNG of one’s own', () => {
  test('is written once it answered, at an address of the own network too', async () => {
    const step = stepIn({ isAgain: true, body: SEARXNG, typed: 'http://192.168.1.20:8888/' })
    expect(await step.take('searxng')).toEqual({ ok: true, says: 'searxng' })
    expect(sent.map(({ url, exempt }) => [url.href, exempt])).toEqual([
      ['http://192.168.1.20:8888/search?q=weather&format=json', true],
    ])
    expect(written()).toMatch(/engine = "searxng"/)
    expect(written()).toContain('searxng = "http://192.168.1.20:8888"')
    expect(stored()).toEqual([])
  })

  test.each([
    ['a name of the own network', { typed: 'http://searx.local' }, /has to be https/, 0],
    ['no address', { typed: '' }, /has to be https/, 0],
    ['one that gives no JSON', { typed: 'https://search.example.org', status: 403 }, /has to allow JSON/, 1],
    [
      'a page that is none',
      { typed: 'https://search.example.org', body: '<html>' },
      /no search engine that I can read/,
      1,
    ],
  ])('is not written: %s', async (_, world, words, asked) => {
    const step = stepIn({ isAgain: true, ...world })
    const before = written()
    expect(await step.take('searxng')).toMatchObject({ ok: false })
    expect([written(), sent.length]).toEqual([before, asked])
    expect(shown.at(-1)).toMatch(words)
  })
})
