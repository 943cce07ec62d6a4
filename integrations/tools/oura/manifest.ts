/**
 * Oura: fetches days that the ring measured and stores them with the owner's health data, from which the health tool answers. All
 * of it is `regulated:health`; the output is only dates and counts. Reads only. Must not contain code. Listed in ../index.ts.
 */
import type { Compartment } from '../../../kernel/flow/level.ts'
import type { ActionManifest, ToolManifest } from '../../../kernel/tool/manifest.ts'
import { OURA_CONNECT } from './connect.ts'

export const HOST = 'api.ouraring.com'

/** Has no arguments, so that nobody's words and no measurement are sent to the service. */
const READ = {
  semantics: 'read',
  capability: 'health:read',
  ceiling: 'regulated',
  compartment: 'health' as Compartment,
  reaches: 'sensitive',
  sink: null,
  offline: {
    policy: { do: 'refuse' },
    why: 'its result is above what the edge may hold, so it is never asked for from there',
  },
  args: { kind: 'record', fields: {} },
  output: {
    kind: 'record',
    fields: {
      from: { kind: 'date' },
      to: { kind: 'date' },
      /** Number of days with data, and of those that are new. */
      days: { kind: 'number' },
      fresh: { kind: 'number' },
      newest: { kind: 'date', optional: true },
    },
  },
} as const satisfies Partial<ActionManifest>

export const OURA_MANIFEST = Object.freeze<ToolManifest>({
  name: 'oura',
  version: '1.0.0',
  ownerOnly: true,
  places: ['home'],
  network: [HOST],
  credential: 'oura',
  connect: OURA_CONNECT,
  actions: [
    {
      ...READ,
      id: 'oura.fetch',
      description:
        'Reads the newest days of the Oura ring into the health data of the owner, at first three months.',
    },
    {
      ...READ,
      id: 'oura.older',
      description: 'Reads the hundred days of the Oura ring before those that were read in already.',
    },
  ],
})
