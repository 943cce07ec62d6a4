/**
 * How each action of every package meets a service that does not answer as it should (Q-12, L-18): one that has had enough, one that takes the key no more, one
 * that is down or cannot be reached. A package is in the table by being listed; one whose arguments have a form of their own has a row in `FORMS`.
 */
import { describe, expect, it } from 'vitest'
import { markOf } from '../../integrations/tools/cloudflare/mark.ts'
import { HOME_RUNNERS } from '../../integrations/tools/home.ts'
import type { HomeToolPowers } from '../../integrations/tools/package.ts'
import { createTool } from '../../integrations/tools/registered.ts'
import type { FieldSpec, ScalarKind } from '../../kernel/flow/field.ts'
import type { Json } from '../../kernel/flow/json.ts'
import { err, ok, type Result } from '../../kernel/flow/verdict.ts'
import type {
  ActionManifest,
  Credential,
  HttpResponse,
  Tool,
  ToolOutcome,
} from '../../kernel/tool/manifest.ts'
import { LOGIN } from '../fakes/pds-server.ts'
import { BEARER, tokenFor } from './calls.ts'

type Args = Readonly<Record<string, Json>>

const SECRET = 'text-of-the-service'
const HEX = '0'.repeat(32)
const SPAN = { from: '2026-11-27T10:00:00Z', to: '2026-11-27T11:00:00Z' }
const ISSUE = 'acme/site#12'
const POST = 'at://did:plc:ada/app.bsky.feed.post/3k1'
const PAGE = { id: '00000000-0000-4000-8000-000000000001', name: 'Todo', visibility: 'workspace' }

const MARK = String(
  markOf(
    { name: 'www.example.com', kind: 'A', content: '203.0.113.9', proxied: undefined, ttl: undefined },
    BEARER,
  ),
)

/** Arguments of which no sample of their kind is one. */
const FORMS: Readonly<Record<string, Args>> = {
  'calendar.freebusy': SPAN,
  'calendar.create_event': SPAN,
  'calendar.answer_invitation': { version: 'v1' },
  'github.get_issue': { item: ISSUE },
  'github.ci_state': { on: 'acme/site' },
  'github.get_repo': { repo: 'acme/site' },
  'github.create_issue': { repo: 'acme/site' },
  'github.comment': { item: ISSUE },
  'bluesky.thread': { post: POST },
  'bluesky.reply': { post: POST },
  'notion.create_page': { ...PAGE, kind: 'page' },
  'notion.append': { ...PAGE, kind: 'page' },
  'notion.comment': { ...PAGE, kind: 'page' },
  'notion.add_row': { ...PAGE, kind: 'database' },
  'notion.find_cell': { row: PAGE.id, to: 'done' },
  'notion.set_cell': { row: PAGE.id, to: 'done', id: PAGE.id, cell: 'Paid', as: 'checkbox', after: '☑' },
  'slack.read_thread': { thread: 'https://acme.slack.com/archives/C0123456789/p1764200000000100' },
  'cloudflare.dns_list': { name: 'example.com' },
  'cloudflare.find_record': { name: 'www.example.com', to: '203.0.113.9' },
  'cloudflare.find_place': { name: 'www.example.com', to: '203.0.113.9' },
  'cloudflare.find_removed': { name: 'www.example.com' },
  'cloudflare.dns_create': { name: 'www.example.com', to: '203.0.113.9', kind: 'A', zone: HEX },
  'cloudflare.dns_delete': {
    name: 'www.example.com',
    kind: 'A',
    from: '203.0.113.9',
    zone: HEX,
    record: HEX,
  },
  'cloudflare.dns_put_back': { name: 'www.example.com', to: '203.0.113.9', type: 'A', zone: HEX, mark: MARK },
  'cloudflare.dns_update': { name: 'www.example.com', to: '203.0.113.9', kind: 'A', zone: HEX, record: HEX },
}

/** Actions that ask no service by HTTP, and what they look at instead; any other one must ask. */
const QUIET: Readonly<Record<string, string>> = {
  'email.send': 'the mail account, by a socket',
  'email.draft': 'the mail account, by a socket',
  'email.enclosed': 'files of the owner',
  'calendar.check_event': 'nothing, where the call has no time',
  'calendar.find_times': 'who is meant, which is not known here',
  'http.saved': 'what the owner saved',
  'http.requests': 'what the owner saved',
  'http.host': 'what the owner named',
}

/** Lists that are whole, or that no service cuts into pages. */
const WHOLE: Readonly<Record<string, string>> = {
  'email.read': 'parts of one mail',
  'email.attachment': 'parts of one mail',
  'email.invitation': 'parts of one mail',
  'email.which': 'what the owner named, one by one',
  'email.enclosed': 'what the owner named, one by one',
  'email.recipients': 'the likeliest few',
  'calendar.freebusy': 'a span, whole or refused',
  'calendar.read_event': 'parts of one event',
  'homeassistant.list': 'a count stands beside it',
  'web.read': 'one page',
  'weather.forecast': 'the days that were asked for',
  'moltbook.check_dms': 'a count stands beside it',
  'moltbook.check_notifications': 'a count stands beside it',
  'http.saved': 'fields that the owner declared',
  'http.requests': 'all that the owner saved',
}

/** Reads that say that there is more and whose next part nobody can ask for by "more", each with why. */
const ENDS: Readonly<Record<string, string>> = {
  'email.list': 'the mail server is asked for the newest by number: "the last 50"',
  'email.search': 'the mail server is asked for the best by number, and other words find others',
  'email.count': 'a number',
  'email.folders': 'a folder is named instead',
  'email.heard': 'whether there is an answer is asked, and the newest few say it',
  'email.promises': 'the newest few, as a person reads them',
  'email.digest': 'the newest unread, of which what was read is none any more',
  'calendar.find_times': 'the first few, and another span has others',
  'calendar.list_events': 'another span of days has others',
  'calendar.list_calendars': 'what the owner chose',
  'calendar.check_event': 'only for a card',
  'addressbook.list': 'somebody is named instead',
  'homeassistant.state': 'a thing is named instead',
  'homeassistant.history': 'another span has others',
  'bluesky.thread': 'the server gives one answer; deeper ones are threads of their own',
  'cloudflare.tunnel_status': 'of several accounts together',
}

const SAMPLES: Readonly<Record<Exclude<ScalarKind, 'enum'>, Json>> = {
  ...{ number: 1, date: '2026-11-27T10:00:00Z', boolean: true, id: 'a1', email: 'tom@example.org' },
  ...{ url: 'https://example.org/a', text: 'roof' },
}

function sampleOf(spec: FieldSpec): Json {
  if (spec.kind === 'list') return [sampleOf(spec.of)]
  if (spec.kind !== 'record') return spec.kind === 'enum' ? (spec.values?.[0] ?? null) : SAMPLES[spec.kind]
  const needed = Object.entries(spec.fields).filter(([, field]) => field.optional !== true)
  return Object.fromEntries(needed.map(([name, field]) => [name, sampleOf(field)]))
}

const NONE = () => Promise.reject(new Error('none'))
const POWERS = {
  ...{ reader: { read: NONE, text: NONE }, htmlText: NONE, rows: NONE, feed: NONE, accounts: [] },
  healthKeeper: { known: async () => ok(null), today: () => '2026-11-27', replace: NONE },
} as unknown as HomeToolPowers
/** The owner names the address of what is the owner's own. */
const OWN = { homeassistant: 'https://lamp.example' } as Readonly<Record<string, string>>

const ACTIONS = HOME_RUNNERS.flatMap((runner) =>
  runner.manifest.network.length === 0 && runner.manifest.selfHosted !== true
    ? []
    : runner.manifest.actions
        .filter(({ later }) => later === undefined)
        .map((action) => [action.id, action, runner] as const),
)

const codeOf = (result: ToolOutcome): string => (result.ok ? 'ok' : result.reason.code)

/** What a write met, where its outcome is unknown for that. */
const behind = (result: ToolOutcome): string =>
  !result.ok && result.reason.code === 'write_outcome_unknown'
    ? String(result.reason.facts['after'])
    : codeOf(result)

/** One call of a tool that was just made: what a service said before is not remembered. */
async function met(
  action: ActionManifest,
  runner: (typeof ACTIONS)[number][2],
  answer: () => Result<HttpResponse>,
) {
  let asked = 0
  const http = {
    request: async () => {
      asked += 1
      return answer()
    },
  }
  const baseUrl = OWN[runner.manifest.name]
  const tool: Tool = createTool(runner, { ...POWERS, ...(baseUrl !== undefined && { baseUrl }) })
  const credential: Credential =
    runner.manifest.name === 'bluesky' ? { scheme: 'bearer', value: LOGIN } : BEARER
  const args = { ...(sampleOf(action.args) as Args), ...FORMS[action.id] }
  const call = { action: action.id, args, capability: tokenFor(action.id), credential, http }
  const result = await tool.execute({ ...call, open: async () => ok({ credential, http }) })
  return { result, asked }
}

const status =
  (code: number, headers: Readonly<Record<string, string>> = {}) =>
  (): Result<HttpResponse> =>
    ok({
      status: code,
      headers,
      body: JSON.stringify({ error: SECRET, message: SECRET }),
      url: 'https://x.example/',
    })

it.each(ACTIONS.filter(([id]) => QUIET[id] !== undefined))(
  '%s asks no service',
  async (_id, action, runner) => {
    const { asked } = await met(action, runner, status(503)).catch(() => ({ asked: 0 }))
    expect(asked).toBe(0)
  },
)

it.each(Object.keys({ ...FORMS, ...QUIET, ...WHOLE, ...ENDS }))('%s is an action', (id) => {
  expect(ACTIONS.map(([known]) => known)).toContain(id)
})

describe.each(ACTIONS.filter(([id]) => QUIET[id] === undefined))('%s', (_id, action, runner) => {
  it('waits as long as the service says', async () => {
    const { result, asked } = await met(action, runner, status(429, { 'retry-after': '30' }))
    const facts = { status: 429, wait: 30 }
    expect(asked).toBeGreaterThan(0)
    expect(result).toEqual({ ok: false, reason: { code: 'remote_rate_limited', facts } })
  })

  // Keyless reads have no key that a service could take no more.
  const keyless = runner.manifest.credential === null && runner.manifest.accounts === undefined
  const refused = keyless ? /^remote_(?:rejected|unauthorized)$/ : /^remote_unauthorized$/
  it.each([
    ['takes the key no more', status(401), refused],
    ['is down', status(503), /^remote_unavailable$/],
    ['cannot be reached', () => err('network_failed'), /^network_failed$/],
  ] as const)('meets a service that %s, and repeats nothing of it', async (_, answer, code) => {
    const { result, asked } = await met(action, runner, answer as () => Result<HttpResponse>)
    expect(asked).toBeGreaterThan(0)
    // Of a write nobody knows then whether it was made.
    expect(action.semantics === 'write' ? behind(result) : codeOf(result)).toMatch(code)
    expect(JSON.stringify(result)).not.toContain(SECRET)
  })
})

describe('a read that says "more"', () => {
  const PARTS = ACTIONS.filter(
    ([id, { semantics, output, pages }]) =>
      semantics === 'read' &&
      WHOLE[id] === undefined &&
      ENDS[id] === undefined &&
      (pages !== undefined ||
        (output.kind === 'record' &&
          Object.keys(output.fields).some((name) => name === 'more' || name === 'truncated'))),
  )
  it.each(PARTS)(
    '%s is gone on with, from a place that only the action itself gets',
    (_id, { args, output, pages }) => {
      const fields = output.kind === 'record' ? output.fields : {}
      const [from, into] = [fields[pages?.field ?? ''], args.fields[pages?.argument ?? '']]
      expect([from?.kind, into?.optional]).toEqual([into?.kind, true])
      expect(['id', 'number']).toContain(into?.kind)
    },
  )
})

describe('a read of many', () => {
  const LISTS = ACTIONS.filter(
    ([id, { semantics, output }]) =>
      semantics === 'read' &&
      WHOLE[id] === undefined &&
      output.kind === 'record' &&
      Object.values(output.fields).some(({ kind }) => kind === 'list'),
  )
  it.each(LISTS)('%s says whether there is more than it read', (_id, { output }) => {
    const flags = output.kind === 'record' ? Object.keys(output.fields) : []
    expect(flags.filter((name) => /^(?:more|truncated|partial|cut|of|fits)$/.test(name))).not.toEqual([])
  })
})
