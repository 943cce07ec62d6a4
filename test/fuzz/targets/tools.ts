/**
 * Fuzz targets of what services and strangers send through them: mail, calendar, web pages. Each goes through the tool
 * and the kernel's declaration of its output, as a call does.
 */
import { decodeWords } from 'postal-mime'
import { createCalendarTool } from '../../../integrations/tools/calendar/run.ts'
import { addressesIn, soleMailbox } from '../../../integrations/tools/email/message/mailbox.ts'
import { createEmailTool } from '../../../integrations/tools/email/run.ts'
import { isAddress } from '../../../integrations/tools/reading.ts'
import { createWebTool } from '../../../integrations/tools/web/run.ts'
import { parseFields } from '../../../kernel/flow/field.ts'
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import { createRecord, metadata } from '../../../kernel/flow/record.ts'
import { CLEAN } from '../../../kernel/flow/taint.ts'
import { err, ok, type Result } from '../../../kernel/flow/verdict.ts'
import type { HttpRequest, HttpResponse, Tool } from '../../../kernel/tool/manifest.ts'
import { htmlToText, readPage } from '../../../sidecar/pages/page-parse.ts'
import { tokenFor } from '../../tools/calls.ts'
import { MAIL_CASES } from '../../tools/mail-cases.ts'
import { mailboxByGrammar } from '../../tools/mailbox-grammar.ts'
import { textOf } from '../nodes.ts'
import { CANARY, type Target } from '../target.ts'

const email = createEmailTool({ htmlText: htmlToText, accounts: ['personal'] })
const calendar = createCalendarTool()
const web = createWebTool({ reader: { read: readPage } })
const BEARER = { scheme: 'bearer', value: 'token' } as const
const SPAN = { from: '2026-11-20T00:00:00Z', to: '2026-11-27T00:00:00Z' }

interface Call {
  readonly tool: Tool
  readonly action: string
  readonly args: { readonly [key: string]: Json }
}

/** One call whose service answers this; its result as the kernel keeps it, with what a planner would see. */
export async function callWith(
  { tool, action, args }: Call,
  response: Partial<HttpResponse>,
): Promise<Result<unknown>> {
  const declared = tool.manifest.actions.find(({ id }) => id === action)
  if (declared === undefined) throw new Error(`no action ${action}`)
  const answer = { status: 200, headers: {}, body: '', url: 'https://x.example/', ...response }
  // Which calendars there are is told in order, so that what is tried is the calendar's own answer.
  const list = JSON.stringify({ items: [{ id: 'me', primary: true, selected: true }] })
  const http = {
    request: async ({ url }: HttpRequest) =>
      ok(url.includes('/calendarList') ? { ...answer, status: 200, body: list } : answer),
  }
  const outcome = await tool.execute({ action, args, capability: tokenFor(action), credential: BEARER, http })
  if (!outcome.ok) return outcome
  const { ceiling, compartment, output } = declared
  const inputs = { label: { atoms: [] }, taint: CLEAN }
  const record = createRecord(
    { origin: `tool:${action}`, spec: output, ceiling, compartment, taint: 'raw', inputs },
    outcome.output,
  )
  if (!record.ok) return record
  if (record.value.taint.level === 'clean') throw new Error('what a service sent counts as clean')
  if (JSON.stringify(metadata(record.value, 's1')).includes(CANARY))
    throw new Error('a planner sees a stranger’s words')
  return parseFields(output, outcome.output, 'drop')
}

const answering = (call: Call) => (input: unknown) => callWith(call, { body: String(input) })

/** A mail is one answer for the list (which names it) and one for itself. */
const listed = (input: unknown): Promise<Result<unknown>> => {
  const message = String(input)
  let asked = 0
  const http = {
    request: async () => {
      asked += 1
      const body = asked === 1 ? '{"messages":[{"id":"m1"}]}' : message
      return ok({ status: 200, headers: {}, body, url: 'https://x.example/' })
    },
  }
  const action = email.manifest.actions[0]
  const call = {
    action: 'email.list',
    args: {},
    capability: tokenFor('email.list'),
    credential: BEARER,
    http,
  }
  return Promise.resolve(email.execute(call)).then((outcome) =>
    outcome.ok && action !== undefined
      ? parseFields(action.output, outcome.output, 'drop')
      : (outcome as Result<unknown>),
  )
}

const MAILS = MAIL_CASES.map(([, mail]) => JSON.parse(JSON.stringify(mail)) as Json)
const OWN: Json = {
  id: 'm1',
  internalDate: '1763625600000',
  labelIds: ['UNREAD'],
  snippet: `&lt;${CANARY}&gt;`,
  payload: {
    mimeType: 'text/plain',
    headers: [
      { name: 'From', value: `"${CANARY}" <a@${CANARY}.example>` },
      { name: 'To', value: 'b@x.example, "C, D" <c@x.example>' },
      { name: 'Subject', value: `=?utf-8?B?${Buffer.from(CANARY).toString('base64')}?=` },
    ],
    body: {
      data: Buffer.from(`${CANARY} on 3 March 2026: https://x.example/${CANARY}. Please reply.`).toString(
        'base64url',
      ),
    },
  },
}

/** What a sender decides of a mail that Gmail has parsed; everything else is Gmail's own. */
function bySender(input: unknown): Promise<Result<unknown>> {
  const [name, value, type, data, more] = Array.isArray(input) ? input : []
  if ([name, value, type, data].some((part) => typeof part !== 'string'))
    return Promise.resolve(err('tool_result_invalid'))
  const message = {
    ...{ id: 'm1', internalDate: '1763625600000', labelIds: [], snippet: String(value) },
    payload: {
      ...{ mimeType: String(type), filename: '' },
      headers: ['From', 'To', 'Subject', 'Date', 'Content-Type', String(name)].map((each) => ({
        name: each,
        value: String(value),
      })),
      body: { data: Buffer.from(String(data)).toString('base64url') },
      parts: isPlainRecord(more) || Array.isArray(more) ? more : [],
    },
  }
  return neverRefused(Promise.all([listed(textOf(message)), read(textOf(message))]))
}

const read = answering({ tool: email, action: 'email.read', args: { id: 'm1' } })

/** A stranger’s mail must not make the owner’s mailbox unreadable. */
async function neverRefused(both: Promise<readonly Result<unknown>[]>): Promise<Result<unknown>> {
  const bad = (await both).find((result) => !result.ok)
  if (bad !== undefined && !bad.ok)
    throw new Error(`a mail that cannot be shown: ${JSON.stringify(bad.reason)}`)
  return ok(true)
}

const PAGE = `<!doctype html><html lang="en"><head><title>${CANARY}</title><meta property="og:title" content="T">
<meta name="author" content="A"><meta property="article:published_time" content="2026-11-20T08:00:00Z"></head>
<body><nav><a href="/x">x</a></nav><article><h1>Head</h1><p>${'Words and more words. '.repeat(20)}</p>
<p hidden>secret</p><a href="https://y.example/${CANARY}?a=1&amp;b=2">y</a><time datetime="2026-11-20">d</time>
<ul><li>one<li>two</ul><table><tr><td>a<td>b</table><!-- c --><script>1<2</script></article></body></html>`

const BUSY: Json = {
  calendars: { primary: { busy: [{ start: '2026-11-20T10:00:00Z', end: '2026-11-20T11:00:00Z' }] } },
}
const EVENT: Json = {
  ...{
    id: 'e1',
    status: 'confirmed',
    summary: CANARY,
    location: `at ${CANARY}`,
    htmlLink: 'https://calendar.example/e1',
  },
  ...{
    start: { dateTime: '2026-11-20T10:00:00Z' },
    end: { dateTime: '2026-11-20T11:00:00+01:00' },
    attendees: [{ email: 'x@y.example' }],
  },
}
const pageOf = (input: unknown, type: string): Promise<Result<unknown>> =>
  callWith(
    { tool: web, action: 'web.read', args: { url: 'https://x.example/' } },
    { body: new TextDecoder().decode(input as Uint8Array), headers: { 'content-type': type } },
  )

export const TOOL_TARGETS: readonly Target[] = [
  { name: 'Gmail message, read', form: 'json', samples: [OWN, ...MAILS], parse: read },
  { name: 'Gmail message, listed', form: 'json', samples: [OWN, ...MAILS], parse: listed },
  {
    name: 'Gmail list',
    form: 'json',
    samples: [{ messages: [], nextPageToken: 'x' }, { resultSizeEstimate: 0 }],
    parse: answering({ tool: email, action: 'email.list', args: {} }),
  },
  {
    ...{ name: 'mail of a stranger', form: 'value', parse: bySender },
    samples: [
      ['Cc', `"${CANARY}" <x@y.example>`, 'text/plain', `${CANARY} on 2026-03-01 http://x.example/a.`, []],
      [
        'Content-Disposition',
        '=?utf-8?Q?=C3=A9?= <x@y.example>',
        'text/html',
        `<p>${CANARY}</p>`,
        [{ mimeType: 'text/plain', body: { data: 'aGk' } }],
      ],
      ['X', '=?iso-2022-kr?B?aGk=?=', 'multipart/mixed', '', [{ mimeType: 'message/rfc822', parts: [] }]],
    ],
  },
  {
    name: 'encoded words',
    form: 'text',
    samples: [`=?utf-8?Q?${CANARY}=20?= =?koi8-r?B?8NLJ18XU?=`],
    parse: (input) => ok(decodeWords(String(input).slice(0, 10_000))),
  },
  {
    ...{
      name: 'mailbox',
      form: 'text',
      samples: [`"Sarah \\"L\\" Lin" <sarah@lin.example>`, 'a@b.example', `<${CANARY}>`],
    },
    parse: (input) => ok({ header: String(input), ...soleMailbox([String(input)]) }),
    fault: (value) => {
      const { header, address } = value as { readonly header: string; readonly address: string | null }
      if (address === null) return null
      return mailboxByGrammar(header).includes(address) ? null : 'an address that is not the one mailbox'
    },
  },
  {
    ...{
      name: 'address list',
      form: 'text',
      samples: ['a@b.example, "C, D" <c@d.example>; e', `"${CANARY}" <x@y.example>`],
    },
    parse: (input) => ok(addressesIn([String(input)])),
    fault: (value) => ((value as readonly string[]).every(isAddress) ? null : 'an address that is none'),
  },
  {
    name: 'free and busy',
    form: 'json',
    samples: [BUSY],
    parse: answering({ tool: calendar, action: 'calendar.freebusy', args: SPAN }),
  },
  {
    name: 'calendar events',
    form: 'json',
    samples: [
      {
        items: [EVENT, { ...(EVENT as object), start: { date: '2026-11-20' }, end: { date: '2026-11-21' } }],
      },
    ],
    parse: answering({ tool: calendar, action: 'calendar.list_events', args: SPAN }),
  },
  {
    name: 'created event',
    form: 'json',
    samples: [EVENT],
    parse: answering({ tool: calendar, action: 'calendar.create_event', args: { title: 'x', ...SPAN } }),
  },
  {
    name: 'web page',
    form: 'bytes',
    samples: [PAGE],
    parse: (input) => pageOf(input, 'text/html; charset=utf-8'),
  },
  {
    name: 'web document of unknown type',
    form: 'bytes',
    samples: [PAGE, 'plain words', '{"a":1}'],
    parse: (input) => pageOf(input, ''),
  },
  {
    ...{
      name: 'arguments of a tool',
      form: 'value',
      samples: [{ title: CANARY, ...SPAN, attendees: ['x@y.example'] }],
    },
    parse: (input) => {
      const spec = calendar.manifest.actions.find(({ id }) => id === 'calendar.create_event')?.args
      return spec === undefined ? err('tool_unknown') : parseFields(spec, input, 'refuse')
    },
    again: (value) => value,
    bounds: [200, 320],
  },
]
