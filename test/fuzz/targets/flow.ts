/** Fuzz targets of `kernel/flow` and `kernel/task`: labels, taint, events, principals, references, tokens, approvals of text. */
import { isPlainRecord, type Json } from '../../../kernel/flow/json.ts'
import { MAX_ATOMS, parseLabel } from '../../../kernel/flow/label.ts'
import { LEVELS, parseCompartment, parseLevel } from '../../../kernel/flow/level.ts'
import { parseProvenance } from '../../../kernel/flow/provenance.ts'
import { parseTaint } from '../../../kernel/flow/taint.ts'
import { err, ok } from '../../../kernel/flow/verdict.ts'
import { type Capability, checkCapability, issueCapability } from '../../../kernel/task/capability.ts'
import { EVENT_BOUNDS, EVENT_KINDS, parseEvent } from '../../../kernel/task/event.ts'
import { parseReference } from '../../../kernel/task/plan.ts'
import { formatPrincipalId, nameOf, parsePrincipalId } from '../../../kernel/task/principal.ts'
import { CANARY, type Target } from '../target.ts'

const atom = (level: string, compartment: string | null = null): Json => ({
  origin: `tool:${CANARY}`,
  field: 'emails[].subject',
  level,
  compartment,
})
const LABEL: Json = { atoms: [atom('internal'), atom('regulated', 'health')] }
const TAINT: Json = { level: 'extracted', origins: ['tool:web.read', CANARY], touchedBy: ['extractor:page'] }

const EVENT: Json = {
  id: `evt-${CANARY}`,
  at: 1_700_000_000_000,
  source: { adapter: 'terminal', user: `u-${CANARY}`, chat: 'owner', group: false },
  kind: 'message',
  text: `please ${CANARY}`,
  quoted: [`said ${CANARY}`, 'twice'],
  attachments: [
    { kind: 'document', name: `${CANARY}.pdf`, mediaType: 'application/pdf', size: 12, ref: 'r1' },
  ],
  replyTo: null,
  place: 'home',
}

const KEY = new Uint8Array(32).fill(7)
const CLAIMS: Capability = {
  ...{
    id: 'cap1',
    place: 'home',
    task: 't1',
    template: 'owner_private',
    principal: 'principal:owner',
    step: 's1',
  },
  ...{
    tool: 'email.list',
    scope: '',
    argsDigest: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
  },
  argsTaint: { level: 'clean', origins: [CANARY], touchedBy: [] },
  ...{ approval: null, issuedAt: 1_000, expiresAt: 61_000, maxInvocations: 1 },
}
const USE = {
  place: 'home',
  task: 't1',
  step: 's1',
  tool: 'email.list',
  args: {},
  scope: '',
  now: 2_000,
  used: 0,
} as const
const TOKEN = JSON.parse(JSON.stringify(issueCapability(CLAIMS, KEY))) as Json

function labelFault(value: unknown): string | null {
  if (!isPlainRecord(value) || !Array.isArray(value['atoms'])) return 'no atoms'
  if (value['atoms'].length > MAX_ATOMS) return 'more atoms than a label holds'
  const odd = value['atoms'].some(
    ({ origin, field, level, compartment, ...more }) =>
      [origin, field].some((name) => typeof name !== 'string' || name === '' || name.length > 200) ||
      !LEVELS.includes(level) ||
      !(compartment === null || /^[a-z][a-z0-9_]{0,31}$/.test(compartment)) ||
      Object.keys(more).length > 0,
  )
  return odd ? 'an odd atom' : null
}

function eventFault(value: unknown): string | null {
  const event = value as ReturnType<typeof JSON.parse>
  const words = [event.text, ...event.quoted]
  if (words.some((text: unknown) => typeof text !== 'string' || text.length > EVENT_BOUNDS.text))
    return 'words'
  if (event.quoted.length > EVENT_BOUNDS.quoted || event.attachments.length > EVENT_BOUNDS.attachments)
    return 'a list'
  if (!/^[\x21-\x7e]{1,255}$/.test(event.id) || !EVENT_KINDS.includes(event.kind)) return 'id or kind'
  if (!Number.isSafeInteger(event.at) || event.at < 0 || typeof event.source.group !== 'boolean')
    return 'time or group'
  const known = 'id at source kind text quoted attachments replyTo place'.split(' ')
  return Object.keys(event).every((key) => known.includes(key)) ? null : 'an unknown member'
}

/** What an adapter hands over as a sender, through the canonical id and back. */
function principalRoundTrip(input: unknown): ReturnType<typeof parsePrincipalId> {
  const [adapter, user, chat, group] = Array.isArray(input) ? input : []
  if (typeof adapter !== 'string' || !/^[a-z][a-z0-9_]{0,31}$/.test(adapter))
    return err('principal_malformed')
  if (typeof user !== 'string' || typeof chat !== 'string' || user === '' || chat === '')
    return err('principal_malformed')
  const name = nameOf({ adapter, user: user.slice(0, 255), chat: chat.slice(0, 255), group: group === true })
  // An adapter of that name has no form of its own: nothing listens under it.
  if (adapter === 'owner') return err('principal_malformed')
  const parsed = parsePrincipalId(formatPrincipalId(name))
  if (!parsed.ok || JSON.stringify(parsed.value) !== JSON.stringify(name))
    throw new Error('an id that names another')
  return parsed
}

const same = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

export const FLOW_TARGETS: readonly Target[] = [
  { name: 'level', form: 'value', samples: [...LEVELS], parse: parseLevel, again: same },
  {
    name: 'compartment',
    form: 'value',
    samples: ['health', 'a_1'],
    parse: parseCompartment,
    again: same,
    bounds: [32],
  },
  {
    ...{
      name: 'label',
      form: 'value',
      samples: [
        LABEL,
        { atoms: [] },
        { atoms: Array.from({ length: 60 }, (_, n) => atom(LEVELS[n % 5] ?? '')) },
      ],
    },
    ...{ parse: parseLabel, again: same, bounds: [200, 48, 96], fault: labelFault },
  },
  { name: 'taint', form: 'value', samples: [TAINT], parse: parseTaint, again: same, bounds: [200, 32] },
  {
    ...{ name: 'provenance', form: 'value', samples: [{ label: LABEL, taint: TAINT }] },
    ...{
      parse: parseProvenance,
      again: same,
      fault: (value) => labelFault((value as { label: unknown }).label),
    },
  },
  {
    ...{ name: 'event', form: 'value', samples: [EVENT], parse: parseEvent, again: same, fault: eventFault },
    bounds: [EVENT_BOUNDS.text, EVENT_BOUNDS.name, EVENT_BOUNDS.ref, EVENT_BOUNDS.quoted],
  },
  {
    ...{
      name: 'principal id',
      form: 'text',
      parse: parsePrincipalId,
      again: (value) => formatPrincipalId(value as never),
    },
    samples: [
      ...[
        'principal:owner',
        'principal:telegram:peer:123',
        'principal:slack:T1:C1:U1',
        'principal:whatsapp:+34600111222',
      ],
      ...['principal:webhook:github', 'principal:cron:digest', `principal:telegram:group:%002d${CANARY}`],
    ],
  },
  {
    ...{ name: 'principal of a sender', form: 'value', parse: principalRoundTrip, bounds: [255] },
    samples: [
      ['telegram', '123', '123', false],
      ['slack', 'T1:U1', 'T1:C1', false],
      ['whatsapp', '+34600111222', 'x', true],
      ['webhook', CANARY, 'x', false],
    ],
  },
  {
    ...{
      name: 'reference',
      form: 'text',
      samples: ['s1.emails[0].id', `said.${CANARY}`, 'item', 'w12[3].a.b'],
    },
    parse: (input) => parseReference(String(input)),
  },
  {
    ...{ name: 'capability token', form: 'value', samples: [TOKEN], bounds: [400, 32] },
    parse: (input) => {
      const verdict = checkCapability(input, USE, KEY)
      if (!verdict.allow) return err(verdict.code, verdict.facts)
      // Only what was signed is a token: nothing that was changed may pass.
      return JSON.stringify(input) === JSON.stringify(TOKEN) || sameClaims(input) ? ok(TOKEN) : ok(Number.NaN)
    },
  },
]

/** The order of members is nobody's claim. */
function sameClaims(input: unknown): boolean {
  const { claims } = input as { claims: Capability }
  return issueCapability(claims, KEY).mac === issueCapability(CLAIMS, KEY).mac
}
