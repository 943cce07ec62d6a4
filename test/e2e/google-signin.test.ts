/**
 * `pfar connect google` as a person meets it: the steps to a client of one's own, a browser that signs in and comes back, or one on another
 * machine whose address is pasted; and what is said when it does not go well. Against a real OAuth server (L-07, I-11, F-17).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Events } from 'oauth2-mock-server'
import { beforeAll, describe, expect, test } from 'vitest'
import { until } from '../home/fixtures/wait.ts'
import { newFolder } from '../kit/folder.ts'
import { type SigningIn, serveSigningIn } from '../kit/oauth-server.ts'
import { sendJson } from '../kit/server.ts'
import { filesIn } from '../regression/files.ts'
import { type OnTerminal, onTerminal } from './keys-bench.ts'
import { run } from './terminal-bench.ts'

const ACCOUNT = 'ada@example.com'
const SECRET = 'GOCSPX-of-the-owners-client'
const REFRESH = '1//lasting-permission-0123456789'
const SOON = 60_000
const SCOPES = [
  'https://www.googleapis.com/auth/calendar',
  'https://www.googleapis.com/auth/gmail.readonly',
  'https://www.googleapis.com/auth/gmail.modify',
  'https://www.googleapis.com/auth/contacts.readonly',
]

let server: SigningIn

beforeAll(async () => {
  server = await serveSigningIn((request, response) =>
    request.url === '/calendar/v3/calendars/primary'
      ? sendJson(response, { id: ACCOUNT })
      : response.writeHead(404).end(),
  )
  return () => server.close()
})

/** What the next exchange answers, beside an access token. */
function granting(more: Readonly<Record<string, unknown>>): void {
  server.granting({ refresh_token: REFRESH, scope: SCOPES.join(' '), ...more })
}

function newHome(more = ''): { readonly home: string; readonly config: () => string } {
  const home = newFolder('e2e-google')
  const text = `${more}[tools.google]\nbase_url = "${server.origin}"\n[network]\nexempt_origins = ["${server.origin}"]\n`
  return { home, config: laid(join(home, 'config.toml'), text) }
}

function laid(path: string, text: string): () => string {
  writeFileSync(path, text, { mode: 0o600 })
  return () => readFileSync(path, 'utf8')
}

const ANSWERS: readonly (readonly [RegExp, string])[] = [
  [/keep it instead\?[\s\S]*\[passphrase\] > $/, 'plain'],
  [/Client ID > $/, '1234-owner.apps.example'],
  [/Client secret: $/, SECRET],
]

async function started(home: string): Promise<{ readonly ran: OnTerminal; readonly url: string }> {
  const ran = onTerminal('scripts/pfar.mjs connect google', { PFAR_HOME: home, NO_COLOR: '1' }, ANSWERS)
  // A terminal may wrap a long line with the carriage return alone.
  const url = await until(
    () => /(http\S+\/oauth2\/authorize\?\S+)\s/.exec(ran.shown().replaceAll(/\r(?!\n)/g, ''))?.[1] ?? null,
    SOON,
  )
  return { ran, url }
}

function endsIn(home: string): number | null {
  const db = new DatabaseSync(join(home, 'secrets.sqlite'), { readOnly: true })
  const row = db.prepare('select endsAt from secrets').get()
  db.close()
  return row?.['endsAt'] === null ? null : Number(row?.['endsAt'])
}

/** Signs in; where the service sends the browser. */
async function signedIn(url: string): Promise<string> {
  const { headers } = await fetch(url, { redirect: 'manual' })
  return headers.get('location') ?? ''
}

describe('a browser on this machine', () => {
  test('comes back, is told what was allowed, and the permission lies sealed', async () => {
    const { home, config } = newHome()
    const { ran, url } = await started(home)
    expect(ran.shown()).toMatch(/OAuth client of your own[\s\S]*Desktop app[\s\S]*seven days/)
    const asked = new URL(url).searchParams
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ response_type: 'code', code_challenge_method: 'S256', access_type: 'offline', prompt: 'consent' },
      scope: SCOPES.join(' '),
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
    })
    granting({})
    const page = await fetch(await signedIn(url))
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(await page.text()).toMatch(/ada@example\.com[\s\S]*read your calendars[\s\S]*file your mail/)
    expect(await ran.ended).toBe(0)
    expect(ran.shown()).toMatch(/Connected: ada@example\.com[\s\S]*read your calendars/)
    expect(ran.shown()).not.toContain(SECRET)
    expect(server.exchanged.at(-1)?.get('code_verifier')).toMatch(/^[\w.~-]{43,}$/)
    expect(config()).toContain(`account = "${ACCOUNT}"`)
    for (const file of filesIn(home))
      for (const secret of [SECRET, REFRESH])
        expect(readFileSync(join(home, file), 'latin1')).not.toContain(secret)
    const { out } = await run(['scripts/pfar.mjs', 'secret', 'list', '--json'], {
      ...process.env,
      PFAR_HOME: home,
    })
    expect(JSON.parse(out)).toMatchObject([{ name: 'google', kind: 'oauth' }])
    expect(ran.shown()).not.toContain('ends what you allow me on')
    expect(endsIn(home)).toBeNull()
  })

  test('and when Google ends it by itself is said and kept', async () => {
    const { home } = newHome()
    const { ran, url } = await started(home)
    granting({ refresh_token_expires_in: 604_799 })
    await fetch(await signedIn(url))
    expect(await ran.ended).toBe(0)
    expect(ran.shown().replaceAll(/\s+/g, ' ')).toMatch(
      /Google ends what you allow me on \w+ \d+ \w+.* `pfar connect google` .*Publish app/,
    )
    const left = (endsIn(home) ?? 0) - Date.now()
    expect(left).toBeGreaterThan(604_799_000 - 600_000)
    expect(left).toBeLessThanOrEqual(604_799_000)
  })

  test('with another state, or by another name, is no answer; what was left out is said', async () => {
    const { home } = newHome()
    const { ran, url } = await started(home)
    const back = new URL(await signedIn(url))
    const forged = new URL(back)
    forged.searchParams.set('state', 'a-guess')
    expect((await fetch(forged)).status).toBe(404)
    expect((await fetch(new URL('/elsewhere?state=x', back))).status).toBe(404)
    granting({ scope: SCOPES[0] })
    expect(await (await fetch(back)).text()).toMatch(/You left out:[\s\S]*file your mail/)
    expect(await ran.ended).toBe(0)
  })

  test('mail may be read alone: filing it is what was left out', async () => {
    const { ran, url } = await started(newHome().home)
    granting({ scope: SCOPES.slice(0, 2).join(' ') })
    const page = await (await fetch(await signedIn(url))).text()
    expect(page).toMatch(/• read your mail[\s\S]*You left out:[\s\S]*file your mail/)
    expect(await ran.ended).toBe(0)
  })
})

test('a browser on another machine: the address at which it ended is pasted', async () => {
  const { home, config } = newHome()
  const { ran, url } = await started(home)
  granting({})
  const back = await signedIn(url)
  ran.child.stdin?.write('what shall I do?\r')
  await until(() => ran.shown().match(/\n> /g)?.length === 2, SOON)
  ran.child.stdin?.write(`${back}\r`)
  expect(await ran.ended).toBe(0)
  expect(config()).toContain(`account = "${ACCOUNT}"`)
})

test('mail that has an account of its own is not asked for', async () => {
  const mail =
    '[tools.mail]\naddress = "ada@example.com"\nimap = "imap.example.com:993"\nsmtp = "smtp.example.com:465"\n'
  const { ran, url } = await started(newHome(mail).home)
  expect(new URL(url).searchParams.get('scope')).toBe([SCOPES[0], SCOPES[3]].join(' '))
  ran.child.kill('SIGKILL')
})

describe('nothing is stored, and it is said, where', () => {
  const refused = async (back: (url: string) => Promise<string>): Promise<string> => {
    const { home, config } = newHome()
    const before = config()
    const { ran, url } = await started(home)
    const page = await (await fetch(await back(url))).text()
    expect(page).toContain('Nothing was allowed')
    expect(await ran.ended).toBe(1)
    expect(config()).toBe(before)
    expect(
      filesIn(home)
        .map((file) => readFileSync(join(home, file), 'latin1'))
        .join(),
    ).not.toContain(REFRESH)
    return ran.shown()
  }

  test('the owner says no there', async () => {
    const said = await refused(async (url) => {
      const { searchParams } = new URL(url)
      const query = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' })
      return `${searchParams.get('redirect_uri')}?${query}`
    })
    expect(said).toMatch(/you allowed nothing\. Nothing was stored/)
  })

  test.each([
    ['no lasting permission is given', { refresh_token: null }, /no lasting permission/],
    ['every box was left unticked', { scope: 'openid' }, /allowed nothing of what was asked for/],
  ])('%s', async (_what, more, words) => {
    const said = await refused((url) => {
      granting(more)
      return signedIn(url)
    })
    expect(said).toMatch(words)
  })

  test.each([
    ['the client is unknown', 'invalid_client', /did not take the client/],
    ['the code is used up', 'invalid_grant', /did not take the answer of your browser/],
  ])('%s', async (_what, error, words) => {
    const said = await refused((url) => {
      server.oauth.service.once(Events.BeforeResponse, (answer) => {
        answer.statusCode = 400
        answer.body = { error, error_description: 'Zanzibar said this' }
      })
      return signedIn(url)
    })
    expect(said).toMatch(words)
    expect(said).not.toContain('Zanzibar')
  })
})
