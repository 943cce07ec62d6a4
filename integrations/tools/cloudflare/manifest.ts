/**
 * The owner's Cloudflare account (I-19): zones, DNS records, tunnels, figures of a Worker; and writes, which change, create or
 * remove one record. The former value, and whether a Worker answers under the name, are looked up and shown on the card. Must not
 * contain code. Listed in ../index.ts.
 */
import type { RecordSpec } from '../../../kernel/flow/field.ts'
import type { ToolManifest } from '../../../kernel/tool/manifest.ts'
import { CLOUDFLARE_CONNECT } from './connect.ts'
import { makings } from './making.ts'

export const HOST = 'api.cloudflare.com'

/** Maximum number of rows in one answer. */
export const MAX_ROWS = 100
export const DEFAULT_HOURS = 24
/** Maximum hours that a Worker's figures go back: Cloudflare stores three months. */
export const MAX_HOURS = 24 * 30

/** UTF-16 units. A DNS name has at most 253, a text record 2,048. */
export const CLOUDFLARE_TEXT = Object.freeze({ name: 253, content: 4_096, title: 200, worker: 63 })

export const TYPES = Object.freeze(['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'NS', 'SRV', 'CAA', 'other'] as const)
/** Types that can be changed and created: records with one plain value. */
export const CHANGED = Object.freeze(['A', 'AAAA', 'CNAME', 'TXT'] as const)
export const ZONE_STATES = Object.freeze(['active', 'pending', 'moved', 'other'] as const)
export const TUNNEL_STATES = Object.freeze(['healthy', 'degraded', 'down', 'inactive', 'other'] as const)
/** Whether a Worker answers under the name, under another name of the same zone, under none, or this is unknown. */
export const WORKERS = Object.freeze(['here', 'in_zone', 'none', 'unsure'] as const)

const ID = { kind: 'id', max: 64 } as const
const DOMAIN = { kind: 'id', max: CLOUDFLARE_TEXT.name } as const
const TYPED = { kind: 'text', max: CLOUDFLARE_TEXT.name } as const
const VALUE = { kind: 'text', max: CLOUDFLARE_TEXT.content } as const
const MORE = { kind: 'boolean' } as const
const PART = { kind: 'number', optional: true } as const
const PAGES = { field: 'next', argument: 'part' } as const

const RECORD: RecordSpec['fields'] = {
  id: ID,
  name: DOMAIN,
  type: { kind: 'enum', values: TYPES },
  content: VALUE,
  proxied: { kind: 'boolean', optional: true },
  ttl: { kind: 'number', optional: true },
  changed: { kind: 'date', optional: true },
}

const READ = {
  semantics: 'read',
  capability: 'cloud:read',
  ceiling: 'sensitive',
  compartment: null,
  reaches: 'sensitive',
  sink: null,
  offline: {
    policy: { do: 'refuse' },
    why: 'its result is above what the edge may hold, so it is never asked for from there',
  },
} as const

const WRITE = {
  semantics: 'write',
  capability: 'cloud:write',
  ceiling: 'sensitive',
  compartment: null,
  reaches: 'sensitive',
  sink: 'sink:cloudflare:owner',
  asks: 'always',
  offline: { policy: { do: 'refuse' }, why: 'a write that happens long after it was wanted surprises' },
} as const

const WORKER = { kind: 'enum', values: WORKERS } as const

export const CLOUDFLARE_MANIFEST = Object.freeze<ToolManifest>({
  name: 'cloudflare',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'cloudflare',
  connect: CLOUDFLARE_CONNECT,
  actions: [
    {
      ...READ,
      id: 'cloudflare.zones',
      description: "The owner's zones (domains) at Cloudflare, with their state.",
      args: { kind: 'record', fields: { part: PART } },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          zones: {
            kind: 'list',
            max: MAX_ROWS,
            of: {
              kind: 'record',
              fields: {
                id: ID,
                name: DOMAIN,
                state: { kind: 'enum', values: ZONE_STATES },
                paused: { kind: 'boolean' },
              },
            },
          },
          more: MORE,
          next: PART,
        },
      },
    },
    {
      ...READ,
      id: 'cloudflare.dns_list',
      description: 'DNS records of a zone at Cloudflare, or of one name in it; name: example.com.',
      args: {
        kind: 'record',
        fields: { name: TYPED, type: { kind: 'enum', values: CHANGED, optional: true }, part: PART },
      },
      pages: PAGES,
      output: {
        kind: 'record',
        fields: {
          zone: DOMAIN,
          records: { kind: 'list', max: MAX_ROWS, of: { kind: 'record', fields: RECORD } },
          more: MORE,
          next: PART,
        },
      },
    },
    {
      ...READ,
      id: 'cloudflare.find_record',
      description: 'The one DNS record of a name and type at Cloudflare, and whether a Worker answers there.',
      args: {
        kind: 'record',
        fields: { name: TYPED, to: VALUE, type: { kind: 'enum', values: CHANGED, optional: true } },
      },
      output: {
        kind: 'record',
        fields: {
          ...{ zone: ID, record: ID, kind: { kind: 'enum', values: CHANGED }, from: VALUE },
          worker: WORKER,
        },
      },
    },
    {
      ...READ,
      id: 'cloudflare.tunnel_status',
      description: "The owner's tunnels at Cloudflare and whether they are up.",
      args: { kind: 'record', fields: {} },
      output: {
        kind: 'record',
        fields: {
          tunnels: {
            kind: 'list',
            max: MAX_ROWS,
            of: {
              kind: 'record',
              fields: {
                id: ID,
                name: { kind: 'text', max: CLOUDFLARE_TEXT.title },
                state: { kind: 'enum', values: TUNNEL_STATES },
                since: { kind: 'date', optional: true },
                connections: { kind: 'number' },
              },
            },
          },
          more: MORE,
        },
      },
    },
    {
      ...READ,
      id: 'cloudflare.worker_usage',
      description: "How often one of the owner's Workers was called, and how often it failed; hours (24).",
      args: {
        kind: 'record',
        fields: {
          worker: { kind: 'text', max: CLOUDFLARE_TEXT.worker },
          hours: { kind: 'number', optional: true },
        },
      },
      output: {
        kind: 'record',
        fields: {
          ...{ hours: { kind: 'number' }, requests: { kind: 'number' }, errors: { kind: 'number' } },
          subrequests: { kind: 'number' },
        },
      },
    },
    {
      ...WRITE,
      id: 'cloudflare.dns_update',
      description:
        'Change the value of a DNS record that is there; name: www.example.com, to: an address, name or text.',
      args: {
        kind: 'record',
        fields: {
          name: { ...TYPED, destination: true },
          to: VALUE,
          type: { kind: 'enum', values: CHANGED, optional: true },
        },
      },
      // Anybody can query a name server.
      target: {
        by: 'cloudflare.find_record',
        given: { name: 'name', to: 'to', type: 'type' },
        field: 'worker',
        reaches: { here: 'public', in_zone: 'public', none: 'public', unsure: 'public' },
        shows: { zone: ID, record: ID, kind: { kind: 'enum', values: CHANGED }, from: VALUE },
      },
      output: {
        kind: 'record',
        fields: { name: DOMAIN, kind: { kind: 'enum', values: CHANGED }, content: VALUE },
      },
      done: 'the record is changed.',
    },
    ...makings({ READ, CHANGE: WRITE, ID, DOMAIN, TYPED, VALUE, MADE: CHANGED, WORKER }),
  ],
})
