/**
 * Fuzz targets of what the owner's services answer: each answer goes through the tool and the kernel's declaration of its output, as a call does. Where a call asks
 * twice, both get the same answer. Called by all.ts.
 */
import { createCloudflareTool } from '../../../integrations/tools/cloudflare/run.ts'
import { createFirefliesTool } from '../../../integrations/tools/fireflies/run.ts'
import { createGithubTool } from '../../../integrations/tools/github/run.ts'
import { createHomeassistantTool } from '../../../integrations/tools/homeassistant/run.ts'
import { createNotionTool } from '../../../integrations/tools/notion/run.ts'
import { createSearchTool } from '../../../integrations/tools/search/run.ts'
import { createSlackTool } from '../../../integrations/tools/slack/run.ts'
import { createWeatherTool } from '../../../integrations/tools/weather/run.ts'
import type { Json } from '../../../kernel/flow/json.ts'
import type { Tool } from '../../../kernel/tool/manifest.ts'
import { recordRow, tunnelRow, zoneRow } from '../../fakes/cloudflare-server.ts'
import { meetingRow } from '../../fakes/fireflies-server.ts'
import { issueRow, repoRow } from '../../fakes/github-server.ts'
import { stateOf } from '../../fakes/homeassistant-server.ts'
import { blockRow, pageRow, richText } from '../../fakes/notion-server.ts'
import { channel, said } from '../../fakes/slack-account-server.ts'
import { CANARY, type Target } from '../target.ts'
import { callWith } from './tools.ts'

interface Row {
  readonly name: string
  readonly tool: Tool
  readonly action: string
  readonly args?: { readonly [key: string]: Json }
  readonly samples: readonly unknown[]
}

const REPO = 'acme/site'
const github = createGithubTool()
const notion = createNotionTool()
const slack = createSlackTool()
const cloudflare = createCloudflareTool()
const fireflies = createFirefliesTool()
const house = createHomeassistantTool({ baseUrl: 'https://lamp.example' })
const rows = () => Promise.reject(new Error('no page'))
const searx = createSearchTool({ rows, search: { engine: 'searxng', url: 'https://search.example' } })

const PULL = issueRow(REPO, 4, {
  ...{ title: CANARY, body: CANARY, pull_request: { merged_at: null }, draft: false, user: { login: 'eve' } },
  labels: [{ name: CANARY }],
})
const NOTICE = {
  ...{ id: '77', unread: true, reason: 'mention', updated_at: '2026-11-20T06:00:00Z' },
  subject: { title: CANARY, type: 'Issue', url: `https://api.github.com/repos/${REPO}/issues/9` },
  repository: repoRow(REPO),
}
const PARAGRAPH = blockRow(5, 'paragraph', { rich_text: richText(CANARY) })
const ROOM = {
  ...channel('C0000000001', 'general', { is_member: true, topic: { value: CANARY } }),
  latest: said(1, 'U00000EVE1', CANARY),
}
const FOUND = {
  ...{
    ...said(2, 'U00000EVE1', CANARY),
    permalink: 'https://acme.slack.com/archives/C0000000001/p1764238920000100',
  },
  channel: { id: 'C0000000001', name: 'general' },
}
const enveloped = (result: unknown): unknown => ({
  ...{ success: true, errors: [], messages: [], result },
  result_info: { page: 1, per_page: 50, total_pages: 1, count: 1, total_count: 1 },
})
const listed = (results: readonly unknown[]): unknown => ({
  ...{ object: 'list', results, next_cursor: null, has_more: false },
})

const ROWS: readonly Row[] = [
  {
    ...{ name: 'search of GitHub', tool: github, action: 'github.search', args: { words: 'x' } },
    samples: [{ total_count: 1, incomplete_results: false, items: [PULL] }],
  },
  {
    ...{ name: 'notifications of GitHub', tool: github, action: 'github.list_notifications', args: {} },
    samples: [[NOTICE]],
  },
  {
    ...{ name: 'repository of GitHub', tool: github, action: 'github.get_repo', args: { repo: REPO } },
    samples: [repoRow(REPO, { description: CANARY })],
  },
  {
    ...{ name: 'search of Notion', tool: notion, action: 'notion.search', args: { words: 'x' } },
    samples: [listed([pageRow(1, CANARY)])],
  },
  {
    ...{ name: 'page of Notion', tool: notion, action: 'notion.read_page' },
    args: { page: pageRow(1, 'x')['id'] as string },
    samples: [{ ...pageRow(1, CANARY), ...(listed([PARAGRAPH]) as object), object: 'page' }],
  },
  {
    ...{ name: 'search of Slack', tool: slack, action: 'slack.search', args: { words: 'x' } },
    samples: [{ ok: true, messages: { total: 1, matches: [FOUND], paging: { pages: 1 } } }],
  },
  {
    ...{ name: 'channels of Slack', tool: slack, action: 'slack.read_channel', args: { channel: 'general' } },
    samples: [
      {
        ok: true,
        user_id: 'U0000000ME',
        url: 'https://acme.slack.com/',
        channels: [ROOM],
        messages: [said(1, 'U00000EVE1', CANARY)],
        has_more: false,
        members: [],
      },
    ],
  },
  {
    ...{ name: 'zones of Cloudflare', tool: cloudflare, action: 'cloudflare.zones' },
    samples: [enveloped([zoneRow(1, 'example.com')])],
  },
  {
    ...{
      name: 'records of Cloudflare',
      tool: cloudflare,
      action: 'cloudflare.dns_list',
      args: { name: 'example.com' },
    },
    samples: [enveloped([{ ...zoneRow(1, 'example.com'), ...recordRow(1, 'TXT', 'example.com', CANARY) }])],
  },
  {
    ...{ name: 'tunnels of Cloudflare', tool: cloudflare, action: 'cloudflare.tunnel_status' },
    samples: [enveloped([{ ...zoneRow(1, 'example.com'), ...tunnelRow(1, CANARY, 'healthy') }])],
  },
  {
    ...{ name: 'meetings of Fireflies', tool: fireflies, action: 'fireflies.list' },
    samples: [{ data: { transcripts: [meetingRow('m1', CANARY)] } }],
  },
  {
    ...{
      name: 'transcript of Fireflies',
      tool: fireflies,
      action: 'fireflies.get_transcript',
      args: { meeting: '01JABCDEFGHJKMNPQRSTVWXYZ0' },
    },
    samples: [
      {
        data: {
          transcript: meetingRow('01JABCDEFGHJKMNPQRSTVWXYZ0', CANARY, {
            sentences: [{ speaker_name: CANARY, text: CANARY }],
          }),
        },
      },
    ],
  },
  {
    ...{ name: 'states of a house', tool: house, action: 'homeassistant.list' },
    samples: [[stateOf('sensor.cellar', '18.5', { friendly_name: CANARY, unit_of_measurement: '°C' })]],
  },
  {
    ...{ name: 'results of a search engine', tool: searx, action: 'web.search', args: { words: 'x' } },
    samples: [{ results: [{ url: 'https://x.example/a', title: CANARY, content: CANARY }] }],
  },
  {
    ...{ name: 'weather', tool: createWeatherTool(), action: 'weather.forecast', args: { place: 'Lisbon' } },
    samples: [
      {
        results: [
          { name: CANARY, latitude: 38.7, longitude: -9.1, country: 'Portugal', timezone: 'Europe/Lisbon' },
        ],
        daily: {
          ...{
            time: ['2026-11-27'],
            weather_code: [61],
            temperature_2m_max: [17.2],
            temperature_2m_min: [9],
          },
          ...{ precipitation_sum: [2.5], wind_speed_10m_max: [20], precipitation_probability_max: [80] },
        },
      },
    ],
  },
]

export const SERVICE_TARGETS: readonly Target[] = ROWS.map(({ name, tool, action, args = {}, samples }) => ({
  ...{ name, form: 'json' },
  samples: samples.map((sample) => JSON.parse(JSON.stringify(sample)) as Json),
  parse: (input) => callWith({ tool, action, args }, { body: String(input) }),
}))
