/** Configuration of home: what is refused, for which setting, and that no refusal repeats a value (S-01, S-02, S-14). */

import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CHORES } from '../../kernel/features/housekeeping/chores.ts'
import { NO_BUDGET } from '../../kernel/inference/budget.ts'
import { configPath, loadConfig, parseConfig } from '../../sidecar/config/config.ts'
import { ownMailboxes } from '../../sidecar/mail/mail-accounts.ts'
import { NO_MODELS } from '../../sidecar/models/models-config.ts'
import { vaultNameOf } from '../../sidecar/secrets/vault-names.ts'
import { newFolder } from '../kit/folder.ts'

function refusal(text: string): { key: string; problem: string } {
  const parsed = parseConfig(text)
  if (parsed.ok) throw new Error('was accepted')
  expect(parsed.reason.code).toBe('config_malformed')
  return parsed.reason.facts as { key: string; problem: string }
}

/** Built at run time, so that no secret scanner reports this file. */
const fake = {
  openai: `sk-proj-${'a1B2c3D4'.repeat(4)}`,
  github: `ghp_${'a1B2c3D4e5'.repeat(3)}`,
  slack: `xoxb-${'1234567890'.repeat(2)}-abcdef`,
  google: `ya29.${'a0AfB_by'.repeat(5)}`,
  googleKey: `AIza${'SyA1b2C3d4'.repeat(4)}`,
  aws: `AKIA${'ABCD1234EFGH5678'}`,
  telegram: `123456789:${'AAbbCCdd11'.repeat(4)}`,
  jwt: `eyJ${'hbGciOiJIUzI1'}.eyJ${'zdWIiOiIxMjM0'}.c2ln`,
  bearer: `Bearer ${'0123456789abcdef'}`,
  pem: '-----BEGIN PRIVATE KEY-----',
  password: 'https://me:hunter22@example.com',
  random: 'q7Xv0ZpL2mWc8RtYb4NsKd6JfHgA1eUi',
}

describe('a full configuration', () => {
  const parsed = parseConfig(`
[owner]
name = "Ada"
timezone = "Europe/Berlin"
language = "de"
[[contacts]]
name = "Sarah"
email = "sarah@example.com"
[edge]
url = "https://pfar.example.com/"
[tools.google]
base_url = "http://127.0.0.1:4100"
account = "ada@example.com"
credential = "vault:work/google"
[tools.mail]
address = "ada@example.com"
imap = "IMAP.example.com:993"
smtp = "smtp.example.com:465"
files_sent = true

[tools.files]
folders = ["/home/ana/notes"]
[tools.web]
[services.github]
base_url = "https://github.example.com/api/v3/"
[slack]
team = "T1"
owner = "U1"
app = "A1"
chat = "D1"
[telegram]
owner = 7
bot = 8
[network]
exempt_origins = ["http://127.0.0.1:4100/"]
[backup]
folder = "/media/backup"
at = "04:30"
keep_days = 14
keep_weeks = 0
[approvals]
timeout_seconds = 20
chats = ["telegram", "terminal"]
[log]
level = "debug"
[timeouts]
plan_seconds = 90
answer_seconds = 600
[reader]
pass = true
[session]
planner_turns = 0
history_tokens = 400
[budget]
tokens_per_day = 200000
cost_per_day = 1.5
currency = "EUR"
[budget.prices.anthropic]
input = 3
output = 15
cache_read = 0.3
cache_write = 3.75
[budget.prices."openai:gpt-x"]
input = 1
output = 2
`)
  test('is read completely, with origins without a trailing slash', () => {
    expect(parsed).toEqual({
      ok: true,
      value: {
        owner: { name: 'Ada', timezone: 'Europe/Berlin', language: 'de', preferences: [] },
        persona: { name: null, style: null },
        commands: [],
        contacts: [{ name: 'Sarah', email: 'sarah@example.com' }],
        edge: 'https://pfar.example.com',
        google: {
          demo: false,
          baseUrl: 'http://127.0.0.1:4100',
          account: 'ada@example.com',
          credential: 'work/google',
          accounts: [],
        },
        calendars: { chosen: [], standard: null },
        calendarAccounts: [],
        certificates: {},
        addressbooks: [],
        folders: ['/home/ana/notes'],
        healthFolder: null,
        search: { engine: 'duckduckgo', url: null },
        http: { hosts: [], saved: [] },
        mail: {
          ...{ address: 'ada@example.com', user: 'ada@example.com', name: null },
          ...{ imap: { host: 'imap.example.com', port: 993 }, smtp: { host: 'smtp.example.com', port: 465 } },
          ...{ filesSent: true, own: null },
        },
        ...{ otherMail: [], mailDefault: null },
        channels: {
          telegram: { owner: 7, bot: 8, api: 'https://api.telegram.org' },
          slack: { team: 'T1', owner: 'U1', app: 'A1', chat: 'D1', api: 'https://slack.com' },
        },
        speech: null,
        vision: null,
        documentsWithoutSandbox: false,
        exemptOrigins: ['http://127.0.0.1:4100'],
        models: NO_MODELS,
        backupFolder: '/media/backup',
        ...{ backupTimes: '30 4 * * *', backupKept: { days: 14, weeks: 0 } },
        approvalTimeout: 20_000,
        ownerChats: ['telegram', 'terminal'],
        logLevel: 'debug',
        history: { plannerTurns: 0, writerTurns: 20, tokens: 400 },
        modelTime: { plan: 90_000, answer: 600_000 },
        services: { github: 'https://github.example.com/api/v3' },
        readerPass: true,
        budget: {
          ...{ tokensPerTask: null, tokensPerDay: 200_000, costPerDay: 1_500_000, currency: 'EUR' },
          prices: {
            anthropic: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
            'openai:gpt-x': { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 },
          },
        },
      },
    })
  })
})

test('an empty file yields the defaults', () => {
  const parsed = parseConfig('')
  expect(parsed.ok && parsed.value).toMatchObject({
    contacts: [],
    edge: null,
    google: { baseUrl: null, account: null, credential: null, accounts: [] },
    channels: {},
    speech: null,
    exemptOrigins: [],
    backupFolder: null,
    ...{ backupTimes: CHORES.backup, backupKept: { days: 7, weeks: 4 } },
    approvalTimeout: 300_000,
    ownerChats: ['terminal', 'telegram', 'slack'],
    logLevel: 'error',
    history: { plannerTurns: 12, writerTurns: 20, tokens: 4_000 },
    modelTime: {},
    readerPass: false,
    budget: NO_BUDGET,
  })
})

/** Two mailboxes; `more`: lines of the first. */
function mails(more: string, account: string | null, address = 'ada@acme.example'): string {
  const servers = 'imap = "imap.example.com:993"\nsmtp = "smtp.example.com:465"'
  const named = account === null ? '' : `account = "${account}"`
  const first = `[tools.mail]\naddress = "ada@example.com"\n${servers}\n${more}`
  return `${first}\n[[tools.mail.accounts]]\naddress = "${address}"\n${servers}\n${named}`
}
const TWICE = 'must each have a name and an address of their own'

test('several mailboxes have names, and a secret of their own each; that of the first is as it was', () => {
  const parsed = parseConfig(mails('default = "work"', 'work'))
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.reason))
  const { value } = parsed
  expect(ownMailboxes(value).map(({ name, secret, account }) => [name, secret, account])).toEqual([
    ['example', 'mail', null],
    ['work', 'mail-work', 'work'],
  ])
  expect(vaultNameOf(value, 'mail', null)).toBe('mail')
  for (const account of ['work', 'ada@acme.example'])
    expect(vaultNameOf(value, 'mail', account)).toBe('mail-work')
  for (const account of ['example', 'ada@example.com'])
    expect(vaultNameOf(value, 'mail', account)).toBe('mail')
  for (const account of ['club', 'mail', '']) expect(vaultNameOf(value, 'mail', account)).toBeNull()
  expect(value.mailDefault).toBe('work')
})

describe('is refused, naming the setting', () => {
  test.each([
    ['unknown section', '[telegraf]\nx = 1', 'telegraf', 'is not a setting'],
    ['unknown key', '[owner]\nnmae = "x"', 'owner.nmae', 'is not a setting'],
    ['unknown tool', '[tools.gogle]', 'tools.gogle', 'is not a setting'],
    ['unknown key of a tool', '[tools.google]\nscope = "x"', 'tools.google.scope', 'is not a setting'],
    [
      'unknown key of a contact',
      '[[contacts]]\nname="a"\nemail="a@b.co"\nrole="x"',
      'contacts.0.role',
      'is not a setting',
    ],
    [
      'a backup at no time of day',
      '[backup]\nat = "25:00"',
      'backup.at',
      'must be a time of day, such as 03:00',
    ],
    [
      'a backup at several times',
      '[backup]\nat = "03:00, 15:00"',
      'backup.at',
      'must be a time of day, such as 03:00',
    ],
    ['no backup that stays', '[backup]\nkeep_days = 0', 'backup.keep_days', 'must be at least 1'],
    ['more than a disk holds', '[backup]\nkeep_weeks = 900', 'backup.keep_weeks', 'must be at most 366'],
    ['a relative folder', '[backup]\nfolder = "backups"', 'backup.folder', 'must be an absolute path'],
    ['number for text', '[owner]\nname = 7', 'owner.name', 'must be string'],
    [
      'text for number',
      '[approvals]\ntimeout_seconds = "soon"',
      'approvals.timeout_seconds',
      'must be number',
    ],
    ['too long a history', '[session]\nwriter_turns = 51', 'session.writer_turns', 'must be at most 50'],
    ['a window of no size', '[session]\nhistory_tokens = -1', 'session.history_tokens', 'must be at least 0'],
    ['a reader that is no yes or no', '[reader]\npass = "on"', 'reader.pass', 'must be boolean'],
    ['unknown window', '[session]\nturns = 3', 'session.turns', 'is not a setting'],
    ['a negative budget', '[budget]\ntokens_per_day = -1', 'budget.tokens_per_day', 'must be at least 0'],
    ['half a token', '[budget]\ntokens_per_task = 0.5', 'budget.tokens_per_task', 'must be int'],
    ['an unknown budget', '[budget]\ncost_per_week = 3', 'budget.cost_per_week', 'is not a setting'],
    ['half a price', '[budget.prices.a]\ninput = 3', 'budget.prices.a.output', 'must be number'],
    [
      'a price below nothing',
      '[budget.prices.a]\ninput = -3\noutput = 1',
      'budget.prices.a.input',
      'must be at least 0',
    ],
    [
      'an unknown price',
      '[budget.prices.a]\ninput = 3\noutput = 1\nread = 1',
      'budget.prices.a.read',
      'is not a setting',
    ],
    ['an unknown log level', '[log]\nlevel = "trace"', 'log.level', 'has the wrong form'],
    ['no chat', '[approvals]\nchats = []', 'approvals.chats', 'must be at least 1'],
    [
      'a chat twice',
      '[approvals]\nchats = ["terminal", "terminal"]',
      'approvals.chats',
      'must name each chat once',
    ],
    ['an unknown chat', '[approvals]\nchats = ["telegraf"]', 'approvals.chats.0', 'has the wrong form'],
    [
      'a chat with a bot that is not there',
      '[approvals]\nchats = ["telegram"]',
      'approvals.chats',
      'names no chat that is there: pfar channel connect telegram --private',
    ],
    ['an app of nobody', '[slack]\nteam = "T1"', 'slack.owner', 'must be string'],
    [
      'a person of no workspace',
      '[slack]\nteam = "T1"\nowner = "ada"\napp = "A1"\nchat = "D1"',
      'slack.owner',
      "must be Slack's id, in capitals and digits",
    ],
    [
      'an app in the clear',
      '[slack]\nteam = "T1"\nowner = "U1"\napp = "A1"\nchat = "D1"\napi = "http://slack.example.com"',
      'slack.api',
      'must be https, unless it is on this machine',
    ],
    ['a bot of nobody', '[telegram]\nbot = 8', 'telegram.owner', 'must be number'],
    [
      'a Bot API in plain view',
      '[telegram]\nowner = 7\nbot = 8\napi = "http://api.example.com"',
      'telegram.api',
      'must be https, unless it is on this machine',
    ],
    [
      'a Bot API with a path',
      '[telegram]\nowner = 7\nbot = 8\napi = "https://api.example.com/x"',
      'telegram.api',
      'must be an origin, such as https://example.com',
    ],
    ['fraction', '[approvals]\ntimeout_seconds = 30.5', 'approvals.timeout_seconds', 'must be int'],
    [
      'too short a timeout',
      '[approvals]\ntimeout_seconds = 1',
      'approvals.timeout_seconds',
      'must be at least 10',
    ],
    [
      'too long a timeout',
      '[approvals]\ntimeout_seconds = 100000',
      'approvals.timeout_seconds',
      'must be at most 86400',
    ],
    [
      'no time zone',
      '[owner]\ntimezone = "Mars/Base"',
      'owner.timezone',
      'must be a time zone, such as Europe/Berlin',
    ],
    ['no address', '[[contacts]]\nname = "a"\nemail = "nobody"', 'contacts.0.email', 'has the wrong form'],
    ['contact without address', '[[contacts]]\nname = "a"', 'contacts.0.email', 'must be string'],
    [
      'origin with a path',
      '[edge]\nurl = "https://a.example/x"',
      'edge.url',
      'must be an origin, such as https://example.com',
    ],
    [
      'origin with a user',
      '[edge]\nurl = "https://me@a.example"',
      'edge.url',
      'must be an origin, such as https://example.com',
    ],
    [
      'other scheme',
      '[edge]\nurl = "ws://a.example"',
      'edge.url',
      'must be an origin, such as https://example.com',
    ],
    [
      'plain http edge',
      '[edge]\nurl = "http://a.example"',
      'edge.url',
      'must be https, unless it is on this machine',
    ],
    [
      'own search engine without its address',
      '[tools.web]\nengine = "searxng"',
      'tools.web.searxng',
      'must be the address of your SearXNG',
    ],
    ...[
      'http://search.example.org',
      'http://nas.local:8888',
      'https://nas:8888',
      'https://a.example/?q=1',
    ].map((url) => [
      `search engine at ${url}`,
      `[tools.web]\nengine = "searxng"\nsearxng = "${url}"`,
      'tools.web.searxng',
      'must be https at its usual port, or an address (not a name) of your own network',
    ]),
    [
      'plain http tool',
      '[tools.google]\nbase_url = "http://127.0.0.1:9"',
      'tools.google.base_url',
      'must be https, or be listed in network.exempt_origins',
    ],
    [
      'plain http service',
      '[services.github]\nbase_url = "http://10.0.0.1/api"',
      'services.github.base_url',
      'must be https, or be listed in network.exempt_origins',
    ],
    [
      'service with a query in its address',
      '[services.github]\nbase_url = "https://github.example.com/?a=b"',
      'services.github.base_url',
      'must be an address, such as https://example.com/api',
    ],
    [
      'exemption elsewhere',
      '[network]\nexempt_origins = ["http://10.0.0.1"]',
      'network.exempt_origins',
      'may only hold addresses of this machine',
    ],
    [
      'exemption by look-alike',
      '[network]\nexempt_origins = ["http://127.0.0.1.evil.example"]',
      'network.exempt_origins',
      'may only hold addresses of this machine',
    ],
    ['section as value', 'owner = "x"', 'owner', 'must be object'],
    ['no TOML', '[owner\nname = "x"', 'config.toml', 'is not valid TOML at line 1, column 7'],
    [
      'duplicate key',
      '[owner]\nname = "x"\nname = "y"',
      'config.toml',
      'is not valid TOML at line 3, column 1',
    ],
    ['prototype key', '[owner.__proto__]\nx = 1', 'owner.__proto__', 'is not a setting'],
    ['two mailboxes of one name', mails('account = "work"', 'work'), 'tools.mail.accounts', TWICE],
    ['two of one address', mails('', 'work', 'ADA@example.com'), 'tools.mail.accounts', TWICE],
    ['a mailbox without a name', mails('', null), 'tools.mail.accounts.0.account', 'must be string'],
    [
      'a name that would not stand in an id',
      mails('', 'my work'),
      'tools.mail.accounts.0.account',
      'has the wrong form',
    ],
    [
      'a default that is no mailbox',
      mails('default = "club"', 'work'),
      'tools.mail.accounts',
      'must name a mailbox that is there as the default',
    ],
  ])('%s', (_name, text, key, problem) => {
    expect(refusal(text)).toEqual({ key, problem })
  })
})

describe('a literal secret is refused and not repeated (S-14)', () => {
  const says = 'holds a secret; put it in the vault and write vault:<name> here'
  test.each(Object.entries(fake))('%s', (_name, secret) => {
    const found = refusal(`[owner]\nname = "${secret}"`)
    expect(found).toEqual({ key: 'owner.name', problem: says })
    expect(JSON.stringify(found)).not.toContain(secret.slice(4))
  })

  test.each([
    ['by the name of its setting', '[tools.google]\ntoken = "short"', 'tools.google.token'],
    ['in any spelling', '[tools.google]\nCLIENT_SECRET = "short"', 'tools.google.CLIENT_SECRET'],
    ['api key', '[tools.web]\napi_key = "abc"', 'tools.web.api_key'],
    ['a credential that is no reference', '[tools.google]\ncredential = "google"', 'tools.google.credential'],
    ['password', '[edge]\npassword = "abc"', 'edge.password'],
    ['deep in a list', `[[contacts]]\nname = "${fake.github}"\nemail = "a@b.co"`, 'contacts.0.name'],
    ['in an unknown section', `[x]\ny = "${fake.openai}"`, 'x.y'],
    ['as the name of a setting', `[owner]\n${fake.github} = 1`, 'owner.(name of a setting)'],
  ])('%s', (_name, text, key) => {
    expect(refusal(text)).toEqual({ key, problem: says })
  })

  test('also if the file is not TOML, whose parser quotes the line', () => {
    const found = refusal(`[owner]\nname = "${fake.openai}" oops`)
    expect(found.key).toBe('config.toml')
    expect(JSON.stringify(found)).not.toContain('sk-')
  })

  test('a reference to the vault is no secret, only an unknown setting', () => {
    expect(refusal('[tools.google]\ntoken = "vault:google"')).toEqual({
      key: 'tools.google.token',
      problem: 'is not a setting',
    })
  })

  test('each name of a folder is looked at by itself: a path is long, and may hold a year', () => {
    const path = '/home/ana2/Documents/Archive/2026/house-and-garden-1'
    expect(parseConfig(`[tools.files]\nfolders = ["${path}"]`).ok).toBe(true)
    expect(parseConfig(`[backup]\nfolder = "${path}"`).ok).toBe(true)
    expect(refusal(`[owner]\nname = "${path}"`)).toEqual({ key: 'owner.name', problem: says })
    expect(refusal(`[tools.files]\nfolders = ["/home/${fake.github}/x"]`)).toEqual({
      key: 'tools.files.folders.0',
      problem: says,
    })
  })

  test.each([
    'America/Argentina/ComodRivadavia',
    'a-very-long-but-honest-hyphenated-name-of-someone',
    'https://a-long-name-of-a-deployment-with-words.example.com',
  ])('ordinary text is not a secret: %s', (text) => {
    expect(parseConfig(`[owner]\nname = "${text}"`).ok).toBe(true)
  })
})

describe('its source (S-02)', () => {
  const folder = newFolder('config')
  const other = join(folder, 'other.toml')
  writeFileSync(other, '[owner]\nname = "Other"')
  const nameIn = (env: Record<string, string>) => {
    const loaded = loadConfig(env, folder)
    return loaded.ok ? loaded.value.owner.name : loaded.reason.facts['problem']
  }

  test('a missing file counts as empty', () => expect(nameIn({})).toBeNull())
  test('PFAR_CONFIG_PATH replaces it', () => expect(nameIn({ PFAR_CONFIG_PATH: other })).toBe('Other'))
  test('a given path must exist', () =>
    expect(nameIn({ PFAR_CONFIG_PATH: join(folder, 'none.toml') })).toBe('cannot be read'))
  test('the default is config.toml of the folder', () =>
    expect(configPath({}, folder)).toBe(join(folder, 'config.toml')))
  test('an endless file is refused', () => {
    const large = join(folder, 'large.toml')
    writeFileSync(large, '#'.repeat(300_000))
    expect(nameIn({ PFAR_CONFIG_PATH: large })).toBe('is too large')
  })
  test('PFAR_EDGE_URL replaces the edge and is checked like it', () => {
    const edgeOf = (url: string) => {
      const loaded = loadConfig({ PFAR_EDGE_URL: url }, folder)
      return loaded.ok ? loaded.value.edge : loaded.reason.facts['key']
    }
    chmodSync(folder, 0o700)
    expect(edgeOf('http://127.0.0.1:8787')).toBe('http://127.0.0.1:8787')
    expect(edgeOf('http://edge.example')).toBe('edge.url')
  })
})
