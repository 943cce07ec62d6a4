/**
 * The declared parts of creating, removing and restoring a DNS record (I-19). The records that exist under the name, and whether
 * a Worker answers there, are looked up and shown on the card. Data only. Called by manifest.ts.
 */
import type { FieldSpec } from '../../../kernel/flow/field.ts'
import type { ActionManifest } from '../../../kernel/tool/manifest.ts'

/** Types that can be removed. NS and SOA records are the zone itself. */
export const REMOVED = Object.freeze(['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'SRV', 'CAA'] as const)
/**
 * Records that exist under the name of a new one: none; others, which stay; the same one; one that must be alone, such as an
 * alias; or a delegation of that part of the zone to another server.
 */
export const BESIDE = Object.freeze(['nothing', 'others', 'same', 'alone', 'delegated'] as const)

/** Maximum UTF-16 units of a record's content that is kept for restoring it, and of other records on a card. */
export const CARRIED = 1_000
/** Seconds: bounds that Cloudflare accepts for every zone, and its value for "automatic". */
export const TTL = Object.freeze({ least: 60, most: 86_400, automatic: 1 })

type Shared = Pick<
  ActionManifest,
  'semantics' | 'capability' | 'ceiling' | 'compartment' | 'reaches' | 'sink' | 'offline'
>

export function makings({
  READ,
  CHANGE,
  ID,
  DOMAIN,
  TYPED,
  VALUE,
  MADE,
  WORKER,
}: {
  readonly READ: Shared
  readonly CHANGE: Shared & Pick<ActionManifest, 'asks'>
  readonly ID: FieldSpec
  readonly DOMAIN: FieldSpec
  readonly TYPED: FieldSpec & { readonly kind: 'text' }
  readonly VALUE: FieldSpec & { readonly kind: 'text' }
  /** Record types that can be created: those with one plain value. */
  readonly MADE: readonly string[]
  readonly WORKER: FieldSpec
}): readonly ActionManifest[] {
  const kind = { kind: 'enum', values: MADE } as const
  const anyKind = { kind: 'enum', values: REMOVED } as const
  const others = { kind: 'text', max: CARRIED, optional: true } as const
  const through = { kind: 'boolean', optional: true } as const
  const seconds = { kind: 'number', optional: true } as const
  /** Arguments that a look-up of the place adds to a call. */
  const place = {
    ...{ zone: ID, domain: TYPED, kind, there: others },
    beside: { kind: 'enum', values: BESIDE } as const,
  }
  const found = { zone: ID, domain: TYPED, record: ID, kind: anyKind, from: VALUE, through, seconds, others }
  const target = (
    level: 'public' | 'sensitive',
    by: string,
  ): Pick<NonNullable<ActionManifest['target']>, 'by' | 'field' | 'reaches'> => ({
    by,
    field: 'worker',
    reaches: { here: level, in_zone: level, none: level, unsure: level },
  })
  const made = { kind: 'record', fields: { name: DOMAIN, kind, content: VALUE } } as const
  return [
    {
      ...READ,
      id: 'cloudflare.find_place',
      description: 'What stands under a name at Cloudflare where a new DNS record would be made.',
      args: { kind: 'record', fields: { name: TYPED, to: VALUE, type: { ...kind, optional: true } } },
      output: { kind: 'record', fields: { ...place, worker: WORKER } },
    },
    {
      ...READ,
      id: 'cloudflare.find_removed',
      description: 'The one DNS record of a name, kind and value at Cloudflare that would be removed.',
      args: {
        kind: 'record',
        fields: { name: TYPED, type: { ...anyKind, optional: true }, value: { ...VALUE, optional: true } },
      },
      output: { kind: 'record', fields: { ...found, worker: WORKER } },
    },
    {
      ...CHANGE,
      id: 'cloudflare.dns_create',
      description:
        'A new DNS record; name: www.example.com, to: an address, name or text; proxied; ttl: seconds.',
      args: {
        kind: 'record',
        fields: {
          name: { ...TYPED, destination: true },
          to: VALUE,
          type: { ...kind, optional: true },
          proxied: through,
          ttl: seconds,
        },
      },
      // Anybody can query a name server.
      target: {
        ...target('public', 'cloudflare.find_place'),
        given: { name: 'name', to: 'to', type: 'type' },
        shows: place,
      },
      output: made,
      done: 'the record is made.',
    },
    {
      ...CHANGE,
      id: 'cloudflare.dns_delete',
      description: 'Remove one DNS record; name: www.example.com; type and value, where there are several.',
      args: {
        kind: 'record',
        fields: {
          name: { ...TYPED, destination: true },
          type: { ...anyKind, optional: true },
          value: { ...VALUE, optional: true },
        },
      },
      // Writes nothing that anybody could read.
      target: {
        ...target('sensitive', 'cloudflare.find_removed'),
        given: { name: 'name', type: 'type', value: 'value' },
        shows: found,
      },
      output: {
        kind: 'record',
        fields: {
          name: DOMAIN,
          kind: anyKind,
          content: { kind: 'text', max: CARRIED, optional: true },
          proxied: through,
          ttl: seconds,
          /** Whether the record can be restored from these fields; the mark proves that they are unchanged. */
          carried: { kind: 'boolean' },
          mark: { kind: 'id', max: 64, optional: true },
        },
      },
      done: 'the record is removed.',
    },
    {
      ...CHANGE,
      id: 'cloudflare.dns_put_back',
      description: 'Make a removed DNS record again; all arguments: of cloudflare.dns_delete.',
      args: {
        kind: 'record',
        fields: {
          ...{ name: TYPED, to: VALUE, type: kind, proxied: through, ttl: seconds },
          mark: { kind: 'id', max: 64 },
        },
      },
      // Publishes only values that were public before: any other value has no valid mark and is refused.
      target: {
        ...target('sensitive', 'cloudflare.find_place'),
        given: { name: 'name', to: 'to', type: 'type' },
        shows: place,
      },
      output: made,
      done: 'the record is back.',
    },
  ]
}
