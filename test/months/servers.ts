/**
 * Services of a simulated month as servers on this machine, which have something new each day or week: an emulator for mail and calendar, scripted ones for the
 * others, each strict about key, method and path. Holds no expectation. Called by services.ts.
 */
import { createBlueskyTool } from '../../integrations/tools/bluesky/run.ts'
import { createCalendarTool } from '../../integrations/tools/calendar/run.ts'
import { createEmailTool } from '../../integrations/tools/email/run.ts'
import { createFeedTool } from '../../integrations/tools/feed/run.ts'
import { createGithubTool } from '../../integrations/tools/github/run.ts'
import type { HealthKeeper } from '../../integrations/tools/health/health-port.ts'
import type { HttpSetting } from '../../integrations/tools/http/setting.ts'
import { createMoltbookTool } from '../../integrations/tools/moltbook/run.ts'
import { createNotionTool } from '../../integrations/tools/notion/run.ts'
import { createOuraTool } from '../../integrations/tools/oura/run.ts'
import { createSlackTool } from '../../integrations/tools/slack/run.ts'
import { createTwitterTool } from '../../integrations/tools/twitter/run.ts'
import type { Tool } from '../../kernel/tool/manifest.ts'
import { createPageReader } from '../../sidecar/pages/page-reader.ts'
import * as github from '../fakes/github-server.ts'
import * as google from '../fakes/google-emulator.ts'
import * as moltbook from '../fakes/moltbook-server.ts'
import * as notion from '../fakes/notion-server.ts'
import * as oura from '../fakes/oura-server.ts'
import * as pds from '../fakes/pds-server.ts'
import * as slack from '../fakes/slack-account-server.ts'
import * as twitter from '../fakes/twitter-server.ts'
import { sendJson, serve } from '../kit/server.ts'
import { httpTool, settingOf } from '../pipeline/saved-requests.ts'

const DAY = 86_400_000
/** Hours of a morning in which mail is away, every third day. */
const AWAY = 2 * 3_600_000
/** Pages of Notion that a job may be written to, by their numbers there. */
const PAGES = { Reading: 2, Prices: 3 } as const
export type Page = keyof typeof PAGES

export interface Service {
  readonly tool: Tool
  readonly origin: string
  /** Null: it needs none; a function where it is another one from time to time. */
  readonly key: string | null | (() => string)
  readonly actions: readonly string[]
  /** Puts there what is new on a day, counted from 1970; once for each day, in order. */
  readonly fill?: (day: number) => unknown
}

export interface Servers {
  readonly services: readonly Service[]
  readonly http: HttpSetting
  /** Address of the feed. */
  readonly feed: string
  /** How often something was added to that page. */
  added(page: Page): number
  close(): Promise<void>
}

interface Asking {
  readonly now: () => number
  readonly health: HealthKeeper
}

/** What is open, the newest last. */
type Ends = (() => unknown)[]

const weekOf = (day: number): number => Math.floor(day / 7)
const isoOf = (day: number): string => new Date(day * DAY).toISOString()

export async function startServers({ now, health }: Asking): Promise<Servers> {
  const ends: Ends = []
  const reader = createPageReader()
  ends.push(() => reader.close())
  const opened = async <T extends { close(): unknown }>(opening: Promise<T>): Promise<T> => {
    const one = await opening
    ends.push(() => one.close())
    return one
  }
  const pages = notion.notionState()
  const inHouse = { parent: { type: 'page_id', page_id: notion.idOf(1) } }
  notion.put(pages, notion.pageRow(1, 'House'))
  for (const [name, number] of Object.entries(PAGES)) notion.put(pages, notion.pageRow(number, name, inHouse))
  const { origin: ofNotion } = await opened(notion.serveNotion(pages))
  const board = await opened(serveFeed(() => weekOf(Math.floor(now() / DAY))))
  const saved = await opened(serveSaved(() => Math.floor(now() / DAY)))
  const http = savedAt(saved.origin)
  return {
    services: [
      ...(await googleServices(opened, reader.text, now)),
      ...(await talkServices(opened)),
      await ouraService(opened, health),
      {
        ...{ tool: createFeedTool(reader), origin: board.origin, key: null, actions: ['web.feed'] },
      },
      { tool: httpTool(http), origin: saved.origin, key: null, actions: ['http.saved'] },
      {
        ...{ tool: createNotionTool({ baseUrl: ofNotion }), origin: ofNotion, key: notion.TOKEN },
        actions: ['notion.find_page', 'notion.append'],
      },
    ],
    http,
    feed: `${board.origin}${FEED}`,
    added: (page) =>
      pages.asked.filter(
        ({ method, path }) =>
          method === 'PATCH' && path === `/v1/blocks/${notion.idOf(PAGES[page])}/children`,
      ).length,
    async close() {
      for (const end of ends.toReversed()) await end()
    },
  }
}

type Opened = <T extends { close(): unknown }>(opening: Promise<T>) => Promise<T>

/** A mail each day that asks something, read two days later, and a newsletter each week; a calendar with an event a day. */
async function googleServices(
  opened: Opened,
  htmlText: ReturnType<typeof createPageReader>['text'],
  now: () => number,
): Promise<readonly Service[]> {
  // Another each week: the emulator gives each some requests an hour, and the hours of a month are minutes here.
  const tokens = Array.from({ length: 6 }, (_, at) => `${google.TOKEN}-${at}`)
  const key = (): string => tokens[weekOf(Math.floor(now() / DAY)) % tokens.length] ?? ''
  const { origin, behind } = await opened(google.openGoogle({}, tokens))
  const away = await opened(serve((_, response) => sendJson(response, { error: { code: 503 } }, 503)))
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const made = await fetch(`${behind}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!made.ok) throw new Error(`the emulator refused ${path}: ${made.status}`)
    return (await made.json()) as Record<string, unknown>
  }
  const messages = '/gmail/v1/users/me/messages'
  const came = new Map<number, string>()
  const put = async (day: number, subject: string, text: string): Promise<string> => {
    const head = { from: 'Sarah Lin <sarah@lin.example>', to: google.OWNER, subject }
    const when = { internalDate: String(day * DAY), date: new Date(day * DAY).toUTCString() }
    const made = await post(messages, { ...head, ...when, text, labelIds: ['INBOX', 'UNREAD'] })
    return String(made['id'])
  }
  const mailTool = (baseUrl: string): Tool => createEmailTool({ baseUrl, htmlText })
  const [there, down] = [mailTool(behind), mailTool(away.origin)]
  const isAway = (): boolean => Math.floor(now() / DAY) % 3 === 0 && now() % DAY < AWAY
  return [
    {
      tool: {
        manifest: { ...there.manifest, network: [...there.manifest.network, ...down.manifest.network] },
        execute: (call) => (isAway() ? down : there).execute(call),
      },
      ...{ origin: behind, key },
      actions: ['email.list', 'email.digest', 'email.search', 'email.read'],
      async fill(day) {
        came.set(day, await put(day, `Numbers of day ${day}`, 'Could you send me the two numbers?'))
        if (day % 7 === 0)
          await put(day, `Newsletter ${weekOf(day)}`, `Otters are back, for week ${weekOf(day)}.`)
        const read = came.get(day - 2)
        if (read !== undefined) await post(`${messages}/${read}/modify`, { removeLabelIds: ['UNREAD'] })
      },
    },
    {
      ...{ tool: createCalendarTool({ baseUrl: origin }), origin, key },
      actions: ['calendar.list_events'],
      fill: (day) =>
        post('/calendar/v3/calendars/primary/events', {
          summary: `Stand-up ${day}`,
          start: { dateTime: isoOf(day + 9.5 / 24) },
          end: { dateTime: isoOf(day + 10 / 24) },
        }),
    },
  ]
}

/** What others write: something new each day or week. */
async function talkServices(opened: Opened): Promise<readonly Service[]> {
  const code = github.githubState()
  const molts = moltbook.moltbookState()
  const posts = pds.pdsState()
  const tweets = twitter.twitterState()
  const team = slack.slackAccount()
  const [sarah, direct] = ['U00000SARAH', 'D00000SARAH']
  team.people.push(slack.person(sarah, 'Sarah'))
  team.places.push(slack.chat(direct, sarah))
  const { origin: atGithub } = await opened(github.serveGithub(code))
  const { origin: atMoltbook } = await opened(moltbook.serveMoltbook(molts))
  const { origin: atBluesky } = await opened(pds.servePds(posts))
  const { origin: atTwitter } = await opened(twitter.serveTwitter(tweets))
  const { origin: atSlack } = await opened(slack.serveSlackAccount(team))
  return [
    {
      ...{ tool: createGithubTool({ baseUrl: atGithub }), origin: atGithub, key: github.TOKEN },
      actions: ['github.list_prs', 'github.list_notifications'],
      fill(day) {
        const pull = { pull_request: { merged_at: null }, draft: false }
        code.found = [github.issueRow('acme/site', weekOf(day), { title: `Start ${weekOf(day)}`, ...pull })]
      },
    },
    {
      tool: createMoltbookTool({ baseUrl: `${atMoltbook}${moltbook.BASE}` }),
      ...{ origin: atMoltbook, key: moltbook.KEY },
      actions: ['moltbook.check_dms', 'moltbook.check_notifications'],
      fill(day) {
        molts.answers['/agents/dm/check'] = moltbook.messagesOf([], day % 5)
      },
    },
    {
      ...{ tool: createBlueskyTool({ baseUrl: atBluesky }), origin: atBluesky, key: pds.LOGIN },
      actions: ['bluesky.notifications', 'bluesky.timeline'],
      fill(day) {
        posts.feed.unshift({ post: pds.postRow(`3k${day}`, `A roof on day ${day}`) })
      },
    },
    {
      ...{ tool: createTwitterTool({ baseUrl: atTwitter }), origin: atTwitter, key: twitter.KEY },
      actions: ['twitter.user_tweets'],
      fill(day) {
        tweets.answer = twitter.timelineOf([twitter.tweetRow(String(day), `Lift-off on day ${day}`)])
      },
    },
    {
      ...{ tool: createSlackTool({ baseUrl: atSlack }), origin: atSlack, key: slack.TOKEN },
      actions: ['slack.list_unanswered'],
      fill(day) {
        const ts = `${(weekOf(day) * 7 * DAY) / 1_000}.000100`
        team.said[direct] = [slack.said(0, sarah, `Lunch in week ${weekOf(day)}?`, { ts })]
      },
    },
  ]
}

/** A night of every day. */
async function ouraService(opened: Opened, healthKeeper: HealthKeeper): Promise<Service> {
  const state = oura.ouraState()
  const { origin } = await opened(oura.serveOura(state))
  const night = (day: number): unknown =>
    state.sleep.push(oura.nightOf(isoOf(day).slice(0, 10), 400 + (day % 60)))
  return {
    ...{ tool: createOuraTool({ baseUrl: origin, healthKeeper }), origin, key: oura.TOKEN },
    actions: ['oura.fetch'],
    fill: night,
  }
}

const FEED = '/jobs.xml'

function serveFeed(week: () => number) {
  return serve(({ url, method }, response) => {
    const link = `https://board.example/${week()}`
    const item = `<item><title>Engineer ${week()}</title><link>${link}</link></item>`
    const rss = `<rss version="2.0"><channel><title>Jobs</title>${item}</channel></rss>`
    const isFound = url === FEED && method === 'GET'
    response.writeHead(isFound ? 200 : 404, { 'content-type': 'application/rss+xml' })
    response.end(isFound ? rss : '')
  })
}

const savedAt = (origin: string): HttpSetting => ({
  hosts: [],
  saved: ['owner_surf_forecast', 'owner_crypto_digest'].flatMap(
    (template) => settingOf(template, origin).saved,
  ),
})

/** Two services without a key, at the very addresses that the jobs' files declare. */
function serveSaved(day: () => number) {
  const known = new Set(
    savedAt('https://saved.example').saved.map(({ url }) => url.replace('https://saved.example', '')),
  )
  return serve(({ url = '', method }, response) =>
    known.has(url) && method === 'GET'
      ? sendJson(response, url.includes('/price') ? pricesOn(day()) : wavesOn(day()))
      : sendJson(response, { error: 'not found' }, 404),
  )
}

function pricesOn(day: number): object {
  const at = day * (DAY / 1_000)
  return {
    bitcoin: { eur: 70_000 + day, eur_24h_change: 1.5, last_updated_at: at },
    ethereum: { eur: 2_600 + day, eur_24h_change: -0.4, last_updated_at: at },
  }
}

function wavesOn(day: number): object {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  return {
    hourly: {
      time: hours.map((hour) => isoOf(day + hour / 24).slice(0, 16)),
      wave_height: hours.map((hour) => (100 + (day % 9) * 10 + hour) / 100),
      wave_period: hours.map(() => 11 + (day % 3)),
      wave_direction: hours.map(() => 312),
    },
  }
}
