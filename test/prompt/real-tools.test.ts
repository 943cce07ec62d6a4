/**
 * Over every tool that there is: which of them a prompt describes for a request (I-32), and how long the planner's prompt is with all of them (O-28).
 * The requests are in nobody's phrases, manifests or typed sentences.
 */
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { DECLARED } from '../../integrations/tools/declared.ts'
import { TOOL_MANIFESTS } from '../../integrations/tools/registered.ts'
import type { FinalPrompt } from '../../kernel/prompt/finalize.ts'
import type { ToolCard } from '../../kernel/prompt/parts.ts'
import { MOST_FOR_REQUEST, shownTools } from '../../kernel/prompt/shown-tools.ts'
import { saidMessages } from '../../scripts/train/said.ts'
import { brainWorld } from '../pipeline/brain.ts'
import { scriptedModel } from '../pipeline/world.ts'

/** A request, and what answers it: one of these. */
type Row = readonly [request: string, ids: string]

/** Written before anything was tried on them. */
const FIRST: readonly Row[] = [
  ['anything on github that needs my attention', 'github.list_notifications'],
  ['fill me in on github', 'github.list_notifications'],
  ['which of my PRs are still open', 'github.list_prs'],
  ['did the build pass on main in acme/site', 'github.ci_state'],
  ['file a bug in acme/site: the footer overlaps on phones', 'github.create_issue'],
  ['tell them in acme/site#31 that I will look on Monday', 'github.comment'],
  ['zeig mir Ticket 88 aus acme/api mit den letzten Kommentaren', 'github.get_issue'],
  ['welche Pull Requests warten auf mich', 'github.list_prs'],
  ['look up our onboarding guide in notion', 'notion.search notion.find_page notion.read_page'],
  ['read me the holiday rules from notion', 'notion.read_page'],
  ['put a new page called Retro under Team in notion', 'notion.create_page'],
  ['add "order chairs" to the bottom of my Office page in notion', 'notion.append'],
  ['setz in Notion die Aufgabe Steuer auf erledigt', 'notion.set_cell'],
  ['was steht in meiner Notion-Datenbank Bücher noch auf offen', 'notion.query_db'],
  ['what did they discuss in #design on slack today', 'slack.read_channel'],
  ['who is still waiting for a reply from me on slack', 'slack.list_unanswered'],
  ['look through slack for the wifi password discussion', 'slack.search'],
  ['wer hat mir in Slack geschrieben und noch keine Antwort bekommen', 'slack.list_unanswered'],
  ['post on bluesky: the fog lifted at noon', 'bluesky.create_post'],
  ['what are people I follow saying on bluesky', 'bluesky.timeline'],
  ['hat jemand auf Bluesky auf mich reagiert', 'bluesky.notifications'],
  ['summarise my last fireflies meeting', 'fireflies.get_transcript fireflies.list'],
  ['fasse das letzte Meeting zusammen', 'fireflies.get_transcript fireflies.list'],
  ['point www.example.org to 203.0.113.9', 'cloudflare.dns_update'],
  ['are my cloudflare tunnels healthy', 'cloudflare.tunnel_status'],
  ['which domains do I have with cloudflare', 'cloudflare.zones'],
  ['welche DNS-Einträge hat example.org', 'cloudflare.dns_list'],
  ['what is in budget.csv', 'files.read'],
  ['where is shopping.md', 'files.search files.list files.find'],
  ['what did I save in the Taxes folder lately', 'files.list'],
  ['write a line "call plumber" into todo.txt', 'files.append'],
  ['welche PDFs hab ich zuletzt gespeichert', 'files.list'],
  ['verschieb rechnung.pdf in den Ordner Steuern auf meiner Platte', 'files.move'],
  ['how many steps this week', 'health.measure'],
  ['is my resting heart rate getting worse', 'health.trend health.change health.measure'],
  ['wie habe ich letzte Nacht geschlafen', 'health.measure health.summary'],
  ['wie viele Schritte diese Woche', 'health.measure'],
  ['how long did I run this month', 'health.workouts'],
  ['is the front door locked', 'homeassistant.state'],
  ['how warm was it in the bedroom overnight', 'homeassistant.history'],
  ['ist die Waschmaschine fertig', 'homeassistant.state'],
  ['welche Fenster stehen offen', 'homeassistant.list homeassistant.state'],
  ['what does the article at https://news.example.com/a/12 claim', 'web.read'],
  ['anything new in the feed https://blog.example.net/rss', 'web.feed'],
  ['was gibt es Neues auf https://zeitung.example/feed.xml', 'web.feed'],
  ['POST {"open":true} to https://hooks.example.com/door', 'http.send'],
  ['what does https://api.example.com/v1/status return', 'http.request'],
  ['frag https://api.example.de/kurse ab und zeig mir das JSON', 'http.request'],
  ['save that one as a draft instead of sending it', 'email.draft'],
  ['get rid of these newsletters for good', 'email.unsubscribe email.leaving'],
  ['throw the mails from the raffle into the bin', 'email.delete'],
  ['leg die Mail von der Bank in den Ordner Finanzen', 'email.move email.file'],
  ['schick die Rechnung an meine Steuerberaterin weiter', 'email.forward'],
  ['accept the invitation to the board dinner', 'calendar.answer_invitation email.invitation'],
  ['find an hour for me and Sarah next week', 'calendar.find_times'],
  ['sag den Zahnarzt am Dienstag ab', 'calendar.delete_event'],
  ['do I need an umbrella in Porto on Saturday', 'weather.forecast'],
  ['wird es am Wochenende warm genug zum Grillen', 'weather.forecast'],
  ['the milk is bought, take it off my list', 'task.done'],
  ['was muss ich noch alles einkaufen', 'task.list'],
]

/** Written after the choice was mended by the first: 26 of 30 then. */
const SECOND: readonly Row[] = [
  ['has anyone asked me to review their code', 'github.list_prs github.list_notifications'],
  ['is CI red anywhere on the api repo', 'github.ci_state'],
  ['look for the memory leak ticket in our repo', 'github.search'],
  ['gibt es ungelesene Benachrichtigungen auf GitHub', 'github.list_notifications'],
  ['schreib unter acme/web#7, dass es behoben ist', 'github.comment'],
  ['which rows in my Notion reading list are unread', 'notion.query_db'],
  ['leg in Notion eine Seite Urlaub 2027 an', 'notion.create_page'],
  ['mark the invoice row as paid in notion', 'notion.set_cell'],
  ['anything in the general channel on slack I should catch up on', 'slack.read_channel'],
  ['such in Slack nach dem Passwort für den Drucker', 'slack.search'],
  ['reply to that bluesky thread: well said', 'bluesky.reply'],
  ['was schreiben die Leute auf Bluesky über Radwege', 'bluesky.search'],
  ['what did we agree on in the call with Northwind', 'fireflies.get_transcript fireflies.list'],
  ['how often did my worker fail since yesterday', 'cloudflare.worker_usage'],
  ['füg example.de einen TXT-Eintrag hinzu', 'cloudflare.dns_create'],
  ['open plan.docx and tell me the main points', 'files.read'],
  ['delete old-notes.txt from my folder', 'files.delete'],
  ['in welcher Datei steht die Nummer vom Hausmeister', 'files.search'],
  ['what is my average pulse at night', 'health.measure'],
  ['hab ich im Oktober mehr trainiert als sonst', 'health.workouts health.trend health.change'],
  ['what is the temperature in the kitchen', 'homeassistant.state'],
  ['ist das Garagentor zu', 'homeassistant.state'],
  ['read this for me: https://www.example.com/long-read', 'web.read'],
  ['give me the latest headlines from https://example.org/atom.xml', 'web.feed'],
  ['ruf https://intern.example.de/api/health auf', 'http.request'],
  ['which attachments came with the mail from the school', 'email.attachment email.read'],
  ['markier die Mails von der Hausverwaltung als gelesen', 'email.mark'],
  ['decline the invitation for Thursday', 'calendar.answer_invitation'],
  ['how windy will it get in Kiel tonight', 'weather.forecast'],
  ['hake Müll rausbringen ab', 'task.done'],
]

/** Tokens of a planner's whole prompt, of a first plan and of one after a search for tools. */
const MOST_TOKENS = 2_000

const ALL = TOOL_MANIFESTS.flatMap(({ actions }) => actions.map(({ id }) => id))

const plansFor = async (words: string): Promise<readonly FinalPrompt[]> => {
  const tools = Object.fromEntries(ALL.map((id) => [id, () => ({ ok: true as const, output: {} })]))
  const world = await brainWorld({ tools, models: [scriptedModel('local', () => '{"steps":[]}')] })
  await world.say(words)
  return world.prompts.filter(({ parts, model }) => parts.purpose === 'plan' && model === 'local')
}

/** As a prompt of the owner has them, and those that only the owner's questions about health have. */
const cardsOf = async (): Promise<readonly ToolCard[]> => {
  const [own] = await plansFor('please juggle three balls')
  const [health] = await plansFor('how did my resting heart rate compare with my sleep, and juggle')
  const cards = [...(own?.parts.tools ?? []), ...(health?.parts.tools ?? [])].map(
    ({ shown: _, ...card }) => card,
  )
  return cards.filter(({ id }, at) => cards.findIndex((other) => other.id === id) === at)
}

describe('of all tools', async () => {
  const cards = await cardsOf()
  const shownFor = (request: string): readonly ToolCard[] =>
    shownTools(cards, { request, metadata: [] }).filter(({ shown }) => shown !== 'named')
  const missed = (rows: readonly Row[]): readonly string[] =>
    rows.flatMap(([request, ids]) => {
      const right = ids.split(' ')
      return shownFor(request).some(({ id }) => right.includes(id)) ? [] : [request]
    })

  it('there are well over a hundred to choose among, and each row wants one of them', () => {
    const ids = cards.map(({ id }) => id)
    expect(ids.length).toBeGreaterThanOrEqual(130)
    const wanted = [...FIRST, ...SECOND].flatMap(([, of]) => of.split(' '))
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
    expect([FIRST.length, SECOND.length]).toEqual([60, 30])
  })

  it('no request is one that a package has', () => {
    const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N} ]/gu, '')
    const said = [...saidMessages(), ...saidMessages('more-said.txt')].map(({ text }) => plain(text))
    const declared = plain(JSON.stringify(DECLARED))
    const known = new Set(said)
    expect(
      [...FIRST, ...SECOND].filter(([text]) => known.has(plain(text)) || declared.includes(plain(text))),
    ).toEqual([])
  })

  it('the right one is described for 58 of 60 requests, among no more than six that are not of every day', () => {
    expect(missed(FIRST).length, missed(FIRST).join('\n')).toBeLessThanOrEqual(2)
    for (const [words] of FIRST)
      expect(shownFor(words).filter(({ shown }) => shown === 'now').length).toBeLessThanOrEqual(
        MOST_FOR_REQUEST,
      )
  })

  it('and for 97 % of all', () => {
    const all = [...FIRST, ...SECOND]
    expect(missed(all).length / all.length, missed(all).join('\n')).toBeLessThanOrEqual(0.03)
  })
})

describe('a planner’s prompt with every tool connected', () => {
  it.each([...FIRST, ...SECOND].map(([request]) => request))(
    'stays within its bound for “%s”',
    async (request) => {
      // What code plans alone asks no model.
      for (const { system, user } of await plansFor(`${request}, as usual`))
        expect(encode(system).length + encode(user).length).toBeLessThanOrEqual(MOST_TOKENS)
    },
  )

  it('has well over a hundred to choose among', async () => {
    const [prompt] = await plansFor('please juggle three balls')
    expect(prompt?.parts.tools.length).toBeGreaterThanOrEqual(110)
    expect(prompt?.system).toContain('[more tools]')
  })
})
